import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { VERDICTS } from '../clause/outcome.ts';
import { OPERATIONS } from '../wire/exchange.ts';
import { PLANNED_REMOVAL, REMOVAL_SECONDS } from './alerts/removal.ts';
import type { CanaryState } from './canary/canary.ts';
import type { Settlement } from './canary/ledger.ts';
import { CHANGE_KINDS, type Change } from './changes/change.ts';
import { type Coverage, countsOf, ROTATION_STATES } from './rotation/turn.ts';
import { FAILURE_REASONS, type Sample } from './sample.ts';
import { SKIP_REASONS, type SkipReason } from './schedule/scheduler.ts';
import type { Target } from './target.ts';

const PREFIX = 'petstore_probe_';
/** The one selection that is scheduled; a label of its own, so that others can be added without breaking a query. */
const CHECK = 'smoke';
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** What became of the creations of a target. */
const CREATION_STATES = ['created', 'refused', 'quota', 'ambiguous'] as const satisfies readonly Settlement['state'][];
const DELAY_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];

function families(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[]) => new Counter({ name: PREFIX + name, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[]) => new Gauge({ name: PREFIX + name, help, labelNames, registers });
  const histogram = (name: string, help: string, rest: { labelNames: string[]; buckets: number[] }) =>
    new Histogram({ name: PREFIX + name, help, ...rest, registers });
  const check = ['target', 'check'];
  return {
    buildInfo: gauge('build_info', 'Version of the probe.', ['version']),
    checks: counter('checks_total', 'Completed runs.', check),
    failures: counter('check_failures_total', "Failed runs by the reason of the first failure. An internal failure is the probe's own.", [
      ...check,
      'reason',
    ]),
    skipped: counter('checks_skipped_total', 'Runs that were due but skipped.', [...check, 'reason']),
    success: gauge('check_success', 'Whether the last run with a verdict passed (a degraded run is a success).', check),
    duration: histogram('check_duration_seconds', 'Duration of runs.', { labelNames: check, buckets: BUCKETS }),
    interval: gauge('check_interval_seconds', 'Time between the starts of two runs.', check),
    lastRun: gauge('check_last_run_timestamp_seconds', 'Start time of the last run.', check),
    lastSuccess: gauge('check_last_success_timestamp_seconds', 'Start time of the last successful run.', check),
    responses: counter('http_responses_total', 'Responses by status code; "none" without a complete response.', [
      'target',
      'operation',
      'code',
    ]),
    created: counter('pets_created_total', 'Animals that the probe created; always 0 for a read-only target.', ['target']),
    ambiguous: counter('creates_ambiguous_total', 'Creations whose outcome is unknown; none is sent again.', ['target']),
    creations: gauge('creations', 'Creations in the ledger, over all restarts; absent for a read-only target.', ['target', 'state']),
    creationDue: gauge('next_creation_timestamp_seconds', 'Time at which the next creation is due; absent when none may follow.', [
      'target',
    ]),
    creationInterval: gauge('creation_interval_seconds', 'Time between two creations; absent for a read-only target.', ['target']),
    lifetime: gauge('write_budget', 'Animals that the probe may create in total; absent for a read-only target.', ['target']),
    budget: gauge('write_budget_remaining', 'Animals that the probe may still create in total.', ['target']),
    clauses: gauge('clauses', 'Clauses of the last run by verdict.', ['target', 'verdict']),
    rotation: gauge('rotation_checks', 'Rotating checks by their result in the last day.', ['target', 'state']),
    changes: counter('changes_total', 'Changes of what the interface document leaves open, or of what may foretell a failure, by kind.', [
      'target',
      'kind',
    ]),
    slow: counter('slow_checks_total', 'Runs that did not fail in which a response took longer than the latency limit.', check),
    certificate: gauge('tls_certificate_expiry_timestamp_seconds', 'Earliest expiry in the certificate chain of the service.', ['target']),
    delay: histogram('schedule_delay_seconds', 'Delay between the due time of a run and its start.', {
      labelNames: [],
      buckets: DELAY_BUCKETS,
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

/** Everything that `/metrics` says of the targets and of the probe itself. Labels are configured names and closed lists, nothing else. */
export function createMetrics(version: string) {
  const registry = new Registry();
  const all = families(registry);
  all.buildInfo.set({ version }, 1);
  all.historyFailures.inc(0);
  all.removal.set({ operation: PLANNED_REMOVAL.operation }, REMOVAL_SECONDS);

  function removeCreations(target: string): void {
    for (const family of [all.creationDue, all.creationInterval, all.lifetime]) family.remove({ target });
    for (const state of CREATION_STATES) all.creations.remove({ target, state });
  }

  function add({ name, interval, writes }: Target): void {
    const labels = { target: name, check: CHECK };
    all.checks.inc(labels, 0);
    for (const reason of FAILURE_REASONS) all.failures.inc({ ...labels, reason }, 0);
    for (const reason of SKIP_REASONS) all.skipped.inc({ ...labels, reason }, 0);
    for (const verdict of VERDICTS) all.clauses.set({ target: name, verdict }, 0);
    for (const state of ROTATION_STATES) all.rotation.set({ target: name, state }, 0);
    for (const kind of CHANGE_KINDS) all.changes.inc({ target: name, kind }, 0);
    all.slow.inc(labels, 0);
    for (const operation of OPERATIONS.filter((one) => one !== 'createPet')) {
      for (const code of ['200', 'none']) all.responses.inc({ target: name, operation, code }, 0);
    }
    if (writes !== undefined) for (const code of ['201', 'none']) all.responses.inc({ target: name, operation: 'createPet', code }, 0);
    all.duration.zero(labels);
    all.interval.set(labels, interval / 1000);
    all.created.inc({ target: name }, 0);
    all.ambiguous.inc({ target: name }, 0);
    if (writes !== undefined) return;
    all.budget.set({ target: name }, 0);
    removeCreations(name);
  }

  /** Series of a target that is no longer configured would look like one that is stuck. */
  function remove(name: string, codes: ReadonlySet<string>): void {
    const labels = { target: name, check: CHECK };
    for (const family of [all.checks, all.slow, all.success, all.duration, all.interval, all.lastRun, all.lastSuccess])
      family.remove(labels);
    for (const reason of FAILURE_REASONS) all.failures.remove({ ...labels, reason });
    for (const reason of SKIP_REASONS) all.skipped.remove({ ...labels, reason });
    for (const verdict of VERDICTS) all.clauses.remove({ target: name, verdict });
    for (const state of ROTATION_STATES) all.rotation.remove({ target: name, state });
    for (const kind of CHANGE_KINDS) all.changes.remove({ target: name, kind });
    for (const operation of OPERATIONS) for (const code of codes) all.responses.remove({ target: name, operation, code });
    for (const family of [all.created, all.ambiguous, all.budget, all.certificate]) family.remove({ target: name });
    removeCreations(name);
  }

  const codes = new Map<string, Set<string>>();
  return {
    registry,
    setTargets(targets: readonly Target[]): void {
      const wanted = new Set(targets.map(({ name }) => name));
      for (const [name, seen] of codes) {
        if (wanted.has(name)) continue;
        remove(name, seen);
        codes.delete(name);
      }
      for (const target of targets) {
        if (!codes.has(target.name)) codes.set(target.name, new Set(['200', '201', 'none']));
        add(target);
      }
    },
    observe(sample: Sample): void {
      // A target that was taken out while its last run was under way.
      const seen = codes.get(sample.target);
      if (seen === undefined) return;
      const labels = { target: sample.target, check: CHECK };
      all.checks.inc(labels);
      if (sample.verdict === 'fail' || sample.verdict === 'unknown')
        all.failures.inc({ ...labels, reason: sample.verdict === 'unknown' ? 'internal' : (sample.reason ?? 'assertion') });
      all.duration.observe(labels, sample.duration / 1000);
      if (sample.slow && sample.verdict !== 'fail') all.slow.inc(labels);
      all.lastRun.set(labels, sample.at / 1000);
      if (sample.verdict !== 'unknown') all.success.set(labels, sample.verdict === 'fail' ? 0 : 1);
      if (sample.verdict === 'pass' || sample.verdict === 'degraded') all.lastSuccess.set(labels, sample.at / 1000);
      for (const verdict of VERDICTS) all.clauses.set({ target: sample.target, verdict }, sample.clauses[verdict]);
      for (const { operation, code, count } of sample.responses) {
        seen.add(code);
        all.responses.inc({ target: sample.target, operation, code }, count);
      }
      if (sample.certificateExpiry !== undefined) all.certificate.set({ target: sample.target }, sample.certificateExpiry);
    },
    /** How much of what takes turns was judged in the last day. */
    rotated(target: string, coverage: Coverage): void {
      if (!codes.has(target)) return;
      const counts = countsOf(coverage);
      for (const state of ROTATION_STATES) all.rotation.set({ target, state }, counts[state]);
    },
    changed({ target, kind }: Pick<Change, 'target' | 'kind'>): void {
      if (codes.has(target)) all.changes.inc({ target, kind });
    },
    settled(target: string, state: Settlement['state']): void {
      if (!codes.has(target)) return;
      if (state === 'created') all.created.inc({ target });
      if (state === 'ambiguous') all.ambiguous.inc({ target });
    },
    /** Animals that may still be created, and when the next one is due. */
    creations(target: string, { left, lifetime, spacing, dueAt, books }: CanaryState): void {
      if (!codes.has(target)) return;
      all.budget.set({ target }, left);
      // A ledger that can't be read says nothing: what was last known stands, but for a budget that would look spent.
      if (books === undefined) all.lifetime.remove({ target });
      else {
        all.lifetime.set({ target }, lifetime);
        const { created, refused, quota, ambiguous } = books;
        const counts = { created, refused: refused - quota, quota, ambiguous };
        for (const state of CREATION_STATES) all.creations.set({ target, state }, counts[state]);
      }
      all.creationInterval.set({ target }, spacing / 1000);
      if (dueAt === undefined) all.creationDue.remove({ target });
      else all.creationDue.set({ target }, dueAt / 1000);
    },
    skip: (target: string, reason: SkipReason) => all.skipped.inc({ target, check: CHECK, reason }),
    delay: (milliseconds: number) => all.delay.observe(Math.max(0, milliseconds) / 1000),
    setWebhooks(names: readonly string[]): void {
      for (const webhook of names) {
        all.notifications.inc({ webhook }, 0);
        all.notificationFailures.inc({ webhook }, 0);
      }
    },
    delivered: (webhook: string) => all.notifications.inc({ webhook }),
    undelivered: (webhook: string) => all.notificationFailures.inc({ webhook }),
    storageFailed: () => all.historyFailures.inc(),
    reloaded(successful: boolean, at: number): void {
      all.reloaded.set(successful ? 1 : 0);
      if (successful) all.reloadedAt.set(at / 1000);
    },
  };
}
