import type { Breach } from '../../src/clause/clause.ts';
import { viewOf } from '../../src/oracle/view.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { agreeOn, FIELDS, type Field, type PetView, petView, petViews } from '../../src/schema/pet.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import { type KnownAnimal, knownStatus } from '../../src/session/state/run-state.ts';
import { defineRules } from '../define.ts';

function shownField(pet: PetView, field: Field): string {
  const value = pet[field];
  return value === undefined ? `no ${field}` : `${field} ${typeof value === 'string' ? JSON.stringify(value) : value}`;
}

function contradictions(known: KnownAnimal, pet: PetView): readonly { readonly field: Field; readonly expected: string }[] {
  const status = knownStatus(known);
  const told: PetView = { ...known.answered, status: status ?? pet.status };
  // create.answer judges a 201 that does not repeat what was sent. The status is known from the request.
  const isTold = (one: Field): boolean => one === 'status' || known.sent[one] === known.answered[one];
  return FIELDS.filter((one) => isTold(one) && !agreeOn(one, told, pet)).map((field) => ({ field, expected: shownField(told, field) }));
}

/**
 * Every list and every read shows an animal of this run as its 201 did. Where the 201 differs from what was sent,
 * create.answer and create.round-trip judge it.
 */
function judgeSightings({ exchange, intent, done }: Event, world: World): 'not-applicable' | 'holds' | Breach {
  if (intent.operation === 'createPet' || exchange.outcome.kind === 'failed') return 'not-applicable';
  const { status, json } = exchange.outcome.answer;
  if (status !== 200 || !json.ok) return 'not-applicable';
  const isList = Array.isArray(json.value);
  const { listsMixIds, ambiguousIds } = viewOf(world);
  // Where lists show several animals under one id, list.unique judges them.
  if (isList && listsMixIds) return 'not-applicable';
  const { created } = world.known;
  const views = Array.isArray(json.value) ? petViews(json.value) : [petView(json.value)];
  let known = 0;
  let first: Breach | undefined;
  const animals: bigint[] = [];
  const fields = new Set<Field>();
  for (const [index, pet] of views.entries()) {
    const animal = pet === undefined ? undefined : created.get(String(pet.id));
    // Another animal had the id before.
    if (pet === undefined || animal === undefined || animal.createdAt > done) continue;
    // An animal that was given the id of another is not that one changed: create.id-assigned judges it.
    if (ambiguousIds.has(pet.id)) continue;
    known += 1;
    const all = contradictions(animal, pet);
    const [wrong] = all;
    if (wrong === undefined) continue;
    const received = shownField(pet, wrong.field);
    animals.push(pet.id);
    for (const { field } of all) fields.add(field);
    first ??= {
      summary: `${describeRequest(exchange)} shows animal ${pet.id} with ${received}, but it was created with ${wrong.expected}`,
      expected: [wrong.expected],
      received,
      pointer: `${isList ? `/${index}` : ''}/${wrong.field}`,
    };
  }
  const failureKinds = [...fields].map((place) => ({ place, expected: 'the value of its creation', received: 'another value' }));
  if (first !== undefined) return { ...first, failureKinds, animals };
  return known === 0 ? 'not-applicable' : 'holds';
}

export const recordSameAnimal = defineRules({
  id: 'record.same-animal',
  chapter: 'records',
  section: 'Pet (response record)',
  quote: [
    '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    'Transitions: not shown.',
  ],
  level: 'implied',
  derivation:
    'The id uniquely identifies an animal, and the interface has no operation that changes an animal. So every response that shows the id of a created animal shows that animal as it was created.',
  requirement: 'Every list and every read shows a created animal with the name, category, and status it was created with.',
  likelyCause:
    'The value was stored wrong when the animal was created, or a query joins, caches, or serializes animals incorrectly. Compare the response shown with the creation of that id.',
  rules: [{ layer: 'values', judge: judgeSightings }],
  met: [{ id: 'every-response', title: 'Every response shows created animals as they were created' }],
});
