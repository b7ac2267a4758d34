// What a run of the probe sends: eighteen requests, and then the next rows of an endless plan. None of them writes.

import type { Row } from '../../src/plan/row.ts';
import { createTurns } from '../../src/plan/turns.ts';
import type { Vector } from '../../src/session/rows.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { ABOUT } from './about.ts';
import { entriesOf } from './entries.ts';
import type { Found } from './kit.ts';

/** Lists as clients ask for them, three animals, an id that no animal has, and a request without the API key and with another one for each operation that reads. */
export const SMOKE: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status },
    { op: 'list', status, limit: 100 },
  ]),
  { op: 'list', limit: 1 },
  { op: 'list', limit: 20 },
  ...[0, 1, 2].map((id): Vector => ({ op: 'get', id })),
  { op: 'get', id: '63 bits' },
  { op: 'list', credential: 'none' },
  { op: 'list', credential: 'like the key' },
  { op: 'get', id: 0, credential: 'none' },
  { op: 'get', id: 0, credential: 'like the key' },
];

/** Of a store of which nothing is known: animals are named by their places in the first list, and taken from its start where it is shorter. */
const UNKNOWN: Found = { size: 0, quiet: 'available', known: 24 };

const reads = (row: Row): boolean => {
  const vectors = 'how' in row ? row.rows : [row];
  return vectors.every((vector) => ABOUT.consentsOf(vector).length === 0);
};

/** All rows that only read, those of thorough runs too, without near misses of the API key. */
export const TURNS = createTurns((seed) => {
  const { entries, filled } = entriesOf(UNKNOWN, { seed, isDeep: true });
  return entries.flatMap(({ rows }) => rows.filter(reads)).map(filled);
});

/** Near misses of the API key, for targets whose operators ask for them, once a day. */
export const NEAR_MISS_TURNS = createTurns((seed) => {
  const { entries, filled } = entriesOf(UNKNOWN, { seed, isDeep: true });
  const isNear = (row: Row): boolean => !('how' in row) && ABOUT.consentsOf(row).join() === 'near miss';
  return entries.flatMap(({ rows }) => rows.filter(isNear)).map(filled);
});
