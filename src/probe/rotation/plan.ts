import type { CheckId } from '../../clause/clause.ts';
import type { SessionCheck, SessionClause } from '../../oracle/rule.ts';
import { FIRST_ROUND } from './first-round.ts';

/** A rotating kind of requests: takes its turn among the runs of a target. Those of a long table are sent in several turns. */
export type Turning = {
  readonly clause: SessionClause;
  readonly check: SessionCheck;
  /** The approximate number of requests that it sends as a whole, on a store of more than a page, in addition to those of every run. */
  readonly requests: number;
  /** The number of rows of its table; 1 if it has none, and is sent as a whole. */
  readonly rows: number;
  /** The number of requests of a single row, if that is more: all rows may need the same response before them. */
  readonly alone?: number;
  /**
   * Where the rest of its table comes in the first round, as a place between two kinds: 4.5 is after the fifth. After all of them by
   * default.
   */
  readonly rest?: number;
  /** The first row of a run that knows nothing about earlier turns; the first one by default. */
  readonly from?: number;
  /** Whether its credentials are one edit away from the key. */
  readonly nearMiss: boolean;
};

/** Kinds whose credentials are one edit away from the key: to the service they look like an attempt to guess it. */
const NEAR_MISS = /^auth\.wrong-key\/.*near-misses/;

/** The assumption about a kind that was not measured. */
const UNKNOWN = { place: Number.MAX_SAFE_INTEGER, requests: 1, rows: 1 };

/** The first turn of each kind and, if that has its own place, the rest of its table. */
const PLACED = Map.groupBy(
  FIRST_ROUND.map((entry, place) => ({ entry, place })),
  ({ entry: [id] }) => id,
);

function measuredOf(id: CheckId): Pick<Turning, 'requests' | 'rows' | 'alone' | 'rest'> & { readonly place: number } {
  const [first, rest] = PLACED.get(id) ?? [];
  if (first === undefined) return UNKNOWN;
  const [, requests, rows, alone = requests / rows] = first.entry;
  return { place: first.place, requests, rows, alone, ...(rest === undefined ? {} : { rest: rest.place }) };
}

/** The checks that only read and are not part of every run: those that judge, and those that record open questions. */
export function rotatingChecks(clauses: readonly SessionClause[]): readonly Pick<Turning, 'clause' | 'check'>[] {
  return clauses.flatMap((clause) =>
    clause.checks.filter(({ effect, smoke }) => effect === 'read' && !smoke).map((check) => ({ clause, check })),
  );
}

/** All rotating kinds, in the order of the first round. */
export function turning(clauses: readonly SessionClause[]): readonly Turning[] {
  const placed = rotatingChecks(clauses)
    .map((one) => ({ ...one, nearMiss: NEAR_MISS.test(one.check.id), ...measuredOf(one.check.id) }))
    .toSorted((a, b) => a.place - b.place);
  return placed.map(({ place: _place, rest, ...one }) =>
    rest === undefined ? one : { ...one, rest: placed.filter(({ place }) => place < rest).length - 1 / 2 },
  );
}

/**
 * The fractional part of the golden ratio: its multiples never return to the same place of a circle, and are evenly distributed whether few
 * or many.
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The same for the run with that number, which knows nothing about others: it begins in the widest gap that the runs before it leave, also
 * in the middle of a table. It does not begin where they should have ended according to the measurements: if one of them needed more
 * requests, no run would reach the rest.
 */
export function turningOfRun(run: number, budget: number, all: readonly Turning[]): readonly Turning[] {
  const fitting = all.filter(({ requests, rows }) => requests <= budget * rows);
  let before = ((run * GOLDEN) % 1) * fitting.reduce((sum, { requests }) => sum + requests, 0);
  const place = fitting.findIndex(({ requests }) => {
    before -= requests;
    return before < 0;
  });
  const first = fitting[place];
  if (first === undefined) return fitting;
  const from = Math.floor((1 + before / first.requests) * first.rows);
  return [{ ...first, from }, ...fitting.slice(place + 1), ...fitting.slice(0, place), ...(from === 0 ? [] : [first])];
}
