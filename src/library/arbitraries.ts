import fc from 'fast-check';
import { anyInvalidBody } from '../arbitraries/invalid-bodies.ts';
import { nearCredentials } from '../arbitraries/near-credentials.ts';
import { allowedParameters, unusualCategories, unusualTails } from '../arbitraries/valid-requests.ts';
import type { NewPetInput } from '../schema/pet.ts';
import { PET_STATUSES } from '../wire/exchange.ts';

const LONGEST = 20;

function newPets(name: fc.Arbitrary<string>, categoryId: fc.Arbitrary<bigint>): fc.Arbitrary<NewPetInput> {
  const status = fc.constantFrom(...PET_STATUSES);
  return fc.record({ name, categoryId, status }, { requiredKeys: ['name', 'categoryId'] });
}

/**
 * fast-check arbitraries of what the interface allows and of what it forbids. A `categoryId` is a bigint, because an int64 does not fit
 * into a number.
 *
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { arbitraries } from '@petstore-conformance/cli';
 *
 * fc.assert(fc.property(arbitraries.newPet(), ({ name }) => name.length <= 20));
 * fc.assert(fc.property(arbitraries.invalidBody(), ({ what, body }) => what !== '' && body({ name: 'Rex', categoryId: 7n }) !== ''));
 * ```
 */
export const arbitraries = {
  /** A NewPet that every server that knows the category accepts: ASCII letters, at most 20. */
  newPet: (categoryId: fc.Arbitrary<bigint> = fc.constant(1n)): fc.Arbitrary<NewPetInput> =>
    newPets(fc.stringMatching(new RegExp(`^[A-Za-z]{1,${LONGEST}}$`)), categoryId),
  /** A NewPet from all of Unicode and all of int64: accepted and kept exactly, or rejected with 400. */
  unusualNewPet: (): fc.Arbitrary<NewPetInput> => newPets(unusualTails(), unusualCategories()),
  /** A way to make a valid body invalid: each must be rejected with 400. */
  invalidBody: anyInvalidBody,
  /** Query parameters of the list that the interface allows. */
  listParameters: allowedParameters,
  /** Bearer credentials one edit away from the API key: each must be rejected with 401. */
  nearCredential: nearCredentials,
} as const;
