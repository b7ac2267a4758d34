// What is shown to people, and how it is put together.

import type { CommonCause } from './alerts/cause.ts';
import type { CommonCauses } from './alerts/common-cause.ts';
import type { AlertEvent } from './alerts/event.ts';
import type { Maintenance, MaintenanceWindow } from './alerts/maintenance.ts';
import type { TargetState } from './alerts/target-state.ts';
import type { Change } from './changes/change.ts';
import type { Changes } from './changes/changes.ts';
import type { Clock } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import type { SampleFailure } from './failure.ts';
import type { LastFailure, PastRun } from './history.ts';
import type { ProbeVerdict, Sample } from './sample.ts';
import type { MonitorStorage } from './storage.ts';
import type { Target } from './target.ts';
import type { TurnCoverage } from './turn-state.ts';

export type TargetView = {
  readonly target: Pick<Target, 'name' | 'baseUrl'>;
  readonly state: TargetState;
  /** Undefined before the first run of this process. */
  readonly last: Sample | undefined;
  /** Since when its health is what it is, wall clock; undefined before the first run. */
  readonly since: number | undefined;
  readonly coverage: TurnCoverage;
  /** Newest first. */
  readonly changes: () => readonly Change[];
  /** Newest first, of the last day. These are read on demand, because a page shows a hundred of thousands of targets. */
  readonly runs: (most: number) => readonly PastRun[];
  readonly failedRuns: (most: number) => readonly PastRun[];
  /** Of the last day, or before. */
  readonly lastFailure: () => LastFailure | undefined;
  readonly maintenance?: MaintenanceWindow | undefined;
};

export type MonitorView = {
  readonly version: string;
  /** Wall clock, milliseconds. */
  readonly now: number;
  readonly startedAt: number;
  readonly targets: readonly TargetView[];
  readonly alerts: readonly AlertEvent[];
  /** What many targets share, with one alert for all of them. */
  readonly causes: readonly CommonCause[];
  /** Of all targets, newest first. */
  readonly changes: readonly Change[];
  /** Current windows and those of the next week, the earliest first. */
  readonly maintenance: readonly MaintenanceWindow[];
  readonly problems: readonly string[];
};

export const HEALTH = ['up', 'degraded', 'down', 'unknown', 'maintenance'] as const;
export type Health = (typeof HEALTH)[number];

/** Advised clauses that the last run found broken and that leave the target healthy. */
export function warningsOf({ last }: Pick<TargetView, 'last'>): readonly SampleFailure[] {
  return last?.verdict === 'pass' ? last.failures : [];
}

/** What the last run found broken if it was not healthy. Findings of a broken probe are not failures of the target. */
export function failuresOf({ last }: Pick<TargetView, 'last'>): readonly SampleFailure[] {
  return last === undefined || last.verdict === 'pass' || last.verdict === 'unknown' ? [] : last.failures;
}

/** What a person wants to know first. A single failure is not "down", and neither is a broken probe. */
export function healthOf({ state, last, maintenance }: Pick<TargetView, 'state' | 'last' | 'maintenance'>): Health {
  if (maintenance !== undefined) return 'maintenance';
  if (last === undefined || last.verdict === 'unknown') return state.health === 'down' ? 'down' : 'unknown';
  if (state.health === 'down') return 'down';
  return last.verdict === 'pass' ? 'up' : 'degraded';
}

/** The verdict of the last run that had one, and the first of the runs in a row with it, wall clock. */
export type VerdictSince = { readonly verdict: ProbeVerdict; readonly at: number };

/** Since when the health of a target is what it is. */
function sinceOf({
  state,
  last,
  maintenance,
  verdictSince,
}: Pick<TargetView, 'state' | 'last' | 'maintenance'> & { readonly verdictSince: number | undefined }): number | undefined {
  const health = healthOf({ state, last, maintenance });
  switch (health) {
    case 'maintenance':
      return maintenance?.from;
    case 'down':
      return state.downSince;
    case 'unknown':
      return state.unknown?.since;
    case 'degraded':
    case 'up':
      return verdictSince;
    default:
      return health satisfies never;
  }
}

const KEPT = 2_000;
const ALERTS_SHOWN = 20;
const CHANGES_SHOWN = 50;

export type ViewSource = {
  readonly clock: Clock;
  readonly version: string;
  readonly storage: MonitorStorage;
  readonly config: () => MonitorConfig;
  readonly last: ReadonlyMap<string, Sample>;
  readonly since: ReadonlyMap<string, VerdictSince>;
  readonly coverage: (target: Target) => TurnCoverage;
  readonly causes: Pick<CommonCauses, 'current'>;
  readonly changes: Pick<Changes, 'recent'>;
  readonly maintenance: Pick<Maintenance, 'of' | 'windows'>;
  readonly problems: () => MonitorView['problems'];
};

/** The data of the status page, recomputed at most every two seconds. */
export type FreshView = { get(): MonitorView; forget(): void };

export function createFreshView(source: ViewSource): FreshView {
  const { clock, version, storage, config, last, since, coverage, causes, changes, maintenance, problems } = source;
  const { history, alertStore } = storage;
  const startedAt = clock.wall();
  let kept: { readonly at: number; readonly value: MonitorView } | undefined;

  function make(): MonitorView {
    const now = clock.wall();
    const windows = maintenance.windows();
    const targets = config().targets.map((target) => {
      const { name } = target;
      const current = { target, state: alertStore.state(name), last: last.get(name), maintenance: maintenance.of(name, windows) };
      return {
        ...current,
        since: sinceOf({ ...current, verdictSince: since.get(name)?.at }),
        coverage: coverage(target),
        changes: () => changes.recent(CHANGES_SHOWN, name),
        runs: (most: number) => history.runs(name, most),
        failedRuns: (most: number) => history.failedRuns(name, most),
        lastFailure: () => history.lastFailure(name),
      };
    });
    return {
      version,
      now,
      startedAt,
      targets,
      alerts: alertStore.recent(ALERTS_SHOWN),
      causes: causes.current(),
      changes: changes.recent(CHANGES_SHOWN),
      maintenance: windows,
      problems: problems(),
    };
  }

  return {
    get() {
      const at = clock.monotonic();
      if (kept === undefined || at - kept.at > KEPT) kept = { at, value: make() };
      return kept.value;
    },
    forget() {
      kept = undefined;
    },
  };
}
