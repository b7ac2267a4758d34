import { missingFields } from '../../src/arbitraries/invalid-bodies.ts';
import { MISSING_NAMES, NULL_NAMES } from '../cases/invalid-names.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';
import { refusesMemberElsewhere } from './refuses-member-elsewhere.ts';

const ID = 'create.name-required';

export const createNameRequired = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement:
    'createPet rejects a body without name, or with a null name, with 400 and an Error body. A property spelled differently (Name) or present only on a prototype is not name.',
  likelyCause:
    'The validator does not run, the parser ignores the letter case of property names, null becomes a default, or the rejection has a status other than 400 (422, 409).',
  checks: [
    {
      id: 'missing',
      title: 'Rejects bodies without name with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'missing-name-accepted',
      run: refusesAll(ID, MISSING_NAMES),
    },
    {
      id: 'null',
      title: 'Rejects a null name with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'null-name-accepted',
      run: refusesAll(ID, NULL_NAMES),
    },
    {
      id: 'elsewhere',
      title: 'A name in the query string, headers, and cookies does not replace a missing one in the body',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'missing-name-from-query',
      run: refusesMemberElsewhere(ID, 'name'),
    },
    {
      id: 'generated-bodies',
      title: 'Rejects generated bodies without name with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'missing-name-becomes-unnamed',
      run: refusesGenerated(ID, { cases: missingFields('name'), planned: 2 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-name-unprocessable')],
});
