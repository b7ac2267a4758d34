import type { InvariantJudgement } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { announcementsOf, headerOf, shownAnnouncement } from './announcements.ts';

function judgeForm({ exchange }: Event): InvariantJudgement {
  const announcements = announcementsOf(exchange);
  if (announcements.length === 0) return 'not-applicable';
  for (const announcement of announcements) {
    const { reading } = announcement;
    if (reading.ok) continue;
    const received = shownAnnouncement(announcement);
    return {
      summary: `${describeRequest(exchange)} sent a header that ${reading.problem}: ${received}`,
      expected: ['Deprecation: @ followed by a Unix time in seconds (RFC 9745)', 'Sunset: an IMF-fixdate (RFC 8594)', 'neither header'],
      received,
      failureKinds: [{ place: `header ${headerOf(announcement)}`, expected: 'a date as its RFC writes it', received: 'another form' }],
    };
  }
  return 'holds';
}

export const headersWellFormed = defineRules({
  id: 'deprecation.headers-well-formed',
  chapter: 'deprecation',
  section: 'RFC 9745, section 2.1; RFC 8594, section 3',
  quote: ['Response headers of any operation: not shown.'],
  level: 'advised',
  requirement: 'A Deprecation header is a structured date, and a Sunset header is an IMF-fixdate that exists in the calendar.',
  likelyCause:
    'The header follows an older draft ("true", an HTTP-date) or is formatted as an ISO date, which client libraries do not parse.',
  rules: [{ layer: 'values', judge: judgeForm }],
  sent: [
    {
      id: 'get',
      title: 'The deprecation headers of getPet are well-formed',
      step: 'read',
      needs: ['pets'],
      send: async (s, { pets }) => s.all(pets.slice(0, 1), ({ id }) => s.api.get(id)),
      absent: 'getPet sends neither a Deprecation nor a Sunset header',
    },
  ],
  met: [{ id: 'every-response', title: 'Every Deprecation and Sunset header is well-formed' }],
});
