import { appendFileSync, readFileSync } from 'node:fs';
import type { Kind } from './asked.ts';
import type { Telling } from './contrast-truth.ts';
import type { DefectResult } from './judge-defect.ts';

/** The result of one drawing: pairs are the number found, and the number that counted. */
export type GridFigure = {
  readonly date: string;
  readonly seed: number;
  readonly all: readonly [found: number, of: number];
  readonly kinds: Readonly<Record<string, readonly [found: number, of: number]>>;
  readonly missed: readonly string[];
  /** For those found, what their reports say about when a clause is broken. */
  readonly told?: Readonly<Partial<Record<Telling, number>>>;
};

/** A judged defect with the kind of the requests that it breaks. */
export type Judged = DefectResult & { readonly kind: Kind };

/** One line for each stored drawing, the latest last. */
const FILE = new URL('./figures.jsonl', import.meta.url);

/** Adds a figure to those stored in git. */
export function keepFigure(figure: GridFigure): void {
  appendFileSync(FILE, `${JSON.stringify(figure)}\n`);
}

/** The figures stored in git. */
export function readFigures(): readonly GridFigure[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as GridFigure);
}
