import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { describeRequest } from '../../src/expect/expect.ts';
import { agreeOn, FIELDS, type Field, type PetView, petView, petViews } from '../../src/schema/pet.ts';
import { type Knowledge, type KnownAnimal, knownStatus } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { shownField } from '../get/reading.ts';

/** In which field a sighting is not what is known of the animal, or undefined. */
function contradiction(known: KnownAnimal, pet: PetView): { readonly field: Field; readonly expected: string } | undefined {
  const status = knownStatus(known);
  const told: PetView = { ...known.answered, status: status ?? pet.status };
  // Where the 201 itself does not say what was sent, create.answer has it. A status is known as it was sent.
  const isTold = (one: Field): boolean => one === 'status' || known.sent[one] === known.answered[one];
  const field = FIELDS.find((one) => isTold(one) && !agreeOn(one, told, pet));
  return field === undefined ? undefined : { field, expected: shownField(told, field) };
}

/**
 * What the 201 said of an animal of ours is what every list and every read says of it. What was sent may differ from the 201: that
 * is the business of create.answer and create.round-trip.
 */
function judgeSightings(exchange: Exchange, knowledge: Knowledge): InvariantJudgement {
  if (exchange.request.intent.operation === 'createPet' || exchange.outcome.kind === 'failed') return 'not-applicable';
  const { status, json } = exchange.outcome.answer;
  if (status !== 200 || !json.ok) return 'not-applicable';
  const isList = Array.isArray(json.value);
  const views = Array.isArray(json.value) ? petViews(json.value) : [petView(json.value)];
  let known = 0;
  for (const [index, pet] of views.entries()) {
    const animal = pet === undefined ? undefined : knowledge.created.get(String(pet.id));
    if (pet === undefined || animal === undefined) continue;
    known += 1;
    const wrong = contradiction(animal, pet);
    if (wrong === undefined) continue;
    const received = shownField(pet, wrong.field);
    return {
      summary: `${describeRequest(exchange)} shows animal ${pet.id} with ${received}; it was created with ${wrong.expected}`,
      expected: [wrong.expected],
      received,
      pointer: `${isList ? `/${index}` : ''}/${wrong.field}`,
    };
  }
  return known === 0 ? 'not-applicable' : 'holds';
}

export const recordSameAnimal = defineClause({
  id: 'record.same-animal',
  chapter: 'records',
  section: 'Pet (response record)',
  level: 'implied',
  derivation:
    'The id is the unique identifier of an animal, and no operation that changes an animal is part of the interface; so what is known of a created animal is what every answer says of its id.',
  requirement: 'Every list and every read shows a created animal with the name, category and status of its creation.',
  likelyCause:
    'Some queries join, cache or serialise animals wrongly, or mix rows up. Compare the answer shown with the creation of that id.',
  invariants: [
    {
      id: 'always',
      title: 'Every sighting of a created animal agrees with its creation',
      fault: 'list-rows-shifted-now-and-then',
      judge: judgeSightings,
    },
  ],
});
