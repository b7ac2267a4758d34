import type { Overlaps } from './overlap.ts';

export const createOverlaps: Overlaps = {
  'create.answer': [
    {
      because: 'The 201 of one creation shows values of another',
      sometimes: ['concurrent-names-mixed', 'concurrent-categories-mixed', 'concurrent-answers-mixed'],
    },
  ],
  'create.body-json': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
  ],
  'create.body-object': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
  ],
  'create.category-range': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'One error handler responds to every invalid categoryId',
      of: ['bad-category-not-found', 'bad-category-unprocessable'],
    },
  ],
  'create.category-required': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'A body that has category_id in place of categoryId is accepted',
      of: ['category-overridden-by-snake-case'],
    },
    {
      because: 'One error handler responds to every invalid categoryId',
      of: ['bad-category-unprocessable'],
    },
  ],
  'create.category-type': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'One error handler responds to every invalid categoryId',
      of: ['bad-category-not-found'],
    },
  ],
  'create.id-assigned': [
    {
      because: 'The 201 of one creation shows values of another',
      sometimes: ['concurrent-answers-mixed'],
    },
    {
      because: 'The id of the 201 is that of another animal in lists or reads',
      of: ['missing-animal-made-up', 'filter-answers-index-ids'],
      sometimes: ['duplicate-name-updates', 'list-rows-shifted-now-and-then'],
    },
  ],
  'create.id-not-adopted': [
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'The animal whose id a client sends along is read again, and is gone or another one',
      sometimes: [
        'list-removes-last',
        'ids-from-small-space',
        'store-keeps-50-created',
        'created-vanish-after-a-moment',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
        'get-answers-next',
        'get-answers-newest',
        'get-sometimes-answers-other',
        'store-keeps-100',
        'second-read-misses',
        'get-mixed-under-load',
      ],
    },
  ],
  'create.independent': [
    {
      because: 'The status that the store gives in place of the sent one is that of another creation at the same time',
      sometimes: ['extra-member-loses-status', 'unknown-member-drops-status'],
    },
    {
      because: 'Each creation that comes right after a rejected one does so while there is no leader',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'Animals that are created at the same time or in turn are held against what was sent, and no 201 shows it',
      sometimes: ['answer-shows-previous'],
    },
    {
      because: 'Animals that are created at the same time are read back, and the read shows another animal',
      sometimes: ['creation-updates-category-mates', 'creation-renames-previous', 'read-alternates'],
    },
    {
      because: 'A list shows what it remembers of another request, so that an animal seems to be missing',
      sometimes: ['list-cache-ignores-credential', 'every-second-filtered-list-from-stale-replica'],
    },
  ],
  'create.name-required': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'A creation right after a read of a missing animal returns 404 whatever its body says',
      sometimes: ['creation-after-missing-animal-not-found'],
    },
    {
      because: 'A body without a name is accepted',
      sometimes: ['name-of-connection-taken'],
    },
    {
      because: 'One error handler responds to every invalid name',
      of: ['bad-name-conflict'],
    },
    {
      because: 'A body that has Name in place of name is accepted',
      of: ['name-overridden-by-capital'],
    },
  ],
  'create.name-type': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'One error handler responds to every invalid name',
      of: ['bad-name-unprocessable'],
    },
  ],
  'create.refused-stores-nothing': [
    {
      because: 'The animals of before are looked for after a rejected body, and are gone',
      sometimes: ['list-removes-last', 'store-lost-every-150-requests'],
    },
    {
      because: 'The empty name of a creation under way goes to another animal, as if a body without a name had been stored',
      sometimes: ['concurrent-names-mixed', 'concurrent-answers-mixed'],
    },
    {
      because: 'An animal disappears at the moment of a rejection',
      sometimes: ['every-tenth-creation-rolled-back'],
    },
  ],
  'create.round-trip': [
    {
      because: 'An unknown member makes the service store another status than was sent',
      sometimes: ['extra-member-loses-status'],
    },
    {
      because: 'The animal was created concurrently with others, and has the status or the category of one of them',
      sometimes: ['concurrent-statuses-mixed', 'concurrent-categories-mixed-in-store'],
    },
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'The animal is read back and listed, and is gone or changed by then',
      sometimes: [
        'list-removes-last',
        'ids-race',
        'ids-of-milliseconds',
        'ids-from-small-space',
        'ids-reused-every-tenth',
        'refused-status-removes-newest',
        'store-keeps-50-created',
        'store-keeps-100',
        'created-vanish-after-a-moment',
        'creation-updates-category-mates',
        'creation-renames-previous',
        'store-lost-every-150-requests',
        'creation-replaces-oldest-created',
        'read-counts-views',
        'read-makes-pending',
        'read-alternates',
        'read-once-only',
      ],
    },
    {
      because: 'The animal is read back and listed, and one of both shows other values',
      of: ['list-name-shortened', 'list-without-status', 'list-status-stale'],
      sometimes: ['list-rows-shifted-now-and-then', 'list-statuses-rotate-now-and-then'],
    },
    {
      because: 'The animal is read back, and getPet shows another one',
      sometimes: [
        'get-answers-next',
        'get-answers-newest',
        'get-cached-by-last-digit',
        'get-sometimes-answers-other',
        'get-mixed-under-load',
      ],
    },
  ],
  'create.status-invalid': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
  ],
  'create.status-optional': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'The status that the 201 shows is not the one that is read',
      sometimes: ['stored-status-lost', 'creation-updates-category-mates'],
    },
  ],
  'create.status-values': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
  ],
  'create.success': [
    {
      because: 'A plain NewPet is rejected',
      of: ['creation-after-refusal-refused-on-connection'],
      sometimes: ['status-sticks-to-next'],
    },
    {
      because: 'A 200 is never the success of a creation, whatever its body says',
      of: ['refusal-answered-200'],
    },
    {
      because: 'A plain NewPet of such a client is rejected',
      of: ['not-acceptable-without-accept'],
      sometimes: ['only-json-acceptable'],
    },
    {
      because: 'The media type is compared letter by letter: Application/JSON is another one',
      of: ['refused-media-type-stored'],
    },
  ],
  'create.unusual-categories': [
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'The animal is read back, and getPet shows another one',
      sometimes: ['get-mixed-under-load'],
    },
    {
      because: 'The page comes out of the cache of one with another filter',
      sometimes: ['list-cache-ignores-query'],
    },
  ],
  'create.unusual-names': [
    {
      because: 'Names that begin with other letters or signs are unusual, and these are omitted, too',
      of: ['list-misses-second-half-of-alphabet'],
    },
    {
      because: 'Two bytes of Latin-1 make a letter of UTF-8, so that the body is well-formed and shows another name',
      sometimes: ['body-in-latin1'],
    },
    {
      because: 'While there is no leader, a creation returns 409 whatever its body says',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'The animal was created concurrently with others, and is lost, or has the id of another one',
      sometimes: ['concurrent-creations-lost', 'ids-race'],
    },
    {
      because: 'Of two names that only accents tell apart, lists show one',
      of: ['list-one-of-a-name-but-for-accents'],
    },
    {
      because: 'While the route is gone, getPet returns 404 whatever animal is read',
      sometimes: ['get-gone-for-moments'],
    },
    {
      because: 'The page comes out of the cache of one with another filter',
      sometimes: ['list-cache-ignores-query'],
    },
  ],
};
