const WEEK = 604_800_000;
/** Milliseconds in advance at which a window is shown. */
const AHEAD = WEEK;

/** Maintenance planned in the configuration: once, or weekly from the first time on. Times are wall clock milliseconds. */
export type PlannedMaintenance = {
  readonly reason: string;
  /** Names of targets; empty for all. */
  readonly targets: readonly string[];
  readonly start: number;
  readonly duration: number;
  readonly weekly: boolean;
};

/** A period in which targets may fail without an alert. */
export type MaintenanceWindow = {
  readonly reason: string;
  readonly targets: readonly string[];
  /** Wall clock, milliseconds. */
  readonly from: number;
  readonly to: number;
};

export type MaintenanceParts = {
  readonly planned: () => readonly PlannedMaintenance[];
  /** Wall clock, milliseconds. */
  readonly wall: () => number;
};

/** The windows of the configuration. */
export type Maintenance = {
  /** The longest current window. Callers with many targets pass the windows. */
  of(target: string, windows?: readonly MaintenanceWindow[]): MaintenanceWindow | undefined;
  /** Current windows and those of the next week, the earliest first. */
  windows(): readonly MaintenanceWindow[];
};

function windowOf({ reason, targets, duration }: PlannedMaintenance, from: number): MaintenanceWindow {
  return { reason, targets, from, to: from + duration };
}

/** The occurrence that began last and, for a weekly plan, the next one. */
function occurrencesOf(plan: PlannedMaintenance, now: number): readonly MaintenanceWindow[] {
  if (!plan.weekly) return [windowOf(plan, plan.start)];
  const last = plan.start + Math.floor((now - plan.start) / WEEK) * WEEK;
  return [last, last + WEEK].map((from) => windowOf(plan, from));
}

export function isUnderWay({ from }: MaintenanceWindow, now: number): boolean {
  return from <= now;
}

export function namesOf({ targets }: Pick<MaintenanceWindow, 'targets'>): string {
  return targets.length === 0 ? 'all targets' : targets.join(', ');
}

export function createMaintenance({ planned, wall }: MaintenanceParts): Maintenance {
  function windows(): readonly MaintenanceWindow[] {
    const now = wall();
    return planned()
      .flatMap((plan) => occurrencesOf(plan, now))
      .filter(({ from, to }) => to > now && from < now + AHEAD)
      .toSorted((a, b) => a.from - b.from);
  }

  return {
    windows,
    of(target, known = windows()) {
      const now = wall();
      const own = known.filter((window) => isUnderWay(window, now) && (window.targets.length === 0 || window.targets.includes(target)));
      return own.toSorted((a, b) => b.to - a.to)[0];
    },
  };
}
