import { missingFields } from '../../src/arbitraries/invalid-bodies.ts';
import { MISSING_NAMES, NULL_NAMES } from '../cases/invalid-new-pets.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';
import { refusesMemberElsewhere } from './members-elsewhere.ts';

const ID = 'create.name-required';

export const createNameRequired = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'required',
  requirement:
    'A body without name, or with the name null, is refused with 400 and an Error. A member of another spelling (Name), or that only a prototype would supply, is not name.',
  likelyCause:
    'The validator does not run, the reader ignores the letter case of member names, null becomes a default, or the refusal has another status (422, 409) than 400.',
  checks: [
    {
      id: 'missing',
      title: 'Bodies without name are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'missing-name-accepted',
      run: refusesAll(ID, MISSING_NAMES),
    },
    {
      id: 'null',
      title: 'The name null is refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'null-name-accepted',
      run: refusesAll(ID, NULL_NAMES),
    },
    {
      id: 'elsewhere',
      title: 'A name in the query string, in headers and cookies does not stand in for the one of the body',
      step: 'large-store',
      effect: 'write',
      fault: 'missing-name-from-query',
      run: (s) => refusesMemberElsewhere(s, { clause: ID, member: 'name' }),
    },
    {
      id: 'generated',
      title: 'Generated bodies without name are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'missing-name-becomes-unnamed',
      run: refusesGenerated(ID, { cases: missingFields('name'), planned: 2 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-name-unprocessable')],
});
