import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { oncePerSession } from '../once-per-session.ts';
import { concurrentBatch } from './concurrent-batch.ts';

const EVERY = Number.MAX_SAFE_INTEGER;

/**
 * The animals to judge lists against: more than 100 where the suite may write, otherwise those that exist. The sixteen that
 * create.independent needs are created first, so that they count. Halts when there are no animals at all.
 */
export const largeStore = oncePerSession(async (s: Session): Promise<readonly PetView[]> => {
  if (!s.options.readOnly) {
    await ignoringHalts(() => concurrentBatch(s));
    await ignoringHalts(() => s.fixtures.many());
  }
  return s.fixtures.sample(EVERY);
});
