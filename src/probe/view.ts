import type { AlertEvent } from './alerts/event.ts';
import type { Incident } from './alerts/incident.ts';
import type { MaintenanceWindow } from './alerts/maintenance.ts';
import type { TargetState } from './alerts/target-state.ts';
import type { CanaryState } from './canary/canary.ts';
import type { Change } from './changes/change.ts';
import type { Counts, PastRuns, Slice } from './history/history.ts';
import type { Coverage } from './rotation/turn.ts';
import type { Sample, SampleFailure } from './sample.ts';
import type { Target } from './target.ts';

/** The last 24 hours, 30 days and 90 days. */
export type Span = 'day' | 'month' | 'quarter';

/** A target for the page, the API, and the badge. */
export type TargetView = {
  readonly target: Pick<Target, 'name' | 'baseUrl' | 'interval' | 'objective' | 'latencyLimit'>;
  readonly state: TargetState;
  /** Undefined before the first run of this process. */
  readonly last: Sample | undefined;
  /** Slices of the last 24 hours, and days of the last 90: read on demand, because a page shows a hundred of thousands of targets. */
  readonly hours: () => readonly Slice[];
  readonly days: () => readonly Slice[];
  /** The sums of the runs in a period up to now. */
  readonly counts: (span: Span) => Counts;
  /** What the rotating checks have shown in the last day. */
  readonly coverage: Coverage;
  /** What it does differently from before, newest first: read on demand. */
  readonly changes: () => readonly Change[];
  /** When it was down, newest first: read on demand. */
  readonly incidents: () => readonly Incident[];
  /** Its last runs and the failed ones before them: read on demand. */
  readonly runs: () => PastRuns;
  /** Undefined for a target that is only read. */
  readonly canary?: CanaryState | undefined;
  /** Its current maintenance window. */
  readonly maintenance?: MaintenanceWindow | undefined;
};

/** Everything that is shown to people, as one value. */
export type MonitorView = {
  readonly version: string;
  /** Wall clock, milliseconds. */
  readonly now: number;
  readonly startedAt: number;
  readonly targets: readonly TargetView[];
  readonly alerts: readonly AlertEvent[];
  /** Of all targets, newest first. */
  readonly changes: readonly Change[];
  /** Current windows and those of the next week, the earliest first. */
  readonly maintenance: readonly MaintenanceWindow[];
  /** Current problems of the probe itself. */
  readonly problems: readonly string[];
};

export type Availability = {
  readonly runs: number;
  readonly failed: number;
  /** 0 to 1; undefined without runs. Unknown runs do not count. */
  readonly uptime: number | undefined;
  /** The fraction of the error budget that is left: 1 untouched, 0 spent, negative overdrawn. */
  readonly budgetLeft: number | undefined;
};

/** Uptime and error budget over runs. */
export function availabilityOf({ pass, degraded, fail }: Counts, objective: number): Availability {
  const runs = pass + degraded + fail;
  if (runs === 0) return { runs, failed: fail, uptime: undefined, budgetLeft: undefined };
  return { runs, failed: fail, uptime: 1 - fail / runs, budgetLeft: 1 - fail / (runs * (1 - objective)) };
}

export const HEALTH = ['up', 'degraded', 'down', 'unknown', 'maintenance'] as const;
export type Health = (typeof HEALTH)[number];

/** Each broken clause once, by the first of its checks: several may show it, in the same words. */
function brokenOf({ failures }: Sample): readonly SampleFailure[] {
  return failures.filter(({ clause }, index) => failures.findIndex((one) => one.clause === clause) === index);
}

/** Advised clauses that the last run found broken and that leave the target healthy. */
export function warningsOf({ last }: Pick<TargetView, 'last'>): readonly SampleFailure[] {
  return last?.verdict === 'pass' ? brokenOf(last) : [];
}

/** What the last run found broken if it was not healthy. Findings of a broken probe are not failures of the target. */
export function failuresOf({ last }: Pick<TargetView, 'last'>): readonly SampleFailure[] {
  return last === undefined || last.verdict === 'pass' || last.verdict === 'unknown' ? [] : brokenOf(last);
}

/** What a person wants to know first. A single failure is not "down", and neither is a broken probe. */
export function healthOf({ state, last, maintenance }: Pick<TargetView, 'state' | 'last' | 'maintenance'>): Health {
  if (maintenance !== undefined) return 'maintenance';
  if (last === undefined || last.verdict === 'unknown') return state.health === 'down' ? 'down' : 'unknown';
  if (state.health === 'down') return 'down';
  return last.verdict === 'pass' ? 'up' : 'degraded';
}
