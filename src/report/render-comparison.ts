import { cleanText } from '../wire/redact.ts';
import type { Comparison, NamesChange, ObservationChange } from './compare.ts';
import { isSame } from './compare.ts';
import { inertJson, inertText } from './inert.ts';
import { inlineCode, prose, table } from './markdown.ts';
import { latencyText } from './percentiles.ts';
import { count, oneLine, wrap } from './text.ts';

/** The comparison as indented JSON. Its texts come from files, which may come from anywhere. */
export function renderComparisonJson(comparison: Comparison): string {
  const clean = (_member: string, value: unknown): unknown =>
    typeof value === 'string' ? cleanText(value, Number.POSITIVE_INFINITY) : value;
  return `${inertJson(JSON.stringify(comparison, clean, 2))}\n`;
}

/** The comparison for a terminal, within `width` columns. */
export function renderComparisonText(comparison: Comparison, { width }: { readonly width: number }): string {
  const lines = [
    `A ${sideText(comparison.before)}`,
    `B ${sideText(comparison.after)}`,
    '',
    ...sectionsOf(comparison).flatMap(({ title, rows }) => [
      title,
      ...rows.map((cells) => `  ${cells.filter((one) => one !== '').join('  ')}`),
      '',
    ]),
    headlineOf(comparison),
  ];
  return `${inertText(lines.flatMap((line) => hang(line, Math.max(40, width))).join('\n'))}\n`;
}

/** The comparison in GitHub's Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const parts = [
    `## ${comparison.worse ? '❌' : '✅'} ${headlineOf(comparison)}`,
    [`- A: ${prose(sideText(comparison.before))}`, `- B: ${prose(sideText(comparison.after))}`].join('\n'),
    ...sectionsOf(comparison).map(({ title, head, rows }) => {
      const shown = rows.slice(0, 200).map((cells) => cells.map((cell, index) => (index === 0 ? inlineCode(cell, 300) : prose(cell, 300))));
      return [`### ${title}`, '', table(head, shown), ...(rows.length > 200 ? ['', `and ${rows.length - 200} more`] : [])].join('\n');
    }),
  ];
  return `${inertText(parts.join('\n\n'))}\n`;
}

type Section = { readonly title: string; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

function sectionsOf({ clauses, observations, names, latency }: Comparison): readonly Section[] {
  const sections: readonly Section[] = [
    {
      title: 'Verdicts that changed',
      head: ['clause', 'level', 'A → B', ''],
      rows: clauses.map(({ id, level, before, after, direction }) => [
        oneLine(id, 100),
        level,
        `${before} → ${after}`,
        direction === 'unknown' ? '' : direction,
      ]),
    },
    {
      title: 'Observations that changed',
      head: ['clause', 'question', 'A → B'],
      rows: observations.map((change) => [oneLine(change.clause, 100), oneLine(change.question, 200), observationText(change)]),
    },
    {
      title: 'Shape of responses',
      head: ['where', 'what', 'change'],
      rows: names.map((change) => [oneLine(change.where, 100), change.kind, namesText(change)]),
    },
    {
      title: 'Latency beyond noise',
      head: ['operation', 'percentile', 'A → B'],
      rows: latency.map(({ operation, percentile, before, after }) => [
        oneLine(operation, 60),
        percentile,
        `${latencyText(before)} → ${latencyText(after)} (${after > before ? 'slower' : 'faster'})`,
      ]),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

/** The result of the comparison, in one line. */
export function headlineOf(comparison: Comparison): string {
  if (isSame(comparison)) return 'A and B behave the same';
  const { clauses, observations, names, latency } = comparison;
  const said = [
    ...(clauses.length > 0 ? [count(clauses.length, 'verdict')] : []),
    ...(observations.length > 0 ? [count(observations.length, 'observation')] : []),
    ...(names.length > 0 ? [count(names.length, 'set of names', 'sets of names')] : []),
    ...(latency.length > 0 ? [count(latency.length, 'latency', 'latencies')] : []),
  ].join(', ');
  return `${comparison.worse ? 'B is worse than A' : 'B is not worse than A'}: ${said} changed`;
}

function sideText({ target, startedAt, toolVersion }: Comparison['before']): string {
  return oneLine(`${target}, ${startedAt}, petstore-conformance ${toolVersion}`, 300);
}

function observationText({ before, after }: ObservationChange): string {
  const side = (answer: string | undefined): string => (answer === undefined ? '(not observed)' : oneLine(answer, 200));
  return `${side(before)} → ${side(after)}`;
}

function namesText({ added, removed }: NamesChange): string {
  const list = (sign: string, list: readonly string[]): string[] => list.map((name) => `${sign}${oneLine(name, 60)}`);
  return [...list('+', added), ...list('-', removed)].join(' ');
}

function hang(line: string, width: number): string[] {
  const indent = line.startsWith('  ') ? '      ' : '  ';
  return wrap(line, width - indent.length).map((part, index) => (index === 0 ? part : indent + part));
}
