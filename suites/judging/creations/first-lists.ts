import { petsOf } from '../../../src/expect/expect.ts';
import { judgeable } from '../../../src/expect/judgeable.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../../src/wire/exchange.ts';
import { hasRoom } from '../lists/has-room.ts';
import { largePage } from '../lists/largest-page.ts';
import { missingFrom } from '../lists/missing-from.ts';
import { pollIfAccepted, pollList } from '../lists/poll-list.ts';
import { oncePerSession } from '../once-per-session.ts';
import { allMade, type Made } from './made.ts';

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
 * The first animals, and lists that should show them: requested in the step `first-page`, when no others have been created that could
 * push them off the first page. A run of a few checks may request them later.
 */
export const firstLists = oncePerSession(async (s): Promise<FirstLists> => {
  const creations = await s.fixtures.firstCreations();
  const animals = allMade(creations);
  const last = Math.max(...creations.map(({ exchange }) => exchange.number));
  const known = [...s.knowledge.created.values()]
    .filter(({ exchange }) => exchange.number <= last)
    .map(({ sent, exchange, answered }) => ({ sent, exchange, pet: answered }));
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
