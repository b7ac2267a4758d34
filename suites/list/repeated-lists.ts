import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import { agreeOn, type PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { showName } from '../judging/creations/show-name.ts';
import { combineRows, judgeRow } from '../judging/judge-rows.ts';
import { askLargest } from '../judging/lists/ask-largest.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { pollList } from '../judging/lists/poll-list.ts';

const REPEATS = 3;
const AT_ONCE = 6;

type Sighting = { readonly pet: PetView; readonly list: Exchange };

/** An animal with a different name or category in a later list: neither can change. Its status can, through store orders. */
function renamed(lists: readonly Exchange[]): Finding | undefined {
  const first = new Map<bigint, Sighting>();
  for (const list of lists) {
    for (const pet of petsOf(list)) {
      const before = first.get(pet.id);
      if (before !== undefined && !(agreeOn('name', before.pet, pet) && agreeOn('categoryId', before.pet, pet))) {
        return finding([before.list, list], {
          summary: `animal ${pet.id} is ${showName(before.pet.name)} in category ${before.pet.categoryId} in one list, but ${showName(pet.name)} in category ${pet.categoryId} in the next`,
          expected: ['the same name and category in both'],
          received: `${showName(pet.name)} in category ${pet.categoryId}`,
        });
      }
      first.set(pet.id, { pet, list });
    }
  }
  return undefined;
}

/**
 * An animal that a list shows and a later list with room omits, although it still exists: getPet finds it, and a list shows it
 * again. The list of before and sequential ones come first; concurrent ones are later only than these.
 */
async function flickering(s: Session, lists: readonly Exchange[]): Promise<Finding | undefined> {
  for (const [index, list] of lists.entries()) {
    const earlier = lists.slice(0, Math.min(index, 1 + REPEATS));
    const before = earlier.find((other) => hasRoom(list) && missingFrom(list, petsOf(other)).length > 0);
    const [suspect] = before === undefined ? [] : missingFrom(list, petsOf(before));
    if (before === undefined || suspect === undefined) continue;
    const { pet, exchange } = await readBack(s, suspect.id);
    const again = await pollList(s, { limit: 100 }, [suspect]);
    if (pet === undefined || missingFrom(again, [suspect]).length > 0) continue;
    return finding([before, list, exchange, again], {
      summary: `animal ${suspect.id} is in one list, missing from a later one with room, and then listed again`,
      expected: [`animal ${suspect.id} in each list`],
      received: `${petsOf(list).length} animals in between, ${petsOf(before).length} before`,
    });
  }
  return undefined;
}

/** Judges whether the same list, requested repeatedly, shows the same animals, and those that a list showed before. */
export async function judgeRepeatedLists(s: Session, before: Exchange): Promise<Outcome> {
  const lists: Exchange[] = [before];
  const rows = await judgeRow(async () => {
    // Sequentially and concurrently: either way reveals responses that alternate.
    for (let turn = 0; turn < REPEATS; turn += 1) lists.push(await askLargest(s));
    lists.push(...(await s.all(Array.from({ length: AT_ONCE }), () => askLargest(s))));
    if (lists.some((list) => statusOf(list) !== 200)) haltInconclusive('not every list returned 200', 'list.success');
    return [renamed(lists), await flickering(s, lists)];
  });
  return combineRows([rows], `${lists.length - 1} lists agree`);
}
