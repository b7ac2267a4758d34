// Texts in columns of a terminal. Not in text.ts: commands that print no report load no tables of characters.

import fastStringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';

/** Columns that a text takes in a terminal. */
export function columns(text: string): number {
  return fastStringWidth(text);
}

/** The text padded with spaces after it, or before it, to a number of columns. */
export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, width - columns(text)));
  return side === 'left' ? space + text : text + space;
}

/** Lines of at most `width` columns, broken between words and, where a word is longer, inside it. Line breaks are kept. */
export function wrap(text: string, width: number): string[] {
  // One line at a time: of a whole text, the spaces that indent a short line would go.
  return text.split('\n').flatMap((line) => (columns(line) <= width ? [line] : wrapAnsi(line, width, { hard: true }).split('\n')));
}
