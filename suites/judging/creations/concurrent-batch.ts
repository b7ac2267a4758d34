import { createMeeting } from '../../../src/session/client/meeting.ts';
import type { Creation } from '../../../src/session/session.ts';
import { PET_STATUSES } from '../../../src/wire/exchange.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { oncePerSession } from '../once-per-session.ts';
import { acceptedCategories } from './accepted-categories.ts';
import { send } from './send.ts';

export type Batch = {
  /** Ids known before, as digits. */
  readonly before: ReadonlySet<string>;
  readonly creations: readonly Creation[];
};

const BATCH = 16;

/**
 * Sixteen animals of all statuses and several categories, created concurrently: at first as many at the same moment as may be under way, then the
 * others as each of these is over.
 */
export const concurrentBatch = oncePerSession(async (s): Promise<Batch> => {
  // What the batch is compared with is created before it: one after the other.
  await s.fixtures.firstCreations();
  await ignoringHalts(() => s.fixtures.sample(1));
  const before = new Set([...s.knowledge.seen.keys(), ...s.knowledge.created.keys()]);
  const categories = await acceptedCategories(s);
  const inputs = await Promise.all(
    Array.from({ length: BATCH }, (_unused, index) => s.fixtures.plain(PET_STATUSES[index % PET_STATUSES.length])),
  );
  const together = Math.min(BATCH, s.options.concurrency);
  const meeting = createMeeting(together);
  const creations = await s.all(inputs, (input, index) => {
    const categoryId = categories[index % categories.length] ?? input.categoryId;
    // A category other than the one that fixtures found may be closed by now; 400 is correct then.
    return send(s, { ...input, categoryId }, categoryId === input.categoryId ? 'plain' : 'unusual', index < together ? { meeting } : {});
  });
  return { before, creations };
});
