import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { askList } from './ask-list.ts';
import { idsIn } from './list-contents.ts';

const DEFAULT = 20;

/** Two equivalent lists, and two that differ by at most one animal. */
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

/** The lists as they are when the run starts: requested once, after the initial animals were recorded. */
export const initialLists = oncePerSession(async (s: Session): Promise<readonly Twins[]> => {
  await s.fixtures.sample(1);
  return askTwins(s);
});

export const order = (list: Exchange): readonly string[] => [...idsIn(list)];
export const isSame = (one: Exchange, other: Exchange): boolean => order(one).join() === order(other).join();

/** Whether the shorter list is a prefix of the longer one, cut only by its limit. */
export function areAlike([left, right]: readonly [Exchange, Exchange]): boolean {
  const [one, other] = [order(left), order(right)];
  const limit = Math.min(
    ...[left, right].map(({ request }) => (typeof request.intent.limit === 'number' ? request.intent.limit : DEFAULT)),
  );
  return one.slice(0, limit).join() === other.slice(0, limit).join();
}

/** Whether a page without limit or status still equals the initial page, which at that time equaled the page for limit=20. */
export async function isInitialPage(s: Session, page: Exchange): Promise<boolean> {
  if (page.request.intent.status !== 'absent') return false;
  const [before] = await initialLists(s);
  return before !== undefined && isSame(...before.lists) && isSame(page, before.lists[0]);
}

/**
 * Halts as blocked by list.limit-default when a page without limit is shorter than the same page with limit=20: the default
 * cuts it then, and nothing is omitted. A page that never changes is not cut by a default.
 */
export async function requireSameDefault(s: Session, page: Exchange): Promise<void> {
  const { limit, status } = page.request.intent;
  if (limit !== 'absent' || status === 'open') return;
  const twenty = await s.api.list({ limit: DEFAULT, ...(status === 'absent' ? {} : { status }) });
  if (idsIn(twenty).size > idsIn(page).size && !(await isInitialPage(s, page)))
    haltInconclusive('a page without limit is shorter than the page with limit=20', 'list.limit-default');
}
