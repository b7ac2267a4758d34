import { nonObjects } from '../../src/arbitraries/invalid-bodies.ts';
import { NO_OBJECTS } from '../cases/non-objects.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';

const ID = 'create.body-object';

export const createBodyObject = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement:
    'A JSON body that is not an object (an array, a string, a number, true, null) lacks the required fields: createPet rejects it with 400 and an Error body.',
  likelyCause: 'The code reads properties without checking that the body is an object, unwraps arrays, or parses strings a second time.',
  checks: [
    {
      id: 'values',
      title: 'Rejects arrays, strings, numbers, booleans, and null as the body with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'array-body-unwrapped',
      run: refusesAll(ID, NO_OBJECTS),
    },
    {
      id: 'generated-bodies',
      title: 'Rejects generated bodies that are not objects with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'number-body-accepted',
      run: refusesGenerated(ID, { cases: nonObjects(), planned: 5 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'array-body-accepted')],
});
