import { EQUIVALENTS } from '../../../src/session/client/equivalent.ts';
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
 * The number of creations in `inAnyCompany` that have further headers of common clients, from the one that the seed chooses on: the batch
 * uses the others.
 */
const IN_COMPANY = 8;

/**
 * Sixteen animals of all statuses and several categories, created concurrently: first as many at the same moment as may be in flight, then
 * each of the others as soon as one of these is done.
 */
export const concurrentBatch = oncePerSession(async (s): Promise<Batch> => {
  // The animals that the batch is compared with are created before it, sequentially.
  await s.fixtures.firstCreations();
  await ignoringHalts(() => s.fixtures.sample(1));
  const before = new Set([...s.knowledge.seen.keys(), ...s.knowledge.created.keys()]);
  const categories = await acceptedCategories(s);
  const inputs = await Promise.all(
    Array.from({ length: BATCH }, (_unused, index) => s.fixtures.plain(PET_STATUSES[index % PET_STATUSES.length])),
  );
  const together = Math.min(BATCH, s.options.concurrency);
  const meeting = createMeeting(together);
  const { read } = EQUIVALENTS;
  const besides = (index: number) =>
    index < read.length - IN_COMPANY ? read[(s.options.seed + IN_COMPANY + index) % read.length] : undefined;
  const creations = await s.all(inputs, (input, index) => {
    const categoryId = categories[index % categories.length] ?? input.categoryId;
    // A category other than the one that fixtures found may be unavailable by now; 400 is correct then.
    const domain = categoryId === input.categoryId ? 'plain' : 'unusual';
    return send(s, { ...input, categoryId }, domain, { ...besides(index), ...(index < together ? { meeting } : {}) });
  });
  return { before, creations };
});
