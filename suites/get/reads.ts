import type { Event } from '../../src/oracle/event.ts';
import { type World, wasShown } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';

/** Listed animals that represent the others: the first of each status, and the last of all. */
export function fewOf(pets: readonly PetView[]): readonly PetView[] {
  const first = new Map(pets.toReversed().map((pet) => [pet.status, pet]));
  return [...new Set([...first.values(), ...pets.slice(-1)])];
}

/** Whether it is a documented read of an animal that a response has shown before. */
export function isReadOfKnown(event: Event, world: World): boolean {
  const { operation, petId, credential } = event.intent;
  return operation === 'getPet' && credential === 'valid' && petId !== undefined && wasShown(petId, event, world);
}
