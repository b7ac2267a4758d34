// What a run takes from earlier runs: what failed, what was created, the baseline.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import type { Behavior } from '../report/behavior.ts';
import { oneLine } from '../report/text.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { isRecord } from '../wire/parsed.ts';
import { messageOf } from '../wire/wording.ts';
import { type Flags, LARGEST, UsageError } from './option-spec.ts';
import { loadRegistry } from './own-clauses-option.ts';
import type { readReport } from './report-file.ts';
import { PREVIOUS } from './reports-folder.ts';
import { checkSameService, type RunConfiguration, type Target } from './target.ts';

/** The part of an earlier run that is judged again: what failed, and what waited for it. */
export type FailedSelection = {
  readonly only: readonly string[];
  readonly because: string;
  /** An invariant may have failed on the request of any check. */
  readonly wholeTraffic: boolean;
  readonly warnings: readonly string[];
};

/** The checks and invariants of a run that failed. */
export function failedChecks({ checks }: RunRecord): readonly CheckRecord[] {
  return checks.filter(({ verdict }) => verdict === 'fail');
}

/** The report of the last run in a folder that judged anything: one that could not reach its server is skipped. */
function lastReport(folder: string, read: typeof readReport): string {
  const file = join(folder, 'report.json');
  const found = [file, `${file}${PREVIOUS}`].filter((path) => existsSync(path));
  const [last] = found;
  if (last === undefined)
    throw new UsageError(`--failed: there is no report of an earlier run in "${folder}"; name one with --failed REPORT`);
  return found.find((path) => read(path).checks.length > 0) ?? last;
}

/**
 * The checks and invariants that failed in the run of `--failed [REPORT]`, and the checks that waited for them; undefined if the option is
 * not used. Read before reports are moved away. Throws UsageError if nothing failed.
 */
export async function selectFailed(configuration: RunConfiguration, commandLine: Flags): Promise<FailedSelection | undefined> {
  const { failed, reports, only, ownClauses } = configuration;
  if (failed === undefined) return undefined;
  const [{ SANITY, selectClauses }, { presentId, retiredNotices }, clauses, { readReport: read }] = await Promise.all([
    import('../judge/selection.ts'),
    import('../clause/clause-ids.ts'),
    loadRegistry(ownClauses),
    import('./report-file.ts'),
  ]);
  const file = failed === true ? lastReport(reports, read) : failed;
  const record = read(file);
  checkSameService({ file, record, configuration, commandLine });
  const failures = failedChecks(record);
  // Checks that could not be judged because of them may be broken too.
  const waiting = record.checks.filter(({ kind, verdict, why }) => kind === 'check' && verdict === 'inconclusive' && why === 'waits');
  const known = new Set<string>(
    selectClauses(clauses, { only, skip: [], exhaustive: true }).flatMap(({ id: clause, checks, invariants }) => [
      clause,
      ...[...checks, ...invariants].map(({ id }) => id),
    ]),
  );
  const again = failures.filter(({ id }) => known.has(presentId(id)));
  const retired = retiredNotices(again.map(({ id }) => id));
  if (again.length === 0) {
    const why = failures.length === 0 ? 'no check failed in' : 'nothing of this selection failed in';
    throw new UsageError(`--failed: ${why} ${file}; leave the option out to judge everything`);
  }
  return {
    only: [...new Set([...again, ...waiting.filter(({ id }) => known.has(presentId(id)))].map(({ id }) => presentId(id)).concat(SANITY))],
    because: `--failed ${file}`,
    // The requests of a retired check are no longer known.
    wholeTraffic: retired.length > 0 || again.some(({ kind }) => kind === 'invariant'),
    warnings: [
      ...(only.length > 0 || again.length === failures.length
        ? []
        : [`${failures.length - again.length} of the checks that failed in ${file} are not known to this release`]),
      ...retired,
    ],
  };
}

/**
 * Ids of the animals that the last run created on this service, as its report.json in the folder for reports says; none if there is no such
 * report. Names tell most of them; an id tells the others, whose name was part of the mistake.
 */
export function leftoversOf({ reports }: RunConfiguration, { baseUrl }: Target): readonly string[] {
  let record: unknown;
  try {
    record = JSON.parse(readBoundedFile(join(reports, 'report.json'), { limit: LARGEST.report }));
  } catch {
    return [];
  }
  const { target, animals } = isRecord(record) ? record : {};
  const created = isRecord(target) && target['baseUrl'] === baseUrl && isRecord(animals) ? animals['created'] : undefined;
  return Array.isArray(created)
    ? created.flatMap((animal) => (isRecord(animal) && typeof animal['id'] === 'string' ? [animal['id']] : []))
    : [];
}

/** The behavior in a file: behavior.json or report.json of a run. Throws UsageError. */
async function readProfile(file: string): Promise<Behavior> {
  let text: string;
  try {
    text = readBoundedFile(file, { limit: LARGEST.report });
  } catch (error) {
    throw new UsageError(`cannot read the behavior: ${messageOf(error)}`);
  }
  const [{ parseBehavior }, { schemaProblem }] = await Promise.all([import('../report/behavior.ts'), import('./report-file.ts')]);
  const parsed = parseBehavior(text);
  if (!parsed.ok) throw new UsageError(`could not read ${file}: ${oneLine(parsed.problem, 300)}`);
  const problem = schemaProblem('behavior', parsed.behavior);
  if (problem !== undefined) throw new UsageError(`could not read ${file}: it is damaged (${oneLine(problem, 300)})`);
  return parsed.behavior;
}

/** How the behavior of a run differs from the baseline, if one is named: read before anything is sent. */
export async function driftFromBaseline(file: string | undefined): Promise<(record: RunRecord) => readonly string[]> {
  if (file === undefined) return () => [];
  const [baseline, { behaviorOf, driftFrom }] = await Promise.all([readProfile(file), import('../report/behavior.ts')]);
  return (record) => driftFrom(baseline, behaviorOf(record));
}
