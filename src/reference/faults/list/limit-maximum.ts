import type { Patch } from '../../core/parts.ts';
import { faultsOf, LARGE_STORE, needing } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { forget, hasUnknownParameter } from '../helpers/lists.ts';

/** More than any store contains. */
const ALL = 1e9;

/** Pages by a number other than the requested one. */
function pageBy(change: (limit: number) => number): Patch {
  return (parts) => ({
    page: (animals, query, call) =>
      call.query.has('limit') ? parts.page(animals, { ...query, limit: change(query.limit) }, call) : parts.page(animals, query, call),
  });
}

/** Lists that are longer than their limit. */
export const listLimitMaximum = faultsOf(needing(LARGE_STORE, 'list.limit-maximum'), {
  'limit-ignored': ['limit is ignored: always 20.', pageBy(() => 20)],
  'limit-ignored-and-all-given': ['A given limit is ignored: the list has all animals.', pageBy(() => ALL)],
  'limit-plus-one': [
    'The list has one animal more than the limit: the look-ahead for the next page is not cut off.',
    pageBy((limit) => limit + 1),
  ],
  'limit-100-gives-101': ['limit=100 returns 101 animals.', pageBy((limit) => (limit === 100 ? 101 : limit))],
  'limit-100-gives-all': ['limit=100 is treated as "no limit".', pageBy((limit) => (limit === 100 ? ALL : limit))],
  'limit-over-50-gives-all': [
    'A limit over 50 counts as no limit: the list has all animals.',
    pageBy((limit) => (limit > 50 ? ALL : limit)),
  ],
  'limit-1-gives-default': ['limit=1 is read as true, and the default applies.', pageBy((limit) => (limit === 1 ? 20 : limit))],
  'limit-1-gives-two': ['limit=1 returns two animals.', pageBy((limit) => Math.max(2, limit))],
  'limit-rounded-up-to-10': ['Pages consist of chunks of ten: limit=11 returns 20 animals.', pageBy((limit) => Math.ceil(limit / 10) * 10)],
  'limit-at-least-5': ['The storage engine returns at least five rows.', pageBy((limit) => Math.max(5, limit))],
  'limit-at-least-20': ['The limit raises the page size but never lowers it below the default.', pageBy((limit) => Math.max(20, limit))],
  'limit-sometimes-ignored': [
    'Every sixth list with a limit ignores it.',
    onEveryNth(6, (isTurn) => pageBy((limit) => (isTurn() ? ALL : limit))),
  ],
  'limit-99-gives-100': ['limit=99 returns 100 animals.', pageBy((limit) => (limit === 99 ? 100 : limit))],
  'limit-counts-per-status': [
    'The limit applies to each of the three partitions, not to their union.',
    (parts) => ({
      page: (animals, query) =>
        ['available', 'pending', 'sold'].flatMap((status) => animals.filter((pet) => pet.status === status).slice(0, query.limit)),
      parseLimit: (texts) => (texts.length === 0 ? 6 : parts.parseLimit(texts)),
    }),
  ],
  'limit-ignored-beside-unknown-parameter': [
    'An unknown parameter keeps the binder from binding the query at all: the default limit applies.',
    forget('limit', hasUnknownParameter),
  ],
});
