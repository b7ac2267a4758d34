import { Argument, type Command } from 'commander';
import { print } from '../output.ts';

const KINDS = ['clauses', 'checks', 'invariants', 'observations', 'faults', 'variants'] as const;
type Kind = (typeof KINDS)[number];
type Row = Readonly<Record<string, string | number | boolean>>;

const suites = () => import('../../../suites/index.ts');

async function rowsOf(kind: Kind): Promise<readonly Row[]> {
  switch (kind) {
    case 'clauses':
      return (await suites()).clauses.map(({ id, level, checks, invariants, requirement }) => ({
        id,
        level,
        checks: checks.length,
        invariants: invariants.length,
        requirement,
      }));
    case 'checks':
      return (await suites()).clauses.flatMap(({ checks }) =>
        checks.map(({ id, step, effect, smoke, fault = '', title }) => ({ id, step, effect, smoke, fault, title })),
      );
    case 'invariants':
      return (await suites()).clauses.flatMap(({ invariants }) => invariants.map(({ id, fault = '', title }) => ({ id, fault, title })));
    case 'observations':
      return (await suites()).clauses
        .filter(({ level }) => level === 'open')
        .map(({ id, section, requirement }) => ({ id, section, recorded: requirement }));
    case 'faults':
      return (await import('../../reference/faults/index.ts')).faults.map(({ name, clause, summary }) => ({ name, clause, summary }));
    case 'variants':
      return (await import('../../reference/variants/index.ts')).variants.map(({ name, gap, summary }) => ({ name, gap, summary }));
    default:
      return kind satisfies never;
  }
}

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ');
  return [line(names), ...rows.map((row) => line(names.map((name) => String(row[name]))))].join('\n');
}

export function addList(program: Command): void {
  program
    .command('list')
    .description('what is judged, and what the reference server can do')
    .addArgument(new Argument('<what>', 'what to list').choices(KINDS))
    .option('--json', 'as JSON')
    .action(async (what: Kind, options: { json?: boolean }) => {
      const rows = await rowsOf(what);
      print(options.json === true ? JSON.stringify(rows, null, 2) : `${table(rows)}\n\n${rows.length} ${what}`);
    });
}
