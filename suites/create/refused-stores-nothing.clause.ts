import type { ClauseId, InvariantJudgement } from '../../src/clause/clause.ts';
import { haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding, isRejected, petsOf, statusOf } from '../../src/expect/expect.ts';
import { type PetView, petView, petViews } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import type { InvalidBody } from '../cases/invalid-body.ts';
import { HUGE_CATEGORIES, MISSING_CATEGORIES, WRONG_CATEGORIES } from '../cases/invalid-categories.ts';
import { MISSING_NAMES, WRONG_NAMES } from '../cases/invalid-names.ts';
import { NULL_STATUSES, WRONG_STATUSES } from '../cases/invalid-statuses.ts';
import { TRAILING_BODIES } from '../cases/malformed-json.ts';
import { NO_OBJECTS } from '../cases/non-objects.ts';
import { defineClause } from '../define.ts';
import { afterFirstLists } from '../judging/creations/after-first-lists.ts';
import { describeBody } from '../judging/creations/describe-body.ts';
import { anyLost, lostByRefusal } from '../judging/creations/loss-after-rejection.ts';
import { made } from '../judging/creations/made.ts';
import { requireCreation } from '../judging/creations/require-creation.ts';
import { send } from '../judging/creations/send.ts';
import { sendInvalid } from '../judging/creations/send-invalid.ts';
import { showName } from '../judging/creations/show-name.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { largeLists, lastLists } from '../judging/lists/large-lists.ts';

const FIRST = 2;
const MOST_BETWEEN = 24;

/** A few bodies of each kind, with a name that can be found. */
const NAMED: readonly { readonly clause: ClauseId; readonly bodies: readonly InvalidBody[] }[] = [
  { clause: 'create.category-required', bodies: MISSING_CATEGORIES.slice(0, FIRST) },
  { clause: 'create.category-type', bodies: WRONG_CATEGORIES.slice(0, FIRST) },
  { clause: 'create.category-range', bodies: HUGE_CATEGORIES.slice(0, 1) },
  { clause: 'create.status-invalid', bodies: [...WRONG_STATUSES.slice(0, FIRST), ...NULL_STATUSES] },
  { clause: 'create.body-object', bodies: NO_OBJECTS.slice(1, 1 + FIRST) },
  { clause: 'create.body-json', bodies: TRAILING_BODIES.slice(0, 1) },
];

/** Bodies whose name is missing or not a string: only the number of new animals reveals whether they were stored. */
const NAMELESS: readonly InvalidBody[] = [...MISSING_NAMES.slice(0, FIRST), ...WRONG_NAMES.slice(0, FIRST)];

const EMPTY_NAMES = ['', 'null', 'undefined', 'None', 'Unnamed', 'unnamed', '42', '0'];

function storedFinding(refusal: Exchange, seen: Exchange, pet: PetView): Finding {
  return finding([refusal, seen], {
    summary: `a creation rejected with ${statusOf(refusal)} was stored as animal ${pet.id}, ${showName(pet.name)}`,
    expected: ['no animal from a rejected creation'],
    received: `animal ${pet.id}, ${showName(pet.name)}`,
  });
}

/** Listed animals whose names belong to rejected creations. */
function refusedIn(s: Session, lists: readonly Exchange[]): readonly Finding[] {
  const names = s.knowledge.refusedNames;
  const found = new Map<string, Finding>();
  for (const list of lists) {
    for (const pet of petsOf(list)) {
      const refusal = pet.name === undefined ? undefined : names.get(pet.name);
      // An animal that was created with 201 and now shows this name was renamed, which is not judged here.
      if (refusal !== undefined && !s.knowledge.created.has(String(pet.id))) found.set(pet.name ?? '', storedFinding(refusal, list, pet));
    }
  }
  return [...found.values()];
}

/** Reads the ids between two animals that were created right before and right after the rejections. */
async function between(s: Session, from: bigint, to: bigint): Promise<readonly Finding[]> {
  const gap = to - from - 1n;
  if (gap < 1n || gap > BigInt(MOST_BETWEEN * 2)) return [];
  const ids = Array.from({ length: Number(gap) }, (_unused, index) => from + 1n + BigInt(index));
  const unknown = ids.filter((id) => !s.knowledge.created.has(String(id))).slice(0, MOST_BETWEEN);
  const reads = await s.all(unknown, (id) => s.api.get(id));
  return reads.flatMap((read) => {
    if (read.outcome.kind === 'failed' || statusOf(read) !== 200) return [];
    const { json } = read.outcome.answer;
    const value = json.ok ? json.value : undefined;
    const name = isJsonObject(value) ? value['name'] : undefined;
    const refusal = typeof name === 'string' ? s.knowledge.refusedNames.get(name) : undefined;
    if (refusal === undefined) return [];
    return [
      finding([refusal, read], {
        summary: `a creation rejected with ${statusOf(refusal)} was stored: ${showName(String(name))}`,
        expected: ['404, or an animal of another client'],
      }),
    ];
  });
}

/** Animals without a usable name that appear in lists only after bodies without one were rejected: two or more are not a coincidence. */
function nameless(
  before: readonly Exchange[],
  after: readonly Exchange[],
  context: { s: Session; refusal: Exchange; accepted: ReadonlySet<string> },
): readonly Finding[] {
  const { s, refusal, accepted } = context;
  const known = new Set(before.flatMap((list) => petsOf(list).map(({ id }) => id)));
  const fresh = new Map<bigint, Finding>();
  for (const list of after) {
    for (const pet of petsOf(list)) {
      if (
        known.has(pet.id) ||
        s.knowledge.created.has(String(pet.id)) ||
        accepted.has(String(pet.id)) ||
        !EMPTY_NAMES.includes(pet.name ?? '')
      )
        continue;
      fresh.set(pet.id, storedFinding(refusal, list, pet));
    }
  }
  return fresh.size < FIRST ? [] : [...fresh.values()];
}

async function judgeNamed(s: Session): Promise<readonly Finding[]> {
  const before = made(await send(s, await s.fixtures.plain()));
  const known = [...s.knowledge.created.values()];
  const rows = NAMED.flatMap(({ clause, bodies }) => bodies.map((row) => ({ clause, row })));
  await s.all(rows, async ({ clause, row }) => sendInvalid(s, { clause, body: row.body(await s.fixtures.plain()) }));
  const after = made(await send(s, await s.fixtures.plain()));
  if (s.knowledge.refusedNames.size === 0) haltInconclusive('no invalid body was rejected', 'create.name-required');
  const lists = await largeLists(s);
  const lost = (await anyLost(s, known, lists)) ? await lostByRefusal(s) : undefined;
  return [...(lost === undefined ? [] : [lost]), ...refusedIn(s, lists), ...(await between(s, before.pet.id, after.pet.id))];
}

/** No response may show an animal with a name that was sent in a single creation, which was rejected. */
function judgeSeen(exchange: Exchange, { refusedNames, created }: RunState): InvariantJudgement {
  const { outcome, request } = exchange;
  if (outcome.kind === 'failed' || request.intent.operation === 'createPet' || refusedNames.size === 0) return 'not-applicable';
  const { status, json } = outcome.answer;
  if (status !== 200 || !json.ok) return 'not-applicable';
  for (const pet of Array.isArray(json.value) ? petViews(json.value) : [petView(json.value)]) {
    const refusal = pet?.name === undefined ? undefined : refusedNames.get(pet.name);
    if (pet === undefined || refusal === undefined || created.has(String(pet.id))) continue;
    return {
      summary: `${describeRequest(exchange)} shows animal ${pet.id}, ${showName(pet.name)}, although its creation (${describeBody(refusal)}) was rejected with ${statusOf(refusal)}`,
      expected: ['no animal from a rejected creation'],
      received: `animal ${pet.id}, ${showName(pet.name)}`,
    };
  }
  return 'holds';
}

function idOf(exchange: Exchange): readonly string[] {
  const { outcome } = exchange;
  const value =
    outcome.kind === 'answered' && outcome.answer.status < 300 && outcome.answer.json.ok ? outcome.answer.json.value : undefined;
  return isJsonObject(value) ? [String(value['id'])] : [];
}

async function judgeNameless(s: Session): Promise<readonly Finding[]> {
  const before = await largeLists(s);
  const answers = await s.all(NAMELESS, async ({ body }, index) => {
    const clause = index < FIRST ? 'create.name-required' : 'create.name-type';
    return sendInvalid(s, { clause, body: body(await s.fixtures.plain()) });
  });
  const [refusal] = answers.filter((exchange) => isRejected(exchange));
  if (refusal === undefined) haltInconclusive('no body without a name was rejected', 'create.name-required');
  // create.name-required and create.name-type judge those that were accepted.
  const accepted = new Set(answers.flatMap((exchange) => idOf(exchange)));
  return nameless(before, await largeLists(s), { s, refusal, accepted });
}

async function lookBack(s: Session): Promise<Outcome> {
  const names = s.knowledge.refusedNames;
  if (names.size === 0) return inconclusive('no creation with a name was rejected', 'create.name-type');
  const judged = await judgeRow(async () => {
    const lists = await lastLists(s);
    const lost = (await anyLost(s, [...s.knowledge.created.values()], lists)) ? await lostByRefusal(s) : undefined;
    return [...refusedIn(s, lists), lost];
  });
  const outcome = combineRows([judged], '');
  return outcome.kind === 'pass' ? pass(`the lists show none of ${names.size} rejected names`) : outcome;
}

export const createRefusedStoresNothing = defineClause({
  id: 'create.refused-stores-nothing',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'implied',
  derivation:
    'The document lists 400 as a failure of createPet, as opposed to the success "body is the created Pet". A creation that failed has created nothing and changed nothing.',
  requirement: 'A rejected creation stores no animal, whatever the reason (even one that the document leaves open), and removes none.',
  likelyCause:
    'Validation runs after the insert, the transaction is not rolled back, or the rollback undoes more than the rejected creation.',
  checks: [
    {
      id: 'named',
      title: 'Rejected bodies with a name leave no animal with that name',
      step: 'write',
      given: ['readBack', 'create.name-required'],
      effect: 'write',
      fault: 'refused-status-stored',
      run: async (s) => {
        await requireCreation(s);
        await afterFirstLists(s);
        return combineRows(
          [await judgeRow(() => judgeNamed(s))],
          `${s.knowledge.refusedNames.size} rejected creations; none of their names is listed or found, and the animals before them still exist`,
        );
      },
    },
    {
      id: 'nameless',
      title: 'Rejected bodies without a name leave no nameless animal',
      step: 'write',
      given: ['list', 'create.name-required', 'create.success'],
      effect: 'write',
      fault: 'refused-name-stored',
      run: async (s) => {
        await requireCreation(s);
        await afterFirstLists(s);
        return combineRows(
          [await judgeRow(() => judgeNameless(s))],
          `${NAMELESS.length} rejected creations without a name; no nameless animal appeared`,
        );
      },
    },
    {
      id: 'at-the-end',
      title: 'At the end of the run, the lists show no name of a rejected creation',
      step: 'final',
      given: ['readBack', 'create.name-type'],
      effect: 'write',
      fault: 'refused-creation-stored',
      run: async (s) => {
        await requireCreation(s);
        return lookBack(s);
      },
    },
  ],
  invariants: [
    {
      id: 'every-response',
      title: 'No list and no read shows an animal from a rejected creation',
      fault: 'refused-unknown-member-stored',
      judge: judgeSeen,
    },
  ],
});
