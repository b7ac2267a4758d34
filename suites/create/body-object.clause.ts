import { nonObjects } from '../../src/arbitraries/invalid-bodies.ts';
import { NO_OBJECTS } from '../cases/invalid-new-pets.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';

const ID = 'create.body-object';

export const createBodyObject = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  level: 'required',
  requirement:
    'A body that is JSON but no object (an array, a string, a number, true, null) lacks the required fields: it is refused with 400 and an Error.',
  likelyCause:
    'Nobody looks whether the body is an object before its members are read, an array is unwrapped, or a string is parsed once more.',
  checks: [
    {
      id: 'values',
      title: 'Arrays, strings, numbers, booleans and null as the body are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'array-body-unwrapped',
      run: refusesAll(ID, NO_OBJECTS),
    },
    {
      id: 'generated',
      title: 'Generated bodies that are no objects are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'number-body-accepted',
      run: refusesGenerated(ID, { cases: nonObjects(), planned: 5 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'array-body-accepted')],
});
