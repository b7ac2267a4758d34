import { wrongNames } from '../../src/arbitraries/invalid-bodies.ts';
import { WRONG_NAMES } from '../cases/invalid-names.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';

const ID = 'create.name-type';

export const createNameType = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    "| name | string | - | yes | The animal's name |",
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement: 'createPet rejects a name that is not a string with 400 and an Error body.',
  likelyCause:
    'Numbers, booleans, arrays, and objects are converted to strings (String(value), a lenient object mapper) or stored as they are (schemaless storage).',
  checks: [
    {
      id: 'values',
      title: 'Rejects a name that is a number, a boolean, an array, or an object with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'number-name-accepted',
      run: refusesAll(ID, WRONG_NAMES),
    },
    {
      id: 'generated-values',
      title: 'Rejects a generated name that is not a string with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'array-name-accepted',
      run: refusesGenerated(ID, { cases: wrongNames(), planned: 6 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-name-conflict')],
});
