// What a series of runs says about a target: whether it is down, unknown, or does not serve an operation.

import { SUCCESS_CLAUSES } from '../../oracle/mechanisms.ts';
import type { ProbeVerdict, Sample } from '../sample.ts';
import type { CommonCause } from './cause.ts';

/** Down after this many failures among this many samples; up after this many successes in a row. */
export type AlertRule = { readonly failures: number; readonly window: number; readonly passes: number };
/** The number of consecutive runs without a verdict after which somebody should look at the probe. */
export const UNKNOWN_RULE = 5;

/** Not alerted: for now, or until it is clear whether others share it. */
export type Held = true | 'unclear';

type UnknownRuns = {
  readonly runs: number;
  /** Wall clock in milliseconds. */
  readonly since: number;
  readonly held?: Held;
};

/** The open incident: its identity in alerts (the clause that is broken when it ends may be another one), and whether an alert was sent. */
export type Outage = Pick<Sample, 'note'> & {
  readonly clause: string | null;
  readonly reason: string | null;
  readonly condition?: string;
  /** The rule by which the target is down; missing in states of earlier versions. */
  readonly rule?: AlertRule;
  readonly held?: Held;
};

/** What is stored about a target between samples: small, and the same after a restart. */
export type TargetState = {
  readonly health: 'up' | 'down';
  /** Oldest first, as many as the rule needs; without `unknown` samples, which say nothing about the target. */
  readonly window: readonly boolean[];
  /** The first failure of the window when the target went down, wall clock in milliseconds. */
  readonly downSince?: number;
  /** The first failure in the current window: becomes `downSince`. */
  readonly failingSince?: number;
  /** The name of the open incident in its firing and resolved events. */
  readonly incident?: string;
  readonly outage?: Outage;
  /** Until the next run with a verdict. */
  readonly unknown?: UnknownRuns;
  /** Named as in stored states. */
  readonly unanswered?: Unserved;
  /** Removals that have been announced. */
  readonly announced: readonly string[];
  /** Only in the state of a cause that many targets share. */
  readonly common?: CommonCause;
};

export const FRESH_STATE: TargetState = { health: 'up', window: [], announced: [] };

export type StateChange = 'went-down' | 'came-up' | 'went-unknown' | 'known-again';
export type Transition = { readonly state: TargetState; readonly changes: readonly StateChange[] };

/** Whether there was no verdict for so long that an alert was sent. */
export function isUnknown({ unknown }: TargetState): boolean {
  return unknown !== undefined && unknown.runs >= UNKNOWN_RULE;
}

/** Whether each of the runs that can take the target down has failed. */
export function failuresIn(window: readonly boolean[], rule: AlertRule): readonly boolean[] {
  return window.slice(-rule.window);
}

function trailingPasses(window: readonly boolean[]): number {
  const last = window.lastIndexOf(true);
  return window.length - 1 - last;
}

/** The window before a sample. If runs without a response are now a failure, they count as failures from the first one on. */
function windowBefore({ window }: TargetState, unserved: Unserved, failed: boolean): readonly boolean[] {
  const given = failed && Object.values(unserved).some((runs) => runs >= UNSERVED_RULE);
  return given ? window.map((one, index) => one || index > window.length - UNSERVED_RULE) : window;
}

type Run = Pick<Sample, 'verdict' | 'at' | 'target' | 'responses' | 'clause' | 'reason' | 'note' | 'failures'>;

export function outageOf({ clause, reason, note, failures }: Run, rule: AlertRule): Outage {
  const condition = failures.find((failure) => failure.clause === clause)?.condition;
  return { clause: clause ?? null, reason: reason ?? null, note, ...(condition === undefined ? {} : { condition }), rule };
}

function advanceKnown(state: TargetState, sample: Run, rule: AlertRule): Transition {
  // A degraded service is available.
  const hasFailed = sample.verdict === 'fail';
  const unserved = countUnserved(state.unanswered ?? {}, sample);
  const window = [...windowBefore(state, unserved, hasFailed), hasFailed].slice(-Math.max(rule.window, rule.passes));
  const failingSince = hasFailed ? (state.failingSince ?? sample.at) : window.includes(true) ? state.failingSince : undefined;
  const { failingSince: _failing, unanswered: _unserved, unknown: _unknown, ...kept } = state;
  const next: TargetState = {
    ...kept,
    window,
    ...(failingSince === undefined ? {} : { failingSince }),
    ...(Object.keys(unserved).length === 0 ? {} : { unanswered: unserved }),
  };
  if (state.health === 'up' && failuresIn(window, rule).filter(Boolean).length >= rule.failures) {
    const downSince = failingSince ?? sample.at;
    // Replicas that watch the same target see its failures at different times: their alerts have the same name.
    const incident = `${sample.target}/down`;
    return { state: { ...next, health: 'down', downSince, incident, outage: outageOf(sample, rule) }, changes: ['went-down'] };
  }
  if (state.health === 'down' && trailingPasses(window) >= rule.passes) {
    return { state: withoutOutage(next), changes: ['came-up'] };
  }
  return { state: next, changes: [] };
}

/** Up: the failures of the incident must not count towards the next one. */
function withoutOutage(state: TargetState): TargetState {
  const { incident: _incident, outage: _outage, downSince: _since, failingSince: _failing, ...calm } = state;
  return { ...calm, health: 'up', window: [] };
}

/** The state by a rule that may be new: up, if the target is down by an earlier one and would not be by this one. */
export function applyRule(state: TargetState, rule: AlertRule): TargetState {
  const { health, outage, window } = state;
  if (health !== 'down' || outage?.rule === undefined) return state;
  if (outage.rule.failures === rule.failures && outage.rule.window === rule.window) return state;
  return failuresIn(window, rule).filter(Boolean).length < rule.failures ? withoutOutage(state) : { ...state, outage: { ...outage, rule } };
}

/** The new state after a sample: a pure function, so that a restart or a jump of the clock changes nothing. */
export function advance(state: TargetState, sample: Run, rule: AlertRule): Transition {
  if (sample.verdict === ('unknown' satisfies ProbeVerdict)) {
    const unknown = { since: sample.at, ...state.unknown, runs: (state.unknown?.runs ?? 0) + 1 };
    return { state: { ...state, unknown }, changes: unknown.runs === UNKNOWN_RULE ? ['went-unknown'] : [] };
  }
  const { state: next, changes } = advanceKnown(state, sample, rule);
  return { state: next, changes: isUnknown(state) ? ['known-again', ...changes] : changes };
}

/** Consecutive runs after which an operation that only asks to wait counts as broken. */
const UNSERVED_RULE = 3;

/**
 * Whether a run is the first failure, or the first success after one: repeated soon, it tells whether that stays. Nothing is confirmed
 * by a probe that learned nothing, of a service that asks to wait, or while failing is expected.
 */
export function wantsConfirmation({ window }: TargetState, { verdict, responses, maintenance }: Sample): boolean {
  if (verdict === 'unknown' || maintenance !== undefined || responses.some(({ code }) => POSTPONED.has(code))) return false;
  return (verdict === 'fail') !== (window.at(-1) ?? false);
}

/** By operation: consecutive runs in which it was requested and never served; served operations are not listed. */
type Unserved = Readonly<Record<string, number>>;

const POSTPONED = new Set(['429', '503']);
/**
 * Statuses that say nothing about the operation: a request without a key is rejected before anything is examined, and `none` is a missing
 * response.
 */
const SAYS_NOTHING = new Set(['401', 'none']);

/** An operation that was not requested keeps its count. */
function countUnserved(before: Unserved, { responses }: Pick<Sample, 'responses'>): Unserved {
  const counts: Record<string, number> = { ...before };
  for (const asked of new Set(responses.map(({ operation }) => operation))) {
    const codes = responses.filter(({ operation, count }) => operation === asked && count > 0).map(({ code }) => code);
    const isPutOff = codes.some((code) => POSTPONED.has(code));
    // Rotating checks also request animals that do not exist: their 404 may come from a router in front of the operation.
    const isServed = codes.some((code) => (isPutOff ? code.startsWith('2') : !SAYS_NOTHING.has(code)));
    if (isServed) delete counts[asked];
    else if (isPutOff) counts[asked] = (counts[asked] ?? 0) + 1;
  }
  return counts;
}

/**
 * The sample of a run in which an operation only asked to wait: the service is degraded, and one that has not served it in three runs is
 * broken, however polite its rejections are.
 */
export function failUnserved(sample: Sample, before: Unserved): Sample {
  if (sample.verdict === 'fail' || sample.verdict === 'unknown') return sample;
  const after = countUnserved(before, sample);
  const [longest] = Object.entries(after)
    .filter(([operation, runs]) => runs > (before[operation] ?? 0))
    .sort(([, a], [, b]) => b - a);
  if (longest === undefined) return sample;
  const [operation, runs] = longest;
  const wait = 'the service only asked to wait (429 or 503)';
  if (runs < UNSERVED_RULE) return { ...sample, verdict: 'degraded', note: `${operation} was not served: ${wait}` };
  const clause = Object.entries(SUCCESS_CLAUSES).find(([name]) => name === operation)?.[1];
  return {
    ...sample,
    verdict: 'fail',
    reason: 'status',
    ...(clause === undefined ? {} : { clause }),
    note: `${operation} was not served in ${runs} runs in a row: ${wait}`,
  };
}

/** The same rule for runs on request: earlier runs are kept in memory, by target. */
export function createUnservedWatch(): { judge(sample: Sample): Sample; keep(targets: ReadonlySet<string>): void } {
  const counts = new Map<string, Unserved>();
  return {
    judge(sample) {
      const before = counts.get(sample.target) ?? {};
      counts.set(sample.target, countUnserved(before, sample));
      return failUnserved(sample, before);
    },
    keep(targets) {
      for (const name of counts.keys()) if (!targets.has(name)) counts.delete(name);
    },
  };
}
