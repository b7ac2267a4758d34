import type { Patch } from '../../core/parts.ts';

/** True on every nth call, counted from the first. */
export function everyNth(nth: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % nth === 0;
  };
}

/** A patch with a counter of its own in each server: `isTurn` is true on every nth call. */
export function onEveryNth(nth: number, make: (isTurn: () => boolean) => Patch): Patch {
  return (parts) => make(everyNth(nth))(parts);
}
