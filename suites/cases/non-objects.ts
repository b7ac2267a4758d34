import { writeJson } from '../../src/wire/json.ts';
import { type InvalidBody, made } from './invalid-body.ts';

/** Deeper than the stack of a recursive parser. */
const DEPTH = 2_000;

export const NO_OBJECTS: readonly InvalidBody[] = [
  made('that is an empty array', () => []),
  made('that is an array with one NewPet', (valid) => [valid]),
  { what: `that is ${DEPTH} nested arrays`, body: () => ({ raw: '['.repeat(DEPTH) + ']'.repeat(DEPTH) }) },
  made('that is an array with two NewPets', (valid) => [valid, { ...valid, name: `${valid.name.slice(0, -1)}z` }]),
  made('that is an array of the three field values', (valid) => [valid.name, valid.categoryId, 'sold']),
  made('that is a string', () => 'x'),
  { what: 'that is a string containing a NewPet as JSON', body: (valid) => ({ value: writeJson(valid) }) },
  made('that is 1', () => 1),
  made('that is true', () => true),
  made('that is null', () => null),
];
