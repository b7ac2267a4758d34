import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { announcementsOf, shownAnnouncement } from './announcements.ts';

function judgeAnnouncement({ exchange, intent, status = 0 }: Event): 'not-applicable' | 'holds' | Breach {
  if (intent.credential !== 'valid' || status < 200 || status > 299) return 'not-applicable';
  const announced = announcementsOf(exchange);
  const shown = announced.map(shownAnnouncement).join(', ');
  if (intent.operation === 'getPet') {
    if (announced.length > 0) return 'holds';
    return {
      summary: 'getPet does not announce its removal: it sends neither a Deprecation nor a Sunset header',
      expected: ['Deprecation: @ followed by a Unix time in seconds', 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT'],
      received: 'neither header',
      failureKinds: [{ place: 'headers', expected: 'an announcement of the removal', received: 'missing' }],
    };
  }
  if (announced.length === 0) return 'holds';
  return {
    summary: `${describeRequest(exchange)} is not deprecated, but announces a removal: ${shown}`,
    expected: ['no Deprecation and no Sunset header'],
    received: shown,
    failureKinds: [{ place: 'headers', expected: 'no announcement', received: 'an announcement' }],
  };
}

export const announced = defineRules({
  id: 'deprecation.announced',
  chapter: 'deprecation',
  section: 'RFC 9745, section 2; RFC 8594, section 3',
  quote: ['The operation is deprecated and is scheduled for removal on 5 December 2030.', 'Response headers of any operation: not shown.'],
  level: 'advised',
  requirement: 'getPet announces its removal with a Deprecation or Sunset header; operations that are not deprecated send neither.',
  likelyCause:
    'Nothing adds the headers, or a global filter adds them to every route. For clients you cannot contact, these headers are the only notice of removal; a gateway can add them to a single route.',
  rules: [{ layer: 'values', judge: judgeAnnouncement }],
  sent: [
    {
      id: 'headers',
      title: 'getPet announces its removal and listPets does not',
      step: 'read',
      needs: ['readable'],
      send: async (s, { readable }) => s.all([s.api.list(), s.api.get(readable.id)], (asked) => asked),
    },
  ],
});
