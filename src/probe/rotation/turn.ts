import type { CheckId } from '../../clause/clause.ts';
import type { Observation, Verdict } from '../../clause/outcome.ts';
import type { Portion } from '../../session/open-session.ts';
import type { SampleFailure } from '../sample.ts';
import type { RotatingCheck } from './plan.ts';

const DAY = 86_400_000;

/** What is known of one rotating check on one target: its last run. */
export type Turn = {
  readonly check: CheckId;
  /** Wall clock of the last run, milliseconds since 1970. */
  readonly at: number;
  readonly verdict: Verdict;
  /** Requests that it sent. */
  readonly requests: number;
  /** Wall clock of the last run that it passed. */
  readonly passedAt?: number;
  /** What was found, until the check passes again. */
  readonly failure?: SampleFailure;
  /** What the service was seen to do where the document is silent: of this turn alone. */
  readonly observations?: readonly Observation[];
  /** The failure came again when the check was repeated. */
  readonly confirmed: boolean;
  /** The part of the check that was judged last, counted from 0, where the whole is more than a run may send. */
  readonly part?: number;
};

export type Turns = ReadonlyMap<CheckId, Turn>;

/** How much a run may ask beyond the checks of every run. */
export type RotationLimits = {
  /** Requests a run; 0 for no rotation. */
  readonly budget: number;
  /** Whether credentials that are nearly the key may be sent, at most once a day. */
  readonly nearMisses: boolean;
};

/** How full of the planned requests a run is made: a store may need more of them than an ordinary one. */
const FILLED = 0.7;

/** In how many parts, one a run, a check is judged: one, unless its requests are more than a run may send. */
export function partsOf({ requests }: RotatingCheck, budget: number): number {
  return requests <= budget ? 1 : Math.ceil(requests / Math.max(1, FILLED * budget));
}

/** The requests that a check, or a part of it, takes on this target: what it took the last time, else what it takes on an ordinary store. */
export function requestsOf(one: RotatingCheck, turns: Turns, budget: number): number {
  return turns.get(one.check.id)?.requests ?? Math.ceil(one.requests / partsOf(one, budget));
}

/** The part whose turn it is: the same one again after a failure, else the next one. */
export function nextPart(one: RotatingCheck, turns: Turns, budget: number): Portion {
  const of = partsOf(one, budget);
  const { part = of - 1, failure } = turns.get(one.check.id) ?? {};
  return { part: (failure === undefined ? part + 1 : part) % of, of };
}

function isDue({ check, nearMiss }: RotatingCheck, turns: Turns, { nearMisses, now }: RotationLimits & { now: number }): boolean {
  if (!nearMiss) return true;
  const last = turns.get(check.id)?.at;
  return nearMisses && (last === undefined || now - last >= DAY);
}

/** When a check was judged last that only ever was cut short. */
export const NEVER = 0;

/** Failures that were seen once come first, then those that are confirmed, then what was never judged, then what was judged longest ago. */
function rank({ check }: RotatingCheck, turns: Turns): number {
  const turn = turns.get(check.id);
  if (turn?.failure !== undefined) return turn.confirmed ? 1 : 0;
  return turn === undefined || turn.at === NEVER ? 2 : 3;
}

/** The checks in the order in which a run should take them; those that took more than the budget of a run are left out. A pure function. */
export function dueChecks(
  checks: readonly RotatingCheck[],
  turns: Turns,
  limits: RotationLimits & { readonly now: number },
): readonly RotatingCheck[] {
  return checks
    .filter((one) => isDue(one, turns, limits) && requestsOf(one, turns, limits.budget) <= limits.budget)
    .map((one, place) => ({ one, place, rank: rank(one, turns), at: turns.get(one.check.id)?.at ?? 0 }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at || a.place - b.place)
    .map(({ one }) => one);
}

/** How much of what rotates has been judged lately. */
export type Coverage = {
  /** Checks that rotate on this target within its limits. */
  readonly of: number;
  readonly passed: number;
  readonly failing: readonly Turn[];
  readonly notApplicable: number;
  /** Checks that take more requests than a run may send, or credentials that it may not send. */
  readonly leftOut: number;
};

/** The coverage of the last day. A check that does not apply to the service is not one that was missed. */
export function coverageOf(checks: readonly RotatingCheck[], turns: Turns, limits: RotationLimits & { readonly now: number }): Coverage {
  const allowed = checks.filter((one) => (limits.nearMisses || !one.nearMiss) && requestsOf(one, turns, limits.budget) <= limits.budget);
  const known = allowed.flatMap(({ check }) => turns.get(check.id) ?? []);
  const lately = known.filter(({ at }) => limits.now - at < DAY);
  return {
    of: allowed.length,
    passed: known.filter(({ passedAt = 0, failure }) => failure === undefined && limits.now - passedAt < DAY).length,
    failing: known.filter(({ failure }) => failure !== undefined),
    notApplicable: lately.filter(({ verdict }) => verdict === 'not-applicable').length,
    leftOut: checks.length - allowed.length,
  };
}

/** What a rotating check has shown in the last day, as a closed list of words. */
export const ROTATION_STATES = ['passed', 'failing', 'not-applicable', 'not-judged', 'left-out'] as const;

/** The coverage as numbers of checks: together they are all that rotate. */
export function countsOf({ of, passed, failing, notApplicable, leftOut }: Coverage): Record<(typeof ROTATION_STATES)[number], number> {
  return {
    passed,
    failing: failing.length,
    'not-applicable': notApplicable,
    'not-judged': Math.max(0, of - passed - failing.length - notApplicable),
    'left-out': leftOut,
  };
}
