import type { Pet } from './pet.ts';

/** Animals in memory, in the order of their creation. */
export type Store = {
  /** The live array: parts that need another order or fewer animals copy it. */
  readonly animals: Pet[];
  readonly byId: Map<bigint, Pet>;
  /** The last number assigned by the counting id scheme. */
  lastId: bigint;
};

/** An empty store whose ids begin at 1. */
export function createStore(): Store {
  return { animals: [], byId: new Map(), lastId: 0n };
}

/** Adds the animal at the end. */
export function addPet(store: Store, pet: Pet): void {
  store.animals.push(pet);
  store.byId.set(pet.id, pet);
}

/** Removes the animal, as only broken servers do. */
export function removePet(store: Store, pet: Pet): void {
  const index = store.animals.indexOf(pet);
  if (index >= 0) store.animals.splice(index, 1);
  if (store.byId.get(pet.id) === pet) store.byId.delete(pet.id);
}
