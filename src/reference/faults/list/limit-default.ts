import type { Patch } from '../../core/parts.ts';
import { FULL_PAGE, faultsOf, LARGE_STORE, needing } from '../fault.ts';

const DEFAULT_LIMIT = 20;

function defaultLimit(limit: number): Patch {
  return (parts) => ({ parseLimit: (texts) => (texts.length === 0 ? limit : parts.parseLimit(texts)) });
}

/** Lists without a limit that do not have twenty animals. */
export const listLimitDefault = faultsOf(needing(LARGE_STORE, 'list.limit-default'), {
  'default-limit-10': ['The default is 10 instead of 20.', defaultLimit(10)],
  'default-limit-21': ['A list without a limit has 21 animals.', defaultLimit(21)],
  'default-limit-25': ['The default is 25.', defaultLimit(25)],
  'default-limit-50': ['The default is 50.', defaultLimit(50)],
  'default-limit-100': ['The default is the maximum.', defaultLimit(100)],
  'default-limit-none': ['Without a limit the list has all animals.', defaultLimit(1e9)],
  'default-limit-15': ['The default is 15.', defaultLimit(15)],
  'default-limit-missing-with-filter': [
    'With a status filter the default limit is forgotten: the list has all matching animals.',
    (parts) => ({
      page: (animals, query, call) => (query.status !== undefined && !call.query.has('limit') ? animals : parts.page(animals, query, call)),
    }),
  ],
  'default-limit-100-with-filter': [
    'With a status filter the default limit is 100.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === undefined || call.query.has('limit') ? query : { ...query, limit: 100 }, call),
    }),
  ],
  'default-limit-10-with-pending': [
    'A special case for the waiting list: with status=pending the default is 10.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === 'pending' && !call.query.has('limit') ? { ...query, limit: 10 } : query, call),
    }),
    FULL_PAGE,
  ],
  'limit-stays-for-ever': [
    'The page size is a module constant that is only ever set: lists without a limit use the last one.',
    (parts) => {
      let kept = DEFAULT_LIMIT;
      return {
        page: (animals, query, call) => {
          if (call.query.has('limit')) kept = query.limit;
          return parts.page(animals, { ...query, limit: kept }, call);
        },
      };
    },
    FULL_PAGE,
  ],
});
