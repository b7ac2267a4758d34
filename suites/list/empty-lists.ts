import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { eachLimit } from '../judging/lists/each-limit.ts';

async function judgeEmptyList(s: Session, limit: number, exchange: Exchange): Promise<Finding | undefined> {
  if (statusOf(judgeable(exchange)) !== 200) haltInconclusive(`limit=${limit} is rejected`, 'list.limit-accepted');
  if (petsOf(exchange).length > 0) return undefined;
  const again = [await askList(s, { limit }), await askList(s, { limit }), await askList(s, { limit })];
  if (again.some((list) => petsOf(list).length > 0)) haltInconclusive(`limit=${limit} returned an empty list once`, 'list.read-only');
  return finding([exchange, ...again], {
    summary: `GET /pets?limit=${limit} returned an empty list although the store has animals`,
    expected: ['at least one animal'],
    received: 'an empty list',
  });
}

/** Judges whether a list for any limit is empty, although the store is at its largest. */
export async function judgeEmptyLists(s: Session): Promise<Outcome> {
  const lists = await eachLimit(s);
  return judgeRows(s, {
    rows: lists,
    judge: async ({ limit, ask }) => judgeEmptyList(s, limit, await ask()),
    evidence: `${lists.length} lists with a limit, none of them empty`,
  });
}
