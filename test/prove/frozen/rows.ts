import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The measured parts: one file each, with a line for each fault, clause, set, or server, so that a diff is readable. */
export type Rows = {
  /** Clauses that each fault turns red, by all checks. */
  readonly faults: { readonly name: string; readonly clause: string; readonly red: readonly string[]; readonly advised: readonly string[] };
  /** Red clauses of a conforming server: with the seed of the proof, and with two others. */
  readonly variants: { readonly name: string; readonly red: readonly string[] };
  readonly 'variant-seeds': { readonly name: string; readonly red: readonly string[] };
  /** Lines that the terminal report of a fault has, by chapter. */
  readonly lines: { readonly name: string; readonly faults: number; readonly median: number; readonly most: number };
  /** Servers with several faults: which were found together with the others, in one of two runs if the first misses any. */
  readonly combinations: {
    readonly name: string;
    readonly size: number;
    readonly found: readonly string[];
    readonly missed: readonly string[];
    readonly consequences: readonly string[];
    readonly red: number;
  };
  /** What `--only CLAUSE` sends to a conforming server, and creates there: the maximum of three runs. */
  readonly only: { readonly name: string; readonly requests: number; readonly created: number };
  /** How often the clause of a fault finds it by itself. */
  readonly 'only-faults': { readonly name: string; readonly clause: string; readonly found: number; readonly of: number };
  /** Standard runs against the conforming server. */
  readonly runs: {
    readonly name: string;
    readonly requests: number;
    readonly created: number;
    readonly red: readonly string[];
    readonly undecided: readonly string[];
  };
  /** After each fault that stores something: whether the repaired build on the same store is judged correctly. */
  readonly 'used-store': { readonly name: string; readonly right: boolean };
  /** Whether a run withstands an attack, and how it ends. */
  readonly hostile: { readonly name: string; readonly stood: boolean };
  /** What passes on a server that returns nonsense, and what is red. */
  readonly nonsense: { readonly name: string; readonly passed: readonly string[]; readonly red: readonly string[] };
  /** Expectations of servers that others wrote. */
  readonly 'third-party': { readonly name: string; readonly red: readonly string[]; readonly causes: readonly string[] };
  /** Defects of the grid, drawn by one seed: those without a red clause are missed. */
  readonly 'grid-defects': { readonly name: string; readonly red: readonly string[] };
};

export type Part = keyof Rows;
export const PARTS = [
  'faults',
  'variants',
  'lines',
  'variant-seeds',
  'combinations',
  'only',
  'only-faults',
  'runs',
  'used-store',
  'hostile',
  'nonsense',
  'third-party',
  'grid-defects',
] as const satisfies readonly Part[];

/** The parts that have been measured, by their names. */
export type Measured = { readonly [Each in Part]?: readonly Rows[Each][] };

/** The parts in the results of a whole proof: reading them again costs nothing. */
export const IN_RESULTS: readonly Part[] = ['faults', 'variants', 'lines'];

/** Where the frozen figures are, and where those to compare are written. */
export const FROZEN = fileURLToPath(new URL('.', import.meta.url));
export const MEASURED = 'reports/frozen';

/** The file of a part in a folder. */
export function fileOf(folder: string, part: Part): string {
  return join(folder, `${part}.jsonl`);
}

/** The rows of a part; undefined if it was not measured. */
export function readRows<Each extends Part>(folder: string, part: Each): readonly Rows[Each][] | undefined {
  const file = fileOf(folder, part);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Rows[Each]);
}

/** Writes the rows of a part, one per line, by size and name. */
export function writeRows<Each extends Part>(folder: string, part: Each, rows: readonly Rows[Each][]): void {
  mkdirSync(folder, { recursive: true });
  const rank = (row: Rows[Part]): string => `${'size' in row ? row.size : ''} ${row.name}`;
  const sorted = rows.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  writeFileSync(fileOf(folder, part), sorted.map((row) => `${JSON.stringify(row)}\n`).join(''));
}
