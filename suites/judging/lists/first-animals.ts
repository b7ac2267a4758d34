import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import type { Made } from '../creations/made.ts';
import { readBack } from '../creations/read-back.ts';
import { hasRoom } from './has-room.ts';
import { leftOutOf } from './left-out-of.ts';
import { missingFrom } from './missing-from.ts';
import { pollList } from './poll-list.ts';
import { requireSameDefault } from './same-default.ts';
import { type CreatedAnimal, notThereFinding, unlistedFinding } from './unlisted-animal.ts';

/** Other lists: without a status, and the largest of each status. */
type Elsewhere = { readonly lists: readonly Exchange[]; readonly filtered: readonly Exchange[] };

/** Looks for an animal that no unfiltered list shows: under its status, then by its id. Halts when neither decides. */
async function lookFurther(s: Session, animal: Made & CreatedAnimal, filtered: readonly Exchange[]): Promise<Finding | undefined> {
  const { status } = animal.pet;
  if (status !== undefined) {
    const asked = filtered.find(({ request }) => request.intent.status === status);
    const list = asked ?? (await pollList(s, { status, limit: 100 }, [animal]));
    if (missingFrom(list, [animal]).length === 0) return undefined;
    if (hasRoom(list)) return unlistedFinding(animal, list);
  }
  const { exchange, pet } = await readBack(s, animal.id);
  return pet === undefined
    ? notThereFinding(animal, exchange)
    : haltInconclusive("the pages are full, and an animal on a later page can't be seen", 'circumstance');
}

/** Judges the first animals in one unfiltered list; animals that it has no room for may be in other lists. */
export async function judgeFirst(
  s: Session,
  list: Exchange,
  animals: readonly Made[],
  { lists, filtered }: Elsewhere = { lists: [], filtered: [] },
): Promise<readonly (Finding | undefined)[]> {
  const missing = leftOutOf(
    list,
    animals.map((animal) => ({ ...animal, id: animal.pet.id })),
  );
  if (missing.length > 0 && hasRoom(list)) await requireSameDefault(s, list);
  if (hasRoom(list)) return missing.map((animal) => unlistedFinding(animal, list));
  const nowhere = missing.filter((animal) => lists.every((other) => missingFrom(other, [animal]).length > 0));
  return Promise.all(nowhere.map((animal) => lookFurther(s, animal, filtered)));
}
