import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { idsIn } from './ids-in.ts';
import { DEFAULT, initialLists, isSame } from './initial-lists.ts';

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
