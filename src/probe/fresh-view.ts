import type { Incidents } from './alerts/incidents.ts';
import type { Maintenance } from './alerts/maintenance.ts';
import type { Books } from './books.ts';
import type { Changes } from './changes/changes.ts';
import type { Clock } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import type { Rotation } from './rotation/rotation.ts';
import type { Sample } from './sample.ts';
import type { MonitorView, Span } from './view.ts';

const KEPT = 2_000;
const DAY = 86_400_000;
const ALERTS_SHOWN = 20;
const CHANGES_SHOWN = 50;
const INCIDENTS_SHOWN = 10;
const RUNS_SHOWN = 50;
/** Milliseconds before now at which a period begins, and the slices that are summed; today is one of the days. */
const SPANS = {
  day: { before: DAY, step: 'hour' },
  month: { before: 29 * DAY, step: 'day' },
  quarter: { before: 89 * DAY, step: 'day' },
} as const satisfies Readonly<Record<Span, unknown>>;

export type ViewSource = {
  readonly clock: Clock;
  readonly version: string;
  readonly books: Books;
  readonly config: () => MonitorConfig;
  /** The latest sample of a target. */
  readonly last: ReadonlyMap<string, Sample>;
  readonly coverage: Rotation['coverage'];
  readonly changes: Pick<Changes, 'recent'>;
  readonly incidents: Pick<Incidents, 'of'>;
  readonly maintenance: Pick<Maintenance, 'of' | 'windows'>;
  /** Problems for the operator. */
  readonly problems: () => MonitorView['problems'];
};

/** The data of the status page, recomputed at most every two seconds. */
export type FreshView = { get(): MonitorView; forget(): void };

export function createFreshView(source: ViewSource): FreshView {
  const { clock, version, books, config, last, coverage, changes, incidents, maintenance, problems } = source;
  const { history, ledger, canary } = books;
  const startedAt = clock.wall();
  let kept: { readonly at: number; readonly value: MonitorView } | undefined;

  function make(): MonitorView {
    const now = clock.wall();
    const windows = maintenance.windows();
    const targets = config().targets.map((target) => {
      const range = (span: Span) => ({ target: target.name, from: now - SPANS[span].before, to: now + 1, step: SPANS[span].step });
      return {
        target,
        state: ledger.state(target.name),
        last: last.get(target.name),
        hours: () => history.slices(range('day')),
        days: () => history.slices(range('quarter')),
        counts: (span: Span) => history.counts(range(span)),
        coverage: coverage(target),
        changes: () => changes.recent(CHANGES_SHOWN, target.name),
        incidents: () => incidents.of(target.name, INCIDENTS_SHOWN),
        runs: () => history.runs(target.name, RUNS_SHOWN),
        canary: canary.state(target),
        maintenance: maintenance.of(target.name, windows),
      };
    });
    return {
      version,
      now,
      startedAt,
      targets,
      alerts: ledger.recent(ALERTS_SHOWN),
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
