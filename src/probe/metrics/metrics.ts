import { VERDICTS } from '../../clause/outcome.ts';
import { OPERATIONS } from '../../wire/exchange.ts';
import { PLANNED_REMOVAL, REMOVAL_SECONDS } from '../alerts/removal.ts';
import type { CanaryState } from '../canary/canary.ts';
import type { Settlement } from '../canary/ledger.ts';
import { CHANGE_KINDS, type Change } from '../changes/change.ts';
import { type Coverage, countsOf, ROTATION_STATES } from '../rotation/turn.ts';
import { FAILURE_REASONS, type Sample } from '../sample.ts';
import { SKIP_REASONS, type SkipReason } from '../schedule/scheduler.ts';
import type { Target } from '../target.ts';
import { CREATION_STATES, createFamilies, PREFIX } from './families.ts';
import { createRegistry } from './registry.ts';

/** The only scheduled selection; it is a label so that others can be added without breaking a query. */
const CHECK = 'smoke';

/** Everything in `/metrics` about the targets and the probe itself. Labels are only configured names and closed lists. */
export function createMetrics(version: string) {
  const registry = createRegistry(PREFIX);
  const all = createFamilies(registry);
  const known = new Set<string>();
  all.buildInfo.set({ version }, 1);
  all.delay.show({});
  all.historyFailures.inc({}, 0);
  all.removal.set({ operation: PLANNED_REMOVAL.operation }, REMOVAL_SECONDS);
  all.reloaded.set({}, 0);
  all.reloadedAt.set({}, 0);

  /**
   * Initializes every series of a target that can be shown before its first run: a series that appears later shows no increase in a query.
   */
  function show({ name: target, interval, writes }: Target): void {
    const labels = { target, check: CHECK };
    all.checks.inc(labels, 0);
    for (const reason of FAILURE_REASONS) all.failures.inc({ ...labels, reason }, 0);
    for (const reason of SKIP_REASONS) all.skipped.inc({ ...labels, reason }, 0);
    for (const verdict of VERDICTS) all.clauses.set({ target, verdict }, 0);
    for (const state of ROTATION_STATES) all.rotation.set({ target, state }, 0);
    for (const kind of CHANGE_KINDS) all.changes.inc({ target, kind }, 0);
    all.slow.inc(labels, 0);
    for (const operation of OPERATIONS) {
      if (operation === 'createPet') continue;
      for (const code of ['200', 'none']) all.responses.inc({ target, operation, code }, 0);
    }
    if (writes !== undefined) for (const code of ['201', 'none']) all.responses.inc({ target, operation: 'createPet', code }, 0);
    all.duration.show(labels);
    all.interval.set(labels, interval / 1000);
    all.created.inc({ target }, 0);
    all.ambiguous.inc({ target }, 0);
    if (writes !== undefined) return;
    all.budget.set({ target }, 0);
    for (const family of [all.creationDue, all.creationInterval, all.lifetime]) family.remove({ target });
    for (const state of CREATION_STATES) all.creations.remove({ target, state });
  }

  return {
    /** The text for a scrape. */
    text: registry.text,
    setTargets(targets: readonly Target[]): void {
      known.clear();
      for (const { name } of targets) known.add(name);
      // A remaining series of a target that is no longer configured would look like a stuck target.
      registry.removeWhere('target', (name) => !known.has(name));
      for (const target of targets) show(target);
    },
    observe(sample: Sample): void {
      const { target } = sample;
      // A target that was removed during its last run.
      if (!known.has(target)) return;
      const labels = { target, check: CHECK };
      all.checks.inc(labels);
      const isCounted = sample.maintenance === undefined;
      if ((sample.verdict === 'fail' && isCounted) || sample.verdict === 'unknown')
        all.failures.inc({ ...labels, reason: sample.verdict === 'unknown' ? 'internal' : (sample.reason ?? 'assertion') });
      all.duration.observe(labels, sample.duration / 1000);
      if (sample.slow && sample.verdict !== 'fail' && isCounted) all.slow.inc(labels);
      all.lastRun.set(labels, sample.at / 1000);
      if (sample.verdict !== 'unknown') all.success.set(labels, sample.verdict === 'fail' ? 0 : 1);
      if (sample.verdict === 'pass' || sample.verdict === 'degraded') all.lastSuccess.set(labels, sample.at / 1000);
      for (const verdict of VERDICTS) all.clauses.set({ target, verdict }, sample.clauses[verdict]);
      for (const { operation, code, count } of sample.responses) all.responses.inc({ target, operation, code }, count);
      if (sample.certificateExpiry !== undefined) all.certificate.set({ target }, sample.certificateExpiry);
    },
    /** The state of a target, which runs alone do not show. */
    standing(target: string, { down, maintenance }: { readonly down: boolean; readonly maintenance: boolean }): void {
      if (!known.has(target)) return;
      all.down.set({ target }, down ? 1 : 0);
      all.maintenance.set({ target }, maintenance ? 1 : 0);
    },
    /** How many of the rotating checks were judged in the last day. */
    rotated(target: string, coverage: Coverage): void {
      if (!known.has(target)) return;
      const counts = countsOf(coverage);
      for (const state of ROTATION_STATES) all.rotation.set({ target, state }, counts[state]);
    },
    changed({ target, kind }: Pick<Change, 'target' | 'kind'>): void {
      if (known.has(target)) all.changes.inc({ target, kind });
    },
    settled(target: string, state: Settlement['state']): void {
      if (!known.has(target)) return;
      if (state === 'created') all.created.inc({ target });
      if (state === 'ambiguous') all.ambiguous.inc({ target });
    },
    /** Animals that may still be created, and when the next one is due. */
    creations(target: string, { left, lifetime, spacing, dueAt, books }: CanaryState): void {
      if (!known.has(target)) return;
      all.budget.set({ target }, left);
      // An unreadable ledger says nothing: the last known values stay, except for a budget that would look spent.
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
    skip(target: string, reason: SkipReason): void {
      if (known.has(target)) all.skipped.inc({ target, check: CHECK, reason });
    },
    delay: (milliseconds: number) => all.delay.observe({}, Math.max(0, milliseconds) / 1000),
    setWebhooks(names: readonly string[]): void {
      for (const webhook of names) {
        all.notifications.inc({ webhook }, 0);
        all.notificationFailures.inc({ webhook }, 0);
      }
    },
    delivered: (webhook: string) => all.notifications.inc({ webhook }),
    undelivered: (webhook: string) => all.notificationFailures.inc({ webhook }),
    storageFailed: () => all.historyFailures.inc({}),
    reloaded(successful: boolean, at: number): void {
      all.reloaded.set({}, successful ? 1 : 0);
      if (successful) all.reloadedAt.set({}, at / 1000);
    },
  };
}
