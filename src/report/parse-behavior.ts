import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { BEHAVIOR_VERSION, type Behavior, behaviorOf } from './behavior.ts';

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
    return { ok: false, problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isObject(value)) return { ok: false, problem: `it is neither behavior.json nor report.json, but ${describe(value)}` };
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
    return { ok: false, problem: `the report is damaged (${error instanceof Error ? error.message : String(error)})` };
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
  return names.find((name) => !isObject(value[name]));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
