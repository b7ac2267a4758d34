/**
 * What checks and invariants remember in a run, which ends with its session: for each function, the value that it made at the first call.
 * Callers with the same function get the same value, and may change it.
 */
export type Remember = <Value>(begin: () => Value) => Value;

/** The memory of one run, empty. */
export function createMemory(): Remember {
  const values = new Map<() => unknown, unknown>();
  return <Value>(begin: () => Value): Value => {
    if (!values.has(begin)) values.set(begin, begin());
    // Only this function has made the value stored under it.
    return values.get(begin) as Value;
  };
}
