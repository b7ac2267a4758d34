// The lists of `explain`: what is judged, and what the reference server can do.

import { FAULTS } from '../reference/faults.ts';
import { columns, pad, wrap } from '../report/columns.ts';
import { loadRegistry } from './own-clauses-option.ts';

/** What can be listed. */
export const LISTS = ['clauses', 'situations', 'observations', 'faults'] as const;
export type List = (typeof LISTS)[number];
type Row = Readonly<Record<string, string | number>>;

const SITUATIONS = '`explain situations` lists in what each clause has to hold';
/** Lists of earlier versions, each with what has the same. */
export const GONE_LISTS: Readonly<Record<string, string>> = {
  checks: SITUATIONS,
  invariants: SITUATIONS,
  variants: '`explain observations` lists what the document leaves open',
};

/** The listed items, as rows. */
export async function rowsOf(list: List, ownClauses: readonly string[]): Promise<readonly Row[]> {
  const registry = (): ReturnType<typeof loadRegistry> => loadRegistry(ownClauses);
  switch (list) {
    case 'clauses':
      return (await registry()).map(({ id, level, must, requirement }) => ({ id, level, situations: must.length, requirement }));
    case 'situations':
      return (await registry()).flatMap(({ id, must }) => must.map(({ title }) => ({ clause: id, title })));
    case 'observations':
      return (await registry())
        .filter(({ level }) => level === 'open')
        .map(({ id, section, requirement }) => ({ id, section, recorded: requirement }));
    case 'faults':
      return Object.entries(FAULTS).map(([name, { clause, summary }]) => ({ name, clause, summary }));
    default:
      return list satisfies never;
  }
}

/** The minimum number of columns for the last cell of a row; with less room it is placed below the others. */
const LEAST_TEXT = 40;
const BELOW = 4;

/** Rows in columns; the last one, a sentence, is wrapped in a terminal, and otherwise each row is one line. */
function table(rows: readonly Row[], width: number): string {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(columns(name), ...rows.map((row) => columns(String(row[name])))));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  const below = width - before < LEAST_TEXT;
  const indent = below ? BELOW : before;
  const line = (cells: readonly string[]): string[] => {
    const head = cells
      .slice(0, -1)
      .map((cell, index) => (below ? cell : pad(cell, widths[index] ?? 0)))
      .filter((cell) => cell !== '');
    const [first = '', ...rest] = wrap(cells.at(-1) ?? '', width - indent).map((text) => ' '.repeat(indent) + text);
    return below
      ? [...wrap(head.join('  ').trimEnd(), width), first, ...rest]
      : [head.join('  ') + '  '.slice(0, before) + first.slice(indent), ...rest];
  };
  return [names, ...rows.map((row) => names.map((name) => String(row[name])))].flatMap(line).join('\n');
}

/** A list as text, for a terminal of `width` columns or for programs: one line per row there. */
export async function listText(list: List, ownClauses: readonly string[], width: number): Promise<string> {
  const rows = await rowsOf(list, ownClauses);
  return `${table(rows, width)}\n\n${rows.length} ${list}`;
}
