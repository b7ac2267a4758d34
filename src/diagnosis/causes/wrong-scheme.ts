import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import type { RedactedExchange } from '../../wire/redact.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { bodyOf } from './reads.ts';

const SAID = ['The plain HTTP request was sent to HTTPS port', 'Client sent an HTTP request to an HTTPS server'];

/** Sends elsewhere by https, or says that this port speaks TLS (nginx, Go). */
function asksForTls(exchange: RedactedExchange): boolean {
  const { answer } = exchange;
  if (answer.kind === 'failed') return false;
  const location = answer.headers.find(([name]) => name === 'location')?.[1] ?? '';
  const redirects = [301, 302, 307, 308].includes(answer.status) && location.startsWith('https:');
  return redirects || SAID.some((phrase) => bodyOf(exchange).includes(phrase));
}

export const wrongScheme: CauseRule = {
  id: 'wrong-scheme',
  title: 'The service is served by https, and the base address says http',
  advice: 'Write https:// in the base address',
  clauses: CLAUSE_IDS,
  sign: ({ exchange }) => (asksForTls(exchange) ? describeExchange(exchange) : undefined),
  suffices: (_signs, { record, statuses }) =>
    record.target.baseUrl.startsWith('http:') && [...statuses().keys()].every((status) => /^(?:30[1278]|400)$/.test(status)),
  excludesOthers: true,
};
