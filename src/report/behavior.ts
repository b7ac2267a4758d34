import type { Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { isRecord } from '../wire/parsed.ts';
import { inSeconds, messageOf } from '../wire/wording.ts';

/** The value that `share` (0 to 1) of the values do not exceed, by nearest rank; undefined without values. */
function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

export type Latency = { readonly p50: number; readonly p95: number; readonly p99: number };

/** The percentiles that reports show, in milliseconds; undefined without durations. */
export function latencyOf(durations: readonly number[]): Latency | undefined {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(durations, share));
  return p50 === undefined || p95 === undefined || p99 === undefined ? undefined : { p50, p95, p99 };
}

/** Milliseconds with a sensible number of digits: `0.4 ms`, `12 ms`, `1.3 s`. */
export function latencyText(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : inSeconds(milliseconds);
}

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

export type ParsedBehavior = { readonly ok: true; readonly behavior: Behavior } | { readonly ok: false; readonly problem: string };

/**
 * The behavior in the text of a behavior.json or a report.json.
 *
 * The problem completes "could not read FILE: …".
 */
export function parseBehavior(text: string): ParsedBehavior {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `it is not JSON (${messageOf(error)})` };
  }
  if (!isRecord(value)) return { ok: false, problem: `it is neither behavior.json nor report.json, but ${describe(value)}` };
  return value['kind'] === 'behavior' ? fromBehavior(value) : fromRecord(value);
}

type Fields = Readonly<Record<string, unknown>>;

function fromBehavior(value: Fields): ParsedBehavior {
  if (value['version'] !== BEHAVIOR_VERSION) return wrongVersion('behavior', value['version'], BEHAVIOR_VERSION);
  const missing = missingPart(value, ['clauses', 'observations', 'statuses', 'headers', 'members', 'run']);
  if (missing !== undefined) return { ok: false, problem: `behavior.json has no object "${missing}"` };
  return { ok: true, behavior: value as Behavior };
}

function fromRecord(value: Fields): ParsedBehavior {
  if (!Array.isArray(value['clauses']) || !Array.isArray(value['checks'])) {
    return { ok: false, problem: 'it is neither behavior.json nor report.json' };
  }
  if (value['version'] !== RUN_RECORD_VERSION) return wrongVersion('report', value['version'], RUN_RECORD_VERSION);
  const missing = missingPart(value, ['target', 'tool', 'traits']);
  if (missing !== undefined || !Array.isArray(value['operations'])) {
    return { ok: false, problem: `the report has no "${missing ?? 'operations'}"` };
  }
  try {
    return { ok: true, behavior: behaviorOf(value as RunRecord) };
  } catch (error) {
    return { ok: false, problem: `the report is damaged (${messageOf(error)})` };
  }
}

function wrongVersion(what: string, found: unknown, wanted: number): ParsedBehavior {
  const version = typeof found === 'number' ? String(found) : 'none';
  return {
    ok: false,
    problem: `the ${what} has version ${version}, and this release reads version ${wanted}: create it again with this release`,
  };
}

function missingPart(value: Fields, names: readonly string[]): string | undefined {
  return names.find((name) => !isRecord(value[name]));
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
