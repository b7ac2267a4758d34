import type { Patch } from '../../core/parts.ts';

/** True on every nth call, counted from the first. */
export function everyNth(nth: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % nth === 0;
  };
}

/** A patch with a separate counter in each server: `isTurn` is true on every nth call. */
export function onEveryNth(nth: number, make: (isTurn: () => boolean) => Patch): Patch {
  return (parts) => make(everyNth(nth))(parts);
}

/**
 * A patch with a separate counter in each server: from every `every`th call on, `isGone` is true for `length` milliseconds. It begins by
 * requests and not by time, so that each run meets it.
 */
export function onOutages(
  { every, length }: { readonly every: number; readonly length: number },
  make: (isGone: () => boolean) => Patch,
): Patch {
  return (parts) => {
    const isTurn = everyNth(every);
    let until = 0;
    return make(() => {
      if (isTurn()) until = Date.now() + length;
      return Date.now() < until;
    })(parts);
  };
}
