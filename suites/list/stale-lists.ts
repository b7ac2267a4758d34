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
/** So much must the list have grown, and so many must be hidden, that no cut of the page explains it. */
const GROWN = 3;
const HIDDEN = 5;

/** The list that is still that of the beginning, and its twin, which shows an animal of ours that is in neither. */
function staleOf(s: Session, before: Twins, now: Twins): { readonly stale: 0 | 1; readonly newer: string } | undefined {
  if (!areAlike(before.lists) || areAlike(now.lists)) return undefined;
  for (const stale of [0, 1] as const) {
    const [list, twin] = [now.lists[stale], now.lists[stale === 0 ? 1 : 0]];
    const newer = order(twin).find((id) => s.knowledge.created.has(id) && !idsIn(list).has(id));
    // A page that its own size fills may be cut anywhere but where its twin is cut.
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
    summary: `${describeRequest(list)} still shows the ${idsIn(list).size} animals of the beginning of the run, ${describeRequest(twin)}, which began with the same ones, shows animal ${newer} created since`,
    expected: ['the same animals in both lists, as far as both reach'],
    received: `${idsIn(list).size} and ${idsIn(twin).size} animals`,
  });
}

/** Lists that were alike when the run began are alike later too, or have changed both. */
export async function judgeOfTheBeginning(s: Session): Promise<Outcome> {
  await s.fixtures.admitted();
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
    evidence: `${s.knowledge.created.size} animals were created; none of ${2 * before.length} lists stayed behind another one like it`,
  });
}

/** Whether the list has grown around what it showed before: then it had room. */
function hasGrown(before: Exchange, now: Exchange): boolean {
  const [old, later] = [idsIn(before), idsIn(now)];
  return later.size < LARGEST && later.size >= old.size + GROWN && [...old].every((id) => later.has(id));
}

/**
 * A status that no animal of the largest list without filter has, though the filter shows several with it and the list has grown by
 * others: a page that is cut somewhere would not grow.
 */
async function judgeHidden(
  s: Session,
  status: PetStatus,
  { before, now }: { before: Exchange; now: Exchange },
): Promise<Finding | undefined> {
  if ([before, now].some((list) => petsOf(list).some((pet) => pet.status === status))) return undefined;
  const filtered = await askList(s, { status, limit: LARGEST });
  // Those that were there already when the list began: it was not cut before them, or it could not grow.
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
    summary: `no animal that is ${status} is in the list without filter, which grew from ${idsIn(before).size} to ${idsIn(again).size} animals meanwhile; status=${status} shows ${hidden.length}`,
    expected: [`animals that are ${status} among the others`],
    received: `${idsIn(again).size} animals, none of them ${status}`,
  });
}

/** Statuses that the list without filter hides, told by how it grows: a full page alone could be cut anywhere. */
export async function judgeHiddenStatus(s: Session): Promise<readonly (Finding | undefined)[]> {
  const [, large] = await beginning(s);
  const before = large?.lists[0];
  if (before === undefined || hasRoom(before)) return [];
  const now = await askList(s, { limit: LARGEST });
  if (!hasGrown(before, now)) return [];
  // Animals without a status in the list: nobody can say that one is hidden.
  if (petsOf(now).some(({ status }) => status === undefined))
    haltInconclusive('the list shows animals without a status', 'list.status-filter');
  return s.all(PET_STATUSES, (status) => judgeHidden(s, status, { before, now }));
}
