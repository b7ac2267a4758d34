// How many animals may be created at a target, and when the next one is due.

import type { Clock } from '../clock.ts';
import type { MonitorConfig } from '../config/config.ts';
import type { Target } from '../target.ts';

/** How many animals may be created at a target: there is no way to delete one, so both limits must be configured. */
export type CanaryLimits = {
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
export function spacingOf({ perDay }: Pick<CanaryLimits, 'perDay'>): number {
  return DAY / perDay;
}

/** Midnight in UTC before a moment. */
export function startOfDay(wall: number): number {
  return Math.floor(wall / DAY) * DAY;
}

const animals = (count: number): string => `${count} ${count === 1 ? 'animal' : 'animals'}`;

function describeTarget({ name, interval }: Target, { perDay, lifetime, categoryId }: CanaryLimits): string {
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

/** Milliseconds between two turns, and the wall clock of the latest creation in the ledger, undefined if there is none. */
type Beat = { readonly spacing: number; readonly lastAt: number | undefined };

/** When a target may get its next animal: on the monotonic clock, so that a jump of the wall clock causes no burst. */
export type CanarySchedule = {
  isDue(target: string, beat: Beat): boolean;
  /** Wall clock of the next turn, milliseconds; in the past if one is due and was not taken. */
  dueAt(target: string, beat: Beat): number;
  /** The turn was taken, whatever its result. */
  took(target: string): void;
};

const HOUR = 3_600_000;

type Turn = { readonly spacing: number; due: number };

/** One beat per target. Missed turns are not made up for: after a pause there is one creation, and then the next beat. */
export function createCanarySchedule(clock: Clock): CanarySchedule {
  const turns = new Map<string, Turn>();

  function firstDue(spacing: number, lastAt: number | undefined): number {
    // An empty ledger may be one that is lost at each start: restarts must not create one animal after the other.
    if (lastAt === undefined) return clock.monotonic() + Math.min(spacing, HOUR);
    const since = Math.max(0, clock.wall() - lastAt);
    return clock.monotonic() + Math.max(0, spacing - since);
  }

  function turnOf(target: string, { spacing, lastAt }: Beat): Turn {
    const known = turns.get(target);
    const turn = known?.spacing === spacing ? known : { spacing, due: firstDue(spacing, lastAt) };
    turns.set(target, turn);
    return turn;
  }

  return {
    isDue: (target, beat) => clock.monotonic() >= turnOf(target, beat).due,
    dueAt: (target, beat) => clock.wall() + turnOf(target, beat).due - clock.monotonic(),
    took(target) {
      const turn = turns.get(target);
      if (turn === undefined) return;
      const now = clock.monotonic();
      const { spacing, due } = turn;
      const next = due + (Math.floor((now - due) / spacing) + 1) * spacing;
      // A turn that was taken late must not be followed immediately by one that is on time.
      turn.due = Math.max(next, now + spacing / 2);
    },
  };
}
