import { statusOf } from '../../../src/expect/expect.ts';
import type { Session } from '../../../src/session/session.ts';
import { oncePerSession } from '../once-per-session.ts';
import { acceptedCategories } from './accepted-categories.ts';
import { allMade, type Made, made } from './made.ts';
import { type ReadBack, readBack } from './read-back.ts';
import { send } from './send.ts';

export type Stored = { readonly animal: Made; readonly read: ReadBack };

const OTHER_CATEGORIES = 2;

/** Animals of categories other than the one that fixtures found, where more are known. A service may have closed them; 400 is correct then. */
const inOtherCategories = oncePerSession(async (s: Session): Promise<readonly Made[]> => {
  const [first, ...others] = await acceptedCategories(s);
  const creations = await s.all(others.filter((category) => category !== first).slice(0, OTHER_CATEGORIES), async (categoryId) =>
    send(s, { ...(await s.fixtures.plain('pending')), categoryId }, 'unusual'),
  );
  return creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
});

/** The first plain animals, of every status and several categories, and how getPet shows each. */
export const plainAnimals = oncePerSession(async (s: Session): Promise<readonly Stored[]> => {
  const animals = [...allMade(await s.fixtures.firstCreations()), ...(await inOtherCategories(s))];
  return s.all(animals, async (animal) => ({ animal, read: await readBack(s, animal.pet.id) }));
});
