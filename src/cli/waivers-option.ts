import { existsSync, readFileSync } from 'node:fs';
import type { RunRecord } from '../clause/run-record.ts';
import { addWaivers, parseWaivers, type Waiver, WaiverFileError } from '../judge/waiver-file.ts';
import { unwaived } from '../judge/waivers.ts';
import { writeAtomically } from '../report/write-reports.ts';
import type { RunConfiguration } from './session-options.ts';
import { UsageError } from './usage-error.ts';

const DAY = 86_400_000;
const DAYS_TO_LIVE = 30;

/** The waivers of the run, read before anything is sent. A file that is to be made by --update-waivers may be missing. */
export function readWaivers({ waivers: file, updateWaivers }: RunConfiguration): readonly Waiver[] {
  if (file === undefined) {
    if (updateWaivers) throw new UsageError('--update-waivers has no file to write to: name it with --waivers FILE');
    return [];
  }
  if (updateWaivers && !existsSync(file)) return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the waivers: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return parseWaivers(text, file);
  } catch (error) {
    if (error instanceof WaiverFileError) throw new UsageError(error.message);
    throw error;
  }
}

/** Adds an entry for each failure that none covers: the sentence that says so, or undefined when there is none. */
export async function updateWaivers(
  record: RunRecord,
  { waivers: file, updateWaivers: wanted }: RunConfiguration,
  today: Date,
): Promise<string | undefined> {
  const ids = unwaived(record.checks);
  if (!wanted || file === undefined || ids.length === 0 || record.interrupted) return undefined;
  const expires = new Date(today.getTime() + DAYS_TO_LIVE * DAY).toISOString().slice(0, 10);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  await writeAtomically(file, addWaivers(before, { file, ids, expires }));
  return `${file}: ${ids.length} ${ids.length === 1 ? 'entry' : 'entries'} added, valid until ${expires}; write their reasons before the next run`;
}
