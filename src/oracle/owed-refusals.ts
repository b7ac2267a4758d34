import type { Event } from './event.ts';
import { keyOf } from './view.ts';
import type { World } from './world.ts';

const REJECTED = 401;

/** Whether nothing else was under way while it was. */
function wasAlone(event: Event, { events }: World): boolean {
  return events.every((other) => other === event || other.done <= event.sent || other.sent >= event.done);
}

/**
 * The first of each GET of which the API key was only ever rejected while other requests were under way, although it is accepted otherwise: a
 * response that says nothing of what was asked. Asked alone, it is owed no more, whatever comes.
 */
export function owedRefusals(world: World): readonly Event[] {
  const gets = world.events.filter(({ intent, exchange }) => intent.credential === 'valid' && exchange.request.method === 'GET');
  const isOwed = (same: readonly Event[]): boolean =>
    same.every((event) => event.status === REJECTED && world.accepts(event.intent.operation) && !wasAlone(event, world));
  return [...Map.groupBy(gets, keyOf).values()].flatMap((same) => (isOwed(same) ? same.slice(0, 1) : []));
}
