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
