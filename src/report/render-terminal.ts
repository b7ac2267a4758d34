import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import { type BrokenClause, brokenClauses, waivedClauses, waivedTexts } from './broken-clauses.ts';
import { columns, pad, wrap } from './columns.ts';
import { givenName, isHardlyJudged } from './headline.ts';
import { inertMarks, inertText } from './inert.ts';
import { CHAPTER_COLUMNS, type ChapterColumn, chapterCounts, columnWord, describeGroup, inconclusiveGroups, undecidedIn } from './tally.ts';
import { clauseBlocks, rowsOf, warningLines } from './terminal/clause-lines.ts';
import { closingLines } from './terminal/closing-lines.ts';
import { createPage, flow, hanging, type Page, type Style } from './terminal/page.ts';
import { count, LONGEST_COMMAND, oneLine } from './text.ts';

export type TerminalOptions = {
  readonly color: boolean;
  /** Columns. */
  readonly width: number;
  /** `verbose`: every exchange; `quiet`: only the last screen. */
  readonly detail?: 'short' | 'verbose' | 'quiet';
  readonly files?: readonly string[];
  /** The command line that sends again what showed clauses broken. */
  readonly again?: string;
  /** The command that starts the server again that ended with the run and that the commands in the report need. */
  readonly server?: ServerAgain;
  readonly diagnosis?: Diagnosis;
  readonly groups?: boolean;
};

const NARROWEST = 40;
/** However wide the terminal. */
const WIDEST = 120;
const LISTED_GROUPS = 8;
/** Rows of a terminal for a server with a handful of defects. */
const MOST_ROWS = 180;

/** A part of the report; one with a title may be collapsed below it. */
type Section = { readonly title?: string; readonly lines: readonly string[] };

/** Which server has ended, as the beginning of a sentence that a colon ends, and the command. */
export type ServerAgain = { readonly sentence: string; readonly command: string };

export function renderTerminal(record: RunRecord, options: TerminalOptions): string {
  const { color, diagnosis, detail = 'short', files = [], again, server, groups = false } = options;
  const page = createPage(record, { width: Math.min(WIDEST, Math.max(NARROWEST, options.width)), color });
  const isHardly = detail !== 'verbose' && isHardlyJudged(record);
  const isUnjudged = isHardly && record.conclusion.exitCode === EXIT_CODES.unjudged;
  const broken = isUnjudged ? [] : brokenClauses(record, diagnosis);
  const verbose = detail === 'verbose';
  // With --verbose, each warning has its own block.
  const failing = verbose ? broken : broken.filter(({ runEffect }) => runEffect === 'fails');
  const warnings = broken.filter((one) => !failing.includes(one));
  const before = [openingLines(page), isHardly ? [] : chapterLines(page)];
  const after = [warningLines(warnings, page), waivedLines(page), isUnjudged ? [] : inconclusiveLines(page, verbose), noticeLines(page)];
  const closing = closingLines(page, { broken, diagnosis, files, again, isAlone: detail === 'quiet' });
  const room = MOST_ROWS - [...before, ...after, closing].reduce((sum, lines) => sum + 1 + rowsOf(lines, page), 0);
  const { blocks, leftOut } = clauseBlocks(failing, page, { verbose, diagnosis, room });
  const sections: readonly Section[] =
    detail === 'quiet'
      ? [{ lines: closing }]
      : [
          ...before.map((lines) => ({ lines })),
          { lines: blocks.length === 0 || server === undefined ? [] : [...hanging(server.sentence, page.width), server.command] },
          ...blocks.map((lines, index) => foldable(lines, failing[index])),
          { lines: leftOut },
          ...after.map((lines) => ({ lines })),
          { lines: closing },
        ];
  return `${sections
    .filter(({ lines }) => lines.length > 0)
    .map((section) => sectionText(section, groups))
    .join('\n\n')}\n`;
}

function foldable(lines: readonly string[], broken: BrokenClause | undefined): Section {
  if (broken === undefined) return { lines };
  return { lines, title: `${broken.runEffect === 'fails' ? 'FAIL' : 'WARN'} ${broken.clause.id}: ${broken.found}` };
}

/** The lines as one text in which nothing from a service is a CI command. */
function sectionText({ title, lines }: Section, groups: boolean): string {
  const text = inertText(lines.join('\n'));
  return groups && title !== undefined ? `::group::${inertMarks(oneLine(title, 300))}\n${text}\n::endgroup::` : text;
}

function openingLines(page: Page): string[] {
  const { tool, target, options } = page.record;
  const parts = [
    `${tool.name} ${oneLine(tool.version, 40)}`,
    ...givenName(page.record),
    `${oneLine(target.baseUrl, 300)}${target.reference ? ' (reference server)' : ''}`,
    `depth ${oneLine(options.depth, 40)}`,
    `seed ${options.seed}`,
  ];
  const lines = flow(parts, { width: page.width, lines: parts.length });
  return lines.flatMap((line) => wrap(line, page.width)).map((line) => page.paint('dim', line));
}

function waivedLines(page: Page): string[] {
  const waived = waivedClauses(page.record);
  if (waived.length === 0) return [];
  const head = `${count(waived.length, 'requirement')} waived: broken, known, and not failing the run`;
  const lines = waived.flatMap(({ clause }) => waivedTexts(clause).map((said) => `~ ${clause.id}: ${oneLine(said, 240)}`));
  return [
    ...wrap(head, page.width).map((line) => page.paint('bold', page.paint('yellow', line))),
    ...lines.flatMap((line) => hanging(line, page.width)),
  ];
}

function inconclusiveLines(page: Page, verbose: boolean): string[] {
  const amount = undecidedIn(page.record).length;
  if (amount === 0) return [];
  const groups = inconclusiveGroups(page.record);
  const shown = verbose ? groups : groups.slice(0, LISTED_GROUPS);
  const hidden = groups.slice(shown.length).reduce((sum, { situations }) => sum + situations.length, 0);
  const head = `${count(amount, 'situation')} undecided`;
  return [
    page.paint('bold', page.paint('yellow', head)),
    ...shown.flatMap((group) => hanging(`? ${describeGroup(group)}`, page.width)),
    ...(hidden > 0 ? [`  and ${count(hidden, 'more situation')}: --verbose or report.html`] : []),
  ];
}

/** A notice that ends with a command, which stays on one line so that it can be copied; a service can't write the start of a notice. */
const WITH_COMMAND = /^(Try .*)\n(curl .*)$/;

function noticeLines(page: Page): string[] {
  return page.record.notices.slice(0, 20).flatMap((notice) => {
    const [, sentence = notice, command] = WITH_COMMAND.exec(notice) ?? [];
    return [...hanging(`! ${oneLine(sentence)}`, page.width), ...(command === undefined ? [] : [oneLine(command, LONGEST_COMMAND)])];
  });
}

/** A chapter has the mark of its worst result; the worst comes first. */
const MARKS: readonly (readonly [column: ChapterColumn, mark: string, style: Style])[] = [
  ['failed', '✗', 'red'],
  ['warnings', '!', 'yellow'],
  ['inconclusive', '?', 'yellow'],
  ['waived', '~', 'yellow'],
  ['passed', '✓', 'green'],
  ['observed', '·', 'cyan'],
  ['notApplicable', '–', 'dim'],
];

/** What a reader who has something to repair does not look for. */
const NOT_PASSED_COLUMNS = ['failed', 'warnings', 'inconclusive', 'waived'] as const satisfies readonly ChapterColumn[];
const OF_GREEN_RUNS: readonly ChapterColumn[] = ['notApplicable', 'observed', 'situationsUndecided'];

/** One line per chapter: how many of its clauses passed, failed, only warn, and so on; of a run with failures, the chapters that are not well. */
function chapterLines(page: Page): string[] {
  const all = chapterCounts(page.record);
  const fails = all.some(({ counts }) => counts.failed > 0);
  const chapters = fails ? all.filter(({ counts }) => NOT_PASSED_COLUMNS.some((column) => counts[column] > 0)) : all;
  const first = Math.max(0, ...chapters.map(({ chapter }) => chapter.length));
  const shown = CHAPTER_COLUMNS.filter((column) => !(fails && OF_GREEN_RUNS.includes(column)));
  const present = shown.filter((column) => chapters.some(({ counts }) => counts[column] > 0));
  const widths = new Map(
    present.map((column) => [column, Math.max(...chapters.map(({ counts }) => columns(cell(column, counts[column]))))]),
  );
  const isAligned = 2 + first + [...widths.values()].reduce((sum, width) => sum + 2 + width, 0) <= page.width;
  return chapters.flatMap(({ chapter, counts }) => {
    const [, mark = '', style = 'dim'] = MARKS.find(([column]) => counts[column] > 0) ?? [];
    const head = `${page.paint(style, mark)} ${pad(chapter, first)}`;
    if (isAligned) {
      const cells = present.map((column) => painted(page, column, pad(cell(column, counts[column]), widths.get(column) ?? 0)));
      return [`${head}  ${cells.join('  ')}`.trimEnd()];
    }
    const said = present.filter((column) => counts[column] > 0).map((column) => cell(column, counts[column]).trim());
    const [line = '', ...rest] = wrap(said.join(', '), page.width - first - 4);
    return [`${head}  ${line}`, ...rest.map((one) => ' '.repeat(first + 4) + one)];
  });
}

function cell(column: ChapterColumn, amount: number): string {
  return amount === 0 ? '' : `${pad(String(amount), 2, 'left')} ${columnWord(column, amount)}`;
}

function painted(page: Page, column: ChapterColumn, text: string): string {
  const [, , style = 'dim'] = MARKS.find(([name]) => name === column) ?? [];
  return column === 'passed' || text.trim() === '' ? text : page.paint(style, text);
}
