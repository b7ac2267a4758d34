import type { Field, PetView } from '../../src/schema/pet.ts';

/** A field for a finding. */
export function shownField(pet: PetView, field: Field): string {
  const value = pet[field];
  return value === undefined ? `no ${field}` : `${field} ${typeof value === 'string' ? JSON.stringify(value) : value}`;
}
