import type { ClauseId } from '../../clause/clause.ts';
import { asStatus, foldedName, isPet } from '../../schema/pet.ts';
import { INT64_MAX, INT64_MIN, isInt64, schemaProblems } from '../../schema/validators.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject, type Json, type JsonObject, writeJson } from '../../wire/json.ts';
import { oncePer } from '../../wire/once.ts';
import { isNameOfEarlierRun } from '../names.ts';

export type Leftover = { readonly id: bigint; readonly values: readonly ForbiddenValue[] };

/** What earlier runs left in the store, and the current service may be right to reject. */
export type Leftovers = {
  /** Those that any response has shown so far; at most two hundred. */
  found(): readonly Leftover[];
  /** Whether any response has shown an animal of an earlier run, valid or not. */
  anyAnimal(): boolean;
  /** The clauses that forbid creating the record, if an earlier run left it; empty for any other. */
  clausesOf(record: Json): readonly ClauseId[];
  /**
   * Whether all records that these clauses forbid are old: a list showed them next to valid records, reads agree with it, and neither a
   * creation of this run nor an animal that is not the suite's shows the same.
   */
  areOld(clauses: readonly ClauseId[]): boolean;
};

export type LeftoverOptions = {
  readonly runTag: string;
  readonly leftoverIds: readonly string[];
};

const MOST_FOUND = 200;

/** Whether a valid record shows that the form of records is correct: for the status, a record that has one. */
function showsForm(record: Json, clause: ClauseId): boolean {
  if (!isJsonObject(record) || !isPet(record)) return false;
  return clause !== 'create.status-invalid' || asStatus(record['status']) !== undefined;
}

/** Follows the responses of a run. `isOwn`: whether this run created the animal with that id. */
export function createLeftovers(options: LeftoverOptions, isOwn: (id: string) => boolean) {
  const named = new Set(options.leftoverIds);
  const found = new Map<string, Leftover>();
  const besideValid = new Set<ClauseId>();
  const ofToday = new Set<ClauseId>();
  const onlyListed = new Set<ClauseId>();
  let anyAnimal = false;

  function isOld(record: JsonObject): boolean {
    const id = String(record['id']);
    if (isOwn(id)) return false;
    return named.has(id) || (typeof record['name'] === 'string' && isNameOfEarlierRun(record['name'], options.runTag));
  }

  /** `isBesideValid`: whether its list shows a valid record of the form. */
  function noteRecord(record: Json, isBesideValid: (clause: ClauseId) => boolean): void {
    if (!isJsonObject(record)) return;
    const values = forbiddenValues(record);
    const old = isOld(record);
    anyAnimal ||= old;
    for (const { clause } of values) {
      if (!old) ofToday.add(clause);
      else if (isBesideValid(clause)) besideValid.add(clause);
    }
    const id = record['id'];
    if (old && values.length > 0 && (typeof id === 'bigint' || typeof id === 'number') && found.size < MOST_FOUND)
      found.set(String(id), { id: BigInt(id), values });
  }

  /** If a read shows an animal differently than a list did, what is broken is not in the store. */
  function compare(record: Json): void {
    const listed = isJsonObject(record) ? found.get(String(record['id'])) : undefined;
    const clauses = forbiddenValues(record).map(({ clause }) => clause);
    for (const { clause } of listed?.values ?? []) if (!clauses.includes(clause)) onlyListed.add(clause);
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
        const isBesideValid = oncePer((clause: ClauseId) => value.some((other) => showsForm(other, clause)));
        if (schemaProblems('pets', value).length > 0) for (const record of value) noteRecord(record, isBesideValid);
        else anyAnimal ||= value.some((record) => isJsonObject(record) && isOld(record));
      } else {
        compare(value);
        noteRecord(value, () => false);
      }
    },
    enter({ request: { intent } }: Exchange, created: Json | undefined): void {
      if (intent.body === 'invalid' && intent.bodyClause !== undefined) ofToday.add(intent.bodyClause as ClauseId);
      for (const { clause } of created === undefined ? [] : forbiddenValues(created)) ofToday.add(clause);
    },
  };
}

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

const KNOWN = MEMBERS.map(foldedName);

/** A member in another spelling (`category_id`): the service writes records that way, whatever it stored. */
function isSpelledOtherwise(record: JsonObject): boolean {
  return Object.keys(record).some((key) => !MEMBERS.some((name) => name === key) && KNOWN.includes(foldedName(key)));
}

function show(member: string, value: Json | undefined): string {
  const text = value === undefined ? 'missing' : Number.isNaN(value) ? 'a fraction' : writeJson(value);
  return `${member} ${text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`}`;
}

/**
 * The values for which a record is not a Pet, if a creation should have been rejected for each of them; empty for a Pet, and for a record
 * with a broken form.
 */
function forbiddenValues(record: Json): readonly ForbiddenValue[] {
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
