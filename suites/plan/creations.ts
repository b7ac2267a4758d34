// Bodies that are accepted, or may be.

import type { Entry } from '../../src/plan/row.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { LONG_MEMBERS } from '../tables/bodies.ts';
import { INT64_CATEGORIES, UNLIKELY_CATEGORY } from '../tables/categories.ts';
import { CLIENTS, UNUSUAL_CLIENTS } from '../tables/clients.ts';
import { ALIKE_NAMES, BARE_NAMES, CHARACTER_NAMES, NAMES, NAMESAKES } from '../tables/names.ts';
import { each, FORM, type Kit, names, SHARED, times } from './kit.ts';

/** Until a store has a few more than 20 animals, or than 100, a page with the default limit, or with the longest one, is not full. */
const [MORE_THAN_DEFAULT, FULL] = [26, 106];

/** Names whose start or end matters: each is at both ends of a pack. */
const AT_THE_ENDS = [
  ...['space and caret', 'control characters', 'in quotes', 'byte order mark', 'leading combining accent', 'tabs', 'line ends'],
  ...['properties of JavaScript objects', 'mojibake, a secret, and long numbers', 'Hebrew and Arabic'],
  // A colon, a bracket, a hash, and an ampersand in front.
  ...['zero-width characters', 'every sign of ASCII', 'direction marks', 'letters of the world'],
];
/** Longer than all else that is in a pack. */
const LONGEST = ['4096 letters', '16384 letters', '65536 letters'];
/** A service that cuts or rejects names does so from a length on: one that is stored whole answers for shorter ones. */
const LENGTHS = [
  ['21 letters', '33 letters'],
  ['51 letters', '64 letters', '65 letters'],
  ['100 letters', '101 letters', '129 letters'],
  ['255 letters', '256 letters'],
];
const MANY_BYTES = ['220 two-byte letters', '80 emoji'];

function growing({ create, otherStatuses, mixed, packs }: Kit): readonly Entry[] {
  const categories = mixed(names(INT64_CATEGORIES));
  const packed = packs(NAMES, names(CHARACTER_NAMES), [...AT_THE_ENDS, ...MANY_BYTES]).map((pack, index) => [
    ...pack,
    ...LONGEST.slice(index, index + 1),
  ]);
  const unusual = mixed([...packed, ...LENGTHS, '257 letters', '30,000 three-byte characters']);
  return [
    {
      ...{ phase: 'growing', for: ['create.unusual-names'] },
      rows: unusual.map((name) => create({ name })),
    },
    {
      ...{ phase: 'growing', for: ['create.unusual-categories'] },
      // That one is plain in all else: how it is rejected is open.
      rows: categories.map((category) => (category === String(UNLIKELY_CATEGORY) ? { op: 'create', category } : create({ category }))),
    },
    {
      ...{ phase: 'growing', least: 0, for: ['create.success', 'create.answer', 'create.refused-stores-nothing'] },
      rows: [
        ...each(LONG_MEMBERS, (members) => create({ members }, SHARED)),
        // With another status than the ones in the body.
        create({ parameters: 'fields', status: 'pending' }, SHARED),
        create({ client: 'fields in headers and cookies', status: 'pending' }, FORM),
        ...['before the last member', 'before the body', 'after the body'].map((space) => create({ space }, SHARED)),
      ],
    },
    {
      ...{ phase: 'growing', for: ['media.any-client'] },
      rows: [
        create({ framing: 'chunked' }, FORM),
        // What writes an audit row for a creation may need the header.
        ...packs(CLIENTS, names(UNUSUAL_CLIENTS), ['no User-Agent'], 1)
          .slice(0, 2)
          .map((client) => create({ client }, FORM)),
      ],
    },
    {
      ...{
        phase: 'growing',
        for: ['create.success', 'create.status-optional', 'create.status-values', 'create.answer', 'create.round-trip'],
      },
      rows: [
        ...['none', ...PET_STATUSES].map((status) => create({ status })),
        // In plain bodies, that must be accepted, each member comes first.
        ...otherStatuses.map((status) => create({ status, order: 'reversed', escapes: 'none' })),
        create({ order: 'first member last', escapes: 'none' }),
      ],
    },
  ];
}

function early({ create, otherStatuses, mixed, rarestStatus }: Kit): readonly Entry[] {
  const turns = [rarestStatus, 'none', otherStatuses[1] ?? rarestStatus];
  return [
    {
      ...{ phase: 'a small store', for: ['create.unusual-names'] },
      rows: mixed(names(BARE_NAMES)).map((name, index) => create({ name, status: turns[index % turns.length] ?? rarestStatus })),
    },
    {
      ...{ phase: 'a small store', for: ['create.unusual-names', 'create.answer', 'list.complete', 'create.id-assigned'] },
      rows: [
        ...each(NAMESAKES, (name) => create({ name })),
        ...each(NAMESAKES, (name) => create({ name })),
        ...each(ALIKE_NAMES, (name) => create({ name })),
      ],
    },
    {
      // Each status is sent by a quick run too.
      ...{
        ...{ phase: 'a small store', least: 4 },
        for: [
          'create.success',
          'create.status-optional',
          'create.status-values',
          'list.complete',
          'list.filter-complete',
          'record.same-animal',
        ],
      },
      rows: ['none', ...PET_STATUSES, 'none', rarestStatus].map((status) => create({ status })),
    },
  ];
}

export function creations(kit: Kit): readonly Entry[] {
  const later = growing(kit);
  return [
    ...early(kit),
    ...later,
    { phase: 'growing', for: ['list.limit-default'], fillsTo: MORE_THAN_DEFAULT, rows: times(MORE_THAN_DEFAULT, () => kit.create({})) },
    { phase: 'growing', for: ['list.limit-maximum'], fillsTo: FULL, rows: times(FULL, () => kit.create({})) },
  ];
}
