import { EXIT_CODES } from '../../clause/run-record.ts';
import type { Diagnosis } from '../../diagnosis/cause.ts';
import { type BrokenClause, waitsText, whyFirst } from '../broken-clauses.ts';
import { columns, pad, wrap } from '../columns.ts';
import { costText, headline, judgedText, otherReasons } from '../headline.ts';
import { causeAt, causesHead } from '../likely-causes.ts';
import { oneLine } from '../text.ts';
import { listRow } from './clause-lines.ts';
import { hanging, indented, NARROW, type Page, truncate } from './page.ts';

const LISTED = 12;
/** Columns of the number of a cause, including the margin. */
const NUMBER_WIDTH = 5;

export type ClosingOptions = {
  readonly broken: readonly BrokenClause[];
  readonly diagnosis: Diagnosis | undefined;
  readonly files: readonly string[];
  /** The command line that sends again what showed clauses broken. */
  readonly again: string | undefined;
  /** Nothing else is shown, so it includes the findings. */
  readonly isAlone: boolean;
};

/** The last screen: the verdict, its cost, what is broken, and what to do first. */
export function closingLines(page: Page, options: ClosingOptions): string[] {
  return [...verdictLines(page), ...whatToRepair(page, options), ...nextSteps(page, options)];
}

function verdictLines(page: Page): string[] {
  const { record } = page;
  const { exitCode } = record.conclusion;
  const style = exitCode === EXIT_CODES.conformant ? 'green' : exitCode === EXIT_CODES.broken ? 'red' : 'yellow';
  // The headline of a green run has the count.
  const isCounted = record.clauses.length === 0 || exitCode === EXIT_CODES.conformant;
  const cost = isCounted ? costText(record) : `${judgedText(record)}; ${costText(record)}`;
  return [
    ...wrap(`${headline(record)}.`, page.width).map((line) => page.paint('bold', page.paint(style, line))),
    ...wrap(cost, page.width),
    ...otherReasons(record)
      .slice(0, 30)
      .flatMap((reason) => hanging(`- ${reason}`, page.width)),
  ];
}

function whatToRepair(page: Page, { broken, diagnosis, isAlone }: ClosingOptions): string[] {
  const explained = new Set((diagnosis?.causes ?? []).flatMap(({ explains }) => explains));
  const failing = broken.filter(({ runEffect }) => runEffect === 'fails');
  const repairs = failing.filter(({ consequenceOf }) => consequenceOf === undefined);
  // The blocks above are in this order.
  if (explained.size === 0 && !isAlone) return consequenceLines(page, failing);
  const isLeft = ({ clause }: BrokenClause): boolean => !explained.has(clause.id);
  const ofCauses = repairs.findIndex((one) => !isLeft(one));
  // What is more urgent than everything that the causes explain.
  const urgent = explained.size === 0 ? [] : repairs.slice(0, ofCauses === -1 ? repairs.length : ofCauses);
  const besides = repairs.slice(urgent.length).filter(isLeft);
  return [
    ...brokenLines(page, urgent, 'What to repair first'),
    ...causeLines(page, diagnosis, failing[0]),
    ...brokenLines(page, besides, explained.size > 0 ? 'Broken besides' : 'What to repair, in this order'),
    ...consequenceLines(page, failing),
  ];
}

/** The causes with what each explains and how to repair it; for the one to start with, the last paragraph says that. */
function causeLines(page: Page, diagnosis: Diagnosis | undefined, start: BrokenClause | undefined): string[] {
  const started = start === undefined ? -1 : causeAt(diagnosis, start.clause.id);
  const causes = diagnosis?.causes ?? [];
  if (causes.length === 0) return [];
  const head = causesHead(causes);
  const lines = causes.flatMap((cause, index) => {
    const waits = cause.waiting === 0 ? '' : ` (${waitsText(cause)})`;
    const [first = '', ...more] = indented(`${oneLine(cause.title, 200)}${waits}`, page.width, NUMBER_WIDTH);
    return [
      `  ${pad(String(index + 1), NUMBER_WIDTH - 2)}${first.trimStart()}`,
      ...more,
      ...indented(cause.explains.join(', '), page.width, NUMBER_WIDTH).map((line) => page.paint('dim', line)),
      ...(index === started ? [] : indented(oneLine(cause.advice), page.width, NUMBER_WIDTH)),
    ];
  });
  return ['', page.paint('bold', head), ...lines];
}

function brokenLines(page: Page, broken: readonly BrokenClause[], head: string): string[] {
  if (broken.length === 0) return [];
  const rows = broken.slice(0, LISTED).map((one) => {
    const [name, text, waits] = listRow(one);
    return { name, text, waits };
  });
  const hidden = broken.length - rows.length;
  return ['', page.paint('bold', head), ...rowLines(page, rows), ...(hidden > 0 ? [`  and ${hidden} more`] : [])];
}

function consequenceLines(page: Page, broken: readonly BrokenClause[]): string[] {
  const roots = Map.groupBy(
    broken.filter(({ consequenceOf }) => consequenceOf !== undefined),
    ({ consequenceOf }) => consequenceOf,
  );
  return [...roots].flatMap(([root, others]) =>
    indented(`Consequences of ${root}: ${others.map(({ clause }) => clause.id).join(', ')}`, page.width).map((line) =>
      page.paint('dim', line),
    ),
  );
}

type Row = { readonly name: string; readonly text: string; readonly waits: string };

/** A name, a text that is cut to the remaining width, and at the margin how many situations wait. */
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

function nextSteps(page: Page, { broken, diagnosis, files, again }: ClosingOptions): string[] {
  const [first] = broken.filter(({ runEffect }) => runEffect === 'fails');
  const report = files.find((path) => path.endsWith('report.html')) ?? files.find((path) => path.endsWith('summary.md'));
  const parts = [startText(first, diagnosis), report === undefined ? '' : `Full report: ${report}`].filter((part) => part !== '');
  const commands = again === undefined || first === undefined ? [] : [`Only these again: ${again}`];
  const joined = [...parts, ...commands].join('   ');
  if (joined === '') return [];
  // A command to copy stays on one line, however long it is.
  const lines = columns(joined) <= page.width ? [joined] : [...parts.flatMap((part) => hanging(part, page.width)), ...commands];
  return first === undefined && page.record.clauses.length > 0 ? lines : ['', ...lines];
}

function startText(first: BrokenClause | undefined, diagnosis: Diagnosis | undefined): string {
  if (first === undefined) return '';
  const at = causeAt(diagnosis, first.clause.id);
  const cause = diagnosis?.causes[at];
  if (cause === undefined) return `Start with ${first.clause.id}${whyFirst(first)}`;
  return `Start with ${diagnosis?.causes.length === 1 ? 'this' : at + 1}: ${oneLine(cause.advice)}`;
}
