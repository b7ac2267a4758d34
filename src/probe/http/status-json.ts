import type { MaintenanceWindow } from '../alerts/maintenance.ts';
import { daysToRemoval, isRemovalNear, PLANNED_REMOVAL } from '../alerts/removal.ts';
import { describeChange } from '../changes/change.ts';
import type { SampleFailure } from '../failure.ts';
import { failuresOf, healthOf, type MonitorView, warningsOf } from '../monitor-view.ts';
import type { Sample } from '../sample.ts';
import { iso } from '../text.ts';
import { countsOf } from '../turn-state.ts';

function windowJson({ reason, targets, from, to }: MaintenanceWindow) {
  return { reason, targets, from: iso(from), to: iso(to) };
}

function runJson({ at, duration, verdict, reason, clause, note, confirms, maintenance }: Sample) {
  return { at: iso(at), seconds: duration / 1000, verdict, reason, clause, note, confirms, maintenance };
}

/** The public variant contains no URL and quotes no response. */
export function statusJson(view: MonitorView, options: { public: boolean }) {
  const shown = (text: string | undefined): string | undefined => (options.public ? undefined : text);
  const failure = ({ clause, level, reason, summary, consequenceOf, ...more }: SampleFailure) => ({
    clause,
    level,
    reason,
    summary: shown(summary),
    consequenceOf,
    when: shown(more.condition),
    try: shown(more.command),
    exchange: shown(more.exchange),
  });
  return {
    version: view.version,
    at: iso(view.now),
    problems: options.public ? view.problems.length : view.problems,
    removal: { ...PLANNED_REMOVAL, days: daysToRemoval(view.now), announced: isRemovalNear(view.now) },
    targets: view.targets.map((one) => {
      const { target, last } = one;
      return {
        name: target.name,
        baseUrl: shown(target.baseUrl),
        health: healthOf(one),
        since: one.since === undefined ? undefined : iso(one.since),
        maintenance: one.maintenance === undefined ? undefined : windowJson(one.maintenance),
        lastRun: last === undefined ? undefined : { ...runJson(last), note: shown(last.note) },
        failures: failuresOf(one).map(failure),
        warnings: warningsOf(one).map(failure),
        plan: { ...countsOf(one.coverage), failing: one.coverage.failing },
      };
    }),
    maintenance: view.maintenance.map(windowJson),
    changes: view.changes.map((change) => ({
      target: change.target,
      kind: change.kind,
      subject: change.subject,
      what: change.what,
      since: iso(change.since),
      at: iso(change.at),
      summary: shown(describeChange(change)),
    })),
    alerts: view.alerts.map(({ summary, condition, ...event }) => ({
      ...event,
      link: undefined,
      summary: shown(summary),
      condition: shown(condition ?? ''),
    })),
  };
}
