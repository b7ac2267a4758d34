import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../../src/wire/exchange.ts';
import { oncePerSession } from '../once-per-session.ts';
import { askList } from './list-queries.ts';

/** The largest unfiltered page and the largest page of each status. */
export function largeLists(s: Session): Promise<readonly Exchange[]> {
  return s.all([{ limit: 100 }, ...PET_STATUSES.map((status) => ({ status, limit: 100 }))], (parameters) => askList(s, parameters));
}

/** The large lists as they are at the end of the run: requested once. */
export const lastLists = oncePerSession(largeLists);
