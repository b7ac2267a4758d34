import { suggestAmong } from '../../judge/selection.ts';
import type { PlannedMaintenance } from '../alerts/maintenance.ts';
import type { Reading } from './reading.ts';
import { milliseconds } from './target-config.ts';

/** The shape that the schema allows. */
export type RawMaintenance = { reason: string; duration: string; start?: string; weekly?: string; targets?: string[] };

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAY = 86_400_000;
/** The first Monday of the wall clock: 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY;

/** `sunday 02:00` as its first time; the schema has checked the form. */
function firstTime(weekly: string): number {
  const [, day = '', hours, minutes] = /^(\w+) (\d+):(\d+)$/.exec(weekly) ?? [];
  return FIRST_MONDAY + DAYS.indexOf(day) * DAY + (Number(hours) * 60 + Number(minutes)) * 60_000;
}

type Place = { readonly reading: Reading; readonly path: readonly string[] /** Of all targets. */; readonly names: readonly string[] };

/** A planned maintenance window; its mistakes are added to the problems of the reading. */
export function maintenanceOf(raw: RawMaintenance, { reading: { problems }, path, names }: Place): PlannedMaintenance {
  const { reason, start, weekly, targets = [] } = raw;
  const duration = milliseconds(raw.duration);
  if ((start === undefined) === (weekly === undefined))
    problems.push({ path, text: 'expected either "start", for once, or "weekly", for each week' });
  if (weekly !== undefined && duration >= 7 * DAY)
    problems.push({ path: [...path, 'duration'], text: `expected less than a week (168h), received ${raw.duration}` });
  targets.forEach((name, position) => {
    if (names.includes(name)) return;
    const text = `no target has the name "${name}" (${suggestAmong(name, names) ?? 'give the name of a target of this file'})`;
    problems.push({ path: [...path, 'targets', String(position)], text });
  });
  return {
    reason,
    targets,
    duration,
    weekly: weekly !== undefined,
    start: weekly === undefined ? Date.parse(start ?? '') : firstTime(weekly),
  };
}
