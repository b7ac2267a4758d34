import type { Overlaps } from './overlap.ts';

export const getOverlaps: Overlaps = {
  'get.agrees-with-list': [
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'getPet and the list show different values, now and then or always',
      of: ['body-with-duplicate-members', 'filtered-list-shows-asked-status'],
      sometimes: [
        'read-counts-views',
        'read-makes-pending',
        'read-alternates',
        'read-once-only',
        'list-rows-shifted-now-and-then',
        'list-statuses-rotate-now-and-then',
        'list-changes-status',
        'get-mixed-under-load',
        'name-key-ignores-accents',
        'name-key-normalized',
      ],
    },
    {
      because: 'Two animals with one id: the list shows one, getPet the other',
      sometimes: ['ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
    {
      because: 'A listed animal is gone or changed when it is read',
      sometimes: [
        'store-keeps-50-created',
        'store-keeps-100',
        'created-vanish-after-a-moment',
        'creation-updates-category-mates',
        'creation-renames-previous',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
        'every-tenth-creation-rolled-back',
      ],
    },
    {
      because: 'A listed animal is read, and getPet does not find it',
      sometimes: ['get-misses-newest', 'second-read-misses'],
    },
    {
      because: 'The read and the list show the values of two animals that the service takes for one',
      sometimes: ['name-key-takes-emoji-for-one', 'name-key-ignores-zero-width', 'missing-animal-made-up'],
    },
  ],
  'get.durable': [
    {
      because: 'A created animal is not found at the end under the id of its 201',
      sometimes: ['get-misses-newest', 'get-misses-even-ids', 'get-misses-negative-ids', 'get-not-modified'],
    },
    {
      because: 'A created animal is gone or changed at the end',
      sometimes: [
        'list-rows-shifted-now-and-then',
        'list-removes-last',
        'concurrent-creations-lost',
        'concurrent-statuses-mixed',
        'concurrent-categories-mixed-in-store',
        'concurrent-answers-mixed',
        'refused-status-removes-newest',
        'read-counts-views',
        'read-makes-pending',
        'read-alternates',
        'read-once-only',
        'get-mixed-under-load',
        'name-key-ignores-zero-width',
        'name-key-ignores-accents',
        'name-key-normalized',
      ],
    },
    {
      because: 'Of two animals with one id only one is read at the end',
      sometimes: ['missing-animal-made-up', 'ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
    {
      because: 'An animal is not found any more where it was found before',
      sometimes: ['list-one-of-a-name'],
    },
  ],
  'get.not-found': [
    {
      because: 'An id that does not exist returns another animal',
      of: ['get-answers-by-prefix', 'get-id-through-double'],
      sometimes: ['get-cached-by-last-digit', 'get-mixed-under-load'],
    },
    {
      because: 'A read of an id that no animal has is handled as other reads are',
      sometimes: ['ids-in-doubles', 'list-ids-in-doubles', 'not-acceptable-without-accept', 'only-json-acceptable', 'body-in-latin1'],
    },
  ],
  'get.repeatable': [
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'An animal is gone or another one when it is read again',
      sometimes: [
        'list-removes-last',
        'get-mixed-under-load',
        'ids-from-small-space',
        'created-vanish-after-a-moment',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
      ],
    },
    {
      because: 'A list that comes out of another one omits the animal after a read, and shows it before',
      sometimes: ['list-cache-ignores-query'],
    },
    {
      because: 'Two animals with one id are read in turn',
      sometimes: ['ids-of-milliseconds'],
    },
    {
      because: 'The same read shows an animal differently, before and after what changed it',
      sometimes: ['creation-updates-category-mates', 'missing-animal-made-up'],
    },
  ],
  'get.success': [
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'An animal that was listed or created is not found',
      sometimes: [
        'get-removed-with-404',
        'list-removes-last',
        'get-mixed-under-load',
        'read-once-only',
        'store-lost-every-150-requests',
        'stored-nine-of-ten',
      ],
    },
    {
      because: 'An animal that a creation has taken away is read once, after lists had shown it',
      sometimes: [
        'store-keeps-50-created',
        'created-vanish-after-a-moment',
        'creation-replaces-oldest-created',
        'refused-status-removes-newest',
        'store-keeps-100',
      ],
    },
    {
      because: 'An id that lists show is not one that getPet finds',
      of: ['filter-answers-index-ids'],
    },
    {
      because: 'A read of an animal that exists does not return it, or what is returned for ids that no animal has is returned there too',
      sometimes: [
        'every-thirtieth-read-misses',
        'second-read-misses',
        'missing-animal-no-content',
        'missing-animal-bad-request',
        'missing-animal-forbidden',
        'missing-animal-redirects',
        'not-acceptable-without-accept',
        'only-json-acceptable',
      ],
    },
  ],
  'deprecation.replacement': [
    {
      because: 'A read changes the status of the animal, so that lists with its status omit it',
      sometimes: ['read-makes-pending'],
    },
    {
      because: 'The list with the status filter is what replaces getPet, and in a large store only it has room for what no list shows',
      sometimes: ['list-misses-created'],
    },
    {
      because: 'A later creation changes the status of the animal',
      sometimes: ['creation-updates-category-mates'],
    },
    {
      because: 'The list with the status filter is what replaces getPet, and it omits the animal',
      of: [
        'filter-searches-first-50',
        'filter-drops-first-match',
        'filter-drops-last-match',
        'filter-gives-one-match',
        'filter-pending-is-empty',
        'filter-sold-is-empty',
        'filter-always-empty',
        'filter-misses-default-status',
      ],
      sometimes: [
        'list-cache-ignores-credential',
        'every-second-filtered-list-from-stale-replica',
        'every-second-list-from-stale-replica',
        'list-drops-one-now-and-then',
        'list-cache-ignores-query',
        'filter-remembers-last',
        'concurrent-creations-unlisted',
      ],
    },
    {
      because: 'An animal that no list shows within the time is not found by its status',
      sometimes: ['list-misses-every-fourth', 'list-lags-a-minute', 'list-cached-for-ever', 'list-lags-five-seconds'],
    },
    {
      because: 'A filtered list with room omits the animal: what lists do wrong, the replacement of getPet does wrong',
      sometimes: [
        'list-misses-newest',
        'list-misses-sold',
        'filter-misses-explicit-available',
        'filter-after-page',
        'default-limit-10-with-pending',
        'concurrent-creations-lost',
        'filter-misses-accents',
        'missing-animal-made-up',
        'list-shows-row-numbers',
        'list-second-record-null',
        'list-last-of-long-page-broken',
      ],
    },
  ],
  'deprecation.still-works': [
    {
      because: 'What is returned for ids that no animal has looks like a removal',
      sometimes: ['missing-animal-gone'],
    },
  ],
};
