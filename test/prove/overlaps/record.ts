import type { Overlaps } from './overlap.ts';

export const recordOverlaps: Overlaps = {
  'errors.no-server-error': [
    {
      because: 'The wrong response is a 5xx, which no request is due',
      of: ['missing-credential-crashes', 'wrong-scheme-crashes', 'list-not-implemented'],
    },
  ],
  'media.json': [
    {
      because: 'While there is no leader, a creation returns 409 to whatever client sends it',
      sometimes: ['create-gone-for-moments'],
    },
    {
      because: 'Clients that differ in what they accept get different responses, for another reason',
      of: ['create-needs-accept'],
      sometimes: ['authentication-fails-open', 'get-mixed-under-load'],
    },
  ],
  'record.pet': [
    {
      because: 'The 201 and getPet show the invalid value',
      of: [
        'category-unbounded',
        'category-unsigned-range',
        'unknown-status-kept',
        'shown-category-through-double',
        'get-category-other',
        'ids-beyond-int64',
        'missing-category-left-out',
        'any-category-kept',
        'missing-name-left-out',
        'any-name-kept',
        'any-status-kept',
      ],
    },
    {
      because: 'A 200 for an animal that does not exist has no Pet in it',
      of: ['missing-animal-null', 'missing-animal-empty-object', 'missing-animal-empty-array', 'missing-animal-ok-error'],
    },
    {
      because: 'The value that every second read shows is not one of the document',
      sometimes: ['read-alternates'],
    },
  ],
  'record.pets': [
    {
      because: '204 has no array',
      of: ['empty-list-no-content'],
    },
    {
      because: 'The list shows the invalid value',
      of: [
        'category-unbounded',
        'category-unsigned-range',
        'unknown-status-kept',
        'shown-category-through-double',
        'body-as-lines',
        'default-status-null',
        'default-status-unknown',
        'numeric-names-as-numbers',
        'missing-category-left-out',
        'any-category-kept',
        'missing-name-left-out',
        'any-name-kept',
        'any-status-kept',
      ],
    },
  ],
  'record.same-animal': [
    {
      because: 'Each list and each read of a created animal is held against what was sent and shown in the 201, and one of them differs',
      of: [
        'unknown-member-drops-status',
        'stored-name-lower-case',
        'stored-name-title-case',
        'stored-name-cut-at-10',
        'stored-name-cut-at-16',
        'stored-category-one',
        'stored-status-available',
        'create-status-ignored',
        'create-sold-becomes-available',
        'create-sold-becomes-pending',
        'create-pending-becomes-available',
        'create-status-dropped',
        'get-name-lower-case',
        'get-status-stale',
        'get-without-status',
        'get-category-other',
        'list-name-shortened',
        'list-without-status',
        'list-category-zero',
        'list-status-stale',
      ],
      sometimes: [
        'answer-shows-previous',
        'concurrent-statuses-mixed',
        'concurrent-categories-mixed-in-store',
        'concurrent-answers-mixed',
        'stored-status-lost',
        'creation-updates-category-mates',
        'creation-renames-previous',
        'duplicate-name-updates',
        'read-counts-views',
        'read-makes-pending',
        'read-alternates',
      ],
    },
    {
      because: 'A creation changes an animal whose name the service takes for the same',
      of: ['name-key-takes-emoji-for-one', 'name-key-normalized', 'name-key-ignores-accents', 'name-key-ignores-zero-width'],
    },
    {
      because: 'A request that carries a cookie stores another status than it sent',
      of: ['status-overridden-by-cookie'],
    },
  ],
};
