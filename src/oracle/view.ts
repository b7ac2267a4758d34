// The history as rules read it, computed once per world: animals and the responses that may show them, creations, and lists that follow filters.

import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../clause/limits.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import type { NewPetInput, PetView } from '../schema/pet.ts';
import { PLAIN_NAME } from '../session/names.ts';
import { isCrash } from '../session/read-exchange.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { postponement } from '../wire/rate-limit.ts';
import type { Event, World } from './world.ts';

export type Place = 'list' | 'filtered' | 'read';

/** A page with fewer animals has room for more: a service may cut its pages at this size or any larger one. */
const ROOM = DEFAULT_LIMIT;
/** This many animals show a pattern: other clients do not remove them in the short time of a run, and chance does not select them. */
export const MANY = 5;
/** A list with more animals is ignored: list.limit-maximum and list.limit-default judge it. */
const LONGEST = 500;
const MOST_WATCHED = 400;

export type Look = {
  readonly event: Event;
  readonly place: Place;
  /** Identifies what is requested (`keyOf`). */
  readonly key: string;
  readonly shown: ReadonlyMap<bigint, PetView>;
  /** The number of items in a list, readable or not; 1 for a read. */
  readonly size: number;
};

export type Animal = {
  readonly id: bigint;
  /** The creation that returned its id; undefined if this run did not create it. */
  readonly birth: Event | undefined;
  /** Undefined for an animal of other clients. */
  readonly sent: NewPetInput | undefined;
  /** The time at which it existed at the latest. */
  readonly since: number;
  readonly looks: Look[];
};

/** The requests between the last right observation and exchange `until`, from which on the animal stays wrong. */
export type Gap = { readonly until: number; readonly operations: ReadonlySet<string>; readonly wasRead: boolean };

export type View = {
  readonly world: World;
  readonly lists: readonly Look[];
  readonly reads: ReadonlyMap<bigint, readonly Look[]>;
  readonly animals: ReadonlyMap<bigint, Animal>;
  /**
   * By limit, the length of the longest page with such a limit or a smaller one, where animals beyond the limit do not count: no page with
   * the limit is cut below it.
   */
  readonly longest: readonly number[];
  /** By the names of parameters, the lengths of lists that exceed their limit: another one of such a length may be cut there, whatever its limit. */
  readonly cut: ReadonlyMap<string, ReadonlySet<number>>;
  /** Whether a list shows animals with different names under one id: then an id in a list does not identify an animal. */
  readonly listsMixIds: boolean;
  /**
   * Ids that creations with different names returned: it is not known which of the animals a response shows. If the names are equal, the second creation
   * changed the first animal.
   */
  readonly ambiguousIds: ReadonlySet<bigint>;
  readonly goneAfter: Gap[];
  /** What is constantly wrong with animals that have no unusual value, and in which places. */
  readonly usual: Set<string>;
};

/** Headers that do not distinguish requests: a trace is never the same, and the credential is compared by its note. */
const PASSING = ['authorization', 'traceparent'];

const keys = new WeakMap<Event, string>();

/** Identifies what a GET asks for: two with the same key must show the same. Computed once per event, which never changes. */
export function keyOf(event: Event): string {
  const key = keys.get(event) ?? keyWith(event, event.intent.status);
  keys.set(event, key);
  return key;
}

export function keyWith({ exchange: { request }, intent }: Event, status: Event['intent']['status']): string {
  const headers = request.headers.filter(([name]) => !PASSING.includes(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`);
  return [intent.operation, intent.petId ?? '', intent.limit, status, intent.credentialNote, ...headers].join('\n');
}

/** Whether the request is a list as the document describes it, with the API key and any headers. */
export function isStatedList({ intent, exchange: { request } }: Event): boolean {
  const { operation, limit, status, credential, undocumented } = intent;
  if (operation !== 'listPets' || credential !== 'valid' || limit === 'open' || status === 'open' || undocumented === true) return false;
  return [...new URLSearchParams(request.query).keys()].every((name) => name === 'limit' || name === 'status');
}

/** Whether the response to a read shows whether the animal exists: the service accepted the key, did not crash, and did not ask to wait. */
function isTelling({ intent, response, exchange }: Event): boolean {
  if (intent.operation !== 'getPet' || intent.credential !== 'valid' || intent.undocumented === true || intent.petId === undefined)
    return false;
  if (response === undefined || exchange.outcome.kind === 'failed') return false;
  return response.status !== 401 && !isCrash(response.status) && postponement(response, 0) === undefined;
}

function sizeOf({ exchange: { outcome } }: Event): number {
  return outcome.kind === 'answered' && outcome.answer.json.ok && Array.isArray(outcome.answer.json.value)
    ? outcome.answer.json.value.length
    : 0;
}

const looked = new WeakMap<Event, { readonly look: Look | undefined }>();

/** Which animals the response shows, if it may show any. Computed once per event, which never changes. */
function lookOf(event: Event): Look | undefined {
  const known = looked.get(event) ?? { look: makeLook(event) };
  looked.set(event, known);
  return known.look;
}

function makeLook(event: Event): Look | undefined {
  const { pets, pet, intent } = event;
  if (pets !== undefined && isStatedList(event)) {
    if (pets.length > LONGEST) return undefined;
    const shown = new Map(pets.map((one) => [one.id, one]));
    return { event, place: intent.status === 'absent' ? 'list' : 'filtered', key: keyOf(event), shown, size: sizeOf(event) };
  }
  if (!isTelling(event)) return undefined;
  // A read that shows another animal counts for neither: get.identity judges it.
  if (event.status === 200 && pet?.id !== intent.petId) return undefined;
  return { event, place: 'read', key: keyOf(event), shown: new Map(pet === undefined ? [] : [[pet.id, pet]]), size: 1 };
}

function ambiguousIdsIn({ events }: World): ReadonlySet<bigint> {
  const creations = events.filter(({ intent, pet }) => intent.operation === 'createPet' && pet !== undefined);
  const names = Map.groupBy(creations, ({ pet }) => pet?.id ?? 0n);
  return new Set([...names].flatMap(([id, all]) => (new Set(all.map(({ pet }) => pet?.name)).size > 1 ? [id] : [])));
}

/** The animals that this run created, or that a response shows, but none that share an id. */
function animalsIn({ events, known }: World, looks: readonly Look[], ambiguous: ReadonlySet<bigint>): ReadonlyMap<bigint, Animal> {
  const byNumber = new Map(events.map((event) => [event.number, event]));
  const animals = new Map<bigint, Animal>();
  for (const { id, sent, exchange, createdAt } of known.created.values()) {
    const birth = byNumber.get(exchange.number);
    if (birth !== undefined && !ambiguous.has(id)) animals.set(id, { id, birth, sent, since: createdAt, looks: [] });
  }
  for (const look of looks) {
    for (const id of look.shown.keys()) {
      const animal = animals.get(id);
      if (animal !== undefined) animal.looks.push(look);
      else if (!ambiguous.has(id) && animals.size < known.created.size + MOST_WATCHED)
        animals.set(id, { id, birth: undefined, sent: undefined, since: look.event.done, looks: [look] });
    }
  }
  return animals;
}

const limitOf = ({ intent: { limit } }: Event): number => (typeof limit === 'number' ? limit : DEFAULT_LIMIT);

const parametersOf = ({ event: { intent } }: Look): string =>
  [...(intent.limit === 'absent' ? [] : ['limit']), ...(intent.status === 'absent' ? [] : ['status'])].join();

function longestPages(lists: readonly Look[]): readonly number[] {
  const longest: number[] = Array.from({ length: LARGEST_LIMIT + 1 }, () => 0);
  for (const { size, event } of lists) {
    const limit = limitOf(event);
    longest[limit] = Math.max(longest[limit] ?? 0, Math.min(size, limit));
  }
  let most = 0;
  return longest.map((length) => {
    most = Math.max(most, length);
    return most;
  });
}

function mixesIds({ event: { pets = [] } }: Look): boolean {
  const names = new Map(pets.map(({ id, name }) => [id, name]));
  return names.size < pets.length && pets.some(({ id, name }) => names.get(id) !== name);
}

const views = new WeakMap<World, View>();

export function viewOf(world: World): View {
  const known = views.get(world);
  if (known !== undefined) return known;
  const looks = world.events.flatMap((event) => lookOf(event) ?? []).toSorted((a, b) => a.event.sent - b.event.sent);
  const lists = looks.filter(({ place }) => place !== 'read');
  const reads = Map.groupBy(
    mayBeRemoved(world.known.now) ? [] : looks.filter(({ place }) => place === 'read'),
    ({ event }) => event.intent.petId ?? 0n,
  );
  const longest = longestPages(lists);
  const exceeding = lists.filter(({ size, event }) => size > limitOf(event));
  const cut = new Map(
    [...Map.groupBy(exceeding, parametersOf)].map(([parameters, all]) => [parameters, new Set(all.map(({ size }) => size))]),
  );
  const ambiguousIds = ambiguousIdsIn(world);
  const view = {
    world,
    lists,
    reads,
    animals: animalsIn(world, looks, ambiguousIds),
    longest,
    cut,
    listsMixIds: lists.some(mixesIds),
    ambiguousIds,
    goneAfter: [],
    usual: new Set<string>(),
  };
  views.set(world, view);
  return view;
}

/** Whether the list had room for more animals, judging by the lengths of others: the document bounds a page by its limit only. */
export function hasRoom(look: Look, { longest, cut }: Pick<View, 'longest' | 'cut'>): boolean {
  const { event, size } = look;
  // Items without an id may be any animals.
  if ((event.pets ?? []).length < size || cut.get(parametersOf(look))?.has(size) === true) return false;
  const limit = limitOf(event);
  return size === 0 || (limit >= ROOM && size < Math.min(limit, Math.max(ROOM, longest[limit] ?? 0)));
}

/** Whether every part of the service must know the animal when the request is sent. */
export function isSettled({ since }: Pick<Animal, 'since'>, { sent }: Event, { known: { consistencyWindow } }: World): boolean {
  return since + consistencyWindow < sent;
}

const categories = new WeakMap<World, ReadonlySet<bigint>>();

function plainCategories(world: World): ReadonlySet<bigint> {
  const known = categories.get(world);
  if (known !== undefined) return known;
  const created = world.known.created.values().filter(({ plain }) => plain);
  const plain = new Set(created.map(({ sent }) => sent.categoryId));
  categories.set(world, plain);
  return plain;
}

export function unusualFieldOf({ body, sent }: Event['intent'], world: World): 'name' | 'categoryId' | undefined {
  if (sent === undefined || (body !== 'unusual' && body !== 'open')) return undefined;
  if (!PLAIN_NAME.test(sent.name)) return 'name';
  if (!plainCategories(world).has(sent.categoryId)) return 'categoryId';
  return body === 'unusual' ? 'name' : undefined;
}

const statuses = new WeakMap<Animal, { readonly status: PetStatus | undefined }>();

/**
 * The status of the animal: the one that it was created with, unless responses show only others; if none was sent, the only one that they show.
 * Undefined if that is not known. Computed once per animal, because it is first used when the view has all of its looks.
 */
export function statusOf(animal: Animal): PetStatus | undefined {
  const known = statuses.get(animal) ?? { status: tellStatus(animal) };
  statuses.set(animal, known);
  return known.status;
}

function tellStatus({ id, sent, birth, looks }: Animal): PetStatus | undefined {
  const all = new Set<PetStatus | undefined>();
  for (const { shown } of looks) {
    const pet = shown.get(id);
    if (pet !== undefined && !pet.gaps.includes('status')) all.add(pet.status);
  }
  const returned = birth?.pet;
  if (sent?.status !== undefined) {
    const isKept = all.size === 0 ? returned === undefined || returned.status === sent.status : all.has(sent.status);
    return isKept ? sent.status : undefined;
  }
  if (returned !== undefined && !returned.gaps.includes('status')) all.add(returned.status);
  return all.size === 1 ? [...all][0] : undefined;
}

/**
 * Whether a page was not cut short although it may look so: all animals that it omits have one status, or agree in whether one was sent, and no animal
 * that it shows is like them. Nothing cuts a page exactly there.
 */
export function isSieved({ event, place, shown, size }: Look, view: View): boolean {
  if (place !== 'list' || size >= limitOf(event)) return false;
  const there = [...view.animals.values()].filter(
    (animal) => shown.has(animal.id) || (animal.birth !== undefined && isSettled(animal, event, view.world)),
  );
  const [inside, outside] = [there.filter(({ id }) => shown.has(id)), there.filter(({ id }) => !shown.has(id))];
  if (inside.length < MANY || outside.length < MANY) return false;
  const kinds: readonly ((animal: Animal) => unknown)[] = [statusOf, ({ sent }) => sent !== undefined && sent.status === undefined];
  return kinds.some((kind) => {
    const [left, ...others] = [...new Set(outside.map(kind))];
    return others.length === 0 && !new Set<unknown>(inside.map(kind)).has(left);
  });
}

export const isCreation = ({ intent }: Event): boolean => intent.operation === 'createPet' && intent.credential === 'valid';
export const overlap = (one: Event, other: Event): boolean => one !== other && one.sent < other.done && other.sent < one.done;

/** A created animal, the creations that were in flight at the same time, and how its own creation and later responses show it. */
export type Creation = {
  readonly event: Event;
  readonly id: bigint;
  readonly beside: readonly Event[];
  readonly shown: readonly { readonly event: Event; readonly pet: PetView }[];
};

const knownCreations = new WeakMap<World, readonly Creation[]>();

/** The creations from a plain or unusual NewPet, for which the document states what is stored. */
export function creationsIn(world: World): readonly Creation[] {
  const known = knownCreations.get(world);
  if (known !== undefined) return known;
  const { reads, lists } = viewOf(world);
  const all = world.events.filter(isCreation);
  const byId = Map.groupBy(all, ({ pet }) => pet?.id);
  const creations = all.flatMap((event): Creation[] => {
    const { pet, intent } = event;
    if (pet === undefined || intent.sent === undefined || (intent.body !== 'plain' && intent.body !== 'unusual')) return [];
    const { id } = pet;
    // Lists count only if the run has no reads. If several animals share an id, it is not known which one a response shows.
    const isShared = (byId.get(id)?.length ?? 0) > 1;
    const looks = (isShared ? [] : reads.size === 0 ? lists : (reads.get(id) ?? [])).flatMap((look) => {
      const seen = look.shown.get(id);
      return seen === undefined ? [] : [{ event: look.event, pet: seen }];
    });
    return [{ event, id, beside: all.filter((other) => overlap(event, other)), shown: [{ event, pet }, ...looks] }];
  });
  knownCreations.set(world, creations);
  return creations;
}

const turns = new WeakMap<World, ReadonlyMap<Event['asker'], readonly Event[]>>();

export function creationsByAsker(world: World): ReadonlyMap<Event['asker'], readonly Event[]> {
  const known = turns.get(world);
  if (known !== undefined) return known;
  const all = world.events.filter(isCreation).toSorted((a, b) => a.sent - b.sent);
  const byAsker = Map.groupBy(all, ({ asker }) => asker);
  turns.set(world, byAsker);
  return byAsker;
}

const knownAfterFilters = new WeakMap<World, ReadonlySet<number>>();
/** How many lists may have reached the service right before: those in flight together arrive in any order. */
const JUST_BEFORE = 3;

/** The numbers of the lists without a status that follow one with a status, whichever check sent them: which list is next is chance. */
export function listsAfterFilters(world: World): ReadonlySet<number> {
  const known = knownAfterFilters.get(world);
  if (known !== undefined) return known;
  const lists = world.events.filter(isStatedList).toSorted((a, b) => a.sent - b.sent);
  const after = lists.filter(
    ({ intent }, index) =>
      intent.status === 'absent' &&
      lists.slice(Math.max(0, index - JUST_BEFORE), index).some((before) => before.intent.status !== 'absent'),
  );
  const numbers = new Set(after.map(({ number }) => number));
  knownAfterFilters.set(world, numbers);
  return numbers;
}
