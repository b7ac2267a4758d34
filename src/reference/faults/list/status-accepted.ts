import type { Patch } from '../../core/parts.ts';
import { isStatus, type Status } from '../../core/pet.ts';
import { invalid, Problem } from '../../core/problem.ts';
import { faultsOf } from '../fault.ts';

function rejectStatus(rejected: Status, problem: () => Problem): Patch {
  return (parts) => ({ parseStatus: (texts) => (texts[0] === rejected ? problem() : parts.parseStatus(texts)) });
}

/** Status filters that are rejected. */
export const listStatusAccepted = faultsOf('list.status-accepted', {
  'status-available-refused': [
    'status=available is rejected: as the default, it has no filter.',
    rejectStatus('available', () => invalid('status must be pending or sold')),
  ],
  'status-pending-refused': [
    'status=pending is rejected: the enum of the query was written by hand.',
    rejectStatus('pending', () => invalid('status must be available or sold')),
  ],
  'status-sold-refused': ['status=sold is rejected.', rejectStatus('sold', () => invalid('status must be available or pending'))],
  'status-sold-not-found': [
    'status=sold returns 404: sold animals live in an archive.',
    rejectStatus('sold', () => new Problem(404, 'not_found', 'There are no sold animals')),
  ],
  'status-needs-upper-case': [
    'The filter expects AVAILABLE, PENDING, SOLD.',
    () => ({
      parseStatus: ([text]) => {
        const status = text?.toLowerCase();
        if (text === undefined) return undefined;
        return text === text.toUpperCase() && isStatus(status) ? status : invalid('status is unknown');
      },
    }),
  ],
});
