/**
 * What checks and invariants remember of a run, which is over when its session is: for each function, the value that it made when it was first
 * asked for. Whoever asks with the same function gets the same value, and may change it.
 */
export type Remember = <Value>(begin: () => Value) => Value;

/** The memory of one run, empty. */
export function createMemory(): Remember {
  const values = new Map<() => unknown, unknown>();
  return <Value>(begin: () => Value): Value => {
    if (!values.has(begin)) values.set(begin, begin());
    // Only this function has made the value under it.
    return values.get(begin) as Value;
  };
}
