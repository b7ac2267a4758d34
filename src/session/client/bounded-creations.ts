import { MOST_MORE } from '../../wire/pace.ts';
import { createSemaphore } from '../../wire/semaphore.ts';
import type { SessionOptions } from '../session.ts';
import { currentCheck } from '../state/asking.ts';
import type { Api } from './api.ts';

/** The largest number of POSTs in flight, as for a distant service; fewer if the budget is small. */
function mostUnderWay({ concurrency, maxCreates }: Pick<SessionOptions, 'concurrency' | 'maxCreates'>): number {
  return Math.min(MOST_MORE * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

/**
 * The operations as checks use them. A table of invalid bodies is sent a few at a time, so that the write budget notices accepted ones
 * before they use up the part that it reserves for other creations.
 */
export function boundCreations(api: Api, options: Pick<SessionOptions, 'concurrency' | 'maxCreates'>, isFar: () => boolean): Api {
  const enter = createSemaphore(() => mostUnderWay(options), isFar);
  return { ...api, create: (body, about) => enter(() => api.create(body, about), currentCheck()) };
}
