import type { Exchange, HttpResponse } from '../../src/wire/exchange.ts';

const READERS = { deprecation: readDeprecation, sunset: readSunset } as const;
export type AnnouncementName = keyof typeof READERS;
export const ANNOUNCEMENTS = ['deprecation', 'sunset'] as const satisfies readonly AnnouncementName[];

export type Announcement = { readonly name: AnnouncementName; readonly values: readonly string[]; readonly reading: DateReading };

function valuesOf(response: HttpResponse, expected: string): readonly string[] {
  return response.headers.filter(([name]) => name === expected).map(([, value]) => value.trim());
}

/** The headers of a response that announce a removal; a header that is sent more than once is malformed. */
export function announcementsOf(exchange: Exchange): readonly Announcement[] {
  if (exchange.outcome.kind === 'failed') return [];
  const { answer: response } = exchange.outcome;
  return ANNOUNCEMENTS.flatMap((name) => {
    const values = valuesOf(response, name);
    const [first] = values;
    if (first === undefined) return [];
    return [
      { name, values, reading: values.length > 1 ? { ok: false, problem: `was sent ${values.length} times` } : READERS[name](first) },
    ];
  });
}

export function headerOf({ name }: Pick<Announcement, 'name'>): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** `Sunset: Thu, 05 Dec 2030 00:00:00 GMT`. */
export function shownAnnouncement(announcement: Announcement): string {
  return `${headerOf(announcement)}: ${announcement.values.join(' and ')}`;
}

/** A parsed date header: its time in milliseconds since the epoch, or what is wrong with its form. */
type DateReading =
  | { readonly ok: true; readonly time: number }
  | { readonly ok: false; readonly problem: string /** The time, if an older form states one. */; readonly time?: number };

const WEEKDAY_LENGTH = 3;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE = /^([A-Z][a-z]{2}), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** RFC 9651, section 3.3.7: a Date is `@` and an integer of seconds; parameters may follow. */
const STRUCTURED_DATE = /^@(-?\d{1,15})(?:;.*)?$/;

/** An IMF-fixdate (RFC 9110, section 5.6.7), its weekday and calendar checked. */
function readImfFixdate(text: string): DateReading {
  const [, weekday, day, month = '', year, hours, minutes, seconds] = IMF_FIXDATE.exec(text) ?? [];
  if (weekday === undefined) return { ok: false, problem: 'is not an IMF-fixdate such as "Thu, 05 Dec 2030 00:00:00 GMT"' };
  const time = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes), Number(seconds));
  // A date that does not exist reads differently once it is formatted again.
  const written = MONTHS.includes(month) ? new Date(time).toUTCString() : '';
  if (written.slice(WEEKDAY_LENGTH) !== text.slice(WEEKDAY_LENGTH))
    return { ok: false, problem: 'names a date or time that does not exist' };
  const right = written.slice(0, WEEKDAY_LENGTH);
  return right === weekday ? { ok: true, time } : { ok: false, problem: `says ${weekday}, but that date is a ${right}`, time };
}

/** The header Sunset (RFC 8594, section 3): an HTTP-date, sent as IMF-fixdate. */
export function readSunset(text: string): DateReading {
  return readImfFixdate(text);
}

/** The header Deprecation (RFC 9745, section 2.1): a structured date. Drafts allowed `true` and HTTP-dates; the latter still state a time. */
export function readDeprecation(text: string): DateReading {
  const seconds = STRUCTURED_DATE.exec(text)?.[1];
  if (seconds !== undefined) return { ok: true, time: Number(seconds) * 1000 };
  const problem = 'is not a structured date such as "@1735689600"';
  const legacy = readImfFixdate(text);
  return legacy.ok ? { ok: false, problem, time: legacy.time } : { ok: false, problem };
}
