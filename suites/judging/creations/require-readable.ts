import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Field, NewPetInput, PetView } from '../../../src/schema/pet.ts';

/** Halts when a field that was sent can't be read in the response: record.pet judges its form, and its value is unknown. */
export function requireReadable(sent: NewPetInput, pet: PetView, field?: Field): void {
  const unread = pet.gaps.find((gap) => sent[gap] !== undefined && (field === undefined || gap === field));
  if (unread !== undefined) haltInconclusive(`the ${unread} of animal ${pet.id} can't be read`, 'record.pet');
}
