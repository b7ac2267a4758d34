import { wrongStatuses } from '../../src/arbitraries/invalid-bodies.ts';
import { NULL_STATUSES, WRONG_STATUSES } from '../cases/invalid-statuses.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';

const ID = 'create.status-invalid';

export const createStatusInvalid = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'PetStatus',
  quote: [
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement:
    'createPet rejects a status other than available, pending, and sold (another word, another letter case, null, not a string) with 400 and an Error body.',
  likelyCause:
    'An invalid status is ignored or replaced by the default, letter case and white space are normalized, or the column accepts any text.',
  checks: [
    {
      id: 'values',
      title: 'Rejects statuses outside the enum and of other types with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'unknown-status-kept',
      run: refusesAll(ID, WRONG_STATUSES),
    },
    {
      id: 'null',
      title: 'Rejects a null status with 400: null is not a string, and status can be omitted',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'null-status-accepted',
      run: refusesAll(ID, NULL_STATUSES),
    },
    {
      id: 'generated-values',
      title: 'Rejects generated statuses outside the enum with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'status-letter-case-ignored',
      run: refusesGenerated(ID, { cases: wrongStatuses(), planned: 10 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'bad-status-unprocessable')],
});
