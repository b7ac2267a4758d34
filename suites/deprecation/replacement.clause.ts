import { timelineCases } from '../../src/oracle/timelines.ts';
import type { Event } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';

const FULL = 'the filtered lists are full before the animals in question, and the document does not show how to ask for later pages';

/** One animal of each status that the lists show: an empty list proves nothing. */
function oneOfEach(pets: readonly PetView[]): readonly PetView[] {
  const first = (status: PetStatus): PetView | undefined => pets.find((pet) => pet.status === status);
  return PET_STATUSES.map(first).filter((pet) => pet !== undefined);
}

/** A list with a status and nothing else, as clients will request it once getPet is removed. */
const isFilteredByDefault = ({ intent: { status, limit } }: Event): boolean => status !== 'absent' && limit === 'absent';

export const replacement = defineRules({
  id: 'deprecation.replacement',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['The replacement is `GET /pets` with the `status` filter.'],
  level: 'required',
  requirement: 'The replacement for getPet, the list with the status filter, finds the animals that getPet finds.',
  likelyCause: 'The filter uses a different source than the status shown, or updates later. Clients that migrate to it would lose animals.',
  rules: [
    // The same lists break list.filter-complete: there it is a wrong list, here a client that replaces getPet with lists loses an animal.
    {
      layer: 'history',
      judgeAll: (world) => timelineCases(world, 'deprecation.replacement'),
      after: [
        'create.independent',
        'list.complete',
        'list.status-filter',
        'list.limit-default',
        'list.read-only',
        'get.durable',
        'get.repeatable',
        'list.unique',
      ],
    },
  ],
  sent: [
    {
      id: 'by-status',
      title: 'The status filter finds an animal of each status',
      step: 'read',
      needs: ['petList'],
      smoke: true,
      send: async (s, { petList: { pets } }) => {
        const found = oneOfEach(pets);
        await s.all(found, ({ id }) => s.fixtures.firstRead(id));
        await s.all(found, async ({ status }) => (status === undefined ? undefined : s.fixtures.firstFiltered(status)));
      },
      cases: ({ event, others = [] }) => [event, ...others].some(isFilteredByDefault),
      unmet: FULL,
    },
    {
      id: 'created',
      title: 'The status filter finds a newly created animal of each status',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => {
        const animals = [...s.knowledge.created.values()].map(({ answered }) => answered);
        await s.all(oneOfEach(animals), ({ id }) => s.fixtures.firstRead(id));
        await s.all(PET_STATUSES, (status) => s.api.list({ status, limit: 100 }));
      },
      unmet: FULL,
    },
  ],
});
