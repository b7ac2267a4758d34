import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../src/cli/usage-error.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { combinationTable } from './combination-table.ts';
import { drawSets, judgeCombination, type Known } from './combinations.ts';
import type { ProveOptions } from './command.ts';
import { readGolden } from './golden-file.ts';
import { createPool, type Pool } from './pool.ts';
import type { Result, Subject } from './result.ts';
import { readResults } from './result-file.ts';
import { selectSubjects } from './select-subjects.ts';
import { proofTable, type Verdicts } from './tables.ts';
import { storingFaults } from './used-store.ts';

/** Judges subjects on all cores; the results go into the file as they come. */
async function judgeEach(pool: Pool, { swift, out }: ProveOptions, subjects: readonly Subject[], show: (result: Result) => void) {
  mkdirSync(dirname(out), { recursive: true });
  rmSync(out, { force: true });
  return Promise.all(
    subjects.map(async (subject) => {
      const result = await pool.ask({ kind: 'judge', subject, swift });
      appendFileSync(out, `${JSON.stringify(result)}\n`);
      show(result);
      return result;
    }),
  );
}

async function proveEach(names: readonly string[], options: ProveOptions): Promise<Verdicts> {
  const subjects = selectSubjects(names);
  const table = proofTable({ whole: names.length === 0 && !options.swift, swift: options.swift });
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

async function proveTogether(names: readonly string[], size: number, { sets, seed, from }: ProveOptions): Promise<Verdicts> {
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
    const { invalid, sharesIds, repaired } = await pool.ask({ kind: 'use-store', fault });
    const expected = invalid > 0 ? 'record.leftovers/seen' : '';
    // Of two animals with one id no build can show the right one.
    const isRight = sharesIds || (repaired.exitCode === 0 && repaired.failed.join() === expected);
    const notes = isRight ? [] : repaired.notes.map((note) => `\n       ${note}`);
    console.log(
      `${isRight ? 'ok  ' : 'GAP '} ${fault.padEnd(44)} ${invalid} animals are not Pets${sharesIds ? ', ids are shared' : ''}: ${repaired.exitCode}, ${repaired.headline}${notes.join('')}`,
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

/** Judges what the command names and prints the tables. Throws UsageError for names and files that fit nothing. */
export function prove(names: readonly string[], options: ProveOptions): Promise<Verdicts> {
  if (options.usedStore) return proveUsedStores(names);
  return options.combine === undefined ? proveEach(names, options) : proveTogether(names, options.combine, options);
}
