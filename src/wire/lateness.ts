/** How late this process itself was: what it measures while it is blocked says nothing about the service. */
export type Lateness = {
  /** The longest delay of the event loop, in milliseconds, that ended after that moment of the clock, or has not ended. */
  worstSince(begin: number): number;
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

const BEAT = 50;
const WORTH_NOTING = 50;
const MOST_KEPT = 200;

export function watchLateness(timers: Timers = OWN_TIMERS): Lateness {
  const delays: { readonly end: number; readonly length: number }[] = [];
  let due = 0;
  let cancel = (): void => undefined;
  function beat(): void {
    due = timers.monotonic() + BEAT;
    cancel = timers.after(BEAT, () => {
      const end = timers.monotonic();
      if (end - due >= WORTH_NOTING) delays.push({ end, length: end - due });
      if (delays.length > MOST_KEPT) delays.shift();
      beat();
    });
  }
  beat();
  return {
    worstSince(begin) {
      // No beat has reported a delay that is not over yet.
      const pending = timers.monotonic() - due;
      return Math.max(0, pending, ...delays.filter(({ end }) => end >= begin).map(({ length }) => length));
    },
    stop: () => cancel(),
  };
}
