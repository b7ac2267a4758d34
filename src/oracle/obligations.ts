// What came too early to count, or too seldom to be understood: it is asked again until it counts.
import type { ClauseId } from '../clause/clause.ts';
import { Halt } from '../clause/halt.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { owedPages } from './default-page.ts';
import { type Event, eventOf } from './event.ts';
import { owedRefusals } from './owed-refusals.ts';
import { owedSights, type Sights } from './owed-sights.ts';
import type { World } from './world.ts';

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
  /** The world as it is now. */
  readonly world: () => World;
  /** Those that are judged: nothing is asked for others. */
  readonly clauses: ReadonlySet<ClauseId>;
  readonly again: (exchange: Exchange) => Promise<Exchange>;
};

/** Of a group of requests, so many that were rejected in company are asked once more. */
const MOST_REFUSED = 40;
const REJECTED = 401;

/** Whether the exchange is of a part of one of the clauses. */
function isOf({ asker }: Event, clauses: ReadonlySet<ClauseId>): boolean {
  return asker !== undefined && [...clauses].some((clause) => asker.startsWith(`${clause}/`));
}

/** Asks one after the other what was rejected in company; once one is rejected alone, too, company was not the reason. */
async function askRefused({ world, clauses, again }: Pick<Asking, 'world' | 'clauses' | 'again'>): Promise<void> {
  const refused = owedRefusals(world()).filter((event) => isOf(event, clauses));
  for (const { exchange } of refused.slice(0, MOST_REFUSED)) if (eventOf(await again(exchange)).status === REJECTED) return;
}

/**
 * Asks again what is owed, all of it at the same time, until it counts or the consistency window is over: whatever is missing then is judged as
 * any other response. The session waits less long once it has waited in vain.
 */
export async function settle(asking: Asking): Promise<void> {
  try {
    await askRefused(asking);
    await askUntilSettled(asking);
  } catch (error) {
    // What may not be sent any more stays owed.
    if (!(error instanceof Halt)) throw error;
  }
}

async function askUntilSettled({ session, world, clauses, again }: Asking): Promise<void> {
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
  await session.poll(ask, () => owing.length === 0);
}
