import type { Parts } from '../core/parts.ts';
import { type Fault, fault, writing } from './fault.ts';
import { storePet } from './helpers.ts';

const clause = 'create.unusual-categories';
const int32Largest = 2n ** 31n - 1n;

function stored(name: string, summary: string, change: (categoryId: bigint) => bigint): Fault {
  const replace = (parts: Parts) => storePet(parts, (pet) => ({ ...pet, categoryId: change(pet.categoryId) }));
  return fault(`stored-category-${name}`, clause, summary, replace, writing);
}

function clamp(value: bigint): bigint {
  return value > int32Largest ? int32Largest : value < -int32Largest - 1n ? -int32Largest - 1n : value;
}

/** Categories that are answered 201 but kept otherwise than sent. */
export const createCategoryFaults: readonly Fault[] = [
  fault(
    'stored-category-through-double',
    clause,
    'categoryId goes through a JavaScript number: digits beyond 2^53 are lost.',
    (parts) => storePet(parts, (pet) => ({ ...pet, categoryId: BigInt.asIntN(64, BigInt(Number(pet.categoryId))) })),
    writing,
  ),
  fault(
    'shown-category-through-double',
    clause,
    'categoryId is stored exactly and written as a double.',
    (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), categoryId: Number(pet.categoryId) }),
    }),
    writing,
  ),
  stored('wrapped-to-uint8', 'categoryId is a column of one byte: 256 categories were enough once.', (id) =>
    id >= 0n && id < 2n ** 15n ? BigInt.asUintN(8, id) : id,
  ),
  stored('wrapped-to-int16', 'categoryId is a small integer, and wraps round at 16 bits while it has 32.', (id) =>
    id >= 0n && id < 2n ** 24n ? BigInt.asIntN(16, id) : id,
  ),
  stored('wrapped-to-int32', 'categoryId wraps round at 32 bits.', (id) => BigInt.asIntN(32, id)),
  stored('clamped-to-int32', 'categoryId is held within 32 bits.', clamp),
  stored('wrapped-to-uint32', 'categoryId is an unsigned 32-bit column: a negative one becomes large.', (id) => BigInt.asUintN(32, id)),
  stored('absolute', 'A negative categoryId loses its sign.', (id) => (id < 0n ? (id === -(2n ** 63n) ? 2n ** 63n - 1n : -id) : id)),
  stored('not-negative', 'A negative categoryId is stored as 0.', (id) => (id < 0n ? 0n : id)),
  stored('zero-as-one', 'categoryId 0 counts as missing and becomes the default category 1.', (id) => (id === 0n ? 1n : id)),
  stored('through-float', 'categoryId is a 32-bit float column: digits beyond 2^24 are lost.', (id) =>
    BigInt.asIntN(64, BigInt(Math.fround(Number(id)))),
  ),
  stored('fifteen-digits', 'categoryId keeps fifteen digits, the rest become zeros.', (id) => {
    const text = id.toString().replace('-', '');
    const kept = BigInt(text.slice(0, 15).padEnd(text.length, '0'));
    return id < 0n ? -kept : kept;
  }),
  stored('largest-off-by-one', 'The largest int64 is kept for "no category" and stored as one less.', (id) =>
    id === 2n ** 63n - 1n ? id - 1n : id,
  ),
  stored('smallest-off-by-one', 'The smallest int64 has no absolute value and is stored as one more.', (id) =>
    id === -(2n ** 63n) ? id + 1n : id,
  ),
];
