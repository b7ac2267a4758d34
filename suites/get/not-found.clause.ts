import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding, petOf, wrongRefusal } from '../../src/expect/expect.ts';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../src/schema/int64.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { judgeable } from '../judging/ownership.ts';

const INT32 = 2n ** 32n;
const BEYOND_DOUBLE = 2n ** 53n;
const RANDOM_IDS = 4;
const NEAR = 2;

type Absent = 'absent' | 'exists' | { readonly finding: Finding };

/** What is said of an id that should not exist. One that happens to exist is no finding: it is answered with its own animal. */
async function judgeAbsent(s: Session, id: bigint, note: string): Promise<{ readonly exchange: Exchange; readonly said: Absent }> {
  const exchange = await s.api.get(id);
  const { status, json } = answerOf(judgeable(exchange));
  const situation = `${describeRequest(exchange)}, ${note},`;
  const record = json.ok && typeof json.value === 'object' && json.value !== null && 'id' in json.value;
  if (status === 200 && record) {
    const pet = petOf(exchange);
    if (pet.id === id) return { exchange, said: 'exists' };
    const wrong = finding([exchange], {
      summary: `${situation} is answered with animal ${pet.id}`,
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
  const settled = await s.all(distinct, ([id, note]) =>
    settle(async () => {
      const { said } = await judgeAbsent(s, id, note);
      if (said === 'absent') absent += 1;
      return typeof said === 'object' ? said.finding : undefined;
    }),
  );
  const outcome = conclude(settled, `${absent} ids without an animal, each answered 404`);
  if (outcome.kind === 'pass' && absent === 0) haltInconclusive('every id that was tried has an animal', 'circumstance');
  return outcome;
}

/** Numbers between 2^60 and 2^62, where no store that counts its animals has come to, and no other scheme is dense. */
function randomIds(seed: number): readonly bigint[] {
  const random = createRandom(seed + 3);
  return Array.from(
    { length: RANDOM_IDS },
    () => 2n ** 60n + BigInt(Math.floor(random() * 2 ** 52)) * 517n + BigInt(Math.floor(random() * 500)),
  );
}

/** Of random ids none exists; a service that has an animal for each of them makes animals up. */
async function randomAbsent(s: Session): Promise<Outcome> {
  await s.fixtures.existing();
  const ids = randomIds(s.options.seed);
  const made: Exchange[] = [];
  const settled = await s.all(ids, (id) =>
    settle(async () => {
      const { exchange, said } = await judgeAbsent(s, id, 'a random id');
      if (said === 'exists') made.push(exchange);
      return typeof said === 'object' ? said.finding : undefined;
    }),
  );
  const [first, second, ...more] = made;
  if (first !== undefined && second !== undefined) {
    const summary = `${made.length} of ${ids.length} random ids are answered with an animal each: animals are made up for the id asked for`;
    settled.push({ findings: [finding([first, second, ...more], { summary, expected: ['404 with an Error body'] })], halted: undefined });
  }
  return conclude(settled, `${ids.length - made.length} random ids, each answered 404`);
}

function edges(known: bigint): readonly Row[] {
  return [
    ['zero', 0n],
    ['a negative id', -1n],
    ['a known id with a minus', -known],
    ['the largest int32', 2n ** 31n - 1n],
    ['one more than the largest int32', 2n ** 31n],
    ['the smallest int32', -(2n ** 31n)],
    ['one less than the smallest int32', -(2n ** 31n) - 1n],
    ['the largest uint32', INT32 - 1n],
    ['two to the 32nd power', INT32],
    ['a known id plus two to the 32nd power', known + INT32],
    ['a known id plus two to the 16th power', known + 65_536n],
    ['a known id plus two to the 53rd power', known + BEYOND_DOUBLE],
    ['two to the 53rd power and one', BEYOND_DOUBLE + 1n],
    ['a negative id beyond two to the 53rd power', -BEYOND_DOUBLE - 1n],
    ['the largest int64', INT64_MAX],
    ['one less than the largest int64', INT64_MAX - 1n],
    ['the smallest int64', INT64_MIN],
  ];
}

async function atEdges(s: Session): Promise<Outcome> {
  const { id } = await s.fixtures.existing();
  return judgeTable(s, edges(id));
}

/** Ids whose digits nearly are those of a known one, and the numbers beside it: what prefixes, patterns and doubles confuse. */
async function nearMisses(s: Session): Promise<Outcome> {
  await s.fixtures.existing();
  const pets = await s.fixtures.sample(NEAR);
  const rows = pets.flatMap(({ id }): Row[] => {
    const cut = String(id).slice(0, -1);
    return [
      ['a known id with a digit more', BigInt(`${id}7`)],
      ['a known id with a zero more', BigInt(`${id}0`)],
      ['the number behind a known id', id + 1n],
      ['the number before a known id', id - 1n],
      ...(/\d/.test(cut) ? [['a known id without its last digit', BigInt(cut)] as const] : []),
    ];
  });
  return judgeTable(s, rows);
}

export const getNotFound = defineClause({
  id: 'get.not-found',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'required',
  requirement: 'An int64 id that no animal has is answered 404 with an Error body, also beyond 32 and 53 bits and at the edges of int64.',
  likelyCause:
    'An empty result is answered as a success, the route accepts positive or 32-bit numbers only, or the id is cut, wrapped or rounded on its way to the store.',
  checks: [
    {
      id: 'absent',
      title: 'An id that no animal has is answered 404',
      step: 'read',
      smoke: true,
      fault: 'missing-animal-null',
      run: async (s) => {
        await s.fixtures.existing();
        return judgeTable(s, [['an id that no animal has', await s.fixtures.absentId()]]);
      },
    },
    {
      id: 'random',
      title: 'Random ids beyond two to the 60th power are answered 404',
      step: 'read',
      fault: 'missing-animal-made-up',
      run: randomAbsent,
    },
    {
      id: 'edges',
      title: 'Zero, negative ids and the edges of int32, doubles and int64 are answered 404',
      step: 'read',
      fault: 'largest-id-bad-request',
      run: atEdges,
    },
    {
      id: 'near-misses',
      title: 'Ids beside a known one, or with a digit more or less, are answered 404',
      step: 'read',
      fault: 'missing-animal-nearest',
      run: nearMisses,
    },
  ],
});
