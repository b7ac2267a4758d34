import { wrongNames } from '../../src/arbitraries/invalid-bodies.ts';
import { WRONG_NAMES } from '../cases/invalid-new-pets.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';

const ID = 'create.name-type';

export const createNameType = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'required',
  requirement: 'A name that is no string is refused with 400 and an Error.',
  likelyCause:
    'The mapper turns numbers, booleans, arrays and objects into texts (String(value), a lenient object mapper, schemaless storage).',
  checks: [
    {
      id: 'values',
      title: 'Names that are numbers, booleans, arrays and objects are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'number-name-accepted',
      run: refusesAll(ID, WRONG_NAMES),
    },
    {
      id: 'generated',
      title: 'Generated names that are no strings are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'array-name-accepted',
      run: refusesGenerated(ID, { cases: wrongNames(), planned: 6 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-name-conflict')],
});
