import type { Connection } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';

/** Works on a connection of its own, which is closed afterwards. */
export async function onConnection<Result>(s: Session, work: (connection: Connection) => Promise<Result>): Promise<Result> {
  const connection = s.api.connect();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
