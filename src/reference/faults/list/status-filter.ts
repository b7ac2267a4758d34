import type { Parts } from '../../core/parts.ts';
import type { Pet, Status } from '../../core/pet.ts';
import { withParts } from '../../core/with-parts.ts';
import { FEW, faultsOf, LARGE_STORE, needing } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { filterBy, filterIgnored, forget, hasUnknownParameter } from '../helpers/lists.ts';
import { isProblem } from '../helpers/requests.ts';

/** Filters that keep the wrong animals. */
export const listStatusFilter = faultsOf(needing(FEW, 'list.status-filter'), {
  'list-cache-ignores-query': [
    'Lists are cached for a second by path, without the query.',
    (parts) => {
      let kept: { until: number; page: readonly Pet[] } | undefined;
      return {
        page: (animals, query, call) => {
          if (kept === undefined || kept.until < Date.now()) kept = { until: Date.now() + 1000, page: parts.page(animals, query, call) };
          return kept.page.slice(0, query.limit);
        },
      };
    },
  ],
  'status-ignored-beside-unknown-parameter': [
    'An unknown parameter keeps the binder from binding the query at all: the status filter is ignored.',
    forget('status', hasUnknownParameter),
    LARGE_STORE,
  ],
  'filter-ignored': ['The status filter is ignored.', filterBy(() => true)],
  'filter-ignored-without-limit': ['The status filter works only together with a limit.', filterIgnored((query) => !query.has('limit'))],
  'filter-negated': ['The filter keeps what it should omit.', filterBy((_pet, _status, kept) => !kept)],
  'filter-pending-gives-sold': [
    'status=pending returns sold animals: two constants are swapped.',
    filterBy((pet, status, kept) => (status === 'pending' ? pet.status === 'sold' : kept)),
  ],
  'filter-available-gives-not-sold': [
    'status=available returns pending animals too: the query asks for "not sold".',
    filterBy((pet, status, kept) => (status === 'available' ? pet.status !== 'sold' : kept)),
  ],
  'filter-sold-gives-not-available': [
    'status=sold returns pending animals too.',
    filterBy((pet, status, kept) => (status === 'sold' ? pet.status !== 'available' : kept)),
  ],
  'filter-keeps-animals-without-status': [
    'Animals without a status pass every filter.',
    () => ({ defaultStatus: () => undefined, matches: (pet, status) => pet.status === undefined || pet.status === status }),
  ],
  'filter-leaks-every-fifth': [
    'Every fifth animal of the store passes every filter.',
    filterBy((pet, _status, kept) => kept || pet.id % 5n === 0n),
  ],
  'filter-leaks-last-of-page': [
    'The last animal of a full page is not filtered: it comes from the look-ahead.',
    (parts) => ({
      listPets: (context) => {
        const { store } = context;
        const page: Parts['page'] = (animals, query, call) => {
          const shown = parts.page(animals, query, call);
          const stranger = store.animals.find((pet) => pet.status !== query.status);
          const full = query.status !== undefined && shown.length === query.limit && stranger !== undefined;
          return full ? [...shown.slice(0, -1), stranger] : shown;
        };
        return parts.listPets(withParts(context, { page }));
      },
    }),
    LARGE_STORE,
  ],
  'filter-sometimes-ignored': [
    'Every fifth list with a status filter is not filtered.',
    onEveryNth(5, (isTurn) => filterIgnored((query) => query.has('status') && isTurn())),
  ],
  'filter-remembers-last': [
    'The filter is kept in the session: a filtered list uses the filter of the previous one.',
    (parts) => {
      let last: Status | undefined;
      return {
        parseStatus: (texts) => {
          const status = parts.parseStatus(texts);
          if (isProblem(status) || status === undefined) return status;
          const shown = last ?? status;
          last = status;
          return shown;
        },
      };
    },
  ],
});
