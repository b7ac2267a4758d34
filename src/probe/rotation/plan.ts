import type { CheckId } from '../../clause/clause.ts';
import type { SessionCheck, SessionClause } from '../../oracle/rule.ts';
import { FIRST_ROUND } from './first-round.ts';

/** What takes its turn among the runs of a target: requests of one kind. Those of a long table are sent in several turns. */
export type Turning = {
  readonly clause: SessionClause;
  readonly check: SessionCheck;
  /** About how many requests it sends as a whole, on a store of more than a page, besides those that every run begins with. */
  readonly requests: number;
  /** Rows of its table; 1 for what has none, and is sent as a whole. */
  readonly rows: number;
  /** What one row takes by itself, where that is more: all rows may need the same response before them. */
  readonly alone?: number;
  /** Where the rest of its table comes in the first round, as a place between two kinds: 4.5 is behind the fifth. Behind all of them by default. */
  readonly rest?: number;
  /** With which row a run begins that knows nothing of earlier turns; the first by default. */
  readonly from?: number;
  /** Whether its credentials are one step away from the key. */
  readonly nearMiss: boolean;
};

/** Credentials of these are one step away from the key: to the service they look like somebody who guesses it. */
const NEAR_MISS = /^auth\.wrong-key\/.*near-misses/;

/** What is thought of a kind that was not measured. */
const UNKNOWN = { place: Number.MAX_SAFE_INTEGER, requests: 1, rows: 1 };

/** The first turn of each kind and, where that has a place of its own, the rest of its table. */
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

/** The checks that only read and are not part of every run: those that judge, and those that record what is open. */
export function rotatingChecks(clauses: readonly SessionClause[]): readonly Pick<Turning, 'clause' | 'check'>[] {
  return clauses.flatMap((clause) =>
    clause.checks.filter(({ effect, smoke }) => effect === 'read' && !smoke).map((check) => ({ clause, check })),
  );
}

/** All that takes turns, in the order of the first round. */
export function turning(clauses: readonly SessionClause[]): readonly Turning[] {
  const placed = rotatingChecks(clauses)
    .map((one) => ({ ...one, nearMiss: NEAR_MISS.test(one.check.id), ...measuredOf(one.check.id) }))
    .toSorted((a, b) => a.place - b.place);
  return placed.map(({ place: _place, rest, ...one }) =>
    rest === undefined ? one : { ...one, rest: placed.filter(({ place }) => place < rest).length - 1 / 2 },
  );
}

/** The part of the golden ratio after the point: its multiples never come back to the same place of a circle, and few or many lie evenly on it. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The same, as the run with that number takes them, which knows nothing of others: it begins in the widest gap that the runs before it leave,
 * also in the middle of a table. It does not begin where they would have ended by what was measured: what one of them did not reach, because
 * more requests were needed than that, would be reached by none.
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
