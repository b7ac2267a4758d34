import { schemaProblems } from '../schema/validators.ts';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../wire/json.ts';

/** A NewPet as the suite sends it. */
export type NewPetInput = { readonly name: string; readonly categoryId: bigint; readonly status?: PetStatus };

/** A valid Pet as the service answered it, its integers exact. */
export type PetView = {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId: bigint;
  readonly status: PetStatus | undefined;
  readonly json: JsonObject;
};

/** The value as one of the statuses, or undefined. */
export function asStatus(value: unknown): PetStatus | undefined {
  return PET_STATUSES.find((status) => status === value);
}

/** A Pet of a JSON value that satisfies the schema; undefined for any other. */
export function petView(value: Json): PetView | undefined {
  if (!isJsonObject(value) || schemaProblems('pet', value).length > 0) return undefined;
  const { id, name, categoryId, status } = value;
  return {
    id: BigInt(id as number | bigint),
    name: name as string,
    categoryId: BigInt(categoryId as number | bigint),
    status: asStatus(status),
    json: value,
  };
}

// Several checks and invariants look at the same list.
const viewed = new WeakMap<readonly Json[], readonly (PetView | undefined)[]>();

/** `petView` of each item, in order. */
export function petViews(items: readonly Json[]): readonly (PetView | undefined)[] {
  const known = viewed.get(items);
  if (known !== undefined) return known;
  const views = items.map(petView);
  viewed.set(items, views);
  return views;
}
