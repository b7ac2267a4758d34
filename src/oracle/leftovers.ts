// What earlier runs left in the store, and the current service may be right to reject.

import type { ClauseId } from '../clause/clause.ts';
import { asStatus, foldedName, isPet } from '../schema/pet.ts';
import { INT64_MAX, INT64_MIN, isInt64, schemaProblems } from '../schema/validators.ts';
import { isJsonObject, type Json, type JsonObject, writeJson } from '../wire/json.ts';
import type { Exchange } from './exchange.ts';

/** A value that no creation may store, and the clause that forbids it. */
type ForbiddenValue = { readonly clause: ClauseId; readonly shown: string };
export type Leftover = { readonly id: bigint; readonly values: readonly ForbiddenValue[] };

export type Leftovers = {
  found(): readonly Leftover[];
  /** Whether any response has shown an animal of an earlier run, valid or not. */
  anyAnimal(): boolean;
  /** The clauses that forbid creating the record, if an earlier run left it; empty for any other. */
  clausesOf(record: Json): readonly ClauseId[];
  /** Whether all records that these clauses forbid are old: lists showed them next to valid ones, reads agree, and nothing of this run shows the same. */
  areOld(clauses: readonly ClauseId[]): boolean;
};

const MOST_FOUND = 200;
/** A plain name of any run, whatever surrounds it. */
const NAME_OF_A_RUN = /conformance[a-z]{5,9}/i;

/** `isOwn`: whether this run created the animal; `isSent`: whether it sent that name. */
export function createLeftovers(ids: readonly string[], isOwn: (id: bigint) => boolean, isSent: (name: string) => boolean) {
  const named = new Set(ids);
  const found = new Map<string, Leftover>();
  const [besideValid, ofToday, onlyListed] = [new Set<ClauseId>(), new Set<ClauseId>(), new Set<ClauseId>()];
  let anyAnimal = false;

  function isOld(record: JsonObject): boolean {
    const { id, name } = record;
    if (isInt64(id) && isOwn(BigInt(id))) return false;
    return named.has(String(id)) || (typeof name === 'string' && NAME_OF_A_RUN.test(name) && !isSent(name));
  }

  function noteRecord(record: Json, isBesideValid: (clause: ClauseId) => boolean): void {
    if (!isJsonObject(record)) return;
    const values = forbiddenValues(record);
    const old = isOld(record);
    anyAnimal ||= old;
    for (const { clause } of values) {
      if (!old) ofToday.add(clause);
      else if (isBesideValid(clause)) besideValid.add(clause);
    }
    const { id } = record;
    if (old && values.length > 0 && isInt64(id) && found.size < MOST_FOUND) found.set(String(id), { id: BigInt(id), values });
  }

  const leftovers: Leftovers = {
    found: () => [...found.values()],
    anyAnimal: () => anyAnimal,
    clausesOf: (record) => (isJsonObject(record) && isOld(record) ? forbiddenValues(record).map(({ clause }) => clause) : []),
    areOld: (clauses) => clauses.every((clause) => besideValid.has(clause) && !ofToday.has(clause) && !onlyListed.has(clause)),
  };

  return {
    leftovers,
    notice(value: Json): void {
      if (Array.isArray(value)) {
        if (schemaProblems('pets', value).length > 0)
          for (const record of value) noteRecord(record, (clause) => value.some((other) => showsForm(other, clause)));
        else anyAnimal ||= value.some((record) => isJsonObject(record) && isOld(record));
        return;
      }
      // If a read shows an animal otherwise than a list did, what is broken is not in the store.
      const listed = isJsonObject(value) ? found.get(String(value['id'])) : undefined;
      const clauses = forbiddenValues(value).map(({ clause }) => clause);
      for (const { clause } of listed?.values ?? []) if (!clauses.includes(clause)) onlyListed.add(clause);
      noteRecord(value, () => false);
    },
    /** A creation that succeeded: what it stores is of today. */
    enter({ facts: { body }, read: { response } }: Exchange): void {
      if (body?.kind === 'invalid') ofToday.add(body.clause);
      if (response?.json.ok === true) for (const { clause } of forbiddenValues(response.json.value)) ofToday.add(clause);
    },
  };
}

/** Whether a valid record shows that the form of records is right: for the status, one that has a status. */
const showsForm = (record: Json, clause: ClauseId): boolean =>
  isJsonObject(record) && isPet(record) && (clause !== 'create.status-invalid' || asStatus(record['status']) !== undefined);

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

const MEMBERS = ['id', 'name', 'categoryId', 'status'] as const;
const LONGEST_SHOWN = 60;

function show(member: string, value: Json | undefined): string {
  const text = value === undefined ? 'missing' : Number.isNaN(value) ? 'a fraction' : writeJson(value);
  return `${member} ${text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`}`;
}

/** The values for which a record is not a Pet, if a creation should have been rejected for each; empty for a Pet, and for a record with a broken form. */
function forbiddenValues(record: Json): readonly ForbiddenValue[] {
  if (!isJsonObject(record) || isPet(record)) return [];
  const { id, name, categoryId, status } = record;
  const isSpelledOtherwise = Object.keys(record).some((key) =>
    MEMBERS.some((member) => member !== key && foldedName(member) === foldedName(key)),
  );
  if (!isInt64(id) || status === null || isSpelledOtherwise) return [];
  const ofStatus: ClauseId | undefined = status === undefined || asStatus(status) !== undefined ? undefined : 'create.status-invalid';
  const all = [
    ['name', name, nameClause(name)],
    ['categoryId', categoryId, categoryClause(categoryId)],
    ['status', status, ofStatus],
  ] as const;
  return all.flatMap(([member, value, clause]) => (clause === undefined ? [] : [{ clause, shown: show(member, value) }]));
}
