import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, describeRequest, finding, findingOf } from '../../src/expect/expect.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import { postponement } from '../../src/wire/client.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { ignoringHalts } from '../judging/ignoring-halts.ts';
import { judgeRows } from '../judging/judge-rows.ts';

const WANTED = ['a status below 500', '503 with Retry-After'];

/**
 * A 5xx says that the server failed at a request that a client may send. 503 with Retry-After asks to retry later and is not judged;
 * 501 from getPet is a removed operation, which deprecation.still-works judges before the date; 507 from createPet is a quota if the service
 * no longer creates anything.
 */
function judgeStatus(exchange: Exchange, knowledge?: RunState): InvariantJudgement {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return 'not-applicable';
  const { answer } = outcome;
  if (postponement(answer, 0) !== undefined) return 'not-applicable';
  if (answer.status === 501 && exchange.request.intent.operation === 'getPet') return 'not-applicable';
  if (answer.status < 500) return 'holds';
  const { operation } = exchange.request.intent;
  if (operation === 'createPet' && answer.status === knowledge?.creationQuota) return 'not-applicable';
  return { summary: `${describeRequest(exchange)} returned ${answer.status}`, expected: WANTED, received: describeAnswer(exchange) };
}

function crashed(exchange: Exchange): Finding | undefined {
  answerOf(exchange);
  return findingOf(exchange, judgeStatus(exchange));
}

/** Parameters that the document leaves open but that a client may send. */
const ODD_QUERIES = [
  'limit=99999999999999999999',
  'limit=%F0%9F%90%B6',
  `limit=${'9'.repeat(400)}`,
  'status=%C3%BC',
  `status=${'a'.repeat(1000)}`,
  'limit',
  `page=${'2&page='.repeat(50)}2`,
] as const;

const ODD_IDS = ['%', "1'", '🐶', '-', 'a'.repeat(500)] as const;

async function oddRequests(s: Session): Promise<Outcome> {
  const asks = [...ODD_QUERIES.map((rawQuery) => () => s.api.list({}, { rawQuery })), ...ODD_IDS.map((id) => () => s.api.get(id))];
  return judgeRows(s, {
    rows: asks,
    judge: async (ask) => crashed(await ask()),
    evidence: `${asks.length} odd lists and reads without a server error`,
  });
}

async function underLoad(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const asks = Array.from({ length: 12 }, (_unused, index) => {
    const pet = pets[index % pets.length];
    return pet === undefined || index % 2 === 0 ? () => s.api.list({ limit: index + 1 }) : () => s.api.get(pet.id);
  });
  return judgeRows(s, {
    rows: asks,
    judge: async (ask) => crashed(await ask()),
    evidence: `${asks.length} concurrent requests without a server error`,
  });
}

const TIMES_TOLD = 2;

/** One more creation, without fixtures: those remember that they were deferred. */
async function knockAgain(s: Session): Promise<void> {
  const pets = await s.fixtures.recognized();
  const name = `${s.options.namePrefix.slice(0, 11)}${s.options.runTag}Again`;
  await ignoringHalts(() => s.api.create({ value: { name, categoryId: pets[0]?.categoryId ?? 1n } }, { domain: 'plain' }));
}

/** 503 asks to retry later. A service that keeps asking until the end of the run, without ever creating an animal, accepts no creations. */
async function putOff(s: Session): Promise<Outcome> {
  const { created, turnedAway } = s.knowledge;
  if (created.size === 0 && turnedAway.length > 0) await knockAgain(s);
  if (created.size > 0) return pass(`${created.size} creations were accepted`);
  const [first, ...others] = turnedAway.filter(({ postponed }) => postponed >= TIMES_TOLD);
  if (first === undefined || others.length === 0)
    return inconclusive('no creation was accepted, and none was deferred repeatedly', 'circumstance');
  const summary = `creations returned 503 until the end of the run, although the suite waited and retried ${first.postponed} times as told`;
  return {
    kind: 'fail',
    findings: [finding([first, ...others.slice(-1)], { summary, expected: ['201 after the delay in Retry-After'] })],
  };
}

export const errorsNoServerError = defineClause({
  id: 'errors.no-server-error',
  chapter: 'errors',
  section: 'Errors',
  quote: [
    '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    '| 401 | Credential missing or invalid | listPets, createPet, getPet |',
    '| 404 | The requested resource cannot be found | getPet |',
  ],
  level: 'implied',
  derivation:
    'The document names the responses of each operation to valid and invalid requests, and a server error is not among them. A service may accept or reject a value that the document leaves open, but a 5xx says that the server failed to do either (RFC 9110, section 15.6).',
  requirement: 'No request that a client may send, however odd, causes a server error.',
  likelyCause:
    'Look for the exception that the request shown here caused: a value reached the database or the runtime unchecked, or another request got in the way.',
  checks: [
    {
      id: 'odd-requests',
      title: 'Odd parameters and ids cause no server error',
      step: 'read',
      given: ['pets'],
      fault: 'quote-in-id-crashes',
      run: oddRequests,
    },
    {
      id: 'under-load',
      title: 'Concurrent lists and reads cause no server error',
      step: 'read',
      given: ['pets'],
      exhaustive: true,
      fault: 'overload-crashes',
      run: underLoad,
    },
    {
      id: 'deferred-creations',
      title: 'Creations deferred with 503 are eventually accepted',
      step: 'final',
      given: ['animal'],
      effect: 'write',
      fault: 'create-put-off-for-ever',
      run: putOff,
    },
  ],
  invariants: [
    { id: 'every-response', title: 'No request causes a server error', fault: 'every-25th-request-crashes', judge: judgeStatus },
  ],
});
