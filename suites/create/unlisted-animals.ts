import { petsOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import type { Batch } from '../judging/creations/concurrent-batch.ts';
import { type Made, made } from '../judging/creations/made.ts';
import { ignoringHalts } from '../judging/ignoring-halts.ts';
import { hasRoom } from '../judging/lists/has-room.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { largePage } from '../judging/lists/largest-page.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { pollList } from '../judging/lists/poll-list.ts';

/** An animal of the batch that a list with room omits, and that list. */
export type Unlisted = { readonly animal: Made; readonly list: Exchange };

const PAGE = { limit: 100 } as const;

/**
 * The filtered list, when it shows the animals or the consistency window is over; undefined where it may be full. It has room, too, if the service
 * shows more on a page of the same size. Halts when a response is not a list of valid animals.
 */
async function filteredList(s: Session, status: PetStatus, pets: readonly PetView[]): Promise<Exchange | undefined> {
  const list = await pollList(s, { status, ...PAGE }, pets);
  if (missingFrom(list, pets).length === 0 || hasRoom(list)) return list;
  const whole = await s.api.list(await largePage(s, PAGE));
  if (idsIn(list).size >= idsIn(whole).size) return undefined;
  const filtered = await largePage(s, { status, ...PAGE });
  const last = await s.poll(
    () => s.api.list(filtered),
    (later) => missingFrom(later, pets).length === 0,
  );
  petsOf(judgeable(last));
  return last;
}

/** The animals of one status that the filtered list omits although it has room, and that the unfiltered list omits too. */
async function unlistedOf(s: Session, status: PetStatus, animals: readonly Made[]): Promise<readonly Unlisted[]> {
  const own = animals.filter(({ sent }) => sent.status === status);
  const pets = own.map(({ pet }) => pet);
  const list = await filteredList(s, status, pets);
  if (list === undefined) return [];
  const omitted = missingFrom(list, pets);
  const missing = omitted.length === 0 ? [] : missingFrom(await pollList(s, PAGE, omitted), omitted);
  return own.filter(({ pet }) => missing.includes(pet)).map((animal) => ({ animal, list }));
}

/** The animals of the batch that lists with room omit; none where the lists can't be had. */
export async function unlistedAnimals(s: Session, { creations }: Batch): Promise<readonly Unlisted[]> {
  const animals = creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
  const unlisted: (readonly Unlisted[])[] = [];
  await ignoringHalts(async () => {
    unlisted.push(...(await s.all(PET_STATUSES, (status) => unlistedOf(s, status, animals))));
  });
  return unlisted.flat();
}
