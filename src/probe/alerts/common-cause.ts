// A cause that many targets share, such as a lost uplink or a stalled machine: one alert of the probe instead of one for each target.

import type { Sample } from '../sample.ts';
import { hashOf } from '../schedule.ts';
import { CAUSES, type Cause, type CommonCause, causeKey, causeOf } from './cause.ts';
import { type AlertEvent, causeEvent, type Others } from './event.ts';
import type { AlertLedger } from './ledger.ts';
import { FRESH_STATE, type TargetState } from './target-state.ts';

/** More than a third of the targets, and at least three: of one or two, an alert of their own says more. */
const SHARE = 1 / 3;
const LEAST = 3;

export type CommonCausesParts = {
  readonly ledger: Pick<AlertLedger, 'state'>;
  /** Stores a state, and sends events. */
  readonly dispatch: (key: string, reaction: { readonly state: TargetState | undefined; readonly events: readonly AlertEvent[] }) => void;
  /** Wall clock in milliseconds. */
  readonly wall: () => number;
  readonly link: () => string | null;
};

/** The fraction of an interval in which the other targets show whether they share a cause: a run may be a moment early. */
const MOST_OF_AN_INTERVAL = 0.9;

/** What the last runs of all targets have in common, and the alerts about that. */
export class CommonCauses {
  private readonly parts: CommonCausesParts;
  private readonly startedAt: number;
  private readonly sharing: ReadonlyMap<Cause, Set<string>>;
  /** In maintenance, a target may fail for reasons of its own. */
  private readonly excluded = new Set<string>();
  private readonly shown = new Set<Cause>();
  private watched: ReadonlySet<string> = new Set();

  constructor(parts: CommonCausesParts) {
    this.parts = parts;
    this.startedAt = parts.wall();
    // What was common when the process before ended stays so until the runs say otherwise.
    this.sharing = new Map(CAUSES.map((cause) => [cause, new Set(this.openOf(cause)?.targets)]));
  }

  /** The targets from now on; others are forgotten. */
  use(names: ReadonlySet<string>): void {
    this.watched = names;
    for (const set of [...this.sharing.values(), this.excluded]) for (const name of set) if (!names.has(name)) set.delete(name);
  }

  /** Adds a run; what the others say about it, unless it is about the service itself. */
  note(sample: Sample, interval: number): Others | undefined {
    const cause = sample.maintenance === undefined ? causeOf(sample) : undefined;
    this.include(sample, cause);
    if (cause !== undefined) this.shown.add(cause);
    if (cause === undefined || this.total() < LEAST) return undefined;
    return { isCommon: this.isCommon(cause), knownSince: this.startedAt, within: interval * MOST_OF_AN_INTERVAL };
  }

  /** Begins an alert for all that share the cause of a run whose own alert is held for it. */
  begin(sample: Sample, { outage, unknown }: TargetState): void {
    const { dispatch, ledger, link } = this.parts;
    const cause = causeOf(sample);
    const isHeld = (cause === 'internal' ? unknown?.held : outage?.held) !== undefined;
    if (cause === undefined || !isHeld || sample.maintenance !== undefined || !this.isCommon(cause) || this.openOf(cause) !== undefined)
      return;
    const common = this.describe(cause, sample.at);
    const firing = causeEvent(common, { status: 'firing', at: sample.at, link: link() });
    dispatch(causeKey(cause), { state: { ...FRESH_STATE, common }, events: [firing] });
    // What was not clear is now.
    for (const name of common.targets) {
      const state = ledger.state(name);
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
    return this.parts.ledger.state(causeKey(cause)).common;
  }

  private namesOf(cause: Cause): ReadonlySet<string> {
    return this.sharing.get(cause) ?? new Set();
  }

  private total(): number {
    return this.watched.size - this.excluded.size;
  }

  private isCommon(cause: Cause): boolean {
    const count = this.namesOf(cause).size;
    return count >= LEAST && count > this.total() * SHARE;
  }

  /** As it is now; replicas that watch the same targets give it the same id. */
  private describe(cause: Cause, since: number): CommonCause {
    const dedupId = `${causeKey(cause)}/${hashOf([...this.watched].toSorted().join(' ')).toString(36)}`;
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
