import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { askList } from '../judging/lists/ask-list.ts';
import { idsIn } from '../judging/lists/ids-in.ts';

const LARGEST = 100;

/** Whether the list lost animals and gained none: no new animal pushed one to a later page. */
function hasShrunk(before: Exchange, after: Exchange): boolean {
  const [old, left] = [idsIn(before), idsIn(after)];
  return statusOf(after) === 200 && left.size < old.size && [...left].every((id) => old.has(id));
}

/** The exchanges that show that reading the animal permanently removes it from the unfiltered list; undefined if it does not. */
async function unlists(s: Session, { id }: PetView): Promise<readonly [Exchange, ...Exchange[]] | undefined> {
  const before = await askList(s, { limit: LARGEST });
  if (!idsIn(before).has(String(id)) || petsOf(before).length >= LARGEST) return undefined;
  const read = await s.api.get(id);
  const isLost = (list: Exchange): boolean => hasShrunk(before, list) && !idsIn(list).has(String(id));
  const after = await s.poll(
    () => askList(s, { limit: LARGEST }),
    (list) => !isLost(list),
  );
  if (statusOf(read) !== 200 || !isLost(after)) return undefined;
  const { pet, exchange } = await readBack(s, id);
  return pet === undefined ? undefined : [before, read, after, exchange];
}

/**
 * Two animals that leave the unfiltered list when they are read, although they still exist. A page may be cut anywhere, but
 * a list that loses exactly the animal that was read was not cut there.
 */
export async function judgeUnlisted(s: Session): Promise<Finding | undefined> {
  const exchanges: Exchange[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const pets = petsOf(await askList(s, { limit: LARGEST }));
    const middle = pets[Math.floor(pets.length / 2)];
    const shown = middle === undefined ? undefined : await unlists(s, middle);
    if (shown === undefined) return undefined;
    exchanges.push(...shown);
  }
  const [first, ...rest] = exchanges;
  if (first === undefined) return undefined;
  return finding([first, ...rest], {
    summary: 'reading an animal removes it from the unfiltered list, although getPet still finds it',
    expected: ['the same animals in the list after the read'],
    received: 'twice, a list without the animal that was read',
  });
}
