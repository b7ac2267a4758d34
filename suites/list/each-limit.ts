import { equivalentsOf } from '../../src/session/client/equivalent.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { largeStore } from '../judging/creations/large-store.ts';

const LIMITS: readonly number[] = Array.from({ length: 100 }, (_unused, index) => index + 1);

const noneAsked = (): Promise<Exchange>[] => [];

/** One list for each limit from 1 to 100, sent in equivalent ways, each at most once per session, when the store is largest. */
export async function eachLimit(s: Session): Promise<readonly Exchange[]> {
  await s.fixtures.admitted();
  await largeStore(s);
  const asked = s.knowledge.remember(noneAsked);
  const equivalent = equivalentsOf('list', s.options.seed);
  return s.all(s.portion(LIMITS), (limit) => (asked[limit] ??= s.api.list({ limit }, equivalent(limit))));
}
