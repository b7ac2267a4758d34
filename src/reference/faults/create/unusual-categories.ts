import type { Patch } from '../../core/parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { storePet } from '../helpers/creations.ts';
import { filterMisses } from '../helpers/lists.ts';

const INT32_LARGEST = 2n ** 31n - 1n;

function storeCategory(change: (categoryId: bigint) => bigint): Patch {
  return storePet(({ categoryId }) => ({ categoryId: change(categoryId) }));
}

function clamp(value: bigint): bigint {
  return value > INT32_LARGEST ? INT32_LARGEST : value < -INT32_LARGEST - 1n ? -INT32_LARGEST - 1n : value;
}

/** Categories that are accepted with 201 but not kept as sent. */
export const createUnusualCategories = faultsOf(needing(WRITES, 'create.unusual-categories'), {
  'stored-category-through-double': [
    'categoryId passes through a JavaScript number: digits beyond 2^53 are lost.',
    storeCategory((id) => BigInt.asIntN(64, BigInt(Number(id)))),
  ],
  'shown-category-through-double': [
    'categoryId is stored exactly and written as a double.',
    (parts) => ({ petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), categoryId: Number(pet.categoryId) }) }),
  ],
  'stored-category-wrapped-to-uint8': [
    'categoryId is a one-byte column: there used to be at most 256 categories.',
    storeCategory((id) => (id >= 0n && id < 2n ** 15n ? BigInt.asUintN(8, id) : id)),
  ],
  'stored-category-wrapped-to-int16': [
    'A smallint column: a positive categoryId below 2^24 wraps around at 16 bits.',
    storeCategory((id) => (id >= 0n && id < 2n ** 24n ? BigInt.asIntN(16, id) : id)),
  ],
  'stored-category-wrapped-to-int32': ['categoryId wraps around at 32 bits.', storeCategory((id) => BigInt.asIntN(32, id))],
  'stored-category-clamped-to-int32': ['categoryId is clamped to 32 bits.', storeCategory(clamp)],
  'stored-category-wrapped-to-uint32': [
    'categoryId is an unsigned 32-bit column: a negative number becomes a large one.',
    storeCategory((id) => BigInt.asUintN(32, id)),
  ],
  'stored-category-absolute': [
    'A negative categoryId loses its sign.',
    storeCategory((id) => (id < 0n ? (id === -(2n ** 63n) ? 2n ** 63n - 1n : -id) : id)),
  ],
  'stored-category-not-negative': ['A negative categoryId is stored as 0.', storeCategory((id) => (id < 0n ? 0n : id))],
  'stored-category-zero-as-one': [
    'categoryId 0 counts as missing and becomes the default category 1.',
    storeCategory((id) => (id === 0n ? 1n : id)),
  ],
  'stored-category-through-float': [
    'categoryId is a 32-bit float column: digits beyond 2^24 are lost.',
    storeCategory((id) => BigInt.asIntN(64, BigInt(Math.fround(Number(id))))),
  ],
  'stored-category-fifteen-digits': [
    'categoryId keeps fifteen digits; the rest become zeros.',
    storeCategory((id) => {
      const text = id.toString().replace('-', '');
      const kept = BigInt(text.slice(0, 15).padEnd(text.length, '0'));
      return id < 0n ? -kept : kept;
    }),
  ],
  'stored-category-largest-off-by-one': [
    'The largest int64 is reserved for "no category" and stored as one less.',
    storeCategory((id) => (id === 2n ** 63n - 1n ? id - 1n : id)),
  ],
  'stored-category-smallest-off-by-one': [
    'The smallest int64 has no absolute value and is stored as one more.',
    storeCategory((id) => (id === -(2n ** 63n) ? id + 1n : id)),
  ],
  'filter-misses-category-zero': [
    'The filter skips animals in category 0: zero counts as no category.',
    filterMisses((pet) => pet.categoryId === 0n),
  ],
  'filter-misses-negative-category': ['The filter skips animals in negative categories.', filterMisses((pet) => pet.categoryId < 0n)],
  'filter-misses-large-category': [
    'The filter joins categories by a 32-bit column and skips animals in larger ones.',
    filterMisses((pet) => BigInt.asIntN(32, pet.categoryId) !== pet.categoryId),
  ],
});
