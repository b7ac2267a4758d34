import { isObject, type Json, member } from '../../core/json.ts';
import { invalid } from '../../core/problem.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';

/** Missing statuses that are rejected. */
export const createStatusOptional = faultsOf(needing(WRITES, 'create.status-optional'), {
  'status-sticks-to-next': [
    'The enum lookup rejects a body without status with 400 when the previous one had a status.',
    (parts) => {
      let before: Json | undefined;
      return {
        readNewPet: (body, all) => {
          const status = isObject(body) ? member(body, 'status') : undefined;
          const stale = before !== undefined && status === undefined;
          before = status;
          return stale ? parts.readNewPet({}, all) : parts.readNewPet(body, all);
        },
      };
    },
  ],
  'create-needs-status': [
    'A body without status returns 400.',
    (parts) => ({ readStatus: (value) => (value === undefined ? invalid('status is required') : parts.readStatus(value)) }),
  ],
});
