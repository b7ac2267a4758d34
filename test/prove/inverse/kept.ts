import { readFileSync, writeFileSync } from 'node:fs';
import type { Worth } from './table.ts';

/** One line for each stimulus, in the order of docs/internals/proof.md. */
const FILE = new URL('./worth.jsonl', import.meta.url);

/** Stores the table in git, for docs/internals/proof.md. */
export function keepWorth(worth: readonly Worth[]): void {
  writeFileSync(FILE, worth.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** The table stored in git. */
export function readWorth(): readonly Worth[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Worth);
}
