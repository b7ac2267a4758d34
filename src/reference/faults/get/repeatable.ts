import type { Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { removePet, type Store } from '../../core/store.ts';
import { FEW, FULL_PAGE, faultsOf, needing } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { onNewestFirst, unfilteredShowsOnly } from '../helpers/lists.ts';
import { showPet } from '../helpers/records.ts';
import { isRead, rewrite } from '../helpers/replies.ts';

/** Changes the stored animal after it was read. */
function afterRead(change: (pet: Pet, store: Store) => void): Patch {
  return (parts) =>
    rewrite((reply, context) => {
      const id = isRead(reply, context) ? parts.parseId(context.call.petId) : undefined;
      const pet = typeof id === 'bigint' ? context.store.byId.get(id) : undefined;
      if (pet !== undefined) change(pet, context.store);
      return reply;
    })(parts);
}

/** Reads that change what the next one shows. */
export const getRepeatable = faultsOf(needing(FEW, 'get.repeatable'), {
  'read-counts-views': [
    'Each read adds a view counter to the name.',
    afterRead((pet) => {
      pet.name = `${pet.name}+`;
    }),
  ],
  'read-makes-pending': [
    'Reading an animal reserves it: available becomes pending.',
    afterRead((pet) => {
      if (pet.status === 'available') pet.status = 'pending';
    }),
  ],
  'read-alternates': [
    'Two replicas differ in the category of the animal.',
    onEveryNth(2, (isOther) => showPet('get', (pet) => (isOther() ? { categoryId: pet.categoryId + 1n } : {}))),
  ],
  'read-once-only': ['Reading an animal removes it: the second read returns 404.', afterRead((pet, store) => removePet(store, pet))],
  'read-unlists': [
    'An animal that was read counts as seen and disappears from the unfiltered list.',
    onNewestFirst((parts) => {
      const read = new Set<bigint>();
      return {
        find: (store, id) => {
          read.add(id);
          return parts.find(store, id);
        },
        ...unfilteredShowsOnly(({ id }) => !read.has(id))(parts),
      };
    }),
    FULL_PAGE,
  ],
});
