import type { Field, NewPetInput, PetView } from '../../../src/schema/pet.ts';
import { LONGEST_NAME, showName } from './show-name.ts';

export type Difference = { readonly field: Field; readonly expected: string; readonly received: string };

function nameDifference(expected: string, received: string): Difference {
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  const where = expected.length <= LONGEST_NAME ? '' : ` (the first ${at} characters agree)`;
  return { field: 'name', expected: showName(expected), received: `${showName(received)}${where}` };
}

/** The fields in which a returned animal differs from what was sent; the status only if one was sent, and no unreadable fields. */
export function differences(sent: NewPetInput, pet: Pick<PetView, Field | 'gaps'>): readonly Difference[] {
  const found: Difference[] = [];
  if (pet.name !== undefined && pet.name !== sent.name) found.push(nameDifference(sent.name, pet.name));
  if (pet.categoryId !== undefined && pet.categoryId !== sent.categoryId)
    found.push({ field: 'categoryId', expected: String(sent.categoryId), received: String(pet.categoryId) });
  if (sent.status !== undefined && pet.status !== sent.status && !pet.gaps.includes('status'))
    found.push({ field: 'status', expected: sent.status, received: pet.status ?? 'no status' });
  return found;
}
