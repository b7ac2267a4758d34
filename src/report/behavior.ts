import type { Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { isRecord } from '../wire/parse-json.ts';
import { cleanText } from '../wire/redact.ts';
import { messageOf } from '../wire/wording.ts';
import { READ_VERSIONS, upgradeRecord } from './upgrade-record.ts';

const MOST_OF_A_DIFFERENCE = 1_000;

/** schemas/behavior.schema.json. */
export const BEHAVIOR_VERSION = 1;

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
  };
};

export function behaviorOf(record: RunRecord): Behavior {
  const observed = record.clauses.filter(({ observations }) => observations.length > 0);
  return {
    kind: 'behavior',
    version: BEHAVIOR_VERSION,
    clauses: sorted(record.clauses.map(({ id, level, verdict }) => [id, { level, verdict }])),
    observations: sorted(
      observed.map(({ id, observations }) => [id, sorted(observations.map(({ question, answer }) => [question, answer] as const))]),
    ),
    statuses: sorted(record.operations.map(({ operation, statuses }) => [operation, Object.keys(statuses).toSorted()])),
    headers: sorted(Object.entries(record.traits.headers).map(([where, names]) => [where, names.toSorted()])),
    members: sorted(Object.entries(record.traits.members).map(([message, names]) => [message, names.toSorted()])),
    run: {
      target: record.target.baseUrl,
      startedAt: record.startedAt,
      toolVersion: record.tool.version,
    },
  };
}

/** The behavior of a run as stable JSON: sorted, with what changes from run to run at the end. */
export function renderBehavior(record: RunRecord): string {
  return `${JSON.stringify(behaviorOf(record), undefined, 2)}\n`;
}

/** Observations that differ from a baseline, as sentences; what only one side observed is not a difference. */
export function driftFrom(baseline: Behavior, now: Behavior): readonly string[] {
  return Object.entries(baseline.observations).flatMap(([clause, questions]) =>
    Object.entries(questions).flatMap(([question, before]) => {
      const after = now.observations[clause]?.[question];
      if (after === undefined || after === before) return [];
      return [
        // A file may come from anywhere.
        cleanText(`${clause}, "${question}": the baseline has "${before}" and the service now does "${after}"`, MOST_OF_A_DIFFERENCE),
      ];
    }),
  );
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
  if (!Array.isArray(value['clauses'])) return { ok: false, problem: 'it is neither behavior.json nor report.json' };
  if (!READ_VERSIONS.includes(value['version'])) return wrongVersion('report', value['version'], RUN_RECORD_VERSION);
  const missing = missingPart(value, ['target', 'tool', 'traits']);
  if (missing !== undefined || !Array.isArray(value['operations'])) {
    return { ok: false, problem: `the report has no "${missing ?? 'operations'}"` };
  }
  try {
    return { ok: true, behavior: behaviorOf(upgradeRecord(value) as RunRecord) };
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
