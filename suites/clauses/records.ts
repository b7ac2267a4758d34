// Records: what a Pet is, that it stays the same animal, and what earlier runs left.

import type { ClauseId } from '../../src/clause/clause.ts';
import { describe, type Exchange, isCreation, quoted } from '../../src/oracle/exchange.ts';
import type { Leftover } from '../../src/oracle/leftovers.ts';
import { type FormProblem, form } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Rule } from '../../src/oracle/rule.ts';
import { timelineViewOf } from '../../src/oracle/timeline-view.ts';
import type { Animal, World } from '../../src/oracle/world.ts';
import { agreeOn, FIELDS, type Field, isPet, type PetView, petView, petViews } from '../../src/schema/pet.ts';
import { isInt64, kindsOfProblems, schemaProblems } from '../../src/schema/validators.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { NO_BODY } from './responses.ts';

const SHOWN = 3;
/** The number would be taken for a status. */
const OF_ITEM = /^\/(\d+)(?:\/|$)/;

/** The clauses that forbid what is wrong with the body, if earlier runs left all of it. */
function leftBy(body: Json, { leftovers }: World): readonly ClauseId[] | undefined {
  const clauses = (Array.isArray(body) ? body : [body]).filter((record) => !isPet(record)).map((record) => leftovers.clausesOf(record));
  return clauses.length === 0 || clauses.some(({ length }) => length === 0) ? undefined : [...new Set(clauses.flat())];
}

/** The schema of a success, digit by digit. create.success judges a creation without a Pet, media.json and media.well-formed what is not JSON. */
function record(message: 'pet' | 'pets'): Rule {
  const expected =
    message === 'pet' ? ['a Pet: int64 id and categoryId, string name, and optionally a status from PetStatus'] : ['an array of Pets'];
  return form('schema', (exchange, world): FormProblem | 'no matter' | undefined => {
    const { response, facts, read } = exchange;
    const isOf = (facts.operation === 'listPets') === (message === 'pets');
    if (!isOf || read.response?.status !== (isCreation(exchange) ? 201 : 200)) return 'no matter';
    if (isCreation(exchange) && isEmpty(exchange)) return 'no matter';
    if (response.size === 0) return { what: 'has no body', expected, failureKinds: [NO_BODY] };
    if (!response.json.ok) return 'no matter';
    const problems = schemaProblems(message, response.json.value);
    const [first] = problems;
    if (first === undefined) return undefined;
    const said = problems
      .slice(0, SHOWN)
      .map(({ pointer, problem }) => `${pointer === '' ? 'the body' : pointer.replace(OF_ITEM, 'item $1: ')} ${problem}`);
    const more = problems.length > SHOWN ? ` (and ${problems.length - SHOWN} more)` : '';
    const left = isCreation(exchange) ? undefined : leftBy(response.json.value, world);
    const what = `is not ${message === 'pet' ? 'a Pet' : 'an array of Pets'}: ${said.join('; ')}${more}`;
    const failureKinds = kindsOfProblems(problems);
    return { what, expected, pointer: first.pointer, failureKinds, ...(left === undefined ? {} : { leftBy: left }) };
  });
}

/** A 201 without a Pet, or with null in place of one. */
export const isEmpty = ({ response }: Exchange): boolean =>
  response !== undefined && (response.size === 0 || response.text?.trim() === '' || (response.json.ok && response.json.value === null));

const showField = (field: Field, value: PetView[Field]): string =>
  value === undefined ? `no ${field}` : `${field} ${typeof value === 'string' ? quoted(value) : value}`;

/** The fields in which a sight differs from the animal as created: as its 201 showed it where that shows what was sent. */
function contradictions({ sent, creation }: Animal, pet: PetView): readonly { readonly field: Field; readonly expected: string }[] {
  const returned = creation?.read.pet;
  if (sent === undefined || returned === undefined) return [];
  const status = sent.status ?? returned.status ?? pet.status;
  const wrong = FIELDS.filter((one) => (one === 'status' || sent[one] === returned[one]) && !agreeOn(one, { ...returned, status }, pet));
  return wrong.map((field) => ({ field, expected: showField(field, field === 'status' ? status : returned[field]) }));
}

/** Every list and every read shows a created animal as it was created. create.answer and create.round-trip judge a 201 that differs from what was sent. */
const SAME_ANIMAL: Rule = {
  layer: 'values',
  judge(exchange, _standing, world): 'holds' | Breach | undefined {
    const { facts, read, done } = exchange;
    const { response } = read;
    if (facts.operation === 'createPet' || response?.status !== 200 || !response.json.ok || world.creations.length === 0) return undefined;
    const { value } = response.json;
    const { listsMixIds, ambiguousIds } = timelineViewOf(world);
    if (Array.isArray(value) && listsMixIds) return undefined;
    let isKnown = false;
    let first: Breach | undefined;
    const fields = new Set<Field>();
    for (const [index, pet] of (Array.isArray(value) ? petViews(value) : [petView(value)]).entries()) {
      const animal = pet === undefined || ambiguousIds.has(pet.id) ? undefined : world.animals.get(pet.id);
      if (pet === undefined || animal?.creation === undefined || animal.since > done) continue;
      isKnown = true;
      const all = contradictions(animal, pet);
      const [wrong] = all;
      if (wrong === undefined) continue;
      for (const { field } of all) fields.add(field);
      const received = showField(wrong.field, pet[wrong.field]);
      const summary = `${describe(exchange)} shows animal ${pet.id} with ${received}, but it was created with ${wrong.expected}`;
      first ??= { summary, expected: [wrong.expected], received, pointer: `${Array.isArray(value) ? `/${index}` : ''}/${wrong.field}` };
    }
    const kindOf = (place: Field) => ({ place, expected: 'the value of its creation', received: 'another value' });
    return first === undefined ? (isKnown ? 'holds' : undefined) : { ...first, failureKinds: [...fields].map(kindOf) };
  },
};

const MOST_NAMED = 5;

const lists = ({ read: { response } }: Exchange, ids: ReadonlySet<bigint>): boolean =>
  response?.json.ok === true &&
  Array.isArray(response.json.value) &&
  response.json.value.some((record) => isJsonObject(record) && isInt64(record['id']) && ids.has(BigInt(record['id'])));

/** Animals of earlier runs are Pets, unless only an earlier build can have created them, which a run that creates nothing can't tell. */
function leftOver({ exchanges, creations, leftovers }: World): readonly Case[] {
  const found = leftovers.found();
  if (found.length === 0) {
    const list = leftovers.anyAnimal() ? exchanges.findLast(({ read: { pets = [] } }) => pets.length > 0) : undefined;
    return list === undefined ? [] : [{ exchange: list }];
  }
  const old = found.filter(({ values }) => leftovers.areOld(values.map(({ clause }) => clause)));
  const ids = new Set(found.map(({ id }) => id));
  const reads = exchanges.filter(({ response, facts: { id } }) => response !== undefined && id?.kind === 'int64' && ids.has(id.value));
  // One that only a list beyond the limit shows was never read, and may be far down in it.
  const [exchange, ...others] = reads.length > 0 ? reads : exchanges.filter((one) => lists(one, ids)).slice(0, 1);
  if (old.length === 0 || exchange === undefined || creations.length === 0) return [];
  const animals = old.map(({ id, values }: Leftover) => `${id} (${values.map(({ shown }) => shown).join(', ')})`);
  const more = old.length > MOST_NAMED ? ` and ${old.length - MOST_NAMED} more` : '';
  const them = old.length === 1 ? 'it' : 'them';
  const summary = `the store holds ${old.length} ${old.length === 1 ? 'animal' : 'animals'} of earlier runs of this suite that can't be created today: ${animals.slice(0, MOST_NAMED).join(', ')}${more}; remove ${them}`;
  const expected = ['a store without animals that an earlier build accepted by mistake: remove them'];
  const failureKinds = [{ place: 'animal', expected: 'no invalid animals of earlier runs', received: 'some' }];
  return [{ exchange, others, breach: { summary, expected, received: animals.join(', '), failureKinds, shown: [exchange, ...others] } }];
}

export const records: readonly JudgedClause[] = [
  {
    id: 'record.pet',
    rules: [record('pet')],
    must: (['getPet', 'createPet'] as const).map((title) => ({ title, meets: ({ exchange }) => exchange.facts.operation === title })),
  },
  {
    id: 'record.pets',
    rules: [record('pets')],
    // An empty list proves nothing.
    must: [{ title: 'lists that show an animal', meets: ({ exchange: { read } }) => (read.pets ?? []).length > 0 }],
  },
  { id: 'record.same-animal', rules: [SAME_ANIMAL], must: [{ title: 'created animals', meets: () => true }] },
  {
    id: 'record.leftovers',
    rules: [{ layer: 'history', judgeAll: leftOver }],
    must: [{ title: 'animals of earlier runs', meets: () => true }],
  },
];
