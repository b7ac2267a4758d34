// Which requests take turns, in which order, and how much of them a target has been asked lately.

import type { CheckId } from '../../clause/clause.ts';
import type { Observation, Verdict } from '../../clause/outcome.ts';
import type { SessionCheck, SessionClause } from '../../oracle/world.ts';
import { GOLDEN } from '../../session/numbers.ts';
import type { SampleFailure } from '../failure.ts';
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

const DAY = 86_400_000;

/** Of one kind of requests on one target. */
export type Turn = {
  readonly check: CheckId;
  /** Wall clock of the last turn, milliseconds since 1970. */
  readonly at: number;
  readonly verdict: Verdict;
  readonly requests: number;
  /** The number of rows that it sent; 1 without a table. */
  readonly rows?: number;
  /** The row with which the next turn begins; the first by default. */
  readonly next?: number;
  /** When the rows of the next turn had their last one; `NEVER` for rows that were not judged yet. */
  readonly due?: number;
  /** When the first row had its turn. */
  readonly begun?: number | undefined;
  /** The same, if all rows have been correct since then. */
  readonly since?: number | undefined;
  /** When the first row had its turn in the last round that passed completely. */
  readonly passedAt?: number | undefined;
  /** What was found, until it passes. */
  readonly failure?: SampleFailure;
  readonly observations?: readonly Observation[];
  /** The failure recurred when the same requests were repeated. */
  readonly confirmed: boolean;
};

export type Turns = ReadonlyMap<CheckId, Turn>;

/** How much a run may send beyond the checks of every run. */
export type RotationLimits = {
  /** Requests per run; 0 for no rotation. */
  readonly budget: number;
  /** Whether credentials that nearly equal the key may be sent, at most once a day. */
  readonly nearMisses: boolean;
};

/** The assumed minimum number of requests of a row: those that share a request may already have the response. */
const LEAST = 1;

/** The requests of a single row, and of each further one, on an ordinary store: the first includes what all of them need. */
function rowsOf({ requests, rows, alone = requests / rows }: Turning): { readonly alone: number; readonly further: number } {
  return { alone, further: rows === 1 ? alone : Math.max(0, requests - alone) / (rows - 1) };
}

/** The same on this target, according to its last turn. */
function rowsOn(one: Turning, turns: Turns): ReturnType<typeof rowsOf> {
  const { alone, further } = rowsOf(one);
  const turn = turns.get(one.check.id);
  if (turn === undefined) return { alone, further };
  const scale = turn.requests / (alone + ((turn.rows ?? 1) - 1) * further);
  return { alone: scale * alone, further: scale * further };
}

/** The requests of a single row, or of a kind without a table, on this target: as in the last turn, or else as on an ordinary store. */
export const requestsOfRow = (one: Turning, turns: Turns): number => rowsOn(one, turns).alone;

/** The estimated number of rows for that many requests. */
const rowsWithin = (requests: number, { alone, further }: ReturnType<typeof rowsOf>): number =>
  Math.max(1, 1 + Math.floor((requests - Math.max(alone, LEAST)) / Math.max(further, LEAST)));

/**
 * Whether a run may begin it. A turn that took more than a whole budget may be due to a bad day of the service, and is begun again a day
 * later.
 */
function fits(one: Turning, turns: Turns, { budget, now }: RotationLimits & { now: number }): boolean {
  if (requestsOfRow(one, turns) <= budget) return true;
  const last = turns.get(one.check.id)?.at;
  return one.requests / one.rows <= budget && last !== undefined && now - last >= DAY;
}

/** Near misses are sent only if they are allowed, and each of them at most once a day. */
function isDue({ check, nearMiss }: Turning, turns: Turns, { nearMisses, now }: RotationLimits & { now: number }): boolean {
  if (!nearMiss) return true;
  const { at = 0, next = 0, failure } = turns.get(check.id) ?? {};
  return nearMisses && ((next > 0 && failure === undefined) || now - at >= DAY);
}

/** The time of the last turn of what was not judged yet. */
export const NEVER = 0;

/** When the rows of the next turn had their last one. */
const dueSince = ({ due, at }: Turn): number => due ?? at;

/** How many rows of the first turn of a table the end of a run has cut off; 0 if none. */
function rowsCutOff(one: Turning, turns: Turns, perTurn: number): number {
  const turn = turns.get(one.check.id);
  if (turn === undefined || turn.failure !== undefined || dueSince(turn) !== NEVER) return 0;
  return Math.max(0, Math.min(one.rows, rowsWithin(perTurn, rowsOf(one))) - (turn.next ?? 0));
}

/**
 * How many rows a turn takes with that many requests left. A first turn that was cut off is only completed. The last few rows of a table
 * are added if they fit: in a separate turn they would need again what all rows need.
 */
export function rowsOfTurn(one: Turning, turns: Turns, { perTurn, left }: { readonly perTurn: number; readonly left: number }): number {
  const { alone, further } = rowsOn(one, turns);
  const fitting = rowsWithin(Math.min(perTurn, left), { alone, further });
  const most = Math.min(fitting, rowsCutOff(one, turns, perTurn) || fitting);
  const rest = one.rows - (turns.get(one.check.id)?.next ?? one.from ?? 0);
  const isCheap = (rest - most) * further <= alone - further && alone + (rest - 1) * further <= left;
  return rest > most && isCheap ? rest : most;
}

type Order = { readonly rank: number; readonly due: number; readonly at: number; readonly place: number };

/**
 * Failures that were seen once come first, then confirmed ones, then what was never judged, then what was judged longest ago. A first turn
 * that the end of a run has cut off keeps its place: otherwise its rows would come when all kinds have had a turn, some twenty runs later,
 * after kinds that find less.
 */
function orderOf(one: Turning, place: number, { turns, perTurn }: { readonly turns: Turns; readonly perTurn: number }): Order {
  const turn = turns.get(one.check.id);
  if (turn === undefined) return { rank: 2, due: NEVER, at: NEVER, place };
  const due = dueSince(turn);
  if (turn.failure !== undefined) return { rank: turn.confirmed ? 1 : 0, due, at: turn.at, place };
  if (due !== NEVER) return { rank: 3, due, at: turn.at, place };
  if (rowsCutOff(one, turns, perTurn) > 0) return { rank: 2, due, at: NEVER, place };
  return one.rest === undefined ? { rank: 2, due, at: turn.at, place } : { rank: 2, due, at: NEVER, place: one.rest };
}

/** The kinds in the order in which a run should take them; one that took more than the budget of a run waits for a day. A pure function. */
export function dueKinds(
  all: readonly Turning[],
  turns: Turns,
  limits: RotationLimits & { readonly now: number; readonly perTurn?: number },
): readonly Turning[] {
  const { perTurn = limits.budget } = limits;
  return all
    .map((one, place) => ({ one, ...orderOf(one, place, { turns, perTurn }) }))
    .filter(({ one }) => isDue(one, turns, limits) && fits(one, turns, limits))
    .sort((a, b) => a.rank - b.rank || a.due - b.due || a.at - b.at || a.place - b.place)
    .map(({ one }) => one);
}

export type Coverage = {
  /** Rotating checks on this target within its limits. */
  readonly of: number;
  readonly passed: number;
  /** Ids of the checks that fail. */
  readonly failing: readonly CheckId[];
  readonly notApplicable: number;
  /** Checks that need more requests than a run may send, or credentials that it may not send. */
  readonly leftOut: number;
};

type CheckState = (typeof ROTATION_STATES)[number];

function stateOf(one: Turning, turns: Turns, { budget, nearMisses, now }: RotationLimits & { now: number }): CheckState {
  if ((one.nearMiss && !nearMisses) || requestsOfRow(one, turns) > budget) return 'left-out';
  const turn = turns.get(one.check.id);
  if (turn?.failure !== undefined) return 'failing';
  if (turn?.passedAt !== undefined && now - turn.passedAt < DAY) return 'passed';
  return turn?.verdict === 'not-applicable' && now - turn.at < DAY ? 'not-applicable' : 'not-judged';
}

/** The coverage of the last day: a check has passed if all rows of its table have. A not-applicable check does not count as missed. */
export function coverageOf(all: readonly Turning[], turns: Turns, limits: RotationLimits & { readonly now: number }): Coverage {
  const judging = all.filter(({ clause }) => clause.level !== 'open');
  const states = judging.map((one) => ({ id: one.check.id, state: stateOf(one, turns, limits) }));
  const inState = (wanted: CheckState): readonly CheckId[] => states.flatMap(({ id, state }) => (state === wanted ? [id] : []));
  const leftOut = inState('left-out').length;
  return {
    of: states.length - leftOut,
    passed: inState('passed').length,
    failing: inState('failing'),
    notApplicable: inState('not-applicable').length,
    leftOut,
  };
}

export const ROTATION_STATES = ['passed', 'failing', 'not-applicable', 'not-judged', 'left-out'] as const;

/** The coverage as numbers of checks, whose sum is the number of rotating checks. */
export function countsOf({ of, passed, failing, notApplicable, leftOut }: Coverage): Record<CheckState, number> {
  return {
    passed,
    failing: failing.length,
    'not-applicable': notApplicable,
    'not-judged': Math.max(0, of - passed - failing.length - notApplicable),
    'left-out': leftOut,
  };
}
