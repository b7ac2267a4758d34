import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../wire/json.ts';
import { schemaProblems } from './validators.ts';

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

function viewOf(pet: JsonObject): PetView {
  const { id, name, categoryId, status } = pet;
  return {
    id: BigInt(id as number | bigint),
    name: name as string,
    categoryId: BigInt(categoryId as number | bigint),
    status: asStatus(status),
    json: pet,
  };
}

/** A Pet of a JSON value that satisfies the schema; undefined for any other. */
export function petView(value: Json): PetView | undefined {
  return isJsonObject(value) && schemaProblems('pet', value).length === 0 ? viewOf(value) : undefined;
}

/** Items of a broken list that are looked at one by one; the rest counts as one more broken item. */
const MOST_SINGLY = 500;

function viewsOf(items: readonly Json[]): readonly (PetView | undefined)[] {
  if (schemaProblems('pets', items as Json[]).length === 0) return items.filter(isJsonObject).map(viewOf);
  const views = items.slice(0, MOST_SINGLY).map(petView);
  return items.length > MOST_SINGLY ? [...views, undefined] : views;
}

// Several checks and invariants look at the same list.
const viewed = new WeakMap<readonly Json[], readonly (PetView | undefined)[]>();

/** `petView` of each item of a list, in order. Of a broken list of more than 500 items, the rest is shown as one undefined. */
export function petViews(items: readonly Json[]): readonly (PetView | undefined)[] {
  const known = viewed.get(items);
  if (known !== undefined) return known;
  const views = viewsOf(items);
  viewed.set(items, views);
  return views;
}
