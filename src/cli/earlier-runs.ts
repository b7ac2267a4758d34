// What a run takes from earlier runs: what failed, what was created, the baseline.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import type { Again } from '../judge/again.ts';
import type { Behavior } from '../report/behavior.ts';
import { oneLine } from '../report/text.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { isRecord } from '../wire/parse-json.ts';
import { messageOf } from '../wire/wording.ts';
import { type Flags, LARGEST, UsageError } from './option-spec.ts';
import { loadRegistry } from './own-clauses-option.ts';
import type { readReport } from './report-file.ts';
import { PREVIOUS } from './reports-folder.ts';
import { checkSameService, type RunConfiguration, type Target } from './target.ts';

/** What of an earlier run is sent again. */
export type FailedSelection = {
  readonly again: readonly Again[];
  /** The seed of that run, which the values of its requests follow from. */
  readonly seed: number;
};

export function brokenIn({ clauses }: RunRecord): readonly ClauseRecord[] {
  return clauses.filter(({ verdict }) => verdict === 'fail');
}

/** The report of the last run in a folder that judged anything: one that could not reach its server is skipped. */
function lastReport(folder: string, read: typeof readReport): string {
  const file = join(folder, 'report.json');
  const found = [file, `${file}${PREVIOUS}`].filter((path) => existsSync(path));
  const [last] = found;
  if (last === undefined)
    throw new UsageError(`--failed: there is no report of an earlier run in "${folder}"; name one with --failed REPORT`);
  return found.find((path) => read(path).clauses.length > 0) ?? last;
}

/** What was broken, as far as `--only` and `--skip` name it. Throws SelectionError for a pattern that names nothing. */
async function selected(failures: readonly ClauseRecord[], { only, skip, ownClauses }: RunConfiguration): Promise<readonly ClauseRecord[]> {
  if (only.length + skip.length === 0) return failures;
  const [{ selectClauses }, clauses] = await Promise.all([import('../judge/selection.ts'), loadRegistry(ownClauses)]);
  const { clauses: ids } = selectClauses(clauses, { only, skip });
  return failures.filter(({ id }) => ids === undefined || ids.has(id));
}

/**
 * What failed in the run of `--failed [REPORT]`; undefined if the option is not used. Read before reports are moved away. Throws UsageError if nothing
 * failed, and for a report that does not say what to send again.
 */
export async function selectFailed(configuration: RunConfiguration, commandLine: Flags): Promise<FailedSelection | undefined> {
  const { failed, reports } = configuration;
  if (failed === undefined) return undefined;
  const { readReport: read, reportFile } = await import('./report-file.ts');
  const file = failed === true ? lastReport(reports, read) : reportFile(failed);
  const record = read(file);
  checkSameService({ file, record, configuration, commandLine });
  // What was undecided after an earlier --failed may be broken still.
  const failures = record.clauses.filter(({ verdict, again }) => verdict === 'fail' || (verdict === 'inconclusive' && again !== undefined));
  const meant = await selected(failures, configuration);
  if (meant.length === 0) {
    const why = failures.length === 0 ? 'no clause failed in' : 'nothing of this selection failed in';
    throw new UsageError(`--failed: ${why} ${file}; leave the option out to judge everything`);
  }
  const again = meant.flatMap(({ id, again: own }) => (own === undefined ? [] : [{ clause: id, ...own }]));
  if (again.length < meant.length)
    throw new UsageError(
      `--failed: ${file} does not say what to send again, as reports of version 2 of the suite and of runs that were killed do not: run the whole suite once, and name its report`,
    );
  return { again, seed: record.options.seed };
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
