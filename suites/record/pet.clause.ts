import type { Event, Rule, World } from '../../src/oracle/world.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { judgeRecord } from './records.ts';

const FEW = 3;

/**
 * Judges a 200 response to getPet and a 201 response to createPet by the schema of Pet, digit by digit. A 200 without a body is a breach;
 * other clauses judge a body that is not JSON (media.json, media.well-formed), a 201 that is empty or null (create.success), and what
 * earlier runs left (record.leftovers).
 */
function judgePet(event: Event, world: World): ReturnType<NonNullable<Rule['judge']>> {
  const { operation } = event.intent;
  const isAsDocumented = operation !== 'listPets' && statusOf(event.exchange) === (operation === 'getPet' ? 200 : 201);
  return isAsDocumented ? judgeRecord(event, 'pet', world) : 'not-applicable';
}

export const recordPet = defineRules({
  id: 'record.pet',
  chapter: 'records',
  section: 'Pet (response record)',
  quote: [
    'Pet has every field of NewPet, with the same required rules, plus:',
    '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  ],
  level: 'required',
  requirement: 'getPet and createPet return a Pet: id and categoryId are int64, name is a string, and status, if present, is a PetStatus.',
  likelyCause:
    'The serializer for a single animal writes numbers as strings, null for unset fields, or other property names, or wraps the record in an envelope; or a creation accepted an invalid value.',
  rules: [{ layer: 'schema', letter: true, judge: judgePet }],
  sent: [
    {
      id: 'get',
      title: 'getPet returns Pets',
      step: 'read',
      needs: ['pets'],
      send: (s, { pets }) => s.all(pets.slice(0, FEW), ({ id }) => s.api.get(id)),
    },
    {
      id: 'create',
      title: 'createPet returns Pets',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: (s) => s.fixtures.firstCreations(),
      cases: ({ event }) => event.intent.operation === 'createPet',
    },
  ],
  met: [{ id: 'every-response', title: 'Every successful getPet and createPet response is a Pet' }],
});
