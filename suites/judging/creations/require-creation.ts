import { haltInconclusive } from '../../../src/clause/halt.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';
import { judgeable } from '../judgeable.ts';

/** Shows that creation works at all: until it does, a rejection proves nothing. Halts as blocked by create.success. */
export async function requireCreation(s: Session): Promise<void> {
  const creations = await s.fixtures.firstCreations();
  if (creations.some(({ exchange }) => statusOf(exchange) === 201)) return;
  for (const { exchange } of creations) judgeable(exchange);
  haltInconclusive('no plain animal could be created', 'create.success');
}
