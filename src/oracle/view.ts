// The history as rules look at it, made once of each world: what responses show of each animal, creations, and which lists follow filters.

import { mayBeRemoved } from '../clause/removal.ts';
import type { NewPetInput, PetView } from '../schema/pet.ts';
import { isCrash } from '../session/read-exchange.ts';
import { postponement } from '../wire/client.ts';
import type { PetStatus } from '../wire/exchange.ts';
import type { Event, World } from './world.ts';

// The history as timelines read it: the animals of a run, and each response that may show them.

/** Where an animal is observed. */
export type Place = 'list' | 'filtered' | 'read';

/** A page of fewer animals has room: a service may cut its pages at this size or any larger one. */
const ROOM = 20;
/** Animals of others that nobody takes away in the short time of a run. */
export const MANY = 5;
/** Items of a list beyond which it is not looked at: list.limit-maximum and list.limit-default judge such a list. */
const LONGEST = 500;
/** Animals of others that are watched. */
const MOST_WATCHED = 400;

/** A response that may show animals. */
export type Look = {
  readonly event: Event;
  readonly place: Place;
  /** Identifies what is requested: two requests with the same key ask for the same. */
  readonly key: string;
  readonly shown: ReadonlyMap<bigint, PetView>;
  /** Of a list: how many items it has, readable or not. */
  readonly size: number;
};

/** What is known of an animal: how it was created, where it was, and how it was shown. */
export type Animal = {
  readonly id: bigint;
  /** The creation that returned 201 with its id; undefined for one of others. */
  readonly birth: Event | undefined;
  /** The day on which an earlier run created it, where the run remembers that. */
  readonly createdOn: string | undefined;
  /** Undefined for one of others. */
  readonly sent: NewPetInput | undefined;
  /** When it must have been there at the latest. */
  readonly since: number;
  readonly looks: Look[];
};

/** What lay between the last time that something was right and the first time, at an exchange of that number, that it was wrong for good. */
export type Gap = { readonly until: number; readonly operations: ReadonlySet<string>; readonly wasRead: boolean };

/** The history as timelines read it. */
export type View = {
  readonly world: World;
  readonly lists: readonly Look[];
  readonly reads: ReadonlyMap<bigint, readonly Look[]>;
  readonly animals: ReadonlyMap<bigint, Animal>;
  /** The longest page seen: pages are not cut below it. What a list shows beyond its limit proves nothing of that. */
  readonly longest: number;
  /** Of lists with the same parameters, how long those were that exceed their limit: one as long as that may be cut there, whatever its limit. */
  readonly cut: ReadonlyMap<string, ReadonlySet<number>>;
  /** A list shows animals of different names under one id: it is not known which animal an id in a list is. */
  readonly listsMixIds: boolean;
  /** Ids that two creations with different names got: it is not known which of the two a response shows. With the same name, the second has changed the first. */
  readonly ambiguousIds: ReadonlySet<bigint>;
  /** Of all that is gone. */
  readonly goneAfter: Gap[];
  /** How animals without an unusual value are shown wrong, and where. */
  readonly usual: Set<string>;
};

/** Headers that are different in each request, or say the same in other words. */
const PASSING = ['authorization', 'traceparent'];

const keys = new WeakMap<Event, string>();

/** What a GET asks for: two with the same key must show the same. Made once of each event, which stays as it is. */
export function keyOf(event: Event): string {
  const key = keys.get(event) ?? keyWith(event, event.intent.status);
  keys.set(event, key);
  return key;
}

/** The key that the request would have with that status. */
export function keyWith({ exchange: { request }, intent }: Event, status: Event['intent']['status']): string {
  const headers = request.headers.filter(([name]) => !PASSING.includes(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`);
  return [intent.operation, intent.petId ?? '', intent.limit, status, intent.credentialNote, ...headers].join('\n');
}

/** A list as the document describes it, whatever its headers. */
export function isStatedList({ intent, exchange: { request } }: Event): boolean {
  const { operation, limit, status, credential, undocumented } = intent;
  if (operation !== 'listPets' || credential !== 'valid' || limit === 'open' || status === 'open' || undocumented === true) return false;
  return [...new URLSearchParams(request.query).keys()].every((name) => name === 'limit' || name === 'status');
}

/** A response to a read that says whether the animal is there: no rejected key, crash, or wait. */
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

/** What the response may show; made once of each event, which stays as it is. */
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
  // A read that shows another animal is no sight of either: get.identity judges it.
  if (event.status === 200 && pet?.id !== intent.petId) return undefined;
  return { event, place: 'read', key: keyOf(event), shown: new Map(pet === undefined ? [] : [[pet.id, pet]]), size: 1 };
}

function ambiguousIdsIn({ events, known }: World): ReadonlySet<bigint> {
  const shared = events.filter(
    ({ intent, pet }) => intent.operation === 'createPet' && pet !== undefined && known.sharedIds.has(String(pet.id)),
  );
  const names = Map.groupBy(shared, ({ pet }) => pet?.id ?? 0n);
  return new Set([...names].flatMap(([id, all]) => (new Set(all.map(({ pet }) => pet?.name)).size > 1 ? [id] : [])));
}

/** The animals that the run created or saw; none of an invalid body, whose clause says what is wrong, and none that share an id. */
function animalsIn({ events, known }: World, looks: readonly Look[], ambiguous: ReadonlySet<bigint>): ReadonlyMap<bigint, Animal> {
  const byNumber = new Map(events.map((event) => [event.number, event]));
  const animals = new Map<bigint, Animal>();
  for (const { id, sent, createdOn } of known.remembered.values())
    animals.set(id, { id, birth: undefined, createdOn, sent, since: Number.NEGATIVE_INFINITY, looks: [] });
  for (const { id, sent, exchange, createdAt } of known.created.values()) {
    const birth = byNumber.get(exchange.number);
    if (birth !== undefined && !ambiguous.has(id)) animals.set(id, { id, birth, createdOn: undefined, sent, since: createdAt, looks: [] });
  }
  for (const look of looks) {
    for (const id of look.shown.keys()) {
      const animal = animals.get(id);
      if (animal !== undefined) animal.looks.push(look);
      else if (!ambiguous.has(id) && animals.size < known.created.size + MOST_WATCHED)
        animals.set(id, { id, birth: undefined, createdOn: undefined, sent: undefined, since: look.event.done, looks: [look] });
    }
  }
  return animals;
}

const limitOf = ({ intent: { limit } }: Event): number => (typeof limit === 'number' ? limit : ROOM);

/** Which parameters a list has. */
const parametersOf = ({ event: { intent } }: Look): string =>
  [...(intent.limit === 'absent' ? [] : ['limit']), ...(intent.status === 'absent' ? [] : ['status'])].join();

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
  const longest = lists.reduce((most, { size, event }) => Math.max(most, Math.min(size, limitOf(event))), 0);
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

/** Whether the list had room for more. By how long others were, it was not cut short: the document bounds a page by its limit only. */
export function hasRoom(look: Look, { longest, cut }: Pick<View, 'longest' | 'cut'>): boolean {
  const { event, size, shown } = look;
  // An item without an id may be any animal.
  if ((shown.size < size && shown.size === 0) || cut.get(parametersOf(look))?.has(size) === true) return false;
  const limit = limitOf(event);
  return size === 0 || (limit >= ROOM && size < Math.min(limit, Math.max(ROOM, longest)));
}

/** Whether by that request everything must know the animal. */
export function isSettled({ since }: Pick<Animal, 'since'>, { sent }: Event, { known: { consistencyWindow } }: World): boolean {
  return since + consistencyWindow < sent;
}

/** Every plain name is one, and so are some that are special as a whole. */
const PLAIN_NAME = /^[A-Za-z]{1,20}$/;

const categories = new WeakMap<World, ReadonlySet<bigint>>();

/** The categories of the plain animals that the run created. */
function plainCategories(world: World): ReadonlySet<bigint> {
  const known = categories.get(world);
  if (known !== undefined) return known;
  const created = world.known.created.values().filter(({ plain }) => plain);
  const plain = new Set(created.map(({ sent }) => sent.categoryId));
  categories.set(world, plain);
  return plain;
}

/** The field by which a NewPet is an unusual one; undefined of all others. */
export function unusualFieldOf({ body, sent }: Event['intent'], world: World): 'name' | 'categoryId' | undefined {
  if (sent === undefined || (body !== 'unusual' && body !== 'open')) return undefined;
  if (!PLAIN_NAME.test(sent.name)) return 'name';
  if (!plainCategories(world).has(sent.categoryId)) return 'categoryId';
  return body === 'unusual' ? 'name' : undefined;
}

const statuses = new WeakMap<Animal, { readonly status: PetStatus | undefined }>();

/**
 * The status that the animal has had all the time, as far as anything shows; undefined if that is not known. Computed once for each animal, because
 * it is first used after the view has been made with all of its looks.
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
 * Whether a page that may have been cut short was not: nothing cuts it exactly between the animals of one status, or those sent without one, and
 * all others.
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
/** Whether both were under way at some moment. */
export const overlap = (one: Event, other: Event): boolean => one !== other && one.sent < other.done && other.sent < one.done;

/** An animal that was created, the creations that were under way at the same time, and how the 201 and reads show it. */
export type Creation = {
  readonly event: Event;
  readonly id: bigint;
  readonly beside: readonly Event[];
  readonly shown: readonly { readonly event: Event; readonly pet: PetView }[];
};

const knownCreations = new WeakMap<World, readonly Creation[]>();

/** The creations that made an animal from nothing but a NewPet of which the document says what is stored. */
export function creationsIn(world: World): readonly Creation[] {
  const known = knownCreations.get(world);
  if (known !== undefined) return known;
  const { reads, lists } = viewOf(world);
  const all = world.events.filter(isCreation);
  const creations = all.flatMap((event): Creation[] => {
    const { pet, intent } = event;
    if (pet === undefined || intent.sent === undefined || (intent.body !== 'plain' && intent.body !== 'unusual')) return [];
    const { id } = pet;
    // Lists show it where nothing can be read. It is not known which of several animals with one id a response shows.
    const isShared = all.some((other) => other !== event && other.pet?.id === id);
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

/** The creations of each part of a clause, in the order of sending. */
export function creationsByAsker(world: World): ReadonlyMap<Event['asker'], readonly Event[]> {
  const known = turns.get(world);
  if (known !== undefined) return known;
  const all = world.events.filter(isCreation).toSorted((a, b) => a.sent - b.sent);
  const byAsker = Map.groupBy(all, ({ asker }) => asker);
  turns.set(world, byAsker);
  return byAsker;
}

const knownAfterFilters = new WeakMap<World, ReadonlySet<number>>();
/** Lists that were under way together reach the service in any order. */
const JUST_BEFORE = 3;

/** The numbers of the lists without a status that come right after one with a status, whoever sent them: which list is next is chance. */
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
