import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { initialLists } from '../judging/lists/initial-lists.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';

const LARGEST = 100;
/** The list must have grown by this many, and this many animals must be hidden, before no page cut can explain it. */
const GROWN = 3;
const HIDDEN = 5;

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
  const [, large] = await initialLists(s);
  const before = large?.lists[0];
  if (before === undefined || hasRoom(before)) return [];
  const now = await askList(s, { limit: LARGEST });
  if (!hasGrown(before, now)) return [];
  // With animals without a status in the list, it is unknown whether a status is hidden.
  if (petsOf(now).some(({ status }) => status === undefined))
    haltInconclusive('the list shows animals without a status', 'list.status-filter');
  return s.all(PET_STATUSES, (status) => judgeHidden(s, status, { before, now }));
}
