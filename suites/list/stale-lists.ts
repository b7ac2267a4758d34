import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { askTwins, DEFAULT, initialLists, isSame, order, type Twins } from '../judging/lists/initial-lists.ts';

/** The list that still equals its initial contents, and a newer animal of ours that its twin shows. */
function staleOf(s: Session, before: Twins, now: Twins): { readonly stale: 0 | 1; readonly newer: string } | undefined {
  if (!areAlike(before.lists) || areAlike(now.lists)) return undefined;
  for (const stale of [0, 1] as const) {
    const [list, twin] = [now.lists[stale], now.lists[stale === 0 ? 1 : 0]];
    const newer = order(twin).find((id) => s.knowledge.created.has(id) && !idsIn(list).has(id));
    // A full page may be cut anywhere.
    const isShort = list.request.intent.limit === 'absent' || list.request.intent.limit === 20 || idsIn(list).size < idsIn(twin).size;
    if (newer !== undefined && isShort && isSame(list, before.lists[stale]) && !isSame(twin, before.lists[stale === 0 ? 1 : 0])) {
      return { stale, newer };
    }
  }
  return undefined;
}

async function judgeTwins(s: Session, before: Twins, first: Twins): Promise<Finding | undefined> {
  let now = first;
  if (staleOf(s, before, now) === undefined) return undefined;
  await s.poll(
    async () => {
      const [left, right] = [await askList(s, now.parameters[0]), await askList(s, now.parameters[1])];
      now = { ...now, lists: [left, right] };
      return left;
    },
    () => staleOf(s, before, now) === undefined,
  );
  const found = staleOf(s, before, now);
  if (found === undefined) return undefined;
  const { stale, newer } = found;
  const [list, twin] = [now.lists[stale], now.lists[stale === 0 ? 1 : 0]];
  return finding([before.lists[stale], before.lists[stale === 0 ? 1 : 0], list, twin], {
    summary: `${describeRequest(list)} still returns only the ${idsIn(list).size} animals it had when the run started, while ${describeRequest(twin)} now includes animal ${newer}, created during the run`,
    expected: ['the same animals in both lists, up to the shorter limit'],
    received: `${idsIn(list).size} and ${idsIn(twin).size} animals`,
  });
}

/** Lists that were equal when the run started either stay equal or both change. */
export async function judgeStaleLists(s: Session): Promise<Outcome> {
  const before = await initialLists(s);
  await largeStore(s);
  if (s.knowledge.created.size === 0) haltInconclusive('no animal was created', 'create.success');
  const now = await askTwins(s);
  return judgeRows(s, {
    rows: before.flatMap((one, index) => {
      const other = now[index];
      return other === undefined ? [] : [{ one, other }];
    }),
    judge: ({ one, other }) => judgeTwins(s, one, other),
    evidence: `${s.knowledge.created.size} animals were created; none of ${2 * before.length} lists became stale`,
  });
}

/** Whether the shorter list is a prefix of the longer one, cut only by its limit. */
export function areAlike([left, right]: readonly [Exchange, Exchange]): boolean {
  const [one, other] = [order(left), order(right)];
  const limit = Math.min(
    ...[left, right].map(({ request }) => (typeof request.intent.limit === 'number' ? request.intent.limit : DEFAULT)),
  );
  return one.slice(0, limit).join() === other.slice(0, limit).join();
}
