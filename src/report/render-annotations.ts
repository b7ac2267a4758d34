import type { RunRecord } from '../clause/run-record.ts';
import { inertMarks } from './inert.ts';
import { failingOf, failuresOf, type Judged, standingOf } from './tally.ts';
import { count, oneLine } from './text.ts';

/** GitHub shows ten errors and ten warnings of a step; more are dropped without a word. */
const SHOWN = 10;

type Command = 'error' | 'warning';

/** Workflow commands that GitHub shows as annotations: a line each; empty when there is nothing to say. */
export function renderAnnotations(record: RunRecord): string {
  const failing = failingOf(record);
  const warning = failuresOf(record).filter((judged) => standingOf(judged, record) === 'warns');
  const { conclusion } = record;
  // A run that fails for no check (an expired waiver, no answer at all) says why; others say it by their checks.
  const unexplained = conclusion.exitCode !== 0 && failing.length === 0;
  const reasons = [conclusion.headline, ...conclusion.reasons].join('; ');
  const lines = [
    ...(unexplained ? [annotation('error', { title: 'petstore-conformance', message: reasons })] : []),
    ...annotations('error', failing),
    ...annotations('warning', warning),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function annotations(command: Command, judged: readonly Judged[]): string[] {
  const fitting = judged.length <= SHOWN ? judged : judged.slice(0, SHOWN - 1);
  const hidden = judged.slice(fitting.length);
  const lines = fitting.map(({ check, clause }) =>
    annotation(command, { title: `${clause.id} (${clause.level})`, message: `${check.findings[0]?.summary ?? check.note} [${check.id}]` }),
  );
  if (hidden.length === 0) return lines;
  const ids = hidden.map(({ check }) => check.id).join(', ');
  return [...lines, annotation(command, { title: count(hidden.length, 'more check'), message: ids })];
}

function annotation(command: Command, { title, message }: { readonly title: string; readonly message: string }): string {
  return `::${command} title=${escapeProperty(oneLine(title, 200))}::${escapeData(oneLine(message, 1_000))}`;
}

function escapeData(text: string): string {
  return inertMarks(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
