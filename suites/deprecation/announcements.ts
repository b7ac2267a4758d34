import type { Answer, Exchange } from '../../src/wire/exchange.ts';
import { type DateReading, readDeprecation, readSunset } from './dates.ts';

const READERS = { deprecation: readDeprecation, sunset: readSunset } as const;
export type AnnouncementName = keyof typeof READERS;
export const ANNOUNCEMENTS = ['deprecation', 'sunset'] as const satisfies readonly AnnouncementName[];

/** A header that announces a removal, as sent and as parsed. */
export type Announcement = { readonly name: AnnouncementName; readonly values: readonly string[]; readonly reading: DateReading };

function valuesOf(answer: Answer, expected: string): readonly string[] {
  return answer.headers.filter(([name]) => name === expected).map(([, value]) => value.trim());
}

/** The headers of a response that announce a removal; a header that is sent more than once is malformed. */
export function announcementsOf(exchange: Exchange): readonly Announcement[] {
  if (exchange.outcome.kind === 'failed') return [];
  const { answer } = exchange.outcome;
  return ANNOUNCEMENTS.flatMap((name) => {
    const values = valuesOf(answer, name);
    const [first] = values;
    if (first === undefined) return [];
    return [
      { name, values, reading: values.length > 1 ? { ok: false, problem: `was sent ${values.length} times` } : READERS[name](first) },
    ];
  });
}

/** `Sunset: Thu, 05 Dec 2030 00:00:00 GMT`. */
export function shownAnnouncement({ name, values }: Announcement): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${values.join(' and ')}`;
}
