// Lists and reads.

import type { Entry, Row } from '../../src/plan/row.ts';
import { PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { ACCEPTING_CLIENTS, CLAIMS, CLIENTS, UNDOCUMENTED_CLIENTS, UNUSUAL_CLIENTS } from '../tables/clients.ts';
import { INT64_IDS } from '../tables/ids.ts';
import { LIMITS, OTHER_PARAMETERS } from '../tables/lists.ts';
import { OTHER_PATHS, REWRITTEN_PATHS } from '../tables/paths.ts';
import { all, CLIENT_VALUES, each, type Get, HARMLESS_CLIENTS, inTurn, type Kit, type List, names, times } from './kit.ts';
import { ASKED_WITH_LIMIT, ASKED_WITH_STATUS } from './open.ts';

/** What a list or a read shows at the end of a phase. */
const LOOKS: readonly (List | Get)[] = [
  { op: 'list' },
  { op: 'list', limit: 20 },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): List[] => [
    { op: 'list', status, limit: 20 },
    { op: 'list', status },
    { op: 'list', status, limit: 100 },
  ]),
  ...[0, 1, 2].map((id): Get => ({ op: 'get', id })),
];

/** A list with one of these limits is sent with one status; only thorough runs send others, as far as a third of a store is more than a page. */
const isFiltered = (limit: number): boolean => limit % 3 === 1;
const statusFor = (limit: number): PetStatus => PET_STATUSES[Math.floor(limit / 3) % PET_STATUSES.length] ?? 'sold';
const LONGEST_FILTERED = 45;

const SMALL = 'a small store';
/** Milliseconds that a request comes after all others. */
const PAUSE = 110;

/** Whether the service still does what it did. */
const CLOSING_ROWS: readonly (List | Get)[] = [{ op: 'list' }, { op: 'get', id: 0 }, { op: 'list', credential: 'none' }];

/** What the clauses about what lists and reads show over time are judged by. */
const LOOKS_FOR = [
  'record.same-animal',
  'list.complete',
  'list.filter-complete',
  'get.success',
  'list.limit-default',
  'get.durable',
  'list.read-only',
] as const;

/** Reads of animals that are there, as different ones as there are. */
const readsOf = ({ get, known }: Kit, count: number): readonly Get[] =>
  times(count, (index) => get({ id: known === 0 ? 'known' : index % known }));

function whatIsThere({ known, rarestStatus, size }: Kit): readonly Entry[] {
  const middle = Math.floor(known / 2);
  return [
    {
      ...{ phase: 'what is there', for: ['get.repeatable', 'list.read-only', 'get.durable', 'get.agrees-with-list'] },
      rows: [
        // A rejected list leaves nothing to the next one.
        inTurn({ op: 'list', limit: 'abc', status: rarestStatus }, { op: 'list', limit: 100 }, { op: 'get', id: middle }),
        inTurn({ op: 'list', limit: 100 }, { op: 'get', id: middle + 1 }, { op: 'list', limit: 100 }),
        ...[2, 3, 5].map((id) =>
          inTurn({ op: 'get', id }, { op: 'get', id }, { op: 'get', id, client: 'gzip, deflate, or br' }, { op: 'get', id }),
        ),
      ],
    },
    {
      // A missing animal is asked for again, and several of them are: neither is a reason to forget one that exists.
      ...{ phase: 'what is there', least: 0, for: ['get.not-found', 'get.success', 'get.repeatable'] },
      rows: [
        inTurn(
          ...times(3, (): Get => ({ op: 'get', id: 'largest int64' })),
          ...times(4, (): Get => ({ op: 'get', id: '63 bits' })),
          { op: 'list', limit: 100 },
          ...[0, 1].map((id): Get => ({ op: 'get', id })),
        ),
      ],
    },
    {
      // As many as there are, and one more: the first creation may be among them.
      ...{ phase: 'what is there', for: ['list.limit-accepted'] },
      rows: [0, 1, 2].flatMap((more): List[] => (size + more < 1 || size + more > 100 ? [] : [{ op: 'list', limit: size + more }])),
    },
  ];
}

/** Lists with what the document does not show, or leaves open. */
const oddLists = ({ list }: Kit): readonly Entry[] => [
  {
    ...{ phase: SMALL, for: ['list.success', 'list.status-filter', 'list.limit-maximum'] },
    rows: each(OTHER_PARAMETERS, (parameters, index): Row[] => [
      ...(ASKED_WITH_LIMIT.includes(parameters) ? [] : [list({ parameters, limit: 3, status: 'none' })]),
      ...(ASKED_WITH_STATUS.includes(parameters)
        ? []
        : [list({ parameters, limit: 'none', status: PET_STATUSES[index % PET_STATUSES.length] ?? 'sold' })]),
    ]).flat(),
  },
];

/** Reads of ids that no animal has, or that may be none. */
const oddReads = ({ get }: Kit): readonly Entry[] => [
  // The first one is plain: which code a missing animal has is open.
  { ...{ phase: SMALL, for: ['get.not-found'] }, rows: each(INT64_IDS, (id, index) => (index === 0 ? { op: 'get', id } : get({ id }))) },
  { phase: SMALL, for: ['get.identity'], rows: [{ op: 'get', parameters: 'id of another animal' }] },
];

/** Clients and paths that a service may treat otherwise. */
const oddClients = ({ packs }: Kit): readonly Entry[] => [
  {
    ...{ phase: SMALL, for: ['media.any-client'] },
    rows: packs(CLIENTS, names(UNUSUAL_CLIENTS), 3, 1).map((client): List => ({ op: 'list', client, limit: 100 })),
  },
  {
    ...{ phase: SMALL, for: ['media.any-client'] },
    rows: packs(CLIENTS, names(all(CLAIMS, UNDOCUMENTED_CLIENTS)), 2, 1).map((client): List => ({ op: 'list', client })),
  },
  {
    ...{ phase: SMALL, for: ['errors.no-server-error', 'errors.shape'] },
    rows: [
      ...packs(CLIENTS, names(UNUSUAL_CLIENTS), 3, 1).map((client): Get => ({ op: 'get', client })),
      ...packs(CLIENTS, names(all(CLAIMS, UNDOCUMENTED_CLIENTS)), 2, 1).map((client): Get => ({ op: 'get', client })),
    ],
  },
  {
    phase: SMALL,
    for: ['auth.missing-credential'],
    rows: each(all(REWRITTEN_PATHS, OTHER_PATHS), (path): Row => ({ op: 'list', path })),
  },
];

const usual = (kit: Kit): readonly Entry[] => [
  {
    phase: SMALL,
    for: ['get.success', 'get.identity', 'deprecation.announced', 'deprecation.still-works', 'record.pet'],
    rows: readsOf(kit, 8),
  },
  {
    phase: SMALL,
    for: [
      'list.success',
      'list.limit-accepted',
      'list.status-accepted',
      'list.status-filter',
      'list.complete',
      'record.pets',
      'list.unique',
    ],
    rows: [
      // Each client once in the plainest list, and with others in one that has room for all animals.
      ...HARMLESS_CLIENTS.map((client) => kit.list({ client, limit: 'none', status: 'none' })),
      ...kit.packs(CLIENTS, CLIENT_VALUES, 5, 1).map((client) => kit.list({ client, limit: 100, status: 'none' })),
      ...[1, 2, 3, 5, 10, 19, 20, 21, 37, 50, 99].map((limit) => kit.list({ limit })),
    ],
  },
  // The same list twice, as others ask for it before and after.
  {
    ...{ phase: SMALL, for: ['media.json'] },
    rows: names(ACCEPTING_CLIENTS).flatMap((client): readonly List[] => times(2, () => ({ op: 'list', client }))),
  },
];

/** What lists and reads show once the store has grown. */
function later(kit: Kit): readonly Entry[] {
  const { list, get } = kit;
  const afterPauses = [
    ...[{}, { limit: 100 }, { limit: 41 }, { status: PET_STATUSES[0] }, { limit: 20, status: PET_STATUSES[2] }].map((row) => list(row)),
    ...[0, -1, '63 bits'].map((id) => get({ id })),
  ].map((row): Row => ({ ...inTurn(row), pause: PAUSE }));
  return [
    // The newest animal is a plain one.
    { phase: 'a first look', for: LOOKS_FOR, rows: [{ op: 'create' }, ...LOOKS] },
    { phase: 'growing', for: ['get.success'], rows: readsOf(kit, 10) },
    // While each status still has room for all of its animals, next to a longer page.
    {
      ...{ phase: 'a second look', least: 0, for: ['list.filter-complete', 'create.unusual-names', 'create.unusual-categories'] },
      rows: [{ op: 'list', limit: 100 }, ...PET_STATUSES.map((status): List => ({ op: 'list', status, limit: 100 }))],
    },
    {
      ...{
        phase: 'a large store',
        for: ['list.limit-maximum', 'list.limit-accepted', 'list.filter-with-limit', 'list.status-filter', 'list.unique'],
      },
      rows: [
        // Only a list without a status is long enough for all of them.
        // The smallest page is plain: what it says about further pages is open.
        { op: 'list', limit: 1 },
        ...LIMITS.slice(1).map((limit) => list({ limit, status: 'none' })),
        ...LIMITS.filter(isFiltered).map((limit) => list({ limit, status: statusFor(limit) })),
        ...LOOKS,
      ],
    },
    {
      ...{ phase: 'a large store', isThoroughOnly: true },
      for: ['list.limit-maximum', 'list.limit-accepted', 'list.filter-with-limit', 'list.success'],
      rows: LIMITS.slice(0, LONGEST_FILTERED).flatMap((limit) =>
        PET_STATUSES.filter((status) => !isFiltered(limit) || status !== statusFor(limit)).map((status) => list({ limit, status })),
      ),
    },
    { phase: 'after a pause', for: [...LOOKS_FOR, 'errors.no-server-error'], rows: LOOKS },
    { phase: 'after a pause', least: 0, for: [...LOOKS_FOR, 'errors.no-server-error', 'get.not-found'], rows: afterPauses },
    // A quick run ends with the plain ones, and with those of one status.
    { phase: 'the end', least: 5, for: LOOKS_FOR, rows: LOOKS },
    { phase: 'the end', isInEveryRun: true, rows: CLOSING_ROWS },
  ];
}

export const reading = (kit: Kit): readonly Entry[] =>
  [whatIsThere, oddLists, oddReads, oddClients, usual, later].flatMap((entriesOf) => entriesOf(kit));
