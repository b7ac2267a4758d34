import { VERDICTS } from '../../clause/outcome.ts';
import { OPERATIONS } from '../../wire/exchange.ts';
import { CAUSES, type Cause } from '../alerts/cause.ts';
import { PLANNED_REMOVAL, REMOVAL_SECONDS } from '../alerts/removal.ts';
import { CHANGE_KINDS, type Change } from '../changes/change.ts';
import { FAILURE_REASONS } from '../failure.ts';
import { type Coverage, countsOf, ROTATION_STATES } from '../rotation/turns.ts';
import type { Sample } from '../sample.ts';
import { SKIP_REASONS, type SkipReason } from '../schedule.ts';
import type { Target } from '../target.ts';
import { createRegistry, type Registry } from './registry.ts';

export const PREFIX = 'petstore_probe_';
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAY_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** The families of `/metrics`, in the order of the output. */
function createFamilies({ counter, gauge, histogram }: Registry) {
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
    delayed: counter('delayed_runs_total', 'Runs without a verdict because the process of the probe was held up or overloaded.', target),
    confirmations: counter(
      'confirmations_total',
      'Runs that repeated a first failure, or a first success after one, ahead of the interval. The series with a check leave them out.',
      target,
    ),
    success: gauge('check_success', 'Whether the last run with a verdict passed (a degraded run is a success).', check),
    down: gauge('target_down', 'Whether the target is down by its downAfter and upAfter.', target),
    maintenance: gauge('target_maintenance', 'Whether the target is in a maintenance window.', target),
    shared: gauge(
      'target_common_cause',
      'Whether the target is part of one alert for many targets, or waits with its own alert until it is clear that it has one.',
      target,
    ),
    common: gauge('common_cause_targets', 'Targets that share a cause with one alert for all of them, by cause.', ['reason']),
    duration: histogram('check_duration_seconds', 'Duration of runs.', { labels: check, bounds: BUCKETS }),
    interval: gauge('check_interval_seconds', 'Time between the starts of two runs.', check),
    lastRun: gauge('check_last_run_timestamp_seconds', 'Start time of the last run.', check),
    lastSuccess: gauge('check_last_success_timestamp_seconds', 'Start time of the last successful run.', check),
    responses: counter('http_responses_total', 'Responses by status code; "none" without a complete response.', [
      ...target,
      'operation',
      'code',
    ]),
    clauses: gauge('clauses', 'Clauses of the last run by verdict.', [...target, 'verdict']),
    rotation: gauge('rotation_checks', 'Rotating checks by their result in the last day.', [...target, 'state']),
    changes: counter('changes_total', 'Changes of what the interface document leaves open, by kind.', [...target, 'kind']),
    slow: counter(
      'slow_checks_total',
      'Runs that did not fail in which a response took longer than the latency limit, outside maintenance windows.',
      check,
    ),
    certificate: gauge('tls_certificate_expiry_timestamp_seconds', 'Earliest expiry in the certificate chain of the service.', target),
    clientCertificate: gauge(
      'tls_client_certificate_expiry_timestamp_seconds',
      'Earliest expiry in the client certificate that the probe presents.',
      target,
    ),
    delay: histogram('schedule_delay_seconds', 'Delay between the due time of a run and its start.', {
      labels: [],
      bounds: DELAY_BUCKETS,
    }),
    notifications: counter('notifications_total', 'Events that a webhook accepted.', ['webhook']),
    notificationFailures: counter('notification_failures_total', 'Failed notification attempts; each is retried.', ['webhook']),
    pushes: counter('alertmanager_pushes_total', 'Pushes of alerts that an Alertmanager accepted.', ['alertmanager']),
    pushFailures: counter('alertmanager_push_failures_total', 'Failed pushes of alerts; what is open is sent again.', ['alertmanager']),
    heartbeats: counter('heartbeats_total', 'Heartbeats that their receiver accepted.', []),
    heartbeatFailures: counter('heartbeat_failures_total', 'Heartbeats that were due and not accepted, or withheld for a fault.', []),
    historyFailures: counter('history_write_failures_total', 'Failed writes of history or alert state, and damaged files.', []),
    unexpected: counter('unexpected_errors_total', 'Errors in the code of the probe; each breaks at most one run.', []),
    removal: gauge('planned_removal_timestamp_seconds', 'Time from which a removed operation is not an outage.', ['operation']),
    reloaded: gauge('config_last_reload_successful', 'Whether the last configuration reload succeeded.', []),
    reloadedAt: gauge('config_last_reload_success_timestamp_seconds', 'Time of the last successful configuration reload.', []),
    waitsSince: gauge(
      'config_waiting_since_timestamp_seconds',
      'Time since which a newer configuration waits because it is invalid, or 0.',
      [],
    ),
  };
}

/** The only scheduled selection; it is a label so that others can be added without breaking a query. */
const CHECK = 'smoke';

/** Everything in `/metrics` about the targets and the probe itself. Labels are only configured names and closed lists. */
export function createMetrics(version: string) {
  const registry = createRegistry(PREFIX);
  const all = createFamilies(registry);
  const known = new Set<string>();
  all.buildInfo.set({ version }, 1);
  all.delay.show({});
  all.heartbeats.inc({}, 0);
  all.heartbeatFailures.inc({}, 0);
  all.historyFailures.inc({}, 0);
  all.unexpected.inc({}, 0);
  all.removal.set({ operation: PLANNED_REMOVAL.operation }, REMOVAL_SECONDS);
  for (const reason of CAUSES) all.common.set({ reason }, 0);
  all.reloaded.set({}, 0);
  all.reloadedAt.set({}, 0);
  all.waitsSince.set({}, 0);

  /**
   * Initializes every series of a target that can be shown before its first run: a series that appears later shows no increase in a query.
   */
  function show({ name: target, interval }: Target): void {
    const labels = { target, check: CHECK };
    all.checks.inc(labels, 0);
    for (const reason of FAILURE_REASONS) all.failures.inc({ ...labels, reason }, 0);
    for (const reason of SKIP_REASONS) all.skipped.inc({ ...labels, reason }, 0);
    all.delayed.inc({ target }, 0);
    all.confirmations.inc({ target }, 0);
    for (const verdict of VERDICTS) all.clauses.set({ target, verdict }, 0);
    for (const state of ROTATION_STATES) all.rotation.set({ target, state }, 0);
    for (const kind of CHANGE_KINDS) all.changes.inc({ target, kind }, 0);
    all.slow.inc(labels, 0);
    for (const operation of OPERATIONS) {
      if (operation === 'createPet') continue;
      for (const code of ['200', 'none']) all.responses.inc({ target, operation, code }, 0);
    }
    all.duration.show(labels);
    all.interval.set(labels, interval / 1000);
  }

  return {
    text: registry.text,
    setTargets(targets: readonly Target[]): void {
      known.clear();
      for (const { name } of targets) known.add(name);
      // A remaining series of a target that is no longer configured would look like a stuck target.
      registry.removeWhere('target', (name) => !known.has(name));
      for (const target of targets) show(target);
      for (const { name, cert } of targets) if (cert === undefined) all.clientCertificate.remove({ target: name });
    },
    observe(sample: Sample): void {
      const { target } = sample;
      // A target that was removed during its last run.
      if (!known.has(target)) return;
      for (const { operation, code, count } of sample.responses) all.responses.inc({ target, operation, code }, count);
      if (sample.ownFault === true) all.delayed.inc({ target });
      // Rates are shares of runs at equal distances: a failure that is confirmed must not weigh double.
      if (sample.confirms === true) {
        all.confirmations.inc({ target });
        return;
      }
      const labels = { target, check: CHECK };
      all.checks.inc(labels);
      const isCounted = sample.maintenance === undefined;
      if ((sample.verdict === 'fail' && isCounted) || sample.verdict === 'unknown')
        all.failures.inc({ ...labels, reason: sample.verdict === 'unknown' ? 'internal' : (sample.reason ?? 'assertion') });
      all.duration.observe(labels, sample.duration / 1000);
      all.lastRun.set(labels, sample.at / 1000);
      if (sample.verdict !== 'unknown') all.success.set(labels, sample.verdict === 'fail' ? 0 : 1);
      const isSuccess = sample.verdict === 'pass' || sample.verdict === 'degraded';
      if (isSuccess) all.lastSuccess.set(labels, sample.at / 1000);
      if (isSuccess && sample.slow && isCounted) all.slow.inc(labels);
      for (const verdict of VERDICTS) all.clauses.set({ target, verdict }, sample.clauses[verdict]);
      if (sample.certificateExpiry !== undefined) all.certificate.set({ target }, sample.certificateExpiry);
      if (sample.clientCertificateExpiry !== undefined) all.clientCertificate.set({ target }, sample.clientCertificateExpiry);
    },
    standing(target: string, { down, maintenance, shared }: Readonly<Record<'down' | 'maintenance' | 'shared', boolean>>): void {
      if (!known.has(target)) return;
      all.down.set({ target }, down ? 1 : 0);
      all.maintenance.set({ target }, maintenance ? 1 : 0);
      all.shared.set({ target }, shared ? 1 : 0);
    },
    common: (reason: Cause, targets: number) => all.common.set({ reason }, targets),
    rotated(target: string, coverage: Coverage): void {
      if (!known.has(target)) return;
      const counts = countsOf(coverage);
      for (const state of ROTATION_STATES) all.rotation.set({ target, state }, counts[state]);
    },
    changed({ target, kind }: Pick<Change, 'target' | 'kind'>): void {
      if (known.has(target)) all.changes.inc({ target, kind });
    },
    skip(target: string, reason: SkipReason): void {
      if (known.has(target)) all.skipped.inc({ target, check: CHECK, reason });
    },
    delay: (milliseconds: number) => all.delay.observe({}, Math.max(0, milliseconds) / 1000),
    setReceivers({ webhooks, alertmanagers }: Readonly<Record<'webhooks' | 'alertmanagers', readonly { readonly name: string }[]>>): void {
      for (const { name: webhook } of webhooks) {
        all.notifications.inc({ webhook }, 0);
        all.notificationFailures.inc({ webhook }, 0);
      }
      for (const { name: alertmanager } of alertmanagers) {
        all.pushes.inc({ alertmanager }, 0);
        all.pushFailures.inc({ alertmanager }, 0);
      }
    },
    pushed: (alertmanager: string) => all.pushes.inc({ alertmanager }),
    unpushed: (alertmanager: string) => all.pushFailures.inc({ alertmanager }),
    delivered: (webhook: string) => all.notifications.inc({ webhook }),
    undelivered: (webhook: string) => all.notificationFailures.inc({ webhook }),
    heartbeat: () => all.heartbeats.inc({}),
    noHeartbeat: () => all.heartbeatFailures.inc({}),
    storageFailed: () => all.historyFailures.inc({}),
    unexpected: () => all.unexpected.inc({}),
    reloaded(at: number): void {
      all.reloaded.set({}, 1);
      all.reloadedAt.set({}, at / 1000);
      all.waitsSince.set({}, 0);
    },
    notReloaded(since: number): void {
      all.reloaded.set({}, 0);
      all.waitsSince.set({}, since / 1000);
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
