import type { Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import type { Store } from '../core/store.ts';

/** Answers another animal; undefined leaves the base answer. */
export function findOther(find: (store: Store, id: bigint, found: Pet | undefined) => Pet | undefined): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    find: (store, id) => {
      const found = parts.find(store, id);
      return find(store, id, found) ?? found;
    },
  });
}

/** Refuses the ids for which the condition holds. */
export function onId(condition: (id: bigint) => boolean, problem: () => Problem): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return typeof id === 'bigint' && condition(id) ? problem() : id;
    },
  });
}

/** The refusal of an id that a service takes to be out of its range. */
export const badId = (): Problem => new Problem(400, 'invalid_id', 'petId is out of range');
