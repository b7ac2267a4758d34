import { addPet } from '../../core/store.ts';
import { FEW, faultsOf } from '../fault.ts';

/** Stores with animals that an earlier build accepted from a run of the suite. */
export const recordLeftovers = faultsOf('record.leftovers', {
  'leftover-of-earlier-build': [
    'The store still has the animal with categoryId 2^63 that a run of the suite created on an earlier build.',
    (parts) => {
      let isThere = false;
      return {
        dispatch: (context) => {
          if (!isThere)
            addPet(context.store, { id: 4_000n, name: 'conformanceOlderAaab', categoryId: 2n ** 63n, status: 'sold', createdAt: 0 });
          isThere = true;
          return parts.dispatch(context);
        },
      };
    },
    FEW,
  ],
});
