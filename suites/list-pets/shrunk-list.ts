import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petsOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/session/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { beginning } from '../shared/beginning.ts';
import { firstLists } from '../shared/creations.ts';
import { idsIn, missingFrom } from '../shared/sightings.ts';
import { readBack } from '../shared/stored.ts';

const LARGEST = 100;
const LEAST = 3;

function showsNone(list: Exchange, animals: readonly PetView[]): boolean {
  return missingFrom(list, animals).length === animals.length;
}

/** A finding when the first creations drive the animals of the beginning out of the list, though they are still there and it has room. */
export async function judgeShrunk(s: Session): Promise<Finding | undefined> {
  const before = (await beginning(s)).flatMap(({ lists }) => lists).find(({ request }) => request.intent.limit === LARGEST);
  if (before === undefined) return undefined;
  const old = petsOf(before).filter(({ id }) => !s.knowledge.created.has(String(id)));
  const { lists } = await firstLists(s);
  const now = lists.find(({ request }) => request.intent.limit === LARGEST);
  if (now === undefined || old.length < LEAST || idsIn(now).size >= idsIn(before).size || !showsNone(now, old)) return undefined;
  // The list may grow meanwhile, as other animals are created.
  const last = await s.poll(
    () => s.api.list({ limit: LARGEST }),
    (list) => !showsNone(list, old),
  );
  if (petsOf(last).length === 0 || !showsNone(last, old)) return undefined;
  const reads = await s.all(old.slice(0, LEAST), ({ id }) => readBack(s, id));
  if (reads.some(({ pet }) => pet === undefined)) return undefined;
  return finding([before, now, last, ...reads.map(({ exchange }) => exchange)], {
    summary: `the ${old.length} animals that limit=${LARGEST} showed at the beginning are no longer listed, though they are there and the list has become shorter`,
    wanted: [`at least as many animals as the ${idsIn(before).size} of the beginning`],
    came: `${idsIn(now).size} other animals`,
  });
}
