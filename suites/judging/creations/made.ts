import { petOf } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Creation } from '../../../src/session/session.ts';

/** A creation that returned 201 with a valid Pet. */
export type Made = Creation & { readonly pet: PetView };

/** The creation with its animal; halts as blocked when it did not return 201 with a Pet. */
export function made(creation: Creation): Made {
  return { ...creation, pet: petOf(judgeable(creation.exchange)) };
}
