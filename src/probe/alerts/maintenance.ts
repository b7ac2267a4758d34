const WEEK = 604_800_000;
/** Milliseconds in advance at which a window is shown. */
const SHOWN_IN_ADVANCE = WEEK;

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

export type Maintenance = {
  /** The longest current window. Callers with many targets pass the windows. */
  of(target: string, windows?: readonly MaintenanceWindow[]): MaintenanceWindow | undefined;
  /** Current windows and the next ones within a week, the earliest first. */
  windows(): readonly MaintenanceWindow[];
};

function windowOf({ reason, targets, duration }: PlannedMaintenance, from: number): MaintenanceWindow {
  return { reason, targets, from, to: from + duration };
}

function occurrencesOf(plan: PlannedMaintenance, now: number): readonly MaintenanceWindow[] {
  return plan.starts(now).map((from) => windowOf(plan, from));
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
      .filter(({ from, to }) => to > now && from < now + SHOWN_IN_ADVANCE)
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
