import { statusOf } from '../../../src/expect/expect.ts';
import { oncePerSession } from '../once-per-session.ts';
import { send } from './send.ts';

/** Whether a plain NewPet is still accepted: sent once, at the first call. */
export const stillCreates = oncePerSession(async (s) => statusOf((await send(s, await s.fixtures.plain('available'))).exchange) === 201);
