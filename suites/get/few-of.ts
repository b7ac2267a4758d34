import type { PetView } from '../../src/schema/pet.ts';

/** Listed animals that represent the others: the first of each status, and the last of all. */
export function fewOf(pets: readonly PetView[]): readonly PetView[] {
  const first = new Map([...pets].reverse().map((pet) => [pet.status, pet]));
  return [...new Set([...pets.filter((pet) => first.get(pet.status) === pet), ...pets.slice(-1)])];
}
