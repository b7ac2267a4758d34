import { hugeCategories } from '../../src/arbitraries/invalid-bodies.ts';
import { HUGE_CATEGORIES } from '../cases/invalid-new-pets.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';

const ID = 'create.category-range';

export const createCategoryRange = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'required',
  requirement: 'A categoryId outside int64 (below -2^63 or above 2^63-1) is refused with 400 and an Error.',
  likelyCause: 'The number is clamped, wraps round at 64 bits, is taken as unsigned, or goes through a double that has room for it.',
  checks: [
    {
      id: 'values',
      title: 'Categories one step and far beyond int64 are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'category-unsigned-range',
      run: refusesAll(ID, HUGE_CATEGORIES),
    },
    {
      id: 'generated',
      title: 'Generated categories beyond int64 are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'category-wraps-at-int64',
      run: refusesGenerated(ID, { cases: hugeCategories(), planned: 6 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'category-unbounded')],
});
