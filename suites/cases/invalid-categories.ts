import { byPrototype, digits, having, type InvalidBody, made, without } from './invalid-body.ts';

export const MISSING_CATEGORIES: readonly InvalidBody[] = [
  made('without categoryId', (valid) => without(valid, 'categoryId')),
  made('without categoryId, with a status', (valid) => ({ ...without(valid, 'categoryId'), status: 'sold' })),
  made('with a category object instead of categoryId', (valid) => ({
    ...without(valid, 'categoryId'),
    category: { id: valid.categoryId },
  })),
  made('with CategoryID instead of categoryId', (valid) => ({ ...without(valid, 'categoryId'), CategoryID: valid.categoryId })),
  made('with category instead of categoryId', (valid) => ({ ...without(valid, 'categoryId'), category: valid.categoryId })),
  made('with " categoryId" instead of categoryId', ({ name, categoryId }) => ({ name, ' categoryId': categoryId })),
  made('with category_id instead of categoryId', (valid) => ({ ...without(valid, 'categoryId'), category_id: valid.categoryId })),
  {
    what: 'whose categoryId is in a property named __proto__',
    body: (valid) => byPrototype(without(valid, 'categoryId'), { categoryId: valid.categoryId }),
  },
];

export const NULL_CATEGORIES: readonly InvalidBody[] = [
  having('categoryId', 'null', null),
  made('whose categoryId is null, with a status', (valid) => ({ ...valid, categoryId: null, status: 'available' })),
];

const MANY_DECIMALS = 2_000;

export const WRONG_CATEGORIES: readonly InvalidBody[] = [
  made('whose categoryId is a string of digits', (valid) => ({ ...valid, categoryId: String(valid.categoryId) })),
  made('whose categoryId is a string of digits between spaces', (valid) => ({ ...valid, categoryId: ` ${valid.categoryId} ` })),
  having('categoryId', '"dogs"', 'dogs'),
  having('categoryId', '"0x1F"', '0x1F'),
  having('categoryId', '"12abc"', '12abc'),
  having('categoryId', '"1.0"', '1.0'),
  having('categoryId', '""', ''),
  having('categoryId', '1.5', 1.5),
  having('categoryId', '0.5', 0.5),
  having('categoryId', '1e-1', digits('1e-1')),
  having('categoryId', '9007199254740992.5, a fraction that a double loses', digits('9007199254740992.5')),
  having('categoryId', `0.5 with ${MANY_DECIMALS} decimals`, digits(`0.${'5'.repeat(MANY_DECIMALS)}`)),
  having('categoryId', '-1.5', -1.5),
  having('categoryId', 'true', true),
  having('categoryId', 'false', false),
  having('categoryId', '[]', []),
  made('whose categoryId is an array that contains the id', (valid) => ({ ...valid, categoryId: [valid.categoryId] })),
  having('categoryId', '{}', {}),
  made('whose categoryId is an object that contains the id', (valid) => ({ ...valid, categoryId: { id: valid.categoryId } })),
  made('whose categoryId and status have the wrong types', (valid) => ({ ...valid, categoryId: 'dogs', status: true })),
];

const MANY_DIGITS = 5_000;

const HUGE_NUMBERS = [
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
  '18446744073709551617',
  '99999999999999999999',
  '1e19',
  '-1e19',
  '1e400',
  '123456789012345678901234567890123456789012345678901234567890',
];

export const HUGE_CATEGORIES: readonly InvalidBody[] = [
  ...HUGE_NUMBERS.map((text) => having('categoryId', text, digits(text))),
  // Some languages refuse to parse this many digits, which few services expect.
  having('categoryId', `a number of ${MANY_DIGITS} digits`, digits('9'.repeat(MANY_DIGITS))),
];
