import { haltInconclusive } from '../../../src/clause/halt.ts';
import { statusOf } from '../../../src/expect/expect.ts';
import type { Field, PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { failsListed } from '../../get/existing.ts';
import { oncePerSession } from '../once-per-session.ts';
import { acceptedCategories } from './accepted-categories.ts';
import { allMade, type Made, made, oneOfEachStatus, send } from './creations.ts';
import { differences } from './differences.ts';
import { afterFirstLists } from './first-lists.ts';
import { type ReadBack, readBack } from './read-back.ts';

export type Stored = { readonly animal: Made; readonly read: ReadBack };

const OTHER_CATEGORIES = 2;

/** Animals of categories other than the one that fixtures found, where more are known. A service may have closed them; 400 is correct then. */
const inOtherCategories = oncePerSession(async (s: Session): Promise<readonly Made[]> => {
  await afterFirstLists(s);
  const [first, ...others] = await acceptedCategories(s);
  const creations = await s.all(others.filter((category) => category !== first).slice(0, OTHER_CATEGORIES), async (categoryId) =>
    send(s, { ...(await s.fixtures.plain('pending')), categoryId }, 'unusual'),
  );
  return creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
});

/** The first plain animals, of every status and several categories, and how getPet shows each. */
export const plainAnimals = oncePerSession(async (s: Session): Promise<readonly Stored[]> => {
  const animals = [...allMade(await oneOfEachStatus(s)), ...(await inOtherCategories(s))];
  return s.all(animals, async (animal) => ({ animal, read: await readBack(s, animal.pet.id) }));
});

/** Fields of plain animals that the 201 shows differently than they were sent, and those that a read shows differently. */
export type BrokenFields = { readonly answered: ReadonlySet<Field>; readonly stored: ReadonlySet<Field> };

/** The fields that not even plain animals keep: checks of the unusual domain do not judge these. */
export const brokenFields = oncePerSession(async (s: Session): Promise<BrokenFields> => {
  const stored = await plainAnimals(s);
  const fieldsOf = (pick: (one: Stored) => PetView | undefined): ReadonlySet<Field> =>
    new Set(
      stored.flatMap((one) => {
        const pet = pick(one);
        return pet === undefined ? [] : differences(one.animal.sent, pet).map(({ field }) => field);
      }),
    );
  return { answered: fieldsOf(({ animal }) => animal.pet), stored: fieldsOf(({ read }) => read.pet) };
});

/** Halts when even plain animals, created one after the other, can't be found afterwards: by getPet alone, or at all. */
export async function requirePlainFound(s: Session): Promise<void> {
  const lost = (await plainAnimals(s)).find(({ read }) => read.pet === undefined);
  if (lost === undefined) return;
  const owner = (await failsListed(s)) ? 'get.success' : 'list.complete';
  haltInconclusive(`animal ${lost.animal.pet.id} was created but can't be found`, owner);
}
