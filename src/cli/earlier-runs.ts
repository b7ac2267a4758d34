// What a run takes from earlier runs: what failed, what was created, the baseline.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import type { Behavior } from '../report/behavior.ts';
import { oneLine } from '../report/text.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { isRecord } from '../wire/parsed.ts';
import { messageOf } from '../wire/wording.ts';
import { type Flags, LARGEST, UsageError } from './option-spec.ts';
import { loadOldRegistry } from './own-clauses-option.ts';
import type { readReport } from './report-file.ts';
import { PREVIOUS } from './reports-folder.ts';
import { checkSameService, type RunConfiguration, type Target } from './target.ts';

/** The part of an earlier run that is judged again: what failed, and what waited for it. */
export type FailedSelection = {
  readonly only: readonly string[];
  readonly because: string;
  /** What judges the requests of others may have failed on any of them. */
  readonly wholeTraffic: boolean;
  readonly warnings: readonly string[];
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

/**
 * What failed in the run of `--failed [REPORT]`, and what waited for that; undefined if the option is
 * not used. Read before reports are moved away. Throws UsageError if nothing failed.
 */
export async function selectFailed(configuration: RunConfiguration, commandLine: Flags): Promise<FailedSelection | undefined> {
  const { failed, reports, only, ownClauses } = configuration;
  if (failed === undefined) return undefined;
  const [{ SANITY, selectClauses }, { partsOfMusts }, clauses, { readReport: read }] = await Promise.all([
    import('../judge/selection.ts'),
    import('../judge/replay.ts'),
    loadOldRegistry(ownClauses),
    import('./report-file.ts'),
  ]);
  const file = failed === true ? lastReport(reports, read) : failed;
  const record = read(file);
  checkSameService({ file, record, configuration, commandLine });
  const failures = brokenIn(record);
  const known = new Set(
    selectClauses(clauses, { only, skip: [], exhaustive: true }).flatMap(({ checks, invariants }) =>
      [...checks, ...invariants].map(({ id }) => id),
    ),
  );
  const partsOf = (all: readonly ClauseRecord[], isMeant: (must: MustRecord) => boolean) =>
    all.map(({ id, musts }) => partsOfMusts({ id, musts: musts.filter(isMeant) }, clauses).filter((part) => known.has(part.id)));
  const byClause = partsOf(failures, ({ verdict }) => verdict === 'fail');
  const again = byClause.flat();
  if (again.length === 0) {
    const why = failures.length === 0 ? 'no clause failed in' : 'nothing of this selection failed in';
    throw new UsageError(`--failed: ${why} ${file}; leave the option out to judge everything`);
  }
  // What could not be judged because of them may be broken too.
  const waits = ({ verdict, why }: MustRecord): boolean => verdict === 'inconclusive' && why === 'waits';
  const waiting = partsOf(
    record.clauses.filter(({ musts }) => musts.some(waits)),
    waits,
  );
  const unknown = byClause.filter(({ length }) => length === 0).length;
  return {
    only: [...new Set([...again, ...waiting.flat().filter(({ sends }) => sends)].map(({ id }) => id).concat(SANITY))],
    because: `--failed ${file}`,
    wholeTraffic: again.some(({ sends }) => !sends),
    warnings: only.length > 0 || unknown === 0 ? [] : [`${unknown} of the clauses that failed in ${file} are not known to this release`],
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
