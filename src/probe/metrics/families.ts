import type { Settlement } from '../canary/ledger.ts';
import type { Registry } from './registry.ts';

/** The prefix of all of the probe's own metrics. */
export const PREFIX = 'petstore_probe_';
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAY_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
/** The results of a target's creations. */
export const CREATION_STATES = ['created', 'refused', 'quota', 'ambiguous'] as const satisfies readonly Settlement['state'][];

/** The families of `/metrics`, in the order of the output. */
export function createFamilies({ counter, gauge, histogram }: Registry) {
  const target = ['target'] as const;
  const check = ['target', 'check'] as const;
  return {
    buildInfo: gauge('build_info', 'Version of the probe.', ['version']),
    checks: counter('checks_total', 'Completed runs.', check),
    failures: counter(
      'check_failures_total',
      "Failed runs by the reason of the first failure, outside maintenance windows. An internal failure is the probe's own.",
      [...check, 'reason'],
    ),
    skipped: counter('checks_skipped_total', 'Runs that were due but skipped.', [...check, 'reason']),
    success: gauge('check_success', 'Whether the last run with a verdict passed (a degraded run is a success).', check),
    down: gauge('target_down', 'Whether the target is down by its downAfter and upAfter.', target),
    maintenance: gauge('target_maintenance', 'Whether the target is in a maintenance window.', target),
    duration: histogram('check_duration_seconds', 'Duration of runs.', { labels: check, bounds: BUCKETS }),
    interval: gauge('check_interval_seconds', 'Time between the starts of two runs.', check),
    lastRun: gauge('check_last_run_timestamp_seconds', 'Start time of the last run.', check),
    lastSuccess: gauge('check_last_success_timestamp_seconds', 'Start time of the last successful run.', check),
    responses: counter('http_responses_total', 'Responses by status code; "none" without a complete response.', [
      ...target,
      'operation',
      'code',
    ]),
    created: counter('pets_created_total', 'Animals that the probe created; always 0 for a read-only target.', target),
    ambiguous: counter('creates_ambiguous_total', 'Creations whose outcome is unknown; none is sent again.', target),
    creations: gauge('creations', 'Creations in the ledger, over all restarts; absent for a read-only target.', [...target, 'state']),
    creationDue: gauge('next_creation_timestamp_seconds', 'Time at which the next creation is due; absent when none may follow.', target),
    creationInterval: gauge('creation_interval_seconds', 'Time between two creations; absent for a read-only target.', target),
    lifetime: gauge('write_budget', 'Animals that the probe may create in total; absent for a read-only target.', target),
    budget: gauge('write_budget_remaining', 'Animals that the probe may still create in total.', target),
    clauses: gauge('clauses', 'Clauses of the last run by verdict.', [...target, 'verdict']),
    rotation: gauge('rotation_checks', 'Rotating checks by their result in the last day.', [...target, 'state']),
    changes: counter('changes_total', 'Changes of what the interface document leaves open, or of what may foretell a failure, by kind.', [
      ...target,
      'kind',
    ]),
    slow: counter(
      'slow_checks_total',
      'Runs that did not fail in which a response took longer than the latency limit, outside maintenance windows.',
      check,
    ),
    certificate: gauge('tls_certificate_expiry_timestamp_seconds', 'Earliest expiry in the certificate chain of the service.', target),
    delay: histogram('schedule_delay_seconds', 'Delay between the due time of a run and its start.', {
      labels: [],
      bounds: DELAY_BUCKETS,
    }),
    notifications: counter('notifications_total', 'Events that a webhook accepted.', ['webhook']),
    notificationFailures: counter('notification_failures_total', 'Failed notification attempts; each is retried.', ['webhook']),
    historyFailures: counter(
      'history_write_failures_total',
      'Failed writes of history, alert state, or the ledger of creations, and damaged files.',
      [],
    ),
    removal: gauge('planned_removal_timestamp_seconds', 'Time from which a removed operation is not an outage.', ['operation']),
    reloaded: gauge('config_last_reload_successful', 'Whether the last configuration reload succeeded.', []),
    reloadedAt: gauge('config_last_reload_success_timestamp_seconds', 'Time of the last successful configuration reload.', []),
  };
}
