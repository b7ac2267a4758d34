import type { Session } from '../../src/session/session.ts';

/** Makes a value once per session; later callers get the same value, or the same halt. */
export function oncePerSession<Value>(make: (s: Session) => Promise<Value>): (s: Session) => Promise<Value> {
  const made = new WeakMap<Session, Promise<Value>>();
  return (s) => {
    const value = made.get(s) ?? make(s);
    made.set(s, value);
    return value;
  };
}
