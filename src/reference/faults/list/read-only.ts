import type { Patch } from '../../core/parts.ts';
import { STATUSES, type Status } from '../../core/pet.ts';
import { removePet, type Store } from '../../core/store.ts';
import { FEW, FULL_PAGE, faultsOf, needing } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { filterByRemembered } from '../helpers/lists.ts';

/** Changes the store after each list. */
function afterList(change: (store: Store) => void): Patch {
  return (parts) => ({
    listPets: async (context) => {
      const reply = await parts.listPets(context);
      change(context.store);
      return reply;
    },
  });
}

/** Lists that change what the next one shows. */
export const listReadOnly = faultsOf(needing(FEW, 'list.read-only'), {
  'list-removes-last': [
    'Each list removes the newest animal from the store.',
    afterList((store) => {
      const last = store.animals.at(-1);
      if (last !== undefined) removePet(store, last);
    }),
  ],
  'list-changes-status': [
    'Each list moves the first animal to its next status.',
    afterList(({ animals: [first] }) => {
      if (first !== undefined) first.status = STATUSES[(STATUSES.indexOf(first.status ?? 'sold') + 1) % 3];
    }),
  ],
  'list-drops-one-now-and-then': [
    'Every third list comes from a replica without the first animal.',
    onEveryNth(3, (isTurn) => (parts) => ({ arrange: (store) => parts.arrange(store).slice(isTurn() ? 1 : 0) })),
  ],
  'list-empty-now-and-then': [
    'Every fifth list is empty: a database timeout is treated as no rows.',
    onEveryNth(5, (timesOut) => (parts) => ({ arrange: (store) => (timesOut() ? [] : parts.arrange(store)) })),
  ],
  'filter-stays-for-next-list': [
    'The filter is a field of the repository and is cleared one list too late: the next list is filtered too.',
    (parts) => {
      let before: Status | undefined;
      return filterByRemembered((_context, status) => {
        const remembered = before;
        before = status;
        return remembered;
      })(parts);
    },
    FULL_PAGE,
  ],
  'filter-stays-for-connection': [
    'The filter is kept in the session of the connection: lists without a status use the last one.',
    (parts) => {
      const kept = new WeakMap<object, Status>();
      return filterByRemembered(({ call: { connection } }, status) => {
        if (status !== undefined) kept.set(connection, status);
        return kept.get(connection);
      })(parts);
    },
    FULL_PAGE,
  ],
  'filter-stays-for-ever': [
    'The filter object is a module constant that is only ever set: lists without a status use the last filter.',
    (parts) => {
      let kept: Status | undefined;
      return filterByRemembered((_context, status) => {
        kept = status ?? kept;
        return kept;
      })(parts);
    },
    FULL_PAGE,
  ],
});
