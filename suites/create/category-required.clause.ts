import { missingFields } from '../../src/arbitraries/invalid-bodies.ts';
import { MISSING_CATEGORIES, NULL_CATEGORIES } from '../cases/invalid-new-pets.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';
import { refusesMemberElsewhere } from './members-elsewhere.ts';

const ID = 'create.category-required';

export const createCategoryRequired = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'required',
  requirement: 'A body without categoryId, or with the categoryId null, is refused with 400 and an Error.',
  likelyCause: 'A number that is missing becomes 0, a default category steps in, or the refusal has another status (404, 422) than 400.',
  checks: [
    {
      id: 'missing',
      title: 'Bodies without categoryId are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'missing-category-accepted',
      run: refusesAll(ID, MISSING_CATEGORIES),
    },
    {
      id: 'null',
      title: 'The categoryId null is refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'null-category-accepted',
      run: refusesAll(ID, NULL_CATEGORIES),
    },
    {
      id: 'elsewhere',
      title: 'A categoryId in the query string, in headers and cookies does not stand in for the one of the body',
      step: 'large-store',
      effect: 'write',
      fault: 'missing-category-from-cookie',
      run: (s) => refusesMemberElsewhere(s, { clause: ID, member: 'categoryId' }),
    },
    {
      id: 'generated',
      title: 'Generated bodies without categoryId are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'missing-category-becomes-one',
      run: refusesGenerated(ID, { cases: missingFields('categoryId'), planned: 2 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-category-not-found')],
});
