import type { Clock } from '../../src/probe/clock.ts';

export type FakeClock = Clock & {
  /** Moves both clocks, firing what is due on the way, and lets promises settle after each. */
  advance(milliseconds: number): Promise<void>;
  /** Sets the wall clock alone, as an operator or NTP does. */
  jump(milliseconds: number): void;
};

type Timer = { readonly at: number; readonly call: () => void };

/** Time that moves only on request. */
export function createFakeClock(wallStart = Date.parse('2026-11-21T00:00:00Z')): FakeClock {
  let monotonic = 0;
  let wall = wallStart;
  const timers = new Set<Timer>();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    wall: () => wall,
    monotonic: () => monotonic,
    after(milliseconds, call) {
      const timer = { at: monotonic + Math.max(0, milliseconds), call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(milliseconds) {
      const end = monotonic + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        wall += next.at - monotonic;
        monotonic = next.at;
        next.call();
        await settle();
      }
      wall += end - monotonic;
      monotonic = end;
      await settle();
    },
    jump(milliseconds) {
      wall += milliseconds;
    },
  };
}
