import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { largeStore } from '../creations/large-store.ts';

const LIMITS: readonly number[] = Array.from({ length: 100 }, (_unused, index) => index + 1);

/** A list with a limit, sent when it is first asked for. */
type LimitedList = { readonly limit: number; readonly ask: () => Promise<Exchange> };

const noneAsked = (): Promise<Exchange>[] => [];

/** One list for each limit from 1 to 100, each requested at most once per session, when the store is at its largest. */
export async function eachLimit(s: Session): Promise<readonly LimitedList[]> {
  await s.fixtures.admitted();
  await largeStore(s);
  const asked = s.knowledge.remember(noneAsked);
  return LIMITS.map((limit) => ({ limit, ask: async () => (asked[limit] ??= s.api.list({ limit })) }));
}
