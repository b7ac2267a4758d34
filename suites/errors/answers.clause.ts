import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { LISTS } from '../auth/unauthorized-requests.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';

const WANTED = ['a complete HTTP answer within the deadline'];

/** Every request gets a complete answer, whatever it says, but on a kept connection that the service closes meanwhile. */
function judgeAnswer(exchange: Exchange): InvariantJudgement {
  if (exchange.outcome.kind === 'answered') return 'holds';
  const { message, stale } = exchange.outcome.failure;
  if (stale) return 'not-applicable';
  return { summary: `${describeRequest(exchange)} got no complete answer: ${message}`, expected: WANTED, received: message };
}

function unanswered(exchange: Exchange): Finding | undefined {
  const judgement = judgeAnswer(exchange);
  return typeof judgement === 'string' ? undefined : finding([exchange], judgement);
}

async function reads(s: Session): Promise<Outcome> {
  const pets = await s.fixtures.recognized();
  const absent = await s.fixtures.absentId();
  const ids = [...pets.slice(0, 1).map(({ id }) => id), absent];
  const asks = [...LISTS.map((list) => () => s.api.list(list)), ...ids.map((id) => () => s.api.get(id))];
  return judgeRows(s, {
    rows: asks,
    judge: async (ask) => unanswered(await ask()),
    evidence: `${asks.length} requests, each answered completely`,
  });
}

export const errorsAnswers = defineClause({
  id: 'errors.answers',
  chapter: 'errors',
  section: 'Endpoints',
  level: 'implied',
  derivation:
    'The service is an interface over HTTP, and each operation has a status and a body for success and for failure; a request without a complete answer has neither.',
  requirement: 'Every request gets a complete HTTP answer: no dropped connection, no cut-off body, no silence, nothing that is not HTTP.',
  likelyCause:
    'A worker was killed, a proxy timed out, or Content-Length is not that of the body. The exchange shown names the request; the log of the proxy knows more.',
  checks: [
    {
      id: 'reads',
      title: 'Lists with and without parameters, an animal and a missing one are answered completely',
      step: 'read',
      fault: 'hangs-on-pending',
      run: reads,
    },
  ],
  invariants: [{ id: 'always', title: 'Every request gets a complete answer', fault: 'drops-every-20th-request', judge: judgeAnswer }],
});
