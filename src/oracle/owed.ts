// What lists and reads owe: they were sent so soon after an animal was first seen that the service may lag, or omit it so seldom that this may be an accident.

import { oncePerObject } from '../wire/once.ts';
import type { Exchange } from './exchange.ts';
import type { Case, TooEarly } from './rule.ts';
import { isSettled } from './standing.ts';
import { hasRoom, type Look, statusIn, statusOf, viewOf, type Watched } from './view.ts';
import { keyOf, type World } from './world.ts';

/** So often a request that never shows an animal is sent before a rule is seen in that. */
const OFTEN = 3;
/** So often a request is sent again that showed an animal of others and then did not: they may have taken it away. */
const FLAPPING = 6;

const shows =
  ({ id }: Watched) =>
  ({ shown }: Look): boolean =>
    shown.has(id);

/** Whether the last of the same requests does not show the animal, and nothing that counts does, or tells often enough. */
function isOpen(animal: Watched, looks: readonly Look[], world: World): boolean {
  const last = looks.at(-1);
  if (last === undefined || last.shown.has(animal.id) || last.exchange.at < animal.since) return false;
  if (!isSettled(animal.since, last.exchange, world)) return true;
  const counting = looks.filter(({ exchange }) => isSettled(animal.since, exchange, world));
  return counting.length < OFTEN && !counting.some(shows(animal));
}

/** The last of the same requests, where an animal of others was missing after it had been there, and none of them counts yet. */
function openFlaps(animal: Watched, looks: readonly Look[], world: World): readonly Look[] {
  const first = looks.findIndex(shows(animal));
  const wrong = looks.filter((look, index) => first !== -1 && index > first && !look.shown.has(animal.id));
  const isCounting = ({ exchange }: Look): boolean => isSettled(animal.since, exchange, world);
  return wrong.length > 0 && !wrong.some(isCounting) && looks.filter(isCounting).length < FLAPPING ? looks.slice(-FLAPPING) : [];
}

/** What showed an animal of others last, where something that counts has omitted it since: if it shows it again, the animal was there all the time. */
function lastSight(animal: Watched, looks: readonly Look[], lastOf: ReadonlyMap<string, number>, world: World): readonly Look[] {
  const shown = animal.looks.at(-1);
  if (animal.birth !== undefined || shown === undefined || (lastOf.get(shown.key) ?? 0) > shown.exchange.at) return [];
  const wrong = looks.filter((look) => !look.shown.has(animal.id) && isSettled(animal.since, look.exchange, world));
  return wrong.length > 0 && wrong.every(({ exchange }) => exchange.at >= shown.exchange.at) ? [shown] : [];
}

/** The last read of an animal that a list has shown and then omits: another one tells whether it is gone or only left out. */
function lastRead(animal: Watched, lists: readonly (readonly Look[])[], reads: readonly Look[]): readonly Look[] {
  const read = reads.at(-1);
  if (read === undefined || !read.shown.has(animal.id)) return [];
  const omitting = lists.flatMap((looks) => {
    const last = looks.findLastIndex(shows(animal));
    return last === -1 ? [] : looks.slice(last + 1, last + 2);
  });
  return omitting.some(({ exchange }) => exchange.done > read.exchange.at) ? [read] : [];
}

/** Each with the moment after which the same request counts for all animals that it does not show. */
export const owedSights = oncePerObject((world: World): readonly Case[] => {
  const view = viewOf(world);
  const byKey = Map.groupBy(
    view.lists.filter((look) => hasRoom(look, view)),
    ({ key }) => key,
  );
  const lastOf = new Map(world.exchanges.map((exchange) => [keyOf(exchange), exchange.at]));
  const found = new Map<Exchange, TooEarly>();
  for (const animal of view.animals.values()) {
    const owe = ({ exchange }: Look): void => {
      const ripe = animal.since + world.run.window;
      if ((found.get(exchange)?.ripe ?? ripe) <= ripe) found.set(exchange, { ripe });
    };
    const status = statusOf(animal);
    const lists = [...byKey.values()].filter(
      ([first]) => first?.place === 'list' || (first !== undefined && statusIn(first.exchange) === status),
    );
    const reads = view.reads.get(animal.id) ?? [];
    const alike = [...lists, reads];
    for (const looks of alike) {
      if (isOpen(animal, looks, world)) looks.slice(-1).forEach(owe);
      if (animal.birth === undefined) openFlaps(animal, looks, world).forEach(owe);
    }
    lastSight(animal, alike.flat(), lastOf, world).forEach(owe);
    lastRead(animal, lists, reads).forEach(owe);
  }
  return [...found].map(([exchange, { ripe }]) => ({ exchange, ripe }));
});
