import type { RunRecord } from '../clause/run-record.ts';
import type { Behavior } from '../report/behavior.ts';
import { oneLine } from '../report/text.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import { LARGEST } from './input-limits.ts';
import { UsageError } from './usage-error.ts';

/** The behavior in a file: behavior.json or report.json of a run. Throws UsageError. */
export async function readProfile(file: string): Promise<Behavior> {
  let text: string;
  try {
    text = readBoundedFile(file, LARGEST.report);
  } catch (error) {
    throw new UsageError(`cannot read the behavior: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [{ parseBehavior }, { schemaProblem }] = await Promise.all([import('../report/parse-behavior.ts'), import('./schema-problem.ts')]);
  const parsed = parseBehavior(text);
  if (!parsed.ok) throw new UsageError(`could not read ${file}: ${oneLine(parsed.problem, 300)}`);
  const problem = schemaProblem('behavior', parsed.behavior);
  if (problem !== undefined) throw new UsageError(`could not read ${file}: it is damaged (${oneLine(problem, 300)})`);
  return parsed.behavior;
}

/** How the behavior of a run differs from the baseline, if one is named: read before anything is sent. */
export async function driftFromBaseline(file: string | undefined): Promise<(record: RunRecord) => readonly string[]> {
  if (file === undefined) return () => [];
  const [baseline, { driftFrom }, { behaviorOf }] = await Promise.all([
    readProfile(file),
    import('../report/compare.ts'),
    import('../report/behavior.ts'),
  ]);
  return (record) => driftFrom(baseline, behaviorOf(record));
}
