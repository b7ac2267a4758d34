import { wrongCategories } from '../../src/arbitraries/invalid-bodies.ts';
import { WRONG_CATEGORIES } from '../cases/invalid-categories.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';

const ID = 'create.category-type';

export const createCategoryType = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement:
    'createPet rejects a categoryId that is not an integer ("1", 1.5, true, [], {}) with 400 and an Error body. 1.0 and 1e0 are open (create.integer-spelling).',
  likelyCause: 'The value is coerced: Number(value), parseInt, a lenient object mapper, or an implicit cast in the database.',
  checks: [
    {
      id: 'values',
      title: 'Rejects a categoryId that is a string, a fraction, a boolean, an array, or an object with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'text-category-accepted',
      run: refusesAll(ID, WRONG_CATEGORIES),
    },
    {
      id: 'generated-values',
      title: 'Rejects a generated categoryId that is not an integer with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'fraction-category-truncated',
      run: refusesGenerated(ID, { cases: wrongCategories(), planned: 10 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-category-unprocessable')],
});
