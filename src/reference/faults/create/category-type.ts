import { isObject, NumberText } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { keptAsSent, lenientCategory, oddNumber, rejectedWith } from '../helpers/creations.ts';

function roundedBy(round: (value: number) => number): Patch {
  return lenientCategory((value) => {
    const number = Number(oddNumber(value));
    return Math.abs(number) < 1e15 ? BigInt(round(number)) : undefined;
  });
}

/** Categories of another type that are accepted, or rejected with a status other than 400. */
export const createCategoryType = faultsOf(needing(WRITES, 'create.category-type'), {
  'any-category-kept': [
    'A categoryId that is neither a number nor a string is stored and shown as it was sent.',
    keptAsSent(
      'categoryId',
      (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null && !(value instanceof NumberText)),
    ),
  ],
  'text-category-accepted': [
    'categoryId "1" becomes 1.',
    lenientCategory((value) => (typeof value === 'string' && /^\d+$/.test(value) ? BigInt(value) : undefined)),
  ],
  'any-text-category-accepted': [
    'categoryId "dogs" becomes 0: atoi.',
    lenientCategory((value) => (typeof value === 'string' && !/^\d+$/.test(value) ? 0n : undefined)),
  ],
  'empty-text-category-accepted': ['categoryId "" becomes 0.', lenientCategory((value) => (value === '' ? 0n : undefined))],
  'boolean-category-accepted': [
    'categoryId true becomes 1.',
    lenientCategory((value) => (typeof value === 'boolean' ? (value ? 1n : 0n) : undefined)),
  ],
  'false-category-accepted': ['categoryId false counts as 0.', lenientCategory((value) => (value === false ? 0n : undefined))],
  'fraction-category-truncated': ['categoryId 1.5 becomes 1.', roundedBy(Math.trunc)],
  'fraction-category-rounded': ['categoryId 1.5 becomes 2.', roundedBy(Math.round)],
  'array-category-accepted': [
    'categoryId [] becomes 0 and [1] becomes 1: Number(value).',
    lenientCategory((value) => (Array.isArray(value) ? BigInt(value.length) : undefined)),
  ],
  'object-category-accepted': [
    'categoryId {} becomes 0: a lenient object mapper.',
    lenientCategory((value) => (value !== undefined && isObject(value) ? 0n : undefined)),
  ],
  'bad-category-unprocessable': ['A bad categoryId returns 422 instead of 400.', rejectedWith('readCategory', 422)],
});
