import type { NewPetInput, PetView } from '../schema/pet.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { cleanText } from '../wire/redact.ts';

/** What the summary says of an animal that was there. */
export const GONE = 'can no longer be found';

/** What the model knows of an animal. An undefined status is one that may change or was not told. */
export type ModelAnimal = {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus | undefined;
};

/** Thrown by a command whose answer can't be true together with earlier ones. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
  readonly expected: string;
  /** The animal that it is about, where it has an id. */
  readonly id: bigint | undefined;
  constructor(summary: string, expected: string, id?: bigint) {
    super(summary);
    this.expected = expected;
    this.id = id;
  }
}

const SHORT = 60;

function show(value: unknown): string {
  return typeof value === 'string' ? cleanText(JSON.stringify(value), SHORT) : String(value);
}

/** The first field in which an answered animal contradicts what is known of it. */
export function contradictionOf(known: ModelAnimal, pet: PetView): { field: string; expected: string; received: string } | undefined {
  if (pet.name !== undefined && pet.name !== known.name) return { field: 'name', expected: show(known.name), received: show(pet.name) };
  if (pet.categoryId !== undefined && pet.categoryId !== known.categoryId)
    return { field: 'categoryId', expected: show(known.categoryId), received: show(pet.categoryId) };
  if (known.status !== undefined && pet.status !== known.status && !pet.gaps.includes('status')) {
    return { field: 'status', expected: show(known.status), received: pet.status === undefined ? 'no status' : show(pet.status) };
  }
  return undefined;
}

/**
 * A store that knows only what the document promises: an animal that was created is there and stays what it is, an id belongs
 * to one animal, and a refused creation leaves nothing behind. It knows nothing of order, paging or other clients' animals.
 */
export class StoreModel {
  readonly #known = new Map<bigint, ModelAnimal>();
  readonly #refused = new Set<string>();
  readonly #found = new Set<bigint>();

  /** `known` are animals that were found before. */
  constructor(known: readonly ModelAnimal[]) {
    for (const animal of known) {
      this.#known.set(animal.id, animal);
      this.#found.add(animal.id);
    }
  }

  /** Animals in the order in which they became known. */
  get animals(): readonly ModelAnimal[] {
    return [...this.#known.values()];
  }

  /** Enters an animal that was answered 201. */
  created(sent: NewPetInput, answered: PetView): void {
    if (this.#known.has(answered.id)) {
      throw new Contradiction(
        `a new animal received id ${answered.id}, which another animal already has`,
        'an id that no animal has',
        answered.id,
      );
    }
    this.#known.set(answered.id, { id: answered.id, name: sent.name, categoryId: sent.categoryId, status: sent.status ?? answered.status });
  }

  /** Notes the name of a creation that was refused. */
  refused(name: string): void {
    this.#refused.add(name);
  }

  /** Holds what an answer shows against what is known. */
  shown(pets: readonly PetView[]): void {
    for (const pet of pets) {
      if (pet.name !== undefined && this.#refused.has(pet.name)) {
        throw new Contradiction(
          `the animal ${show(pet.name)} exists although its creation was rejected`,
          'nothing stored by a rejected creation',
        );
      }
      const known = this.#known.get(pet.id);
      if (known !== undefined) this.#found.add(pet.id);
      const broken = known === undefined ? undefined : contradictionOf(known, pet);
      if (broken !== undefined) {
        throw new Contradiction(
          `animal ${pet.id} has the ${broken.field} ${broken.received}, not ${broken.expected}`,
          `${broken.field} ${broken.expected}`,
          pet.id,
        );
      }
    }
  }

  /** An animal that is known was asked for and not found. One that was never found since its creation is list.complete's. */
  gone(id: bigint): void {
    if (!this.#found.has(id)) return;
    throw new Contradiction(`animal ${id} ${GONE}`, '200 with the animal', id);
  }
}
