// What responses show of one animal over time, what of that is a contradiction, and the clause that its shape names.

import type { ClauseId } from '../clause/clause.ts';
import type { Field } from '../schema/pet.ts';
import { oncePerObject } from '../wire/once.ts';
import { type Aspect, type Change, CLAUSES_BY_SHAPE, type Shape } from './contradiction-clauses.ts';
import type { Exchange } from './exchange.ts';
import { busyBefore, isSettled, timesOf } from './standing.ts';
import { hasRoom, isFilteredByStatus, type ObservedAnimal, type Snapshot, statusIn, statusOf, type TimelineView } from './timeline-view.ts';
import type { World } from './world.ts';

export type Observation = { readonly snapshot: Snapshot; readonly value: unknown; readonly isRight: boolean };
/** Lists that had room for any animal, and the full ones that show this one. */
export type ExistenceEvidence = { readonly lists: readonly Snapshot[]; readonly full: readonly Snapshot[] };
export type Contradiction = {
  readonly shape: Shape;
  readonly wrong: Observation;
  readonly right: Observation | undefined;
  readonly wrongs: readonly Observation[];
  /** Every response to this request from then on is wrong; unless the shape is `gone`, there are several. */
  readonly isPermanent: boolean;
};
export type ContradictionClause = { readonly clause: ClauseId; readonly change?: Change };

const byTime = (one: { readonly snapshot: Snapshot }, other: { readonly snapshot: Snapshot }): number =>
  one.snapshot.exchange.at - other.snapshot.exchange.at;

/** The lists and reads that show whether the animal exists. Those that were sent too early count only if they show it. */
export function observeExistence(
  animal: ObservedAnimal,
  { world, reads }: TimelineView,
  { lists, full }: ExistenceEvidence,
): readonly Observation[] {
  const status = statusOf(animal);
  const seen: Observation[] = [];
  for (const snapshots of [lists, full, reads.get(animal.id) ?? []]) {
    for (const snapshot of snapshots) {
      const isShown = snapshot.shown.has(animal.id);
      const isMissed = (): boolean =>
        isSettled(animal.since, snapshot.exchange, world) && (snapshot.place !== 'filtered' || statusIn(snapshot.exchange) === status);
      if (isShown || isMissed()) seen.push({ snapshot, value: isShown, isRight: isShown });
    }
  }
  return seen.sort(byTime);
}

/** The lists that show which animals there are: those with room for more, and those that a filter has cut. */
export const listsShowingExistence = oncePerObject(
  (view: TimelineView): ReadonlySet<Snapshot> =>
    new Set(view.lists.filter((snapshot) => hasRoom(snapshot, view) || isFilteredByStatus(snapshot, view))),
);

/** A full page does not show that an animal is missing, but it may show the animal. */
export const existenceEvidenceOf = (animal: ObservedAnimal, view: TimelineView): ExistenceEvidence => {
  const evidence = listsShowingExistence(view);
  return { lists: [...evidence], full: animal.snapshots.filter((snapshot) => snapshot.place !== 'read' && !evidence.has(snapshot)) };
};

/** The lists and reads that show an animal, or show that it is not there, in the order of sending. */
export const sightsOf = (
  animal: ObservedAnimal,
  view: TimelineView,
): readonly { readonly snapshot: Snapshot; readonly isShown: boolean }[] =>
  observeExistence(animal, view, existenceEvidenceOf(animal, view)).map(({ snapshot, isRight }) => ({ snapshot, isShown: isRight }));

export const valuesOf = ({ id, snapshots }: ObservedAnimal, field: Field): readonly Omit<Observation, 'isRight'>[] =>
  snapshots.flatMap((snapshot) => {
    const pet = snapshot.shown.get(id);
    return pet === undefined || pet.gaps.includes(field) ? [] : [{ snapshot, value: pet[field] }];
  });

const timesInFlight = oncePerObject(({ exchanges }: World) => {
  const timesBy = <Key>(keyOf: (one: Exchange) => Key) =>
    new Map([...Map.groupBy(exchanges, keyOf)].map(([key, all]) => [key, timesOf(all)]));
  return {
    operations: timesBy(({ facts }) => facts.operation),
    reads: timesBy(({ facts: { id } }) => (id?.kind === 'int64' ? id.value : undefined)),
  };
});

/** The operations that may have taken effect between what two lists or reads show; of lists, those that ran between them. */
const operationsBetween = (world: World, from: Exchange, to: Exchange): ReadonlySet<string> =>
  new Set(
    [...timesInFlight(world).operations].flatMap(([operation, times]) => {
      const until = operation === 'createPet' ? to.done : to.at;
      const mayBeBetween = busyBefore(times, until) > (operation === 'listPets' ? from.done : from.at);
      return mayBeBetween ? [operation] : [];
    }),
  );

/** Whether a request is right one time and wrong the next, or the reverse, without a creation in between. */
const isIntermittent = (same: readonly Observation[], world: World): boolean =>
  same.some((one, index) => {
    const before = same[index - 1];
    return (
      before !== undefined &&
      before.isRight !== one.isRight &&
      !operationsBetween(world, before.snapshot.exchange, one.snapshot.exchange).has('createPet')
    );
  });

/** One contradiction per request with wrong responses, or a single one if what was right before has changed for good. */
export function findContradictions(seen: readonly Observation[], world: World, aspect: Aspect): readonly Contradiction[] {
  const first = seen.findIndex(({ isRight }) => !isRight);
  const wrong = seen[first];
  if (wrong === undefined) return [];
  const [before, rest] = [seen.slice(0, first), seen.slice(first)];
  // Wrong ever since, at a request that was right before (or in reads, with any headers): something has changed it for good.
  const isSameRequest = (one: Snapshot, other: Snapshot): boolean =>
    one.key === other.key || (one.place === 'read' && other.place === 'read');
  if (rest.every(({ isRight }) => !isRight) && before.some(({ snapshot }) => rest.some((one) => isSameRequest(one.snapshot, snapshot))))
    return [{ shape: 'gone', wrong, right: before.at(-1), wrongs: rest, isPermanent: true }];
  return [...Map.groupBy(seen, ({ snapshot }) => snapshot.key).values()].flatMap((same): Contradiction[] => {
    const wrongs = same.filter(({ isRight }) => !isRight);
    const [bad] = wrongs;
    if (bad === undefined) return [];
    const at = same.indexOf(bad);
    const good = same.slice(0, at).findLast(({ isRight }) => isRight) ?? same.find(({ isRight }) => isRight);
    const right =
      good ?? seen.find(({ isRight, snapshot }) => isRight && snapshot.place === bad.snapshot.place) ?? seen.find(({ isRight }) => isRight);
    // Sent only once, and wrong where the ones of its kind right before or after it are right: that shows no rule.
    const alike = seen.filter(({ snapshot }) => snapshot.place === bad.snapshot.place);
    const place = alike.indexOf(bad);
    const isOnce = same.length === 1 && isIntermittent(alike.slice(Math.max(0, place - 1), place + 2), world);
    const isFlapping = good === undefined ? isOnce : aspect === 'value' || bad.snapshot.place === 'read' || isIntermittent(same, world);
    const since = same.slice(at);
    return [
      {
        shape: isFlapping ? 'flapping' : 'missing',
        wrong: bad,
        right,
        wrongs,
        isPermanent: since.length > 1 && since.every(({ isRight }) => !isRight),
      },
    ];
  });
}

export const LEAST_FOR_PATTERN = 3;

const belongsIn = ({ exchange, place }: Snapshot, animal: ObservedAnimal, { world }: TimelineView): boolean =>
  isSettled(animal.since, exchange, world) && (place === 'list' || statusOf(animal) === statusIn(exchange));

/** How many animals of the run the list omits: `newer` ones were created after all of the run that it shows. */
function omittedBy(snapshot: Snapshot, view: TimelineView): { readonly newer: number; readonly older: number } {
  const own = [...view.animals.values()].filter((animal) => animal.creation !== undefined && belongsIn(snapshot, animal, view));
  const omitted = own.filter(({ id }) => !snapshot.shown.has(id)).map(({ since }) => since);
  const latest = Math.max(Number.NEGATIVE_INFINITY, ...own.filter(({ id }) => snapshot.shown.has(id)).map(({ since }) => since));
  const newer = omitted.filter((since) => since > latest).length;
  return { newer, older: omitted.length - newer };
}

/** A list is stale if it shows some animals, but omits several that the run created after all of its own that the list shows. */
const isStale = (snapshot: Snapshot, view: TimelineView): boolean =>
  snapshot.place !== 'read' && snapshot.size > 0 && omittedBy(snapshot, view).newer >= LEAST_FOR_PATTERN;

const isSameList = (one: Snapshot, other: Snapshot): boolean =>
  one.place === other.place && one.shown.size === other.shown.size && [...one.shown.keys()].every((id) => other.shown.has(id));

/** Whether a stale list omits animals that a later response shows again, or is one that did so before. */
const isStaleForNow = (snapshot: Snapshot, view: TimelineView): boolean =>
  view.lists.some((one) => (one === snapshot || isSameList(one, snapshot)) && isStale(one, view) && isContradicted(one, view));

const isContradicted = (snapshot: Snapshot, view: TimelineView): boolean =>
  [...view.animals.values()].some(
    ({ id, snapshots, ...animal }) =>
      !snapshot.shown.has(id) &&
      belongsIn(snapshot, { id, snapshots, ...animal }, view) &&
      snapshots.some(({ exchange, shown }) => exchange.at > snapshot.exchange.done && shown.has(id)),
  );

/** Whether an animal is missing because lists are stale: the first one is, or all of them together omit the newest animals and nothing else. */
function isMissingFromStaleLists(first: Snapshot, wrongs: readonly Observation[], view: TimelineView): boolean {
  if (first.place === 'read' || isStale(first, view)) return first.place !== 'read';
  const lists = wrongs.map(({ snapshot }) => snapshot);
  return (
    lists.some((snapshot) => isStale(snapshot, view)) &&
    lists.every((snapshot) => snapshot.size > 0 && omittedBy(snapshot, view).older === 0)
  );
}

export function isReadBetween(world: World, animal: bigint, from: Exchange, to: Exchange): boolean {
  const times = timesInFlight(world).reads.get(animal);
  return times !== undefined && busyBefore(times, to.at) >= from.at;
}

/** The first request after the right one that did not show the animal. It may have been too early to count: the animal is gone for good. */
function firstWithout(animal: bigint, right: Exchange, wrong: Snapshot, view: TimelineView): Exchange {
  const snapshots = [
    ...view.lists.filter((snapshot) => snapshot.place === 'list' && hasRoom(snapshot, view)),
    ...(view.reads.get(animal) ?? []),
  ];
  return snapshots
    .filter(({ exchange, shown }) => exchange.at >= right.done && exchange.at < wrong.exchange.at && !shown.has(animal))
    .reduce((earliest, { exchange }) => (exchange.at < earliest.at ? exchange : earliest), wrong.exchange);
}

export const hasChangedStatus = (animal: bigint, { animals }: TimelineView): boolean =>
  new Set((animals.get(animal)?.snapshots ?? []).flatMap(({ shown }) => shown.get(animal)?.status ?? [])).size > 1;

export function clauseOfContradiction(
  aspect: Aspect,
  { shape, wrong, wrongs, right, isPermanent }: Contradiction,
  animal: bigint,
  view: TimelineView,
): ContradictionClause {
  const { place, exchange } = wrong.snapshot;
  const { world } = view;
  // A list from a stale replica omits animals that were created since, however often others are right.
  const isOfBefore =
    aspect === 'existence' &&
    ((shape === 'flapping' && isMissingFromStaleLists(wrong.snapshot, wrongs, view)) ||
      (shape === 'gone' && place !== 'read' && view.animals.get(animal)?.creation !== undefined && isStaleForNow(wrong.snapshot, view)));
  const named = { clause: CLAUSES_BY_SHAPE[aspect][isOfBefore ? 'missing' : shape][place] };
  if ((isOfBefore && shape === 'gone') || right === undefined) return named;
  const before = right.snapshot.exchange;
  const to = shape === 'gone' && aspect === 'existence' ? firstWithout(animal, before, wrong.snapshot, view) : exchange;
  const operations = new Set<string>([...operationsBetween(world, before, to), before.facts.operation]);
  // Only a later response is right. If something was created in between, the animal was not lost, but not there yet.
  if (before.at > exchange.at)
    return aspect === 'existence' && shape === 'flapping' && place === 'read' && operationsBetween(world, exchange, before).has('createPet')
      ? { clause: CLAUSES_BY_SHAPE.existence.missing.read }
      : named;
  const wasRead = isReadBetween(world, animal, before, to);
  // An animal that is gone from a list with its status may have another status now: this list does not show when that changed.
  if (shape === 'gone' && place === 'filtered' && hasChangedStatus(animal, view)) return named;
  if (shape === 'gone') return { ...named, change: { until: to.number, operations, wasRead } };
  const isUnlisted = aspect === 'existence' && isPermanent && place === 'list' && right.snapshot.key === wrong.snapshot.key;
  const isOfReading = isUnlisted && wasRead && !operations.has('createPet') && !isStale(wrong.snapshot, view);
  return isOfReading ? { clause: 'get.repeatable' } : named;
}

const isOfLists = ({ operations }: Change): boolean => operations.size === 1 && operations.has('listPets');

/**
 * The clause of all changes for good, by what lay between the last right observation and the first wrong one: lists made them if nothing else lay there
 * each time (or several times, and a list each time), reads if the animal was read each time and creations do not explain all; else the store is not durable.
 */
export function clauseOfChanges(changes: readonly Change[]): ClauseId {
  const moments = new Set(changes.filter(isOfLists).map(({ until }) => until)).size;
  if (changes.every(isOfLists) || (moments >= LEAST_FOR_PATTERN && changes.every(({ operations }) => operations.has('listPets'))))
    return 'list.read-only';
  const isOfCreations = changes.every(({ operations }) => operations.has('createPet'));
  return !isOfCreations && changes.every(({ wasRead }) => wasRead) ? 'get.repeatable' : 'get.durable';
}
