import { fileURLToPath } from 'node:url';
import { type Expectation, expectationOf, servers } from './expectations.ts';

/** The page with the table. */
export const DOCUMENT = fileURLToPath(new URL('../../docs/internals/third-party.md', import.meta.url));

const HEAD = `# Third-party servers, judged

Every server in \`corpora/third-party/\` is written as the guide of its framework teaches; its author listed with curl what it gets wrong before the suite
ran on it. This page compares that list with the first run of the gate. \`npm run -w corpora table\` writes it from \`corpora/third-party/*/expected.json\`,
and a test compares the two; \`corpora/third-party/servers.live.test.ts\` compares the files with the servers.

On every repaired twin the gate ends with exit code 0.
`;

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** A Markdown table, aligned as by the formatter. */
function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [columns, ...rows.map((row) => row.map(escapeCell))];
  const widths = columns.map((_name, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], fill = ' '): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = columns.map(() => '');
  return [line(head), line(rule, '-'), ...body.map((row) => line(row))].join('\n');
}

const table = (second: string, entries: Readonly<Record<string, string>>): string =>
  tableOf(['departure', second], Object.entries(entries));

function withCode(entries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([sentence, clause]) => [sentence, `\`${clause}\``]));
}

/** A table with a sentence above it, or nothing if it has no rows. */
function optional(title: string, second: string, entries: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(entries).length === 0 ? [] : [title, table(second, entries)];
}

function renderServer(name: string, { red, departures, found, open, missed }: Expectation): string {
  return [
    `## ${name}`,
    `The first run finds ${red.length} clauses broken.`,
    table('clause', withCode(departures)),
    ...optional('Found by the suite alone, and confirmed by hand:', 'clause', withCode(found)),
    ...optional('Not reported by the first run:', 'why', missed),
    ...optional('Listed by the author, and left open by the document:', 'why', open),
  ].join('\n\n');
}

/** The number of entries of all servers; those of one row of departures.md count once. */
function count(entriesOf: (expectation: Expectation) => Readonly<Record<string, string>>): number {
  const rowsOf = (name: string): string[] =>
    Object.keys(entriesOf(expectationOf(name))).map((sentence) => `${name} ${/^\d+(?=:)/.exec(sentence)?.[0] ?? sentence}`);
  return new Set(servers.flatMap(rowsOf)).size;
}

/** The first report of each server. */
function renderReports(): string {
  const rows = servers.map((name) => {
    const { red, causes, lines } = expectationOf(name);
    return [`[${name}](#${name})`, String(red.length), String(lines), causes.map((cause) => `\`${cause}\``).join(', ')];
  });
  return [
    '## What the report says',
    `Lines of the terminal at 100 columns, rounded up, and the likely causes in the order of the report. The first cause is right on all ${servers.length} servers, and no cause is wrong: each was held against the server's departures.`,
    tableOf(['server', 'broken clauses', 'lines', 'likely causes'], rows),
  ].join('\n\n');
}

/** docs/internals/third-party.md: the servers, what each gets wrong, and the clause that reports it. */
export function renderTable(): string {
  const reported = count(({ departures }) => departures);
  const listed = count(({ departures, missed }) => ({ ...departures, ...missed }));
  const found = count((expectation) => expectation.found);
  const total = `The first run reports ${reported} of the ${listed} departures that the authors listed, and ${found} more.`;
  const sections = servers.map((name) => renderServer(name, expectationOf(name)));
  return `${[HEAD + total, renderReports(), ...sections].join('\n\n')}\n`;
}
