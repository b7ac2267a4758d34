import type { Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { percentile } from './percentiles.ts';

/** Version of the shape of behavior.json (schemas/behavior.schema.json). */
export const BEHAVIOR_VERSION = 1;

/** Milliseconds that a share of the responses did not exceed. */
export type BehaviorLatency = {
  readonly requests: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly p99: number;
};

type ByName<Value> = Readonly<Record<string, Value>>;

/**
 * How a service behaves, as a value that can be kept and compared: verdicts, its choices where the document is silent, and features of its
 * responses.
 */
export type Behavior = {
  readonly kind: 'behavior';
  readonly version: typeof BEHAVIOR_VERSION;
  /** By clause id. */
  readonly clauses: ByName<{ readonly level: Level; readonly verdict: Verdict }>;
  /** By clause id and question. */
  readonly observations: ByName<ByName<string>>;
  /** Statuses that each operation returned. */
  readonly statuses: ByName<readonly string[]>;
  /** Header names by operation and status: `getPet 200`. */
  readonly headers: ByName<readonly string[]>;
  /** Member names by message: `pet`, `error`. */
  readonly members: ByName<readonly string[]>;
  /** What differs from run to run even if nothing else does. */
  readonly run: {
    readonly target: string;
    readonly startedAt: string;
    readonly toolVersion: string;
    readonly latency: ByName<BehaviorLatency>;
  };
};

/** The behavior of a run. */
export function behaviorOf(record: RunRecord): Behavior {
  const observed = record.checks.filter(({ observations }) => observations.length > 0);
  const byClause = Map.groupBy(observed, ({ clause }) => clause as string);
  return {
    kind: 'behavior',
    version: BEHAVIOR_VERSION,
    clauses: sorted(record.clauses.map(({ id, level, verdict }) => [id, { level, verdict }])),
    observations: sorted(
      [...byClause].map(([clause, checks]) => [
        clause,
        sorted(checks.flatMap(({ observations }) => observations.map(({ question, answer }) => [question, answer] as const))),
      ]),
    ),
    statuses: sorted(record.operations.map(({ operation, statuses }) => [operation, Object.keys(statuses).toSorted()])),
    headers: sorted(Object.entries(record.traits.headers).map(([where, names]) => [where, names.toSorted()])),
    members: sorted(Object.entries(record.traits.members).map(([message, names]) => [message, names.toSorted()])),
    run: {
      target: record.target.baseUrl,
      startedAt: record.startedAt,
      toolVersion: record.tool.version,
      latency: sorted(
        record.operations.flatMap(({ operation, durations }) => {
          const latency = latencyProfile(durations);
          return latency === undefined ? [] : [[operation, latency] as const];
        }),
      ),
    },
  };
}

/** The behavior of a run as stable JSON: sorted, with what changes from run to run at the end. */
export function renderBehavior(record: RunRecord): string {
  return `${JSON.stringify(behaviorOf(record), undefined, 2)}\n`;
}

function latencyProfile(durations: readonly number[]): BehaviorLatency | undefined {
  if (durations.length === 0) return undefined;
  const at = (share: number): number => percentile(durations, share) ?? 0;
  return { requests: durations.length, p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95), p99: at(0.99) };
}

function sorted<Value>(entries: readonly (readonly [name: string, value: Value])[]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}
