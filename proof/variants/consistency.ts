import type { Patch } from '../../src/reference/core/parts.ts';
import { addPet, type Pet, removePet } from '../../src/reference/core/store.ts';
import { variantsOf } from './variant.ts';

const CONSISTENCY_LAG = 1500;

function settled(pet: Pet): boolean {
  return Date.now() - pet.createdAt >= CONSISTENCY_LAG;
}

/** A list that shows animals late. */
function listLag(seen: (pet: Pet) => boolean): Patch {
  return (parts) => ({ arrange: (store) => parts.arrange(store).filter(seen) });
}

/** A getPet that shows animals late. */
function getLag(seen: (pet: Pet) => boolean): Patch {
  return (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      return pet !== undefined && seen(pet) ? pet : undefined;
    },
  });
}

/** Shows a new animal in every second request. */
function flapping(): (pet: Pet) => boolean {
  let looks = 0;
  return (pet) => {
    if (settled(pet)) return true;
    looks += 1;
    return looks % 2 === 0;
  };
}

/** When a created animal becomes visible. */
export const consistencyVariants = {
  ...variantsOf('when a created animal is seen: not stated; polled within the consistency window', {
    'list-lags': ['The list shows a created animal 1.5 s later.', listLag(settled), { consistencyLag: CONSISTENCY_LAG }],
    'get-lags': ['getPet finds a created animal 1.5 s later.', getLag(settled), { consistencyLag: CONSISTENCY_LAG }],
    'list-and-get-lag': [
      'Lists and getPet show a created animal 1.5 s later.',
      (parts) => ({ ...listLag(settled)(parts), ...getLag(settled)(parts) }),
      { consistencyLag: CONSISTENCY_LAG, seedAnimals: 5 },
    ],
    'filter-lags': [
      'The status filter finds a created animal 1.5 s later.',
      (parts) => ({ matches: (pet, status) => settled(pet) && parts.matches(pet, status) }),
      { consistencyLag: CONSISTENCY_LAG, seedAnimals: 5 },
    ],
    'replicas-flap': [
      'For 1.5 s one of two replicas does not have a created animal.',
      (parts) => ({ ...listLag(flapping())(parts), ...getLag(flapping())(parts) }),
      { consistencyLag: CONSISTENCY_LAG, seedAnimals: 5 },
    ],
  }),
  ...variantsOf('other clients write at the same time', {
    'other-clients-create': [
      'Another client creates an animal with every third list.',
      (parts) => {
        let lists = 0;
        return {
          arrange: (store) => {
            lists += 1;
            if (lists % 3 === 0) {
              addPet(store, {
                id: parts.assignId(store, null),
                name: `Other ${lists}`,
                categoryId: 2n,
                status: 'pending',
                createdAt: Date.now(),
              });
            }
            return parts.arrange(store);
          },
        };
      },
      { seedAnimals: 4 },
    ],
  }),
  ...variantsOf('other areas are mentioned, their operations are not shown', {
    'other-client-removes': [
      'Another client removes the two animals that the first list showed.',
      (parts) => {
        let lists = 0;
        return {
          page: (animals, query, call) => {
            lists += 1;
            return parts.page(animals, query, call);
          },
          arrange: (store) => {
            if (lists === 1) for (const pet of [...store.animals].filter(({ createdAt }) => createdAt === 0)) removePet(store, pet);
            return parts.arrange(store);
          },
          find: (store, id) => {
            const pet = parts.find(store, id);
            return pet?.createdAt === 0 ? undefined : pet;
          },
        };
      },
      { seedAnimals: 2 },
    ],
  }),
};
