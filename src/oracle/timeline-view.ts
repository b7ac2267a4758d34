// The history as timelines read it, once per world: animals and the responses that may show them.

import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../clause/limits.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import type { PetView } from '../schema/pet.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import type { SentPet } from './body-facts.ts';
import { type Exchange, hasKey, isDocumented, isOverlapping } from './exchange.ts';
import { isSettled, saysNothingOfRequest, standingOf } from './standing.ts';
import { keyOf, type World } from './world.ts';

export type Place = 'list' | 'filtered' | 'read';

/** This many animals show a pattern: others do not remove them in the short time of a run, and chance does not select them. */
export const MANY = 5;
/** A list with more animals is ignored: list.limit-maximum and list.limit-default judge it. */
const LONGEST_JUDGED_LIST = 500;
const MOST_OBSERVED = 400;

export type Snapshot = {
  readonly exchange: Exchange;
  readonly place: Place;
  /** What is asked for (`keyOf`). */
  readonly key: string;
  readonly shown: ReadonlyMap<bigint, PetView>;
  /** The number of items in a list, readable or not; 1 for a read. */
  readonly size: number;
};

export type ObservedAnimal = {
  readonly id: bigint;
  readonly creation: Exchange | undefined;
  readonly sent: SentPet | undefined;
  readonly since: number;
  /** In the order of sending: at each request the first, the last, and each change. */
  readonly snapshots: readonly Snapshot[];
};

export type TimelineView = {
  readonly world: World;
  readonly lists: readonly Snapshot[];
  readonly reads: ReadonlyMap<bigint, readonly Snapshot[]>;
  readonly animals: ReadonlyMap<bigint, ObservedAnimal>;
  /** By limit, the length of the longest page with such a limit or a smaller one: no page with the limit is cut below it. */
  readonly longestPages: readonly number[];
  /** By the names of parameters, the lengths of lists that exceed their limit: another one of such a length may be cut there. */
  readonly lengthsBeyondLimit: ReadonlyMap<string, ReadonlySet<number>>;
  /** Whether a list shows animals with different names under one id: then an id in a list does not identify an animal. */
  readonly listsMixIds: boolean;
  /** Ids that creations with different names returned. */
  readonly ambiguousIds: ReadonlySet<bigint>;
};

export const limitIn = ({ facts: { list } }: Exchange): number | undefined =>
  list?.limit.kind === 'documented' ? list.limit.value : undefined;
export const statusIn = ({ facts: { list } }: Exchange): PetStatus | undefined =>
  list?.status.kind === 'documented' ? list.status.value : undefined;

/** Where an exchange would show an animal. */
export const placeOf = ({ facts: { list } }: Exchange): Place =>
  list === undefined ? 'read' : list.status.kind === 'absent' ? 'list' : 'filtered';

const limitOf = (exchange: Exchange): number => limitIn(exchange) ?? DEFAULT_LIMIT;
const parametersOf = ({ exchange }: Snapshot): string =>
  [...(limitIn(exchange) === undefined ? [] : ['limit']), ...(statusIn(exchange) === undefined ? [] : ['status'])].join();

function snapshotOf(exchange: Exchange, world: World): Snapshot | undefined {
  const { facts, read } = exchange;
  if (!hasKey(exchange) || !isDocumented(exchange)) return undefined;
  const standing = standingOf(exchange, world);
  if (facts.list !== undefined) {
    if (read.pets === undefined || !standing.hasOnlyDocumentedParameters || read.pets.length > LONGEST_JUDGED_LIST) return undefined;
    const shown = new Map(read.pets.map((one) => [one.id, one]));
    return { exchange, place: placeOf(exchange), key: keyOf(exchange), shown, size: read.size };
  }
  if (facts.id?.kind !== 'int64' || saysNothingOfRequest(exchange) || standing.mayRejectClient) return undefined;
  // A read that shows another animal counts for neither: get.identity judges it.
  if (read.response?.status === 200 && read.pet?.id !== facts.id.value) return undefined;
  return {
    exchange,
    place: 'read',
    key: keyOf(exchange),
    shown: new Map(read.pet === undefined ? [] : [[read.pet.id, read.pet]]),
    size: 1,
  };
}

function findLongestPages(lists: readonly Snapshot[]): readonly number[] {
  const longest = Array.from({ length: LARGEST_LIMIT + 1 }, () => 0);
  for (const { size, exchange } of lists) {
    const limit = limitOf(exchange);
    longest[limit] = Math.max(longest[limit] ?? 0, Math.min(size, limit));
  }
  let most = 0;
  return longest.map((length) => {
    most = Math.max(most, length);
    return most;
  });
}

function mixesIds({
  exchange: {
    read: { pets = [] },
  },
}: Snapshot): boolean {
  const names = new Map(pets.map(({ id, name }) => [id, name]));
  return names.size < pets.length && pets.some(({ id, name }) => names.get(id) !== name);
}

function ambiguousIdsIn({ creations }: World): ReadonlySet<bigint> {
  const names = Map.groupBy(
    creations.filter(({ read }) => read.pet !== undefined),
    ({ read }) => read.pet?.id ?? 0n,
  );
  return new Set([...names].flatMap(([id, all]) => (new Set(all.map(({ read }) => read.pet?.name)).size > 1 ? [id] : [])));
}

/** Animals of this run, and of others that responses show, but none that share an id. */
function observedAnimalsIn(
  world: World,
  snapshots: ReadonlyMap<Exchange, Snapshot>,
  ambiguous: ReadonlySet<bigint>,
): ReadonlyMap<bigint, ObservedAnimal> {
  const [own, others] = [[] as ObservedAnimal[], [] as ObservedAnimal[]];
  for (const { id, creation, sent, since, sights } of world.animals.values()) {
    if (ambiguous.has(id) || (creation === undefined && others.length >= MOST_OBSERVED)) continue;
    const found = [...sights.values()].flat().flatMap(({ exchange }) => snapshots.get(exchange) ?? []);
    if (creation === undefined && found.length === 0) continue;
    (creation === undefined ? others : own).push({
      id,
      creation,
      sent,
      since,
      snapshots: found.toSorted((a, b) => a.exchange.at - b.exchange.at),
    });
  }
  return new Map([...own, ...others].map((one) => [one.id, one]));
}

export const timelineViewOf: (world: World) => TimelineView = oncePerObject((world) => {
  const snapshots = new Map(
    world.exchanges.flatMap((exchange) => {
      const snapshot = snapshotOf(exchange, world);
      return snapshot === undefined ? [] : [[exchange, snapshot] as const];
    }),
  );
  const inOrder = [...snapshots.values()].toSorted((a, b) => a.exchange.at - b.exchange.at);
  const lists = inOrder.filter(({ place }) => place !== 'read');
  const reads = mayBeRemoved(world.run.now) ? [] : inOrder.filter(({ place }) => place === 'read');
  const exceeding = lists.filter(({ size, exchange }) => size > limitOf(exchange));
  const ambiguousIds = ambiguousIdsIn(world);
  return {
    ...{ world, lists, ambiguousIds },
    reads: Map.groupBy(reads, ({ exchange: { facts } }) => (facts.id?.kind === 'int64' ? facts.id.value : 0n)),
    animals: observedAnimalsIn(world, snapshots, ambiguousIds),
    longestPages: findLongestPages(lists),
    lengthsBeyondLimit: new Map(
      [...Map.groupBy(exceeding, parametersOf)].map(([parameters, all]) => [parameters, new Set(all.map(({ size }) => size))]),
    ),
    listsMixIds: lists.some(mixesIds),
  };
});

/** Whether the list had room for more animals, judging by the lengths of others: the document bounds a page by its limit only. */
export function hasRoom(
  snapshot: Snapshot,
  { longestPages, lengthsBeyondLimit }: Pick<TimelineView, 'longestPages' | 'lengthsBeyondLimit'>,
): boolean {
  const { exchange, size } = snapshot;
  // Items without an id may be any animals.
  if ((exchange.read.pets ?? []).length < size || lengthsBeyondLimit.get(parametersOf(snapshot))?.has(size) === true) return false;
  const limit = limitOf(exchange);
  return size === 0 || (limit >= DEFAULT_LIMIT && size < Math.min(limit, Math.max(DEFAULT_LIMIT, longestPages[limit] ?? 0)));
}

type UnusualField = 'name' | 'categoryId';
const NOTHING_UNUSUAL: readonly UnusualField[] = [];

/** What a creation, accepted, has that is unusual, the name first: what happens to it says nothing about plain animals. */
export function unusualFieldsOf(exchange: Exchange, world: World): readonly UnusualField[] {
  const { body } = exchange.facts;
  const standing = standingOf(exchange, world).body;
  if (body === undefined || body.kind === 'invalid' || body.sent === undefined || (standing !== 'unusual' && standing !== 'open'))
    return NOTHING_UNUSUAL;
  const fields = [
    ...(/^[A-Za-z]{1,20}$/.test(body.sent.name) ? [] : (['name'] as const)),
    ...(plainCategories(world).has(body.sent.categoryId) ? [] : (['categoryId'] as const)),
  ];
  return fields.length === 0 && standing === 'unusual' ? ['name'] : fields;
}

const plainCategories = oncePerObject(
  (world: World): ReadonlySet<bigint> =>
    new Set(
      world.creations.flatMap((one) => {
        const { body } = one.facts;
        return body?.kind === 'plain' && one.read.pet !== undefined && standingOf(one, world).body === 'plain'
          ? [body.sent.categoryId]
          : [];
      }),
    ),
);

/**
 * The status of the animal: the one that it was created with, unless responses show only others; if none was sent, the only one that they show. Undefined
 * if that is not known.
 */
export const statusOf: (animal: ObservedAnimal) => PetStatus | undefined = oncePerObject(({ id, sent, creation, snapshots }) => {
  const all = new Set<PetStatus | undefined>();
  for (const { shown } of snapshots) {
    const pet = shown.get(id);
    if (pet !== undefined && !pet.gaps.includes('status')) all.add(pet.status);
  }
  const returned = creation?.read.pet;
  if (sent?.status !== undefined) {
    const isKept = all.size === 0 ? returned === undefined || returned.status === sent.status : all.has(sent.status);
    return isKept ? sent.status : undefined;
  }
  if (returned !== undefined && !returned.gaps.includes('status')) all.add(returned.status);
  return all.size === 1 ? [...all][0] : undefined;
});

/**
 * Whether a page was not cut short although it may look so: all animals that it omits have one status, or agree in whether one was sent, and no animal
 * that it shows is like them. Nothing cuts a page exactly there.
 */
export function isFilteredByStatus({ exchange, place, shown, size }: Snapshot, view: TimelineView): boolean {
  if (place !== 'list' || size >= limitOf(exchange)) return false;
  const there = [...view.animals.values()].filter(
    ({ id, creation, since }) => shown.has(id) || (creation !== undefined && isSettled(since, exchange, view.world)),
  );
  const [inside, outside] = [there.filter(({ id }) => shown.has(id)), there.filter(({ id }) => !shown.has(id))];
  if (inside.length < MANY || outside.length < MANY) return false;
  const kinds: readonly ((animal: ObservedAnimal) => unknown)[] = [statusOf, ({ sent }) => sent !== undefined && sent.status === undefined];
  return kinds.some((kind) => {
    const [left, ...others] = [...new Set(outside.map(kind))];
    return others.length === 0 && !new Set<unknown>(inside.map(kind)).has(left);
  });
}

/** A created animal, the creations that were in flight at the same time, and how its own creation and later reads show it. */
export type Creation = {
  readonly exchange: Exchange;
  readonly id: bigint;
  readonly sent: SentPet;
  readonly concurrent: readonly Exchange[];
  readonly shown: readonly { readonly exchange: Exchange; readonly pet: PetView }[];
};

/** The accepted creations from a plain or unusual NewPet, for which the document states what is stored. Lists count only if the run has no reads. */
export const creationsIn: (world: World) => readonly Creation[] = oncePerObject((world) => {
  const { reads, lists } = timelineViewOf(world);
  const all = world.creations.filter(hasKey);
  const byId = Map.groupBy(all, ({ read }) => read.pet?.id);
  return all.flatMap((exchange): Creation[] => {
    const {
      read: { pet },
      facts: { body },
    } = exchange;
    const standing = standingOf(exchange, world).body;
    if (
      pet === undefined ||
      body === undefined ||
      body.kind === 'invalid' ||
      body.sent === undefined ||
      (standing !== 'plain' && standing !== 'unusual')
    )
      return [];
    const { id } = pet;
    const isShared = (byId.get(id)?.length ?? 0) > 1;
    const snapshots = (isShared ? [] : reads.size === 0 ? lists : (reads.get(id) ?? [])).flatMap((snapshot) => {
      const seen = snapshot.shown.get(id);
      return seen === undefined ? [] : [{ exchange: snapshot.exchange, pet: seen }];
    });
    const concurrent = all.filter((other) => isOverlapping(exchange, other));
    return [{ exchange, id, sent: body.sent, concurrent, shown: [{ exchange, pet }, ...snapshots] }];
  });
});
