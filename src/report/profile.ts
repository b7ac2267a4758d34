import type { Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { percentile } from './percentiles.ts';

/** Version of the profile's shape (schemas/profile.schema.json). */
export const PROFILE_VERSION = 1;

/** Milliseconds that a share of the answers did not exceed. */
export type LatencyProfile = {
  readonly requests: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
  readonly p99: number;
};

type ByName<Value> = Readonly<Record<string, Value>>;

/** How a service behaves, as a value that can be kept and compared: verdicts, what it does where the document is silent, what its answers have. */
export type BehaviourProfile = {
  readonly kind: 'behaviour-profile';
  readonly version: typeof PROFILE_VERSION;
  /** By clause id. */
  readonly clauses: ByName<{ readonly level: Level; readonly verdict: Verdict }>;
  /** By clause id and question. */
  readonly observations: ByName<ByName<string>>;
  /** Statuses that each operation answered. */
  readonly statuses: ByName<readonly string[]>;
  /** Header names by operation and status: `getPet 200`. */
  readonly headers: ByName<readonly string[]>;
  /** Member names by message: `pet`, `error`. */
  readonly members: ByName<readonly string[]>;
  /** What differs from run to run even when nothing else does. */
  readonly run: {
    readonly target: string;
    readonly startedAt: string;
    readonly toolVersion: string;
    readonly latency: ByName<LatencyProfile>;
  };
};

/** The behaviour profile of a run. */
export function profileOf(record: RunRecord): BehaviourProfile {
  const observed = record.checks.filter(({ observations }) => observations.length > 0);
  const byClause = Map.groupBy(observed, ({ clause }) => clause as string);
  return {
    kind: 'behaviour-profile',
    version: PROFILE_VERSION,
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

/** The profile of a run as stable JSON: members sorted, what changes from run to run at the end. */
export function renderProfile(record: RunRecord): string {
  return `${JSON.stringify(profileOf(record), undefined, 2)}\n`;
}

function latencyProfile(durations: readonly number[]): LatencyProfile | undefined {
  if (durations.length === 0) return undefined;
  const at = (share: number): number => percentile(durations, share) ?? 0;
  return { requests: durations.length, p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95), p99: at(0.99) };
}

function sorted<Value>(entries: readonly (readonly [name: string, value: Value])[]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
}
