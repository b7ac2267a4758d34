import type { ProbeVerdict, Sample } from '../sample.ts';
import { countUnanswered, UNANSWERED_RULE, type Unanswered } from '../unanswered.ts';

/** Down after so many failures among the last so many samples; up after so many successes in a row. */
export type AlertRule = { readonly failures: number; readonly window: number; readonly passes: number };
/** Runs in a row of which nothing is known after which somebody should look at the probe. */
export const UNKNOWN_RULE = 5;

/** Runs in a row of which nothing is known. */
type UnknownRuns = {
  readonly runs: number /** Wall clock in milliseconds. */;
  readonly since: number /** It became known in a maintenance window: nobody was told. */;
  readonly held?: true;
};

/** Who has taken an incident over; nobody is reminded of it from then on. */
export type Acknowledgment = {
  readonly by: string;
  readonly note: string | null /** Wall clock in milliseconds. */;
  readonly at: number;
};

/** The open incident: what it is told by, as a clause that is broken when it ends is not what it was about, and who knows of it. */
export type Outage = Pick<Sample, 'note'> & {
  readonly clause: string | null;
  readonly reason: string | null;
  /** It began in a maintenance window: nobody was told. */
  readonly held?: true;
  /** Wall clock in milliseconds, the last time. */
  readonly toldAt?: number;
  /** How often it was told again. */
  readonly reminders?: number;
  readonly acknowledged?: Acknowledgment;
};

/** What is remembered of a target between samples: small, and the same after a restart. */
export type TargetState = {
  readonly health: 'up' | 'down';
  /** Oldest first, as many as the rule looks at; `unknown` samples say nothing of the target and are not in it. */
  readonly window: readonly boolean[];
  /** Wall clock in milliseconds of the first failure of the window when the target went down. */
  readonly downSince?: number;
  /** First failure of the present row of the window: becomes `downSince`. */
  readonly failingSince?: number;
  /** Under which the open incident is told, firing and resolved. */
  readonly incident?: string;
  readonly outage?: Outage;
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

/** Whether each of the runs that may take the target down has failed. */
export function failuresIn(window: readonly boolean[], rule: AlertRule): readonly boolean[] {
  return window.slice(-rule.window);
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

/** What the state of a target depends on. */
type Run = Pick<Sample, 'verdict' | 'at' | 'target' | 'responses' | 'clause' | 'reason' | 'note'>;

function advanceKnown(state: TargetState, sample: Run, rule: AlertRule): Transition {
  // A degraded service serves.
  const failed = sample.verdict === 'fail';
  const unanswered = countUnanswered(state.unanswered ?? {}, sample);
  const window = [...windowBefore(state, unanswered, failed), failed].slice(-Math.max(rule.window, rule.passes));
  const failingSince = failed ? (state.failingSince ?? sample.at) : window.includes(true) ? state.failingSince : undefined;
  const { failingSince: _failing, unanswered: _unanswered, unknown: _unknown, ...kept } = state;
  const next: TargetState = {
    ...kept,
    window,
    ...(failingSince === undefined ? {} : { failingSince }),
    ...(Object.keys(unanswered).length === 0 ? {} : { unanswered }),
  };
  if (state.health === 'up' && failuresIn(window, rule).filter(Boolean).length >= rule.failures) {
    const downSince = failingSince ?? sample.at;
    // Replicas that watch one target see its failures at other times: what they tell is told under one name.
    const incident = `${sample.target}/down`;
    const outage = { clause: sample.clause ?? null, reason: sample.reason ?? null, note: sample.note };
    return { state: { ...next, health: 'down', downSince, incident, outage }, changes: ['went-down'] };
  }
  if (state.health === 'down' && trailingPasses(window) >= rule.passes) {
    const { incident: _incident, outage: _outage, downSince: _since, failingSince: _calm, ...calm } = next;
    // The failures of the incident must not count towards the next one.
    return { state: { ...calm, health: 'up', window: [] }, changes: ['came-up'] };
  }
  return { state: next, changes: [] };
}

/** What a sample makes of the state: a pure function, so that a restart or a jump of the clock can change nothing. */
export function advance(state: TargetState, sample: Run, rule: AlertRule): Transition {
  if (sample.verdict === ('unknown' satisfies ProbeVerdict)) {
    const unknown = { since: sample.at, ...state.unknown, runs: (state.unknown?.runs ?? 0) + 1 };
    return { state: { ...state, unknown }, changes: unknown.runs === UNKNOWN_RULE ? ['went-unknown'] : [] };
  }
  const { state: next, changes } = advanceKnown(state, sample, rule);
  return { state: next, changes: isUnknown(state) ? ['known-again', ...changes] : changes };
}
