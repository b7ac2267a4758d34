import { inconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { KnownAnimal } from '../../src/session/state/run-state.ts';
import type { PetStatus } from '../../src/wire/exchange.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { unlessStoreIsVolatile } from '../judging/lists/concurrent-changes.ts';
import { judgeEvicted } from './evicted-animals.ts';
import { judgeStillAsCreated, type Missed } from './still-as-created.ts';

const MOST = 48;
const FRESH = 2;
const LEAST_MISSED = 3;

const NEVER_RIGHT: JudgedRow = {
  findings: [],
  halted: inconclusive('even newly created animals are not read back as they were created', 'create.round-trip'),
};

/** The first, the last and animals spread between them. */
function spread(animals: readonly KnownAnimal[]): readonly KnownAnimal[] {
  if (animals.length <= MOST) return animals;
  const places = new Set(Array.from({ length: MOST }, (_unused, index) => Math.round((index * (animals.length - 1)) / (MOST - 1))));
  return animals.filter((_unused, index) => places.has(index));
}

/** What animals that were just created show: whether they differ from their 201 already; why none can be created, where that is so. */
async function judgeFresh(s: Session, status: PetStatus | undefined): Promise<JudgedRow> {
  let last: JudgedRow = { findings: [], halted: undefined };
  for (let turn = 0; turn < FRESH; turn += 1) {
    last = await judgeRow(async () => judgeStillAsCreated(s, await s.fixtures.create(status)));
    if (last.findings.length === 0) return last;
  }
  return last;
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

async function judgeCreated(s: Session): Promise<Outcome> {
  const animals = [...s.knowledge.created.values()];
  if (animals.length === 0) return inconclusive('this run created no animal', 'create.success');
  const read = spread(animals);
  const missed: Missed[] = [];
  const rows = await s.all(read, async (animal) => ({ animal, judged: await judgeRow(() => judgeStillAsCreated(s, animal, missed)) }));
  const isWrong = ({ judged }: (typeof rows)[number]): boolean => judged.findings.length > 0;
  const isRight = ({ judged }: (typeof rows)[number]): boolean => judged.findings.length === 0 && judged.halted === undefined;
  /** Statuses whose animals time did not change, or not for all that can be said, each with what stands in its place. */
  const excused = new Map<PetStatus | undefined, JudgedRow>();
  for (const status of new Set(rows.filter(isWrong).map(({ animal }) => animal.sent.status))) {
    const fresh = await judgeFresh(s, status);
    if (fresh.findings.length > 0) excused.set(status, NEVER_RIGHT);
    // With a spent budget the suspicion stays, where other animals with the status are as they were created.
    else if (fresh.halted !== undefined && !rows.some((row) => row.animal.sent.status === status && isRight(row)))
      excused.set(status, fresh);
  }
  return combineRows(
    [
      ...rows.map((row) => (isWrong(row) ? (excused.get(row.animal.sent.status) ?? row.judged) : row.judged)),
      { findings: flickering(missed), halted: undefined },
    ],
    `${read.length} of ${animals.length} created animals still exist, unchanged`,
  );
}

/** Judges at the end of the run whether created animals still exist, unchanged, and whether animals that existed before were evicted. */
export async function judgeAtTheEnd(s: Session): Promise<Outcome> {
  const outcome = await judgeCreated(s);
  const others = await judgeRow(() => judgeEvicted(s));
  if (outcome.kind !== 'pass' || others.findings.length === 0) return outcome;
  return unlessStoreIsVolatile(s, combineRows([others], ''), ['newcomers', 'departures']);
}
