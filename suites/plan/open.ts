// What the document leaves open (suites/clauses/open.ts): plain in all else, so that an answer is about what is asked.

import type { CatalogClauseId } from '../../src/clause/clause.ts';
import type { Entry, Row } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { CLIENT_IDS, DAMAGED_TEXTS, JSON_TYPES_WITH_CHARSET, OTHER_TYPES, REPEATED_MEMBERS, UNKNOWN_MEMBERS } from '../tables/bodies.ts';
import { FRACTION_SPELLINGS, UNLIKELY_CATEGORY } from '../tables/categories.ts';
import { SCHEME_CASES } from '../tables/credentials.ts';
import { BEYOND_INT64, NO_INTEGERS, OTHER_SPELLINGS } from '../tables/ids.ts';
import { LIMITS_IN_OTHER_SPELLINGS, LIMITS_OUT_OF_RANGE, OTHER_FILTERS, REPEATED_PARAMETERS } from '../tables/lists.ts';
import { all, type Create, each, type Get, type Kit, type List, names, SHARED, times, together } from './kit.ts';

/** Next to which other parameters a limit, or a status, is asked for here, and not among rows that are filled. */
export const ASKED_WITH_LIMIT = ['unknown', 'page 0', 'offset 0', 'page_limit before'];
export const ASKED_WITH_STATUS = ['unknown', 'page 0', 'last_status before'];

/** A small page is full, and a page without a limit, or with the largest one, is as long as it can be. */
const LISTED = 'a large store';
const OF_ERRORS = ['errors.no-server-error', 'errors.shape', 'media.json'] as const;
const OF_PARAMETERS = ['list.success', 'list.status-filter', 'list.limit-maximum'] as const;
const OF_CREATIONS = ['create.success', 'create.answer', 'create.refused-stores-nothing'] as const;

/** Values of the same blocks that nothing asks: such rows are filled as all others are. */
const NOT_ASKED = [
  ...['🐶', '99999999999999999999', '400 digits', 'ü', '1,000 letters', 'limit without a value'],
  ...['percent', "1'", 'emoji', 'minus', '500 letters', 'not UTF-8', 'one and not UTF-8'],
];
const isAsked = (value: string): boolean => !NOT_ASKED.includes(value);

const lists = ({ list }: Kit): readonly Entry[] => [
  {
    ...{ phase: LISTED, for: [...OF_ERRORS, 'list.success', 'list.limit-not-integer'] },
    rows: each(LIMITS_IN_OTHER_SPELLINGS, (limit) => (isAsked(limit) ? { op: 'list', limit } : list({ limit }, SHARED))),
  },
  {
    ...{ phase: LISTED, least: 0, for: [...OF_ERRORS, 'list.success', 'list.limit-out-of-range'] },
    rows: each(LIMITS_OUT_OF_RANGE, (limit) => (isAsked(limit) ? { op: 'list', limit } : list({ limit }, SHARED))),
  },
  {
    ...{ phase: LISTED, least: 0, for: [...OF_ERRORS, 'list.success', 'list.status-unknown'] },
    rows: each(OTHER_FILTERS, (status) => (isAsked(status) ? { op: 'list', status } : list({ status }, SHARED))),
  },
  {
    ...{ phase: LISTED, least: 0, for: [...OF_ERRORS, 'list.success', 'list.repeated-parameters', 'list.unknown-parameters'] },
    rows: each(REPEATED_PARAMETERS, (parameters) => (isAsked(parameters) ? { op: 'list', parameters } : list({ parameters }, SHARED))),
  },
  {
    ...{ phase: LISTED, least: 0, for: [...OF_PARAMETERS, 'list.unknown-parameters'] },
    rows: [
      ...ASKED_WITH_LIMIT.map((parameters): List => ({ op: 'list', parameters, limit: 2 })),
      ...ASKED_WITH_STATUS.map((parameters): List => ({ op: 'list', parameters, status: 'available' })),
      ...PET_STATUSES.slice(1).map((status): List => ({ op: 'list', parameters: 'unknown', status })),
      ...['unknown', 'page 2', 'offset 1', 'cursor', 'sort', 'callback', 'ampersands'].map(
        (parameters): List => ({ op: 'list', parameters }),
      ),
    ],
  },
];

const ids = ({ get }: Kit): readonly Entry[] =>
  [
    [OTHER_SPELLINGS, 'get.id-spelling'] as const,
    [BEYOND_INT64, 'get.id-outside-int64'] as const,
    [NO_INTEGERS, 'get.id-not-integer'] as const,
  ].map(([block, id], index) => ({
    ...{ phase: 'a small store', least: index === 0 ? 1 : 0, for: [...OF_ERRORS, id] },
    rows: each<Get>(block, (one) => (isAsked(one) ? { op: 'get', id: one } : get({ id: one }))),
  }));

/** With a status in turn, as other animals have them. */
function creations({ otherStatuses, rarestStatus }: Kit): readonly Entry[] {
  const statuses = ['none', ...otherStatuses];
  const statusAt = (index: number): string => statuses[index % statuses.length] ?? 'none';
  const inTurn = (block: Parameters<typeof each>[0], dimension: 'members' | 'category' | 'shape' | 'type'): readonly Create[] =>
    each(block, (value, index): Create => ({ op: 'create', [dimension]: value, status: statusAt(index) }));
  const asked = (id: CatalogClauseId, rows: readonly Create[]): Entry => ({
    ...{ phase: 'growing', least: 0, for: [...OF_CREATIONS, id], rows },
  });
  const rejected: Create = { op: 'create', status: rarestStatus };
  return [
    {
      ...asked('create.unknown-members', [
        ...inTurn(UNKNOWN_MEMBERS, 'members'),
        { op: 'create', parameters: 'fields', client: 'fields in headers and cookies', status: 'pending' },
      ]),
      least: 1,
    },
    asked('create.integer-spelling', inTurn(FRACTION_SPELLINGS, 'category')),
    asked('create.text-encoding', inTurn(DAMAGED_TEXTS, 'shape')),
    asked('create.request-media-type', [
      ...inTurn(all(JSON_TYPES_WITH_CHARSET, OTHER_TYPES), 'type'),
      { ...rejected, shape: 'form data', type: 'application/x-www-form-urlencoded' },
      { ...rejected, shape: 'no body', type: 'empty' },
      { ...rejected, name: 'missing', client: 'body announced as gzip' },
    ]),
    asked(
      'create.duplicate-members',
      each(REPEATED_MEMBERS, (members) => ({ op: 'create', members, status: members === 'name twice' ? 'none' : 'pending' })),
    ),
    {
      // A service that picks another schema when it sees an id may drop the status.
      ...{ phase: 'growing', for: ['create.id-not-adopted', 'create.refused-stores-nothing', 'create.client-id'] },
      rows: inTurn(CLIENT_IDS, 'members'),
    },
  ];
}

const LARGEST: List = { op: 'list', limit: 100 };
const spare: Create = { op: 'create' };

/** What whole runs send for other clauses. */
const alone = ({ rarestStatus }: Kit): readonly Entry[] => {
  const once = (phase: Entry['phase'], id: CatalogClauseId, rows: readonly Row[]): Entry => ({
    ...{ phase, isSelectedOnly: true, for: [id], rows },
  });
  const namesake: Create = { ...spare, name: 'namesake' };
  const lists401: readonly Vector[] = ['none', 'like the key'].map((credential) => ({ op: 'list', credential }));
  return [
    once('a small store', 'create.default-status', [spare]),
    once('a small store', 'create.unknown-category', [{ ...spare, category: String(UNLIKELY_CATEGORY) }]),
    once('a small store', 'create.request-media-type', [{ ...spare, name: 'missing', type: 'text/plain', status: rarestStatus }]),
    once('at the same time', 'create.duplicate-names', [namesake, together(namesake, namesake)]),
    once(
      'the end',
      'list.order',
      times(2, () => LARGEST),
    ),
    once('the end', 'list.paging', [{ op: 'list', limit: 1 }, LARGEST]),
    once('rejected', 'errors.codes', [
      ...lists401,
      { op: 'get', id: '31 bits' },
      ...[
        { name: 'missing', category: 'missing', status: 'none' },
        { shape: 'cut after the opening brace' },
        { shape: 'empty array' },
        { name: '1' },
      ].map((row): Create => ({ ...spare, status: rarestStatus, ...row })),
    ]),
  ];
};

export const open = (kit: Kit): readonly Entry[] => [
  ...lists(kit),
  ...ids(kit),
  ...creations(kit),
  {
    ...{ phase: 'rejected', least: 0, for: ['auth.wrong-scheme', 'auth.scheme-case'] },
    rows: names(SCHEME_CASES).map((credential): List => ({ op: 'list', credential })),
  },
  ...alone(kit),
];
