import { statusOf } from '../../../src/expect/expect.ts';
import type { Creation, Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../../src/wire/exchange.ts';
import { ignoringHalts } from '../ignoring-halts.ts';
import { hasRoom } from '../lists/has-room.ts';
import { missingFrom } from '../lists/missing-from.ts';
import { pollList } from '../lists/poll-list.ts';
import { oncePerSession } from '../once-per-session.ts';
import { acceptedCategories } from './accepted-categories.ts';
import { type Made, made } from './made.ts';
import { send } from './send.ts';

export type Batch = {
  /** Ids known before, as digits. */
  readonly before: ReadonlySet<string>;
  readonly creations: readonly Creation[];
  /** Per status: the animals of the batch that a list with room omits, and that list. */
  readonly unlisted: readonly { readonly animal: Made; readonly list: Exchange }[];
};

const BATCH = 16;

/** The animals of one status that the filtered list omits although it has room, and that the unfiltered list omits too. */
async function unlistedOf(s: Session, status: PetStatus, animals: readonly Made[]): Promise<Batch['unlisted']> {
  const own = animals.filter(({ sent }) => sent.status === status);
  const pets = own.map(({ pet }) => pet);
  const [list, whole] = await s.all([{ status, limit: 100 }, { limit: 100 }], (parameters) => pollList(s, parameters, pets));
  if (list === undefined || whole === undefined || !hasRoom(list)) return [];
  const missing = missingFrom(whole, missingFrom(list, pets));
  return own.filter(({ pet }) => missing.includes(pet)).map((animal) => ({ animal, list }));
}

/** Sixteen animals of all statuses and several categories, created concurrently, and whether lists show them. */
export const concurrentBatch = oncePerSession(async (s): Promise<Batch> => {
  // What the batch is compared with is created before it: one after the other.
  await s.fixtures.firstCreations();
  await ignoringHalts(() => s.fixtures.sample(1));
  const before = new Set([...s.knowledge.seen.keys(), ...s.knowledge.created.keys()]);
  const categories = await acceptedCategories(s);
  const inputs = await Promise.all(
    Array.from({ length: BATCH }, (_unused, index) => s.fixtures.plain(PET_STATUSES[index % PET_STATUSES.length])),
  );
  const creations = await s.all(inputs, (input, index) => {
    const categoryId = categories[index % categories.length] ?? input.categoryId;
    // A category other than the one that fixtures found may be closed by now; 400 is correct then.
    return send(s, { ...input, categoryId }, categoryId === input.categoryId ? 'plain' : 'unusual');
  });
  const animals = creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
  const unlisted: (readonly Batch['unlisted'][number][])[] = [];
  await ignoringHalts(async () => {
    unlisted.push(...(await s.all(PET_STATUSES, (status) => unlistedOf(s, status, animals))));
  });
  return { before, creations, unlisted: unlisted.flat() };
});
