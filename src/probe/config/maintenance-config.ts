import { suggestAmong } from '../../clause/patterns.ts';
import { messageOf } from '../../wire/wording.ts';
import type { PlannedMaintenance } from '../alerts/maintenance.ts';
import { isTimeZone, momentIn, type Recurrence, recurrenceOf } from '../alerts/recurrence.ts';
import type { Reading } from './reading.ts';
import { milliseconds } from './target-config.ts';

/** The shape that the schema allows. */
export type RawMaintenance = {
  reason: string;
  duration: string;
  start?: string;
  weekly?: string;
  daily?: string;
  cron?: string;
  timeZone?: string;
  targets?: string[];
};

export const LONGEST_MAINTENANCE = '24h';

type Place = {
  readonly reading: Reading;
  readonly path: readonly string[];
  /** Of all targets. */
  readonly names: readonly string[];
  /** `longestMaintenance` of the file. */
  readonly longest: string;
};

/** In the order of the numbers of cron: Sunday is 0. */
const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const FORMS = ['start', 'weekly', 'daily', 'cron'] as const;
/** As many windows are looked at: those of a week, if each lasts a minute. */
const MOST_LOOKED_AT = 10_080;

const cronAt = (time: string, days: string): string => {
  const [hour = '', minute = ''] = time.split(':');
  return `${Number(minute)} ${Number(hour)} * * ${days}`;
};

/** The pattern of a window that recurs, as the schema allows it: `monday, thursday 02:00`, `02:00`, or cron itself. */
function patternOf({ weekly, daily, cron }: RawMaintenance): string | undefined {
  if (daily !== undefined) return cronAt(daily, '*');
  if (weekly === undefined) return cron;
  const words = weekly.split(/[, ]+/);
  const days = words.slice(0, -1).map((day) => DAYS.indexOf(day));
  return cronAt(words.at(-1) ?? '', days.join(','));
}

/** A time with or without an offset, whose form the schema has checked; undefined if no calendar has its day, or no clock its hour. */
function momentOf(text: string, timeZone: string): number | undefined {
  const [, day = '', time = '', offset] = /^(\S{10})[Tt ]([\d:.]+)(.*)$/.exec(text) ?? [];
  const noon = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(noon) || !new Date(noon).toISOString().startsWith(day)) return undefined;
  if (offset === '') return momentIn(timeZone, `${day}T${time.length === 'hh:mm'.length ? `${time}:00` : time}`);
  const moment = Date.parse(`${day}T${time}${offset?.toUpperCase()}`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** Whether windows without a gap between them last longer altogether than one may. */
function lastTooLongTogether(
  { after }: Recurrence,
  { from, duration, longest }: { from: number; duration: number; longest: number },
): boolean {
  let last = after(from) ?? Number.POSITIVE_INFINITY;
  let begin = last;
  // The first row may have begun before.
  for (let [window, gaps] = [0, 0]; gaps < 2 && window < MOST_LOOKED_AT; window += 1) {
    if (last + duration - begin > longest) return true;
    const next = after(last) ?? Number.POSITIVE_INFINITY;
    if (next - last > duration) {
      gaps += 1;
      begin = next;
    }
    last = next;
  }
  return false;
}

/** When the windows begin; mistakes are added to the problems of the reading. */
function startsOf(raw: RawMaintenance, { reading, path, longest }: Place): PlannedMaintenance['starts'] {
  const { problems } = reading;
  const { start, timeZone } = raw;
  const zone = timeZone ?? 'UTC';
  const none = (): readonly number[] => [];
  const given = FORMS.filter((form) => raw[form] !== undefined);
  const [form] = given;
  if (form === undefined || given.length > 1) {
    problems.push({ path, text: 'expected one of "start" (once), "weekly", "daily", and "cron"' });
    return none;
  }
  const at = [...path, form];
  if (!isTimeZone(zone)) {
    problems.push({ path: [...path, 'timeZone'], text: `expected a time zone such as Europe/Berlin, received "${zone}"` });
    return none;
  }
  if (start !== undefined) {
    const moment = momentOf(start, zone);
    if (moment === undefined) problems.push({ path: at, text: `expected a time such as 2027-01-31T22:00:00Z, received "${start}"` });
    if (timeZone !== undefined && /(?:z|[+-]\d\d:?\d\d)$/i.test(start.slice('2027-01-31'.length)))
      problems.push({
        path: at,
        text: `has an offset to UTC of its own: remove it, as in ${start.slice(0, 'yyyy-mm-ddThh:mm'.length)}, or "timeZone"`,
      });
    return () => (moment === undefined ? [] : [moment]);
  }
  try {
    const recurrence = recurrenceOf(patternOf(raw) ?? '', zone);
    const limits = { from: reading.today.getTime(), duration: milliseconds(raw.duration), longest: milliseconds(longest) };
    if (recurrence.after(limits.from) === undefined) problems.push({ path: at, text: 'never takes place' });
    else if (limits.duration <= limits.longest && lastTooLongTogether(recurrence, limits)) {
      const text = `its windows follow one another without a gap for more than ${longest}; shorten "duration", or set longestMaintenance`;
      problems.push({ path: at, text });
    }
    return recurrence.around;
  } catch (error) {
    problems.push({ path: at, text: `cron cannot read it: ${messageOf(error).replace(/^CronPattern: /, '')}` });
    return none;
  }
}

export function maintenanceOf(raw: RawMaintenance, place: Place): PlannedMaintenance {
  const { reading, path, names, longest } = place;
  const { reason, targets = [] } = raw;
  const duration = milliseconds(raw.duration);
  if (duration > milliseconds(longest)) {
    const text = `expected at most ${longest}, received ${raw.duration}; if it must be longer, set longestMaintenance: ${raw.duration}`;
    reading.problems.push({ path: [...path, 'duration'], text });
  }
  targets.forEach((name, position) => {
    if (names.includes(name)) return;
    const text = `no target has the name "${name}" (${suggestAmong(name, names) ?? 'give the name of a target of this file'})`;
    reading.problems.push({ path: [...path, 'targets', String(position)], text });
  });
  return { reason, targets, duration, starts: startsOf(raw, place) };
}
