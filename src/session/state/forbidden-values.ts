import type { ClauseId } from '../../clause/clause.ts';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../schema/int64.ts';
import { asStatus, isPet } from '../../schema/pet.ts';
import { isJsonObject, type Json, type JsonObject, writeJson } from '../../wire/json.ts';

const MEMBERS = ['id', 'name', 'categoryId', 'status'] as const;
const LONGEST_SHOWN = 60;

/** A value that no creation may store, and the clause that forbids it. */
export type ForbiddenValue = { readonly clause: ClauseId; readonly shown: string };

function nameClause(name: Json | undefined): ClauseId | undefined {
  if (typeof name === 'string') return undefined;
  return name === undefined || name === null ? 'create.name-required' : 'create.name-type';
}

function categoryClause(categoryId: Json | undefined): ClauseId | undefined {
  if (categoryId === undefined || categoryId === null) return 'create.category-required';
  // Integers with hundreds of digits are read as infinite.
  const isFraction = typeof categoryId === 'number' && !Number.isInteger(categoryId) && Math.abs(categoryId) !== Number.POSITIVE_INFINITY;
  if ((typeof categoryId !== 'number' && typeof categoryId !== 'bigint') || isFraction) return 'create.category-type';
  return categoryId >= INT64_MIN && categoryId <= INT64_MAX ? undefined : 'create.category-range';
}

/** Many serializers write null for a value that is not set. */
function statusClause(status: Json | undefined): ClauseId | undefined {
  return status === undefined || status === null || asStatus(status) !== undefined ? undefined : 'create.status-invalid';
}

const plain = (name: string): string => name.replace(/[_-]/g, '').toLowerCase();
const KNOWN = MEMBERS.map(plain);

/** A member in another spelling (`category_id`): the service writes records that way, whatever it stored. */
function isSpelledOtherwise(record: JsonObject): boolean {
  return Object.keys(record).some((key) => !MEMBERS.some((name) => name === key) && KNOWN.includes(plain(key)));
}

function show(member: string, value: Json | undefined): string {
  const text = value === undefined ? 'missing' : Number.isNaN(value) ? 'a fraction' : writeJson(value);
  return `${member} ${text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`}`;
}

/**
 * The values for which a record is not a Pet, if a creation should have been rejected for each of them; empty for a Pet, and for a record
 * with a broken form.
 */
export function forbiddenValues(record: Json): readonly ForbiddenValue[] {
  if (!isJsonObject(record) || isPet(record)) return [];
  const { id, name, categoryId, status } = record;
  if (!isInt64(id) || status === null || isSpelledOtherwise(record)) return [];
  const members = [
    { member: 'name', value: name, clause: nameClause(name) },
    { member: 'categoryId', value: categoryId, clause: categoryClause(categoryId) },
    { member: 'status', value: status, clause: statusClause(status) },
  ];
  return members.flatMap(({ member, value, clause }) => (clause === undefined ? [] : [{ clause, shown: show(member, value) }]));
}
