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

/** What the last runs of all targets have in common, and the alerts about that. */
export type CommonCauses = {
  /** The targets from now on; others are forgotten. */
  use(names: ReadonlySet<string>): void;
  /** Adds a run; what the others say about it, unless it is about the service itself. */
  note(sample: Sample, interval: number): Others | undefined;
  /** Begins an alert for all that share the cause of a run whose own alert is held for it. */
  begin(sample: Sample, state: TargetState): void;
  /** Ends the alerts whose cause is no longer common. */
  end(): readonly AlertEvent[];
  /** Those with an open alert, as they are now. */
  current(): readonly CommonCause[];
  /** The open alerts about causes that runs have shown since the last call. */
  open(): readonly AlertEvent[];
  /** Whether the last run of a target is part of an open alert. */
  has(target: string): boolean;
  /** How many targets share a cause with an open alert; 0 without one. */
  count(cause: Cause): number;
};

/** The fraction of an interval in which the other targets show whether they share a cause: a run may be a moment early. */
const MOST_OF_AN_INTERVAL = 0.9;

export function createCommonCauses({ ledger, dispatch, wall, link }: CommonCausesParts): CommonCauses {
  const startedAt = wall();
  const openOf = (cause: Cause): CommonCause | undefined => ledger.state(causeKey(cause)).common;
  /** What was common when the process before ended stays so until the runs say otherwise. */
  const sharing = new Map(CAUSES.map((cause) => [cause, new Set(openOf(cause)?.targets)] as const));
  /** In maintenance, a target may fail for reasons of its own. */
  const excluded = new Set<string>();
  const shown = new Set<Cause>();
  let watched: ReadonlySet<string> = new Set();

  const namesOf = (cause: Cause): ReadonlySet<string> => sharing.get(cause) ?? new Set();
  const total = (): number => watched.size - excluded.size;

  function isCommon(cause: Cause): boolean {
    const count = namesOf(cause).size;
    return count >= LEAST && count > total() * SHARE;
  }

  /** As it is now; replicas that watch the same targets give it the same id. */
  function describe(cause: Cause, since: number): CommonCause {
    const dedupId = `${causeKey(cause)}/${hashOf([...watched].toSorted().join(' ')).toString(36)}`;
    return { cause, since, dedupId, targets: [...namesOf(cause)].toSorted(), of: total() };
  }

  function current(): readonly CommonCause[] {
    return CAUSES.flatMap((cause) => {
      const common = openOf(cause);
      return common === undefined ? [] : [{ ...describe(cause, common.since), dedupId: common.dedupId }];
    });
  }

  function include({ target, maintenance }: Sample, own: Cause | undefined): void {
    for (const [cause, names] of sharing) {
      if (cause === own) names.add(target);
      else names.delete(target);
    }
    if (maintenance === undefined) excluded.delete(target);
    else excluded.add(target);
  }

  return {
    use(names) {
      watched = names;
      for (const set of [...sharing.values(), excluded]) for (const name of set) if (!names.has(name)) set.delete(name);
    },
    note(sample, interval) {
      const cause = sample.maintenance === undefined ? causeOf(sample) : undefined;
      include(sample, cause);
      if (cause !== undefined) shown.add(cause);
      if (cause === undefined || total() < LEAST) return undefined;
      return { isCommon: isCommon(cause), knownSince: startedAt, within: interval * MOST_OF_AN_INTERVAL };
    },
    begin(sample, { outage, unknown }) {
      const cause = causeOf(sample);
      const isHeld = (cause === 'internal' ? unknown?.held : outage?.held) !== undefined;
      if (cause === undefined || !isHeld || sample.maintenance !== undefined || !isCommon(cause) || openOf(cause) !== undefined) return;
      const common = describe(cause, sample.at);
      const firing = causeEvent(common, { status: 'firing', at: sample.at, link: link() });
      dispatch(causeKey(cause), { state: { ...FRESH_STATE, common }, events: [firing] });
      // What was not clear is now.
      for (const name of common.targets) {
        const state = ledger.state(name);
        if (state.outage?.held === 'unclear') dispatch(name, { state: { ...state, outage: { ...state.outage, held: true } }, events: [] });
      }
    },
    end() {
      return CAUSES.flatMap((cause) => {
        const common = openOf(cause);
        if (common === undefined || isCommon(cause)) return [];
        const left = namesOf(cause).size;
        const summary = `${left === 0 ? 'no target has' : `only ${left} of ${total()} targets ${left === 1 ? 'has' : 'have'}`} this cause any more`;
        const resolved = causeEvent(common, { status: 'resolved', at: wall(), link: link(), summary });
        dispatch(causeKey(cause), { state: undefined, events: [resolved] });
        return [resolved];
      });
    },
    current,
    open() {
      const causes = new Set(shown);
      shown.clear();
      return current()
        .filter(({ cause }) => causes.has(cause))
        .map((now) => causeEvent(now, { status: 'firing', at: wall(), link: link() }));
    },
    has: (target) => CAUSES.some((cause) => openOf(cause) !== undefined && namesOf(cause).has(target)),
    count: (cause) => (openOf(cause) === undefined ? 0 : namesOf(cause).size),
  };
}
