// What a run of the probe sends: eighteen requests, and then the next rows of an endless plan. None of them writes.

import type { Found, Plan } from '../../src/plan/choose.ts';
import { type Row, vectorsOf } from '../../src/plan/row.ts';
import { createTurns } from '../../src/plan/turns.ts';
import type { Vector } from '../../src/session/rows.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { ABOUT } from './about.ts';
import { entriesOf } from './entries.ts';

/** What is there, as clients ask for it. */
export const SMOKE_OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status },
    { op: 'list', status, limit: 100 },
  ]),
  { op: 'list', limit: 1 },
  { op: 'list', limit: 20 },
];

/** Three animals at the same moment, an id that no animal has, and requests without the API key and with another one. */
const SMOKE_ROWS: readonly Row[] = [
  { how: 'together', rows: [0, 1, 2].map((id): Vector => ({ op: 'get', id })) },
  { op: 'get', id: '63 bits' },
  { op: 'list', credential: 'none' },
  { op: 'list', credential: 'like the key' },
  { op: 'get', id: 0, credential: 'none' },
  { op: 'get', id: 0, credential: 'like the key' },
];

/** A run of the probe: its eighteen requests, and those of a turn. */
export function probePlan(turn: readonly Row[]): Plan {
  const phases = [{ title: 'what is there', isInOrder: true, rows: [...SMOKE_ROWS, ...turn] }] as const;
  return { phases, leftOut: [], pairsIn: () => ({ met: 0, of: 0 }), read: (id) => ({ op: 'get', id: `=${id}` }) };
}

/** Of a store of which nothing is known: animals are named by their places in the first list, and taken from its start where it is shorter. */
const UNKNOWN: Found = { size: 0, quiet: 'available', known: 24 };

const consentsOf = (row: Row): readonly string[] => vectorsOf(row).flatMap((vector) => ABOUT.consentsOf(vector));

/** All rows of thorough runs, too, that take this consent and no other. */
const roundsOf = (consent: string) =>
  createTurns((seed) => {
    const { entries, filled } = entriesOf(UNKNOWN, { seed, isDeep: true });
    return entries.flatMap(({ rows }) => rows.filter((row) => [...new Set(consentsOf(row))].join() === consent)).map(filled);
  });

/** All rows that only read. */
export const TURNS = roundsOf('');

/** Near misses of the API key, for targets whose operators ask for them, once a day. */
export const NEAR_MISS_TURNS = roundsOf('near miss');
