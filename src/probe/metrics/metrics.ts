import { VERDICTS } from '../../clause/outcome.ts';
import { OPERATIONS } from '../../wire/exchange.ts';
import { CAUSES, type Cause } from '../alerts/cause.ts';
import { PLANNED_REMOVAL, REMOVAL_SECONDS } from '../alerts/removal.ts';
import { CHANGE_KINDS, type Change } from '../changes/change.ts';
import { FAILURE_REASONS } from '../failure.ts';
import type { Sample } from '../sample.ts';
import { SKIP_REASONS, type SkipReason } from '../schedule.ts';
import type { Target } from '../target.ts';
import { countsOf, PLAN_STATES, type TurnCoverage } from '../turn-state.ts';
import { type Counter, createRegistry, type Gauge, type Registry } from './registry.ts';

export const PREFIX = 'petstore_probe_';
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAY_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

/** Labels with the values that are known from the start; none for what a configuration names. */
type LabelValues<Name extends string> = Readonly<Record<Name, readonly string[]>>;
type Labels = Readonly<Record<string, string>>;

/** The only scheduled selection; it is a label so that others can be added without breaking a query. */
const CHECK = 'smoke';
const READ = OPERATIONS.filter((operation) => operation !== 'createPet');

const namesOf = <Name extends string>(labels: LabelValues<Name>): readonly Name[] => Object.keys(labels) as Name[];

/** Series of these labels, one for each combination of their values. */
function combinations(labels: Readonly<Record<string, readonly string[]>>): readonly Labels[] {
  return Object.entries(labels).reduce<readonly Labels[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

/** Makes families, and shows their series before anything is measured. */
function createMakers(registry: Registry) {
  const shown: { readonly labels: LabelValues<string>; readonly show: (labels: Labels) => void }[] = [];
  const counter = <Name extends string>(name: string, help: string, labels: LabelValues<Name>): Counter<Name> => {
    const made = registry.counter(name, help, namesOf(labels));
    shown.push({ labels, show: (of) => made.inc(of, 0) });
    return made;
  };
  const histogram = <Name extends string>(
    name: string,
    help: string,
    { labels, bounds }: { labels: LabelValues<Name>; bounds: readonly number[] },
  ) => {
    const made = registry.histogram(name, help, { labels: namesOf(labels), bounds });
    shown.push({ labels, show: made.show });
    return made;
  };
  /** Not shown before it is set. */
  const gauge = <Name extends string>(name: string, help: string, labels: LabelValues<Name>): Gauge<Name> =>
    registry.gauge(name, help, namesOf(labels));
  /** 0 until it is set. */
  const level = <Name extends string>(name: string, help: string, labels: LabelValues<Name>): Gauge<Name> => {
    const made = gauge(name, help, labels);
    shown.push({ labels, show: (of) => made.set(of, 0) });
    return made;
  };
  return {
    counter,
    histogram,
    gauge,
    level,
    /** Shows each series of what a configuration names, or of the probe itself: one that appears later shows no increase in a query. */
    show(owner: Labels): void {
      const owned = Object.keys(owner).toString();
      for (const { labels, show } of shown) {
        const named = Object.keys(labels).filter((name) => labels[name]?.length === 0);
        if (named.toString() !== owned) continue;
        for (const of of combinations(labelsOf(labels, owner))) show(of);
      }
    },
  };
}

function labelsOf(labels: LabelValues<string>, owner: Labels): LabelValues<string> {
  return { ...labels, ...Object.fromEntries(Object.entries(owner).map(([name, value]) => [name, [value]])) };
}

/** The families of `/metrics`, in the order of the output. */
function familiesOf({ counter, histogram, gauge, level }: ReturnType<typeof createMakers>) {
  const target = { target: [] };
  const check = { ...target, check: [CHECK] };
  return {
    buildInfo: gauge('build_info', 'Version of the probe.', { version: [] }),
    checks: counter('checks_total', 'Completed runs.', check),
    failures: counter(
      'check_failures_total',
      "Failed runs by the reason of the first failure, outside maintenance windows. An internal failure is the probe's own.",
      { ...check, reason: FAILURE_REASONS },
    ),
    skipped: counter('checks_skipped_total', 'Runs that were due but skipped.', { ...check, reason: SKIP_REASONS }),
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
    common: level('common_cause_targets', 'Targets that share a cause with one alert for all of them, by cause.', { reason: CAUSES }),
    duration: histogram('check_duration_seconds', 'Duration of runs.', { labels: check, bounds: BUCKETS }),
    interval: gauge('check_interval_seconds', 'Time between the starts of two runs.', check),
    lastRun: gauge('check_last_run_timestamp_seconds', 'Start time of the last run.', check),
    lastSuccess: gauge('check_last_success_timestamp_seconds', 'Start time of the last successful run.', check),
    responses: counter('http_responses_total', 'Responses by status code; "none" without a complete response.', {
      ...target,
      operation: READ,
      code: ['200', 'none'],
    }),
    clauses: level('clauses', 'Clauses of the last run by verdict.', { ...target, verdict: VERDICTS }),
    plan: level('plan_requests', 'Requests of the plan (a group counts once) by whether the last day had them.', {
      ...target,
      state: PLAN_STATES,
    }),
    failing: level('failing_clauses', 'Clauses that requests of the plan break.', target),
    changes: counter('changes_total', 'Changes of what the interface document leaves open, by kind.', { ...target, kind: CHANGE_KINDS }),
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
      labels: {},
      bounds: DELAY_BUCKETS,
    }),
    notifications: counter('notifications_total', 'Events that a webhook accepted.', { webhook: [] }),
    notificationFailures: counter('notification_failures_total', 'Failed notification attempts; each is retried.', { webhook: [] }),
    pushes: counter('alertmanager_pushes_total', 'Pushes of alerts that an Alertmanager accepted.', { alertmanager: [] }),
    pushFailures: counter('alertmanager_push_failures_total', 'Failed pushes of alerts; what is open is sent again.', { alertmanager: [] }),
    heartbeats: counter('heartbeats_total', 'Heartbeats that their receiver accepted.', {}),
    heartbeatFailures: counter('heartbeat_failures_total', 'Heartbeats that were due and not accepted, or withheld for a fault.', {}),
    historyFailures: counter('history_write_failures_total', 'Failed writes of history or alert state, and damaged files.', {}),
    unexpected: counter('unexpected_errors_total', 'Errors in the code of the probe; each breaks at most one run.', {}),
    removal: gauge('planned_removal_timestamp_seconds', 'Time from which a removed operation is not an outage.', { operation: [] }),
    reloaded: level('config_last_reload_successful', 'Whether the last configuration reload succeeded.', {}),
    reloadedAt: level('config_last_reload_success_timestamp_seconds', 'Time of the last successful configuration reload.', {}),
    waitsSince: level(
      'config_waiting_since_timestamp_seconds',
      'Time since which a newer configuration waits because it is invalid, or 0.',
      {},
    ),
  };
}

/** Everything in `/metrics` about the targets and the probe itself. Labels are only configured names and closed lists. */
export class Metrics {
  private readonly registry = createRegistry(PREFIX);
  private readonly makers = createMakers(this.registry);
  private readonly all = familiesOf(this.makers);
  private readonly known = new Set<string>();

  readonly common = (reason: Cause, targets: number): void => this.all.common.set({ reason }, targets);
  readonly delay = (milliseconds: number): void => this.all.delay.observe({}, Math.max(0, milliseconds) / 1000);
  readonly pushed = (alertmanager: string): void => this.all.pushes.inc({ alertmanager });
  readonly unpushed = (alertmanager: string): void => this.all.pushFailures.inc({ alertmanager });
  readonly delivered = (webhook: string): void => this.all.notifications.inc({ webhook });
  readonly undelivered = (webhook: string): void => this.all.notificationFailures.inc({ webhook });
  readonly heartbeat = (): void => this.all.heartbeats.inc({});
  readonly noHeartbeat = (): void => this.all.heartbeatFailures.inc({});
  readonly storageFailed = (): void => this.all.historyFailures.inc({});
  readonly unexpected = (): void => this.all.unexpected.inc({});
  readonly text = (): string => this.registry.text();

  constructor(version: string) {
    this.all.buildInfo.set({ version }, 1);
    this.makers.show({});
    this.all.removal.set({ operation: PLANNED_REMOVAL.operation }, REMOVAL_SECONDS);
  }

  setTargets(targets: readonly Target[]): void {
    const { all, known, makers, registry } = this;
    known.clear();
    for (const { name } of targets) known.add(name);
    // A remaining series of a target that is no longer configured would look like a stuck target.
    registry.removeWhere('target', (name) => !known.has(name));
    for (const { name, interval } of targets) {
      makers.show({ target: name });
      all.interval.set({ target: name, check: CHECK }, interval / 1000);
    }
    for (const { name, cert } of targets) if (cert === undefined) all.clientCertificate.remove({ target: name });
  }

  setReceivers({ webhooks, alertmanagers }: Readonly<Record<'webhooks' | 'alertmanagers', readonly { readonly name: string }[]>>): void {
    for (const { name } of webhooks) this.makers.show({ webhook: name });
    for (const { name } of alertmanagers) this.makers.show({ alertmanager: name });
  }

  observe(sample: Sample): void {
    const { all, known } = this;
    const { target } = sample;
    // A target that was removed during its last run.
    if (!known.has(target)) return;
    for (const { operation, code, count } of sample.responses) all.responses.inc({ target, operation, code }, count);
    if (sample.ownFault === true) all.delayed.inc({ target });
    // Rates are shares of runs at equal distances: a failure that is confirmed must not weigh double.
    if (sample.confirms === true) all.confirmations.inc({ target });
    else this.count(sample);
  }

  setTargetState(target: string, { down, maintenance, shared }: Readonly<Record<'down' | 'maintenance' | 'shared', boolean>>): void {
    const { all, known } = this;
    if (!known.has(target)) return;
    all.down.set({ target }, down ? 1 : 0);
    all.maintenance.set({ target }, maintenance ? 1 : 0);
    all.shared.set({ target }, shared ? 1 : 0);
  }

  planned(target: string, coverage: TurnCoverage): void {
    const { all, known } = this;
    if (!known.has(target)) return;
    const counts = countsOf(coverage);
    for (const state of PLAN_STATES) all.plan.set({ target, state }, counts[state]);
    all.failing.set({ target }, coverage.failing.length);
  }

  changed({ target, kind }: Pick<Change, 'target' | 'kind'>): void {
    if (this.known.has(target)) this.all.changes.inc({ target, kind });
  }

  skip(target: string, reason: SkipReason): void {
    if (this.known.has(target)) this.all.skipped.inc({ target, check: CHECK, reason });
  }

  reloaded(at: number): void {
    this.all.reloaded.set({}, 1);
    this.all.reloadedAt.set({}, at / 1000);
    this.all.waitsSince.set({}, 0);
  }

  notReloaded(since: number): void {
    this.all.reloaded.set({}, 0);
    this.all.waitsSince.set({}, since / 1000);
  }

  private count(sample: Sample): void {
    const { all } = this;
    const { target, verdict } = sample;
    const labels = { target, check: CHECK };
    all.checks.inc(labels);
    const isCounted = sample.maintenance === undefined;
    if ((verdict === 'fail' && isCounted) || verdict === 'unknown')
      all.failures.inc({ ...labels, reason: verdict === 'unknown' ? 'internal' : (sample.reason ?? 'assertion') });
    all.duration.observe(labels, sample.duration / 1000);
    all.lastRun.set(labels, sample.at / 1000);
    if (verdict !== 'unknown') all.success.set(labels, verdict === 'fail' ? 0 : 1);
    const isSuccess = verdict === 'pass' || verdict === 'degraded';
    if (isSuccess) all.lastSuccess.set(labels, sample.at / 1000);
    if (isSuccess && sample.slow && isCounted) all.slow.inc(labels);
    for (const one of VERDICTS) all.clauses.set({ target, verdict: one }, sample.clauses[one]);
    if (sample.certificateExpiry !== undefined) all.certificate.set({ target }, sample.certificateExpiry);
    if (sample.clientCertificateExpiry !== undefined) all.clientCertificate.set({ target }, sample.clientCertificateExpiry);
  }
}
