// What the document allows in requests: parameters of lists, plain NewPets, and unusual ones.

import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../schema/validators.ts';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';

export type AllowedParameters = { readonly limit?: number; readonly status?: PetStatus };

/** Limits at which implementations change their behavior. */
export const LIMIT_BOUNDARIES = [1, 2, 19, 20, 21, 50, 99, 100] as const;

function allowedLimits(): fc.Arbitrary<number> {
  return fc.oneof({ arbitrary: fc.integer({ min: 1, max: 100 }), weight: 3 }, fc.constantFrom(...LIMIT_BOUNDARIES));
}

export function allowedParameters(): fc.Arbitrary<AllowedParameters> {
  return fc.record({ limit: allowedLimits(), status: fc.constantFrom(...PET_STATUSES) }, { requiredKeys: [] });
}

/** Characters that real servers have lost, folded, or escaped twice. */
const TROUBLE = [
  '\0',
  '\b',
  '\t',
  '\n',
  '\r',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u0130',
  '\u0131',
  '\u00df',
  '\u0301',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u3000',
  '\ud83d\ude00',
  '\ufdd0',
  '\ufeff',
  '\ufffd',
  '\ufffe',
  '\uffff',
  '\u{10ffff}',
  ' ',
  '"',
  "'",
  '\\',
  '/',
  '%',
  '%20',
  '+',
  '&amp;',
  '<b>',
  '${x}',
  '{{x}}',
] as const;

/**
 * Printable ASCII that is not a letter, digit, or space: at the edge of a name, once or doubled, each has been cut off or read as syntax.
 */
const SIGNS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'] as const;

const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const LAST_CODE_POINT = 0x10ffff;

/** Any code point except surrogates. (Creating fast-check's own `binary` unit takes seconds.) */
function codePoints(): fc.Arbitrary<string> {
  const scalar = (value: number): number => (value < SURROGATES.first ? value : value + SURROGATES.count);
  return fc
    .oneof(fc.nat({ max: LAST_CODE_POINT - SURROGATES.count }), fc.nat({ max: 0xffff - SURROGATES.count }))
    .map((value) => String.fromCodePoint(scalar(value)));
}

/** One name combines several strings of a public list, so that a run with few animals tries many; a breach is shrunk to one of them. */
const NAUGHTY = { from: naughtyStrings.filter((text) => text !== ''), least: 1, most: 6 } as const;

/** What may follow a unique plain name: well-formed strings from all of Unicode (lone surrogates are left open). */
export function unusualTails(): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .array(fc.constantFrom(...NAUGHTY.from), { minLength: NAUGHTY.least, maxLength: NAUGHTY.most })
      .map((strings) => ` ${strings.join(' ')}`),
    fc.tuple(fc.constantFrom(...SIGNS), fc.integer({ min: 1, max: 2 })).map(([sign, times]) => sign.repeat(times)),
    fc.array(fc.constantFrom(...TROUBLE), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.array(codePoints(), { minLength: 1, maxLength: 20 }).map((points) => points.join('')),
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 60 }),
  );
}

/** Categories from all of int64, denser around the limits of 32 and 53 bits. */
export function unusualCategories(): fc.Arbitrary<bigint> {
  const near = (edge: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: edge - 3n, max: edge + 3n });
  return fc.oneof(
    fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    ...[2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 53n, -(2n ** 53n), 2n ** 62n].map(near),
    fc.bigInt({ min: INT64_MAX - 3n, max: INT64_MAX }),
    fc.bigInt({ min: INT64_MIN, max: INT64_MIN + 3n }),
  );
}
