import { randomBytes } from 'node:crypto';
import { int64Range } from '../core/int64.ts';
import type { Parts } from '../core/parts.ts';
import { type Variant, variant } from './variant.ts';

const leaves = 'scheme of ids: any int64, in any order';

/** Ids as a function of the running number, which begins at 1. */
function ids(name: string, summary: string, scheme: (count: bigint) => bigint, seedAnimals = 8): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({ assignId: (store, body) => scheme(parts.assignId(store, body)) });
  return variant(name, leaves, summary, replace, { seedAnimals });
}

function random64(): bigint {
  return randomBytes(8).readBigInt64BE();
}

/** Ids at random from the whole of int64, negative ones too. */
export const randomIds: Variant = ids('ids-random-int64', 'Ids are random int64, negative ones too.', random64);

/** Schemes of ids. */
export const idVariants: readonly Variant[] = [
  randomIds,
  ids('ids-beyond-2-53', 'Ids are odd and begin at 2^53 + 1: no double holds them.', (count) => 2n ** 53n + 2n * count - 1n),
  ids('ids-descending', 'Ids count down from a million.', (count) => 1_000_000n - count),
  ids('ids-negative', 'Ids count down from -1.', (count) => -count),
  ids('ids-snowflake', 'Ids are milliseconds shifted left, with a counter below.', (count) => (BigInt(Date.now()) << 20n) + count),
  ids('ids-from-zero', 'The first id is 0.', (count) => count - 1n),
  ids('ids-from-smallest', 'Ids begin at the smallest int64.', (count) => int64Range.smallest + count - 1n),
  ids('ids-from-largest', 'Ids count down from the largest int64.', (count) => int64Range.largest - count + 1n),
  ids('ids-with-gaps', 'Ids grow by steps of 7919.', (count) => count * 7919n),
  ids('ids-around-zero', 'Ids alternate in sign: 1, -1, 2, -2.', (count) => (count % 2n === 1n ? (count + 1n) / 2n : -count / 2n)),
];
