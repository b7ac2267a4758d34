import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import { type BrokenClause, brokenClauses, describeBroken, waitingText, whenText } from './broken-clauses.ts';
import { headline, otherReasons } from './headline.ts';
import { inertMarks } from './inert.ts';
import { count, oneLine } from './text.ts';

/** GitHub shows ten errors and ten warnings per step, and silently drops more. */
const MOST_ANNOTATIONS = 10;

type Command = 'error' | 'warning';

/**
 * Workflow commands that GitHub shows as annotations: one line per broken clause, in the order of repair; empty if there is nothing to
 * report.
 */
export function renderAnnotations(record: RunRecord, diagnosis?: Diagnosis): string {
  const broken = brokenClauses(record, diagnosis);
  const failing = broken.filter(({ runEffect }) => runEffect === 'fails');
  const warning = broken.filter(({ runEffect }) => runEffect === 'warns');
  // A run that fails without a broken clause (an expired waiver, no response at all) says why; otherwise its clauses do.
  const isUnexplained = record.conclusion.exitCode !== EXIT_CODES.conformant && failing.length === 0;
  const message = [headline(record), ...otherReasons(record)].join('; ');
  const lines = [
    ...(isUnexplained ? [annotation('error', { title: 'petstore-conformance', message })] : []),
    ...annotations('error', failing),
    ...annotations('warning', warning),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function annotations(command: Command, broken: readonly BrokenClause[]): string[] {
  const fitting = broken.length <= MOST_ANNOTATIONS ? broken : broken.slice(0, MOST_ANNOTATIONS - 1);
  const hidden = broken.slice(fitting.length);
  const lines = fitting.map((one) => {
    const waits = waitingText(one);
    const beside = one.besideWaivers === '' ? '' : `; ${one.besideWaivers}`;
    const when = whenText(one.clause);
    const message = `${describeBroken(one)}${when === '' ? '' : `; ${when}`}${waits === '' ? '' : ` (${waits})`}${beside}`;
    return annotation(command, { title: `${one.clause.id} (${one.clause.level})`, message });
  });
  if (hidden.length === 0) return lines;
  const message = hidden.map(({ clause }) => clause.id).join(', ');
  return [...lines, annotation(command, { title: count(hidden.length, 'more requirement'), message })];
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
