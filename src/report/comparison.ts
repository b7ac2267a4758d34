// What differs between the behavior of two runs, and how it is shown.

import { isBinding, type Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import { cleanText } from '../wire/redact.ts';
import { type Behavior, type BehaviorLatency, latencyText } from './behavior.ts';
import { inertJson, inertText } from './inert.ts';
import { inlineCode, prose, table } from './markdown.ts';
import { count, oneLine, wrap } from './text.ts';

/** What a changed verdict means for users of the clause; `unknown` if one side has no decided verdict. */
export type Direction = 'worse' | 'better' | 'unknown';

export type ClauseChange = {
  readonly id: string;
  readonly level: Level;
  readonly before: Verdict | 'absent';
  readonly after: Verdict | 'absent';
  readonly direction: Direction;
};

type ObservationChange = {
  readonly clause: string;
  readonly question: string;
  /** Undefined when that side did not observe it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Names that only one side has: statuses of an operation, headers of a response, members of a message. */
type NamesChange = {
  readonly kind: 'statuses' | 'headers' | 'members';
  readonly where: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

export type LatencyChange = {
  readonly operation: string;
  readonly percentile: 'p50' | 'p95';
  /** Milliseconds. */
  readonly before: number;
  readonly after: number;
};

type Side = { readonly target: string; readonly startedAt: string; readonly toolVersion: string };

/** What differs between the behavior of two runs. */
export type Comparison = {
  readonly before: Side;
  readonly after: Side;
  /** Whether a required or implied clause that held is broken. Changes of choices, advised clauses, and speed are not worse. */
  readonly worse: boolean;
  readonly clauses: readonly ClauseChange[];
  readonly observations: readonly ObservationChange[];
  readonly names: readonly NamesChange[];
  /** Changes beyond noise. */
  readonly latency: readonly LatencyChange[];
};

/** Compares two runs: `before` (A) with `after` (B). */
export function compareBehaviors(before: Behavior, after: Behavior): Comparison {
  const clauses = clauseChanges(before, after);
  return {
    before: sideOf(before),
    after: sideOf(after),
    worse: clauses.some(({ direction, level }) => direction === 'worse' && isBinding({ level })),
    clauses,
    observations: observationChanges(before, after),
    names: (['statuses', 'headers', 'members'] as const).flatMap((kind) =>
      namesChanges(kind, { before: before[kind], after: after[kind] }),
    ),
    latency: latencyChanges(before.run.latency, after.run.latency),
  };
}

/** Observations that differ from a baseline, as sentences; what only one side observed is not a difference. */
export function driftFrom(baseline: Behavior, now: Behavior): readonly string[] {
  return observationChanges(baseline, now).flatMap(({ clause, question, before, after }) =>
    before === undefined || after === undefined
      ? []
      : [`${clause}, "${question}": the baseline has "${before}" and the service now does "${after}"`],
  );
}

/** Whether nothing differs. */
export function isSame({ clauses, observations, names, latency }: Comparison): boolean {
  return clauses.length + observations.length + names.length + latency.length === 0;
}

function sideOf({ run }: Behavior): Side {
  return { target: run.target, startedAt: run.startedAt, toolVersion: run.toolVersion };
}

function union(left: object, right: object): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
}

function clauseChanges(before: Behavior, after: Behavior): ClauseChange[] {
  return union(before.clauses, after.clauses).flatMap((id) => {
    const [left, right] = [before.clauses[id], after.clauses[id]];
    const level = right?.level ?? left?.level;
    const verdicts = { before: left?.verdict ?? 'absent', after: right?.verdict ?? 'absent' } as const;
    if (level === undefined || verdicts.before === verdicts.after) return [];
    return [{ id, level, ...verdicts, direction: directionOf(verdicts.before, verdicts.after) }];
  });
}

/** A waived clause is broken: a waiver changes what fails, not how the service behaves. */
function holds(verdict: Verdict | 'absent'): boolean | undefined {
  switch (verdict) {
    case 'pass':
    case 'observed':
      return true;
    case 'fail':
    case 'waived':
      return false;
    case 'inconclusive':
    case 'not-applicable':
    case 'absent':
      return undefined;
    default:
      return verdict satisfies never;
  }
}

function directionOf(before: Verdict | 'absent', after: Verdict | 'absent'): Direction {
  const [held, holdsNow] = [holds(before), holds(after)];
  if (held === undefined || holdsNow === undefined || held === holdsNow) return 'unknown';
  return holdsNow ? 'better' : 'worse';
}

function observationChanges(before: Behavior, after: Behavior): ObservationChange[] {
  return union(before.observations, after.observations).flatMap((clause) => {
    const [left, right] = [before.observations[clause] ?? {}, after.observations[clause] ?? {}];
    return union(left, right)
      .filter((question) => left[question] !== right[question])
      .map((question) => ({ clause, question, before: left[question], after: right[question] }));
  });
}

type Names = Readonly<Record<string, readonly string[]>>;

function namesChanges(kind: NamesChange['kind'], { before, after }: { readonly before: Names; readonly after: Names }): NamesChange[] {
  return union(before, after).flatMap((where) => {
    const [left, right] = [before[where] ?? [], after[where] ?? []];
    const added = right.filter((name) => !left.includes(name));
    const removed = left.filter((name) => !right.includes(name));
    return added.length + removed.length === 0 ? [] : [{ kind, where, added, removed }];
  });
}

/** The minimum number of requests for comparing a percentile: with fewer than 60, a 95th percentile depends on three of them. */
const FEWEST = { p50: 20, p95: 60 } as const;
/** The noise between two runs on the same machine: a share, and milliseconds below which a change does not matter. */
const FLOOR = { p50: { share: 0.3, milliseconds: 3 }, p95: { share: 0.6, milliseconds: 10 } } as const;

function latencyChanges(
  before: Readonly<Record<string, BehaviorLatency>>,
  after: Readonly<Record<string, BehaviorLatency>>,
): LatencyChange[] {
  return union(before, after).flatMap((operation) => {
    const [left, right] = [before[operation], after[operation]];
    if (left === undefined || right === undefined) return [];
    return (['p50', 'p95'] as const)
      .filter((percentile) => isBeyondNoise(percentile, { left, right }))
      .map((percentile) => ({ operation, percentile, before: left[percentile], after: right[percentile] }));
  });
}

function isBeyondNoise(
  percentile: 'p50' | 'p95',
  { left, right }: { readonly left: BehaviorLatency; readonly right: BehaviorLatency },
): boolean {
  if (Math.min(left.requests, right.requests) < FEWEST[percentile]) return false;
  const shift = Math.abs(right[percentile] - left[percentile]);
  const { share, milliseconds } = FLOOR[percentile];
  // Three standard errors of each median, estimated from the interquartile range.
  const error = (side: BehaviorLatency): number => (0.93 * (side.p75 - side.p25)) / Math.sqrt(side.requests);
  return shift > Math.max(milliseconds, share * Math.min(left[percentile], right[percentile]), 3 * Math.hypot(error(left), error(right)));
}

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
