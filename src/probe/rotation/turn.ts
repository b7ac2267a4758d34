import type { CheckId } from '../../clause/clause.ts';
import type { Observation, Verdict } from '../../clause/outcome.ts';
import type { SampleFailure } from '../sample.ts';
import type { Turning } from './plan.ts';

const DAY = 86_400_000;

/** What is known of one kind of requests on one target: its last turn, and how far it has come. */
export type Turn = {
  readonly check: CheckId;
  /** Wall clock of the last turn, milliseconds since 1970. */
  readonly at: number;
  readonly verdict: Verdict;
  /** Requests that it sent. */
  readonly requests: number;
  /** Rows that they were of; 1 for what has no table. */
  readonly rows?: number;
  /** The row with which the next turn begins; the first by default. */
  readonly next?: number;
  /** When the rows of the next turn had their last one; `NEVER` for what was not judged yet. */
  readonly due?: number;
  /** When the first row had its turn. */
  readonly begun?: number | undefined;
  /** The same, if none of the rows has been judged otherwise than right since then. */
  readonly since?: number | undefined;
  /** When the first row had its turn the last time that all of them passed. */
  readonly passedAt?: number | undefined;
  /** What was found, until it passes again. */
  readonly failure?: SampleFailure;
  /** What the service was seen to do where the document is silent: of this turn alone. */
  readonly observations?: readonly Observation[];
  /** The failure came again when the same was sent again. */
  readonly confirmed: boolean;
};

/** Turns by the ids of their checks. */
export type Turns = ReadonlyMap<CheckId, Turn>;

/** How much a run may ask beyond the checks of every run. */
export type RotationLimits = {
  /** Requests a run; 0 for no rotation. */
  readonly budget: number;
  /** Whether credentials that are nearly the key may be sent, at most once a day. */
  readonly nearMisses: boolean;
};

/** The fewest requests that a row is thought to take: some are already known to those that ask for them. */
const LEAST = 1;

/** What one row takes by itself, and each further one, on an ordinary store: the first brings what all of them need. */
function rowsOf({ requests, rows, alone = requests / rows }: Turning): { readonly alone: number; readonly further: number } {
  return { alone, further: rows === 1 ? alone : Math.max(0, requests - alone) / (rows - 1) };
}

/** The same on this target, by what its last turn took. */
function rowsOn(one: Turning, turns: Turns): ReturnType<typeof rowsOf> {
  const { alone, further } = rowsOf(one);
  const turn = turns.get(one.check.id);
  if (turn === undefined) return { alone, further };
  const scale = turn.requests / (alone + ((turn.rows ?? 1) - 1) * further);
  return { alone: scale * alone, further: scale * further };
}

/** The requests of a row by itself, or of what has no table, on this target: what it took the last time, else what it takes on an ordinary store. */
export const requestsOfRow = (one: Turning, turns: Turns): number => rowsOn(one, turns).alone;

/** How many rows so many requests are thought to be enough for. */
const rowsWithin = (requests: number, { alone, further }: ReturnType<typeof rowsOf>): number =>
  Math.max(1, 1 + Math.floor((requests - Math.max(alone, LEAST)) / Math.max(further, LEAST)));

/** Whether a run may begin it. What took more than a whole budget may have met a bad day of the service, and is begun again a day later. */
function fits(one: Turning, turns: Turns, { budget, now }: RotationLimits & { now: number }): boolean {
  if (requestsOfRow(one, turns) <= budget) return true;
  const last = turns.get(one.check.id)?.at;
  return one.requests / one.rows <= budget && last !== undefined && now - last >= DAY;
}

/** Near misses are sent where they are wanted, and each of them at most once a day. */
function isDue({ check, nearMiss }: Turning, turns: Turns, { nearMisses, now }: RotationLimits & { now: number }): boolean {
  if (!nearMiss) return true;
  const { at = 0, next = 0, failure } = turns.get(check.id) ?? {};
  return nearMisses && ((next > 0 && failure === undefined) || now - at >= DAY);
}

/** When something was judged last that was not judged yet. */
export const NEVER = 0;

/** When the rows whose turn is next had their last one. */
const dueSince = ({ due, at }: Turn): number => due ?? at;

/** How many rows of the first turn of a table the end of a run has cut off; 0 for none. */
function rowsCutOff(one: Turning, turns: Turns, perTurn: number): number {
  const turn = turns.get(one.check.id);
  if (turn === undefined || turn.failure !== undefined || dueSince(turn) !== NEVER) return 0;
  return Math.max(0, Math.min(one.rows, rowsWithin(perTurn, rowsOf(one))) - (turn.next ?? 0));
}

/**
 * How many rows a turn takes for which so many requests are left. A first turn that was cut is completed, no more. The last few rows of a table are
 * sent along where that is left: in a turn of their own they would need what all rows need once more.
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
 * Failures that were seen once come first, then those that are confirmed, then what was never judged, then what was judged longest ago. A first turn
 * that the end of a run has cut keeps its place: its rows would come when all kinds had a turn, some twenty runs later, behind kinds that find less.
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

/** The kinds in the order in which a run should take them; what took more than the budget of a run waits for a day. A pure function. */
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

/** How much of what rotates has been judged lately. */
export type Coverage = {
  /** Checks that rotate on this target within its limits. */
  readonly of: number;
  readonly passed: number;
  /** Ids of the checks that fail. */
  readonly failing: readonly CheckId[];
  readonly notApplicable: number;
  /** Checks that take more requests than a run may send, or credentials that it may not send. */
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

/** The coverage of the last day: a check has passed when all rows of its table have. One that does not apply to the service is not one that was missed. */
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

/** What a rotating check has shown in the last day, as a closed list of words. */
export const ROTATION_STATES = ['passed', 'failing', 'not-applicable', 'not-judged', 'left-out'] as const;

/** The coverage as numbers of checks: together they are all that rotate. */
export function countsOf({ of, passed, failing, notApplicable, leftOut }: Coverage): Record<CheckState, number> {
  return {
    passed,
    failing: failing.length,
    'not-applicable': notApplicable,
    'not-judged': Math.max(0, of - passed - failing.length - notApplicable),
    'left-out': leftOut,
  };
}
