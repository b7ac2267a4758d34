import { isObject, NumberText } from '../../core/json.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { keptAsSent, lenientName, rejectedWith } from '../helpers/creations.ts';

/** Names of another type that are accepted, or rejected with a status other than 400. */
export const createNameType = faultsOf(needing(WRITES, 'create.name-type'), {
  'any-name-kept': [
    'A name of any type is stored and shown as it was sent.',
    keptAsSent('name', (value) => value !== undefined && value !== null && typeof value !== 'string'),
  ],
  'number-name-accepted': ['name 42 becomes "42".', lenientName((value) => (value instanceof NumberText ? value.text : undefined))],
  'boolean-name-accepted': ['name true becomes "true".', lenientName((value) => (typeof value === 'boolean' ? String(value) : undefined))],
  'array-name-accepted': [
    'name ["Rex"] becomes "Rex": arrays are joined.',
    lenientName((value) => (Array.isArray(value) ? value.map(String).join(',') : undefined)),
  ],
  'object-name-accepted': [
    'name {} becomes "[object Object]".',
    lenientName((value) => (value !== undefined && isObject(value) ? '[object Object]' : undefined)),
  ],
  'bad-name-conflict': ['A bad name returns 409 instead of 400.', rejectedWith('readName', 409)],
});
