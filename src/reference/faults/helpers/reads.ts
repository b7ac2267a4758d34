import type { Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { Problem } from '../../core/problem.ts';
import type { Store } from '../../core/store.ts';

/** Finds another animal; undefined leaves what the base found. */
export function findOther(find: (store: Store, id: bigint, found: Pet | undefined) => Pet | undefined): Patch {
  return (parts) => ({
    find: (store, id) => {
      const found = parts.find(store, id);
      return find(store, id, found) ?? found;
    },
  });
}

/** Rejects the ids that meet the condition. */
export function onId(condition: (id: bigint) => boolean, problem: () => Problem): Patch {
  return (parts) => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return typeof id === 'bigint' && condition(id) ? problem() : id;
    },
  });
}

/** The rejection of an id that a service considers out of range. */
export function badId(): Problem {
  return new Problem(400, 'invalid_id', 'petId is out of range');
}

/** Does not find the animals that meet the condition. */
export function hide(condition: (pet: Pet, store: Store) => boolean): Patch {
  return (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      return pet !== undefined && condition(pet, store) ? undefined : pet;
    },
  });
}
