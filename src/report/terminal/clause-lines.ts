import { stripVTControlCharacters } from 'node:util';
import type { Diagnosis } from '../../diagnosis/cause.ts';
import {
  acceptedText,
  areAcceptedBodies,
  type BrokenClause,
  caseText,
  consequenceText,
  describeBroken,
  expectedText,
  extentOf,
  hiddenCases,
  likelyOf,
  timesText,
  twinText,
  waitingText,
  waitsText,
  whenText,
} from '../broken-clauses.ts';
import { columns, pad, wrap } from '../columns.ts';
import { blockLines, contrastFields, exchangeFields } from '../failure-block.ts';
import { causeAt } from '../likely-causes.ts';
import { count, LONGEST_COMMAND, oneLine, plain } from '../text.ts';
import { tryCommand } from '../try-command.ts';
import { flow, hanging, indented, NARROW, type Page, table, truncate } from './page.ts';

type Detail = {
  readonly cases: number;
  readonly requirement: boolean;
  readonly cause: boolean;
  readonly command: boolean;
  readonly exchanges: boolean;
};

const VERBOSE: Detail = {
  cases: Number.POSITIVE_INFINITY,
  requirement: true,
  cause: true,
  command: false,
  exchanges: true,
};
/** From least to most. */
const DETAILS: readonly [Detail, ...Detail[]] = [
  { cases: 1, requirement: false, cause: false, command: false, exchanges: false },
  { cases: 1, requirement: false, cause: true, command: false, exchanges: false },
  { cases: 1, requirement: false, cause: true, command: true, exchanges: false },
  { cases: 2, requirement: false, cause: true, command: true, exchanges: false },
  { cases: 3, requirement: false, cause: true, command: true, exchanges: false },
  { cases: 4, requirement: true, cause: true, command: true, exchanges: false },
  { cases: 6, requirement: true, cause: true, command: true, exchanges: false },
];
/** The priority of room: the first ones get a command before all get a likely cause, and all get that before any gets more. */
const BLOCKS_IN_DETAIL = 3;
const STEPS: readonly { readonly level: number; readonly blocks: number }[] = [
  { level: 2, blocks: BLOCKS_IN_DETAIL },
  ...[1, 2, 3, 4, 5, 6].map((level) => ({ level, blocks: Number.POSITIVE_INFINITY })),
];
/** The first blocks quote the requirement; of the others, the finding says enough. */
const BLOCKS_WITH_REQUIREMENT = 2;
/** Shown with their findings, however many are broken. */
const MOST_BLOCKS = 20;
const LABEL = 16;
/** Of so many cases, those that look different are shown. */
const MOST_COMPARED = 50;
/** Columns for a service's error message, and for an animal. */
const LONGEST_MESSAGE = 62;
const LONGEST_RECORD = 36;

export type ClauseOptions = {
  readonly verbose: boolean;
  readonly diagnosis: Diagnosis | undefined;
  /** Terminal rows of all blocks together before they are shortened. */
  readonly room: number;
};

/** One block per broken clause, each an array of lines beginning with its heading, and what there was no room for. */
export type ClauseBlocks = { readonly blocks: readonly string[][]; readonly leftOut: readonly string[] };

const LEFT_OUT_ROWS = 3;

/** If many clauses are broken, the first ones show more: each has its likely cause before any has its command. */
export function clauseBlocks(broken: readonly BrokenClause[], page: Page, options: ClauseOptions): ClauseBlocks {
  if (options.verbose) return { blocks: broken.map((one) => block(one, page, { ...options, detail: VERBOSE })), leftOut: [] };
  const shown = broken.slice(0, MOST_BLOCKS);
  const [least] = DETAILS;
  const detailOf = (level: number, index: number): Detail => {
    const detail = DETAILS[level] ?? least;
    return { ...detail, requirement: detail.requirement && index < BLOCKS_WITH_REQUIREMENT };
  };
  const levels = shown.map(() => 0);
  const blocks = shown.map((one) => block(one, page, { ...options, detail: least }));
  let used = blocks.reduce((sum, lines) => sum + 1 + rowsOf(lines, page), LEFT_OUT_ROWS);
  for (const { level, blocks: most } of STEPS) {
    for (const [index, one] of shownCausesLast(shown.slice(0, most), options.diagnosis)) {
      if ((levels[index] ?? 0) >= level) continue;
      const longer = block(one, page, { ...options, detail: detailOf(level, index) });
      const grown = used + rowsOf(longer, page) - rowsOf(blocks[index] ?? [], page);
      if (grown > options.room) continue;
      used = grown;
      blocks[index] = longer;
      levels[index] = level;
    }
  }
  const details = levels.map((level) => DETAILS[level] ?? least);
  return { blocks, leftOut: leftOutLines(broken, details, page) };
}

/** The blocks with their positions: those with a cause that an earlier block shows come last. */
function shownCausesLast(
  shown: readonly BrokenClause[],
  diagnosis: Diagnosis | undefined,
): readonly (readonly [index: number, one: BrokenClause])[] {
  const causes = shown.map(({ clause }) => causeAt(diagnosis, clause.id));
  const isAgain = (index: number): boolean => causes[index] !== -1 && causes.indexOf(causes[index] ?? -1) < index;
  return [...shown.entries()].toSorted(([one], [other]) => Number(isAgain(one)) - Number(isAgain(other)) || one - other);
}

/** What the blocks leave out, so that nothing is dropped silently. */
function leftOutLines(broken: readonly BrokenClause[], details: readonly Detail[], page: Page): string[] {
  const repairs = details.filter((_detail, index) => broken[index]?.consequenceOf === undefined && broken[index]?.repeats === undefined);
  const parts = [
    ['likely', repairs.filter(({ cause }) => !cause).length],
    ['try', repairs.filter(({ command }) => !command).length],
  ] as const;
  const missing = parts.flatMap(([label, number]) => (number === 0 ? [] : [`"${label}" of ${number}`]));
  const hidden = broken.length - details.length;
  const said = [
    ...(missing.length === 0 ? [] : [`no room for ${missing.join(' and ')} of these`]),
    ...(hidden === 0 ? [] : [`and ${count(hidden, 'more broken requirement')}`]),
  ];
  return said.length === 0 ? [] : hanging(`${said.join(', ')}: --verbose or report.html`, page.width);
}

export function warningLines(warnings: readonly BrokenClause[], page: Page): string[] {
  if (warnings.length === 0) return [];
  return [
    page.paint('bold', page.paint('yellow', count(warnings.length, 'warning'))),
    ...warnings.flatMap((one) => hanging(`! ${one.clause.id} (${oneLine(one.clause.section, 200)}): ${describeBroken(one)}`, page.width)),
  ];
}

/** The terminal rows that lines take: a command stays on one line, so that it can be copied. */
export function rowsOf(lines: readonly string[], { width }: Page): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(columns(stripVTControlCharacters(line)) / width)), 0);
}

type BlockOptions = ClauseOptions & { readonly detail: Detail };

function block(broken: BrokenClause, page: Page, options: BlockOptions): string[] {
  const { detail } = options;
  const { consequenceOf, repeats } = broken;
  const isShown = consequenceOf === undefined && repeats === undefined;
  return [
    ...heading(broken, page),
    ...indented(foundText(broken), page.width),
    ...labelled('when', whenText(broken.clause), page),
    ...labelled('waivers', oneLine(broken.besideWaivers, 500), page),
    ...labelled('consequence', consequenceText(broken), page),
    ...(repeats === undefined ? [] : labelled('shown by', `the same responses as ${repeats}`, page)),
    // What another repair fixes, or another block shows, is not shown in detail.
    ...(isShown || detail.exchanges ? detailLines(broken, page, options) : []),
  ];
}

function detailLines(broken: BrokenClause, page: Page, options: BlockOptions): string[] {
  const { detail } = options;
  const { clause } = broken;
  const cases = caseLines(broken, page, detail);
  const required = [
    ...(detail.requirement ? labelled('requirement', clause.requirement, page) : []),
    ...(detail.exchanges && clause.derivation !== undefined ? labelled('follows from', clause.derivation, page) : []),
  ];
  return [
    // Cases of one line each go on from the first one, and whole exchanges follow what they are about.
    ...(detail.exchanges ? [...required, ...cases] : [...cases, ...required]),
    ...(detail.cases > 1 ? labelled('passes', twinText(broken.contrast, page.record, page.width - LABEL), page) : []),
    ...(SAYS_EXPECTED.test(foundText(broken)) ? [] : labelled('expected', expectedText(broken), page)),
    ...(detail.cause ? labelled('likely', likelyOf(broken, options.diagnosis), page) : []),
    ...(detail.command ? commandLines(broken, page, options.diagnosis) : []),
  ];
}

/** The first line has said it. */
const SAYS_EXPECTED = /\bexpected\b/;

function heading(broken: BrokenClause, page: Page): string[] {
  const { clause, runEffect } = broken;
  const [word, style] = runEffect === 'fails' ? (['FAIL', 'red'] as const) : (['WARN', 'yellow'] as const);
  const name = `${word} ${oneLine(clause.id, 100)}`;
  const place = `${clause.level}${clause.flaky === true ? ', flaky' : ''}, "${oneLine(clause.section, 200)}"`;
  const waits = waitingText(broken);
  const painted = page.paint('bold', page.paint(style, name));
  const left = columns(name) + 3 + columns(place);
  if (left + (waits === '' ? 0 : 2 + columns(waits)) <= page.width) {
    const gap = ' '.repeat(Math.max(0, page.width - left - columns(waits)));
    return [`${painted}   ${page.paint('dim', place)}${waits === '' ? '' : gap + page.paint('bold', waits)}`];
  }
  const lines = wrap(name, page.width).map((line) => page.paint('bold', page.paint(style, line)));
  const about = [
    ...indented(place, page.width).map((line) => page.paint('dim', line)),
    ...(waits === '' ? [] : [`  ${page.paint('bold', waits)}`]),
  ];
  return [...lines, ...about];
}

/** The number of cases and the first one, or only the number if the cases below say it. */
function foundText(broken: BrokenClause): string {
  const extent = extentOf(broken);
  if (extent === undefined) return broken.found;
  return areAcceptedBodies(broken.cases) ? extent : `${extent}: ${broken.found}`;
}

function caseLines(broken: BrokenClause, page: Page, detail: Detail): string[] {
  const { cases, found } = broken;
  if (detail.exchanges) return exchangeLines(broken, page);
  const width = page.width - 4;
  if (areAcceptedBodies(cases)) {
    const hidden = hiddenCases(broken);
    const texts = [
      ...cases.map((one) => truncate(acceptedText(one, page.record), width - columns(timesText(one))) + timesText(one)),
      ...(hidden > 0 ? [`and ${hidden} more in report.json`] : []),
    ];
    return flow(texts, { width, lines: Math.ceil((detail.cases + 1) / 2) }).map((line) => `    ${line}`);
  }
  const rows = cases.slice(0, MOST_COMPARED).map((one) => caseText(one, page.record));
  // A finding that is the whole row has been shown already.
  const telling = rows.filter(({ request, status }) => status !== '' || request !== found);
  const lines = table(
    telling.map(({ request, status, received }) => (status === '' ? [request] : [request, status, received])),
    // The service's error message is evidence; for accepted bodies, the request is.
    {
      width,
      first: Math.max(16, Math.floor(width * 0.34)),
      last: telling.some(({ status }) => /^[45]/.test(status)) ? LONGEST_MESSAGE : LONGEST_RECORD,
      shorter: createRequestShortener(telling.map(({ request }) => request)),
    },
  );
  // Cases that look the same tell a reader nothing new.
  return [...new Set(lines)].slice(0, Math.max(0, detail.cases - (rows.length - telling.length))).map((line) => `    ${line}`);
}

const NAME = /(?<=\{)"name":"…",/;
const CATEGORY = /"categoryId":-?\d+,/;

/** Shortens creations that are too long by members that tell nothing: a generated name, and a category that all of these requests have. */
export function createRequestShortener(requests: readonly string[]): (request: string, most: number) => string {
  const categories = new Set(requests.map((request) => CATEGORY.exec(request)?.[0]));
  const incidental = categories.size === 1 ? [NAME, CATEGORY] : [NAME];
  return (request, most) =>
    incidental.reduce((text, member) => (columns(text) > most ? text.replace(member, '…,') : text), request).replace('{…,…,', '{…,');
}

/** Every case with its request and response in full, and those whose exchanges are not kept in one line each. */
function exchangeLines(broken: BrokenClause, page: Page): string[] {
  const { cases, contrast } = broken;
  const paint = {
    width: page.width - 4,
    label: (text: string) => page.paint('cyan', text),
    code: (text: string) => page.paint('dim', text),
  };
  const hidden = hiddenCases(broken);
  return [
    ...cases.flatMap((one) => [
      '',
      ...indented(oneLine(one.summary) + timesText(one), page.width, 4),
      ...(one.exchange === undefined
        ? []
        : blockLines(exchangeFields(one.finding), paint).map((line) => (line === '' ? '' : `    ${line}`))),
    ]),
    ...(hidden > 0 ? ['', `    and ${hidden} more in report.json`] : []),
    ...(contrast === undefined ? [] : ['', ...blockLines(contrastFields(contrast), paint).map((line) => `    ${line}`)]),
    '',
  ];
}

function commandLines(broken: BrokenClause, page: Page, diagnosis: Diagnosis | undefined): string[] {
  const command = tryCommand(broken, diagnosis);
  if (command === undefined) return [];
  const [first = '', ...rest] = plain(command, LONGEST_COMMAND).split('\n');
  const label = page.paint('cyan', pad('try', LABEL - 2));
  return page.width < NARROW ? [`  ${label.trimEnd()}`, first, ...rest] : [`  ${label}${first}`, ...rest];
}

function labelled(label: string, text: string, page: Page): string[] {
  if (text === '') return [];
  const isBesideLabel = page.width >= NARROW;
  const indent = isBesideLabel ? LABEL : 4;
  const lines = wrap(oneLine(text), page.width - indent);
  if (!isBesideLabel) return [`  ${page.paint('cyan', label)}`, ...lines.map((line) => ' '.repeat(indent) + line)];
  const [first = '', ...rest] = lines;
  return [`  ${page.paint('cyan', pad(label, LABEL - 2))}${first}`, ...rest.map((line) => ' '.repeat(indent) + line)];
}

/** A broken clause in one line, for the list at the end. */
export function listRow(broken: BrokenClause): readonly [id: string, found: string, waits: string] {
  return [oneLine(broken.clause.id, 60), describeBroken(broken), waitsText(broken)];
}
