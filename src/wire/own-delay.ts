/** How late this process itself was: what it measures while it is blocked says nothing about the service. */
export type OwnDelay = {
  /** The longest delay of the event loop, in milliseconds, that ended after that moment of the clock, or has not ended. */
  longestSince(begin: number): number;
  stop(): void;
};

/** A clock in milliseconds, and timers on it; what `after` returns cancels the timer. */
export type Timers = {
  monotonic(): number;
  after(milliseconds: number, call: () => void): () => void;
};

/** `performance.now()`, and timers that do not keep the process alive. */
const OWN_TIMERS: Timers = {
  monotonic: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

const BEAT_INTERVAL = 50;
const LEAST_NOTED_DELAY = 50;
const MOST_KEPT = 200;

export function watchOwnDelay(timers: Timers = OWN_TIMERS): OwnDelay {
  const delays: { readonly end: number; readonly length: number }[] = [];
  let due = 0;
  let cancel = (): void => undefined;
  function beat(): void {
    due = timers.monotonic() + BEAT_INTERVAL;
    cancel = timers.after(BEAT_INTERVAL, () => {
      const end = timers.monotonic();
      if (end - due >= LEAST_NOTED_DELAY) delays.push({ end, length: end - due });
      if (delays.length > MOST_KEPT) delays.shift();
      beat();
    });
  }
  beat();
  return {
    longestSince(begin) {
      // No beat has reported a delay that is not over yet.
      const pending = timers.monotonic() - due;
      return Math.max(0, pending, ...delays.filter(({ end }) => end >= begin).map(({ length }) => length));
    },
    stop: () => cancel(),
  };
}
