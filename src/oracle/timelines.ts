// What all exchanges together show about one animal. Its existence, name, category, and status are observed over time in three places: lists, lists
// with a status, and reads. Nothing in the interface changes them, so the pattern of the contradictions shows which clause is broken.

import type { Breach, ClauseId } from '../clause/clause.ts';
import type { StatedKind } from '../clause/failure-kind.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import { FIELDS, type Field } from '../schema/pet.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { cleanText } from '../wire/redact.ts';
import { type Aspect, clearCases, OWNERS, type Shape, type TimelineCase, UNUSUAL } from './shapes.ts';
import {
  type Animal,
  type Gap,
  hasRoom,
  isSettled,
  isSieved,
  type Look,
  MANY,
  type Place,
  statusOf,
  unusualFieldOf,
  type View,
  viewOf,
} from './view.ts';
import type { Event, World } from './world.ts';

type Observation = { readonly look: Look; readonly value: unknown; readonly isRight: boolean };

/** Lists that had room for any animal, and the full ones that show this one; both in the order of sending. */
type Telling = { readonly lists: readonly Look[]; readonly full: readonly Look[] };

/** Both in the order of sending, in which each of them is already. */
function inOrder(some: readonly Look[], others: readonly Look[]): readonly Look[] {
  if (others.length === 0) return some;
  const all: Look[] = [];
  let next = 0;
  for (const look of some) {
    for (let other = others[next]; other !== undefined && other.event.sent < look.event.sent; other = others[next]) {
      all.push(other);
      next += 1;
    }
    all.push(look);
  }
  for (const other of next === 0 ? others : others.slice(next)) all.push(other);
  return all;
}

/** The lists and reads that show whether the animal exists, in the order of sending. Those that were sent too early count only if they show it. */
function existenceOf(animal: Animal, view: View, telling: Telling): readonly Observation[] {
  const status = statusOf(animal);
  const looks = inOrder(inOrder(telling.lists, telling.full), view.reads.get(animal.id) ?? []);
  // A loop, because each animal is looked up in all lists of the run.
  const seen: Observation[] = [];
  for (const look of looks) {
    const { event, shown, place } = look;
    if (shown.has(animal.id)) seen.push({ look, value: true, isRight: true });
    else if (isSettled(animal, event, view.world) && (place !== 'filtered' || event.intent.status === status))
      seen.push({ look, value: false, isRight: false });
  }
  return seen;
}

function valuesOf({ id, looks }: Animal, field: Field): readonly { readonly look: Look; readonly value: unknown }[] {
  const values: { readonly look: Look; readonly value: unknown }[] = [];
  for (const look of looks) {
    const pet = look.shown.get(id);
    if (pet !== undefined && !pet.gaps.includes(field)) values.push({ look, value: pet[field] });
  }
  return values;
}

type Contradiction = {
  readonly shape: Shape;
  readonly wrong: Observation;
  readonly right: Observation | undefined;
  readonly wrongs: readonly Observation[];
  /** Every response to this request from then on is wrong; unless the shape is `gone`, there are several. */
  readonly isForGood: boolean;
};

/** The operations that may have run between two exchanges. */
function between({ events }: World, from: Event, to: Event): ReadonlySet<string> {
  const lying = events.filter(({ done, sent, number }) => done > from.done && sent < to.sent && number !== to.number);
  return new Set(lying.map(({ intent }) => intent.operation));
}

/** Whether a request is right one time and wrong the next, or the reverse, without a creation in between. */
function flaps(same: readonly Observation[], world: World): boolean {
  return same.some((one, index) => {
    const before = same[index - 1];
    return before !== undefined && before.isRight !== one.isRight && !between(world, before.look.event, one.look.event).has('createPet');
  });
}

/** One contradiction per request with wrong responses, or a single one if what was right before has changed for good. */
function contradictions(
  seen: readonly Observation[],
  { world, isExistence }: { world: World; isExistence: boolean },
): readonly Contradiction[] {
  const first = seen.findIndex(({ isRight }) => !isRight);
  const wrong = seen[first];
  if (wrong === undefined) return [];
  const rest = seen.slice(first);
  const before = seen.slice(0, first);
  // Wrong ever since, at a request that was right before (or in reads, with any headers): something has changed it for good.
  const isSameRequest = (one: Look, other: Look): boolean => one.key === other.key || (one.place === 'read' && other.place === 'read');
  if (rest.every(({ isRight }) => !isRight) && before.some(({ look }) => rest.some((one) => isSameRequest(one.look, look))))
    return [{ shape: 'gone', wrong, right: before.at(-1), wrongs: rest, isForGood: true }];
  return [...Map.groupBy(seen, ({ look }) => look.key).values()].flatMap((same): Contradiction[] => {
    const wrongs = same.filter(({ isRight }) => !isRight);
    const [bad] = wrongs;
    if (bad === undefined) return [];
    const good = same.slice(0, same.indexOf(bad)).findLast(({ isRight }) => isRight) ?? same.find(({ isRight }) => isRight);
    const right = good ?? seen.find(({ isRight, look }) => isRight && look.place === bad.look.place) ?? seen.find(({ isRight }) => isRight);
    // Sent only once, and wrong where other requests of its kind are right: that shows no rule.
    const isOnce = same.length === 1 && right?.look.place === bad.look.place;
    const isFlapping = good === undefined ? isOnce : !isExistence || bad.look.place === 'read' || flaps(same, world);
    const since = same.slice(same.indexOf(bad));
    const isForGood = since.length > 1 && since.every(({ isRight }) => !isRight);
    return [{ shape: isFlapping ? 'flapping' : 'missing', wrong: bad, right, wrongs, isForGood }];
  });
}

/** This many animals, or moments, show a pattern. */
const SEVERAL = 3;

function belongsIn({ event, place }: Look, animal: Animal, { world }: View): boolean {
  return isSettled(animal, event, world) && (place === 'list' || statusOf(animal) === event.intent.status);
}

/** How many animals of the run the list omits: `newer` ones were created after all of the run that it shows, `older` ones were not. */
function omittedBy(look: Look, view: View): { readonly newer: number; readonly older: number } {
  const { shown } = look;
  const own = [...view.animals.values()].filter((animal) => animal.birth !== undefined && belongsIn(look, animal, view));
  const omitted = own.filter(({ id }) => !shown.has(id)).map(({ since }) => since);
  const latest = Math.max(Number.NEGATIVE_INFINITY, ...own.filter(({ id }) => shown.has(id)).map(({ since }) => since));
  const newer = omitted.filter((since) => since > latest).length;
  return { newer, older: omitted.length - newer };
}

/** Whether the list is stale: it shows some animals, but omits several that the run created after all of its own that the list shows. */
function isStale(look: Look, view: View): boolean {
  return look.place !== 'read' && look.size > 0 && omittedBy(look, view).newer >= SEVERAL;
}

const isSameList = (one: Look, other: Look): boolean =>
  one.place === other.place && one.shown.size === other.shown.size && [...one.shown.keys()].every((id) => other.shown.has(id));

/** Whether a stale list omits animals that a later response shows again, or is one that did so before. */
function isStaleForNow(look: Look, view: View): boolean {
  return view.lists.some((one) => (one === look || isSameList(one, look)) && isContradicted(one, view));
}

/** Whether a later response shows animals that the stale list omits. */
function isContradicted(look: Look, view: View): boolean {
  if (!isStale(look, view)) return false;
  return [...view.animals.values()].some(
    (animal) =>
      !look.shown.has(animal.id) &&
      belongsIn(look, animal, view) &&
      animal.looks.some(({ event, shown }) => event.sent > look.event.done && shown.has(animal.id)),
  );
}

/**
 * Whether an animal is missing because lists are stale. The first one alone may not show it, if hardly any animal was newer at that time: then all of
 * them together must omit the newest animals and nothing else.
 */
function isBehind(first: Look, wrongs: readonly Observation[], view: View): boolean {
  if (first.place === 'read') return false;
  if (isStale(first, view)) return true;
  const lists = wrongs.map(({ look }) => look);
  return lists.some((look) => isStale(look, view)) && lists.every((look) => look.size > 0 && omittedBy(look, view).older === 0);
}

function isReadBetween({ events }: World, animal: bigint, { from, to }: { readonly from: Event; readonly to: Event }): boolean {
  return events.some(({ intent, sent, done }) => intent.petId === animal && done >= from.sent && sent < to.sent);
}

/** The first request after the right one that did not show the animal. It may have been too early to count: the animal is gone for good. */
function firstWithout(animal: bigint, { right, wrong }: { readonly right: Event; readonly wrong: Look }, view: View): Event {
  const looks = [...view.lists.filter((look) => look.place === 'list' && hasRoom(look, view)), ...(view.reads.get(animal) ?? [])];
  return looks
    .filter(({ event, shown }) => event.sent >= right.done && event.sent < wrong.event.sent && !shown.has(animal))
    .reduce((earliest, { event }) => (event.sent < earliest.sent ? event : earliest), wrong.event);
}

function hasChangedStatus(animal: bigint, { animals }: View): boolean {
  const looks = animals.get(animal)?.looks ?? [];
  return new Set(looks.map(({ shown }) => shown.get(animal)).flatMap((pet) => pet?.status ?? [])).size > 1;
}

function ownerOf(
  aspect: 'existence' | 'value',
  { shape, wrong, wrongs, right, isForGood }: Contradiction,
  { view, animal }: { readonly view: View; readonly animal: bigint },
): ClauseId {
  const { place, event } = wrong.look;
  const { world } = view;
  // A list from a stale replica omits animals that were created since, however often others are right.
  const isOwn = view.animals.get(animal)?.birth !== undefined;
  const isOfBefore =
    aspect === 'existence' &&
    ((shape === 'flapping' && isBehind(wrong.look, wrongs, view)) ||
      (shape === 'gone' && place !== 'read' && isOwn && isStaleForNow(wrong.look, view)));
  const named = OWNERS[aspect][isOfBefore ? 'missing' : shape][place];
  if (isOfBefore && shape === 'gone') return named;
  if (right === undefined) return named;
  const before = right.look.event;
  const to = shape === 'gone' && aspect === 'existence' ? firstWithout(animal, { right: before, wrong: wrong.look }, view) : event;
  const operations = new Set<string>([...between(world, before, to), before.intent.operation]);
  // Only a later response is right. If something was created in between, the animal was not lost, but not there yet.
  if (before.sent > event.sent)
    return aspect === 'existence' && shape === 'flapping' && place === 'read' && between(world, event, before).has('createPet')
      ? OWNERS.existence.missing.read
      : named;
  const wasRead = isReadBetween(world, animal, { from: before, to });
  if (shape === 'gone') {
    // An animal that is gone from a list with its status may have another status now: this list does not show when that changed.
    if (place !== 'filtered' || !hasChangedStatus(animal, view)) view.goneAfter.push({ until: to.number, operations, wasRead });
    return named;
  }
  const isUnlisted = aspect === 'existence' && isForGood && place === 'list' && right.look.key === wrong.look.key;
  return isUnlisted && wasRead && !operations.has('createPet') && !isStale(wrong.look, view) ? 'get.repeatable' : named;
}

/** The clauses of lists that are stale and nothing else. */
const OF_STALE_LISTS: readonly ClauseId[] = [OWNERS.existence.missing.list, OWNERS.existence.missing.filtered];

const isOfLists = ({ operations }: Gap): boolean => operations.size === 1 && operations.has('listPets');

/**
 * The clause of all changes for good, by what lay between the last right observation and the first wrong one. Lists made the changes if nothing else
 * lay there each time, or if nothing else did several times and a list did each time. Reads made them if the animal was read each time, and creations
 * do not explain all changes as well. Otherwise the store is not durable.
 */
function causeOf({ goneAfter }: View): ClauseId {
  const moments = new Set(goneAfter.filter(isOfLists).map(({ until }) => until)).size;
  if (goneAfter.every(isOfLists) || (moments >= SEVERAL && goneAfter.every(({ operations }) => operations.has('listPets'))))
    return 'list.read-only';
  const isOfCreations = goneAfter.every(({ operations }) => operations.has('createPet'));
  return !isOfCreations && goneAfter.every(({ wasRead }) => wasRead) ? 'get.repeatable' : 'get.durable';
}

const describe = ({ event: { exchange } }: Look): string =>
  `${exchange.request.method} ${exchange.request.path}${exchange.request.query === '' ? '' : `?${exchange.request.query}`}`;

/** The response that shows the animal; where its URL is the same, when that was. */
function shownBy(right: Look, wrong: Look): string {
  if (describe(right) !== describe(wrong)) return `${describe(right)} shows it`;
  return right.event.sent < wrong.event.sent ? 'the same URL showed it before' : 'the same URL shows it later';
}

const MISSING = { place: 'animal', expected: 'shown', received: 'missing' } as const;

function breachOf(
  animal: Animal,
  about: { readonly summary: string; readonly expected: string; readonly received: string; readonly kind: StatedKind },
  looks: readonly (Look | undefined)[],
): Breach {
  const { summary, expected, received, kind } = about;
  const events = [animal.birth, ...looks.map((look) => look?.event)].filter((event) => event !== undefined);
  return { summary, expected: [expected], received, failureKinds: [kind], exchanges: [...new Set(events)].map(({ exchange }) => exchange) };
}

/** The cases that hold: one for each place in which the animal was seen as it should be, with all exchanges that show it. */
function holding({ id }: Animal, seen: readonly Observation[], clauseOf: (place: Place) => ClauseId): readonly TimelineCase[] {
  const byPlace = new Map<Place, { readonly first: Event; readonly others: Event[] }>();
  for (const { look } of seen) {
    const known = byPlace.get(look.place);
    if (known === undefined) byPlace.set(look.place, { first: look.event, others: [] });
    else known.others.push(look.event);
  }
  return [...byPlace].map(([place, { first, others }]) => ({ clause: clauseOf(place), animal: id, event: first, others }));
}

function repeated(seen: readonly Observation[]): readonly Observation[] {
  const byKey = new Map<string, Observation[]>();
  for (const one of seen) {
    const same = byKey.get(one.look.key);
    if (same === undefined) byKey.set(one.look.key, [one]);
    else same.push(one);
  }
  return [...byKey.values()].filter(({ length }) => length > 1).flat();
}

const others = (look: Look): string =>
  look.size === 0 ? 'an empty list' : `${look.size} other ${look.size === 1 ? 'animal' : 'animals'}, with room for more`;

function received({ look }: Observation): string {
  return look.place === 'read' ? String(look.event.status) : others(look);
}

/** All wrong exchanges and, for clauses about creations, the creation of the animal: what is wrong there may be the reason. */
function othersOf({ birth }: Animal, clause: ClauseId, wrongs: readonly Look[]): readonly Event[] {
  const seen = wrongs.map(({ event }) => event);
  return birth !== undefined && clause.startsWith('create.') ? [...seen, birth] : seen;
}

/** One case per clause, because what is wrong with an animal in several requests has one reason. */
function casesBy(
  animal: Animal,
  aspect: Aspect,
  found: readonly (Contradiction & { readonly clause: ClauseId; readonly breach: Breach })[],
): readonly TimelineCase[] {
  return [...Map.groupBy(found, ({ clause }) => clause)].flatMap(([clause, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const { shape, breach, wrong } = first;
    const wrongs = all.flatMap((one) => one.wrongs.map(({ look }) => look));
    return [
      { clause, animal: animal.id, event: wrong.look.event, others: othersOf(animal, clause, wrongs), breach, shape, aspect, wrongs },
    ];
  });
}

const PLACES: readonly Place[] = ['list', 'filtered', 'read'];

/** A key for what may be wrong with other animals as well: a value in a place, or that animals of this status are missing from a place. */
const usualKey = (animal: Animal, what: 'existence' | Field, place: Place): string =>
  [what, place, ...(what === 'existence' && place !== 'list' ? [statusOf(animal)] : [])].join();

/** Says that animals without an unusual value are in no place. */
const LOST = 'lost';

function unusualClauseOf({ birth }: Animal, what: 'existence' | Field, { world }: View): ClauseId | undefined {
  const field = birth === undefined ? undefined : unusualFieldOf(birth.intent, world);
  return field === undefined || (what !== 'existence' && what !== field) ? undefined : UNUSUAL[field];
}

function noteUsual(cases: readonly TimelineCase[], view: View): void {
  for (const { animal: id = 0n, shape, field, wrongs = [] } of cases) {
    const animal = view.animals.get(id);
    if (animal === undefined || shape === 'gone' || shape === 'flapping') continue;
    if (shape === 'lost') view.usual.add(LOST);
    // For an animal that others created, it is not known which of two places is wrong.
    const places = shape === 'disagreeing' && animal.birth === undefined ? PLACES : wrongs.map(({ place }) => place);
    for (const place of places) view.usual.add(usualKey(animal, field ?? 'existence', place));
  }
}

function existenceCases(
  animal: Animal,
  view: View,
  { telling, manyGone }: { readonly telling: Telling; readonly manyGone: boolean },
): readonly TimelineCase[] {
  const { world } = view;
  const all = existenceOf(animal, view, telling);
  const right = all.filter(({ isRight }) => isRight);
  // Other clients may remove what they added, but not many animals; one that is seen again was there all the time.
  const seen = animal.sent === undefined && !manyGone ? all.slice(0, all.findLastIndex(({ isRight }) => isRight) + 1) : all;
  const unusual = unusualClauseOf(animal, 'existence', view);
  const [first] = seen;
  if (animal.birth !== undefined && first !== undefined && right.length === 0) {
    const places = [...new Set(seen.map(({ look }) => look.place))];
    const listed = seen.find(({ look }) => look.place === 'list') ?? seen.find(({ look }) => look.place === 'filtered');
    const wrong = listed ?? first;
    // If it is missing from several places, the whole animal is, which list.complete reports.
    const clause = unusual ?? OWNERS.existence.lost[places.length > 1 ? 'list' : wrong.look.place];
    // If animals without an unusual value are affected as well, their cases report it.
    if (unusual !== undefined && (view.usual.has(LOST) || places.some((place) => view.usual.has(usualKey(animal, 'existence', place)))))
      return [];
    const summary = `animal ${animal.id} was created with 201, but ${describe(wrong.look)} ${listed === undefined ? `returned ${received(wrong)}` : 'omits it despite having room'}, and nothing else shows it`;
    const breach = breachOf(
      animal,
      { summary, expected: `animal ${animal.id} within the consistency window`, received: received(wrong), kind: MISSING },
      [wrong.look],
    );
    const wrongs = seen.map(({ look }) => look);
    return [
      { clause, animal: animal.id, event: wrong.look.event, others: othersOf(animal, clause, wrongs), breach, shape: 'lost', wrongs },
    ];
  }
  const found = contradictions(seen, { world, isExistence: true }).flatMap((one) => {
    const { wrong, shape } = one;
    // An unusual value does not make an animal come and go. Plain animals show that for lists; a read is about this animal alone.
    const odd = shape === 'missing' || wrong.look.place !== 'read' ? unusual : undefined;
    if (odd !== undefined && (shape !== 'missing' || view.usual.has(usualKey(animal, 'existence', wrong.look.place)))) return [];
    const summary =
      wrong.look.place === 'read'
        ? `${describe(wrong.look)} returned ${received(wrong)} for an animal that exists`
        : `${describe(wrong.look)} omits animal ${animal.id} despite having room`;
    const expected = wrong.look.place === 'read' ? '200 with the animal' : `animal ${animal.id} in the list`;
    const where = one.right === undefined ? '' : `; ${shownBy(one.right.look, wrong.look)}`;
    const breach = breachOf(animal, { summary: `${summary}${where}`, expected, received: received(wrong), kind: MISSING }, [
      one.right?.look,
      wrong.look,
    ]);
    return [{ ...one, clause: odd ?? ownerOf('existence', one, { view, animal: animal.id }), breach }];
  });
  const held = holding(animal, right, (place) => unusual ?? OWNERS.existence.missing[place]);
  // The animal was there before: the same request has shown it more than once.
  const again = holding(animal, repeated(right), (place) => OWNERS.existence[place === 'read' ? 'gone' : 'flapping'][place]);
  const replaced = unusual === undefined ? replacementCases(animal, { right, found, world }) : [];
  return [...casesBy(animal, 'existence', found), ...held, ...again, ...replaced];
}

/** Whether the replacement of getPet, a list with its status, finds an animal that reads show; once getPet may be removed, any animal. */
function replacementCases(
  animal: Animal,
  { right, found, world }: { right: readonly Observation[]; found: readonly (Contradiction & { readonly breach: Breach })[]; world: World },
): readonly TimelineCase[] {
  if (!mayBeRemoved(world.known.now) && animal.looks.every(({ place }) => place !== 'read')) return [];
  const clause = 'deprecation.replacement';
  const left = found.filter(({ shape, wrong }) => shape === 'missing' && wrong.look.place === 'filtered');
  const shown = right.filter(({ look }) => look.place === 'filtered');
  return [
    ...casesBy(
      animal,
      'existence',
      left.map((one) => ({ ...one, clause })),
    ),
    ...holding(animal, shown, () => clause),
  ];
}

/** Whether the animal was read before each change of what a list shows: then reads have changed it, although a list shows that. */
function isOfReads({ look }: Observation, seen: readonly Observation[], { world, animal }: { world: World; animal: bigint }): boolean {
  const same = seen.filter((one) => one.look.key === look.key);
  const changes = same.flatMap((one, index) => {
    const before = same[index - 1];
    return before === undefined || before.value === one.value ? [] : [{ from: before.look.event, to: one.look.event }];
  });
  return look.place !== 'read' && changes.length > 0 && changes.every((change) => isReadBetween(world, animal, change));
}

const LONGEST_SHOWN = 60;

/** A value as part of a sentence; of a long wrong name, also how many characters at its beginning are right. */
function shownValue(field: Field, value: unknown, truth: unknown = value): string {
  if (value === undefined) return `no ${field}`;
  if (typeof value !== 'string') return `${field} ${String(value)}`;
  const whole = `${field} ${cleanText(JSON.stringify(value.slice(0, LONGEST_SHOWN)))}`;
  const right = String(truth);
  if (value.length <= LONGEST_SHOWN && right.length <= LONGEST_SHOWN) return whole;
  let at = 0;
  while (at < value.length && value[at] === right[at]) at += 1;
  return `${whole}… of ${value.length} characters${value === truth ? '' : `, of which the first ${at} agree`}`;
}

function valueCases(animal: Animal, field: Field, view: View): readonly TimelineCase[] {
  const { sent, birth } = animal;
  const values = valuesOf(animal, field);
  const [first] = values;
  if (first === undefined) return [];
  const returned = birth?.pet?.gaps.includes(field) === true ? undefined : birth?.pet?.[field];
  const isShown = (known: unknown): boolean => values.some(({ value }) => value === known);
  // create.answer judges a 201 that does not show what was sent: later responses may then show either value.
  const isKnown =
    sent?.[field] !== undefined && (returned === sent[field] || isShown(sent[field]) || (returned !== undefined && !isShown(returned)));
  const truth = isKnown ? sent?.[field] : first.value;
  const seen = values.map(({ look, value }): Observation => ({ look, value, isRight: value === truth }));
  const right = seen.filter(({ isRight }) => isRight);
  const isBy = (place: 'read' | 'list', { look }: Observation): boolean => (look.place === 'read') === (place === 'read');
  const agreeing = right.some((one) => isBy('read', one)) && right.some((one) => isBy('list', one)) ? right : [];
  const unusual = unusualClauseOf(animal, field, view);
  const held = [
    ...holding(animal, isKnown ? right : [], (place) => unusual ?? OWNERS.value.missing[place]),
    ...holding(animal, agreeing, (place) => OWNERS.value.disagreeing[place]),
    ...holding(animal, repeated(right), (place) => OWNERS.value.flapping[place]),
  ];
  const found = contradictions(seen, { world: view.world, isExistence: false });
  // The document shows no transitions of the status: an animal of other clients may change it once.
  if (field === 'status' && sent === undefined && found.every(({ shape }) => shape === 'gone')) return held;
  const broken = found.flatMap((one) => {
    const { wrong } = one;
    // Either lists or reads show it right: they disagree, whatever was sent.
    const elsewhere = right.find((other) => (other.look.place === 'read') !== (wrong.look.place === 'read'));
    const isApart = one.shape === 'missing' && elsewhere !== undefined;
    const shaped: Contradiction = isApart ? { ...one, shape: 'disagreeing', right: elsewhere } : one;
    const created = isKnown ? `, but was created with ${shownValue(field, truth)}` : '';
    const beside =
      shaped.right === undefined ? created : `, but ${shownValue(field, shaped.right.value)} in ${describe(shaped.right.look)}`;
    const summary = `animal ${animal.id} has ${shownValue(field, wrong.value, truth)} in ${describe(wrong.look)}${beside}`;
    const kind = { place: field, expected: 'the value of the animal', received: wrong.value === undefined ? 'missing' : 'another value' };
    const about = { summary, expected: shownValue(field, truth), received: shownValue(field, wrong.value, truth), kind };
    const byReads = shaped.shape === 'flapping' && isOfReads(wrong, seen, { world: view.world, animal: animal.id });
    const owner = byReads ? OWNERS.value.flapping.read : ownerOf('value', shaped, { view, animal: animal.id });
    const isUnusual = unusual !== undefined && (shaped.shape === 'missing' || shaped.shape === 'disagreeing');
    if (isUnusual && view.usual.has(usualKey(animal, field, wrong.look.place))) return [];
    return [{ ...shaped, clause: isUnusual ? unusual : owner, breach: breachOf(animal, about, [shaped.right?.look, wrong.look]) }];
  });
  return [...casesBy(animal, 'value', broken).map((one) => ({ ...one, field })), ...held];
}

/**
 * The statuses of which lists without a status show no animal of the run and omit several. What a list with such a status omits as well, it omits for
 * the same reason.
 */
function unlistedStatuses(cases: readonly TimelineCase[], { animals }: View): ReadonlySet<PetStatus> {
  const statusesOf = (all: readonly TimelineCase[]): readonly PetStatus[] =>
    all.flatMap(({ animal: id = 0n }) => {
      const animal = animals.get(id);
      return animal?.birth === undefined ? [] : (statusOf(animal) ?? []);
    });
  const listed = cases.filter(({ clause }) => clause === OWNERS.existence.missing.list);
  // A list with repeated or unreadable ids does not show which animals it omits.
  const tells = ({ wrongs = [] }: TimelineCase): boolean =>
    wrongs.some(({ place, shown, size }) => place === 'list' && shown.size === size);
  const shown = new Set(statusesOf(listed.filter(({ breach }) => breach === undefined)));
  const counts = Map.groupBy(statusesOf(listed.filter((one) => one.breach !== undefined && tells(one))), (status) => status);
  return new Set([...counts].flatMap(([status, { length }]) => (length < SEVERAL || shown.has(status) ? [] : [status])));
}

/** The fields that reads show wrong, and lists right, for several animals: reads of an animal that no list shows are wrong in the same way. */
function misreadFields(cases: readonly TimelineCase[]): ReadonlySet<Field> {
  const wrong = cases.filter(({ shape, breach, wrongs = [] }) => shape === 'disagreeing' && breach !== undefined && areReads(wrongs));
  const counts = Map.groupBy(wrong, ({ field }) => field);
  return new Set(FIELDS.filter((field) => (counts.get(field)?.length ?? 0) >= SEVERAL));
}

/**
 * Whether filters omit animals that exist, and nothing but filtered lists shows that animals are gone: then these are omitted as well. Of a large store
 * with the newest first, no other list shows an old animal, or has room for it.
 */
function areGoneFromFilters(cases: readonly TimelineCase[]): boolean {
  const broken = cases.filter(({ breach }) => breach !== undefined);
  const isOmitted = ({ clause, shape }: TimelineCase): boolean => shape === 'missing' && clause === OWNERS.existence.missing.filtered;
  const gone = broken.filter(({ shape }) => shape === 'gone');
  return (
    broken.filter(isOmitted).length >= SEVERAL &&
    gone.every(({ aspect, wrongs = [] }) => aspect === 'existence' && wrongs.every(({ place }) => place === 'filtered'))
  );
}

const areReads = (looks: readonly Look[]): boolean => looks.length > 0 && looks.every(({ place }) => place === 'read');

const made = new WeakMap<World, ReadonlyMap<ClauseId, readonly TimelineCase[]>>();

function makeCases(world: World): ReadonlyMap<ClauseId, readonly TimelineCase[]> {
  const view = viewOf(world);
  const lists = view.lists.filter((look) => hasRoom(look, view) || isSieved(look, view));
  const telling = new Set(lists);
  const animals = [...view.animals.values()];
  const isGone = (animal: Animal): boolean =>
    animal.sent === undefined && existenceOf(animal, view, { lists, full: [] }).at(-1)?.isRight === false;
  const manyGone = animals.filter(isGone).length >= MANY;
  const casesOf = (animal: Animal): readonly TimelineCase[] => {
    // A full page does not show that an animal is missing, but it may show the animal.
    const full = animal.looks.filter((look) => look.place !== 'read' && !telling.has(look));
    const existence = existenceCases(animal, view, { telling: { lists, full }, manyGone });
    return [...existence, ...FIELDS.flatMap((field) => valueCases(animal, field, view))];
  };
  const isUnusual = ({ birth }: Animal): boolean => birth !== undefined && unusualFieldOf(birth.intent, world) !== undefined;
  const usual = animals.filter((animal) => !isUnusual(animal)).flatMap(casesOf);
  noteUsual(usual, view);
  const cases = [...usual, ...animals.filter(isUnusual).flatMap(casesOf)];
  const cause = areGoneFromFilters(cases) ? OWNERS.existence.missing.filtered : causeOf(view);
  const unlisted = unlistedStatuses(cases, view);
  const isUnlisted = ({ clause, breach, animal: id = 0n }: TimelineCase): boolean => {
    const animal = clause === OWNERS.existence.missing.filtered && breach !== undefined ? view.animals.get(id) : undefined;
    const status = animal?.birth === undefined ? undefined : statusOf(animal);
    return status !== undefined && unlisted.has(status);
  };
  const misread = misreadFields(cases);
  const isMisread = ({ shape, breach, field, wrongs = [] }: TimelineCase): boolean =>
    shape === 'missing' && breach !== undefined && field !== undefined && misread.has(field) && areReads(wrongs);
  const owned = cases.map((one) => {
    if (one.shape === 'gone' && !OF_STALE_LISTS.includes(one.clause)) return { ...one, clause: cause };
    if (isMisread(one)) return { ...one, clause: OWNERS.value.disagreeing.read };
    return isUnlisted(one) ? { ...one, clause: OWNERS.existence.missing.list } : one;
  });
  return Map.groupBy(clearCases(owned, view), ({ clause }) => clause);
}

export function timelineCases(world: World, clause: ClauseId): readonly TimelineCase[] {
  const known = made.get(world) ?? makeCases(world);
  made.set(world, known);
  return known.get(clause) ?? [];
}
