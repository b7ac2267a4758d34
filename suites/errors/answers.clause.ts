import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, findingOf } from '../../src/expect/expect.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import { atFirst, type Exchange } from '../../src/wire/exchange.ts';
import { LISTS } from '../cases/lists.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';

const WANTED = ['a complete HTTP response within the deadline'];

/** Every request gets a complete response, whatever it says, except on a kept-alive connection that the service closes at that moment. Time-outs of our own making say nothing. */
function judgeAnswer(exchange: Exchange): InvariantJudgement {
  if (exchange.outcome.kind === 'answered') return 'holds';
  const { message, stale, heldUp } = exchange.outcome.failure;
  if (stale || heldUp === true) return 'not-applicable';
  return { summary: `${describeRequest(exchange)} got no complete response: ${message}`, expected: WANTED, received: message };
}

function unanswered(exchange: Exchange): Finding | undefined {
  return findingOf(exchange, judgeAnswer(exchange));
}

async function reads(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const absent = await s.fixtures.absentId();
  const ids = [...pets.slice(0, 1).map(({ id }) => id), absent];
  const asks = [...LISTS.map((list) => () => s.api.list(list)), ...ids.map((id) => () => s.api.get(id))];
  return judgeRows(s, {
    rows: asks,
    judge: async (ask) => unanswered(atFirst(await ask())),
    evidence: `${asks.length} requests, each of which got a complete response`,
  });
}

export const errorsAnswers = defineClause({
  id: 'errors.answers',
  chapter: 'errors',
  section: 'Endpoints',
  quote: ['The service is a pet store catalogue interface over HTTP with JSON bodies.'],
  level: 'implied',
  derivation:
    'The service is an interface over HTTP, and each operation has a status and a body for success and for failure. Without a complete response, a request has neither.',
  requirement:
    'Every request gets a complete HTTP response: no dropped connection, no truncated body, no timeout, and nothing that is not HTTP.',
  likelyCause:
    'A worker was killed, a proxy timed out, or Content-Length does not match the body. Look up the request shown here in the proxy log.',
  checks: [
    {
      id: 'list-and-get',
      title: 'Lists with and without parameters and reads of existing and missing animals get complete responses',
      step: 'read',
      given: ['pets'],
      fault: 'hangs-on-pending',
      run: reads,
    },
  ],
  invariants: [
    { id: 'every-request', title: 'Every request gets a complete response', fault: 'drops-every-20th-request', judge: judgeAnswer },
  ],
});
