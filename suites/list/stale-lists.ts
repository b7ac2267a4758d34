import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding, petsOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { crowd } from '../judging/creations/large-store.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { areAlike, askTwins, beginning, isSame, order, type Twins } from '../judging/lists/initial-lists.ts';
import { hasRoom, idsIn, missingFrom } from '../judging/lists/list-contents.ts';
import { askList } from '../judging/lists/list-queries.ts';

const LARGEST = 100;
/** The list must have grown by this many, and this many animals must be hidden, before no page cut can explain it. */
const GROWN = 3;
const HIDDEN = 5;

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
export async function judgeOfTheBeginning(s: Session): Promise<Outcome> {
  const before = await beginning(s);
  await crowd(s);
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

/** Whether the list still shows what it showed before, and more: then it had room. */
function hasGrown(before: Exchange, now: Exchange): boolean {
  const [old, later] = [idsIn(before), idsIn(now)];
  return later.size < LARGEST && later.size >= old.size + GROWN && [...old].every((id) => later.has(id));
}

/**
 * A status that no animal in the largest unfiltered list has, although the filter shows several and the list has grown by
 * others: a page that is cut would not grow.
 */
async function judgeHidden(
  s: Session,
  status: PetStatus,
  { before, now }: { before: Exchange; now: Exchange },
): Promise<Finding | undefined> {
  if ([before, now].some((list) => petsOf(list).some((pet) => pet.status === status))) return undefined;
  const filtered = await askList(s, { status, limit: LARGEST });
  // Animals that existed when the list was first requested: it was not cut before them, or it could not have grown.
  const early = (await s.fixtures.sample(Number.MAX_SAFE_INTEGER)).filter(({ id }) => !s.knowledge.created.has(String(id)));
  const hidden = petsOf(filtered).filter((pet) => pet.status === status && early.some(({ id }) => id === pet.id));
  if (hidden.length < HIDDEN) return undefined;
  const isFull = (list: Exchange): boolean => missingFrom(list, hidden).length < hidden.length || !hasGrown(before, list);
  const again = await s.poll(() => s.api.list({ limit: LARGEST }), isFull);
  const [first] = hidden;
  if (isFull(again) || first === undefined) return undefined;
  const { pet, exchange } = await readBack(s, first.id);
  if (pet?.status !== status) return undefined;
  return finding([before, filtered, exchange, again], {
    summary: `the unfiltered list grew from ${idsIn(before).size} to ${idsIn(again).size} animals but contains no ${status} ones; status=${status} returns ${hidden.length}`,
    expected: [`${status} animals among the others`],
    received: `${idsIn(again).size} animals, none of them ${status}`,
  });
}

/** Statuses that the unfiltered list hides, recognized by how it grows: a full page alone could be cut anywhere. */
export async function judgeHiddenStatus(s: Session): Promise<readonly (Finding | undefined)[]> {
  const [, large] = await beginning(s);
  const before = large?.lists[0];
  if (before === undefined || hasRoom(before)) return [];
  const now = await askList(s, { limit: LARGEST });
  if (!hasGrown(before, now)) return [];
  // With animals without a status in the list, it is unknown whether a status is hidden.
  if (petsOf(now).some(({ status }) => status === undefined))
    haltInconclusive('the list shows animals without a status', 'list.status-filter');
  return s.all(PET_STATUSES, (status) => judgeHidden(s, status, { before, now }));
}
