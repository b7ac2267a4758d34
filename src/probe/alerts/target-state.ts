import type { ProbeVerdict, Sample } from '../sample.ts';

/** Down after so many failures among the last so many samples; up after so many successes in a row. */
export const ALERT_RULE = { failures: 3, window: 5, passes: 2 } as const;

/** What is remembered of a target between samples: small, and the same after a restart. */
export type TargetState = {
  readonly health: 'up' | 'down';
  /** Oldest first; `unknown` samples say nothing of the target and are not in it. */
  readonly window: readonly boolean[];
  /** Wall clock in milliseconds of the first failure of the window when the target went down. */
  readonly downSince?: number;
  /** First failure of the present row of the window: becomes `downSince`. */
  readonly failingSince?: number;
  /** Id of the incident that is open. */
  readonly incident?: string;
  /** Removals that were announced already. */
  readonly announced: readonly string[];
};

export const FRESH_STATE: TargetState = { health: 'up', window: [], announced: [] };

export type Transition = { readonly state: TargetState; readonly change: 'none' | 'went-down' | 'came-up' };

/** A degraded service serves. */
function isFailure(verdict: ProbeVerdict): boolean {
  return verdict === 'fail';
}

function trailingPasses(window: readonly boolean[]): number {
  const last = window.lastIndexOf(true);
  return window.length - 1 - last;
}

/** What a sample makes of the state: a pure function, so that a restart or a jump of the clock can change nothing. */
export function advance(state: TargetState, sample: Pick<Sample, 'verdict' | 'at' | 'target'>): Transition {
  if (sample.verdict === 'unknown') return { state, change: 'none' };
  const failed = isFailure(sample.verdict);
  const window = [...state.window, failed].slice(-ALERT_RULE.window);
  const failingSince = failed ? (state.failingSince ?? sample.at) : window.includes(true) ? state.failingSince : undefined;
  const { failingSince: _dropped, ...kept } = state;
  const next: TargetState = { ...kept, window, ...(failingSince === undefined ? {} : { failingSince }) };
  if (state.health === 'up' && window.filter(Boolean).length >= ALERT_RULE.failures) {
    const downSince = failingSince ?? sample.at;
    return {
      state: { ...next, health: 'down', downSince, incident: `${sample.target}/${new Date(downSince).toISOString()}` },
      change: 'went-down',
    };
  }
  if (state.health === 'down' && trailingPasses(window) >= ALERT_RULE.passes) {
    const { incident: _incident, downSince: _since, failingSince: _failing, ...calm } = next;
    // The failures of the incident must not count towards the next one.
    return { state: { ...calm, health: 'up', window: [] }, change: 'came-up' };
  }
  return { state: next, change: 'none' };
}
