import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { firstLists } from '../judging/creations/first-lists.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { askLargest } from '../judging/lists/ask-largest.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { leftOutOf } from '../judging/lists/left-out-of.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { plainList, situationOf } from '../judging/lists/plain-list.ts';
import { pollList } from '../judging/lists/poll-list.ts';
import { requireSameDefault } from '../judging/lists/same-default.ts';
import { strangerIn } from '../judging/lists/stranger-in.ts';

type Filtered = { readonly status: PetStatus; readonly limit?: number };

/** Filtered lists: the default page, the largest page, and one that a single match fills. */
const LISTS: readonly Filtered[] = PET_STATUSES.flatMap((status) => [{ status }, { status, limit: 100 }, { status, limit: 1 }]);

function leftOutFinding(exchanges: readonly [Exchange, ...Exchange[]], about: { parameters: Filtered; animal: PetView }): Finding {
  const { parameters, animal } = about;
  const last = exchanges.at(-1) ?? exchanges[0];
  const shown = idsIn(last).size;
  return finding(exchanges, {
    summary: `${situationOf({ limit: parameters.limit ?? 'absent', status: parameters.status })} returned ${shown} animals and omits animal ${animal.id}, which is ${parameters.status}`,
    expected: [`animal ${animal.id} in the list: it matches and the page has room`],
    received: shown === 0 ? 'an empty list' : `${shown} other animals`,
  });
}

/**
 * Judges one filtered list against the animals that the unfiltered list shows with that status. If one seems omitted, the list is
 * polled until the consistency window ends: the animal's status may have changed, or the response may be wrong only intermittently.
 */
async function judgeFiltered(
  s: Session,
  parameters: Filtered,
  shown: { whole: Exchange; pets: readonly PetView[] },
): Promise<Finding | undefined> {
  const matching = shown.pets.filter(({ status }) => status === parameters.status);
  const first = await askList(s, parameters);
  petsOf(first);
  const list = plainList(first);
  if (list !== undefined && strangerIn(list, parameters.status) !== undefined) {
    haltInconclusive(`status=${parameters.status} shows animals with other statuses`, 'list.status-filter');
  }
  const [suspect] = hasRoom(first) ? leftOutOf(first, matching) : [];
  if (suspect === undefined) return undefined;
  const again = await pollList(s, parameters, [suspect]);
  if (!hasRoom(again) || missingFrom(again, [suspect]).length === 0) {
    haltInconclusive(`animal ${suspect.id} was omitted once and listed afterwards`, 'list.read-only');
  }
  await requireSameDefault(s, again);
  if (idsIn(again).size === 0 && parameters.limit !== undefined) {
    const whole = await askList(s, { limit: parameters.limit });
    if (petsOf(whole).length === 0)
      haltInconclusive(`limit=${parameters.limit} returned an empty list without a status too`, 'list.complete');
  }
  const { pet, exchange } = await readBack(s, suspect.id);
  if (pet === undefined || pet.status !== parameters.status)
    haltInconclusive(`animal ${suspect.id} is no longer ${parameters.status}`, 'circumstance');
  return leftOutFinding([shown.whole, exchange, again], { parameters, animal: suspect });
}

/** Compares filtered lists with the unfiltered list: the filter must not omit an animal that the unfiltered list shows with that status. */
export async function judgeLeftOut(s: Session): Promise<Outcome> {
  await s.fixtures.admitted();
  const whole = await askLargest(s);
  // A filter that misses unusual names or categories is for the clauses of those.
  const pets = petsOf(whole).filter(({ id }) => s.knowledge.created.get(String(id))?.plain !== false);
  const statuses = new Set(pets.map(({ status }) => status));
  const rows = LISTS.filter(({ status }) => statuses.has(status));
  if (rows.length === 0) haltInconclusive('no listed animal has a status', 'circumstance');
  return judgeRows(s, {
    rows,
    judge: (parameters) => judgeFiltered(s, parameters, { whole, pets }),
    evidence: `${rows.length} filtered lists compared with ${pets.length} listed animals; none with room omits a match`,
  });
}

/**
 * Compares the filtered lists requested right after the first animals were created with those animals: later ones may fill the
 * pages. Only animals that the unfiltered lists also show count.
 */
export async function judgeFirstLeftOut(s: Session): Promise<readonly (Finding | undefined)[]> {
  const { known, lists, filtered } = await firstLists(s);
  const listed = new Set(lists.flatMap((list) => [...idsIn(list)]));
  const [whole] = lists.slice(-1);
  const suspects = filtered.flatMap((list) => {
    const { status } = list.request.intent;
    const own = known.map(({ pet }) => pet).filter((pet) => pet.status === status && listed.has(String(pet.id)));
    return hasRoom(list) ? leftOutOf(list, own).map((animal) => ({ list, animal })) : [];
  });
  if (suspects.length === 0 && filtered.length < PET_STATUSES.length)
    haltInconclusive('a list with a status is rejected', 'list.status-accepted');
  return s.all(suspects, async ({ list, animal }) => {
    const { pet, exchange } = await readBack(s, animal.id);
    const { status } = animal;
    if (whole === undefined || status === undefined || pet?.status !== status) return undefined;
    const strangers = plainList(list);
    if (strangers !== undefined && strangerIn(strangers, status) !== undefined)
      haltInconclusive(`status=${status} shows animals with other statuses`, 'list.status-filter');
    return leftOutFinding([whole, exchange, list], { parameters: { status, limit: 100 }, animal });
  });
}
