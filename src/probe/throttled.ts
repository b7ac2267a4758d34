import type { Clock } from './clock.ts';

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
