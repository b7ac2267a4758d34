import { existsSync, readFileSync } from 'node:fs';
import type { RunRecord } from '../clause/run-record.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { count } from '../report/text.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { messageOf } from '../wire/wording.ts';
import { LARGEST, UsageError } from './option-spec.ts';
import { loadRegistry } from './own-clauses-option.ts';
import type { RunConfiguration } from './target.ts';

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
    const waivers = parseWaivers(text, file);
    const isOthers = ({ id }: Waiver): boolean => ownClauses === undefined && isOwnClause(id);
    const unknown = (waiver: Waiver): string | undefined => (isOthers(waiver) ? undefined : unknownWaiver(waiver, clauses));
    const { problems, warnings } = examineWaivers(waivers, { unknown, today });
    if (problems.length > 0) throw new UsageError(`${file}: ${problems.map(({ text: problem }) => problem).join('; ')}`);
    return { waivers, warnings: warnings.map(({ text: warning }) => warning) };
  } catch (error) {
    if (error instanceof WaiverFileError) throw new UsageError(error.message);
    throw error;
  }
}

export type WaiverUpdate = { readonly configuration: RunConfiguration; readonly waivers: readonly Waiver[]; readonly today: Date };

const entries = (number: number): string => count(number, 'entry', 'entries');

/**
 * Adds an entry for each kind of failure that none covers, binds entries for every failure to those that they cover now, and removes those that are no
 * longer needed. Returns what was done, and what the entries hide, in lines; none if there is nothing to do.
 */
export async function updateWaivers(record: RunRecord, { configuration, waivers, today }: WaiverUpdate): Promise<readonly string[]> {
  const { waivers: file, updateWaivers: wanted, ownClauses, failed } = configuration;
  if (!wanted || file === undefined || record.interrupted) return [];
  const [{ changeWaivers }, { boundWaivers, needlessWaivers, unwaived }, { waitingFor }, { writeAtomically }, registry] = await Promise.all(
    [
      import('../judge/waiver-file.ts'),
      import('../judge/waivers.ts'),
      import('../judge/must-counts.ts'),
      import('../report/write-reports.ts'),
      loadRegistry(ownClauses),
    ],
  );
  const { clauses, options } = record;
  const advised = new Set<string>(options.strict ? [] : clauses.filter(({ level }) => level === 'advised').map(({ id }) => id));
  const added = unwaived(clauses, waivers).filter(({ id }) => !advised.has(id));
  const bound = boundWaivers(clauses, waivers, today);
  // A part of the requests does not show that nothing fails any more.
  const removed = failed === undefined ? needlessWaivers(clauses, waivers, registry) : [];
  const kept = clauses.filter(({ verdict }) => verdict === 'waived').map(({ id }) => id as string);
  const blind = [...new Set([...kept, ...added.map(({ id }) => id)])]
    .map((id) => ({ id, hides: waitingFor(id, clauses) }))
    .filter(({ hides }) => hides > 0);
  const hidden = blind.map(({ id, hides }) => `${file}: while ${id} is waived, ${count(hides, 'situation')} can't be judged because of it`);
  if (added.length + bound.size + removed.length === 0) return hidden;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  try {
    await writeAtomically(file, changeWaivers(before, { file, added, bound, removed: new Set(removed) }));
  } catch (error) {
    const reason = messageOf(error);
    return [`error: could not write the waivers to ${file}: ${reason}; the failures are not waived`];
  }
  const idsAt = (positions: readonly number[]): string => positions.map((position) => waivers[position]?.id).join(', ');
  return [
    ...(added.length === 0
      ? []
      : [`${file}: ${entries(added.length)} added; write a reason and the last day for each, without which the next run rejects the file`]),
    ...(bound.size === 0 ? [] : [`${file}: ${entries(bound.size)} bound to the failures that they cover now: ${idsAt([...bound.keys()])}`]),
    ...(removed.length === 0 ? [] : [`${file}: ${entries(removed.length)} removed, as nothing that they waived fails: ${idsAt(removed)}`]),
    ...hidden,
  ];
}
