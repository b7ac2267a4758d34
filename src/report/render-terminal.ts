import { styleText } from 'node:util';
import { VERDICTS, type Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { blockLines } from './block-text.ts';
import { groupBlocked, namedChecks } from './blocked.ts';
import { failureBlock, SHORT_BLOCK } from './failure-block.ts';
import { inertText } from './inert.ts';
import {
  type Counts,
  chaptersOf,
  countVerdicts,
  describeClauses,
  describeCounts,
  failuresOf,
  type Judged,
  requestsOf,
  standing,
  standingOf,
  VERDICT_WORDS,
  withVerdict,
} from './tally.ts';
import { count, duration, oneLine, pad, plain, wrap } from './text.ts';

export type TerminalOptions = {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Where the report files are, when any were written. */
  readonly reports?: string;
};

const NARROWEST = 40;
/** Prose is not made wider than this, however wide the terminal. */
const WIDEST = 120;
const FEWEST_COLUMNS_FOR_WORDS = 68;
const LISTED_REASONS = 20;

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
type Page = { readonly record: RunRecord; readonly width: number; readonly paint: (style: Style, text: string) => string };

/** The final report of a run for a person at a terminal. */
export function renderTerminal(record: RunRecord, options: TerminalOptions): string {
  const page: Page = {
    record,
    width: Math.min(WIDEST, Math.max(NARROWEST, options.width)),
    paint: (style, text) => (options.color && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  };
  const sections = [
    chapterTable(page),
    ...failuresOf(record).map((judged) => failureLines(judged, page)),
    reasonList(page, 'waived'),
    reasonList(page, 'inconclusive'),
    noticeLines(page),
    summaryLines(page, options.reports),
    conclusionLines(page),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
  return `${inertText(text)}\n`;
}

const WIDE_HEADS: Readonly<Record<Verdict, string>> = { ...VERDICT_WORDS, 'not-applicable': 'n/a' };
const SHORT_HEADS: Readonly<Record<Verdict, string>> = {
  pass: 'ok',
  fail: 'fail',
  inconclusive: 'inc',
  'not-applicable': 'n/a',
  observed: 'obs',
  waived: 'wvd',
};
const MARKS: Readonly<Record<Verdict, { mark: string; style: Style }>> = {
  pass: { mark: '✓', style: 'green' },
  fail: { mark: '✗', style: 'red' },
  inconclusive: { mark: '?', style: 'yellow' },
  'not-applicable': { mark: '–', style: 'dim' },
  observed: { mark: '·', style: 'cyan' },
  waived: { mark: '~', style: 'yellow' },
};

function chapterTable(page: Page): string[] {
  const wide = page.width >= FEWEST_COLUMNS_FOR_WORDS;
  const heads = VERDICTS.map((verdict) => (wide ? WIDE_HEADS : SHORT_HEADS)[verdict]);
  const widths = heads.map((head) => head.length + (wide ? 2 : 1));
  const first = wide ? 18 : 14;
  const head = ' '.repeat(2 + first) + heads.map((text, index) => pad(text, widths[index] ?? 0, 'left')).join('');
  const rows = chaptersOf(page.record).map(({ chapter, clauses }) => {
    const counts = countVerdicts(clauses);
    const breaks = clauses.some((clause) => standing(clause.verdict, clause.level, page.record.options.strict) === 'fails');
    const { mark, style } = MARKS[worstOf(counts, breaks)];
    const cells = VERDICTS.map((verdict, index) => cell(page, { verdict, amount: counts[verdict], width: widths[index] ?? 0 }));
    return `${page.paint(style, mark)} ${pad(chapter, first)}${cells.join('')}`;
  });
  return [page.paint('dim', head), ...rows];
}

function cell(page: Page, { verdict, amount, width }: { verdict: Verdict; amount: number; width: number }): string {
  if (amount === 0) return page.paint('dim', pad('-', width, 'left'));
  return verdict === 'pass' ? pad(String(amount), width, 'left') : page.paint(MARKS[verdict].style, pad(String(amount), width, 'left'));
}

function worstOf(counts: Counts, breaks: boolean): Verdict {
  if (breaks) return counts.fail > 0 ? 'fail' : 'inconclusive';
  if (counts.inconclusive > 0) return 'inconclusive';
  if (counts.waived > 0) return 'waived';
  if (counts.pass > 0) return 'pass';
  return counts.observed > 0 ? 'observed' : 'not-applicable';
}

function failureLines(judged: Judged, page: Page): string[] {
  const fails = standingOf(judged, page.record) === 'fails';
  const block = failureBlock(judged, SHORT_BLOCK);
  const style = fails ? 'red' : 'yellow';
  return [
    ...wrap(`${fails ? 'FAIL' : 'WARN'} ${block.id}`, page.width).map((line) => page.paint('bold', page.paint(style, line))),
    ...wrap(oneLine(judged.check.title), page.width).map((line) => page.paint('bold', line)),
    ...blockLines(block, { width: page.width, label: (text) => page.paint('cyan', text), code: (text) => page.paint('dim', text) }),
  ];
}

function reasonList(page: Page, verdict: 'waived' | 'inconclusive'): string[] {
  const judged = withVerdict(page.record, verdict);
  if (judged.length === 0) return [];
  const head = page.paint('bold', page.paint('yellow', `${count(judged.length, 'check')} ${verdict}`));
  const { groups, single } = groupBlocked(judged);
  const { mark } = MARKS[verdict];
  const lines = [
    ...groups.map((group) => `${mark} blocked by ${group.by}: ${namedChecks(group.judged)}`),
    ...single.slice(0, LISTED_REASONS).map(({ check }) => {
      const blocked = check.blockedBy === undefined ? '' : `blocked by ${check.blockedBy}: `;
      return `${mark} ${check.id}: ${oneLine(blocked + check.note, 240)}`;
    }),
    ...(single.length > LISTED_REASONS ? [`  and ${single.length - LISTED_REASONS} more`] : []),
  ];
  return [head, ...lines.flatMap((line) => hanging(line, page.width))];
}

function noticeLines(page: Page): string[] {
  return page.record.notices.flatMap((notice) => hanging(`! ${oneLine(notice)}`, page.width));
}

function hanging(text: string, width: number): string[] {
  return wrap(text, width - 2).map((line, index) => (index === 0 ? line : `  ${line}`));
}

function summaryLines(page: Page, reports: string | undefined): string[] {
  const { record } = page;
  const { created, ambiguous, budget, prefix } = record.animals;
  const animals = [
    `${created.length} created (of ${budget} allowed, prefix "${oneLine(prefix, 60)}")`,
    ...(ambiguous.length > 0 ? [`${ambiguous.length} more may exist: their creation got no answer`] : []),
  ].join('; ');
  const rows: readonly (readonly [label: string, text: string | undefined])[] = [
    ['target', `${plain(record.target.baseUrl, 300)}${record.target.reference ? ' (reference server)' : ''}`],
    ['clauses', describeClauses(record)],
    ['checks', describeCounts(countVerdicts(record.checks))],
    ['requests', `${requestsOf(record)} in ${duration(record.duration)}`],
    ['animals', animals],
    ['seed', String(record.options.seed)],
    ['reports', reports],
  ];
  return rows.flatMap(([label, text]) => {
    if (text === undefined) return [];
    const [first = '', ...rest] = wrap(text, page.width - 10);
    return [page.paint('dim', pad(label, 10)) + first, ...rest.map((line) => ' '.repeat(10) + line)];
  });
}

function conclusionLines(page: Page): string[] {
  const { conclusion } = page.record;
  const style = conclusion.exitCode === 0 ? 'green' : 'red';
  return [
    ...wrap(oneLine(conclusion.headline), page.width).map((line) => page.paint('bold', page.paint(style, line))),
    ...conclusion.reasons.flatMap((reason) => hanging(`- ${oneLine(reason)}`, page.width)),
  ];
}
