import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { type BehaviourProfile, PROFILE_VERSION, profileOf } from './profile.ts';

export type ParsedProfile = { readonly ok: true; readonly profile: BehaviourProfile } | { readonly ok: false; readonly problem: string };

/**
 * A behaviour profile of the text of a profile.json or a report.json.
 *
 * The problem completes "could not read FILE: …".
 */
export function parseProfile(text: string): ParsedProfile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  if (!isObject(value)) return { ok: false, problem: `it is neither a profile nor a report, but ${describe(value)}` };
  return value['kind'] === 'behaviour-profile' ? fromProfile(value) : fromRecord(value);
}

type Fields = Readonly<Record<string, unknown>>;

function fromProfile(value: Fields): ParsedProfile {
  if (value['version'] !== PROFILE_VERSION) return wrongVersion('profile', value['version'], PROFILE_VERSION);
  const missing = missingPart(value, ['clauses', 'observations', 'statuses', 'headers', 'members', 'run']);
  if (missing !== undefined) return { ok: false, problem: `the profile has no object "${missing}"` };
  return { ok: true, profile: value as BehaviourProfile };
}

function fromRecord(value: Fields): ParsedProfile {
  if (!Array.isArray(value['clauses']) || !Array.isArray(value['checks'])) {
    return { ok: false, problem: 'it is neither a behaviour profile (profile.json) nor a report (report.json)' };
  }
  if (value['version'] !== RUN_RECORD_VERSION) return wrongVersion('report', value['version'], RUN_RECORD_VERSION);
  const missing = missingPart(value, ['target', 'tool', 'traits']);
  if (missing !== undefined || !Array.isArray(value['operations'])) {
    return { ok: false, problem: `the report has no "${missing ?? 'operations'}"` };
  }
  try {
    return { ok: true, profile: profileOf(value as RunRecord) };
  } catch (error) {
    return { ok: false, problem: `the report is damaged (${error instanceof Error ? error.message : String(error)})` };
  }
}

function wrongVersion(what: string, found: unknown, wanted: number): ParsedProfile {
  const version = typeof found === 'number' ? String(found) : 'none';
  return {
    ok: false,
    problem: `the ${what} has version ${version}, and this release reads version ${wanted}: make it anew with this release`,
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
