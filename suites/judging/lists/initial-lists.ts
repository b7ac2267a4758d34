import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { idsIn } from './list-contents.ts';
import { askList } from './list-queries.ts';

const DEFAULT = 20;

/** Two lists that mean the same, and two that differ by one animal at most. */
const TWINS: readonly (readonly [ListParameters, ListParameters])[] = [
  [{}, { limit: DEFAULT }],
  [{ limit: 100 }, { limit: 99 }],
];

export type Twins = { readonly parameters: readonly [ListParameters, ListParameters]; readonly lists: readonly [Exchange, Exchange] };

export async function askTwins(s: Session): Promise<readonly Twins[]> {
  return s.all(TWINS, async (parameters) => {
    const [left, right] = await Promise.all([askList(s, parameters[0]), askList(s, parameters[1])]);
    return { parameters, lists: [left, right] as const };
  });
}

/** The lists as they are when the run begins: asked for once, when the animals of that time have been noted. */
export const beginning = oncePerSession(async (s: Session): Promise<readonly Twins[]> => {
  await s.fixtures.sample(1);
  return askTwins(s);
});

export const order = (list: Exchange): readonly string[] => [...idsIn(list)];
export const isSame = (one: Exchange, other: Exchange): boolean => order(one).join() === order(other).join();

/** Whether the shorter list is the beginning of the longer one, which its limit alone cuts off. */
export function areAlike([left, right]: readonly [Exchange, Exchange]): boolean {
  const [one, other] = [order(left), order(right)];
  const limit = Math.min(
    ...[left, right].map(({ request }) => (typeof request.intent.limit === 'number' ? request.intent.limit : DEFAULT)),
  );
  return one.slice(0, limit).join() === other.slice(0, limit).join();
}

/** Whether a page without limit or status is still that of the beginning, when one with limit=20 was the same. */
export async function isOfTheBeginning(s: Session, page: Exchange): Promise<boolean> {
  if (page.request.intent.status !== 'absent') return false;
  const [before] = await beginning(s);
  return before !== undefined && isSame(...before.lists) && isSame(page, before.lists[0]);
}

/**
 * Halts as blocked by list.limit-default when a page without limit is shorter than the same page with limit=20: then the default is
 * what cuts it, and nothing is left out. A page that has stayed what it was is not cut by a default.
 */
export async function proveDefault(s: Session, page: Exchange): Promise<void> {
  const { limit, status } = page.request.intent;
  if (limit !== 'absent' || status === 'open') return;
  const twenty = await s.api.list({ limit: DEFAULT, ...(status === 'absent' ? {} : { status }) });
  if (idsIn(twenty).size > idsIn(page).size && !(await isOfTheBeginning(s, page)))
    haltInconclusive('a page without limit is shorter than with limit=20', 'list.limit-default');
}
