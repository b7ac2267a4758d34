// Clocks, work that is repeated by a clock, and values that are valid for some time.

/** Time as a parameter: two clocks, because the wall may jump by a day and intervals must not. */
export type Clock = {
  /** Wall clock, milliseconds since 1970: for what people and files read. */
  wall(): number;
  /** Monotonic milliseconds from an arbitrary origin: for intervals and durations. */
  monotonic(): number;
  /** Calls once after that many milliseconds; the result cancels it. */
  after(milliseconds: number, call: () => void): () => void;
};

/** The clocks of this machine. Timers do not keep the process alive: its owner does. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.max(0, milliseconds));
    return () => clearTimeout(timer);
  },
};

/** Work that is repeated until all of it is stopped; an exception in one round does not end it. */
export type Repeater = {
  /** Counts from the end of the previous round. */
  every(milliseconds: number, work: () => void): void;
  stop(): void;
};

export function createRepeater(clock: Clock, onError: (error: unknown) => void): Repeater {
  const timers = new Set<() => void>();
  let isStopped = false;

  function every(milliseconds: number, work: () => void): void {
    if (isStopped) return;
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
      isStopped = true;
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };
}

/**
 * A value is valid for this many times as long as it took to compute: computing it takes at most a tenth of the time, however often it is
 * requested.
 */
const VALIDITY = 10;

/** A value that is expensive to compute: callers during the computation, or before it is due again, get the existing one. */
export function createThrottled<Value>(clock: Clock, make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    if (value !== undefined && clock.monotonic() < until) return value;
    const begin = clock.monotonic();
    until = Number.POSITIVE_INFINITY;
    value = make().finally(() => {
      const end = clock.monotonic();
      until = end + (end - begin) * VALIDITY;
    });
    return value;
  };
}
