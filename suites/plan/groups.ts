// Requests whose order or company matters.

import type { Entry, Row } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { type Create, type Get, inTurn, type Kit, type List, times, together } from './kit.ts';

const spare: Create = { op: 'create' };
const newest: Get = { op: 'get', id: -1 };

/** No service chooses them by itself, and six in a row are no coincidence. */
const STATUSES_IN_TURN = ['sold', 'pending', 'sold', 'pending', 'sold', 'pending'] as const;
const CREDENTIALS = ['valid', 'none', 'like the key'];

/** What a plain creation follows directly: lanes that send at the same time leave that to chance. */
const BEFORE: readonly Vector[] = [
  { op: 'list', status: 'available' },
  { op: 'list', limit: 5 },
  { op: 'get', id: 0 },
  { op: 'get', id: 'after the newest' },
  // It begins as the key does.
  { op: 'list', credential: 'equals sign at the end' },
];

/** No row has this number, so that its name is free. */
const FREE_NUMBER = 90_000;

function afterEachOther({ rarestStatus, otherStatuses: [first = 'sold', second = 'pending'] }: Kit): readonly Row[] {
  const mistakes: readonly Omit<Create, 'op'>[] = [
    { category: 'string of digits' },
    { shape: 'cut in the name' },
    { name: '42' },
    { members: 'literal that is cut off' },
  ];
  const rejected: readonly Omit<Create, 'op'>[] = [{ status: '"unknown"' }, { name: '42' }, { category: 'missing' }];
  return [
    inTurn(
      { op: 'get', id: 'after the newest' },
      ...STATUSES_IN_TURN.flatMap((status): Vector[] => [{ ...spare, status }, newest, spare, newest]),
      ...times(2 * STATUSES_IN_TURN.length, (index): Get => ({ op: 'get', id: -1 - index })),
    ),
    inTurn(...STATUSES_IN_TURN.flatMap((status): Vector[] => [{ ...spare, status, name: 'missing' }, spare, newest])),
    inTurn(...times(2, (): Create[] => [spare, { ...spare, name: 'missing' }, spare, { ...spare, category: 'string of digits' }]).flat()),
    inTurn(
      // As users do it, who keep the name and correct the mistake.
      ...mistakes.flatMap((mistake, index): Create[] => [
        { ...spare, status: rarestStatus, name: FREE_NUMBER + index, ...mistake },
        { ...spare, status: first, name: FREE_NUMBER + index },
      ]),
    ),
    ...rejected.map((mistake, index) =>
      inTurn({ ...spare, status: [first, second][index % 2] ?? first }, newest, newest, { ...spare, ...mistake }, newest),
    ),
    inTurn(...times(7, (): Create => ({ ...spare, space: 'before the body', name: 'missing' })), spare),
  ];
}

function atOnce({ create, otherStatuses, rarestStatus }: Kit): readonly Row[] {
  const statuses = ['none', ...PET_STATUSES];
  // The same list from as many instances as there may be, before and after creations.
  const lists = together(...times(8, (): List => ({ op: 'list', status: rarestStatus, limit: 100 })));
  return [
    lists,
    // In two pieces: all connections are there, and all bodies have begun, before the first one ends.
    ...[2, 4, 8, 16].map((width) =>
      together(
        ...times(width, (index) =>
          create({
            status: statuses[index % 4] ?? 'none',
            framing: 'divided',
            ...(width === 8 ? { category: CATEGORIES[index % 2] ?? 'accepted' } : {}),
          }),
        ),
      ),
    ),
    together(
      ...times(
        8,
        (index): Create =>
          index % 2 === 0
            ? { ...spare, status: otherStatuses[0] ?? 'sold' }
            : { ...spare, status: rarestStatus, ...(index % 4 === 1 ? { name: 'missing' } : { credential: 'none' }) },
      ),
    ),
    together({ ...spare, name: 'namesake' }, { ...spare, name: 'namesake' }),
    lists,
  ];
}

/** Of animals that are created at the same time: one that the service accepts, and another one. */
const CATEGORIES = ['accepted', '130'];

const statusAt = (index: number): string => PET_STATUSES[index % PET_STATUSES.length] ?? 'sold';
const credentialAt = (index: number): string => CREDENTIALS[index % CREDENTIALS.length] ?? 'valid';

const READS_AT_ONCE: readonly Row[] = [
  together(...times(12, (index): List => ({ op: 'list', limit: 4, credential: credentialAt(index) }))),
  together(...times(12, (index): Get => ({ op: 'get', id: 0, credential: credentialAt(index) }))),
  together(...times(12, (index): List => ({ op: 'list', limit: index + 1 }))),
  together(...times(12, (index): List => ({ op: 'list', limit: 100, status: statusAt(index) }))),
  together(...times(16, (index): Get => ({ op: 'get', id: index }))),
  together(...times(16, (index): Vector => (index % 2 === 0 ? { op: 'get', id: index } : { op: 'list', limit: index + 2 }))),
  together(...times(12, (index): Vector => (index % 3 === 0 ? spare : { op: 'list', limit: 100 }))),
];

export const groups = (kit: Kit): readonly Entry[] => [
  { phase: 'one after the other', for: ['create.independent', 'create.refused-stores-nothing', 'get.durable'], rows: afterEachOther(kit) },
  {
    phase: 'one after the other',
    least: 0,
    for: ['create.success'],
    rows: BEFORE.map((before) => inTurn(before, { ...spare, status: kit.rarestStatus })),
  },
  { phase: 'at the same time', for: ['create.independent', 'create.id-assigned'], rows: atOnce(kit) },
  {
    phase: 'at the same time',
    for: ['get.identity', 'errors.no-server-error', 'auth.every-request', 'list.limit-maximum'],
    rows: READS_AT_ONCE,
  },
];
