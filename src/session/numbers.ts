// Numbers that follow from a seed or from a position: the same run sends the same.

/**
 * The fractional part of the golden ratio: its multiples never return to the same place of a circle, and are far apart and evenly
 * distributed whether few or many.
 */
export const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Numbers in [0, 1) that follow from a seed (mulberry32): the same seed, the same requests. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
