// What is known of a target between runs, and its known behavior as a behavior.json.

import { BEHAVIOR_VERSION, type Behavior } from '../../report/behavior.ts';
import type { Change, Impression } from './change.ts';

/**
 * A change is reported once two runs in a row have shown it. A known value that was doubted three times, each within fifty runs of the previous
 * time, varies: that is reported once, and so is its end after fifty runs without a doubt. Runs are counted, not minutes: a jump of a clock
 * changes nothing.
 */
export const CHANGE_RULE = { doubts: 3, quiet: 50 } as const;

export type KnownValue = {
  readonly value: string;
  /** Wall clock of the first run that showed the value, milliseconds. */
  readonly since: number;
  /** Missing if none is known. */
  readonly before?: string;
  readonly candidate?: { readonly value: string; readonly since: number };
  /** How often it changed, or nearly did, since it was last quiet. */
  readonly doubts: number;
  /** Runs in a row that showed the same. */
  readonly quiet: number;
  /** Another value that it has intermittently; missing while it does not vary. */
  readonly varies?: string;
};

type Report = Pick<Change, 'what' | 'before' | 'after' | 'since'>;
export type Settled = { readonly knownValue: KnownValue; readonly report?: Report };

function doubted(knownValue: KnownValue, other: string, report?: Report): Settled {
  const doubts = knownValue.doubts + 1;
  if (doubts < CHANGE_RULE.doubts) return { knownValue: { ...knownValue, doubts, quiet: 0 }, ...(report === undefined ? {} : { report }) };
  const { candidate: _candidate, ...rest } = knownValue;
  const since = report?.since ?? knownValue.since;
  return {
    knownValue: { ...rest, doubts, quiet: 0, varies: other },
    report: { what: 'varies', before: other, after: knownValue.value, since },
  };
}

function seenAgain(knownValue: KnownValue): Settled {
  const { candidate, ...rest } = knownValue;
  if (candidate !== undefined) return doubted(rest, candidate.value);
  const quiet = knownValue.quiet + 1;
  if (quiet < CHANGE_RULE.quiet) return { knownValue: { ...knownValue, quiet } };
  const { varies, ...calm } = rest;
  const settled = { ...calm, quiet, doubts: 0 };
  if (varies === undefined) return { knownValue: settled };
  return { knownValue: settled, report: { what: 'settled', before: varies, after: knownValue.value, since: knownValue.since } };
}

function seenOtherwise(knownValue: KnownValue, value: string, at: number): Settled {
  if (knownValue.varies !== undefined)
    return { knownValue: { ...knownValue, value, since: at, before: knownValue.value, varies: knownValue.value, quiet: 0 } };
  const { candidate, ...rest } = knownValue;
  if (candidate?.value !== value) {
    const next: KnownValue = { ...rest, quiet: 0, candidate: { value, since: at } };
    return candidate === undefined ? { knownValue: next } : doubted(next, value);
  }
  const changed: KnownValue = { ...rest, value, since: candidate.since, before: knownValue.value };
  return doubted(changed, knownValue.value, { what: 'changed', before: knownValue.value, after: value, since: candidate.since });
}

/** A pure function. */
export function settleValue(known: KnownValue | undefined, { value }: Pick<Impression, 'value'>, at: number): Settled {
  const knownValue = known ?? { value, since: at, doubts: 0, quiet: 0 };
  return value === knownValue.value ? seenAgain(knownValue) : seenOtherwise(knownValue, value, at);
}

/** Whether the difference must survive a restart: counts of quiet runs do not have to. */
export function mustSurviveRestart(before: KnownValue | undefined, after: KnownValue): boolean {
  if (before === undefined) return true;
  const { quiet: _before, ...one } = before;
  const { quiet: _after, ...other } = after;
  return JSON.stringify(one) !== JSON.stringify(other);
}

const DAY = 86_400_000;

/** Midnight in UTC before a moment. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY) * DAY;
}

/** The choices of a target where the document is silent, in the form of behavior.json; without what differs from run to run. */
export function observationsOf(values: ReadonlyMap<string, KnownValue>): Behavior['observations'] {
  const kept = [...values].flatMap(([key, { value }]) => {
    const [kind, clause = '', ...question] = key.split(' ');
    return kind === 'behavior' ? [{ clause, question: question.join(' '), value }] : [];
  });
  const nameOf = ({ clause, question }: (typeof kept)[number]): string => `${clause} ${question}`;
  const sorted = kept.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const clauses = Map.groupBy(sorted, ({ clause }) => clause);
  return Object.fromEntries(
    [...clauses].map(([clause, rows]) => [clause, Object.fromEntries(rows.map(({ question, value }) => [question, value]))]),
  );
}

/** A behavior.json of one day: input for `report --baseline` and `run --baseline`. */
export function behaviorOfDay(
  observations: Behavior['observations'],
  of: { readonly target: string; readonly day: number; readonly version: string },
): Behavior {
  return {
    kind: 'behavior',
    version: BEHAVIOR_VERSION,
    clauses: Object.fromEntries(Object.keys(observations).map((clause) => [clause, { level: 'open', verdict: 'observed' }])),
    observations,
    statuses: {},
    headers: {},
    members: {},
    run: { target: of.target, startedAt: new Date(of.day).toISOString(), toolVersion: of.version },
  };
}
