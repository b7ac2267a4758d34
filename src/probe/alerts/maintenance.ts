import { hashOf } from '../schedule.ts';
import type { AlertLedger } from './ledger.ts';

const WEEK = 604_800_000;
/** More than anybody opens by hand. */
const MOST_KEPT = 500;
/** Milliseconds in advance at which a window is shown. */
const AHEAD = WEEK;

/** Maintenance planned in the configuration: once, or again and again. Times are wall clock milliseconds. */
export type PlannedMaintenance = {
  readonly reason: string;
  /** Names of targets; empty for all. */
  readonly targets: readonly string[];
  readonly duration: number;
  /** When it began last and when it begins next, or once. */
  readonly starts: (now: number) => readonly number[];
};

/** A period in which targets may fail without an alert. */
export type MaintenanceWindow = {
  readonly id: string;
  readonly reason: string;
  readonly targets: readonly string[];
  /** Wall clock, milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly ended?: number;
};

export type MaintenanceParts = {
  readonly ledger: Pick<AlertLedger, 'windows' | 'keepWindows'>;
  readonly planned: () => readonly PlannedMaintenance[];
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

/** The windows of the configuration, and those that somebody opened or ended while the monitor runs. */
export type Maintenance = {
  /** The longest current window. Callers with many targets pass the windows. */
  of(target: string, windows?: readonly MaintenanceWindow[]): MaintenanceWindow | undefined;
  /** Current windows and the next ones within a week, the earliest first. */
  windows(): readonly MaintenanceWindow[];
  /** Undefined if there are too many. */
  begin(wanted: Pick<PlannedMaintenance, 'reason' | 'targets' | 'duration'>): MaintenanceWindow | undefined;
  /** Ends a current window, or cancels a future one; undefined if there is none. The next occurrence of a weekly one stays as planned. */
  end(id: string): MaintenanceWindow | undefined;
};

function windowOf({ reason, targets }: Pick<PlannedMaintenance, 'reason' | 'targets'>, from: number, duration: number): MaintenanceWindow {
  const to = from + duration;
  // Stable across restarts, so that an ended window of the configuration stays ended.
  return { id: hashOf(JSON.stringify([reason, targets, from, to])).toString(36), reason, targets, from, to };
}

function occurrencesOf(plan: PlannedMaintenance, now: number): readonly MaintenanceWindow[] {
  return plan.starts(now).map((from) => windowOf(plan, from, plan.duration));
}

export function isUnderWay({ from }: MaintenanceWindow, now: number): boolean {
  return from <= now;
}

export function namesOf({ targets }: Pick<MaintenanceWindow, 'targets'>): string {
  return targets.length === 0 ? 'all targets' : targets.join(', ');
}

export function createMaintenance({ ledger, planned, wall }: MaintenanceParts): Maintenance {
  function windows(): readonly MaintenanceWindow[] {
    const now = wall();
    const known = [...planned().flatMap((plan) => occurrencesOf(plan, now)), ...ledger.windows()];
    // The kept state of a window of the configuration takes precedence.
    const byId = new Map(known.map((window) => [window.id, window]));
    return [...byId.values()]
      .filter(({ from, to, ended }) => ended === undefined && to > now && from < now + AHEAD)
      .toSorted((a, b) => a.from - b.from);
  }

  function keep(window: MaintenanceWindow): MaintenanceWindow | undefined {
    const now = wall();
    const others = ledger.windows().filter(({ id, to }) => id !== window.id && to > now);
    if (others.length >= MOST_KEPT) return undefined;
    ledger.keepWindows([...others, window]);
    return window;
  }

  return {
    windows,
    of(target, known = windows()) {
      const now = wall();
      const own = known.filter((window) => isUnderWay(window, now) && (window.targets.length === 0 || window.targets.includes(target)));
      return own.toSorted((a, b) => b.to - a.to)[0];
    },
    begin: (wanted) => keep(windowOf(wanted, wall(), wanted.duration)),
    end(id) {
      const window = windows().find((one) => one.id === id);
      return window === undefined ? undefined : keep({ ...window, ended: wall() });
    },
  };
}
