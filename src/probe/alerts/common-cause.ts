// A cause that many targets share, such as a lost uplink or a stalled machine: one alert of the probe instead of one for each target.

import type { Sample } from '../sample.ts';
import { hashOf } from '../schedule.ts';
import type { AlertStore } from './alert-store.ts';
import { CAUSES, type Cause, type CommonCause, causeKey, causeOf } from './cause.ts';
import { type AlertEvent, causeEvent, type OtherTargets } from './event.ts';
import { FRESH_STATE, type TargetState } from './target-state.ts';

/** More than a third of the targets, and at least three: of one or two, an alert of their own says more. */
const LEAST_SHARE = 1 / 3;
const LEAST = 3;

export type CommonCausesParts = {
  readonly alertStore: Pick<AlertStore, 'state'>;
  /** Stores a state, and sends events. */
  readonly dispatch: (key: string, reaction: { readonly state: TargetState | undefined; readonly events: readonly AlertEvent[] }) => void;
  /** Wall clock in milliseconds. */
  readonly wall: () => number;
  readonly link: () => string | null;
};

/** A run by the moment of its sample, and its number among the runs of all targets: these are in order even where the clock was set back. */
type NotedRun = { readonly at: number; readonly number: number };

/** The target waits no longer than so many runs of its own until others have had one: theirs may hang. */
const MOST_RUNS_TO_WAIT = 10;

/** What the last runs of all targets have in common, and the alerts about that. */
export class CommonCauses {
  private readonly parts: CommonCausesParts;
  private runs = 0;
  /** The last runs of each target since this process began, the latest last. */
  private readonly noted = new Map<string, readonly NotedRun[]>();
  private readonly sharing: ReadonlyMap<Cause, Set<string>>;
  /** In maintenance, a target may fail for reasons of its own. */
  private readonly excluded = new Set<string>();
  private readonly shown = new Set<Cause>();
  /** With their intervals, in milliseconds. */
  private watched: ReadonlyMap<string, number> = new Map();

  constructor(parts: CommonCausesParts) {
    this.parts = parts;
    // What was common when the process before ended stays so until the runs say otherwise.
    this.sharing = new Map(CAUSES.map((cause) => [cause, new Set(this.openOf(cause)?.targets)]));
  }

  /** The targets from now on; others are forgotten. */
  use(intervals: ReadonlyMap<string, number>): void {
    this.watched = intervals;
    for (const known of [...this.sharing.values(), this.excluded, this.noted])
      for (const name of known.keys()) if (!intervals.has(name)) known.delete(name);
  }

  /** Adds a run; what the others say about it, unless it is about the service itself. */
  note(sample: Sample): OtherTargets | undefined {
    const { target, at } = sample;
    this.runs += 1;
    this.noted.set(target, [...(this.noted.get(target) ?? []), { at, number: this.runs }].slice(-MOST_RUNS_TO_WAIT));
    const cause = sample.maintenance === undefined ? causeOf(sample) : undefined;
    this.include(sample, cause);
    if (cause !== undefined) this.shown.add(cause);
    if (cause === undefined || this.total() < LEAST) return undefined;
    return { isCommon: this.isCommon(cause), mayBeCommon: (since) => this.mayBeCommon(cause, target, since) };
  }

  /** Begins an alert for all that share the cause of a run whose own alert is held for it. */
  begin(sample: Sample, { outage, unknown }: TargetState): void {
    const { dispatch, alertStore, link } = this.parts;
    const cause = causeOf(sample);
    const isHeld = (cause === 'internal' ? unknown?.held : outage?.held) !== undefined;
    if (cause === undefined || !isHeld || sample.maintenance !== undefined || !this.isCommon(cause) || this.openOf(cause) !== undefined)
      return;
    const common = this.describe(cause, sample.at);
    const firing = causeEvent(common, { status: 'firing', at: sample.at, link: link() });
    dispatch(causeKey(cause), { state: { ...FRESH_STATE, common }, events: [firing] });
    // What was not clear is now.
    for (const name of common.targets) {
      const state = alertStore.state(name);
      if (state.outage?.held === 'unclear') dispatch(name, { state: { ...state, outage: { ...state.outage, held: true } }, events: [] });
    }
  }

  /** Ends the alerts whose cause is no longer common. */
  end(): readonly AlertEvent[] {
    const { dispatch, link, wall } = this.parts;
    return CAUSES.flatMap((cause) => {
      const common = this.openOf(cause);
      if (common === undefined || this.isCommon(cause)) return [];
      const left = this.namesOf(cause).size;
      const summary = `${left === 0 ? 'no target has' : `only ${left} of ${this.total()} targets ${left === 1 ? 'has' : 'have'}`} this cause any more`;
      const resolved = causeEvent(common, { status: 'resolved', at: wall(), link: link(), summary });
      dispatch(causeKey(cause), { state: undefined, events: [resolved] });
      return [resolved];
    });
  }

  /** Those with an open alert, as they are now. */
  current(): readonly CommonCause[] {
    return CAUSES.flatMap((cause) => {
      const common = this.openOf(cause);
      return common === undefined ? [] : [{ ...this.describe(cause, common.since), dedupId: common.dedupId }];
    });
  }

  /** The open alerts about causes that runs have shown since the last call. */
  open(): readonly AlertEvent[] {
    const { link, wall } = this.parts;
    const causes = new Set(this.shown);
    this.shown.clear();
    return this.current()
      .filter(({ cause }) => causes.has(cause))
      .map((now) => causeEvent(now, { status: 'firing', at: wall(), link: link() }));
  }

  /** Whether the last run of a target is part of an open alert. */
  has(target: string): boolean {
    return CAUSES.some((cause) => this.openOf(cause) !== undefined && this.namesOf(cause).has(target));
  }

  /** How many targets share a cause with an open alert; 0 without one. */
  count(cause: Cause): number {
    return this.openOf(cause) === undefined ? 0 : this.namesOf(cause).size;
  }

  private openOf(cause: Cause): CommonCause | undefined {
    return this.parts.alertStore.state(causeKey(cause)).common;
  }

  private namesOf(cause: Cause): ReadonlySet<string> {
    return this.sharing.get(cause) ?? new Set();
  }

  private total(): number {
    return this.watched.size - this.excluded.size;
  }

  private isCommon(cause: Cause): boolean {
    return this.isMany(this.namesOf(cause).size);
  }

  private isMany(count: number): boolean {
    return count >= LEAST && count > this.total() * LEAST_SHARE;
  }

  /** Whether it is common if it is shared by those that have had no run since that one of a target, although they have as many. */
  private mayBeCommon(cause: Cause, target: string, since: number): boolean {
    const own = this.noted.get(target) ?? [];
    const first = own.find(({ at }) => at === since);
    if (first === undefined && own.length === MOST_RUNS_TO_WAIT) return false;
    const sharing = this.namesOf(cause);
    // What began before this process did is known of those that it has seen.
    const isOpen = ([name, interval]: readonly [string, number]): boolean =>
      interval <= (this.watched.get(target) ?? 0) &&
      !sharing.has(name) &&
      !this.excluded.has(name) &&
      (this.noted.get(name)?.at(-1)?.number ?? -1) < (first?.number ?? 0);
    return this.isMany(sharing.size + [...this.watched].filter(isOpen).length);
  }

  /** As it is now; replicas that watch the same targets give it the same id. */
  private describe(cause: Cause, since: number): CommonCause {
    const dedupId = `${causeKey(cause)}/${hashOf([...this.watched.keys()].toSorted().join(' ')).toString(36)}`;
    return { cause, since, dedupId, targets: [...this.namesOf(cause)].toSorted(), of: this.total() };
  }

  private include({ target, maintenance }: Sample, own: Cause | undefined): void {
    for (const [cause, names] of this.sharing) {
      if (cause === own) names.add(target);
      else names.delete(target);
    }
    if (maintenance === undefined) this.excluded.delete(target);
    else this.excluded.add(target);
  }
}
