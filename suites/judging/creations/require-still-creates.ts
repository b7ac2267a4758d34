import { haltInconclusive } from '../../../src/clause/halt.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { send } from './send.ts';

/** Whether a plain NewPet is still accepted: sent once, when somebody first asks. */
export const stillCreates = oncePerSession(async (s) => statusOf((await send(s, await s.fixtures.plain('available'))).exchange) === 201);

/**
 * Halts as blocked by create.success when a creation was rejected with the wrong status and plain animals can no longer be created
 * either (a full store, a quota). Creates an animal only in that case, and only once.
 */
export async function requireStillCreates(s: Session, refusal: Exchange): Promise<void> {
  if ((statusOf(refusal) ?? 0) < 300) return;
  if (!(await stillCreates(s))) haltInconclusive('the service no longer creates plain animals', 'create.success');
}
