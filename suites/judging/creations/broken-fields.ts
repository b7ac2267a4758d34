import type { Field, PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { oncePerSession } from '../once-per-session.ts';
import { differences } from './differences.ts';
import { plainAnimals, type Stored } from './plain-animals.ts';

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
