import type { ClauseId } from '../../clause/clause.ts';
import { asStatus, isPet } from '../../schema/pet.ts';
import { schemaProblems } from '../../schema/validators.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isJsonObject, type Json, type JsonObject } from '../../wire/json.ts';
import { isNameOfEarlierRun } from '../fixtures/names.ts';
import { type ForbiddenValue, forbiddenValues } from './forbidden-values.ts';

/** A record that an earlier run left, and whose stored values break the schema. */
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
  readonly namePrefix: string;
  readonly runTag: string;
  /** Ids, as digits, of animals that reports of earlier runs name. */
  readonly leftoverIds: readonly string[];
};

const MOST_FOUND = 200;
/** Items of a broken list that are inspected one by one. */
const MOST_SINGLY = 500;

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
    return named.has(id) || (typeof record['name'] === 'string' && isNameOfEarlierRun(record['name'], options));
  }

  function noteRecord(record: Json, list: readonly Json[]): void {
    if (!isJsonObject(record)) return;
    const values = forbiddenValues(record);
    const old = isOld(record);
    anyAnimal ||= old;
    for (const { clause } of values) {
      if (!old) ofToday.add(clause);
      else if (list.some((other) => showsForm(other, clause))) besideValid.add(clause);
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
    /** Notes what a 200 of a list or a read shows. */
    notice(value: Json): void {
      if (Array.isArray(value)) {
        if (schemaProblems('pets', value).length > 0) for (const record of value.slice(0, MOST_SINGLY)) noteRecord(record, value);
        else anyAnimal ||= value.some((record) => isJsonObject(record) && isOld(record));
      } else {
        compare(value);
        noteRecord(value, []);
      }
    },
    /** Notes the result of a successful creation. */
    enter({ request: { intent } }: Exchange, created: Json | undefined): void {
      if (intent.body === 'invalid' && intent.bodyClause !== undefined) ofToday.add(intent.bodyClause as ClauseId);
      for (const { clause } of created === undefined ? [] : forbiddenValues(created)) ofToday.add(clause);
    },
  };
}
