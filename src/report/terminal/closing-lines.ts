import { EXIT_CODES } from '../../clause/run-record.ts';
import type { BrokenClause } from '../broken-clauses.ts';
import { costText, headline, judgedText, otherReasons } from '../headline.ts';
import { type Diagnosis, explainedBy } from '../likely-causes.ts';
import { columns, count, oneLine, pad, wrap } from '../text.ts';
import { listRow } from './clause-lines.ts';
import { hanging, indented, NARROW, type Page, truncate } from './page.ts';

/** Rows of the list of what is broken. */
const LISTED = 12;

export type ClosingOptions = {
  readonly broken: readonly BrokenClause[];
  readonly diagnosis: Diagnosis | undefined;
  /** Paths of the report files that were written. */
  readonly files: readonly string[];
};

/** The last screen: the verdict, what it cost, what is broken, and what to do first. */
export function closingLines(page: Page, options: ClosingOptions): string[] {
  return [...verdictLines(page), ...whatToRepair(page, options), ...nextSteps(page, options)];
}

function verdictLines(page: Page): string[] {
  const { record } = page;
  const { exitCode } = record.conclusion;
  const style = exitCode === EXIT_CODES.conformant ? 'green' : exitCode === EXIT_CODES.broken ? 'red' : 'yellow';
  const cost = record.checks.length === 0 ? costText(record) : `${judgedText(record)}, ${costText(record)}`;
  return [
    ...wrap(`${headline(record)}.`, page.width).map((line) => page.paint('bold', page.paint(style, line))),
    ...wrap(cost, page.width),
    ...otherReasons(record)
      .slice(0, 30)
      .flatMap((reason) => hanging(`- ${reason}`, page.width)),
  ];
}

function whatToRepair(page: Page, { broken, diagnosis }: ClosingOptions): string[] {
  const causes = diagnosis?.causes ?? [];
  const explained = new Set(causes.flatMap(explainedBy));
  const left = broken.filter(({ clause, standing }) => standing === 'fails' && !explained.has(clause.id));
  return [...causeLines(page, diagnosis), ...brokenLines(page, left, causes.length > 0)];
}

function causeLines(page: Page, diagnosis: Diagnosis | undefined): string[] {
  const causes = diagnosis?.causes ?? [];
  if (causes.length === 0) return [];
  const head = `${count(causes.length, 'likely cause')}, by what ${causes.length === 1 ? 'it holds' : 'they hold'} up`;
  const lines = causes.flatMap((cause, index) => {
    const waits = cause.waiting === 0 ? '' : ` (${count(cause.waiting, 'check waits', 'checks wait')})`;
    const title = `  ${pad(String(index + 1), 3)}${oneLine(cause.title, 200)}${waits}`;
    return [
      ...hanging(title, page.width, 5),
      ...indented(explainedBy(cause).join(', '), page.width, 5).map((line) => page.paint('dim', line)),
    ];
  });
  return ['', page.paint('bold', head), ...lines];
}

function brokenLines(page: Page, broken: readonly BrokenClause[], besides: boolean): string[] {
  if (broken.length === 0) return [];
  const rows = broken.slice(0, LISTED).map((one) => {
    const [name, text, waits] = listRow(one);
    return { name, text, waits };
  });
  const hidden = broken.length - rows.length;
  const head = besides ? 'Broken besides' : 'What to repair, in this order';
  return ['', page.paint('bold', head), ...rowLines(page, rows), ...(hidden > 0 ? [`  and ${hidden} more`] : [])];
}

type Row = { readonly name: string; readonly text: string; readonly waits: string };

/** A name, a text that is cut to what room is left, and at the edge how much waits. */
function rowLines(page: Page, rows: readonly Row[]): string[] {
  const width = page.width - 2;
  const names = Math.min(Math.max(...rows.map(({ name }) => columns(name))), Math.floor(width * 0.5));
  const edge = Math.max(...rows.map(({ waits }) => columns(waits)));
  if (page.width < NARROW) {
    return rows.map(({ name, waits }) => truncate(`  ${name}${waits === '' ? '' : `: ${waits}`}`, page.width));
  }
  const left = width - names - 2 - (edge === 0 ? 0 : edge + 2);
  const room = Math.min(left, Math.max(...rows.map(({ text }) => columns(text))));
  return rows.map(({ name, text, waits }) =>
    `  ${pad(truncate(name, names), names)}  ${pad(truncate(text, room), room)}${edge === 0 ? '' : `  ${pad(waits, edge, 'left')}`}`.trimEnd(),
  );
}

function nextSteps(page: Page, { broken, diagnosis, files }: ClosingOptions): string[] {
  const [cause] = diagnosis?.causes ?? [];
  const [first] = broken.filter(({ standing }) => standing === 'fails');
  const start =
    cause !== undefined ? `Start with 1: ${oneLine(cause.advice, 300)}` : first === undefined ? '' : `Start with ${first.clause.id}.`;
  const report = files.find((path) => path.endsWith('report.html')) ?? files.find((path) => path.endsWith('summary.md'));
  const recorded = files.find((path) => path.endsWith('report.json'));
  const parts = [
    start,
    report === undefined ? '' : `Full report: ${report}`,
    ...(recorded === undefined || first === undefined
      ? []
      : [`Only these again: petstore-conformance run --failed ${recorded}`, `Sent again: petstore-conformance replay ${recorded}`]),
  ].filter((part) => part !== '');
  if (parts.length === 0) return [];
  const joined = parts.join('   ');
  const lines = columns(joined) <= page.width ? [joined] : parts.flatMap((part) => hanging(part, page.width));
  return first === undefined && page.record.checks.length > 0 ? lines : ['', ...lines];
}
