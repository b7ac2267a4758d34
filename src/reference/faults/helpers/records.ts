import type { Patch, Place } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';

type PetRecord = Record<string, unknown>;

/** Shows an animal at one place with some members changed. */
export function showPet(place: Place, change: (pet: Pet) => Partial<Pet>): Patch {
  return (parts) => ({ petRecord: (pet, at) => parts.petRecord(at === place ? { ...pet, ...change(pet) } : pet, at) });
}

/** Shows other members at one place. */
export function showRecord(place: Place, change: (record: PetRecord, pet: Pet) => PetRecord): Patch {
  return (parts) => ({
    petRecord: (pet, at) => {
      const record = parts.petRecord(pet, at);
      return at === place ? change(record, pet) : record;
    },
  });
}

/** Shows some members of the record differently at one place; undefined omits them. */
export function showMembers(place: Place, change: (pet: Pet, record: PetRecord) => PetRecord): Patch {
  return showRecord(place, (record, pet) => ({ ...record, ...change(pet, record) }));
}

/** Shows an animal that was created without a status differently. */
export function showMissingStatus(shown: unknown): Patch {
  return (parts) => ({
    defaultStatus: () => undefined,
    petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? shown }),
  });
}

export function capitalized(text: unknown): unknown {
  return typeof text === 'string' ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
}
