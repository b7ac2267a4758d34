// What lists and reads owe: they were sent so soon after an animal was first seen that the service may lag, or omit it so seldom that this may be an accident.

import { oncePerObject } from '../wire/once.ts';
import type { Exchange } from './exchange.ts';
import type { CaseInTime, TooEarly } from './rule.ts';
import { isSettled } from './standing.ts';
import { hasRoom, type ObservedAnimal, type Snapshot, statusIn, statusOf, timelineViewOf } from './timeline-view.ts';
import { keyOf, type World } from './world.ts';

/** So often a request that never shows an animal is sent before a rule is seen in that. */
const LEAST_MISSES = 3;
/** So often a request is sent again that showed an animal of others and then did not: they may have taken it away. */
const MOST_REPEATS = 6;

const shows =
  ({ id }: ObservedAnimal) =>
  ({ shown }: Snapshot): boolean =>
    shown.has(id);

/** Whether the last of the same requests does not show the animal, and nothing that counts does, or tells often enough. */
function tellsTooLittle(animal: ObservedAnimal, snapshots: readonly Snapshot[], world: World): boolean {
  const last = snapshots.at(-1);
  if (last === undefined || last.shown.has(animal.id) || last.exchange.at < animal.since) return false;
  if (!isSettled(animal.since, last.exchange, world)) return true;
  const counting = snapshots.filter(({ exchange }) => isSettled(animal.since, exchange, world));
  return counting.length < LEAST_MISSES && !counting.some(shows(animal));
}

/** The last of the same requests, where an animal of others was missing after it had been there, and none of them counts yet. */
function snapshotsTooEarlyAfterSight(animal: ObservedAnimal, snapshots: readonly Snapshot[], world: World): readonly Snapshot[] {
  const first = snapshots.findIndex(shows(animal));
  const wrong = snapshots.filter((snapshot, index) => first !== -1 && index > first && !snapshot.shown.has(animal.id));
  const isCounting = ({ exchange }: Snapshot): boolean => isSettled(animal.since, exchange, world);
  return wrong.length > 0 && !wrong.some(isCounting) && snapshots.filter(isCounting).length < MOST_REPEATS
    ? snapshots.slice(-MOST_REPEATS)
    : [];
}

/** What showed an animal of others last, where something that counts has omitted it since: if it shows it again, the animal was there all the time. */
function lastSight(
  animal: ObservedAnimal,
  snapshots: readonly Snapshot[],
  lastOf: ReadonlyMap<string, number>,
  world: World,
): readonly Snapshot[] {
  const shown = animal.snapshots.at(-1);
  if (animal.creation !== undefined || shown === undefined || (lastOf.get(shown.key) ?? 0) > shown.exchange.at) return [];
  const wrong = snapshots.filter((snapshot) => !snapshot.shown.has(animal.id) && isSettled(animal.since, snapshot.exchange, world));
  return wrong.length > 0 && wrong.every(({ exchange }) => exchange.at >= shown.exchange.at) ? [shown] : [];
}

/** The last read of an animal that a list has shown and then omits: another one tells whether it is gone or only left out. */
function lastRead(animal: ObservedAnimal, lists: readonly (readonly Snapshot[])[], reads: readonly Snapshot[]): readonly Snapshot[] {
  const read = reads.at(-1);
  if (read === undefined || !read.shown.has(animal.id)) return [];
  const omitting = lists.flatMap((snapshots) => {
    const last = snapshots.findLastIndex(shows(animal));
    return last === -1 ? [] : snapshots.slice(last + 1, last + 2);
  });
  return omitting.some(({ exchange }) => exchange.done > read.exchange.at) ? [read] : [];
}

/** Each with the moment after which the same request counts for all animals that it does not show. */
export const tooEarlyCases = oncePerObject((world: World): readonly CaseInTime[] => {
  const view = timelineViewOf(world);
  const byKey = Map.groupBy(
    view.lists.filter((snapshot) => hasRoom(snapshot, view)),
    ({ key }) => key,
  );
  const lastOf = new Map(world.exchanges.map((exchange) => [keyOf(exchange), exchange.at]));
  const found = new Map<Exchange, TooEarly>();
  for (const animal of view.animals.values()) {
    const repeat = ({ exchange }: Snapshot): void => {
      const countsAfter = animal.since + world.run.window;
      if ((found.get(exchange)?.countsAfter ?? countsAfter) <= countsAfter) found.set(exchange, { countsAfter });
    };
    const status = statusOf(animal);
    const lists = [...byKey.values()].filter(
      ([first]) => first?.place === 'list' || (first !== undefined && statusIn(first.exchange) === status),
    );
    const reads = view.reads.get(animal.id) ?? [];
    const alike = [...lists, reads];
    for (const snapshots of alike) {
      if (tellsTooLittle(animal, snapshots, world)) snapshots.slice(-1).forEach(repeat);
      if (animal.creation === undefined) snapshotsTooEarlyAfterSight(animal, snapshots, world).forEach(repeat);
    }
    lastSight(animal, alike.flat(), lastOf, world).forEach(repeat);
    lastRead(animal, lists, reads).forEach(repeat);
  }
  return [...found].map(([exchange, { countsAfter }]) => ({ exchange, countsAfter }));
});
