import { agreeOn, FIELDS, type Field, type PetView } from '../../src/schema/pet.ts';

/** The fields in which two responses show an animal differently. Properties beyond those of Pet may differ: they are open. */
export function differing(left: PetView, right: PetView): readonly Field[] {
  return FIELDS.filter((field) => !agreeOn(field, left, right));
}

/** A field as a finding shows it. */
export function shownField(pet: PetView, field: Field): string {
  const value = pet[field];
  return value === undefined ? `no ${field}` : `${field} ${typeof value === 'string' ? JSON.stringify(value) : value}`;
}
