import { haltInconclusive } from '../../../src/clause/halt.ts';
import { petsOf } from '../../../src/expect/expect.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../../src/wire/exchange.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { largePage } from '../lists/largest-page.ts';
import { hasRoom, missingFrom } from '../lists/list-contents.ts';
import { pollIfAccepted, pollList } from '../lists/poll-list.ts';
import { oncePerSession } from '../once-per-session.ts';
import { judgeable } from '../ownership.ts';
import { allMade, type Made, oneOfEachStatus } from './creations.ts';

export type FirstLists = {
  /** One of each status and one without, created one after the other. */
  readonly animals: readonly Made[];
  /** These, and the animals that fixtures created earlier. */
  readonly known: readonly Made[];
  readonly lists: readonly Exchange[];
  /** The largest list of each status that lists are given for. */
  readonly filtered: readonly Exchange[];
};

/** The largest list. If it shows some of the animals, it is polled for the others until the consistency window ends, however full it looks. */
async function largestList(s: Session, animals: readonly PetView[]): Promise<Exchange> {
  const asked = await largePage(s, { limit: 100 });
  const exchange = await s.poll(
    () => s.api.list(asked),
    (list) => {
      const missing = missingFrom(list, animals).length;
      return missing === 0 || (missing === animals.length && !hasRoom(list));
    },
  );
  petsOf(judgeable(exchange));
  return exchange;
}

function withStatus(pets: readonly PetView[], status: PetStatus): readonly PetView[] {
  return pets.filter((pet) => pet.status === status);
}

/**
 * The first animals, and lists that should show them, requested while the store is small. Other creations wait for them, so that
 * these animals can appear on the first page.
 */
export const firstLists = oncePerSession(async (s): Promise<FirstLists> => {
  const animals = allMade(await oneOfEachStatus(s));
  const known = [...s.knowledge.created.values()].map(({ sent, exchange, answered }) => ({ sent, exchange, pet: answered }));
  const pets = known.map(({ pet }) => pet);
  // Concurrently, so that the consistency window passes only once.
  const [whole, likeDefault, largest, filtered] = await Promise.all([
    pollList(s, {}, pets),
    pollIfAccepted(s, { limit: 20 }, pets),
    largestList(s, pets),
    s.all(PET_STATUSES, (status) => pollIfAccepted(s, { status, limit: 100 }, withStatus(pets, status))),
  ]);
  return { animals, known, lists: [whole, ...likeDefault, largest], filtered: filtered.flat() };
});

/** Halts as blocked by list.complete when a list with room omits even the first animals, created one after the other. */
export async function requireFirstListed(s: Session): Promise<void> {
  const { known, lists } = await firstLists(s);
  const pets = known.map(({ pet }) => pet);
  if (lists.some((list) => hasRoom(list) && missingFrom(list, pets).length > 0))
    haltInconclusive('the lists omit some of the first animals created', 'list.complete');
}

/** Waits until the lists have been searched for the first animals, whatever the result. */
export async function afterFirstLists(s: Session): Promise<void> {
  await ignoringHalts(() => firstLists(s));
}
