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

/** A patch with a clock of its own in each server: `isGone` is true for the last `length` of every `period` milliseconds since the first call. */
export function onGaps(
  { period, length }: { readonly period: number; readonly length: number },
  make: (isGone: () => boolean) => Patch,
): Patch {
  return (parts) => {
    let begin: number | undefined;
    return make(() => {
      begin ??= Date.now();
      return (Date.now() - begin) % period >= period - length;
    })(parts);
  };
}
