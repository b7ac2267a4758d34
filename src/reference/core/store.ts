export const STATUSES = ['available', 'pending', 'sold'] as const;

export type Status = (typeof STATUSES)[number];

/** An animal to be created, after validation. */
export type NewPet = { name: string; categoryId: bigint; status?: Status | undefined };

/**
 * A stored animal. `createdAt` (milliseconds since the epoch) never leaves the server. `raw` contains members that a build stored without
 * validation, undefined for one that it left out: every later build shows them that way.
 */
export type Pet = NewPet & { id: bigint; createdAt: number; raw?: Readonly<Record<string, unknown>> };

/** Whether the text is one of the three states, letter by letter. */
export function isStatus(text: unknown): text is Status {
  return STATUSES.some((status) => status === text);
}

/** Animals in memory, in the order of their creation. */
export type Store = {
  /** The live array: parts that need another order or fewer animals copy it. */
  readonly animals: Pet[];
  readonly byId: Map<bigint, Pet>;
  /** The last number assigned by the counting id scheme. */
  lastId: bigint;
};

export function createStore(): Store {
  return { animals: [], byId: new Map(), lastId: 0n };
}

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
