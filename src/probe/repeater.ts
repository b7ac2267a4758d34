import type { Clock } from './clock.ts';

/** Work that is repeated until all of it is stopped; an exception in one round does not end it. */
export type Repeater = {
  /** Repeats the work that many milliseconds after the previous round. */
  every(milliseconds: number, work: () => void): void;
  stop(): void;
};

/** A repeater on a clock, which passes exceptions of the work to `onError`. */
export function createRepeater(clock: Clock, onError: (error: unknown) => void): Repeater {
  const timers = new Set<() => void>();
  let stopped = false;

  function every(milliseconds: number, work: () => void): void {
    if (stopped) return;
    const cancel = clock.after(milliseconds, () => {
      timers.delete(cancel);
      try {
        work();
      } catch (error) {
        onError(error);
      }
      every(milliseconds, work);
    });
    timers.add(cancel);
  }

  return {
    every,
    stop() {
      stopped = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}
