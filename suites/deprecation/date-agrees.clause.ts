import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { announcementsOf, shownAnnouncement } from './announcements.ts';

/** The document names a day and no time zone: it is 5 December 2030 somewhere on Earth from 10:00 UTC on the day before to 12:00 UTC on the day after. */
const FIRST_MOMENT = Date.UTC(2030, 11, 4, 10);
const LAST_MOMENT = Date.UTC(2030, 11, 6, 12);

/** What getPet announces does not contradict the date. deprecation.headers-well-formed judges the form of the headers. */
function judgeDates({ exchange, intent }: Event): InvariantJudgement {
  if (intent.operation !== 'getPet') return 'not-applicable';
  // `time` is set if a date can be read from the value, even if it is not well-formed.
  const dated = announcementsOf(exchange).filter(({ reading }) => reading.time !== undefined);
  if (dated.length === 0) return 'not-applicable';
  for (const announcement of dated) {
    const { name, reading } = announcement;
    const time = reading.time ?? 0;
    const received = shownAnnouncement(announcement);
    if (name === 'sunset' && (time < FIRST_MOMENT || time > LAST_MOMENT)) {
      return {
        summary: `${describeRequest(exchange)} announces a different removal date: ${received}`,
        expected: ['5 December 2030', 'no Sunset header'],
        received,
        failureKinds: [{ place: 'header Sunset', expected: 'the date of the removal', received: 'another date' }],
      };
    }
    if (name === 'deprecation' && time > LAST_MOMENT) {
      return {
        summary: `${describeRequest(exchange)} dates the deprecation after the removal: ${received}`,
        expected: ['a date no later than 5 December 2030', 'no Deprecation header'],
        received,
        failureKinds: [{ place: 'header Deprecation', expected: 'a date before the removal', received: 'a later date' }],
      };
    }
  }
  return 'holds';
}

export const dateAgrees = defineRules({
  id: 'deprecation.date-agrees',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['The operation is deprecated and is scheduled for removal on 5 December 2030.', 'Response headers of any operation: not shown.'],
  level: 'implied',
  derivation:
    'The operation is deprecated and scheduled for removal on 5 December 2030. Sunset (RFC 8594) says when a resource is expected to become unavailable; Deprecation (RFC 9745) says since when it is deprecated. The document shows no response headers, so a service may send neither, but a header that it sends is a statement about this date.',
  requirement:
    'If getPet sends a Sunset header, the header names 5 December 2030; if it sends a Deprecation header, that date is not later.',
  likelyCause: 'The header was copied from a template, or the day and the month are swapped. Clients plan their migration by this date.',
  rules: [{ layer: 'values', judge: judgeDates }],
  sent: [
    {
      id: 'get',
      title: 'getPet announces no date other than 5 December 2030',
      step: 'read',
      needs: ['pets'],
      send: async (s, { pets }) => s.all(pets.slice(0, 1), ({ id }) => s.api.get(id)),
      absent: 'getPet announces no date',
    },
  ],
  met: [{ id: 'every-response', title: 'No getPet response announces a different date' }],
});
