import { Cron } from 'croner';

/** The times at which something begins again and again; in wall clock milliseconds. */
export type Recurrence = {
  /** The last time up to a moment, and the next one after it. */
  around(moment: number): readonly number[];
  /** Undefined if there is none. */
  after(moment: number): number | undefined;
};

/**
 * The times of a pattern of five fields, as cron reads them, in a time zone. One that the clocks skip takes place as soon as they have been
 * set forward; one that occurs twice takes place once, the first time. Throws for a pattern that is invalid.
 */
export function recurrenceOf(pattern: string, timeZone: string): Recurrence {
  const cron = new Cron(pattern, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard' });
  let known: { readonly last: number; readonly next: number; readonly times: readonly number[] } | undefined;

  const after = (moment: number): number | undefined => cron.nextRun(new Date(moment))?.getTime();

  return {
    after,
    around(moment) {
      // Asked for each run of each target, while the answer changes once a day.
      if (known !== undefined && known.last <= moment && moment < known.next) return known.times;
      // The times before a moment do not include it.
      const last = cron.previousRuns(1, new Date(moment + 1))[0]?.getTime();
      const next = after(moment);
      const times = [last, next].filter((time) => time !== undefined);
      known = { last: last ?? Number.NEGATIVE_INFINITY, next: next ?? Number.POSITIVE_INFINITY, times };
      return times;
    },
  };
}

/** The moment of a local time such as 2027-01-31T22:00:00 in a time zone. */
export function momentIn(timeZone: string, localTime: string): number | undefined {
  return new Cron(localTime, { timezone: timeZone }).getOnce()?.getTime();
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
