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
/** So many creations in any company have what clients send besides, from the place that the seed chooses: here the others follow. */
const IN_COMPANY = 8;

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
  const { read } = EQUIVALENTS;
  const besides = (index: number) =>
    index < read.length - IN_COMPANY ? read[(s.options.seed + IN_COMPANY + index) % read.length] : undefined;
  const creations = await s.all(inputs, (input, index) => {
    const categoryId = categories[index % categories.length] ?? input.categoryId;
    // A category other than the one that fixtures found may be closed by now; 400 is correct then.
    const domain = categoryId === input.categoryId ? 'plain' : 'unusual';
    return send(s, { ...input, categoryId }, domain, { ...besides(index), ...(index < together ? { meeting } : {}) });
  });
  return { before, creations };
});
