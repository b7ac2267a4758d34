import type { Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { Problem } from '../../core/problem.ts';
import { addPet, removePet, type Store } from '../../core/store.ts';
import { FULL_PAGE, faultsOf, needing, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { hide } from '../helpers/reads.ts';
import { rewrite } from '../helpers/replies.ts';
import { reject, rejectForMoments } from '../helpers/requests.ts';

/** Changes the store after each creation. */
function afterInsert(change: (store: Store, pet: Pet) => void): Patch {
  return (parts) => ({
    insert: async (store, pet) => {
      const shown = await parts.insert(store, pet);
      change(store, pet);
      return { ...shown };
    },
  });
}

/** Animals that disappear or change because of other animals. */
export const getDurable = faultsOf(needing(WRITES, 'get.durable'), {
  'store-keeps-50-created': [
    'The store is a cache of fifty: older creations vanish.',
    afterInsert((store) => {
      const created = store.animals.filter(({ createdAt }) => createdAt > 0);
      if (created.length > 50 && created[0] !== undefined) removePet(store, created[0]);
    }),
  ],
  'get-gone-for-moments': [
    'The worker that serves getPet is recycled every hundred requests, and for 150 ms the router has no route to it: 404.',
    rejectForMoments('getPet', { every: 100, problem: new Problem(404, 'not_found', 'There is no such route') }),
  ],
  'every-thirtieth-read-misses': [
    'One of the thirty connections of the pool leads to an empty replica: every read through it returns 404.',
    onEveryNth(30, (isTurn) =>
      reject(({ call }) =>
        call.operation === 'getPet' && isTurn() ? new Problem(404, 'not_found', 'There is no such animal') : undefined,
      ),
    ),
  ],
  'store-keeps-100': [
    'The store keeps a hundred animals: the oldest vanish.',
    afterInsert((store) => {
      const oldest = store.animals[0];
      if (store.animals.length > 100 && oldest !== undefined) removePet(store, oldest);
    }),
  ],
  'every-tenth-creation-rolled-back': [
    'Every tenth creation rolls back the previous one.',
    onEveryNth(10, (isTurn) =>
      afterInsert((store) => {
        const before = store.animals.at(-2);
        if (isTurn() && before !== undefined && before.createdAt > 0) removePet(store, before);
      }),
    ),
  ],
  'creation-updates-category-mates': [
    'The insert trigger has the wrong WHERE clause: a new animal sets the status of all animals in its category.',
    afterInsert((store, pet) => {
      for (const other of store.animals) if (other.categoryId === pet.categoryId) other.status = pet.status;
    }),
  ],
  'creation-renames-previous': [
    'A reused object: a new animal renames the previous one.',
    afterInsert((store, pet) => {
      const before = store.animals.at(-2);
      if (before !== undefined) before.name = pet.name;
    }),
  ],
  'duplicate-name-updates': [
    'Creating an animal with a taken name updates and returns the existing one.',
    (parts) => ({
      insert: (store, pet) => {
        const taken = store.animals.find(({ name }) => name === pet.name);
        return taken === undefined ? parts.insert(store, pet) : Object.assign(taken, { categoryId: pet.categoryId, status: pet.status });
      },
    }),
  ],
  'store-lost-every-150-requests': [
    'The worker restarts every 150 requests and loses what was created.',
    onEveryNth(150, (isTurn) =>
      rewrite((reply, { store }) => {
        if (isTurn()) for (const pet of store.animals.filter(({ createdAt }) => createdAt > 0)) removePet(store, pet);
        return reply;
      }),
    ),
  ],
  'creation-replaces-oldest-created': [
    'A ring buffer of thirty: a new animal takes the place of an old one.',
    () => ({
      insert: (store, pet) => {
        const created = store.animals.filter(({ createdAt }) => createdAt > 0);
        const old = created.length >= 30 ? created[0] : undefined;
        if (old !== undefined) removePet(store, old);
        addPet(store, pet);
        return pet;
      },
    }),
  ],
  'second-read-misses': [
    'The first read moves the animal to the cache, where the second read does not find it; the third reads the store again.',
    (parts) => {
      const reads = new Map<bigint, number>();
      return {
        find: (store, id) => {
          reads.set(id, (reads.get(id) ?? 0) + 1);
          return reads.get(id) === 2 ? undefined : parts.find(store, id);
        },
      };
    },
    FULL_PAGE,
  ],
  'creation-evicts-oldest': [
    'The store is a ring: each creation takes the place of the oldest imported animal.',
    (parts) => ({
      insert: (store, pet) => {
        const oldest = store.animals.find(({ createdAt }) => createdAt === 0);
        if (oldest !== undefined) removePet(store, oldest);
        return parts.insert(store, pet);
      },
    }),
    FULL_PAGE,
  ],
  'created-vanish-after-a-moment': [
    'Created animals live in a cache for less than half a second, a leftover test setting.',
    hide(({ createdAt }) => createdAt > 0 && Date.now() - createdAt > 400),
    WRITES,
  ],
});
