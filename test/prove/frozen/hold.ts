import { existsSync, statSync } from 'node:fs';
import { createPool } from '../pool.ts';
import { readResults } from '../result-file.ts';
import type { Verdicts } from '../tables.ts';
import { comparePart, type Finding } from './compare.ts';
import { MEASURE } from './measure.ts';
import { fileOf, IN_RESULTS, type Measured, PARTS, type Part, readRows, writeRows } from './rows.ts';

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
