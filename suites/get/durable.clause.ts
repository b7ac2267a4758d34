import { haltInconclusive, inconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Field } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type KnownAnimal, knownStatus } from '../../src/session/state/run-state.ts';
import type { Exchange, PetStatus } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { afterFirstLists } from '../judging/creations/creations.ts';
import { post } from '../judging/creations/read-back.ts';
import { conclude, judgeRows, settle } from '../judging/judge-rows.ts';
import { unlessInTurmoil } from '../judging/lists/concurrent-changes.ts';
import { lastLists } from '../judging/lists/large-lists.ts';
import { idsIn } from '../judging/lists/list-contents.ts';
import { judgeable } from '../judging/ownership.ts';
import { failsListed } from './existing.ts';
import { judgeInterrupted } from './interrupted.ts';
import { differing, readExisting, shownField } from './reading.ts';

const MOST = 48;
const FRESH = 2;
const LEAST_MISSED = 3;

/** The first, the last and animals spread between them. */
function spread(animals: readonly KnownAnimal[]): readonly KnownAnimal[] {
  if (animals.length <= MOST) return animals;
  const places = new Set(Array.from({ length: MOST }, (_unused, index) => Math.round((index * (animals.length - 1)) / (MOST - 1))));
  return animals.filter((_unused, index) => places.has(index));
}

function changed(animal: KnownAnimal, read: Exchange, field: Field): Finding {
  const received = petOf(read);
  const before = shownField({ ...animal.answered, status: knownStatus(animal) }, field);
  return finding([animal.exchange, read], {
    summary: `${describeRequest(read)} now shows ${shownField(received, field)}, but the animal was created with ${before}`,
    expected: [before],
    received: shownField(received, field),
    pointer: `/${field}`,
  });
}

/** A 404 and the 200 that followed it. */
type Missed = readonly [Exchange, Exchange];

/** Whether the animal still is as its 201 showed it. create.answer judges the 201 itself. */
async function stillThere(s: Session, animal: KnownAnimal, missed: Missed[] = []): Promise<readonly Finding[] | Finding> {
  const reading = await readExisting(s, animal.id);
  if (reading.kind === 'gone') haltInconclusive(`animal ${animal.id} was removed in the meantime`, 'circumstance');
  if (reading.kind === 'wrong') {
    const { exchanges, summary } = reading.finding;
    // It is there, and getPet does not find others either.
    if ((await failsListed(s)) && (await lastLists(s)).some((list) => idsIn(list).has(String(animal.id))))
      haltInconclusive(summary, 'get.success');
    return {
      ...reading.finding,
      summary: `a created animal can no longer be found: ${reading.finding.summary}`,
      exchanges: [animal.exchange, ...exchanges],
    };
  }
  const { pet, missed: before } = reading;
  if (before !== undefined && before.timings.startedAt - animal.createdAt > s.options.consistencyWindow)
    missed.push([before, reading.exchange]);
  // get.identity judges a different animal.
  if (pet.id !== animal.id) return [];
  const known = { ...animal.answered, status: knownStatus(animal) };
  const fields = differing(known, pet).filter((field) => field !== 'status' || known.status !== undefined);
  return fields.map((field) => changed(animal, reading.exchange, field));
}

/** Whether animals that were just created already differ from their 201: then time did not change the others. */
async function freshIsWrong(s: Session, status: PetStatus | undefined): Promise<boolean> {
  for (let turn = 0; turn < FRESH; turn += 1) {
    // With a spent budget no animal can be created, and the suspicion stays.
    const { findings } = await settle(async () => stillThere(s, await s.fixtures.create(status)));
    if (findings.length === 0) return false;
  }
  return true;
}

/** Animals older than the consistency window whose first read returns 404. One or two may be a network accident. */
function flickering(missed: readonly Missed[]): readonly Finding[] {
  const [first, ...others] = missed;
  if (first === undefined || missed.length < LEAST_MISSED) return [];
  return [
    finding([...first, ...others.slice(0, 2).flat()], {
      summary: `${missed.length} reads of animals created well before returned 404 at first and 200 when repeated`,
      expected: ['200 with the animal each time'],
      received: '404, then 200',
    }),
  ];
}

async function atTheEnd(s: Session): Promise<Outcome> {
  const animals = [...s.knowledge.created.values()];
  if (animals.length === 0) return inconclusive('this run created no animal', 'create.success');
  const read = spread(animals);
  const missed: Missed[] = [];
  const rows = await s.all(read, async (animal) => ({ animal, settled: await settle(() => stillThere(s, animal, missed)) }));
  const suspects = new Set(rows.filter(({ settled }) => settled.findings.length > 0).map(({ animal }) => animal.sent.status));
  const never = new Set<PetStatus | undefined>();
  for (const status of suspects) if (await freshIsWrong(s, status)) never.add(status);
  const blocked = {
    findings: [],
    halted: inconclusive('even newly created animals are not read back as they were created', 'create.round-trip'),
  };
  return conclude(
    [
      ...rows.map(({ animal, settled }) => (never.has(animal.sent.status) && settled.findings.length > 0 ? blocked : settled)),
      { findings: flickering(missed), halted: undefined },
    ],
    `${read.length} of ${animals.length} created animals still exist, unchanged`,
  );
}

/**
 * Creates an animal and then one with the same name and a different status. Whether a service allows the second is open; that the first
 * animal stays unchanged is not.
 */
async function sameName(s: Session): Promise<Outcome> {
  await afterFirstLists(s);
  const first = await s.fixtures.create('sold');
  const before = await settle(() => stillThere(s, first));
  if (before.findings.length > 0) return inconclusive('the first animal is not read back as it was created', 'create.round-trip');
  const second = judgeable(await post(s, { value: { ...first.sent, status: 'available' } }, { domain: 'open' }));
  return judgeRows(s, {
    rows: [first],
    judge: (animal) => stillThere(s, animal),
    evidence: `an animal is unchanged after creating another one with its name returned ${statusOf(second)}`,
  });
}

const STRANGERS = 8;
const LEAST_GONE = 5;

/**
 * Animals that the first list showed and that are all gone at the end of the run. Other areas of the service may be able to remove
 * some; that none of several is left after the run added its own is not an accident.
 */
async function evicted(s: Session): Promise<Finding | undefined> {
  const pets = await s.fixtures.recognized();
  const others = pets.filter(({ id }) => !s.knowledge.created.has(String(id)));
  const step = Math.max(1, Math.floor(others.length / STRANGERS));
  const watched = others.filter((_unused, index) => index % step === 0).slice(0, STRANGERS);
  const gone: Exchange[] = [];
  for (const { id } of watched) {
    const reading = await readExisting(s, id);
    if (reading.kind !== 'gone') return undefined;
    gone.push(reading.exchange);
  }
  const [first, ...rest] = gone;
  if (first === undefined || gone.length < LEAST_GONE) return undefined;
  return finding([first, ...rest], {
    summary: `${gone.length} animals in the first list of the run are all gone after ${s.knowledge.created.size} creations`,
    expected: ['creations leave other animals in the store'],
    received: `404 for each of the ${gone.length}`,
  });
}

export const getDurable = defineClause({
  id: 'get.durable',
  chapter: 'get-pet',
  section: 'Endpoints: 2. Add an animal; 3. Get an animal (deprecated)',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    '`404` with an Error body when the animal does not exist.',
    'Transitions: not shown.',
  ],
  level: 'implied',
  derivation:
    'A 201 says that the animal was created with an id, getPet returns 404 only when an animal does not exist, and the interface has no operation that removes or changes one. So every animal that the suite created still exists, unchanged, at the end of the run.',
  requirement:
    'At the end of the run, every created animal still exists with its name, category, and status, and creations have not evicted other animals.',
  likelyCause:
    'The store is a cache or the memory of one worker, a transaction was rolled back after its response, or a later creation overwrites an earlier record.',
  checks: [
    {
      id: 'same-name',
      title: 'Creating another animal with the same name leaves an animal unchanged',
      step: 'write',
      given: ['animal', 'read', 'create.round-trip'],
      effect: 'write',
      fault: 'duplicate-name-updates',
      run: sameName,
    },
    {
      id: 'at-the-end',
      title: 'Created animals still exist, unchanged, at the end of the run',
      step: 'final',
      given: ['animal', 'read', 'create.round-trip'],
      exhaustive: true,
      effect: 'write',
      fault: 'store-keeps-50-created',
      run: async (s) => {
        const outcome = await atTheEnd(s);
        const others = await settle(() => evicted(s));
        if (outcome.kind !== 'pass' || others.findings.length === 0) return outcome;
        return unlessInTurmoil(s, conclude([others], ''), ['newcomers', 'departures']);
      },
    },
  ],
  invariants: [
    {
      id: 'every-read',
      title: 'No animal that getPet has returned is missing and found again later',
      fault: 'every-thirtieth-read-misses',
      judge: judgeInterrupted,
    },
  ],
});
