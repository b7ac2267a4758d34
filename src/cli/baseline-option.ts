import { readFileSync } from 'node:fs';
import type { RunRecord } from '../clause/run-record.ts';
import { driftFrom } from '../report/compare.ts';
import { parseProfile } from '../report/parse-profile.ts';
import { type BehaviourProfile, profileOf } from '../report/profile.ts';
import { UsageError } from './usage-error.ts';

/** The behaviour profile in a file: profile.json or report.json of a run. Throws UsageError. */
export function readProfile(file: string): BehaviourProfile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the behaviour profile: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = parseProfile(text);
  if (!parsed.ok) throw new UsageError(`could not read ${file}: ${parsed.problem}`);
  return parsed.profile;
}

/** What a run does otherwise than the baseline, when one is named: read before anything is sent. */
export function driftFromBaseline(file: string | undefined): (record: RunRecord) => readonly string[] {
  if (file === undefined) return () => [];
  const baseline = readProfile(file);
  return (record) => driftFrom(baseline, profileOf(record));
}
