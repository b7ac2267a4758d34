import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding, petOf, wrongRefusal } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../src/schema/int64.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';

const INT32 = 2n ** 32n;
const BEYOND_DOUBLE = 2n ** 53n;
const RANDOM_IDS = 4;
const NEAR = 2;

type Absent = 'absent' | 'exists' | { readonly finding: Finding };

/**
 * Judges an id that should not exist. If it happens to exist and returns its own animal, that is not a finding. Any response but a success
 * says something only where getPet returns animals that exist.
 */
async function judgeAbsent(s: Session, id: bigint, note: string): Promise<{ readonly exchange: Exchange; readonly said: Absent }> {
  const exchange = await s.api.get(id);
  const { status, json } = answerOf(judgeable(exchange));
  if (status < 200 || status > 299) await s.fixtures.existing();
  const situation = `${describeRequest(exchange)} (${note})`;
  const record = json.ok && typeof json.value === 'object' && json.value !== null && 'id' in json.value;
  if (status === 200 && record) {
    const pet = petOf(exchange);
    if (pet.id === id) return { exchange, said: 'exists' };
    const wrong = finding([exchange], {
      summary: `${situation} returned animal ${pet.id}; expected 404`,
      expected: ['404 with an Error body'],
      pointer: '/id',
    });
    return { exchange, said: { finding: wrong } };
  }
  const wrong = wrongRefusal(exchange, 404, situation);
  return { exchange, said: wrong === undefined ? 'absent' : { finding: wrong } };
}

function isKnown(s: Session, id: bigint): boolean {
  return s.knowledge.seen.has(String(id)) || s.knowledge.created.has(String(id));
}

type Row = readonly [note: string, id: bigint];

async function judgeTable(s: Session, rows: readonly Row[]): Promise<Outcome> {
  const distinct = [...new Map(rows.map(([note, id]) => [id, note]))].filter(([id]) => isInt64(id) && !isKnown(s, id));
  let absent = 0;
  const judged = await s.all(s.portion(distinct), ([id, note]) =>
    judgeRow(async () => {
      const { said } = await judgeAbsent(s, id, note);
      if (said === 'absent') absent += 1;
      return typeof said === 'object' ? said.finding : undefined;
    }),
  );
  const outcome = combineRows(judged, `${absent} ids without an animal, each of which returned 404`);
  if (outcome.kind === 'pass' && absent === 0) haltInconclusive('every id that was tried belongs to an animal', 'circumstance');
  return outcome;
}

/** Numbers between 2^60 and 2^62, which no store that counts its animals has reached, and where no other scheme is dense. */
function randomIds(seed: number): readonly bigint[] {
  const random = createRandom(seed + 3);
  return Array.from(
    { length: RANDOM_IDS },
    () => 2n ** 60n + BigInt(Math.floor(random() * 2 ** 52)) * 517n + BigInt(Math.floor(random() * 500)),
  );
}

/** No random id exists; a service with an animal for each of them makes animals up. */
async function randomAbsent(s: Session): Promise<Outcome> {
  const ids = randomIds(s.options.seed);
  const made: Exchange[] = [];
  const judged = await s.all(ids, (id) =>
    judgeRow(async () => {
      const { exchange, said } = await judgeAbsent(s, id, 'a random id');
      if (said === 'exists') made.push(exchange);
      return typeof said === 'object' ? said.finding : undefined;
    }),
  );
  const [first, second, ...more] = made;
  if (first !== undefined && second !== undefined) {
    const summary = `${made.length} of ${ids.length} random ids returned an animal: the service makes up an animal for any id`;
    judged.push({ findings: [finding([first, second, ...more], { summary, expected: ['404 with an Error body'] })], halted: undefined });
  }
  return combineRows(judged, `${ids.length - made.length} random ids, each of which returned 404`);
}

function edges(known: bigint): readonly Row[] {
  return [
    ['zero', 0n],
    ['a negative id', -1n],
    ['a known id, negated', -known],
    ['the largest int32', 2n ** 31n - 1n],
    ['one more than the largest int32', 2n ** 31n],
    ['the smallest int32', -(2n ** 31n)],
    ['one less than the smallest int32', -(2n ** 31n) - 1n],
    ['the largest uint32', INT32 - 1n],
    ['2^32', INT32],
    ['a known id plus 2^32', known + INT32],
    ['a known id plus 2^16', known + 65_536n],
    ['a known id plus 2^53', known + BEYOND_DOUBLE],
    ['2^53 + 1', BEYOND_DOUBLE + 1n],
    ['-2^53 - 1', -BEYOND_DOUBLE - 1n],
    ['the largest int64', INT64_MAX],
    ['one less than the largest int64', INT64_MAX - 1n],
    ['the smallest int64', INT64_MIN],
  ];
}

async function atEdges(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  return judgeTable(s, edges(pets[0]?.id ?? 0n));
}

/** Near misses of a known id, which prefixes, patterns, and doubles confuse with it. */
async function nearMisses(s: Session): Promise<Outcome> {
  const pets = await s.fixtures.sample(NEAR);
  const rows = pets.flatMap(({ id }): Row[] => {
    const cut = String(id).slice(0, -1);
    return [
      ['a known id with an extra digit', BigInt(`${id}7`)],
      ['a known id with an extra zero', BigInt(`${id}0`)],
      ['a known id plus 1', id + 1n],
      ['a known id minus 1', id - 1n],
      ...(/\d/.test(cut) ? [['a known id without its last digit', BigInt(cut)] as const] : []),
    ];
  });
  return judgeTable(s, rows);
}

export const getNotFound = defineClause({
  id: 'get.not-found',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: [
    'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    '`404` with an Error body when the animal does not exist.',
  ],
  level: 'required',
  requirement:
    'getPet returns 404 with an Error body for every int64 id that no animal has, including ids beyond 32 and 53 bits and at the edges of int64.',
  likelyCause:
    'An empty result is returned as a success, the route accepts only positive or 32-bit numbers, or the id is truncated, wrapped, or rounded on its way to the store.',
  checks: [
    {
      id: 'absent',
      title: 'Returns 404 for an id that no animal has',
      step: 'read',
      given: ['pets', 'read'],
      smoke: true,
      fault: 'missing-animal-null',
      run: async (s) => {
        return judgeTable(s, [['an id that no animal has', await s.fixtures.absentId()]]);
      },
    },
    {
      id: 'random',
      title: 'Returns 404 for random ids beyond 2^60',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'missing-animal-made-up',
      run: randomAbsent,
    },
    {
      id: 'edges',
      title: 'Returns 404 for zero, negative ids, and the edges of int32, doubles, and int64',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'largest-id-bad-request',
      run: atEdges,
    },
    {
      id: 'near-misses',
      title: 'Returns 404 for ids adjacent to an existing id, or one digit longer or shorter',
      step: 'read',
      given: ['pets', 'read'],
      fault: 'missing-animal-nearest',
      run: nearMisses,
    },
  ],
});
