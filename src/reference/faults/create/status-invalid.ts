import { isObject, type Json, NumberText } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { isStatus, STATUSES, type Status } from '../../core/pet.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { keptAsSent, rebind, rejectedWith } from '../helpers/creations.ts';

/** Reads status more leniently: undefined leaves the value to the base. */
function lenientStatus(read: (value: Json) => Status | undefined): Patch {
  return (parts) => ({ readStatus: (value) => (value === undefined ? undefined : read(value)) ?? parts.readStatus(value) });
}

function asStatus(text: string): Status | undefined {
  return isStatus(text) ? text : undefined;
}

/** Statuses that are not one of the three and are accepted, or rejected with a status other than 400. */
export const createStatusInvalid = faultsOf(needing(WRITES, 'create.status-invalid'), {
  'any-status-kept': [
    'A status of any type is stored and shown as it was sent.',
    keptAsSent('status', (value) => value !== undefined && value !== null && !isStatus(value)),
  ],
  'status-by-ordinal-accepted': [
    'The enum mapper accepts the position of a value, as a string, in place of the value.',
    rebind((body) => {
      const status = STATUSES[Number(body['status'] === '' ? NaN : body['status'])];
      return typeof body['status'] === 'string' && status !== undefined ? { ...body, status } : body;
    }),
  ],
  'status-inherited-by-objects-accepted': [
    'The status is looked up with "in" in an object: constructor and toString are found.',
    rebind((body) => {
      const { status } = body;
      return typeof status === 'string' && !isStatus(status) && status in {} ? { ...body, status: 'available' } : body;
    }),
  ],
  'unknown-status-becomes-available': [
    'An unknown status becomes available.',
    lenientStatus((value) => (typeof value === 'string' && !isStatus(value) ? 'available' : undefined)),
  ],
  'unknown-status-ignored': [
    'Anything that is not a status is ignored, as if omitted.',
    lenientStatus((value) => (isStatus(value) ? undefined : 'pending')),
  ],
  'status-letter-case-ignored': [
    'SOLD is accepted as sold.',
    lenientStatus((value) => (typeof value === 'string' ? asStatus(value.toLowerCase()) : undefined)),
  ],
  'status-trimmed': [
    '" sold" is accepted as sold.',
    lenientStatus((value) => (typeof value === 'string' ? asStatus(value.trim()) : undefined)),
  ],
  'empty-status-accepted': ['An empty status becomes available.', lenientStatus((value) => (value === '' ? 'available' : undefined))],
  'null-status-accepted': ['status null becomes available.', lenientStatus((value) => (value === null ? 'available' : undefined))],
  'number-status-accepted': [
    'status 1 becomes the enum value of that position.',
    lenientStatus((value) => (value instanceof NumberText ? 'pending' : undefined)),
  ],
  'boolean-status-accepted': [
    'status true becomes available.',
    lenientStatus((value) => (typeof value === 'boolean' ? 'available' : undefined)),
  ],
  'falsy-status-ignored': [
    'status false and 0 count as omitted.',
    lenientStatus((value) => (value === false || (value instanceof NumberText && Number(value.text) === 0) ? 'available' : undefined)),
  ],
  'array-status-accepted': [
    'status ["sold"] becomes sold.',
    lenientStatus((value) => (Array.isArray(value) ? asStatus(String(value[0])) : undefined)),
  ],
  'object-status-accepted': ['status {} becomes available.', lenientStatus((value) => (isObject(value) ? 'available' : undefined))],
  'status-as-member-accepted': [
    'The enum mapper accepts an object whose only member is named after a status: {"sold": null}.',
    lenientStatus((value) => (isObject(value) ? asStatus(Object.keys(value).join()) : undefined)),
  ],
  'unknown-status-kept': [
    'Any string is accepted as status and shown.',
    (parts) => {
      // The type allows three words; the broken server keeps whatever it got.
      const anyText = (value: Json | undefined) => (typeof value === 'string' ? (value as Status) : undefined);
      return { readStatus: (value) => anyText(value) ?? parts.readStatus(value) };
    },
  ],
  'bad-status-unprocessable': ['A bad status returns 422 instead of 400.', rejectedWith('readStatus', 422)],
});
