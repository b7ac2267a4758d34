import { isObject, NumberText } from '../../core/json.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { lenientName, rejectedWith } from '../helpers/creations.ts';

/** Names of another type that are accepted, or rejected otherwise than with 400. */
export const createNameType = faultsOf(needing(WRITES, 'create.name-type'), {
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
