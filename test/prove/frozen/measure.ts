import { existsSync, statSync } from 'node:fs';
import { expectationOf, servers } from '../../../corpora/third-party/expectations.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { clauses } from '../../../suites/index.ts';
import { attacks, complaints, runAgainst } from '../../hostile/attack-run.ts';
import { judgeNonsense, NONSENSE } from '../../hostile/nonsense.ts';
import { drawSets, judgeCombination } from '../combinations.ts';
import { createPool, type Pool } from '../pool.ts';
import type { Result } from '../result.ts';
import { readResults } from '../result-file.ts';
import { isProven, percentile, type Verdicts } from '../tables.ts';
import { isJudgedRightly, storingFaults } from '../used-store.ts';
import { comparePart, type Finding } from './compare.ts';
import { FROZEN, fileOf, IN_RESULTS, type Measured, PARTS, type Part, type Rows, readRows, writeRows } from './rows.ts';

const MOST_DETAILS = 40;

/** Where results are, and how much is measured. */
export type MeasureOptions = {
  readonly results: string;
  readonly folder: string;
  readonly sets: number;
  readonly times: number;
  readonly workers?: number;
};

/** Measures parts one after the other, except those that a whole proof has measured; each is written to its file when it is done. */
export async function measureParts(parts: readonly Part[], { results, folder, sets, times, workers }: MeasureOptions): Promise<void> {
  const proven = existsSync(results) ? readResults(results) : [];
  const wanted = [...(proven.length > 0 ? IN_RESULTS : []), ...parts.filter((part) => !IN_RESULTS.includes(part))];
  const pool = createPool(workers);
  try {
    for (const part of wanted) {
      const begin = performance.now();
      const note = (line: string) => console.log(`${part} ${line}`);
      const rows = await MEASURE[part]({ pool, results: proven, sets, times, note });
      writeRows(folder, part, rows);
      console.log(`${part}: ${rows.length} rows in ${Math.round((performance.now() - begin) / 1000)} s`);
    }
  } finally {
    await pool.close();
  }
}

function readAll(folder: string): Measured {
  return Object.fromEntries(
    PARTS.flatMap((part) => [readRows(folder, part)].flatMap((rows) => (rows === undefined ? [] : [[part, rows]]))),
  );
}

function show({ label, before, now, holds, goal, details }: Finding): void {
  const aim = goal === undefined ? '' : `   at the end ${goal}`;
  console.log(`${holds ? 'ok  ' : 'LESS'} ${label.padEnd(48)} ${before.padStart(22)}  ${now.padStart(22)}${aim}`);
  for (const detail of details.slice(0, MOST_DETAILS)) console.log(`       ${detail}`);
  if (details.length > MOST_DETAILS) console.log(`       and ${details.length - MOST_DETAILS} more`);
}

/** The folders, and whether a part without a figure counts as one that does not hold. */
export type Folders = { readonly frozen: string; readonly measured: string; readonly whole: boolean };

/** Prints every figure next to the frozen one. */
export function holdAgainstFrozen({ frozen, measured, whole }: Folders): Verdicts {
  const [before, now] = [readAll(frozen), readAll(measured)];
  let passed = 0;
  let failed = 0;
  console.log(`     ${'figure'.padEnd(48)} ${'frozen'.padStart(22)}  ${'now'.padStart(22)}`);
  for (const part of PARTS) {
    const findings = comparePart(part, before, now);
    if (findings === undefined) {
      console.log(`${whole ? 'LESS' : '--  '} ${part}: not measured`);
      failed += whole ? 1 : 0;
      continue;
    }
    console.log(`\n${part}, measured ${statSync(fileOf(measured, part)).mtime.toISOString().slice(0, 16).replace('T', ' ')} UTC`);
    for (const finding of findings) {
      show(finding);
      passed += finding.holds ? 1 : 0;
      failed += finding.holds ? 0 : 1;
    }
  }
  return { passed, failed };
}

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
