import { existsSync, readFileSync } from 'node:fs';
import type { RunRecord } from '../clause/run-record.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { count } from '../report/text.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { messageOf } from '../wire/wording.ts';
import { LARGEST, UsageError } from './option-spec.ts';
import { loadRegistry } from './own-clauses-option.ts';
import type { RunConfiguration } from './target.ts';

const DAY = 86_400_000;
const DAYS_TO_LIVE = 30;

/** The waivers of a run, and the warnings about them. */
export type ReadWaivers = { readonly waivers: readonly Waiver[]; readonly warnings: readonly string[] };

function readFile(file: string): string {
  try {
    return readBoundedFile(file, { limit: LARGEST.settings });
  } catch (error) {
    throw new UsageError(`cannot read the waivers: ${messageOf(error)}`);
  }
}

/**
 * The waivers of the run, read before anything is sent. A file that --update-waivers will create may be missing. Throws UsageError for ids
 * that name nothing; expired entries are warnings, and make the exit code 1. Without `ownClauses`, the command judges no clauses from
 * outside: a waivers file is shared with commands that do.
 */
export async function readWaivers(
  {
    waivers: file,
    updateWaivers,
    ownClauses,
  }: Pick<RunConfiguration, 'waivers' | 'updateWaivers'> & Partial<Pick<RunConfiguration, 'ownClauses'>>,
  today: Date,
): Promise<ReadWaivers> {
  if (file === undefined) {
    if (updateWaivers) throw new UsageError('--update-waivers has no file to write to: name it with --waivers FILE');
    return { waivers: [], warnings: [] };
  }
  if (updateWaivers && !existsSync(file)) return { waivers: [], warnings: [] };
  const text = readFile(file);
  // YAML and the clauses are loaded only if there are waivers.
  const [{ parseWaivers, WaiverFileError }, { examineWaivers, unknownWaiver }, clauses, { isOwnClause }] = await Promise.all([
    import('../judge/waiver-file.ts'),
    import('../judge/waivers.ts'),
    loadRegistry(ownClauses ?? []),
    import('../clause/clause-ids.ts'),
  ]);
  try {
    const all = parseWaivers(text, file);
    const waivers = ownClauses === undefined ? all.filter(({ id }) => !isOwnClause(id)) : all;
    const { problems, warnings } = examineWaivers(waivers, { unknown: (waiver) => unknownWaiver(waiver, clauses), today });
    if (problems.length > 0) throw new UsageError(`${file}: ${problems.map(({ text: problem }) => problem).join('; ')}`);
    return { waivers, warnings: warnings.map(({ text: warning }) => warning) };
  } catch (error) {
    if (error instanceof WaiverFileError) throw new UsageError(error.message);
    throw error;
  }
}

export type WaiverUpdate = { readonly configuration: RunConfiguration; readonly waivers: readonly Waiver[]; readonly today: Date };

/**
 * Adds an entry for each broken clause that none covers, and removes those that are no longer needed. Returns what was done, and what the
 * entries hide, in lines; none if there is nothing to do.
 */
export async function updateWaivers(record: RunRecord, { configuration, waivers, today }: WaiverUpdate): Promise<readonly string[]> {
  const { waivers: file, updateWaivers: wanted, ownClauses } = configuration;
  if (!wanted || file === undefined || record.interrupted) return [];
  const [{ changeWaivers }, { needlessWaivers, unwaived, waitingFor }, { presentId }, { writeAtomically }, clauses] = await Promise.all([
    import('../judge/waiver-file.ts'),
    import('../judge/waivers.ts'),
    import('../clause/clause-ids.ts'),
    import('../report/write-reports.ts'),
    loadRegistry(ownClauses),
  ]);
  const { checks, options } = record;
  const advised = new Set<string>(options.strict ? [] : record.clauses.filter(({ level }) => level === 'advised').map(({ id }) => id));
  const known = new Set(waivers.map(({ id }) => presentId(id)));
  // An expired entry is not renewed: its owner decides whether its reason still holds.
  const added = unwaived(checks).filter(({ id }) => !known.has(id) && !advised.has(id));
  const removed = needlessWaivers(checks, waivers, clauses);
  const kept = new Set(record.clauses.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id as string));
  const blind = [...kept, ...added.map(({ id }) => id)]
    .map((id) => ({ id, hides: waitingFor(id, checks) }))
    .filter(({ hides }) => hides > 0);
  const hidden = blind.map(({ id, hides }) => `${file}: while ${id} is waived, ${count(hides, 'check')} can't be judged because of it`);
  if (added.length + removed.length === 0) return hidden;
  const expires = new Date(today.getTime() + DAYS_TO_LIVE * DAY).toISOString().slice(0, 10);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const entries = added.map(({ id, found, hides }) => ({
    id,
    comment: hides === 0 ? found : `hides ${count(hides, 'check')}; ${found}`,
  }));
  try {
    await writeAtomically(file, changeWaivers(before, { file, added: entries, removed, expires }));
  } catch (error) {
    const reason = messageOf(error);
    return [`error: could not write the waivers to ${file}: ${reason}; the failures are not waived`];
  }
  const entry = (number: number): string => `${number} ${number === 1 ? 'entry' : 'entries'}`;
  return [
    ...(added.length === 0
      ? []
      : [`${file}: ${entry(added.length)} added, valid until ${expires}; write a reason for each before the next run`]),
    ...(removed.length === 0
      ? []
      : [`${file}: ${entry(removed.length)} removed, as nothing that they waived fails: ${removed.join(', ')}`]),
    ...hidden,
  ];
}
