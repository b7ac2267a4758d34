import { bearerToken } from '../../core/base.ts';
import type { Call, Patch } from '../../core/parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { isProblem } from '../helpers/requests.ts';

/** Stores the animal of a rejected POST, then returns 401. */
function storeRejected(condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    handle: async (context) => {
      const { call } = context;
      const rejected = isProblem(parts.authenticate(call, context.apiKey));
      if (rejected && call.operation === 'createPet' && condition(call)) await parts.createPet(context);
      return await parts.handle(context);
    },
  });
}

/** Creations without a valid key that are stored. */
export const authRefusedStoresNothing = faultsOf(needing(WRITES, 'auth.refused-stores-nothing'), {
  'refused-post-stored': ['A POST without a valid key stores the animal, then returns 401.', storeRejected(() => true)],
  'wrong-key-post-stored': [
    'A POST with a wrong key stores the animal, then returns 401.',
    storeRejected((call) => bearerToken(call.headers.authorization) !== undefined),
  ],
  'missing-key-post-stored': [
    'A POST without any credential stores the animal, then returns 401.',
    storeRejected((call) => call.headers.authorization === undefined),
  ],
});
