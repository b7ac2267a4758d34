import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import {
  acceptedText,
  areAcceptedBodies,
  type BrokenClause,
  brokenClauses,
  caseText,
  type DistinctCase,
  describeBroken,
  expectedText,
  hiddenCases,
  likelyOf,
  timesText,
  twinText,
  waitingText,
  waitsText,
  waivedClauses,
  waivedTexts,
  whenText,
} from './broken-clauses.ts';
import { type BlockField, contrastFields, exchangeFields } from './failure-block.ts';
import { costText, givenName, headline, judgedText, otherReasons } from './headline.ts';
import { shownStatusOf } from './html/status.ts';
import { causesHead } from './likely-causes.ts';
import { codeBlock, details, fitParts, inlineCode, type Part, prose, proseWithCode, signOf, table } from './markdown.ts';
import { CHAPTER_COLUMNS, chapterCounts, columnWord, describeGroup, inconclusiveGroups } from './tally.ts';
import { count, oneLine } from './text.ts';

/** GitHub's limit for the summary of a step, in bytes. */
export const STEP_SUMMARY_LIMIT = 1_048_576;
/** GitHub's limit for a comment, in characters; applied to bytes here, which are never fewer. */
export const COMMENT_LIMIT = 65_536;

export type MarkdownOptions = { /** The maximum size in bytes. */ readonly limit?: number; readonly diagnosis?: Diagnosis };

const LISTED_CLAUSES = 100;
const LISTED_CASES = 6;
const LISTED_ROWS = 60;

/** A summary in GitHub's Markdown, with broken clauses first, that by default fits a comment. */
export function renderMarkdown(record: RunRecord, { limit = COMMENT_LIMIT, diagnosis }: MarkdownOptions = {}): string {
  const broken = brokenClauses(record, diagnosis);
  const hidden = broken.length - LISTED_CLAUSES;
  return fitParts(
    [
      always(headOf(record)),
      always(causesOf(diagnosis)),
      ...broken.slice(0, LISTED_CLAUSES).map((one) => clausePart(one, record, diagnosis)),
      ...(hidden > 0 ? [always(`${count(hidden, 'more broken requirement')} in report.html`)] : []),
      always(chapterTable(record)),
      waivedPart(record),
      inconclusivePart(record),
      observationPart(record),
      { full: record.notices.map((notice) => `- ${prose(notice)}`).join('\n'), brief: '' },
    ],
    limit,
  );
}

function always(text: string): Part {
  return { full: text, brief: text };
}

function headOf(record: RunRecord): string {
  const { conclusion, target, tool, options } = record;
  const facts = [
    ...givenName(record).map((name) => prose(name, 120)),
    `${inlineCode(target.baseUrl)}${target.reference ? ' (reference server)' : ''}`,
    ...(record.clauses.length === 0 ? [] : [judgedText(record)]),
    costText(record),
    `seed ${options.seed}`,
    `petstore-conformance ${prose(tool.version, 40)}`,
  ];
  const mark = conclusion.exitCode === EXIT_CODES.conformant ? '✅' : '❌';
  const reasons = otherReasons(record)
    .slice(0, 20)
    .map((reason) => `- ${prose(reason, 300)}`);
  return [`## ${mark} ${prose(headline(record), 400)}`, '', facts.join(' · '), ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n');
}

function causesOf(diagnosis: Diagnosis | undefined): string {
  const causes = diagnosis?.causes ?? [];
  if (causes.length === 0) return '';
  const lines = causes.map((cause, index) => {
    const waits = cause.waiting === 0 ? '' : `, ${waitsText(cause)}`;
    const explained = cause.explains.map((id) => inlineCode(id));
    return `${index + 1}. **${prose(cause.title, 200)}** (${explained.join(', ')}${waits}): ${prose(cause.advice)}`;
  });
  return [`**${causesHead(causes)}**`, '', ...lines].join('\n');
}

function clausePart(broken: BrokenClause, record: RunRecord, diagnosis: Diagnosis | undefined): Part {
  const { clause, cases, runEffect, contrast } = broken;
  const waits = waitingText(broken);
  const head = `### ${runEffect === 'fails' ? '❌' : '⚠️'} ${inlineCode(clause.id)}${waits === '' ? '' : ` · ${waits}`}`;
  const found = `**${prose(describeBroken(broken), 300)}**`;
  const likely = likelyOf(broken, diagnosis);
  const when = whenText(clause);
  const twin = twinText(contrast, record, 400);
  const shown = cases.slice(0, LISTED_CASES);
  const first = shown.find(({ exchange }) => exchange !== undefined);
  return {
    full: [
      head,
      '',
      found,
      '',
      ...(when === '' ? [] : [`- when: ${proseWithCode(when)}`]),
      ...(broken.besideWaivers === '' ? [] : [`- waivers: ${prose(broken.besideWaivers, 500)}`]),
      ...(twin === '' ? [] : [`- passes: ${inlineCode(twin, 400)}`]),
      `- requirement (${clause.level}, “${prose(clause.section, 200)}”): ${prose(clause.requirement)}`,
      ...(clause.derivation === undefined ? [] : [`- follows from: ${prose(clause.derivation)}`]),
      `- expected: ${prose(expectedText(broken), 500)}`,
      ...(likely === '' ? [] : [`- likely cause: ${prose(likely)}`]),
      ...(clause.musts.length > 1 ? ['', details('situations', mustList(broken, record))] : []),
      ...(shown.length > 1 ? ['', details('cases', caseList(broken, record))] : []),
      ...(first === undefined
        ? []
        : [
            '',
            details(
              'an exchange, and how to send it again',
              [...exchangeFields(first.finding), ...contrastFields(contrast)].map(fieldMarkdown).join('\n\n'),
            ),
          ]),
    ].join('\n'),
    brief: `${head}\n\n${found}`,
  };
}

function mustList({ clause: { musts, level } }: BrokenClause, { options }: RunRecord): string {
  const rows = musts.slice(0, LISTED_ROWS).map((must) => {
    const said = must.verdict === 'inconclusive' ? `: ${prose(must.note, 200)}` : '';
    return `- ${signOf(shownStatusOf({ ...must, level }, options))} ${prose(must.title, 200)}${said}`;
  });
  return [...rows, ...more(musts.length)].join('\n');
}

function caseList({ cases, total }: BrokenClause, record: RunRecord): string {
  const accepted = areAcceptedBodies(cases);
  const shown = cases.slice(0, LISTED_CASES);
  const hidden = hiddenCases({ cases: shown, total });
  const rows = shown.map((one) => `- ${accepted ? inlineCode(acceptedText(one, record), 400) : caseRow(one, record)}${timesText(one)}`);
  return [...rows, ...(hidden > 0 ? [`- and ${hidden} more in report.json`] : [])].join('\n');
}

function caseRow(one: DistinctCase, record: RunRecord): string {
  const { request, status, received } = caseText(one, record);
  if (status === '') return prose(request, 400);
  return `${inlineCode(request, 300)} → ${status} ${inlineCode(received, 300)}`;
}

function fieldMarkdown(field: BlockField): string {
  switch (field.kind) {
    case 'text':
      return `${field.label}: ${prose(field.text)}`;
    case 'list':
      return [`${field.label}`, '', ...field.items.map((item) => `- ${prose(item)}`)].join('\n');
    case 'code':
      return `${field.label}\n\n${codeBlock(field.text, 'http')}`;
    case 'command':
      return `${field.label}\n\n${codeBlock(field.text, 'sh')}`;
    default:
      return field satisfies never;
  }
}

function chapterTable(record: RunRecord): string {
  const rows = chapterCounts(record).map(({ chapter, counts }) => [
    chapter,
    ...CHAPTER_COLUMNS.map((column) => (counts[column] === 0 ? '' : String(counts[column]))),
  ]);
  return rows.length === 0 ? '' : table(['requirements', ...CHAPTER_COLUMNS.map((column) => columnWord(column, 2))], rows);
}

function waivedPart(record: RunRecord): Part {
  const waived = waivedClauses(record);
  if (waived.length === 0) return { full: '', brief: '' };
  const rows = waived.flatMap(({ clause }) => waivedTexts(clause).map((said) => `- ${inlineCode(clause.id)}: ${prose(said, 300)}`));
  const summary = `${count(waived.length, 'requirement')} waived: broken, known, and not failing the run`;
  return { full: details(summary, [...rows.slice(0, LISTED_ROWS), ...more(rows.length)].join('\n')), brief: summary };
}

function inconclusivePart(record: RunRecord): Part {
  const groups = inconclusiveGroups(record);
  if (groups.length === 0) return { full: '', brief: '' };
  const amount = groups.reduce((sum, { situations }) => sum + situations.length, 0);
  const rows = groups.slice(0, LISTED_ROWS).map((group) => `- ${prose(oneLine(describeGroup(group)), 400)}`);
  const summary = `${count(amount, 'situation')} undecided, and what was missing`;
  return { full: details(summary, [...rows, ...more(groups.length)].join('\n')), brief: summary };
}

function observationPart(record: RunRecord): Part {
  const observed = record.clauses.flatMap(({ observations }) => observations);
  if (observed.length === 0) return { full: '', brief: '' };
  const rows = observed.slice(0, LISTED_ROWS).map(({ question, answer }) => [prose(question, 200), prose(answer, 200)]);
  const summary = `${count(observed.length, 'observation')} of what the document leaves open`;
  return {
    full: details(summary, [table(['question', 'what this server does'], rows), ...more(observed.length)].join('\n\n')),
    brief: summary,
  };
}

function more(amount: number): string[] {
  return amount > LISTED_ROWS ? [`and ${amount - LISTED_ROWS} more in report.html`] : [];
}
