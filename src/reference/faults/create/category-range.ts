import { INT64_RANGE, isInt64 } from '../../core/int64.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { digits, lenientCategory } from '../helpers/creations.ts';

/** Categories outside int64 that are accepted. */
export const createCategoryRange = faultsOf(needing(WRITES, 'create.category-range'), {
  'category-wraps-at-int64': [
    'categoryId 2^63 wraps around to a negative number.',
    lenientCategory((value) => {
      const id = digits(value);
      return id === undefined || isInt64(id) ? undefined : BigInt.asIntN(64, id);
    }),
  ],
  'category-clamped-to-int64': [
    'categoryId 2^63 becomes the largest int64.',
    lenientCategory((value) => {
      const id = digits(value);
      if (id === undefined || isInt64(id)) return undefined;
      return id > 0n ? INT64_RANGE.largest : INT64_RANGE.smallest;
    }),
  ],
  'category-unbounded': ['categoryId may have any number of digits and is shown as sent.', lenientCategory(digits)],
  'category-unsigned-range': [
    'categoryId is checked as an unsigned 64-bit integer: 2^63 is accepted.',
    lenientCategory((value) => {
      const id = digits(value);
      return id !== undefined && id >= 2n ** 63n && id < 2n ** 64n ? id : undefined;
    }),
  ],
});
