import { VERDICTS } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { groupBlocked, namedChecks } from './blocked.ts';
import { type BlockField, type BlockOptions, failureBlock } from './failure-block.ts';
import { codeBlock, details, fitParts, inlineCode, type Part, prose, table } from './markdown.ts';
import {
  chaptersOf,
  countVerdicts,
  describeClauses,
  failuresOf,
  type Judged,
  requestsOf,
  standingOf,
  VERDICT_WORDS,
  withVerdict,
} from './tally.ts';
import { count, duration } from './text.ts';

/** What GitHub takes for the summary of a step, in bytes. */
export const STEP_SUMMARY_LIMIT = 1_048_576;
/** What GitHub takes for a comment, in characters; kept in bytes here, which are never fewer. */
export const COMMENT_LIMIT = 65_536;

export type MarkdownOptions = { /** Bytes at most. */ readonly limit: number };

const BLOCK: BlockOptions = { findings: 1, body: 1_500, headed: true };
const LISTED_FAILURES = 100;
const LISTED_ROWS = 60;

/** A summary in GitHub's Markdown, failures first, that fits a comment unless told otherwise. */
export function renderMarkdown(record: RunRecord, options: MarkdownOptions = { limit: COMMENT_LIMIT }): string {
  const failures = failuresOf(record);
  const hidden = failures.length - LISTED_FAILURES;
  return fitParts(
    [
      always(headOf(record)),
      ...failures.slice(0, LISTED_FAILURES).map((judged) => failurePart(judged, record)),
      ...(hidden > 0 ? [always(`${count(hidden, 'more broken check')} in report.html`)] : []),
      always(chapterTable(record)),
      listPart(withVerdict(record, 'waived'), 'waived: broken, known, and not failing the run'),
      listPart(withVerdict(record, 'inconclusive'), 'inconclusive, and what was missing'),
      observationPart(record),
      { full: record.notices.map((notice) => `- ${prose(notice)}`).join('\n'), brief: '' },
    ],
    options.limit,
  );
}

function always(text: string): Part {
  return { full: text, brief: text };
}

function headOf(record: RunRecord): string {
  const { conclusion, target, tool, options, animals } = record;
  const reasons = conclusion.reasons.slice(0, 20).map((reason) => `- ${prose(reason, 300)}`);
  const facts = [
    `target ${inlineCode(target.baseUrl)}${target.reference ? ' (reference server)' : ''}`,
    `clauses: ${describeClauses(record)}`,
    `${count(requestsOf(record), 'request')} in ${duration(record.duration)}`,
    `${count(animals.created.length, 'animal')} created`,
    `seed ${options.seed}`,
    `petstore-conformance ${prose(tool.version, 40)}`,
  ];
  const mark = conclusion.exitCode === 0 ? '✅' : '❌';
  return [
    `## ${mark} Pet Store interface: ${prose(conclusion.headline, 300)}`,
    '',
    facts.join(' · '),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
  ].join('\n');
}

function failurePart(judged: Judged, record: RunRecord): Part {
  const block = failureBlock(judged, BLOCK);
  const mark = standingOf(judged, record) === 'fails' ? '❌' : '⚠️';
  const head = `### ${mark} ${inlineCode(block.id)}`;
  const summary = `**${prose(block.summary, 300)}**`;
  const shown = block.fields.filter((field) => field.kind === 'text' || field.kind === 'list');
  const folded = block.fields.filter((field) => field.kind === 'code' || field.kind === 'command');
  const exchange =
    folded.length === 0 ? [] : ['', details('the exchange, and how to reproduce it', folded.map(fieldMarkdown).join('\n\n'))];
  return {
    full: [head, '', summary, '', ...shown.map(fieldMarkdown), ...exchange].join('\n'),
    brief: `${head}\n\n${summary}`,
  };
}

function fieldMarkdown(field: BlockField): string {
  switch (field.kind) {
    case 'text':
      return `- ${field.label}: ${prose(field.text)}`;
    case 'list':
      return field.items.length === 1
        ? `- ${field.label}: ${prose(field.items[0] ?? '')}`
        : [`- ${field.label}:`, ...field.items.map((item) => `  - ${prose(item)}`)].join('\n');
    case 'code':
      return `${field.label}\n\n${codeBlock(field.text, 'http')}`;
    case 'command':
      return `${field.label}\n\n${codeBlock(field.text, 'sh')}`;
    default:
      return field satisfies never;
  }
}

function chapterTable(record: RunRecord): string {
  const rows = chaptersOf(record).map(({ chapter, clauses }) => {
    const counts = countVerdicts(clauses);
    return [chapter, ...VERDICTS.map((verdict) => (counts[verdict] === 0 ? '' : String(counts[verdict])))];
  });
  return table(['chapter', ...VERDICTS.map((verdict) => VERDICT_WORDS[verdict])], rows);
}

function listPart(judged: readonly Judged[], title: string): Part {
  if (judged.length === 0) return { full: '', brief: '' };
  const { groups, single } = groupBlocked(judged);
  const rows = [
    ...groups.map((group) => `- blocked by ${inlineCode(group.by)}: ${prose(namedChecks(group.judged))}`),
    ...single.slice(0, LISTED_ROWS).map(({ check }) => {
      const blocked = check.blockedBy === undefined ? '' : `blocked by ${inlineCode(check.blockedBy)}: `;
      return `- ${inlineCode(check.id)}: ${blocked}${prose(check.note, 300)}`;
    }),
  ];
  const summary = `${count(judged.length, 'check')} ${title}`;
  return { full: details(summary, [...rows, ...more(single.length)].join('\n')), brief: summary };
}

function observationPart(record: RunRecord): Part {
  const observed = record.checks.flatMap(({ observations }) => observations);
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
