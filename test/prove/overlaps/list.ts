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
        'list-drops-one-now-and-then',
        'filter-stays-for-ever',
      ],
    },
    {
      because: 'No list shows the id of the 201',
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
      of: ['list-shows-row-numbers'],
    },
    {
      because: 'A list with room omits an animal that another list or a read shows, though it is the other one that is wrong',
      sometimes: [
        'limit-stays-for-ever',
        'list-lags-five-seconds',
        'missing-animal-made-up',
        'filter-answers-index-ids',
        'list-second-record-null',
        'limit-sometimes-ignored',
      ],
    },
  ],
  'list.filter-complete': [
    {
      because: 'In a store of more than a hundred animals only a list with a status has room for what no list shows',
      sometimes: ['list-misses-created'],
    },
    {
      because: 'A created animal is gone, or has another status when it is looked for',
      sometimes: [
        'list-cache-ignores-credential',
        'concurrent-creations-lost',
        'every-tenth-creation-rolled-back',
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
      sometimes: [
        'list-misses-every-fourth',
        'list-lags-a-minute',
        'list-cached-for-ever',
        'every-second-list-from-stale-replica',
        'every-third-list-from-stale-replica',
        'list-one-of-a-name',
        'list-one-of-a-name-in-any-case',
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
    {
      because: 'A filtered list with room omits the animal for the reason for which other lists do',
      sometimes: [
        'stored-nine-of-ten',
        'list-misses-newest',
        'list-misses-sold',
        'stored-status-available',
        'stored-status-lost',
        'filter-misses-accents',
        'missing-animal-made-up',
        'list-shows-row-numbers',
        'list-second-record-null',
        'crawlers-get-every-second-animal',
      ],
    },
  ],
  'list.filter-with-limit': [
    {
      because: 'The list is rejected for the headers of such a client',
      sometimes: ['only-json-acceptable'],
    },
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
  'list.limit-accepted': [
    {
      because: 'A list with a limit gets the 304 of a list without one, too',
      of: ['list-not-modified-since'],
    },
    {
      because: 'While the route is gone, a list returns 404 whatever its parameters',
      sometimes: ['list-gone-for-moments'],
    },
    {
      because: 'The list is rejected for the headers of such a client',
      sometimes: ['only-json-acceptable'],
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
      because: 'A list between two creations at the same time shows what the second of them loses',
      sometimes: ['concurrent-creations-lost'],
    },
    {
      because: 'Of lists from two replicas, one shows what the other omits',
      sometimes: ['every-third-list-from-stale-replica'],
    },
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'Lists show different animals under one id',
      sometimes: ['ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
    {
      because: 'What a rejected body stores or removes changes between two lists',
      sometimes: ['refused-status-removes-newest'],
    },
    {
      because: 'Between lists and reads in any order the values of an animal differ, or it is gone',
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
    {
      because: 'The same list shows an animal differently, before and after what changed it, or by whose turn it is',
      sometimes: [
        'creation-updates-category-mates',
        'read-makes-pending',
        'read-unlists',
        'filtered-list-shows-asked-status',
        'list-statuses-rotate-now-and-then',
        'every-second-list-from-stale-replica',
      ],
    },
  ],
  'list.status-accepted': [
    {
      because: 'While the route is gone, a list returns 404 whatever its parameters',
      sometimes: ['list-gone-for-moments'],
    },
    {
      because: 'Lists that are empty are those with a status',
      sometimes: ['empty-list-no-content', 'empty-list-not-found'],
    },
  ],
  'list.status-filter': [
    {
      because: 'A list that changes the status of an animal shows it under both',
      sometimes: ['list-changes-status'],
    },
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
    {
      because: 'Two animals that are listed under one id have two statuses',
      sometimes: ['list-ids-in-doubles'],
    },
  ],
  'list.success': [
    {
      because: 'The list is rejected for the headers of such a client',
      of: ['not-acceptable-without-accept', 'browser-sent-to-login', 'only-json-acceptable'],
      sometimes: ['curl-forbidden'],
    },
  ],
  'list.unique': [
    {
      because: 'Two animals have one id',
      of: ['client-id-adopted'],
      sometimes: ['ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
  ],
};
