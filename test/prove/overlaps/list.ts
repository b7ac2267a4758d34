import type { Overlaps } from './overlap.ts';

export const listOverlaps: Overlaps = {
  'list.complete': [
    {
      because: "A list comes out of another one's cache or filter, or empty, and omits animals",
      sometimes: [
        'list-cache-ignores-credential',
        'list-removes-last',
        'list-empty-now-and-then',
        'filter-stays-for-connection',
        'list-cache-ignores-query',
        'filter-stays-for-next-list',
      ],
    },
    {
      because: 'No list shows the id of the 201',
      of: ['ids-always-zero', 'body-with-duplicate-ids-on-create'],
      sometimes: ['client-id-adopted-in-answer'],
    },
    {
      because: 'A created animal is gone from the list, or the list does not know it',
      sometimes: [
        'concurrent-creations-lost',
        'concurrent-creations-unlisted',
        'refused-status-removes-newest',
        'store-keeps-50-created',
        'store-keeps-100',
        'every-tenth-creation-rolled-back',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
        'read-once-only',
        'read-unlists',
        'get-misses-default-status',
      ],
    },
    {
      because: 'No list shows the id that getPet finds',
      of: ['list-shows-row-numbers', 'list-ids-in-doubles'],
    },
  ],
  'list.filter-complete': [
    {
      because: 'A created animal is gone, or has another status when it is looked for',
      sometimes: [
        'list-cache-ignores-credential',
        'concurrent-creations-lost',
        'concurrent-creations-unlisted',
        'refused-status-removes-newest',
        'store-keeps-50-created',
        'store-keeps-100',
        'creation-updates-category-mates',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
        'read-makes-pending',
        'read-once-only',
        'list-changes-status',
      ],
    },
    {
      because: 'The list with a filter omits animals in the same way',
      of: ['limit-exclusive'],
      sometimes: [
        'list-misses-every-fourth',
        'list-lags-a-minute',
        'list-cached-for-ever',
        'every-third-list-from-stale-replica',
        'list-lags-five-seconds',
      ],
    },
    {
      because: 'Lists with a filter come out empty too',
      sometimes: ['list-removes-last', 'list-empty-now-and-then'],
    },
    {
      because: 'A filter that shows other animals omits those that match',
      sometimes: ['list-cache-ignores-query', 'filter-remembers-last', 'filter-pending-gives-sold'],
    },
    {
      because: 'What the filter omits the replacement of getPet does not find',
      of: ['filter-index-not-updated', 'filter-answers-index-ids'],
    },
  ],
  'list.filter-with-limit': [
    {
      because: 'While the route is gone, a list returns 404 whatever its parameters',
      sometimes: ['list-gone-for-moments'],
    },
    {
      because: 'Now and then the limit or the filter is ignored where both are given',
      sometimes: ['limit-sometimes-ignored', 'filter-sometimes-ignored'],
    },
    {
      because: 'The page has the filter of another list',
      sometimes: ['list-cache-ignores-query', 'filter-remembers-last'],
    },
  ],
  'list.limit-default': [
    {
      because: 'A page without a limit is longer than one with limit=20, as the limit counts per status',
      of: ['limit-counts-per-status'],
      sometimes: ['list-cache-ignores-credential'],
    },
    {
      because: 'The page of 20 has one item too many',
      of: ['list-null-at-end', 'list-empty-object-at-end'],
    },
  ],
  'list.limit-maximum': [
    {
      because: 'The limit is ignored where a status follows',
      of: ['limit-ignored-before-status'],
    },
    {
      because: 'Each page has one item too many',
      of: ['list-null-at-end', 'list-empty-object-at-end'],
    },
  ],
  'list.read-only': [
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'A list without a filter uses that of the list before',
      sometimes: ['filter-stays-for-ever'],
    },
    {
      because: 'Lists show different animals under one id',
      of: ['ids-in-doubles', 'filter-answers-index-ids'],
      sometimes: ['ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
    {
      because: 'What a rejected body stores or removes changes between two lists',
      sometimes: ['refused-status-removes-newest'],
    },
    {
      because: 'Between lists and reads in any order the values of an animal differ, or it is gone',
      of: ['get-name-lower-case', 'get-category-other', 'list-name-shortened', 'list-ids-in-doubles', 'body-with-duplicate-members'],
      sometimes: [
        'created-vanish-after-a-moment',
        'creation-renames-previous',
        'every-tenth-creation-rolled-back',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
        'store-keeps-50-created',
        'read-counts-views',
        'read-alternates',
        'read-once-only',
        'get-mixed-under-load',
        'list-rows-shifted-now-and-then',
        'list-cache-ignores-query',
        'second-read-misses',
      ],
    },
  ],
  'list.status-accepted': [
    {
      because: 'While the route is gone, a list returns 404 whatever its parameters',
      sometimes: ['list-gone-for-moments'],
    },
  ],
  'list.status-filter': [
    {
      because: 'The filter is ignored where a limit follows, or always',
      of: ['status-ignored-before-limit'],
    },
    {
      because: 'Items of a filtered list have no status or an old one',
      of: [
        'list-without-status',
        'list-status-stale',
        'list-empty-object-at-end',
        'list-last-of-long-page-broken',
        'filtered-list-shows-asked-status',
      ],
    },
  ],
  'list.success': [
    {
      because: 'While the route is gone, a list returns 404 whatever its parameters',
      sometimes: ['list-gone-for-moments'],
    },
    {
      because: 'The list is rejected for the headers of such a client',
      of: ['not-acceptable-without-accept', 'curl-forbidden', 'browser-sent-to-login', 'only-json-acceptable'],
    },
  ],
  'list.unique': [
    {
      because: 'Two animals have one id',
      of: ['ids-per-category', 'ids-per-status', 'ids-in-doubles', 'client-id-adopted', 'list-ids-in-doubles'],
      sometimes: ['ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
  ],
};
