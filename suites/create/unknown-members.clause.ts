import type { PetStatus } from '../../src/wire/exchange.ts';
import { type JsonObject, writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { membersElsewhere } from '../stimuli/creations.ts';
import { type OpenCreation, observeCreations, sendCreations } from './open-creations.ts';

const DEPTH = 100;

const describeMember = (name: string) => (created: JsonObject) =>
  Object.hasOwn(created, name) ? 'accepted, and shown in the response' : 'accepted, but not shown in the response';

/** Sent as a value, so that the run knows the animal and notices when a read or a list shows it differently. */
const withMember = (question: string, name: string, value: unknown, status?: PetStatus): OpenCreation => ({
  question,
  body: (valid) => ({ value: { ...valid, ...(status === undefined ? {} : { status }), [name]: value } }),
  describe: describeMember(name),
});

/** Sent as raw text: for properties that are special in JavaScript objects, or values nested too deeply to serialize. */
const withText = (question: string, name: string, text: string): OpenCreation => ({
  question,
  body: ({ name: own, categoryId }) => ({
    raw: `{"name":${writeJson(own)},"categoryId":${categoryId},${JSON.stringify(name)}:${text}}`,
  }),
  describe: describeMember(name),
});

const CREATIONS: readonly OpenCreation[] = [
  withMember('an unknown property', 'color', 'brown', 'sold'),
  // The same property: a store that derives a type from the first value must not fail at the second.
  withMember('an unknown property with an object', 'color', { name: 'x', pets: [1, 2] }, 'pending'),
  withMember('name in another letter case (Name) in addition to name', 'Name', 'other', 'sold'),
  withMember('another spelling of categoryId (category_id) in addition to it', 'category_id', 987_654, 'pending'),
  // As records of other models have it: a mapper may flatten category.id into categoryId.
  withMember('a category with an id in addition to categoryId', 'category', { id: 987_653, name: 'dogs' }, 'sold'),
  withText(`an unknown property nested ${DEPTH} levels deep`, 'deep', '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  withText('a property named __proto__', '__proto__', '{"status":"sold"}'),
  withText('a property named constructor', 'constructor', '{"prototype":{"status":"sold"}}'),
  // Two in one animal: the text of the first one's value goes on with the second one.
  withText('properties named toString and hasOwnProperty', 'toString', '"x","hasOwnProperty":1'),
  {
    question: 'different values for the fields in the query string, headers, and cookies',
    body: (valid) => ({ value: { ...valid, status: 'pending' } }),
    options: membersElsewhere({ name: 'elsewhere', categoryId: '987654', status: 'sold', id: '987654' }),
  },
];

export const createUnknownMembers = defineRules({
  id: 'create.unknown-members',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: ['Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.'],
  level: 'open',
  requirement:
    'Records the response to a NewPet with properties that the document does not show, including names that every JavaScript object inherits. The document does not say whether they are rejected, ignored, or kept. An error is still an Error, a 201 is still a Pet with the fields as they were sent (create.answer), and neither is a crash.',
  likelyCause: 'No action needed; but properties named __proto__ and constructor must not reach an object that requests share.',
  sent: [
    {
      id: 'unknown-properties',
      title: 'Records the response to unknown properties',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      async send(s) {
        await sendCreations(s, CREATIONS);
        // record.same-animal compares these reads with the 201 responses.
        const latest = [...s.knowledge.created.keys()].slice(-CREATIONS.length);
        await s.all(latest, (id) => s.api.get(id));
      },
      observe: (events) => observeCreations(events, CREATIONS),
    },
  ],
});
