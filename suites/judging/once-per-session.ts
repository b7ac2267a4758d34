import type { Session } from '../../src/session/session.ts';

/** Makes a value once per session; later callers get the same value, or the same halt. */
export function oncePerSession<Value>(make: (s: Session) => Promise<Value>): (s: Session) => Promise<Value> {
  const notMade = (): { value?: Promise<Value> } => ({});
  return (s) => {
    const made = s.knowledge.remember(notMade);
    made.value ??= make(s);
    return made.value;
  };
}
