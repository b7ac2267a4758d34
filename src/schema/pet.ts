import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../wire/json.ts';
import { INT64_MAX, INT64_MIN, isInt64, schemaProblems } from './validators.ts';

/** A NewPet as the suite sends it. */
export type NewPetInput = { readonly name: string; readonly categoryId: bigint; readonly status?: PetStatus };

export const FIELDS = ['name', 'categoryId', 'status'] as const;
export type Field = (typeof FIELDS)[number];

/** An animal as a response shows it, with exact integers: the fields that can be read, and which ones can't. */
export type PetView = {
  readonly id: bigint;
  /** Undefined if it can't be read: then it is listed in the gaps. */
  readonly name: string | undefined;
  readonly categoryId: bigint | undefined;
  /** Undefined if the response omits it, as it may, or if it can't be read. */
  readonly status: PetStatus | undefined;
  /** Fields that are required but missing, null, or of another type: record.pet and record.pets judge those. */
  readonly gaps: readonly Field[];
  readonly json: JsonObject;
};

/** Whether both have the same value of the field, or one of them can't be read there. */
export function agreeOn(field: Field, one: Pick<PetView, Field | 'gaps'>, other: Pick<PetView, Field | 'gaps'>): boolean {
  return one[field] === other[field] || one.gaps.includes(field) || other.gaps.includes(field);
}

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
    gaps: [],
    json: pet,
  };
}

const DIGITS = /^-?\d{1,19}$/;

/** The integer that the value is, or that its text spells. */
function integerIn(value: Json | undefined): bigint | undefined {
  const isDigits = typeof value === 'string' && DIGITS.test(value);
  if (typeof value !== 'bigint' && !Number.isInteger(value) && !isDigits) return undefined;
  return BigInt(value as bigint | number | string);
}

function int64In(value: Json | undefined): bigint | undefined {
  const integer = integerIn(value);
  return integer !== undefined && integer >= INT64_MIN && integer <= INT64_MAX ? integer : undefined;
}

/** A member's name without what spellings differ in: `category_id` and `CategoryId` are equal. */
export const foldedName = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();

/** The member with that name, in any spelling (`category_id`, `CategoryId`); the correct spelling comes first. */
function memberOf(object: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(object, name)) return object[name];
  const spelled = Object.keys(object).find((key) => foldedName(key) === foldedName(name));
  return spelled === undefined ? undefined : object[spelled];
}

/** The readable fields of a record that breaks the schema: an id and at least one more field make it an animal. */
function damagedView(pet: JsonObject): PetView | undefined {
  // An id outside int64 still distinguishes animals.
  const id = integerIn(memberOf(pet, 'id'));
  if (id === undefined) return undefined;
  const [named, category, told] = [memberOf(pet, 'name'), int64In(memberOf(pet, 'categoryId')), memberOf(pet, 'status')];
  const name = typeof named === 'string' ? named : undefined;
  if (name === undefined && category === undefined) return undefined;
  const status = asStatus(told);
  const gaps = [
    ...(name === undefined ? (['name'] as const) : []),
    ...(category === undefined ? (['categoryId'] as const) : []),
    ...(status === undefined && told !== undefined ? (['status'] as const) : []),
  ];
  return { id, name, categoryId: category, status, gaps, json: pet };
}

export function isPet(value: Json): boolean {
  return isJsonObject(value) && schemaProblems('pet', value).length === 0;
}

/** The animal in a JSON value, read field by field if it is not a valid Pet; undefined if nothing tells which animal it is. */
export function petView(value: Json): PetView | undefined {
  if (!isJsonObject(value)) return undefined;
  return isPet(value) ? viewOf(value) : damagedView(value);
}

/** A created animal: as `petView`, or one for which the response shows only the id. */
export function createdView(value: Json): PetView | undefined {
  const view = petView(value);
  if (view !== undefined || !isJsonObject(value) || !isInt64(value['id'])) return view;
  return { id: BigInt(value['id']), name: undefined, categoryId: undefined, status: undefined, gaps: FIELDS, json: value };
}

/** Items of a broken list that are viewed one by one; the rest counts as one more broken item. */
const MOST_SINGLY = 500;
/** Animals at each end of a list that are viewed one by one: the longest page has a hundred, and what is new is at one of the ends. */
const MOST_AT_AN_END = 500;

function viewsOf(items: readonly Json[]): readonly (PetView | undefined)[] {
  const { length } = items;
  const isViewed = (index: number): boolean => index < MOST_AT_AN_END || index >= length - MOST_AT_AN_END;
  if (schemaProblems('pets', items as Json[]).length === 0)
    return items.map((item, index) => (isJsonObject(item) && isViewed(index) ? viewOf(item) : undefined));
  const views = items.slice(0, MOST_SINGLY).map(petView);
  return items.length > MOST_SINGLY ? [...views, undefined] : views;
}

// Several checks and invariants view the same list.
const viewed = new WeakMap<readonly Json[], readonly (PetView | undefined)[]>();

/**
 * `petView` of each item of a list, at its place; undefined between the first 500 and the last 500. After 500 items of a broken list, the rest is one
 * undefined.
 */
export function petViews(items: readonly Json[]): readonly (PetView | undefined)[] {
  const known = viewed.get(items);
  if (known !== undefined) return known;
  const views = viewsOf(items);
  viewed.set(items, views);
  return views;
}
