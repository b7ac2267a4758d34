// The petId of a read, in blocks by what the document says about it.

import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../src/schema/validators.ts';
import type { MakeInput, Table, Value } from '../../src/session/vector.ts';
import { type About, block } from './block.ts';

const READ: About = { effect: 'read', since: '2.0' };

/** The animal that ids are made from: the first of the first list. */
const first = ({ knownIds }: MakeInput): bigint => knownIds[0] ?? 1n;

/** An animal that is known: `id: 3` is the fourth one. */
export const KNOWN_IDS = block(READ, { known: (making) => String(first(making)) });

const INT32 = 2n ** 32n;
const DOUBLE = 2n ** 53n;

/** An int64 that this many steps from a known id would reach, or the largest one where int64 ends before. */
const beyond =
  (steps: bigint) =>
  (making: MakeInput): string => {
    const id = first(making) + steps;
    return String(isInt64(id) ? id : INT64_MAX);
  };

/** A number in the upper half of int64, which no service that counts has reached. */
const far = (random: () => number): bigint =>
  2n ** 60n + BigInt(Math.floor(random() * 2 ** 52)) * 517n + BigInt(Math.floor(random() * 500));
const LEAST_ABSENT = 1_000_000_000;
const ABSENT_IDS_UNTIL = 2_100_000_000;

/** int64: 404 where no animal has it. */
export const INT64_IDS = block(READ, {
  '31 bits': ({ random }) => String(LEAST_ABSENT + Math.floor(random() * (ABSENT_IDS_UNTIL - LEAST_ABSENT))),
  '63 bits': ({ random }) => String(far(random)),
  '0': () => '0',
  '1': () => '1',
  '2': () => '2',
  '-1': () => '-1',
  'minus known': (making) => String(first(making) === INT64_MIN ? INT64_MAX : -first(making)),
  '2^31 - 1': () => String(2n ** 31n - 1n),
  '2^31': () => String(2n ** 31n),
  '-2^31': () => String(-(2n ** 31n)),
  '-2^31 - 1': () => String(-(2n ** 31n) - 1n),
  '2^32 - 1': () => String(INT32 - 1n),
  '2^32': () => String(INT32),
  '2^53 + 1': () => String(DOUBLE + 1n),
  '-2^53 - 1': () => String(-DOUBLE - 1n),
  'largest int64': () => String(INT64_MAX),
  'largest int64 but one': () => String(INT64_MAX - 1n),
  'smallest int64': () => String(INT64_MIN),
  // What an id may be cut to: 8, 16, 24, 32, 48, 53 and 62 bits, and the digits of decimal columns.
  'known + 2^8': beyond(2n ** 8n),
  'known + 2^16': beyond(2n ** 16n),
  'known + 2^24': beyond(2n ** 24n),
  'known + 2^32': beyond(INT32),
  'known + 2^48': beyond(2n ** 48n),
  'known + 2^53': beyond(DOUBLE),
  'known + 2^62': beyond(2n ** 62n),
  'known + 10^9': beyond(10n ** 9n),
  'known + 10^10': beyond(10n ** 10n),
  'known + 10^12': beyond(10n ** 12n),
  'known + 10^15': beyond(10n ** 15n),
  'known + 10^18': beyond(10n ** 18n),
  'known - 2^63': (making) => String(BigInt.asIntN(64, INT64_MIN + first(making))),
  // What prefixes, patterns, and doubles confuse with a known id.
  'known and a seven': (making) => String(BigInt.asIntN(64, first(making) * 10n + (first(making) < 0n ? -7n : 7n))),
  'known and a zero': (making) => String(BigInt.asIntN(64, first(making) * 10n)),
  'known without its last digit': (making) => String(first(making) / 10n),
  next: beyond(1n),
  'next but one': beyond(2n),
  // Where ids are counted, the next animal gets it.
  'after the newest': ({ knownIds }) => {
    const id = (knownIds.toSorted((one, other) => (one < other ? -1 : 1)).at(-1) ?? 0n) + 1n;
    return String(isInt64(id) ? id : INT64_MAX);
  },
  before: beyond(-1n),
});

/** Open: a known id, spelled otherwise. */
export const OTHER_SPELLINGS = block(READ, {
  'plus sign': (making) => `%2B${first(making)}`,
  'padded with a zero': (making) => String(first(making)).replace(/^-?/, (sign) => `${sign}0`),
  'fraction of zero': (making) => `${first(making)}.0`,
  'exponent of zero': (making) => `${first(making)}e0`,
  'leading space': (making) => `%20${first(making)}`,
});

/** Open: an integer outside int64. */
export const BEYOND_INT64 = block(READ, {
  '2^63': () => String(INT64_MAX + 1n),
  '-2^63 - 1': () => String(INT64_MIN - 1n),
  'known + 2^64': (making) => String(first(making) + 2n ** 64n),
  '30 digits': () => '1'.repeat(30),
  '300 digits': () => '1'.repeat(300),
});

/** Open: not an integer. */
export const NO_INTEGERS = block(READ, {
  many: () => 'many',
  '1.5': () => '1.5',
  'known and a half': (making) => `${first(making)}.5`,
  hexadecimal: () => '0x1',
  null: () => 'null',
  UUID: () => '4f9d7f0e-6d3b-4a53-9f6c-1d9a2b7c8e10',
  'known and a letter': (making) => `${first(making)}a`,
  'known and a quote': (making) => `${first(making)}'`,
  'known twice': (making) => `${first(making)}%2C${first(making)}`,
  percent: () => '%25',
  "1'": () => "1'",
  emoji: () => encodeURIComponent('🐶'),
  minus: () => '-',
  '500 letters': () => 'a'.repeat(500),
  // Valid in a URL (RFC 3986, section 2.1), but not UTF-8: decoding it throws before any handler is reached.
  'not UTF-8': () => '%FF',
  'one and not UTF-8': () => '1%C3%28',
});

/** `id: 3` is the fourth known animal, `id: -1` the newest one, and `id: '=37'` that id. */
const drawnId = (drawn: string | number): Value<string> => ({
  ...READ,
  make: ({ knownIds }) =>
    typeof drawn === 'number' ? String((drawn < 0 ? knownIds.at(drawn) : knownIds[drawn % Math.max(1, knownIds.length)]) ?? 1n) : drawn,
});

/** Any int64. */
export const drawnIds = (): fc.Arbitrary<string> => fc.bigInt({ min: INT64_MIN, max: INT64_MAX }).map((id) => `=${id}`);

export const IDS: Table<string> = {
  usual: 'known',
  values: { ...KNOWN_IDS, ...INT64_IDS, ...OTHER_SPELLINGS, ...BEYOND_INT64, ...NO_INTEGERS },
  drawn: drawnId,
};
