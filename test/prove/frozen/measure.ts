import { expectationOf, servers } from '../../../corpora/third-party/expectations.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { clauses } from '../../../suites/index.ts';
import { complaints, runAgainst } from '../../hostile/attack-run.ts';
import { attacks } from '../../hostile/index.ts';
import { judgeNonsense, NONSENSE } from '../../nonsense/servers.ts';
import { drawSets, judgeCombination } from '../combinations.ts';
import type { Pool } from '../pool.ts';
import type { Result } from '../result.ts';
import { isProven, percentile } from '../tables.ts';
import { isJudgedRightly, storingFaults } from '../used-store.ts';
import { FROZEN, type Part, type Rows, readRows } from './rows.ts';

/** What to measure with, and how much of it. */
export type Measuring = {
  readonly pool: Pool;
  /** The results of a whole proof. */
  readonly results: readonly Result[];
  /** How many sets of each size. */
  readonly sets: number;
  /** How often each fault is judged by its clause alone. */
  readonly times: number;
  /** Reports progress. */
  readonly note: (line: string) => void;
};

type Measure<Each extends Part> = (measuring: Measuring) => Promise<readonly Rows[Each][]>;

const CLAUSES = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));
const SIZES = [2, 4, 8] as const;
const SETS_SEED = 20261122;
/** Of a standard run, the first one is that of the proof. */
const RUN_SEEDS = [20261121, 1, 2] as const;
/** Variants are held against three seeds: that of the proof, and two more. */
const VARIANT_SEEDS = [1, 2] as const;

/** One after the other, so that the measurement reports its progress. */
async function each<Item, Row extends { readonly name: string }>(
  items: readonly Item[],
  { note }: Measuring,
  measure: (item: Item) => Promise<Row>,
): Promise<readonly Row[]> {
  let done = 0;
  const one = async (item: Item): Promise<Row> => {
    const row = await measure(item);
    done += 1;
    note(`${done} of ${items.length}: ${row.name}`);
    return row;
  };
  return Promise.all(items.map(one));
}

/** Attacks and nonsense are measured alone: times and memory are bounded, and they are few. */
async function oneByOne<Item, Row>(items: readonly Item[], measure: (item: Item) => Promise<Row>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const item of items) rows.push(await measure(item));
  return rows;
}

const faultsIn = ({ results }: Measuring): readonly Result[] => results.filter(({ kind, name }) => kind === 'fault' && CLAUSES.has(name));

async function measureFaults(measuring: Measuring): Promise<readonly Rows['faults'][]> {
  return faultsIn(measuring).map(({ name, red, advised, failAlone }) => {
    const clause = CLAUSES.get(name) ?? '';
    // A fault that a whole run misses and its clause alone finds counts as found.
    const alone = failAlone.some((id) => id.startsWith(`${clause}/`)) && ![...red, ...advised].includes(clause) ? [clause] : [];
    return { name, clause, red: [...red, ...alone].sort(), advised };
  });
}

const redIn = (result: Result): readonly string[] => (isProven(result) ? [] : [...result.red, `exit code ${result.exitCode}`]);

async function measureVariants({ results }: Measuring): Promise<readonly Rows['variants'][]> {
  return results.filter(({ kind }) => kind === 'variant').map((result) => ({ name: result.name, red: redIn(result) }));
}

async function measureVariantSeeds(measuring: Measuring): Promise<readonly Rows['variant-seeds'][]> {
  const seeded = variants.flatMap(({ name }) => VARIANT_SEEDS.map((seed) => ({ name, seed })));
  return each(seeded, measuring, async ({ name, seed }) => {
    const result = await measuring.pool.ask({ kind: 'judge', subject: { kind: 'variant', name }, seed });
    return { name: `${name}, seed ${seed}`, red: redIn(result) };
  });
}

async function measureLines(measuring: Measuring): Promise<readonly Rows['lines'][]> {
  const broken = faultsIn(measuring);
  const chapters = Map.groupBy(broken, ({ name }) => CLAUSES.get(name)?.split('.')[0] ?? '');
  return [['all', broken] as const, ...chapters].map(([name, ones]) => {
    const lines = ones.map((one) => one.lines);
    return { name, faults: ones.length, median: percentile(lines, 0.5), most: Math.max(0, ...lines) };
  });
}

async function measureCombinations(measuring: Measuring): Promise<readonly Rows['combinations'][]> {
  const { pool, sets } = measuring;
  // What each fault breaks alone is taken from the frozen figures, so that the same faults count.
  const known = new Map(
    (readRows(FROZEN, 'faults') ?? []).map(({ name, red, advised }) => [
      name,
      { clause: CLAUSES.get(name) ?? '', broken: [...red, ...advised] },
    ]),
  );
  const drawn = SIZES.map((size) => drawSets([...known.keys()], { size, sets, seed: SETS_SEED }).map((set) => ({ size, set })));
  const turns = Array.from({ length: sets }, (_unused, index) => drawn.flatMap((sized) => sized[index] ?? [])).flat();
  return each(turns, measuring, async ({ size, set }) => {
    const first = await judgeCombination(pool, set, known);
    // A busy machine hides faults far more often than it shows one by mistake: missed ones are judged again.
    const last = first.missed.length === 0 ? first : await judgeCombination(pool, set, known);
    const found = [...new Set([...first.found, ...last.found])].sort();
    const missed = last.missed.map(({ fault }) => fault).filter((fault) => !found.includes(fault));
    return { name: last.name, size, found, missed, consequences: last.consequences, red: last.red };
  });
}

async function measureOnly(measuring: Measuring): Promise<readonly Rows['only'][]> {
  return each(clauses, measuring, async ({ id: name }) => {
    // The number of requests depends on the speed of the machine; the maximum of three varies less.
    const runs = await Promise.all(Array.from({ length: 3 }, () => measuring.pool.ask({ kind: 'only', clause: name, faults: [] })));
    const most = (numbers: readonly number[]): number => Math.max(...numbers);
    return { name, requests: most(runs.map(({ requests }) => requests)), created: most(runs.map(({ created }) => created)) };
  });
}

async function measureOnlyFaults(measuring: Measuring): Promise<readonly Rows['only-faults'][]> {
  const { pool, times } = measuring;
  return each(faults, measuring, async ({ name, clause }) => {
    const runs = await Promise.all(Array.from({ length: times }, () => pool.ask({ kind: 'only', clause, faults: [name] })));
    return { name, clause, found: runs.filter(({ red }) => red).length, of: times };
  });
}

async function measureRuns({ pool }: Measuring): Promise<readonly Rows['runs'][]> {
  return oneByOne(RUN_SEEDS, async (seed) => {
    const { requests, created, red, parts } = await pool.ask({
      kind: 'judge',
      subject: { kind: 'combination', name: '', faults: [] },
      seed,
    });
    const undecided = Object.entries(parts).flatMap(([id, { verdict }]) => (verdict === 'inconclusive' ? [id] : []));
    return { name: `seed ${seed}`, requests, created, red, undecided };
  });
}

async function measureUsedStores(measuring: Measuring): Promise<readonly Rows['used-store'][]> {
  return each(storingFaults, measuring, async (name) => {
    const used = await measuring.pool.ask({ kind: 'use-store', fault: name });
    return { name, right: isJudgedRightly(used) };
  });
}

async function measureHostile({ note }: Measuring): Promise<readonly Rows['hostile'][]> {
  return oneByOne(attacks, async (attack) => {
    const problems = complaints(attack, await runAgainst(attack));
    note(`${attack.name}: ${problems.join('; ') || 'stood'}`);
    return { name: attack.name, stood: problems.length === 0 };
  });
}

async function measureNonsense(): Promise<readonly Rows['nonsense'][]> {
  return oneByOne(NONSENSE, async ([name, handler]) => {
    const records = await judgeNonsense(handler);
    const passed = records.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').map(({ id }) => id);
    const red = [...new Set(records.filter(({ verdict }) => verdict === 'fail').map(({ clause }): string => clause))];
    return { name, passed, red: red.sort() };
  });
}

async function measureThirdParty(): Promise<readonly Rows['third-party'][]> {
  return servers.map((name) => {
    const { red, causes } = expectationOf(name);
    return { name, red, causes };
  });
}

async function measureGrid(measuring: Measuring): Promise<readonly Rows['grid-defects'][]> {
  const names = (readRows(FROZEN, 'grid-defects') ?? []).map(({ name }) => name);
  return each(names, measuring, async (name) => {
    const { red } = await measuring.pool.ask({ kind: 'grid', name });
    return { name, red };
  });
}

/** How each part is measured; what is expected of third-party servers is what `corpora/third-party/servers.live.test.ts` holds them against. */
export const MEASURE: { readonly [Each in Part]: Measure<Each> } = {
  faults: measureFaults,
  variants: measureVariants,
  'variant-seeds': measureVariantSeeds,
  lines: measureLines,
  combinations: measureCombinations,
  only: measureOnly,
  'only-faults': measureOnlyFaults,
  runs: measureRuns,
  'used-store': measureUsedStores,
  hostile: measureHostile,
  nonsense: measureNonsense,
  'third-party': measureThirdParty,
  'grid-defects': measureGrid,
};
