// Which turn each target has next: what is kept between its runs, in memory and in the history.

import type { ClauseId } from '../clause/clause.ts';
import { ORDERS } from '../plan/endless-plan.ts';
import type { SampleFailure } from './failure.ts';
import { hashOf } from './schedule.ts';
import type { AskedTurn, ProbeResult } from './turn.ts';
import {
  clearableFailures,
  coverageIn,
  type FailingRow,
  nextTurn,
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

/** What a turn sent, and what its run said about each broken clause. */
type SentTurn = Pick<ProbeResult, 'sent'> & { readonly failures: readonly SampleFailure[] };

/** The turn of a run that knows nothing of others, but which of them it is; undefined without a budget. */
export const turnOfSingleRun = (run: number, limits: TurnLimits, plan: TurnPlan): AskedTurn | undefined =>
  limits.budget === 0 ? undefined : { ...limits, planned: turnAlone(run, limits, plan) };

export class TurnKeeping {
  private readonly parts: TurnKeepingParts;
  private readonly plans = new Map<string, TurnPlan>();
  private readonly known = new Map<string, TurnState>();
  /** Of targets whose states in the file can't be read. */
  private readonly unwritten = new Map<string, TurnState>();

  constructor(parts: TurnKeepingParts) {
    const { history } = parts;
    this.parts = parts;
    history.onSetAside(() => {
      for (const [target, state] of this.known) history.keepTurnState(target, state);
    });
  }

  /** The turn of the next run; undefined without a budget. */
  next(target: TurnTarget): AskedTurn | undefined {
    const limits = { budget: target.budget, nearMisses: target.nearMisses, now: this.parts.wall() };
    return target.budget === 0 ? undefined : { ...limits, planned: nextTurn(this.stateOf(target).state, limits, this.planFor(target)) };
  }

  /** The turn of a run that knows nothing of others: the minute is its number. It has no near misses, because nobody knows when the last ones were. */
  alone(target: TurnTarget): AskedTurn | undefined {
    const limits = { budget: target.budget, nearMisses: false, now: this.parts.wall() };
    return turnOfSingleRun(Math.floor(limits.now / MINUTE), limits, this.planFor(target));
  }

  /** Keeps the results of a turn. */
  keep(target: TurnTarget, { planned, ...limits }: AskedTurn, { sent, failures }: SentTurn): void {
    const { state, isRead } = this.stateOf(target);
    const withFailure = (one: FailingRow): FailingRow => {
      const failure = failures.find(({ clause }) => clause === one.clause);
      return failure === undefined ? one : { ...one, failure };
    };
    const failing = sent.failing.map(withFailure);
    const after = stateAfter(state, { planned, sent: { ...sent, failing }, limits, plan: this.planFor(target) });
    if (isRead) {
      this.known.set(target.name, after);
      this.parts.history.keepTurnState(target.name, after);
    } else this.unwritten.set(target.name, after);
  }

  /** Failures that are confirmed, and that the last run did not send again. */
  failuresNotAsked(target: TurnTarget, { failing, passed }: Pick<ProbeResult['sent'], 'failing' | 'passed'>): readonly FailingRow[] {
    const isSettled = (one: FailingRow): boolean => passed.includes(one) || failing.some(({ clause }) => clause === one.clause);
    const all = clearableFailures(this.stateOf(target).state, target, this.planFor(target));
    return all.filter((one) => one.confirmed && !isSettled(one));
  }

  coverage(target: TurnTarget): TurnCoverage {
    return coverageIn(this.stateOf(target).state, { ...target, now: this.parts.wall() }, this.planFor(target));
  }

  /** Most targets select everything, and the others share a few selections. */
  private planFor({ only }: TurnTarget): TurnPlan {
    const key = only === undefined ? '' : [...only].toSorted().join();
    const plan = this.plans.get(key) ?? this.parts.planOf(only);
    this.plans.set(key, plan);
    return plan;
  }

  /** While the file can't be read, nothing is written over what it has: a target goes on in memory until then. */
  private stateOf(target: TurnTarget): { readonly state: TurnState; readonly isRead: boolean } {
    const { known, unwritten } = this;
    const { name } = target;
    const kept = known.get(name) ?? this.parts.history.turnState(name);
    const isKept = kept !== undefined && kept !== 'none';
    const state = isKept ? kept : (unwritten.get(name) ?? startOf(this.planFor(target), hashOf(name) % ORDERS));
    if (kept !== undefined) {
      known.set(name, state);
      unwritten.delete(name);
    }
    return { isRead: kept !== undefined, state };
  }
}
