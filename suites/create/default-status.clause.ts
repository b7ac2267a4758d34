import type { Observation } from '../../src/clause/outcome.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { defineRules } from '../define.ts';
import { isOfFirst, look, sightsOf } from './creations.ts';

function observeDefault([creation]: readonly Event[], world: World): readonly Observation[] {
  if (creation?.pet === undefined) return [];
  const [sight] = sightsOf(creation, world);
  return [
    { question: 'default status in the 201', answer: creation.pet.status ?? 'none' },
    { question: 'default status when read', answer: sight === undefined ? 'not found' : (sight.pet.status ?? 'none') },
  ];
}

export const createDefaultStatus = defineRules({
  id: 'create.default-status',
  chapter: 'create-pet',
  section: 'States and transitions',
  quote: ['If status is omitted on creation, the default is not stated.'],
  level: 'open',
  requirement:
    'Records the status of an animal that was created without one, in the 201 and when it is read. "The default is not stated", so it may be any of the three, or none. A 201 may also omit a status that is shown later, because status is optional in Pet.',
  likelyCause: 'No action needed; document the default if clients may rely on it.',
  sent: [
    {
      id: 'shown-status',
      title: 'Records the status of an animal created without one',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: async (s, { creation }) => look(s, creation.slice(0, 1)),
      cases: (one, world) => one.event.intent.sent?.status === undefined && isOfFirst(one, world),
      observe: observeDefault,
      unmet: 'no 201 shows an animal created without a status',
    },
  ],
});
