import { missingFields } from '../../src/arbitraries/invalid-bodies.ts';
import { MISSING_CATEGORIES, NULL_CATEGORIES } from '../cases/invalid-categories.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';
import { refusesMemberElsewhere } from './refuses-member-elsewhere.ts';

const ID = 'create.category-required';

export const createCategoryRequired = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement: 'createPet rejects a body without categoryId, or with a null categoryId, with 400 and an Error body.',
  likelyCause: 'A missing number becomes 0, a default category applies, or the rejection has a status other than 400 (404, 422).',
  checks: [
    {
      id: 'missing',
      title: 'Rejects bodies without categoryId with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'missing-category-accepted',
      run: refusesAll(ID, MISSING_CATEGORIES),
    },
    {
      id: 'null',
      title: 'Rejects a null categoryId with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'null-category-accepted',
      run: refusesAll(ID, NULL_CATEGORIES),
    },
    {
      id: 'elsewhere',
      title: 'A categoryId in the query string, headers, and cookies does not replace a missing one in the body',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'missing-category-from-cookie',
      run: refusesMemberElsewhere(ID, 'categoryId'),
    },
    {
      id: 'generated-bodies',
      title: 'Rejects generated bodies without categoryId with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'missing-category-becomes-one',
      run: refusesGenerated(ID, { cases: missingFields('categoryId'), planned: 2 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-category-not-found')],
});
