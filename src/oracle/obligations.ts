import type { ClauseId } from '../clause/clause.ts';
import { Halt } from '../clause/halt.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { UNAUTHORIZED } from '../wire/statuses.ts';
import { owedPages } from './default-page.ts';
import { type Animal, hasRoom, isSettled, keyOf, type Look, statusOf, viewOf } from './view.ts';
import { type Event, eventOf, type World } from './world.ts';

// What came too early to count, or too seldom to be understood: it is asked again until it counts.

/** Clauses of what is stored of an animal, wherever it is shown. */
const STORED: readonly ClauseId[] = ['create.round-trip', 'create.unusual-names', 'create.unusual-categories', 'create.independent'];
/** Clauses that ask where an animal is, by the place in which they ask it. */
const ASKING: Readonly<Record<keyof Sights, readonly ClauseId[]>> = {
  lists: ['list.complete', 'list.filter-complete', 'list.read-only', 'get.repeatable', 'deprecation.replacement', ...STORED],
  reads: ['get.success', 'get.durable', 'get.repeatable', 'create.refused-stores-nothing', ...STORED],
};

/** The requests that must be sent again before the clauses can be judged; none for a conforming service that does not lag. */
function owed(world: World, clauses: ReadonlySet<ClauseId>): readonly Exchange[] {
  const isAsked = (place: keyof Sights): boolean => ASKING[place].some((clause) => clauses.has(clause));
  const sights = owedSights(world);
  const pages = clauses.has('list.limit-default') ? owedPages(world) : [];
  const events = [...(isAsked('lists') ? sights.lists : []), ...(isAsked('reads') ? sights.reads : []), ...pages];
  return [...new Set(events)].map(({ exchange }) => exchange);
}

export type Asking = {
  readonly session: Pick<Session, 'all' | 'poll'>;
  readonly world: () => World;
  /** Those that are judged: nothing is asked for others. */
  readonly clauses: ReadonlySet<ClauseId>;
  readonly again: (exchange: Exchange) => Promise<Exchange>;
};

/** How many of the requests that were rejected while others were in flight are sent again, at most. */
const MOST_REFUSED = 40;

function isOf({ asker }: Event, clauses: ReadonlySet<ClauseId>): boolean {
  return asker !== undefined && [...clauses].some((clause) => asker.startsWith(`${clause}/`));
}

/** Sends them again one at a time. As soon as one is rejected while nothing else is in flight, concurrency is not the reason. */
async function askRefused({ world, clauses, again }: Pick<Asking, 'world' | 'clauses' | 'again'>): Promise<void> {
  const refused = owedRefusals(world()).filter((event) => isOf(event, clauses));
  for (const { exchange } of refused.slice(0, MOST_REFUSED)) if (eventOf(await again(exchange)).status === UNAUTHORIZED) return;
}

/**
 * Sends every request again that rules still need, all at once, until it counts or the consistency window is over: an animal that is missing then
 * is judged like any other response. The session waits less long once it has waited in vain. Returns whether anything is owed after that.
 */
export async function settle(asking: Asking): Promise<{ readonly isOwed: boolean }> {
  try {
    await askRefused(asking);
    return { isOwed: await askUntilSettled(asking) };
  } catch (error) {
    // What may not be sent any more stays owed.
    if (!(error instanceof Halt)) throw error;
    return { isOwed: true };
  }
}

/** The minimum number of times: more than any rule needs (default-page.ts needs four), even if two slow responses use up the window. */
const LEAST_ASKED = 5;

async function askUntilSettled({ session, world, clauses, again }: Asking): Promise<boolean> {
  let owing = owed(world(), clauses);
  const [first] = owing;
  if (first === undefined) return false;
  let last = first;
  const ask = async (): Promise<Exchange> => {
    const asked = await session.all(owing, again);
    last = asked.at(-1) ?? last;
    owing = owed(world(), clauses);
    return last;
  };
  await session.poll(ask, () => owing.length === 0, LEAST_ASKED);
  return owing.length > 0;
}

type Sights = { readonly lists: readonly Event[]; readonly reads: readonly Event[] };

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

/** Whether nothing else was in flight while it was. */
function wasAlone(event: Event, { events }: World): boolean {
  return events.every((other) => other === event || other.done <= event.sent || other.sent >= event.done);
}

/**
 * The first of each GET that was rejected every time, although the key is accepted otherwise, and always with others in flight: that says nothing
 * about the request. It is sent once more, alone, and whatever its response is then, it is not sent again.
 */
export function owedRefusals(world: World): readonly Event[] {
  const gets = world.events.filter(({ intent, exchange }) => intent.credential === 'valid' && exchange.request.method === 'GET');
  const isOwed = (same: readonly Event[]): boolean =>
    same.every((event) => event.status === UNAUTHORIZED && world.accepts(event.intent.operation) && !wasAlone(event, world));
  return [...Map.groupBy(gets, keyOf).values()].flatMap((same) => (isOwed(same) ? same.slice(0, 1) : []));
}
