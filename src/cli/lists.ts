// The lists of `explain`: what is judged, and what the reference server can do.

import { faultOfPart } from '../reference/faults/parts.ts';
import { columns, pad, wrap } from '../report/columns.ts';
import { loadOldRegistry } from './own-clauses-option.ts';

/** What can be listed. */
export const LISTS = ['clauses', 'checks', 'invariants', 'observations', 'faults', 'variants'] as const;
export type List = (typeof LISTS)[number];
type Row = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const faultOf = (part: string): string => faultOfPart(part) ?? '';

/** The listed items, as rows. */
export async function rowsOf(list: List, ownClauses: readonly string[]): Promise<readonly Row[]> {
  const registry = (): ReturnType<typeof loadOldRegistry> => loadOldRegistry(ownClauses);
  switch (list) {
    case 'clauses':
      return (await registry()).map(({ id, level, checks, invariants, requirement }) => ({
        id,
        level,
        checks: checks.length,
        invariants: invariants.length,
        requirement,
      }));
    case 'checks':
      return (await registry()).flatMap(({ checks }) =>
        checks.map(({ id, step, effect, smoke, needs, title }) => ({
          ...{ id, step, effect, smoke, fault: faultOf(id) },
          needs,
          title,
        })),
      );
    case 'invariants':
      return (await registry()).flatMap(({ invariants }) => invariants.map(({ id, title }) => ({ id, fault: faultOf(id), title })));
    case 'observations':
      return (await registry())
        .filter(({ level }) => level === 'open')
        .map(({ id, section, requirement }) => ({ id, section, recorded: requirement }));
    case 'faults':
      return (await import('../reference/faults/index.ts')).faults.map(({ name, clause, summary }) => ({ name, clause, summary }));
    case 'variants':
      return (await import('../reference/variants/index.ts')).variants.map(({ name, gap, summary }) => ({ name, gap, summary }));
    default:
      return list satisfies never;
  }
}

/** The minimum number of columns for the last cell of a row; with less room it is placed below the others. */
const LEAST_TEXT = 40;
const BELOW = 4;

/** Rows in columns; the last one, a sentence, is wrapped in a terminal, and otherwise each row is one line. */
function table(rows: readonly Row[], width: number): string {
  // Lists of names are for programs.
  const names = Object.entries(rows[0] ?? {}).flatMap(([name, cell]) => (typeof cell === 'object' ? [] : [name]));
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

const LEGENDS: Partial<Readonly<Record<List, string>>> = {
  checks:
    'step: when it runs. effect: what it sends. smoke: whether smoke and monitor ask it too. fault: what the reference server does wrong (--fault) for this check to fail. With --json: needs, what must be there before it sends',
};

/** A list as text, for a terminal of `width` columns or for programs: one line per row there. */
export async function listText(list: List, ownClauses: readonly string[], width: number): Promise<string> {
  const rows = await rowsOf(list, ownClauses);
  const legend = LEGENDS[list];
  return `${table(rows, width)}\n\n${rows.length} ${list}${legend === undefined ? '' : `\n${wrap(legend, width).join('\n')}`}`;
}
