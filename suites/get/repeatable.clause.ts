import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import { agreeOn, type Field, type PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { allMade, oneOfEachStatus } from '../judging/creations/creations.ts';
import { conclude, settle } from '../judging/judge-rows.ts';
import { unlessInTurmoil } from '../judging/lists/concurrent-changes.ts';
import { judgeable } from '../judging/ownership.ts';
import { judgeUnlisted } from '../list/read-removes-from-list.ts';
import { differing, isListed, readExisting, shownField } from './reading.ts';

const TIMES = 3;
const ANIMALS = 3;
const PAIR = 2;
const CREATED = 2;
const PERSISTENCE = 12;

type Read = { readonly exchange: Exchange; readonly pet: PetView };
/** The result of reading one animal several times. `vanished`: it was there once and then permanently gone. */
type Series = { readonly findings: readonly Finding[]; readonly vanished: Finding | undefined };

function changed(first: Read, later: Read, field: Field): Finding {
  const before = shownField(first.pet, field);
  const after = shownField(later.pet, field);
  return finding([first.exchange, later.exchange], {
    summary: `${describeRequest(later.exchange)} returned ${before} and then ${after}`,
    expected: [before],
    received: after,
    pointer: `/${field}`,
  });
}

/**
 * What changed between the first and a later read. A store order may change the status of another client's animal: that is a
 * finding only if the status changes back.
 */
function changes(s: Session, reads: readonly Read[]): readonly Finding[] {
  const [first, ...later] = reads;
  if (first === undefined) return [];
  const ours = s.knowledge.created.has(String(first.pet.id));
  for (const [index, read] of later.entries()) {
    const fields = differing(first.pet, read.pet).filter((field) => {
      if (ours || field !== 'status') return true;
      return later.slice(index + 1).some(({ pet }) => agreeOn('status', pet, first.pet));
    });
    if (fields.length > 0) return fields.map((field) => changed(first, read, field));
  }
  return [];
}

/**
 * A 404 after a 200. A store that lags may show a new animal intermittently, so the consistency window passes first; only an animal that
 * is still missing at times, or for good, counts as lost.
 */
async function judgeFlapping(s: Session, first: Read, missing: Exchange): Promise<Series> {
  const ask = () => s.api.get(first.pet.id);
  const last = await s.poll(ask, () => false);
  const afterwards = statusOf(last) === 404 ? [last] : await s.all(Array.from({ length: PERSISTENCE }), ask);
  const again = afterwards.find((exchange) => statusOf(exchange) === 404);
  if (again === undefined) return { findings: [], vanished: undefined };
  const summary = `${describeRequest(again)} returned 200 and later 404`;
  const lost = finding([first.exchange, missing, again], { summary, expected: ['200 with the animal'] });
  const surely = s.knowledge.created.has(String(first.pet.id)) || statusOf(last) === 200 || (await isListed(s, first.pet.id));
  return surely ? { findings: [lost], vanished: undefined } : { findings: [], vanished: lost };
}

async function judgeSeries(s: Session, first: Read, exchanges: readonly Exchange[]): Promise<Series> {
  const missing = exchanges.find((exchange) => answerOf(judgeable(exchange)).status === 404);
  if (missing !== undefined) return judgeFlapping(s, first, missing);
  const reads = exchanges.map((exchange) => ({ exchange, pet: petOf(exchange) }));
  // get.identity judges a different animal.
  const own = reads.filter(({ pet }) => pet.id === first.pet.id);
  return { findings: changes(s, [first, ...own]), vanished: undefined };
}

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
  const rows = await s.all(animals, (known) => settle(() => judgeOne(s, known, { ask, gathered })));
  const { vanished, moved } = gathered;
  const together = [...(vanished.length > 1 ? vanished : []), ...movedTogether(animals, moved)];
  if (together.length === 0 && vanished.length === animals.length)
    haltInconclusive('the animals disappeared before they were read', 'circumstance');
  return conclude([...rows, { findings: together, halted: undefined }], `${animals.length} animals read repeatedly without a change`);
}

async function oneAfterTheOther(s: Session, animals: readonly Known[]): Promise<Outcome> {
  return judgeAll(s, animals, async (id) => {
    const exchanges: Exchange[] = [];
    for (let time = 1; time < TIMES; time += 1) exchanges.push(await s.api.get(id));
    return exchanges;
  });
}

/** Two animals of each status as the first list of the run showed them, before any read by id. */
function pairs(pets: readonly PetView[]): readonly Known[] {
  return [undefined, ...PET_STATUSES].flatMap((status) => pets.filter((pet) => pet.status === status).slice(0, PAIR));
}

export const getRepeatable = defineClause({
  id: 'get.repeatable',
  chapter: 'get-pet',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['Success: `200`, body is a Pet.', 'Transitions: not shown.'],
  level: 'implied',
  derivation:
    'getPet is a GET that returns the record with an id. GET is safe (RFC 9110, section 9.2.1), and the document shows no transition caused by reading. So two reads with nothing in between show the same record.',
  requirement: 'Repeated reads of an animal show the same name, category, and status, and change nothing.',
  likelyCause: 'Reading has a side effect, or replicas and caches hold different versions of the animal.',
  checks: [
    {
      id: 'sequentially',
      title: 'Three reads of a listed animal return the same record',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'read-alternates',
      run: async (s, { pets }) => {
        const outcome = await unlessInTurmoil(s, await oneAfterTheOther(s, pairs(pets)), ['newcomers', 'restatused']);
        const unlisted = await settle(() => judgeUnlisted(s));
        return outcome.kind === 'pass' && unlisted.findings.length > 0 ? conclude([unlisted], '') : outcome;
      },
    },
    {
      id: 'concurrently',
      title: 'Concurrent reads of a listed animal return the same record',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'read-counts-views',
      run: async (s, { pets }) => {
        const animals = pairs(pets).slice(0, ANIMALS);
        const outcome = await judgeAll(s, animals, (id) => s.all(Array.from({ length: TIMES }), () => s.api.get(id)));
        return unlessInTurmoil(s, outcome, ['newcomers', 'restatused']);
      },
    },
    {
      id: 'created',
      title: 'Three reads of a created animal return the same record',
      step: 'write',
      given: ['animal', 'read'],
      effect: 'write',
      fault: 'read-once-only',
      run: async (s) =>
        oneAfterTheOther(
          s,
          allMade(await oneOfEachStatus(s))
            .slice(0, CREATED)
            .map(({ pet }) => pet),
        ),
    },
  ],
});
