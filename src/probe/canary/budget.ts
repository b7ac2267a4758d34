import type { MonitorConfig } from '../config/config.ts';
import type { Target } from '../target.ts';

/** How many animals may be created at a target: there is no way to delete one, so both limits must be configured. */
export type WriteBudget = {
  /** Per day of UTC, spread over it. */
  readonly perDay: number;
  /** In total, across all restarts. */
  readonly lifetime: number;
  /** Undefined: the category of an animal that the list shows. */
  readonly categoryId: bigint | undefined;
};

const DAY = 86_400_000;

/** The minimum deadline in milliseconds of a run that may create an animal: reads, the creation, and time to look for it. */
export const LEAST_DEADLINE = 8_000;

/** Milliseconds between two creations at a target. */
export function spacingOf({ perDay }: Pick<WriteBudget, 'perDay'>): number {
  return DAY / perDay;
}

/** Midnight in UTC before a moment. */
export function startOfDay(wall: number): number {
  return Math.floor(wall / DAY) * DAY;
}

const animals = (count: number): string => `${count} ${count === 1 ? 'animal' : 'animals'}`;

function describeTarget({ name, interval }: Target, { perDay, lifetime, categoryId }: WriteBudget): string {
  // A run creates at most one.
  const most = Math.min(perDay, Math.max(1, Math.floor(DAY / interval)));
  const where = categoryId === undefined ? 'in the category of a listed animal' : `in category ${categoryId}`;
  return `${name} creates at most ${animals(most)} a day and ${lifetime} in all, ${where}, which cannot be deleted`;
}

/** What the targets of a configuration will create, one sentence each; targets that create nothing share one. */
export function describeWrites({ targets, schedule }: Pick<MonitorConfig, 'targets' | 'schedule'>): readonly string[] {
  const sentences = targets.flatMap((target) => {
    if (target.writes === undefined) return [];
    if (!schedule) return [`${target.name} creates nothing, because "schedule" is false and /probe never writes`];
    return [describeTarget(target, target.writes)];
  });
  if (sentences.length === 0) return ['no target creates animals'];
  return sentences.length === targets.length ? sentences : [...sentences, 'all other targets are only read'];
}
