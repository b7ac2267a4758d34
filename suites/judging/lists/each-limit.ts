import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { largeStore } from '../creations/large-store.ts';
import { oncePerSession } from '../once-per-session.ts';

const LARGEST = 100;

/** One list for each limit from 1 to 100, requested once when the store is at its largest. */
export const eachLimit = oncePerSession(async (s: Session): Promise<readonly { readonly limit: number; readonly exchange: Exchange }[]> => {
  await s.fixtures.admitted();
  await largeStore(s);
  const limits = Array.from({ length: LARGEST }, (_unused, index) => index + 1);
  return s.all(s.portion(limits), async (limit) => ({ limit, exchange: await s.api.list({ limit }) }));
});
