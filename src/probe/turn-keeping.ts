// Which turn each target has next: what is kept between its runs, in memory and in the history.

import type { ClauseId } from '../clause/clause.ts';
import { ORDERS } from '../plan/turns.ts';
import type { SampleFailure } from './failure.ts';
import { hashOf } from './schedule.ts';
import type { AskedTurn, ProbeResult } from './turn.ts';
import {
  coverageIn,
  type FailingRow,
  nextTurn,
  standingIn,
  startOf,
  stateAfter,
  type TurnAllowance,
  type TurnCoverage,
  type TurnLimits,
  type TurnPlan,
  type TurnState,
  turnAlone,
} from './turn-state.ts';
import type { TurnStore } from './turn-table.ts';

export type TurnTarget = TurnAllowance & { readonly name: string };

export type TurnKeepingParts = {
  /** The plan of a selection. */
  readonly planOf: (only?: ReadonlySet<ClauseId>) => TurnPlan;
  readonly history: TurnStore & { readonly onSetAside: (keepAnew: () => void) => void };
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

const MINUTE = 60_000;

export type TurnKeeping = {
  /** The turn of the next run; undefined without a budget. */
  next(target: TurnTarget): AskedTurn | undefined;
  /** The turn of a run that knows nothing of others: the minute is its number. It has no near misses, because nobody knows when the last ones were. */
  alone(target: TurnTarget): AskedTurn | undefined;
  /** Keeps the results of a turn, with what the run said about each broken clause. */
  keep(target: TurnTarget, turn: AskedTurn, came: Pick<ProbeResult, 'sent'> & { readonly failures: readonly SampleFailure[] }): void;
  /** Failures that are confirmed, and that the last run did not send again. */
  standing(target: TurnTarget, sent: Pick<ProbeResult['sent'], 'failing' | 'passed'>): readonly FailingRow[];
  coverage(target: TurnTarget): TurnCoverage;
};

/** The turn of a run that knows nothing of others, but which of them it is; undefined without a budget. */
export const aloneAs = (run: number, limits: TurnLimits, plan: TurnPlan): AskedTurn | undefined =>
  limits.budget === 0 ? undefined : { ...limits, planned: turnAlone(run, limits, plan) };

export function createTurnKeeping({ planOf, history, wall }: TurnKeepingParts): TurnKeeping {
  const plans = new Map<string, TurnPlan>();
  const known = new Map<string, TurnState>();
  /** Of targets whose states in the file can't be read. */
  const unwritten = new Map<string, TurnState>();

  history.onSetAside(() => {
    for (const [target, state] of known) history.keepTurnState(target, state);
  });

  /** Most targets select everything, and the others share a few selections. */
  function planFor({ only }: TurnTarget): TurnPlan {
    const key = only === undefined ? '' : [...only].toSorted().join();
    const plan = plans.get(key) ?? planOf(only);
    plans.set(key, plan);
    return plan;
  }

  /** While the file can't be read, nothing is written over what it has: a target goes on in memory until then. */
  function stateOf(target: TurnTarget): { readonly state: TurnState; readonly isRead: boolean } {
    const { name } = target;
    const kept = known.get(name) ?? history.turnState(name);
    const isKept = kept !== undefined && kept !== 'none';
    const state = isKept ? kept : (unwritten.get(name) ?? startOf(planFor(target), hashOf(name) % ORDERS));
    if (kept !== undefined) {
      known.set(name, state);
      unwritten.delete(name);
    }
    return { isRead: kept !== undefined, state };
  }

  return {
    next(target) {
      const limits = { budget: target.budget, nearMisses: target.nearMisses, now: wall() };
      return target.budget === 0 ? undefined : { ...limits, planned: nextTurn(stateOf(target).state, limits, planFor(target)) };
    },
    alone(target) {
      const limits = { budget: target.budget, nearMisses: false, now: wall() };
      return aloneAs(Math.floor(limits.now / MINUTE), limits, planFor(target));
    },
    keep(target, { planned, ...limits }, { sent, failures }) {
      const { state, isRead } = stateOf(target);
      const withFailure = (one: FailingRow): FailingRow => {
        const failure = failures.find(({ clause }) => clause === one.clause);
        return failure === undefined ? one : { ...one, failure };
      };
      const failing = sent.failing.map(withFailure);
      const after = stateAfter(state, { planned, sent: { ...sent, failing }, limits, plan: planFor(target) });
      if (isRead) {
        known.set(target.name, after);
        history.keepTurnState(target.name, after);
      } else unwritten.set(target.name, after);
    },
    standing(target, { failing, passed }) {
      const isSettled = (one: FailingRow): boolean => passed.includes(one) || failing.some(({ clause }) => clause === one.clause);
      const all = standingIn(stateOf(target).state, target, planFor(target));
      return all.filter((one) => one.confirmed && !isSettled(one));
    },
    coverage: (target) => coverageIn(stateOf(target).state, { ...target, now: wall() }, planFor(target)),
  };
}
