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
      of: ['ids-per-category', 'ids-per-status', 'ids-in-doubles'],
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
  ],
  'get.durable': [
    {
      because: 'A created animal is not found at the end under the id of its 201',
      of: ['stored-nine-of-ten', 'client-id-adopted-in-answer'],
      sometimes: ['get-misses-newest', 'get-misses-even-ids', 'get-misses-negative-ids', 'get-not-modified'],
    },
    {
      because: 'A created animal is gone or changed at the end',
      sometimes: [
        'list-removes-last',
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
      of: ['ids-per-category', 'ids-per-status'],
      sometimes: ['ids-race', 'ids-of-milliseconds', 'ids-from-small-space', 'ids-reused-every-tenth'],
    },
  ],
  'get.not-found': [
    {
      because: 'An id that does not exist returns another animal',
      of: ['get-answers-by-prefix', 'get-id-through-double'],
      sometimes: ['get-cached-by-last-digit', 'get-mixed-under-load'],
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
      because: 'The status is missing or old in getPet, and so does not stay the one of the 201',
      of: ['get-status-stale', 'get-without-status'],
    },
    {
      because: 'Two animals with one id are read in turn',
      sometimes: ['ids-of-milliseconds'],
    },
  ],
  'get.success': [
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'An animal that was listed or created is not found',
      of: ['stored-not-at-all', 'get-removed-with-404'],
      sometimes: ['list-removes-last', 'get-mixed-under-load', 'read-once-only', 'store-lost-every-150-requests', 'stored-nine-of-ten'],
    },
    {
      because: 'An id that lists show is not one that getPet finds',
      of: ['ids-in-doubles', 'filter-answers-index-ids'],
    },
  ],
  'deprecation.replacement': [
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
        'filter-negated',
        'filter-pending-gives-sold',
        'get-status-stale',
        'limit-exclusive',
      ],
      sometimes: [
        'list-cache-ignores-credential',
        'every-second-list-from-stale-replica',
        'list-cache-ignores-query',
        'filter-remembers-last',
        'concurrent-creations-unlisted',
      ],
    },
    {
      because: 'An animal that no list shows within the time is not found by its status',
      sometimes: ['list-misses-every-fourth', 'list-lags-a-minute', 'list-cached-for-ever', 'list-lags-five-seconds'],
    },
  ],
  'deprecation.still-works': [
    {
      because: 'getPet does not find an id that the list shows',
      of: ['ids-in-doubles', 'list-shows-row-numbers', 'list-ids-in-doubles'],
    },
  ],
};
