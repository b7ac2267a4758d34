// What responses show of one animal over time, what of that is a contradiction, and the clause that its shape names.

import type { ClauseId } from '../clause/clause.ts';
import type { Field } from '../schema/pet.ts';
import { oncePerObject } from '../wire/once.ts';
import type { Exchange } from './exchange.ts';
import { type Aspect, type Gap, OWNERS, type Shape } from './shapes.ts';
import { busyBefore, isSettled, timesOf } from './standing.ts';
import { hasRoom, isSieved, type Look, statusIn, statusOf, type View, type Watched } from './view.ts';
import type { World } from './world.ts';

export type Observation = { readonly look: Look; readonly value: unknown; readonly isRight: boolean };
/** Lists that had room for any animal, and the full ones that show this one. */
export type Telling = { readonly lists: readonly Look[]; readonly full: readonly Look[] };
export type Contradiction = {
  readonly shape: Shape;
  readonly wrong: Observation;
  readonly right: Observation | undefined;
  readonly wrongs: readonly Observation[];
  /** Every response to this request from then on is wrong; unless the shape is `gone`, there are several. */
  readonly isForGood: boolean;
};
export type Owner = { readonly clause: ClauseId; readonly gap?: Gap };

const byTime = (one: { readonly look: Look }, other: { readonly look: Look }): number => one.look.exchange.at - other.look.exchange.at;

/** The lists and reads that show whether the animal exists. Those that were sent too early count only if they show it. */
export function existenceOf(animal: Watched, { world, reads }: View, { lists, full }: Telling): readonly Observation[] {
  const status = statusOf(animal);
  const seen: Observation[] = [];
  for (const looks of [lists, full, reads.get(animal.id) ?? []]) {
    for (const look of looks) {
      const isShown = look.shown.has(animal.id);
      const isMissed = (): boolean =>
        isSettled(animal.since, look.exchange, world) && (look.place !== 'filtered' || statusIn(look.exchange) === status);
      if (isShown || isMissed()) seen.push({ look, value: isShown, isRight: isShown });
    }
  }
  return seen.sort(byTime);
}

/** The lists that show which animals there are: those with room for more, and those that a filter has cut. */
export const tellingIn = oncePerObject(
  (view: View): ReadonlySet<Look> => new Set(view.lists.filter((look) => hasRoom(look, view) || isSieved(look, view))),
);

/** A full page does not show that an animal is missing, but it may show the animal. */
export const tellingOf = (animal: Watched, view: View): Telling => {
  const telling = tellingIn(view);
  return { lists: [...telling], full: animal.looks.filter((look) => look.place !== 'read' && !telling.has(look)) };
};

/** The lists and reads that show an animal, or show that it is not there, in the order of sending. */
export const sightsOf = (animal: Watched, view: View): readonly { readonly look: Look; readonly isShown: boolean }[] =>
  existenceOf(animal, view, tellingOf(animal, view)).map(({ look, isRight }) => ({ look, isShown: isRight }));

export const valuesOf = ({ id, looks }: Watched, field: Field): readonly Omit<Observation, 'isRight'>[] =>
  looks.flatMap((look) => {
    const pet = look.shown.get(id);
    return pet === undefined || pet.gaps.includes(field) ? [] : [{ look, value: pet[field] }];
  });

/** When requests of each operation, and reads of each animal, were in flight. */
const flightsIn = oncePerObject(({ exchanges }: World) => {
  const timesBy = <Key>(keyOf: (one: Exchange) => Key) =>
    new Map([...Map.groupBy(exchanges, keyOf)].map(([key, all]) => [key, timesOf(all)]));
  return {
    operations: timesBy(({ facts }) => facts.operation),
    reads: timesBy(({ facts: { id } }) => (id?.kind === 'int64' ? id.value : undefined)),
  };
});

/** The operations that may have taken effect between what two lists or reads show; of lists, those that ran between them. */
const between = (world: World, from: Exchange, to: Exchange): ReadonlySet<string> =>
  new Set(
    [...flightsIn(world).operations].flatMap(([operation, times]) => {
      const until = operation === 'createPet' ? to.done : to.at;
      const mayBeBetween = busyBefore(times, until) > (operation === 'listPets' ? from.done : from.at);
      return mayBeBetween ? [operation] : [];
    }),
  );

/** Whether a request is right one time and wrong the next, or the reverse, without a creation in between. */
const flaps = (same: readonly Observation[], world: World): boolean =>
  same.some((one, index) => {
    const before = same[index - 1];
    return (
      before !== undefined && before.isRight !== one.isRight && !between(world, before.look.exchange, one.look.exchange).has('createPet')
    );
  });

/** One contradiction per request with wrong responses, or a single one if what was right before has changed for good. */
export function contradictions(seen: readonly Observation[], world: World, aspect: Aspect): readonly Contradiction[] {
  const first = seen.findIndex(({ isRight }) => !isRight);
  const wrong = seen[first];
  if (wrong === undefined) return [];
  const [before, rest] = [seen.slice(0, first), seen.slice(first)];
  // Wrong ever since, at a request that was right before (or in reads, with any headers): something has changed it for good.
  const isSameRequest = (one: Look, other: Look): boolean => one.key === other.key || (one.place === 'read' && other.place === 'read');
  if (rest.every(({ isRight }) => !isRight) && before.some(({ look }) => rest.some((one) => isSameRequest(one.look, look))))
    return [{ shape: 'gone', wrong, right: before.at(-1), wrongs: rest, isForGood: true }];
  return [...Map.groupBy(seen, ({ look }) => look.key).values()].flatMap((same): Contradiction[] => {
    const wrongs = same.filter(({ isRight }) => !isRight);
    const [bad] = wrongs;
    if (bad === undefined) return [];
    const at = same.indexOf(bad);
    const good = same.slice(0, at).findLast(({ isRight }) => isRight) ?? same.find(({ isRight }) => isRight);
    const right = good ?? seen.find(({ isRight, look }) => isRight && look.place === bad.look.place) ?? seen.find(({ isRight }) => isRight);
    // Sent only once, and wrong where the ones of its kind right before or after it are right: that shows no rule.
    const alike = seen.filter(({ look }) => look.place === bad.look.place);
    const place = alike.indexOf(bad);
    const isOnce = same.length === 1 && flaps(alike.slice(Math.max(0, place - 1), place + 2), world);
    const isFlapping = good === undefined ? isOnce : aspect === 'value' || bad.look.place === 'read' || flaps(same, world);
    const since = same.slice(at);
    return [
      {
        shape: isFlapping ? 'flapping' : 'missing',
        wrong: bad,
        right,
        wrongs,
        isForGood: since.length > 1 && since.every(({ isRight }) => !isRight),
      },
    ];
  });
}

/** This many animals, or moments, show a pattern. */
export const SEVERAL = 3;

const belongsIn = ({ exchange, place }: Look, animal: Watched, { world }: View): boolean =>
  isSettled(animal.since, exchange, world) && (place === 'list' || statusOf(animal) === statusIn(exchange));

/** How many animals of the run the list omits: `newer` ones were created after all of the run that it shows. */
function omittedBy(look: Look, view: View): { readonly newer: number; readonly older: number } {
  const own = [...view.animals.values()].filter((animal) => animal.birth !== undefined && belongsIn(look, animal, view));
  const omitted = own.filter(({ id }) => !look.shown.has(id)).map(({ since }) => since);
  const latest = Math.max(Number.NEGATIVE_INFINITY, ...own.filter(({ id }) => look.shown.has(id)).map(({ since }) => since));
  const newer = omitted.filter((since) => since > latest).length;
  return { newer, older: omitted.length - newer };
}

/** A list is stale if it shows some animals, but omits several that the run created after all of its own that the list shows. */
const isStale = (look: Look, view: View): boolean => look.place !== 'read' && look.size > 0 && omittedBy(look, view).newer >= SEVERAL;

const isSameList = (one: Look, other: Look): boolean =>
  one.place === other.place && one.shown.size === other.shown.size && [...one.shown.keys()].every((id) => other.shown.has(id));

/** Whether a stale list omits animals that a later response shows again, or is one that did so before. */
const isStaleForNow = (look: Look, view: View): boolean =>
  view.lists.some((one) => (one === look || isSameList(one, look)) && isStale(one, view) && isContradicted(one, view));

const isContradicted = (look: Look, view: View): boolean =>
  [...view.animals.values()].some(
    ({ id, looks, ...animal }) =>
      !look.shown.has(id) &&
      belongsIn(look, { id, looks, ...animal }, view) &&
      looks.some(({ exchange, shown }) => exchange.at > look.exchange.done && shown.has(id)),
  );

/** Whether an animal is missing because lists are stale: the first one is, or all of them together omit the newest animals and nothing else. */
function isBehind(first: Look, wrongs: readonly Observation[], view: View): boolean {
  if (first.place === 'read' || isStale(first, view)) return first.place !== 'read';
  const lists = wrongs.map(({ look }) => look);
  return lists.some((look) => isStale(look, view)) && lists.every((look) => look.size > 0 && omittedBy(look, view).older === 0);
}

export function isReadBetween(world: World, animal: bigint, from: Exchange, to: Exchange): boolean {
  const times = flightsIn(world).reads.get(animal);
  return times !== undefined && busyBefore(times, to.at) >= from.at;
}

/** The first request after the right one that did not show the animal. It may have been too early to count: the animal is gone for good. */
function firstWithout(animal: bigint, right: Exchange, wrong: Look, view: View): Exchange {
  const looks = [...view.lists.filter((look) => look.place === 'list' && hasRoom(look, view)), ...(view.reads.get(animal) ?? [])];
  return looks
    .filter(({ exchange, shown }) => exchange.at >= right.done && exchange.at < wrong.exchange.at && !shown.has(animal))
    .reduce((earliest, { exchange }) => (exchange.at < earliest.at ? exchange : earliest), wrong.exchange);
}

export const hasChangedStatus = (animal: bigint, { animals }: View): boolean =>
  new Set((animals.get(animal)?.looks ?? []).flatMap(({ shown }) => shown.get(animal)?.status ?? [])).size > 1;

export function ownerOf(aspect: Aspect, { shape, wrong, wrongs, right, isForGood }: Contradiction, animal: bigint, view: View): Owner {
  const { place, exchange } = wrong.look;
  const { world } = view;
  // A list from a stale replica omits animals that were created since, however often others are right.
  const isOfBefore =
    aspect === 'existence' &&
    ((shape === 'flapping' && isBehind(wrong.look, wrongs, view)) ||
      (shape === 'gone' && place !== 'read' && view.animals.get(animal)?.birth !== undefined && isStaleForNow(wrong.look, view)));
  const named = { clause: OWNERS[aspect][isOfBefore ? 'missing' : shape][place] };
  if ((isOfBefore && shape === 'gone') || right === undefined) return named;
  const before = right.look.exchange;
  const to = shape === 'gone' && aspect === 'existence' ? firstWithout(animal, before, wrong.look, view) : exchange;
  const operations = new Set<string>([...between(world, before, to), before.facts.operation]);
  // Only a later response is right. If something was created in between, the animal was not lost, but not there yet.
  if (before.at > exchange.at)
    return aspect === 'existence' && shape === 'flapping' && place === 'read' && between(world, exchange, before).has('createPet')
      ? { clause: OWNERS.existence.missing.read }
      : named;
  const wasRead = isReadBetween(world, animal, before, to);
  // An animal that is gone from a list with its status may have another status now: this list does not show when that changed.
  if (shape === 'gone' && place === 'filtered' && hasChangedStatus(animal, view)) return named;
  if (shape === 'gone') return { ...named, gap: { until: to.number, operations, wasRead } };
  const isUnlisted = aspect === 'existence' && isForGood && place === 'list' && right.look.key === wrong.look.key;
  const isOfReading = isUnlisted && wasRead && !operations.has('createPet') && !isStale(wrong.look, view);
  return isOfReading ? { clause: 'get.repeatable' } : named;
}

const isOfLists = ({ operations }: Gap): boolean => operations.size === 1 && operations.has('listPets');

/**
 * The clause of all changes for good, by what lay between the last right observation and the first wrong one: lists made them if nothing else lay there
 * each time (or several times, and a list each time), reads if the animal was read each time and creations do not explain all; else the store is not durable.
 */
export function causeOf(gaps: readonly Gap[]): ClauseId {
  const moments = new Set(gaps.filter(isOfLists).map(({ until }) => until)).size;
  if (gaps.every(isOfLists) || (moments >= SEVERAL && gaps.every(({ operations }) => operations.has('listPets')))) return 'list.read-only';
  const isOfCreations = gaps.every(({ operations }) => operations.has('createPet'));
  return !isOfCreations && gaps.every(({ wasRead }) => wasRead) ? 'get.repeatable' : 'get.durable';
}
