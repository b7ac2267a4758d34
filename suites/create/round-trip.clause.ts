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

/**
 * Broken where a list, or the reads of an animal, never show the name, category, or status that its NewPet had. Not this clause's: what lists show
 * right and reads do not, or the other way round (get.agrees-with-list); what was right and is wrong for good (get.durable), or now and then
 * (list.read-only, get.repeatable); an unusual value, where plain ones are kept (create.unusual-names, create.unusual-categories); and a value that
 * its 201 has changed, and that everything shows as the 201 did (create.answer).
 */
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
        // acceptedCategories: the configured ones, or up to four that listed animals have.
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
      // largeLists: limit=100 (less where the service rejects that), without a status and with each.
      send: largeLists,
      unmet: 'the lists show none of the created animals',
    },
    {
      id: 'generated-animals',
      title: 'Reads show concurrently created plain animals as they were sent',
      step: 'property',
      needs: ['creation'],
      effect: 'write',
      // sendDrawn: batches of up to four plain NewPets that the seed draws, with and without a status; one that breaks the rule is shrunk.
      // createAndRead: a creation, then a read of the animal.
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
      // walkWriting: some twenty drawn sequences of two to eight steps, several at a time: lists, reads, near misses of the API key,
      // creations, and invalid bodies, one or several at once.
      send: walkWriting,
    },
  ],
});
