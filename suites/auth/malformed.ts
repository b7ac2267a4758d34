import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, finding } from '../../src/expect/expect.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { situation } from './situation.ts';

const LONG = 4_000;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Whether the HTTP layer may reject the header, in its own words, before the service sees it. */
function isForHttpLayer({ headers }: Credential): boolean {
  return headers.some(([, value]) => value.length > LONG || !PRINTABLE.test(value));
}

function letIn(exchange: Exchange): Finding | undefined {
  const { status } = answerOf(exchange);
  const crashed = status >= 500 && exchange.request.intent.undocumented === true;
  if (!crashed && (status < 200 || status > 299)) return undefined;
  return finding([exchange], {
    summary: `${situation(exchange)} returned ${status}; expected 401 or 400`,
    expected: ['401 with an Error body', '400 with an Error body'],
  });
}

/**
 * Lists with headers that do not have the form `Bearer <API_KEY>`. The document does not accept them, but does not choose between 401
 * and 400 (RFC 6750, section 3.1: invalid_request), so only a success is a finding.
 */
export async function letInMalformed(s: Session, credentials: readonly Credential[]): Promise<Outcome> {
  return judgeRows(s, {
    rows: credentials,
    judge: async (credential) => letIn(await s.api.list({}, { credential, undocumented: isForHttpLayer(credential) })),
    evidence: `${credentials.length} lists with malformed Authorization headers, all rejected`,
  });
}
