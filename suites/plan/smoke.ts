// What a run of the probe sends: eighteen requests, and then the next rows of an endless plan. None of them writes.

import type { CatalogClauseId, ClauseId } from '../../src/clause/clause.ts';
import { type OwnClause, withOwnClauses } from '../../src/oracle/own.ts';
import type { Plan, StoreState } from '../../src/plan/choose.ts';
import { EndlessPlan } from '../../src/plan/endless-plan.ts';
import { shuffle } from '../../src/plan/fill.ts';
import { type Entry, isGroup, type Row, vectorsOf } from '../../src/plan/row.ts';
import { createRandom } from '../../src/session/numbers.ts';
import type { Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { clauses } from '../clauses/index.ts';
import { compose } from '../tables/tables.ts';
import { ROW_EFFECTS } from './effects.ts';
import { entriesOf } from './entries.ts';
import { inTurn } from './kit.ts';
import { checkRows, withOwn } from './own.ts';

/** What is there, as clients ask for it. */
export const SMOKE_OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status },
    { op: 'list', status, limit: 100 },
  ]),
  { op: 'list', limit: 1 },
];

/** The places of an animal of each status, and of others where there is none of it. */
function placesOf({ firstOf = {} }: StoreState): readonly number[] {
  const found = PET_STATUSES.flatMap((status) => firstOf[status] ?? []);
  const others = PET_STATUSES.map((_status, place) => place).filter((place) => !found.includes(place));
  return [...found, ...others].slice(0, PET_STATUSES.length);
}

/** An id that no animal has, requests without the API key and with another one, and at the end a list, animals, and a list without the key. */
export const smokeRows = (found: StoreState): readonly Row[] => [
  { op: 'get', id: '63 bits' },
  { op: 'list', credential: 'like the key' },
  { op: 'get', credential: 'like the key' },
  { op: 'get', credential: 'none' },
  { op: 'list', limit: 20 },
  ...placesOf(found).map((id): Vector => ({ op: 'get', id })),
  { op: 'list', credential: 'none' },
];

/** What a run of the probe sends before its turn. */
export function smokePlan(found: StoreState): Plan {
  const phases = [{ title: 'what is there', isInOrder: true, isLast: true, rows: smokeRows(found) }] as const;
  return { phases, leftOut: [], pairsIn: () => ({ met: 0, of: 0 }), read: (id) => ({ op: 'get', id: `=${id}` }) };
}

/** Of a store of which nothing is known: animals are named by their places in the first list, and taken from its start where it is shorter. */
const UNKNOWN_STORE: StoreState = { size: 0, rarestStatus: 'available', known: 24 };

const consentsOf = (row: Row): readonly string[] => vectorsOf(row).flatMap((vector) => ROW_EFFECTS.consentsOf(vector));

/** The first rows of each entry, then the same share of each: the first turns meet something of everything. */
function byWorth(entries: readonly Entry[], mixed: <Item>(items: readonly Item[]) => readonly Item[]): readonly Row[] {
  const placed = entries.flatMap(({ rows, least = 1 }) => {
    const inOrder = [...rows.slice(0, least), ...mixed(rows.slice(least))];
    return inOrder.map((row, place) => ({ row, share: place < least ? 0 : (place + 1) / rows.length }));
  });
  return mixed(placed)
    .toSorted((one, other) => one.share - other.share)
    .map(({ row }) => row);
}

/** Animals that no list has shown, next to one that lists show: a list between two reads has to show them. A run of the gate knows those that it created. */
const NEXT_TO_IT = ['next', 'next but one', 'before', 'after the newest'].map((id): Vector => ({ op: 'get', id }));
const UNLISTED: Entry = {
  ...{ phase: 'what is there', for: ['list.complete', 'list.filter-complete'] },
  rows: [inTurn(...NEXT_TO_IT, { op: 'list', limit: 100 }, ...NEXT_TO_IT)],
};

/** What is sent in each run, or is there more than once because a run of the gate looks several times, is left out. */
function once(rows: readonly Row[]): readonly Row[] {
  const known = new Set([...SMOKE_OPENING, ...smokeRows(UNKNOWN_STORE)].map((row) => JSON.stringify(row)));
  return rows.filter((row) => {
    const text = JSON.stringify(row);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}

/** Of so many rows, one is on a connection of its own if it may be: a connection costs a production service more than a request. */
const ROWS_PER_CONNECTION = 8;

/** The row on a kept connection, unless it is its turn. */
function withFewConnections(row: Row, place: number): Row {
  if (isGroup(row) || place % ROWS_PER_CONNECTION === 0) return row;
  const { connection: _connection, ...rest } = row;
  return rest as Row;
}

/** All rows of thorough runs, too, that take this consent and no other; of selected clauses, those that are sent for their sake. */
const roundsOf = (consent: string, { only, own = [] }: TurnChoice): EndlessPlan =>
  new EndlessPlan((seed) => {
    const { entries, filled } = entriesOf(UNKNOWN_STORE, { seed, isThorough: true });
    const random = createRandom(seed);
    const isOwn = new Set<Row>(own.flatMap(({ rows }) => rows));
    const chosen = withOwn([UNLISTED, ...entries], own)
      .filter((entry) => only === undefined || entry.for?.some((id) => only.has(id)) === true)
      .map((entry) => ({ ...entry, rows: entry.rows.filter((row) => [...new Set(consentsOf(row))].join() === consent) }));
    return once(
      byWorth(chosen, (items) => shuffle(items, random))
        .map(filled)
        .map((row, place) => (isOwn.has(row) ? row : withFewConnections(row, place))),
    );
  });

/** Rows that only read, and near misses of the API key: for targets whose operators ask for them, once a day. */
export type ProbeTurns = { readonly reads: EndlessPlan; readonly nearMisses: EndlessPlan };

/** The clauses that are judged, all without it; and clauses from outside, whose requests that only read have their turn, too. */
export type TurnChoice = { readonly only?: ReadonlySet<ClauseId> | undefined; readonly own?: readonly OwnClause[] };

/** Orders are composed when they are first needed, and kept. */
export const turnsOf = (choice: TurnChoice = {}): ProbeTurns => ({
  reads: roundsOf('', choice),
  nearMisses: roundsOf('near miss', choice),
});

/** The clauses on which the requests of every run reach a verdict: those that a run without a turn is about. */
export const SMOKE_CLAUSES: readonly CatalogClauseId[] = [
  ...([
    'versioning.base-path',
    'auth.challenge',
    'auth.every-request',
    'auth.missing-credential',
    'auth.valid-key',
    'auth.wrong-key',
  ] as const),
  ...(['list.complete', 'list.filter-complete', 'list.filter-with-limit', 'list.limit-accepted', 'list.limit-default'] as const),
  ...(['list.limit-maximum', 'list.status-accepted', 'list.status-filter', 'list.success', 'list.unique'] as const),
  ...(['get.agrees-with-list', 'get.identity', 'get.not-found', 'get.success'] as const),
  ...(['deprecation.announced', 'deprecation.date-agrees', 'deprecation.headers-well-formed', 'deprecation.replacement'] as const),
  ...(['deprecation.still-works', 'errors.answers', 'errors.no-server-error', 'errors.shape', 'errors.status-agrees'] as const),
  ...(['media.json', 'media.transport', 'media.well-formed', 'record.pet', 'record.pets'] as const),
];

/** What a run of the probe takes from the suite. */
export const PROBE = { clauses, compose, opening: SMOKE_OPENING, planOf: smokePlan, consentsOf: ROW_EFFECTS.consentsOf } as const;

/** The catalog with clauses from outside: the same array for each run. */
export const catalogWith = oncePerObject((own: readonly OwnClause[]) => (own.length === 0 ? clauses : withOwnClauses(clauses, own)));

/**
 * The probe with clauses from outside.
 *
 * @throws OwnClauseError as `suiteWith` does.
 */
export function probeWith(own: readonly OwnClause[], { apiKey }: { readonly apiKey: string }) {
  checkRows(own, apiKey);
  return { ...PROBE, clauses: catalogWith(own) };
}
