import type { CheckId } from '../../clause/clause.ts';
import type { Observation, Verdict } from '../../clause/outcome.ts';
import type { Portion } from '../../session/open-session.ts';
import type { SampleFailure } from '../sample.ts';
import type { Slice } from './slice.ts';

const DAY = 86_400_000;

/** What is known of one slice on one target: its last run. */
export type Turn = {
  readonly check: CheckId;
  /** Which part of the check; the whole of it by default. */
  readonly portion?: Portion;
  /** Wall clock of the last run, milliseconds since 1970. */
  readonly at: number;
  readonly verdict: Verdict;
  /** Requests that it sent. */
  readonly requests: number;
  /** Wall clock of the last run that it passed. */
  readonly passedAt?: number;
  /** What was found, until the slice passes again. */
  readonly failure?: SampleFailure;
  /** What the service was seen to do where the document is silent: of this turn alone. */
  readonly observations?: readonly Observation[];
  /** The failure came again when the slice was repeated. */
  readonly confirmed: boolean;
};

/** Turns by the keys of their slices. */
export type Turns = ReadonlyMap<string, Turn>;

/** What a turn is kept under. A check as a whole goes by its own id, so that what is known of it does not depend on how others are cut. */
export function keyOf({ check, portion = { part: 0, of: 1 } }: Pick<Turn, 'check' | 'portion'>): string {
  return portion.of === 1 ? check : `${check} ${portion.part + 1}/${portion.of}`;
}

/** How much a run may ask beyond the checks of every run. */
export type RotationLimits = {
  /** Requests a run; 0 for no rotation. */
  readonly budget: number;
  /** Whether credentials that are nearly the key may be sent, at most once a day. */
  readonly nearMisses: boolean;
};

/** The requests of a slice on this target: what it took the last time, else what it takes on an ordinary store. */
export function requestsOf({ key, requests }: Slice, turns: Turns): number {
  return turns.get(key)?.requests ?? requests;
}

/** Whether a run may begin it. What took more than a whole budget may have met a bad day of the service, and is begun again a day later. */
function fits(one: Slice, turns: Turns, { budget, now }: RotationLimits & { now: number }): boolean {
  if (requestsOf(one, turns) <= budget) return true;
  const last = turns.get(one.key)?.at;
  return one.requests <= budget && last !== undefined && now - last >= DAY;
}

function isDue({ key, nearMiss }: Slice, turns: Turns, { nearMisses, now }: RotationLimits & { now: number }): boolean {
  if (!nearMiss) return true;
  const last = turns.get(key)?.at;
  return nearMisses && (last === undefined || now - last >= DAY);
}

/** When a slice was judged last that only ever was cut short. */
export const NEVER = 0;

/** Failures that were seen once come first, then those that are confirmed, then what was never judged, then what was judged longest ago. */
function rank({ key }: Slice, turns: Turns): number {
  const turn = turns.get(key);
  if (turn?.failure !== undefined) return turn.confirmed ? 1 : 0;
  return turn === undefined || turn.at === NEVER ? 2 : 3;
}

/** The checks of which a slice fails: the others wait until it passes, so that what is known to be broken takes no more requests than it must. */
export function failingChecks(turns: Iterable<Turn>): ReadonlySet<CheckId> {
  return new Set([...turns].filter(({ failure }) => failure !== undefined).map(({ check }) => check));
}

/** The slices in the order in which a run should take them; those that took more than the budget of a run wait for a day. A pure function. */
export function dueSlices(slices: readonly Slice[], turns: Turns, limits: RotationLimits & { readonly now: number }): readonly Slice[] {
  const failing = failingChecks(turns.values());
  const isNext = ({ key, check }: Slice): boolean => !failing.has(check.id) || turns.get(key)?.failure !== undefined;
  return slices
    .filter((one) => isNext(one) && isDue(one, turns, limits) && fits(one, turns, limits))
    .map((one, place) => ({ one, place, rank: rank(one, turns), at: turns.get(one.key)?.at ?? 0 }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at || a.place - b.place)
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

/** What all slices of a check have shown together. */
function stateOf(slices: readonly Slice[], turns: Turns, { budget, nearMisses, now }: RotationLimits & { now: number }): CheckState {
  if (slices.some((one) => (one.nearMiss && !nearMisses) || requestsOf(one, turns) > budget)) return 'left-out';
  const known = slices.map(({ key }) => turns.get(key));
  if (known.some((turn) => turn?.failure !== undefined)) return 'failing';
  const passed = known.filter((turn) => now - (turn?.passedAt ?? Number.NEGATIVE_INFINITY) < DAY).length;
  const inapplicable = known.filter((turn) => turn?.verdict === 'not-applicable' && now - turn.at < DAY).length;
  if (passed + inapplicable < known.length) return 'not-judged';
  return passed > 0 ? 'passed' : 'not-applicable';
}

/** The coverage of the last day: a check has passed when all of its slices have. One that does not apply to the service is not one that was missed. */
export function coverageOf(slices: readonly Slice[], turns: Turns, limits: RotationLimits & { readonly now: number }): Coverage {
  const judging = Map.groupBy(
    slices.filter(({ clause }) => clause.level !== 'open'),
    ({ check }) => check.id,
  );
  const states = [...judging].map(([id, own]) => ({ id, state: stateOf(own, turns, limits) }));
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
