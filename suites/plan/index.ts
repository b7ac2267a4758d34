// What a run sends.

import type { ClauseId } from '../../src/clause/clause.ts';
import { type OwnClause, withOwnClauses } from '../../src/oracle/own.ts';
import { type Choice, choose, orderByPhase, type Plan, type StoreState } from '../../src/plan/choose.ts';
import { vectorsOf } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { clauses } from '../clauses/index.ts';
import { compose } from '../tables/tables.ts';
import { ROW_EFFECTS } from './effects.ts';
import { entriesOf } from './entries.ts';
import { CLIENT_VALUES } from './kit.ts';
import { checkRows, withOwn } from './own.ts';

/** The first requests: what is there, and what the rest of the plan needs to know. */
export const OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 20 },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.flatMap((status): Vector[] => [
    { op: 'list', status, limit: 100 },
    { op: 'list', status },
  ]),
  ...[0, 1, 2].map((id): Vector => ({ op: 'get', id })),
];

/** Reads of created animals are from all clients in turn. */
const readBack = (id: bigint, number: number): Vector => ({
  op: 'get',
  id: `=${id}`,
  client: CLIENT_VALUES[number % CLIENT_VALUES.length] ?? 'usual',
});

/** The rest of a run, with what these clauses from outside send. The same seed, findings, and choice give the same rows. */
export function planOf(found: StoreState, { seed, ...choice }: Choice & { readonly seed: number }, own: readonly OwnClause[] = []): Plan {
  const { entries, filled, mixed, pairs } = entriesOf(found, { seed, isThorough: choice.isThorough });
  const readsCreatedFor = [...ROW_EFFECTS.readsCreatedFor, ...own.map(({ id }) => id)];
  const chosen = choose(withOwn(entries, own), choice, { ...ROW_EFFECTS, readsCreatedFor, size: found.size });
  const whole = chosen.entries.map((entry) => ({ ...entry, rows: entry.rows.map(filled) }));
  return {
    phases: orderByPhase({ ...chosen, entries: whole }, mixed),
    leftOut: chosen.leftOut,
    creations: chosen.creations,
    pairsIn: pairs.count,
    read: readBack,
  };
}

/** What a run of depth standard sends at most for the sake of a clause, to a service with a few animals. */
export function plannedFor(id: ClauseId): readonly Vector[] {
  const { entries } = entriesOf({ size: 7, rarestStatus: 'sold', known: 7 }, { seed: 1, isThorough: false });
  return entries.flatMap(({ for: clauses = [], isSelectedOnly, rows }) =>
    isSelectedOnly !== true && clauses.includes(id) ? rows.flatMap(vectorsOf) : [],
  );
}

/** What a run of rows takes from the suite: the clauses that judge, and what is sent for them. */
export const SUITE = { clauses, compose, opening: OPENING, planOf } as const;

/**
 * The suite with clauses from outside: what a run takes.
 *
 * @throws OwnClauseError when an id exists already, or one of their rows can't be sent to a service with this API key.
 */
export function suiteWith(own: readonly OwnClause[], { apiKey }: { readonly apiKey: string }) {
  checkRows(own, apiKey);
  return {
    ...SUITE,
    clauses: withOwnClauses(clauses, own),
    planOf: (found: StoreState, choice: Choice & { readonly seed: number }): Plan => planOf(found, choice, own),
  };
}
