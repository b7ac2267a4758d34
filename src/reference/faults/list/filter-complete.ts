import type { Parts } from '../../core/parts.ts';
import { withParts } from '../../core/with-parts.ts';
import { FEW, FULL_PAGE, faultsOf, LARGE_STORE, WRITES } from '../fault.ts';
import { everyNth } from '../helpers/counters.ts';
import { changeMatches, filterBy, onNewestFirst, showOnly } from '../helpers/lists.ts';
import { showMissingStatus } from '../helpers/records.ts';

/** Filters that omit matching animals. */
export const listFilterComplete = faultsOf('list.filter-complete', {
  'filter-misses-explicit-available': [
    'status=available finds animals by their default only: those created with it are missed.',
    onNewestFirst((parts) => ({
      ...showMissingStatus('available')(parts),
      matches: (pet, status) =>
        status === 'available' ? pet.status === undefined || (pet.createdAt === 0 && pet.status === status) : parts.matches(pet, status),
    })),
    FULL_PAGE,
  ],
  'every-second-filtered-list-from-stale-replica': [
    'Lists with a status are spread over two replicas, and one of these no longer receives creations.',
    onNewestFirst((parts) => {
      const isStale = everyNth(2);
      const arrange: Parts['arrange'] = (store) => parts.arrange(store).filter(({ createdAt }) => createdAt === 0);
      return {
        listPets: (context) => parts.listPets(context.call.query.has('status') && isStale() ? withParts(context, { arrange }) : context),
      };
    }),
    FULL_PAGE,
  ],
  'filter-after-page': [
    'The page is cut first and filtered afterwards.',
    (parts) => ({
      matches: () => true,
      page: (animals, query, call) => {
        const { status } = query;
        const shown = parts.page(animals, query, call);
        return status === undefined ? shown : shown.filter((pet) => parts.matches(pet, status));
      },
    }),
    LARGE_STORE,
  ],
  'filter-searches-first-50': [
    'The filter searches the first fifty animals only.',
    (parts) => ({
      listPets: (context) => {
        const arrange: Parts['arrange'] = (store) => parts.arrange(store).slice(0, 50);
        return parts.listPets(context.call.query.has('status') ? withParts(context, { arrange }) : context);
      },
    }),
    { seedAnimals: 50, writes: true },
  ],
  'filter-drops-last-match': ['The last matching animal is omitted.', changeMatches((animals) => animals.slice(0, -1)), FEW],
  'filter-drops-first-match': ['The first matching animal is omitted.', changeMatches((animals) => animals.slice(1)), FEW],
  'filter-gives-one-match': ['The filter stops at the first match.', changeMatches((animals) => animals.slice(0, 1)), FEW],
  'filter-sold-is-empty': ['status=sold returns an empty list.', filterBy((_pet, status, kept) => status !== 'sold' && kept), FEW],
  'filter-pending-is-empty': ['status=pending returns an empty list.', filterBy((_pet, status, kept) => status !== 'pending' && kept), FEW],
  'filter-always-empty': ['The filter compares a string with an enum object: nothing is ever equal.', filterBy(() => false), FEW],
  'filter-misses-default-status': [
    'An animal created without a status shows available, but status=available does not find it.',
    showMissingStatus('available'),
    WRITES,
  ],
  'list-lags-five-seconds': [
    'A created animal is listed five seconds later, filtered or not.',
    onNewestFirst(showOnly((pet) => pet.createdAt < Date.now() - 5_000)),
    FULL_PAGE,
  ],
});
