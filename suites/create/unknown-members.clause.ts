import { observed } from '../../src/clause/halt.ts';
import type { PetStatus } from '../../src/wire/exchange.ts';
import { type JsonObject, writeJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { type OpenCreation, observeCreations } from '../judging/creations/create-choices.ts';
import { membersElsewhere } from './members-elsewhere.ts';

const DEPTH = 100;

const describeMember = (name: string) => (created: JsonObject) =>
  Object.hasOwn(created, name) ? 'accepted, and shown in the answer' : 'accepted, and left out of the answer';

/** Sent as a value, so that the run knows the animal, and sees when it is read or listed otherwise than it was answered. */
const withMember = (question: string, name: string, value: unknown, status?: PetStatus): OpenCreation => ({
  question,
  body: (valid) => ({ value: { ...valid, ...(status === undefined ? {} : { status }), [name]: value } }),
  describe: describeMember(name),
});

/** Sent as a text: for what would mean something else as a member of an object here, or is too deep to be written. */
const withText = (question: string, name: string, text: string): OpenCreation => ({
  question,
  body: ({ name: own, categoryId }) => ({
    raw: `{"name":${writeJson(own)},"categoryId":${categoryId},${JSON.stringify(name)}:${text}}`,
  }),
  describe: describeMember(name),
});

const CREATIONS: readonly OpenCreation[] = [
  withMember('an unknown member', 'colour', 'brown', 'sold'),
  withMember('an unknown member that holds an object', 'owner', { name: 'x', pets: [1, 2] }, 'pending'),
  withMember('name in another letter case (Name) beside name', 'Name', 'other', 'sold'),
  withMember('another spelling of categoryId (category_id) beside it', 'category_id', 987_654, 'pending'),
  withText(`an unknown member nested ${DEPTH} deep`, 'deep', '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  withText('a member called __proto__', '__proto__', '{"status":"sold"}'),
  withText('a member called constructor', 'constructor', '{"prototype":{"status":"sold"}}'),
  withText('a member called toString', 'toString', '"x"'),
  {
    question: 'other values of the members in the query string, in headers and cookies',
    body: (valid) => ({ value: { ...valid, status: 'pending' } }),
    options: membersElsewhere({ name: 'elsewhere', categoryId: '987654', status: 'sold', id: '987654' }),
  },
];

export const createUnknownMembers = defineClause({
  id: 'create.unknown-members',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'open',
  requirement:
    'Recorded: how a NewPet with members that the document does not show is answered, among them names that every JavaScript object inherits. Refused, ignored or kept: the document does not say. An error must still be an Error, a 201 still a Pet with the fields as they were sent (create.answer), and neither a crash.',
  likelyCause: 'Nothing has to be done; members called __proto__ and constructor must not reach an object that others share.',
  checks: [
    {
      id: 'answers',
      title: 'Unknown members are answered in a way that is recorded',
      step: 'final',
      effect: 'write',
      run: async (s) => {
        const observations = await observeCreations(s, CREATIONS);
        // What is read is held against what was answered, by record.same-animal.
        const latest = [...s.knowledge.created.keys()].slice(-CREATIONS.length);
        await s.all(latest, (id) => s.api.get(BigInt(id)));
        return observed(...observations);
      },
    },
  ],
});
