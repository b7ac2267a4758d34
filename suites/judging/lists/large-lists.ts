import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { isRejectedList, largePage } from './largest-page.ts';

/** The largest unfiltered page and the largest page of each status, except those that the service rejects while it accepts others. */
export async function largeLists(s: Session): Promise<readonly Exchange[]> {
  const lists = await s.all([{}, ...PET_STATUSES.map((status) => ({ status }))], async (parameters) =>
    s.api.list(await largePage(s, { ...parameters, limit: 100 })),
  );
  const given = lists.filter((list) => !isRejectedList(list));
  return given.length === 0 ? lists : given;
}

/** The large lists as they are at the end of the run: requested once. */
export const lastLists = oncePerSession(largeLists);
