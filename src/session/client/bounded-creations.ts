import { createSemaphore } from '../../wire/semaphore.ts';
import type { SessionOptions } from '../session.ts';
import type { Api } from './api.ts';

/** The largest number of POSTs under way, as for a very slow service; fewer where the budget is small. */
function mostUnderWay({ concurrency, maxCreates }: Pick<SessionOptions, 'concurrency' | 'maxCreates'>): number {
  return Math.min(3 * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

/**
 * The operations as checks use them. Each POST reserves an animal of the write budget while it is under way. Starting no more than can be
 * under way keeps a table of invalid bodies from looking like a spent budget.
 */
export function boundCreations(api: Api, options: Pick<SessionOptions, 'concurrency' | 'maxCreates'>): Api {
  const enter = createSemaphore(() => mostUnderWay(options));
  return { ...api, create: (body, about) => enter(() => api.create(body, about)) };
}
