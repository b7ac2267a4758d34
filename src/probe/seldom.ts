import type { Clock } from './clock.ts';

/** How many times as long as it took to make a value it stands: making it takes a tenth of the time at most, however often it is asked for. */
const STANDS = 10;

/** A value that takes time to make: those who ask while it is made, or before it was due again, get the one that there is. */
export function createSeldom<Value>(clock: Clock, make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let until = Number.NEGATIVE_INFINITY;
  return () => {
    if (value !== undefined && clock.monotonic() < until) return value;
    const begin = clock.monotonic();
    until = Number.POSITIVE_INFINITY;
    value = make().finally(() => {
      const end = clock.monotonic();
      until = end + (end - begin) * STANDS;
    });
    return value;
  };
}
