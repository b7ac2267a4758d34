import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { firstLists } from '../judging/creations/creations.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { proveDefault } from '../judging/lists/initial-lists.ts';
import { hasRoom, idsIn, missingFrom, pollList } from '../judging/lists/list-contents.ts';
import { askList, plainList, situationOf, strangerIn } from '../judging/lists/list-queries.ts';

type Filtered = { readonly status: PetStatus; readonly limit?: number };

/** Filtered lists: the default page, the largest, and one so small that a single match fills it. */
const LISTS: readonly Filtered[] = PET_STATUSES.flatMap((status) => [{ status }, { status, limit: 100 }, { status, limit: 1 }]);

function leftOutFinding(exchanges: readonly [Exchange, ...Exchange[]], about: { parameters: Filtered; animal: PetView }): Finding {
  const { parameters, animal } = about;
  const last = exchanges.at(-1) ?? exchanges[0];
  const shown = idsIn(last).size;
  return finding(exchanges, {
    summary: `${situationOf({ limit: parameters.limit ?? 'absent', status: parameters.status })} shows ${shown} animals and leaves out animal ${animal.id}, which is ${parameters.status}`,
    expected: [`animal ${animal.id} in the list: it matches, and the page has room`],
    received: shown === 0 ? 'no animal' : `${shown} others`,
  });
}

/**
 * Judges one filtered list against animals that the list without filter shows with that status. What seems left out is asked for once
 * more, until the consistency window is over: its status may have changed, or the answer may be wrong only now and then.
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
    haltInconclusive(`status=${parameters.status} shows animals of another status`, 'list.status-filter');
  }
  const [suspect] = hasRoom(first) ? missingFrom(first, matching) : [];
  if (suspect === undefined) return undefined;
  const again = await pollList(s, parameters, [suspect]);
  if (!hasRoom(again) || missingFrom(again, [suspect]).length === 0) {
    haltInconclusive(`animal ${suspect.id} was left out once and listed afterwards`, 'list.read-only');
  }
  await proveDefault(s, again);
  if (idsIn(again).size === 0 && parameters.limit !== undefined) {
    const whole = await askList(s, { limit: parameters.limit });
    if (petsOf(whole).length === 0) haltInconclusive(`limit=${parameters.limit} gives an empty list without a status too`, 'list.complete');
  }
  const { pet, exchange } = await readBack(s, suspect.id);
  if (pet === undefined || pet.status !== parameters.status)
    haltInconclusive(`animal ${suspect.id} is not ${parameters.status} any more`, 'circumstance');
  return leftOutFinding([shown.whole, exchange, again], { parameters, animal: suspect });
}

/** Holds filtered lists against the list without filter: what that one shows with a status must not be left out by the filter. */
export async function judgeLeftOut(s: Session): Promise<Outcome> {
  await s.fixtures.admitted();
  const whole = await askList(s, { limit: 100 });
  const pets = petsOf(whole);
  const statuses = new Set(pets.map(({ status }) => status));
  const rows = LISTS.filter(({ status }) => statuses.has(status));
  if (rows.length === 0) haltInconclusive('no listed animal has a status', 'circumstance');
  return judgeRows(s, {
    rows,
    judge: (parameters) => judgeFiltered(s, parameters, { whole, pets }),
    evidence: `${rows.length} filtered lists held against ${pets.length} listed animals, none leaves out a match where it has room`,
  });
}

/**
 * Holds the filtered lists that were asked for when the first animals had been created against those animals: later ones may fill the
 * pages. Only what the lists without filter show as well is looked for.
 */
export async function judgeFirstLeftOut(s: Session): Promise<readonly (Finding | undefined)[]> {
  const { known, lists, filtered } = await firstLists(s);
  const listed = new Set(lists.flatMap((list) => [...idsIn(list)]));
  const [whole] = lists.slice(-1);
  const suspects = filtered.flatMap((list) => {
    const { status } = list.request.intent;
    const own = known.map(({ pet }) => pet).filter((pet) => pet.status === status && listed.has(String(pet.id)));
    return hasRoom(list) ? missingFrom(list, own).map((animal) => ({ list, animal })) : [];
  });
  return s.all(suspects, async ({ list, animal }) => {
    const { pet, exchange } = await readBack(s, animal.id);
    const { status } = animal;
    if (whole === undefined || status === undefined || pet?.status !== status) return undefined;
    const strangers = plainList(list);
    if (strangers !== undefined && strangerIn(strangers, status) !== undefined)
      haltInconclusive(`status=${status} shows animals of another status`, 'list.status-filter');
    return leftOutFinding([whole, exchange, list], { parameters: { status, limit: 100 }, animal });
  });
}
