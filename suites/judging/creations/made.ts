import { haltInconclusive } from '../../../src/clause/halt.ts';
import { petOf, statusOf } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Creation } from '../../../src/session/session.ts';

/** A creation that returned 201 with a valid Pet. */
export type Made = Creation & { readonly pet: PetView };

/** The creation with its animal; halts as blocked when it did not return 201 with a Pet. */
export function made(creation: Creation): Made {
  return { ...creation, pet: petOf(judgeable(creation.exchange)) };
}

/** The creations that returned 201 with a Pet. Halts when none did, or when two received the same id. */
export function allMade(creations: readonly Creation[]): readonly Made[] {
  const good = creations.filter(({ exchange }) => statusOf(exchange) === 201);
  if (good.length === 0) haltInconclusive('no plain animal could be created', 'create.success');
  const animals = good.map(made);
  if (new Set(animals.map(({ pet }) => pet.id)).size < animals.length)
    haltInconclusive('two creations received the same id', 'create.id-assigned');
  return animals;
}
