import { wrongStatuses } from '../../src/arbitraries/invalid-bodies.ts';
import { NULL_STATUSES, WRONG_STATUSES } from '../cases/invalid-new-pets.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';

const ID = 'create.status-invalid';

export const createStatusInvalid = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'PetStatus',
  level: 'required',
  requirement:
    'A status that is none of available, pending and sold (another word, another letter case, null, no string) is refused with 400 and an Error.',
  likelyCause:
    'What is no status is ignored or replaced by the default, letter case and white space are smoothed over, or the column is a free text.',
  checks: [
    {
      id: 'values',
      title: 'Statuses outside the enum and of other types are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'unknown-status-kept',
      run: refusesAll(ID, WRONG_STATUSES),
    },
    {
      id: 'null',
      title: 'The status null is refused with 400: it is no string, and status may be left out instead',
      step: 'large-store',
      effect: 'write',
      fault: 'null-status-accepted',
      run: refusesAll(ID, NULL_STATUSES),
    },
    {
      id: 'generated',
      title: 'Generated statuses outside the enum are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'status-letter-case-ignored',
      run: refusesGenerated(ID, { cases: wrongStatuses(), planned: 10 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-status-unprocessable')],
});
