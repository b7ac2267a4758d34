import type { Clock } from '../clock.ts';

/** Milliseconds between two turns, and the wall clock of the latest creation in the ledger, undefined if there is none. */
type Beat = { readonly spacing: number; readonly lastAt: number | undefined };

/** When a target may get its next animal: on the monotonic clock, so that a jump of the wall clock causes no burst. */
export type Pace = {
  isDue(target: string, beat: Beat): boolean;
  /** Wall clock of the next turn, milliseconds; in the past if one is due and was not taken. */
  dueAt(target: string, beat: Beat): number;
  /** The turn was taken, whatever its result. */
  took(target: string): void;
};

const HOUR = 3_600_000;

type Turn = { readonly spacing: number; due: number };

/** One beat per target. Missed turns are not made up for: after a pause there is one creation, and then the next beat. */
export function createPace(clock: Clock): Pace {
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
