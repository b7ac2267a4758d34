// The categoryId in the body of a creation, as JSON text, in blocks by what the document says about it.

import fc from 'fast-check';
import { unusualCategories } from '../../src/arbitraries/valid-requests.ts';
import { INT64_MAX, INT64_MIN } from '../../src/schema/validators.ts';
import type { MakeInput, Table, Value } from '../../src/session/vector.ts';
import { type About, block, drawnValues, literals } from './block.ts';

const WRITE: About = { effect: 'write', since: '2.0' };

const same = (texts: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries(texts.map((text) => [text, text]));

/** 201: a category that the service accepts. */
export const ACCEPTED_CATEGORIES = block(WRITE, { accepted: ({ categoryId }) => String(categoryId) });

/** No store has so many categories. */
export const UNLIKELY_CATEGORY = 2n ** 62n + 12_345n;

/** Probably no animal has it or one of the next ones that end in zero; seeds choose among so many. */
const FIRST_NEW = 7_730_000n;
const NEW = 1_000;

/** 201 with each digit as sent, or a 4xx that says that there is none: at or beyond each width of integers. */
export const INT64_CATEGORIES = block<string, string>(WRITE, {
  ...Object.fromEntries(
    [
      ...[0n, -1n, 130n, 300n, 40_000n, 70_000n, 2n ** 24n + 1n, 2n ** 31n - 1n, 2n ** 31n, -3_000_000_000n, 5_000_000_000n],
      ...[2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, INT64_MAX, INT64_MIN],
      // Like the number of a payment card.
      ...[4_111_111_111_111_111n, UNLIKELY_CATEGORY],
    ].map((category) => [String(category), () => String(category)]),
  ),
  new: ({ seed }) => String(FIRST_NEW + BigInt(seed % NEW) * 10n),
});

const accepted = ({ categoryId }: MakeInput): bigint => categoryId;

/** Open: an integer that is written as a fraction, and what is one to readers of doubles. */
export const FRACTION_SPELLINGS = block(WRITE, {
  'with .0': (making) => `${accepted(making)}.0`,
  'with e0': (making) => `${accepted(making)}e0`,
  'with 0e-1': (making) => `${accepted(making) === 0n ? '' : accepted(making)}0e-1`,
  '1.0000000000000000001': () => '1.0000000000000000001',
});

/** 400 (create.category-required). */
export const MISSING_CATEGORIES = literals<'missing' | 'null', string | undefined>(WRITE, { missing: undefined, null: 'null' });

/** 400 (create.category-type). */
export const WRONG_CATEGORIES = block<string, string>(WRITE, {
  'string of digits': (making) => JSON.stringify(String(accepted(making))),
  // As clients write it whose numbers end at 53 bits.
  'string of 16 digits': () => '"9007199254740993"',
  'string of digits between spaces': (making) => JSON.stringify(` ${accepted(making)} `),
  ...Object.fromEntries(['dogs', 'one', '0x1F', '12abc', '1.0', ''].map((text) => [JSON.stringify(text), () => JSON.stringify(text)])),
  // Validators allow a tolerance of a hundredth or of a millionth.
  ...Object.fromEntries(['1.5', '0.5', '1.0000001', '1e-1', '-1.5'].map((text) => [text, () => text])),
  '0.5 with 2,000 decimals': () => `0.${'5'.repeat(2_000)}`,
  true: () => 'true',
  false: () => 'false',
  'empty array': () => '[]',
  'array with the id': (making) => `[${accepted(making)}]`,
  'empty object': () => '{}',
  'object with the id': (making) => `{"id":${accepted(making)}}`,
});

/** 400 (create.category-range). */
export const HUGE_CATEGORIES = literals(WRITE, {
  ...same(['9223372036854775808', '-9223372036854775809', '18446744073709551615', '18446744073709551617', '99999999999999999999']),
  ...same(['1e19', '-1e19', '1e400', '123456789012345678901234567890123456789012345678901234567890']),
  // Some languages reject this many digits, which few services expect.
  '5,000 digits': '9'.repeat(5_000),
});

/** 400 (create.body-json): what other languages write, and JSON does not. */
export const NO_JSON_CATEGORIES = block(WRITE, {
  'leading zero': (making) => `0${accepted(making)}`,
  'plus sign': (making) => `+${accepted(making)}`,
  hexadecimal: (making) => `0x${accepted(making).toString(16)}`,
  'decimal point at the end': (making) => `${accepted(making)}.`,
  'decimal point at the start': (making) => `.${accepted(making)}`,
  None: () => 'None',
  NaN: () => 'NaN',
  Infinity: () => 'Infinity',
});

/** `category: '=-3000000000'`. */
const drawnCategory = (drawn: string | number): Value<string | undefined> => ({ ...WRITE, make: () => String(drawn) });

/** Any int64, as digits, denser near the limits of 32 and 53 bits. */
export const drawnCategories = (): fc.Arbitrary<string> => unusualCategories().map((category) => `=${category}`);

/** Integers beyond int64, up to hundreds of digits. */
export const drawnHugeCategories = (): fc.Arbitrary<string> => {
  const over = fc.bigInt({ min: 1n, max: 2n ** 200n });
  return fc.oneof(
    over.map((by) => `=${INT64_MAX + by}`),
    over.map((by) => `=${INT64_MIN - by}`),
    fc.bigInt({ min: 1n, max: 5n }).map((value) => `=${2n ** 64n + value}`),
    fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 20, max: 400 })).map(([digit, power]) => `=${digit}e${power}`),
  );
};

/** JSON that is not an integer. */
export const drawnWrongCategories = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.bigInt({ min: INT64_MIN, max: INT64_MAX }).map((value) => `="${value}"`),
    drawnValues().filter((json) => !/^=(?:-?\d+|null)$/.test(json)),
  );

export const CATEGORIES: Table<string | undefined> = {
  usual: 'accepted',
  values: {
    ...ACCEPTED_CATEGORIES,
    ...INT64_CATEGORIES,
    ...FRACTION_SPELLINGS,
    ...MISSING_CATEGORIES,
    ...WRONG_CATEGORIES,
    ...HUGE_CATEGORIES,
    ...NO_JSON_CATEGORIES,
  },
  drawn: drawnCategory,
};
