import type { RunRecord } from '../clause/run-record.ts';
import type { BehaviourProfile } from '../report/profile.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import { LARGEST } from './input-limits.ts';
import { UsageError } from './usage-error.ts';

/** The behaviour profile in a file: profile.json or report.json of a run. Throws UsageError. */
export async function readProfile(file: string): Promise<BehaviourProfile> {
  let text: string;
  try {
    text = readBoundedFile(file, LARGEST.report);
  } catch (error) {
    throw new UsageError(`cannot read the behaviour profile: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { parseProfile } = await import('../report/parse-profile.ts');
  const parsed = parseProfile(text);
  if (!parsed.ok) throw new UsageError(`could not read ${file}: ${parsed.problem}`);
  return parsed.profile;
}

/** What a run does otherwise than the baseline, when one is named: read before anything is sent. */
export async function driftFromBaseline(file: string | undefined): Promise<(record: RunRecord) => readonly string[]> {
  if (file === undefined) return () => [];
  const [baseline, { driftFrom }, { profileOf }] = await Promise.all([
    readProfile(file),
    import('../report/compare.ts'),
    import('../report/profile.ts'),
  ]);
  return (record) => driftFrom(baseline, profileOf(record));
}
