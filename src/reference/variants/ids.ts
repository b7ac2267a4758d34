import { randomBytes } from 'node:crypto';
import { INT64_RANGE } from '../core/int64.ts';
import type { Patch } from '../core/parts.ts';
import { seeded, variantsOf } from './variant.ts';

/** Ids as a function of a counter that begins at 1. */
function idsBy(scheme: (count: bigint) => bigint): Patch {
  return (parts) => ({ assignId: (store, body) => scheme(parts.assignId(store, body)) });
}

function random64(): bigint {
  return randomBytes(8).readBigInt64BE();
}

/** Id schemes. */
export const idVariants = variantsOf(seeded(8, 'scheme of ids: any int64, in any order'), {
  'ids-random-int64': ['Ids are random int64, negative ones too.', idsBy(random64)],
  'ids-beyond-2-53': ['Ids are odd and begin at 2^53 + 1: no double holds them.', idsBy((count) => 2n ** 53n + 2n * count - 1n)],
  'ids-descending': ['Ids count down from a million.', idsBy((count) => 1_000_000n - count)],
  'ids-negative': ['Ids count down from -1.', idsBy((count) => -count)],
  'ids-snowflake': [
    'Ids are timestamps in milliseconds, shifted left, plus a counter.',
    idsBy((count) => (BigInt(Date.now()) << 20n) + count),
  ],
  'ids-from-zero': ['The first id is 0.', idsBy((count) => count - 1n)],
  'ids-from-smallest': ['Ids begin at the smallest int64.', idsBy((count) => INT64_RANGE.smallest + count - 1n)],
  'ids-from-largest': ['Ids count down from the largest int64.', idsBy((count) => INT64_RANGE.largest - count + 1n)],
  'ids-with-gaps': ['Ids grow by steps of 7919.', idsBy((count) => count * 7919n)],
  'ids-around-zero': ['Ids alternate in sign: 1, -1, 2, -2.', idsBy((count) => (count % 2n === 1n ? (count + 1n) / 2n : -count / 2n))],
});
