import { Halt } from '../../src/clause/halt.ts';
import type { Connection } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';

/** Makes a value once per session, and once more after an outage; later callers get the same value, or the same halt. */
export function oncePerSession<Value>(make: (s: Session) => Promise<Value>): (s: Session) => Promise<Value> {
  const notMade = (): Promise<Value>[] => [];
  return (s) => {
    const made = s.knowledge.remember(notMade);
    const value = made[s.beginnings()] ?? make(s);
    made[s.beginnings()] = value;
    return value;
  };
}

export async function onConnection<Result>(s: Session, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = s.api.connect();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Runs work for its effect on the store; its halts are reported by the checks that judge it. */
export async function ignoringHalts(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
}
