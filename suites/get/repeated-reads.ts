import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { allMade } from '../judging/creations/made.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { unlessStoreIsVolatile } from '../judging/lists/concurrent-changes.ts';
import { judgeUnlisted } from '../list/read-removes-from-list.ts';
import { judgeSeries, type Read } from './read-series.ts';
import { readExisting } from './reading.ts';

const TIMES = 3;
const ANIMALS = 3;
const PAIR = 2;
const CREATED = 2;

/** An animal as it was known before it was read. */
type Known = Pick<PetView, 'id' | 'status'>;

/** Another client's animal whose status is no longer what lists showed. One is an order; every one of several is an effect of reading. */
type Moved = { readonly known: Known; readonly read: Read };

type Gathered = { readonly vanished: Finding[]; readonly moved: Moved[] };

function lostBefore(exchange: Exchange): Finding {
  return finding([exchange], {
    summary: `${describeRequest(exchange)} returned 404 for an animal that lists showed until it was read`,
    expected: ['200 with the animal'],
  });
}

async function judgeOne(
  s: Session,
  known: Known,
  again: { ask: (id: bigint) => Promise<readonly Exchange[]>; gathered: Gathered },
): Promise<readonly Finding[]> {
  const { vanished, moved } = again.gathered;
  const first = await readExisting(s, known.id);
  if (first.kind === 'wrong') haltInconclusive(first.finding.summary, 'get.success');
  if (first.kind === 'gone') {
    vanished.push(lostBefore(first.exchange));
    return [];
  }
  const exchanges = await again.ask(known.id);
  const series = await judgeSeries(s, first, exchanges);
  if (series.vanished !== undefined) vanished.push(series.vanished);
  const last = exchanges.filter((exchange) => statusOf(exchange) === 200).at(-1);
  const read = last === undefined ? first : { exchange: last, pet: petOf(last) };
  const own = read.pet.id === known.id && s.knowledge.created.has(String(known.id));
  if (
    series.findings.length === 0 &&
    !own &&
    read.pet.id === known.id &&
    read.pet.status !== known.status &&
    !read.pet.gaps.includes('status')
  )
    moved.push({ known, read });
  return series.findings;
}

/** Findings for a status that several animals had, and that all of them lost when they were read. */
function movedTogether(all: readonly Known[], moved: readonly Moved[]): readonly Finding[] {
  return PET_STATUSES.flatMap((status) => {
    const left = moved.filter(({ known }) => known.status === status);
    const [first, ...more] = left.map(({ read }) => read.exchange);
    if (first === undefined || more.length === 0 || left.length < all.filter((known) => known.status === status).length) return [];
    const summary = `${left.length} of ${left.length} animals that lists showed as ${status} have a different status after being read`;
    return [finding([first, ...more], { summary, expected: [`status ${status}`], pointer: '/status' })];
  });
}

/** Judges the series of several animals. Two animals do not disappear by chance just when they are read. */
async function judgeAll(s: Session, animals: readonly Known[], ask: (id: bigint) => Promise<readonly Exchange[]>): Promise<Outcome> {
  const gathered: Gathered = { vanished: [], moved: [] };
  const rows = await s.all(animals, (known) => judgeRow(() => judgeOne(s, known, { ask, gathered })));
  const { vanished, moved } = gathered;
  const together = [...(vanished.length > 1 ? vanished : []), ...movedTogether(animals, moved)];
  if (together.length === 0 && animals.length > 0 && vanished.length === animals.length)
    haltInconclusive('the animals disappeared before they were read', 'circumstance');
  return combineRows([...rows, { findings: together, halted: undefined }], `${animals.length} animals read repeatedly without a change`);
}

async function readInTurn(s: Session, animals: readonly Known[]): Promise<Outcome> {
  return judgeAll(s, animals, async (id) => {
    const exchanges: Exchange[] = [];
    for (let time = 1; time < TIMES; time += 1) exchanges.push(await s.api.get(id));
    return exchanges;
  });
}

/** What the first list of the run showed. */
type Listed = { readonly pets: readonly PetView[] };

/** Two animals of each status as the first list of the run showed them, before any read by id. */
function pairs(pets: readonly PetView[]): readonly (readonly Known[])[] {
  return [undefined, ...PET_STATUSES]
    .map((status) => pets.filter((pet) => pet.status === status).slice(0, PAIR))
    .filter((pair) => pair.length > 0);
}

/** Judges reads of listed animals, one after the other. */
export async function judgeSequentialReads(s: Session, { pets }: Listed): Promise<Outcome> {
  const rows = s.portion<readonly Known[] | 'unlisted'>([...pairs(pets), 'unlisted']);
  const animals = rows.flatMap((row) => (row === 'unlisted' ? [] : row));
  const outcome = await unlessStoreIsVolatile(s, await readInTurn(s, animals), ['newcomers', 'restatused']);
  if (!rows.includes('unlisted')) return outcome;
  const unlisted = await judgeRow(() => judgeUnlisted(s));
  return outcome.kind === 'pass' && unlisted.findings.length > 0 ? combineRows([unlisted], '') : outcome;
}

/** Judges reads of listed animals, all under way at the same time. */
export async function judgeConcurrentReads(s: Session, { pets }: Listed): Promise<Outcome> {
  const animals = pairs(pets).flat().slice(0, ANIMALS);
  const outcome = await judgeAll(s, animals, (id) => s.all(Array.from({ length: TIMES }), () => s.api.get(id)));
  return unlessStoreIsVolatile(s, outcome, ['newcomers', 'restatused']);
}

/** Judges reads of created animals, one after the other. */
export async function judgeReadsOfCreated(s: Session): Promise<Outcome> {
  const animals = allMade(await s.fixtures.firstCreations()).slice(0, CREATED);
  return readInTurn(
    s,
    animals.map(({ pet }) => pet),
  );
}
