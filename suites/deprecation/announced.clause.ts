import { failOr, haltInconclusive, pass } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { answerOf, describeRequest, finding } from '../../src/expect/expect.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { announcementsOf, shownAnnouncement } from './announcements.ts';

async function announcements(s: Session, { petList, readable }: Have<['petList', 'readable']>): Promise<Outcome> {
  const read = await s.api.get(readable.id);
  if (answerOf(read).status !== 200) haltInconclusive(`${describeRequest(read)} returned ${answerOf(read).status}`, 'get.success');
  const ofRead = announcementsOf(read);
  const ofList = announcementsOf(petList.exchange);
  const silent = finding([read], {
    summary: 'getPet does not announce its removal: it sends neither a Deprecation nor a Sunset header',
    expected: ['Deprecation: @ followed by a Unix time in seconds', 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT'],
    received: 'neither header',
  });
  const loud = finding([petList.exchange], {
    summary: `listPets is not deprecated, but announces a removal: ${ofList.map(shownAnnouncement).join(', ')}`,
    expected: ['no Deprecation and no Sunset header'],
    received: ofList.map(shownAnnouncement).join(', '),
  });
  const evidence = `getPet announces ${ofRead.map(shownAnnouncement).join(', ')}; listPets announces nothing`;
  return failOr([ofRead.length === 0 ? silent : undefined, ofList.length > 0 ? loud : undefined], pass(evidence));
}

export const announced = defineClause({
  id: 'deprecation.announced',
  chapter: 'deprecation',
  section: 'RFC 9745, section 2; RFC 8594, section 3',
  quote: ['The operation is deprecated and is scheduled for removal on 5 December 2030.', 'Response headers of any operation: not shown.'],
  level: 'advised',
  requirement: 'getPet announces its removal with a Deprecation or Sunset header; operations that are not deprecated send neither.',
  likelyCause:
    'Nothing adds the headers, or a global filter adds them to every route. For clients you cannot contact, these headers are the only notice of removal; a gateway can add them to a single route.',
  checks: [
    {
      id: 'headers',
      title: 'getPet announces its removal and listPets does not',
      step: 'read',
      given: ['petList', 'readable'],
      fault: 'deprecation-on-every-operation',
      run: announcements,
    },
  ],
});
