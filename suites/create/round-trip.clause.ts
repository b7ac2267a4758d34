import { plainStatuses } from '../../src/arbitraries/valid-requests.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import type { Rule } from '../../src/oracle/world.ts';
import { COUNTER_LETTERS } from '../../src/session/names.ts';
import { defineRules } from '../define.ts';
import { acceptedCategories, createAndRead } from '../stimuli/creations.ts';
import { sendDrawn } from '../stimuli/drawn.ts';
import { largeLists } from '../stimuli/lists.ts';
import { walkWriting } from '../stimuli/walk.ts';

const OTHER_CATEGORIES = 2;
const FIRST = 8;

const rule: Rule = {
  layer: 'history',
  judgeAll: (world) => timelineCases(world, 'create.round-trip'),
  after: [
    'create.independent',
    'create.id-assigned',
    'create.id-not-adopted',
    'get.identity',
    'list.status-filter',
    'list.read-only',
    'get.repeatable',
  ],
};

const withCapitals = (name: string): string => name.slice(0, -COUNTER_LETTERS) + name.slice(-COUNTER_LETTERS).toUpperCase();

export const createRoundTrip = defineRules({
  id: 'create.round-trip',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    'Pet has every field of NewPet, with the same required rules, plus:',
  ],
  level: 'implied',
  derivation:
    'createPet adds the animal in the request and returns "the created Pet"; getPet and listPets return Pets, which have "every field of NewPet". So they show a created animal with the values of its NewPet, letter by letter and digit by digit.',
  requirement: 'getPet and listPets show the name, categoryId, and status of a created animal exactly as its NewPet had them.',
  likelyCause:
    'A column is too short or folds case, a mapper drops a field, or a default replaces the value sent. Compare the stored row with the request.',
  rules: [rule],
  sent: [
    {
      id: 'read-back',
      title: 'Reads show the first animals, and one with capitals in the middle of its name, as they were sent',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => {
        const [first, ...others] = await acceptedCategories(s);
        // A service may have closed them; 400 is correct then.
        await s.all(others.filter((category) => category !== first).slice(0, OTHER_CATEGORIES), async (categoryId) =>
          createAndRead(s, { ...(await s.fixtures.plain('pending')), categoryId }, { domain: 'unusual' }),
        );
        // A service may reject capitals in the middle; one that folds case shows with them that this affects all names, not unusual ones alone.
        const plain = await s.fixtures.plain('pending');
        await createAndRead(s, { ...plain, name: withCapitals(plain.name) }, { domain: 'open' });
        await s.all([...s.knowledge.created.values()].slice(0, FIRST), ({ id }) => s.api.get(id));
      },
    },
    {
      id: 'listed',
      title: 'Lists show the first animals as they were sent',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: largeLists,
      unmet: 'the lists show none of the created animals',
    },
    {
      id: 'generated-animals',
      title: 'Reads show concurrently created plain animals as they were sent',
      step: 'property',
      needs: ['creation'],
      effect: 'write',
      send: (s) =>
        sendDrawn(s, {
          name: 'round trip of plain animals',
          values: plainStatuses(),
          batch: [1, 4],
          planned: 1,
          most: 4,
          shrinking: 6,
          rules: [rule],
          send: async (status) => createAndRead(s, await s.fixtures.plain(status), { domain: 'plain' }),
        }),
    },
    {
      id: 'any-order',
      title: 'Creations, lists, reads, and rejected requests, in any order and concurrently, leave other animals unchanged',
      step: 'property',
      needs: ['creation'],
      effect: 'write',
      send: walkWriting,
    },
  ],
});
