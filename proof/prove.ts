import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../src/cli/option-spec.ts';
import { messageOf } from '../src/wire/wording.ts';
import { combinationTable, drawSets, judgeCombination, type Known } from './combinations.ts';
import type { ProveOptions } from './command.ts';
import { faults } from './faults/index.ts';
import { readGolden } from './golden-file.ts';
import { proveGrid } from './grid/prove-grid.ts';
import { createPool, type Pool } from './pool.ts';
import { proveHoldouts } from './prove-holdouts.ts';
import { type RegistrySubject, type Result, selectSubjects } from './result.ts';
import { readResults } from './result-file.ts';
import { variantCalled } from './server.ts';
import { proofTable, type Verdicts } from './tables.ts';
import { isJudgedRightly, storingFaults } from './used-store.ts';

/** The sets that releases are compared by. */
const SEED = 20261122;
const LARGEST_SEED = 2 ** 31;

/** Judges subjects on all cores; the results go into the file as they come. */
async function judgeEach(
  pool: Pool,
  { swift, out = 'reports/proof/results.jsonl', seed, upon }: ProveOptions,
  subjects: readonly RegistrySubject[],
  show: (result: Result) => void,
) {
  mkdirSync(dirname(out), { recursive: true });
  rmSync(out, { force: true });
  return Promise.all(
    subjects.map(async (subject) => {
      const result = await pool.ask({ kind: 'judge', subject, swift, upon, ...(seed === undefined ? {} : { seed }) });
      appendFileSync(out, `${JSON.stringify(result)}\n`);
      show(result);
      return result;
    }),
  );
}

async function proveEach(names: readonly string[], options: ProveOptions): Promise<Verdicts> {
  const subjects = selectSubjects(names).filter(({ kind }) => kind === 'fault' || options.upon.length === 0);
  const table = proofTable({ whole: names.length === 0 && !options.swift && options.upon.length === 0, swift: options.swift });
  if (options.from !== undefined) {
    const results = readResults(options.from).filter(({ kind, name }) => subjects.some((one) => one.kind === kind && one.name === name));
    results.forEach(table.show);
    return table.end(results);
  }
  const pool = createPool(subjects.length);
  try {
    return table.end(await judgeEach(pool, options, subjects, table.show));
  } finally {
    await pool.close();
  }
}

/** What each fault breaks alone: as a file says, else as the golden verdicts say, else as judging it shows. */
async function knownAlone(pool: Pool, names: readonly string[], from: string | undefined): Promise<ReadonlyMap<string, Known>> {
  const broken =
    from === undefined ? readGolden().broken : new Map(readResults(from).map(({ name, red, advised }) => [name, [...red, ...advised]]));
  const known = names.map(async (name) => {
    const clause = faults.find((fault) => fault.name === name)?.clause ?? '';
    const kept = broken.get(name);
    if (kept !== undefined) return [name, { clause, broken: kept }] as const;
    const { red, advised } = await pool.ask({ kind: 'judge', subject: { kind: 'fault', name } });
    return [name, { clause, broken: [...red, ...advised] }] as const;
  });
  return new Map(await Promise.all(known));
}

async function proveTogether(names: readonly string[], size: number, { sets, seed = SEED, from }: ProveOptions): Promise<Verdicts> {
  const drawnFrom = selectSubjects(names).flatMap(({ kind, name }) => (kind === 'fault' ? [name] : []));
  if (drawnFrom.length < size) throw new UsageError(`--combine ${size} takes at least ${size} faults; ${drawnFrom.length} are named`);
  const drawn = drawSets(drawnFrom, { size, sets, seed });
  const table = combinationTable(size);
  const pool = createPool();
  try {
    const known = await knownAlone(pool, [...new Set(drawn.flat())], from);
    const all = drawn.map(async (set) => {
      const combination = await judgeCombination(pool, set, known);
      table.show(combination);
      return combination;
    });
    return table.end(await Promise.all(all));
  } finally {
    await pool.close();
  }
}

/** After each fault, the repaired build is conformant; animals left that are not Pets are one warning. */
async function proveUsedStores(names: readonly string[]): Promise<Verdicts> {
  const chosen = new Set(selectSubjects(names).map(({ name }) => name));
  const pool = createPool();
  const judge = async (fault: string): Promise<boolean> => {
    const used = await pool.ask({ kind: 'use-store', fault });
    const { invalid, torn, repaired } = used;
    const isRight = isJudgedRightly(used);
    const notes = isRight ? [] : repaired.notes.map((note) => `\n       ${note}`);
    console.log(
      `${isRight ? 'ok  ' : 'GAP '} ${fault.padEnd(44)} ${invalid} animals are not Pets${torn === undefined ? '' : `, ${torn}`}: ${repaired.exitCode}, ${repaired.headline}${notes.join('')}`,
    );
    return isRight;
  };
  try {
    const right = await Promise.all(storingFaults.filter((name) => chosen.has(name)).map(judge));
    return { passed: right.filter(Boolean).length, failed: right.filter((one) => !one).length };
  } finally {
    await pool.close();
  }
}

/** Defects that nobody chose: other ones each time, unless the seed is said. */
async function proveUnchosen({ seed = randomInt(LARGEST_SEED), count, pairs, keep }: ProveOptions): Promise<Verdicts> {
  const pool = createPool();
  try {
    return await proveGrid(pool, { seed, count, pairs }, { keep });
  } finally {
    await pool.close();
  }
}

async function proveStrangers(names: readonly string[]): Promise<Verdicts> {
  const pool = createPool();
  try {
    return await proveHoldouts(pool, names);
  } finally {
    await pool.close();
  }
}

/** Judges what the command names and prints the tables. Throws UsageError for names and files that fit nothing. */
export async function prove(names: readonly string[], options: ProveOptions): Promise<Verdicts> {
  try {
    for (const name of options.upon) variantCalled(name);
  } catch (error) {
    throw new UsageError(`--upon: ${messageOf(error)}`);
  }
  if (options.holdouts) return proveStrangers(names);
  if (options.grid) return proveUnchosen(options);
  if (options.usedStore) return proveUsedStores(names);
  return options.combine === undefined ? proveEach(names, options) : proveTogether(names, options.combine, options);
}
