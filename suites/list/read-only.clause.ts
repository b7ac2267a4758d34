import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import { listsAfterFilters } from '../../src/oracle/view.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { onConnection } from '../stimuli/sending.ts';
import { walkReading } from '../stimuli/walk.ts';

const REPEATS = 3;
const AT_ONCE = 6;
const ROUNDS = 6;
const NONE = 'no animal was in two lists with room';

async function listAfterFilters(s: Session): Promise<void> {
  await onConnection(s, async (connection) => {
    for (const status of PET_STATUSES) {
      await s.api.list({ limit: LARGEST_LIMIT, status }, { connection });
      await s.api.list({ limit: LARGEST_LIMIT }, { connection });
      await Promise.all([s.api.list({ limit: LARGEST_LIMIT, status }), s.api.list({ limit: LARGEST_LIMIT })]);
    }
  });
}

/**
 * Reads two animals before and after several lists; the last one also after each of them, more often than any other: reading an animal often neither
 * moves it in lists nor lists it twice.
 */
async function readBetweenLists(s: Session): Promise<void> {
  const pets = await s.fixtures.sample(Number.MAX_SAFE_INTEGER);
  const [first, last] = [pets[0], pets.at(-1)];
  const read = (watched: readonly (PetView | undefined)[]) =>
    s.all(
      watched.filter((pet) => pet !== undefined),
      ({ id }) => s.api.get(id),
    );
  await read([first, last]);
  for (let round = 0; round < ROUNDS; round += 1) {
    await s.api.list();
    await read([last, last, last]);
  }
  await read([first]);
  await s.api.list({ limit: LARGEST_LIMIT });
}

export const listReadOnly = defineRules({
  id: 'list.read-only',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['Clients list animals, add an animal, and read one animal by identifier.', 'Transitions: not shown.'],
  level: 'implied',
  derivation:
    'GET is safe (RFC 9110, section 9.2.1), and listPets only lists animals. So listing changes nothing, and two lists with nothing in between agree on the animals that a page has room for, and on their names and categories. Statuses may change (transitions are not shown), and so may the order.',
  requirement: 'Listing changes nothing, and repeated lists agree.',
  likelyCause:
    'Some lists come from a replica or a partition that lags, a timeout is treated as "no rows", or listing marks or removes what it shows.',
  rules: [
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'list.read-only'),
      after: [
        'list.status-filter',
        'create.id-assigned',
        'list.filter-with-limit',
        'list.unique',
        'list.limit-maximum',
        'list.limit-default',
      ],
    },
  ],
  sent: [
    {
      id: 'repeated',
      title: 'Repeated requests for the same list show the same animals',
      step: 'read',
      needs: ['petList'],
      exhaustive: true,
      send: async (s) => {
        // Sequentially and concurrently: either way reveals responses that alternate.
        for (let turn = 0; turn < REPEATS; turn += 1) await s.api.list({ limit: LARGEST_LIMIT });
        await s.all(Array.from({ length: AT_ONCE }), () => s.api.list({ limit: LARGEST_LIMIT }));
      },
      cases: () => true,
      unmet: NONE,
    },
    {
      id: 'after-filter',
      title: 'An unfiltered list is not filtered by the status of the list before it',
      step: 'read',
      needs: ['petList'],
      exhaustive: true,
      send: listAfterFilters,
      cases: ({ event, others = [] }, world) => [event, ...others].some(({ number }) => listsAfterFilters(world).has(number)),
      unmet: NONE,
    },
    {
      id: 'animals-stay',
      title: 'Listing leaves animals unchanged and in the store',
      step: 'read',
      needs: ['pets'],
      exhaustive: true,
      send: readBetweenLists,
      unmet: NONE,
    },
    {
      id: 'any-order',
      title: 'Lists, reads, and rejected credentials, in any order and concurrently, leave the animals unchanged',
      step: 'property',
      needs: ['petList'],
      exhaustive: true,
      send: walkReading,
      unmet: NONE,
    },
  ],
});
