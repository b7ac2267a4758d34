import type { Patch } from '../../core/parts.ts';
import type { Status } from '../../core/pet.ts';
import { invalid } from '../../core/problem.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { isProblem } from '../helpers/requests.ts';

function storeStatus(change: (status: Status | undefined) => Status | undefined): Patch {
  return (parts) => ({
    readNewPet: (body, all) => {
      const newPet = parts.readNewPet(body, all);
      return isProblem(newPet) ? newPet : { ...newPet, status: change(newPet.status) };
    },
  });
}

function rejectStatus(rejected: Status, message: string): Patch {
  return (parts) => ({ readStatus: (value) => (value === rejected ? invalid(message) : parts.readStatus(value)) });
}

/** Statuses that are not stored as sent, or rejected. */
export const createStatusValues = faultsOf(needing(WRITES, 'create.status-values'), {
  'create-status-ignored': ['The status in the request is ignored: every animal starts as available.', storeStatus(() => 'available')],
  'create-sold-becomes-available': [
    'An animal created as sold is stored as available.',
    storeStatus((status) => (status === 'sold' ? 'available' : status)),
  ],
  'create-sold-becomes-pending': [
    'An animal created as sold is stored as pending, for review.',
    storeStatus((status) => (status === 'sold' ? 'pending' : status)),
  ],
  'create-pending-becomes-available': [
    'Pending is confirmed immediately: the animal is stored as available.',
    storeStatus((status) => (status === 'pending' ? 'available' : status)),
  ],
  'create-status-dropped': [
    'The status in the request is not stored at all.',
    (parts) => ({ ...storeStatus(() => undefined)(parts), defaultStatus: () => undefined }),
  ],
  'create-pending-refused': ['Creating with status pending returns 400.', rejectStatus('pending', 'status must be available')],
  'create-sold-refused': [
    'Creating with status sold returns 400: a new animal cannot be sold yet.',
    rejectStatus('sold', 'status must not be sold'),
  ],
  'create-available-refused': [
    'Creating with status available returns 400: it is the default and must be omitted.',
    rejectStatus('available', 'status must be left out'),
  ],
});
