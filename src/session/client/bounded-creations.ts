import { createSemaphore } from '../../wire/semaphore.ts';
import type { SessionOptions } from '../session.ts';
import { whoAsks } from '../state/asking.ts';
import type { Api } from './api.ts';

/** The largest number of POSTs under way, as for a very slow service; fewer where the budget is small. */
function mostUnderWay({ concurrency, maxCreates }: Pick<SessionOptions, 'concurrency' | 'maxCreates'>): number {
  return Math.min(3 * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

/**
 * The operations as checks use them. A table of invalid bodies is sent a few at a time, so that the write budget sees which of them are accepted
 * before they have used up the part that it keeps for other creations.
 */
export function boundCreations(api: Api, options: Pick<SessionOptions, 'concurrency' | 'maxCreates'>, isLate: () => boolean): Api {
  const enter = createSemaphore(() => mostUnderWay(options), isLate);
  return { ...api, create: (body, about) => enter(() => api.create(body, about), whoAsks()) };
}
