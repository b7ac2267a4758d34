import type { ProbeVerdict, Sample } from '../sample.ts';
import { countUnanswered, UNANSWERED_RULE, type Unanswered } from '../unanswered.ts';

/** Down after so many failures among the last so many samples; up after so many successes in a row. */
export const ALERT_RULE = { failures: 3, window: 5, passes: 2 } as const;
/** Runs in a row of which nothing is known after which somebody should look at the probe. */
export const UNKNOWN_RULE = 5;

/** Runs in a row of which nothing is known. */
type UnknownRuns = { readonly runs: number /** Wall clock in milliseconds. */; readonly since: number };

/** What is remembered of a target between samples: small, and the same after a restart. */
export type TargetState = {
  readonly health: 'up' | 'down';
  /** Oldest first; `unknown` samples say nothing of the target and are not in it. */
  readonly window: readonly boolean[];
  /** Wall clock in milliseconds of the first failure of the window when the target went down. */
  readonly downSince?: number;
  /** First failure of the present row of the window: becomes `downSince`. */
  readonly failingSince?: number;
  /** Under which the open incident is told, firing and resolved. */
  readonly incident?: string;
  /** Until the next run that comes to a verdict. */
  readonly unknown?: UnknownRuns;
  readonly unanswered?: Unanswered;
  /** Removals that were announced already. */
  readonly announced: readonly string[];
};

export const FRESH_STATE: TargetState = { health: 'up', window: [], announced: [] };

export type Change = 'went-down' | 'came-up' | 'went-unknown' | 'known-again';
export type Transition = { readonly state: TargetState; readonly changes: readonly Change[] };

/** Nothing was known of it for so long that it was told. */
export function isUnknown({ unknown }: TargetState): boolean {
  return unknown !== undefined && unknown.runs >= UNKNOWN_RULE;
}

function trailingPasses(window: readonly boolean[]): number {
  const last = window.lastIndexOf(true);
  return window.length - 1 - last;
}

/** The window before a sample. Runs without an answer that come to be a failure have been that failure from the first of them on. */
function windowBefore({ window }: TargetState, unanswered: Unanswered, failed: boolean): readonly boolean[] {
  const given = failed && Object.values(unanswered).some((runs) => runs >= UNANSWERED_RULE);
  return given ? window.map((one, index) => one || index > window.length - UNANSWERED_RULE) : window;
}

function advanceKnown(state: TargetState, sample: Pick<Sample, 'verdict' | 'at' | 'target' | 'responses'>): Transition {
  // A degraded service serves.
  const failed = sample.verdict === 'fail';
  const unanswered = countUnanswered(state.unanswered ?? {}, sample);
  const window = [...windowBefore(state, unanswered, failed), failed].slice(-ALERT_RULE.window);
  const failingSince = failed ? (state.failingSince ?? sample.at) : window.includes(true) ? state.failingSince : undefined;
  const { failingSince: _failing, unanswered: _unanswered, unknown: _unknown, ...kept } = state;
  const next: TargetState = {
    ...kept,
    window,
    ...(failingSince === undefined ? {} : { failingSince }),
    ...(Object.keys(unanswered).length === 0 ? {} : { unanswered }),
  };
  if (state.health === 'up' && window.filter(Boolean).length >= ALERT_RULE.failures) {
    const downSince = failingSince ?? sample.at;
    // Replicas that watch one target see its failures at other times: what they tell is told under one name.
    const incident = `${sample.target}/down`;
    return { state: { ...next, health: 'down', downSince, incident }, changes: ['went-down'] };
  }
  if (state.health === 'down' && trailingPasses(window) >= ALERT_RULE.passes) {
    const { incident: _incident, downSince: _since, failingSince: _calm, ...calm } = next;
    // The failures of the incident must not count towards the next one.
    return { state: { ...calm, health: 'up', window: [] }, changes: ['came-up'] };
  }
  return { state: next, changes: [] };
}

/** What a sample makes of the state: a pure function, so that a restart or a jump of the clock can change nothing. */
export function advance(state: TargetState, sample: Pick<Sample, 'verdict' | 'at' | 'target' | 'responses'>): Transition {
  if (sample.verdict === ('unknown' satisfies ProbeVerdict)) {
    const unknown = { runs: (state.unknown?.runs ?? 0) + 1, since: state.unknown?.since ?? sample.at };
    return { state: { ...state, unknown }, changes: unknown.runs === UNKNOWN_RULE ? ['went-unknown'] : [] };
  }
  const { state: next, changes } = advanceKnown(state, sample);
  return { state: next, changes: isUnknown(state) ? ['known-again', ...changes] : changes };
}
