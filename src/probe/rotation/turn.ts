import type { CheckId } from '../../clause/clause.ts';
import type { Observation, Verdict } from '../../clause/outcome.ts';
import type { SampleFailure } from '../sample.ts';
import type { Turning } from './plan.ts';

const DAY = 86_400_000;

/** What is known about one kind of requests on one target: its last turn, and its progress. */
export type Turn = {
  readonly check: CheckId;
  /** Wall clock of the last turn, milliseconds since 1970. */
  readonly at: number;
  readonly verdict: Verdict;
  /** The number of requests that it sent. */
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
  /** Observations about open questions, from this turn alone. */
  readonly observations?: readonly Observation[];
  /** The failure recurred when the same requests were repeated. */
  readonly confirmed: boolean;
};

/** Turns by the ids of their checks. */
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

/** How much of the rotation has been judged lately. */
export type Coverage = {
  /** The number of rotating checks on this target within its limits. */
  readonly of: number;
  readonly passed: number;
  /** Ids of the checks that fail. */
  readonly failing: readonly CheckId[];
  readonly notApplicable: number;
  /** The number of checks that need more requests than a run may send, or credentials that it may not send. */
  readonly leftOut: number;
};

type CheckState = (typeof ROTATION_STATES)[number];

/** What a kind has shown lately. */
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

/** The states of a rotating check in the last day, as a closed list of words. */
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
