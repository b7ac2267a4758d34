import type { Clock } from './clock.ts';

/** Work that is done again and again until all of it is stopped; what one round throws does not end it. */
export type Repeater = {
  /** Does the work each so many milliseconds after the round before. */
  every(milliseconds: number, work: () => void): void;
  stop(): void;
};

/** A repeater on a clock, which hands over what work throws. */
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
