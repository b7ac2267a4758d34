import { isStatedList } from './view.ts';
import type { World } from './world.ts';

const made = new WeakMap<World, ReadonlySet<number>>();
/** Lists that were under way together reach the service in any order. */
const JUST_BEFORE = 3;

/** The numbers of the lists without a status that come right after one with a status, whoever sent them: which list is next is chance. */
export function listsAfterFilters(world: World): ReadonlySet<number> {
  const known = made.get(world);
  if (known !== undefined) return known;
  const lists = world.events.filter(isStatedList).toSorted((a, b) => a.sent - b.sent);
  const after = lists.filter(
    ({ intent }, index) =>
      intent.status === 'absent' &&
      lists.slice(Math.max(0, index - JUST_BEFORE), index).some((before) => before.intent.status !== 'absent'),
  );
  const numbers = new Set(after.map(({ number }) => number));
  made.set(world, numbers);
  return numbers;
}
