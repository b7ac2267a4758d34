// `npm run prove [-- NAME...] [--swift] [--combine SIZE [--sets N] [--seed N]] [--used-store] [--out FILE] [--from FILE]`: what the suite says of every fault and variant.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { drawSets, judgeCombination } from './combinations.ts';
import { createPool } from './pool.ts';
import type { Result, Subject } from './result.ts';
import { combinationTable, proofTable, type Verdicts } from './tables.ts';
import { storingFaults } from './used-store.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Faults are judged by their own clause where that shows them: no figures of the whole. */
    swift: { type: 'boolean', default: false },
    combine: { type: 'string' },
    /** Each fault that stores something, and then the repaired build on the same store. */
    'used-store': { type: 'boolean', default: false },
    sets: { type: 'string', default: '50' },
    seed: { type: 'string', default: '20261122' },
    out: { type: 'string', default: 'reports/proof/results.jsonl' },
    from: { type: 'string' },
  },
});

const named = (name: string): boolean => positionals.length === 0 || positionals.some((part) => name.includes(part));
const clauseOf = new Map(faults.map(({ name, clause }) => [name, clause as string]));

function readResults(file: string): Result[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
}

const pool = createPool();

async function judgeAll(subjects: readonly Subject[], show: (result: Result) => void): Promise<Result[]> {
  mkdirSync(dirname(values.out), { recursive: true });
  rmSync(values.out, { force: true });
  return Promise.all(
    subjects.map(async (subject) => {
      const result = await pool.ask({ kind: 'judge', subject, swift: values.swift });
      appendFileSync(values.out, `${JSON.stringify(result)}\n`);
      show(result);
      return result;
    }),
  );
}

async function proveEach(): Promise<Verdicts> {
  const subjects: Subject[] = [
    ...variants.map(({ name }) => ({ kind: 'variant' as const, name })),
    ...faults.map(({ name }) => ({ kind: 'fault' as const, name })),
  ].filter(({ name }) => named(name));
  const table = proofTable({ whole: positionals.length === 0 && !values.swift });
  const results =
    values.from === undefined ? await judgeAll(subjects, table.show) : readResults(values.from).filter(({ name }) => named(name));
  if (values.from !== undefined) results.forEach(table.show);
  return table.end(results);
}

async function proveTogether(size: number): Promise<Verdicts> {
  const file = values.from ?? values.out;
  if (!existsSync(file))
    throw new Error(`prove --combine compares with single faults: run \`npm run prove\` first, or name its results with --from`);
  const alone = new Map(readResults(file).map((result) => [result.name, result]));
  const known = new Map(
    [...clauseOf].flatMap(([name, clause]) => {
      const result = alone.get(name);
      return result === undefined ? [] : [[name, { clause, alone: result }] as const];
    }),
  );
  const sets = drawSets([...known.keys()].filter(named), { size, sets: Number(values.sets), seed: Number(values.seed) });
  const table = combinationTable(size);
  return table.end(
    await Promise.all(
      sets.map(async (set) => {
        const combination = await judgeCombination(pool, set, known);
        table.show(combination);
        return combination;
      }),
    ),
  );
}

/** After each fault, the repaired build is conformant; what is left that is no Pet is one warning. */
async function proveUsedStores(): Promise<Verdicts> {
  const right = await Promise.all(
    storingFaults.filter(named).map(async (fault) => {
      const { invalid, sharesIds, repaired } = await pool.ask({ kind: 'use-store', fault });
      const expected = invalid > 0 ? 'record.leftovers/seen' : '';
      // Of two animals with one id no build can show the right one.
      const isRight = sharesIds || (repaired.exitCode === 0 && repaired.failed.join() === expected);
      const notes = isRight ? [] : repaired.notes.map((note) => `\n       ${note}`);
      console.log(
        `${isRight ? 'ok  ' : 'GAP '} ${fault.padEnd(44)} ${invalid} animals are no Pets${sharesIds ? ', ids are shared' : ''}: ${repaired.exitCode}, ${repaired.headline}${notes.join('')}`,
      );
      return isRight;
    }),
  );
  return { passed: right.filter(Boolean).length, failed: right.filter((one) => !one).length };
}

async function prove(): Promise<Verdicts> {
  if (values['used-store']) return proveUsedStores();
  return values.combine === undefined ? proveEach() : proveTogether(Number(values.combine));
}

const { passed, failed } = await prove();
await pool.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
