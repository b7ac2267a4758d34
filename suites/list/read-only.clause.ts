import { defineClause } from '../define.ts';
import { judgeAfterFilter } from './after-filter.ts';
import { judgeChangedByListing } from './changed-by-listing.ts';
import { judgeReadsInAnyOrder } from './reads-in-any-order.ts';
import { judgeRepeatedLists } from './repeated-lists.ts';

export const listReadOnly = defineClause({
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
  checks: [
    {
      id: 'repeated',
      title: 'Repeated requests for the same list show the same animals',
      step: 'read',
      given: ['petList', 'read'],
      exhaustive: true,
      fault: 'list-drops-one-now-and-then',
      run: (s, { petList }) => judgeRepeatedLists(s, petList.exchange),
    },
    {
      id: 'after-filter',
      title: 'An unfiltered list is not filtered by the status of the list before it',
      step: 'read',
      given: ['petList'],
      exhaustive: true,
      fault: 'filter-stays-for-next-list',
      run: judgeAfterFilter,
    },
    {
      id: 'animals-stay',
      title: 'Listing leaves animals unchanged and in the store',
      step: 'read',
      given: ['pets', 'read'],
      exhaustive: true,
      fault: 'list-changes-status',
      run: judgeChangedByListing,
    },
    {
      id: 'any-order',
      title: 'Lists, reads, and rejected credentials, in any order and concurrently, leave the animals unchanged',
      step: 'property',
      given: ['petList', 'read'],
      exhaustive: true,
      fault: 'list-rows-shifted-now-and-then',
      run: judgeReadsInAnyOrder,
    },
  ],
});
