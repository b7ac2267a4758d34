import type { Event } from './event.ts';
import { type Animal, hasRoom, isSettled, keyOf, type Look, statusOf, viewOf } from './view.ts';
import type { World } from './world.ts';

/** Requests by where they look for an animal. */
export type Sights = { readonly lists: readonly Event[]; readonly reads: readonly Event[] };

/** So often a request that never shows an animal is sent before a rule is seen in that. */
const OFTEN = 3;
/** So often a request is sent again that showed an animal of others and then did not, when that was too early to count. */
const FLAPPING = 6;

/** The last of the same request, where the animal was missing after it had been there, and none of them counts yet. */
function owedForFlaps(animal: Animal, looks: readonly Look[], world: World): readonly Look[] {
  const first = looks.findIndex(({ shown }) => shown.has(animal.id));
  const wrong = looks.filter(({ shown }, index) => first !== -1 && index > first && !shown.has(animal.id));
  const counting = looks.filter(({ event }) => isSettled(animal, event, world));
  const isOwed = wrong.length > 0 && !wrong.some(({ event }) => isSettled(animal, event, world)) && counting.length < FLAPPING;
  return isOwed ? looks.slice(-FLAPPING) : [];
}

/**
 * The last of each request that proves nothing of an animal yet: it was sent so soon after the animal was first seen that the service may lag, or
 * it is wrong once, which may be a rule or an accident. Of an animal of others, what showed it last: they may have taken it away.
 */
export function owedSights(world: World): Sights {
  const view = viewOf(world);
  const telling = view.lists.filter((look) => hasRoom(look, view));
  const byKey = Map.groupBy(telling, ({ key }) => key);
  const [lists, reads] = [new Set<Event>(), new Set<Event>()];
  const owe = ({ event, place }: Look): void => void (place === 'read' ? reads : lists).add(event);
  const lastOf = new Map(world.events.map((event) => [keyOf(event), event.sent]));
  const wasAskedAgain = ({ key, event }: Look): boolean => (lastOf.get(key) ?? event.sent) > event.sent;
  for (const animal of view.animals.values()) {
    const status = statusOf(animal);
    const isOwed = (looks: readonly Look[]): boolean => {
      const last = looks.at(-1);
      if (last === undefined || last.shown.has(animal.id) || last.event.sent < animal.since) return false;
      if (!isSettled(animal, last.event, world)) return true;
      const counting = looks.filter(({ event }) => isSettled(animal, event, world));
      return counting.length < OFTEN && counting.every(({ shown }) => !shown.has(animal.id));
    };
    const matching = [...byKey.values()].filter(([first]) => first?.place === 'list' || first?.event.intent.status === status);
    for (const looks of [...matching, view.reads.get(animal.id) ?? []]) {
      const last = looks.at(-1);
      if (last !== undefined && isOwed(looks)) owe(last);
      if (animal.birth === undefined) owedForFlaps(animal, looks, world).forEach(owe);
    }
    const shown = animal.looks.at(-1);
    if (animal.birth !== undefined || shown === undefined || wasAskedAgain(shown)) continue;
    const all = [...matching.flat(), ...(view.reads.get(animal.id) ?? [])];
    const isWrong = (look: Look): boolean => !look.shown.has(animal.id) && isSettled(animal, look.event, world);
    // What is seen again was there all the time.
    if (all.some((look) => isWrong(look) && look.event.sent < shown.event.sent)) continue;
    for (const look of all.filter(isWrong)) (look.place === 'read' ? reads : lists).add(shown.event);
  }
  return { lists: [...lists], reads: [...reads] };
}
