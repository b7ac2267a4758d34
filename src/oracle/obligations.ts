// What came too early to count, or too seldom to be understood: it is asked again until it counts.
import type { ClauseId } from '../clause/clause.ts';
import { Halt } from '../clause/halt.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { owedPages } from './default-page.ts';
import { owedSights, type Sights } from './timelines.ts';
import type { World } from './world.ts';

/** Clauses that ask where an animal is, by the place in which they ask it. */
const ASKING: Readonly<Record<keyof Sights, readonly ClauseId[]>> = {
  lists: ['list.complete', 'list.filter-complete', 'list.read-only', 'get.repeatable', 'deprecation.replacement'],
  reads: ['get.success', 'get.durable', 'get.repeatable'],
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
  /** The world as it is now. */
  readonly world: () => World;
  /** Those that are judged: nothing is asked for others. */
  readonly clauses: ReadonlySet<ClauseId>;
  readonly again: (exchange: Exchange) => Promise<Exchange>;
};

/**
 * Asks again what is owed, all of it at the same time, until it counts or the consistency window is over: whatever is missing then is judged as
 * any other response. The session waits less long once it has waited in vain.
 */
export async function settle({ session, world, clauses, again }: Asking): Promise<void> {
  let owing = owed(world(), clauses);
  const [first] = owing;
  if (first === undefined) return;
  let last = first;
  const ask = async (): Promise<Exchange> => {
    const asked = await session.all(owing, again);
    last = asked.at(-1) ?? last;
    owing = owed(world(), clauses);
    return last;
  };
  try {
    await session.poll(ask, () => owing.length === 0);
  } catch (error) {
    // What may not be sent any more stays owed.
    if (!(error instanceof Halt)) throw error;
  }
}
