import type { Clock } from './clock.ts';

/** Milliseconds for which a problem is shown, and after which it is logged again. */
const PROBLEM_SHOWN = 900_000;
const TOLD_AGAIN = 60_000;

/** Problems of the probe itself: shown for a while, and counted permanently. */
export function createProblems(clock: Clock, log: (line: string) => void) {
  const recent = new Map<string, number>();
  return {
    note(problem: string): void {
      const last = recent.get(problem);
      // A disk that stays full would fill the log with the same line each second.
      if (last === undefined || clock.monotonic() - last > TOLD_AGAIN) log(problem);
      recent.set(problem, clock.monotonic());
    },
    now: (): string[] => {
      for (const [problem, at] of recent) if (clock.monotonic() - at > PROBLEM_SHOWN) recent.delete(problem);
      return [...recent.keys()];
    },
  };
}
