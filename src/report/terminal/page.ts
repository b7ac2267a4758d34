import { styleText } from 'node:util';
import type { RunRecord } from '../../clause/run-record.ts';
import { columns, pad, wrap } from '../columns.ts';
import { shorten } from '../text.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Page = {
  readonly record: RunRecord;
  readonly width: number;
  readonly paint: (style: Style, text: string) => string;
};

/** Below this many columns, labels have lines of their own and tables become lists. */
export const NARROW = 60;

export function createPage(record: RunRecord, { width, color }: { readonly width: number; readonly color: boolean }): Page {
  return {
    record,
    width,
    paint: (style, text) => (color && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  };
}

/** Indented after the first line. */
export function hanging(text: string, width: number, indent = 2): string[] {
  return wrap(text, width - indent).map((line, index) => (index === 0 ? line : ' '.repeat(indent) + line));
}

export function indented(text: string, width: number, indent = 2): string[] {
  return wrap(text, width - indent).map((line) => ' '.repeat(indent) + line);
}

/** Short texts one after the other, on a limited number of lines; what does not fit is left out. */
export function flow(texts: readonly string[], { width, lines: most }: { readonly width: number; readonly lines: number }): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    if (last !== undefined && columns(last) + 3 + columns(text) <= width) lines[lines.length - 1] = `${last}   ${text}`;
    else if (lines.length < most) lines.push(text);
    else break;
  }
  return lines;
}

type TableOptions = {
  readonly width: number;
  /** Columns that the first text keeps, and that the last one gets if it needs them: the first is cut before the last. */
  readonly first: number;
  readonly last: number;
  /** Says in fewer columns what the first column has no room for. */
  readonly shorter?: (text: string, columns: number) => string;
};

/** Texts in columns, or a single text across them, cut at the margin. */
export function table(
  rows: readonly (readonly string[])[],
  { width, first: least, last, shorter = (text) => text }: TableOptions,
): string[] {
  const full = rows.filter((row) => row.length > 1);
  const [widest = 0, second = 0, third = 0] = [0, 1, 2].map((at) => Math.max(0, ...full.map((row) => columns(row[at] ?? ''))));
  const first = Math.min(widest, Math.max(least, width - 4 - second - Math.min(third, last)));
  return rows.map(([one = '', two, three = '']) => {
    if (two === undefined) return truncate(one, width);
    return truncate(`${pad(truncate(shorter(one, first), first), first)}  ${pad(two, second)}  ${three}`, width).trimEnd();
  });
}

export function truncate(text: string, width: number): string {
  let cut = text;
  while (columns(cut) > width && cut.length > 1)
    cut = shorten(cut, Math.max(1, cut.length - Math.max(1, Math.floor((columns(cut) - width) / 2))));
  return cut;
}
