import { hugeCategories } from '../../src/arbitraries/invalid-bodies.ts';
import { HUGE_CATEGORIES } from '../cases/invalid-categories.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';

const ID = 'create.category-range';

export const createCategoryRange = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement: 'createPet rejects a categoryId outside int64 (below -2^63 or above 2^63-1) with 400 and an Error body.',
  likelyCause: 'The number is clamped, wraps around at 64 bits, is treated as unsigned, or passes through a double.',
  checks: [
    {
      id: 'values',
      title: 'Rejects a categoryId just outside and far outside int64 with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'category-unsigned-range',
      run: refusesAll(ID, HUGE_CATEGORIES),
    },
    {
      id: 'generated-values',
      title: 'Rejects a generated categoryId outside int64 with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'category-wraps-at-int64',
      run: refusesGenerated(ID, { cases: hugeCategories(), planned: 6 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'category-unbounded')],
});
