import type { Parts } from '../../core/parts.ts';
import { withParts } from '../../core/with-parts.ts';
import { FEW, faultsOf, WRITES } from '../fault.ts';
import { filterBy } from '../helpers/lists.ts';

/** A list that cannot stand in for getPet. */
export const deprecationReplacement = faultsOf('deprecation.replacement', {
  'filter-index-not-updated': [
    'The index of the filter is built once: a created animal is never found by status.',
    (parts) => {
      const started = Date.now();
      return filterBy((pet, _status, kept) => kept && pet.createdAt < started)(parts);
    },
    WRITES,
  ],
  'filter-answers-index-ids': [
    'The filtered list shows the ids of the search index instead of those of the animals.',
    (parts) => ({
      listPets: (context) => {
        const petRecord: Parts['petRecord'] = (pet, place) => parts.petRecord({ ...pet, id: pet.id + 1_000_000n }, place);
        return parts.listPets(context.call.query.has('status') ? withParts(context, { petRecord }) : context);
      },
    }),
    FEW,
  ],
});
