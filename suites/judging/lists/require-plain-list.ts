import { haltInconclusive } from '../../../src/clause/halt.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';

/** Halts as blocked by list.success when even a list without parameters is rejected: no parameter is to blame then. */
export async function requirePlainList(s: Session): Promise<void> {
  const status = statusOf(await s.fixtures.firstList());
  if (status !== 200) haltInconclusive(`GET /pets without parameters returned ${status ?? 'no response'}`, 'list.success');
}
