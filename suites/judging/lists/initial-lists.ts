import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { askList } from './ask-list.ts';
import { idsIn } from './ids-in.ts';

export const DEFAULT = 20;

/** Two equivalent lists, and two that differ by at most one animal. */
const TWINS: readonly (readonly [ListParameters, ListParameters])[] = [
  [{}, { limit: DEFAULT }],
  [{ limit: 100 }, { limit: 99 }],
];

export type Twins = { readonly parameters: readonly [ListParameters, ListParameters]; readonly lists: readonly [Exchange, Exchange] };

/** Asks for the twins as they are now. */
export async function askTwins(s: Session): Promise<readonly Twins[]> {
  return s.all(TWINS, async (parameters) => {
    const [left, right] = await Promise.all([askList(s, parameters[0]), askList(s, parameters[1])]);
    return { parameters, lists: [left, right] as const };
  });
}

/** The lists as they are when the run starts: requested once, after the initial animals were recorded. */
export const initialLists = oncePerSession(async (s: Session): Promise<readonly Twins[]> => {
  await s.fixtures.sample(1);
  return askTwins(s);
});

/** The ids that a list shows, in its order. */
export const order = (list: Exchange): readonly string[] => [...idsIn(list)];

/** Whether two lists show the same animals in the same order. */
export const isSame = (one: Exchange, other: Exchange): boolean => order(one).join() === order(other).join();
