/** How late this process itself was: a deadline that passes in the meantime says nothing about the service. */
export type Lateness = {
  /** The longest delay of the event loop, in milliseconds, that ended after that moment of `performance.now()`. */
  worstSince(begin: number): number;
  stop(): void;
};

const BEAT = 50;
const WORTH_NOTING = 50;
const MOST_KEPT = 200;

/** Watches the event loop by a timer that does not keep the process alive. */
export function watchLateness(): Lateness {
  const delays: { readonly end: number; readonly length: number }[] = [];
  let due = performance.now() + BEAT;
  const timer = setInterval(() => {
    const end = performance.now();
    if (end - due >= WORTH_NOTING) delays.push({ end, length: end - due });
    if (delays.length > MOST_KEPT) delays.shift();
    due = end + BEAT;
  }, BEAT).unref();
  return {
    worstSince(begin) {
      // No beat has reported a delay that is not over yet.
      const pending = performance.now() - due;
      return Math.max(0, pending, ...delays.filter(({ end }) => end >= begin).map(({ length }) => length));
    },
    stop: () => clearInterval(timer),
  };
}
