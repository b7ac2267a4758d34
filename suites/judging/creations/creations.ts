import { Halt, haltInconclusive } from '../../../src/clause/halt.ts';
import { petOf, petsOf, statusOf } from '../../../src/expect/expect.ts';
import type { NewPetInput, PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../../src/wire/exchange.ts';
import { largePage } from '../lists/largest-page.ts';
import { hasRoom, missingFrom, pollIfAccepted, pollList } from '../lists/list-contents.ts';
import { oncePerSession } from '../once-per-session.ts';
import { judgeable } from '../ownership.ts';
import { post } from './read-back.ts';

/** A creation: what was sent and the exchange. */
export type Creation = { readonly sent: NewPetInput; readonly exchange: Exchange };
/** A creation that returned 201 with a valid Pet. */
export type Made = Creation & { readonly pet: PetView };

/** Sends a NewPet of the plain domain, or of the unusual one. */
export async function send(s: Session, sent: NewPetInput, domain: 'plain' | 'unusual' = 'plain'): Promise<Creation> {
  return { sent, exchange: await post(s, { value: sent }, { domain }) };
}

/** The creation with its animal; halts as blocked when it did not return 201 with a Pet. */
export function made(creation: Creation): Made {
  return { ...creation, pet: petOf(judgeable(creation.exchange)) };
}

/**
 * One plain animal without status and one of each status, created once for every check that looks at the first few animals. One after
 * the other, so that a defect that appears only under concurrency does not show here.
 */
export const oneOfEachStatus = oncePerSession(async (s): Promise<readonly Creation[]> => {
  const creations: Creation[] = [];
  for (const status of [undefined, ...PET_STATUSES]) creations.push(await send(s, await s.fixtures.plain(status)));
  return creations;
});

/** The creations that returned 201 with a Pet. Halts when none did, or when two received the same id. */
export function allMade(creations: readonly Creation[]): readonly Made[] {
  const good = creations.filter(({ exchange }) => statusOf(exchange) === 201);
  if (good.length === 0) haltInconclusive('no plain animal could be created', 'create.success');
  const animals = good.map(made);
  if (new Set(animals.map(({ pet }) => pet.id)).size < animals.length)
    haltInconclusive('two creations received the same id', 'create.id-assigned');
  return animals;
}

/** Shows that creation works at all: until it does, a rejection proves nothing. Halts as blocked by create.success. */
export async function proveCreation(s: Session): Promise<void> {
  const creations = await oneOfEachStatus(s);
  if (creations.some(({ exchange }) => statusOf(exchange) === 201)) return;
  for (const { exchange } of creations) judgeable(exchange);
  haltInconclusive('no plain animal could be created', 'create.success');
}

const stillCreates = oncePerSession(async (s) => statusOf((await send(s, await s.fixtures.plain('available'))).exchange) === 201);

/**
 * Halts as blocked by create.success when a creation was rejected with the wrong status and plain animals can no longer be created
 * either (a full store, a quota). Creates an animal only in that case, and only once.
 */
export async function proveStillCreates(s: Session, refusal: Exchange): Promise<void> {
  if ((statusOf(refusal) ?? 0) < 300) return;
  if (!(await stillCreates(s))) haltInconclusive('the service no longer creates plain animals', 'create.success');
}

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
export async function proveListed(s: Session): Promise<void> {
  const { known, lists } = await firstLists(s);
  const pets = known.map(({ pet }) => pet);
  if (lists.some((list) => hasRoom(list) && missingFrom(list, pets).length > 0))
    haltInconclusive('the lists omit some of the first animals created', 'list.complete');
}

/** Waits until the lists have been searched for the first animals, whatever the result. */
export async function afterFirstLists(s: Session): Promise<void> {
  await quietly(() => firstLists(s));
}

/** Runs work for its effect on the store; the checks that judge it see its halts. */
export async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
  }
}

const MOST_CATEGORIES = 4;

/** Categories that the service is known to accept: configured ones, or those of listed animals, or the one that fixtures found. */
export const acceptedCategories = oncePerSession(async (s): Promise<readonly bigint[]> => {
  const first = await s.fixtures.category();
  if (s.options.categoryIds.length > 0) return s.options.categoryIds.slice(0, MOST_CATEGORIES);
  const listed = [...s.knowledge.seen.values()].flatMap(({ categoryId }) => categoryId ?? []);
  return [...new Set([first, ...listed])].slice(0, MOST_CATEGORIES);
});

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
  await afterFirstLists(s);
  await quietly(() => s.fixtures.sample(1));
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
  await quietly(async () => {
    unlisted.push(...(await s.all(PET_STATUSES, (status) => unlistedOf(s, status, animals))));
  });
  return { before, creations, unlisted: unlisted.flat() };
});
