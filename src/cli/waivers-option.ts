import { existsSync, readFileSync } from 'node:fs';
import type { RunRecord } from '../clause/run-record.ts';
import type { Waiver } from '../judge/waiver-file.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import { LARGEST } from './input-limits.ts';
import type { RunConfiguration } from './session-options.ts';
import { UsageError } from './usage-error.ts';

const DAY = 86_400_000;
const DAYS_TO_LIVE = 30;

/** The waivers of the run, read before anything is sent. A file that is to be made by --update-waivers may be missing. */
export async function readWaivers({ waivers: file, updateWaivers }: RunConfiguration): Promise<readonly Waiver[]> {
  if (file === undefined) {
    if (updateWaivers) throw new UsageError('--update-waivers has no file to write to: name it with --waivers FILE');
    return [];
  }
  if (updateWaivers && !existsSync(file)) return [];
  let text: string;
  try {
    text = readBoundedFile(file, LARGEST.settings);
  } catch (error) {
    throw new UsageError(`cannot read the waivers: ${error instanceof Error ? error.message : String(error)}`);
  }
  // YAML is loaded for those who have waivers.
  const { parseWaivers, WaiverFileError } = await import('../judge/waiver-file.ts');
  try {
    return parseWaivers(text, file);
  } catch (error) {
    if (error instanceof WaiverFileError) throw new UsageError(error.message);
    throw error;
  }
}

/** Adds an entry for each failure that none covers: the sentence that says so or why it could not be done, or undefined when there is none. */
export async function updateWaivers(
  record: RunRecord,
  { waivers: file, updateWaivers: wanted }: RunConfiguration,
  today: Date,
): Promise<string | undefined> {
  if (!wanted || file === undefined || record.interrupted) return undefined;
  const [{ addWaivers }, { unwaived }, { writeAtomically }] = await Promise.all([
    import('../judge/waiver-file.ts'),
    import('../judge/waivers.ts'),
    import('../report/write-reports.ts'),
  ]);
  const ids = unwaived(record.checks);
  if (ids.length === 0) return undefined;
  const expires = new Date(today.getTime() + DAYS_TO_LIVE * DAY).toISOString().slice(0, 10);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  try {
    await writeAtomically(file, addWaivers(before, { file, ids, expires }));
  } catch (error) {
    return `error: could not write the waivers to ${file}: ${error instanceof Error ? error.message : String(error)}; the failures are not waived`;
  }
  return `${file}: ${ids.length} ${ids.length === 1 ? 'entry' : 'entries'} added, valid until ${expires}; write a reason for each before the next run`;
}
