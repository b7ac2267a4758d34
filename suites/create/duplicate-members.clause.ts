import { observed } from '../../src/clause/halt.ts';
import { writeJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { type OpenCreation, observeCreations } from '../judging/creations/create-choices.ts';

/** The name in another letter case at its beginning: another one, and no other animal's, also where case is ignored. */
const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const CREATIONS: readonly OpenCreation[] = [
  {
    question: 'name twice in the body',
    body: ({ name, categoryId }) => ({
      raw: `{"name":${writeJson(name)},"categoryId":${categoryId},"name":${writeJson(capitalized(name))}}`,
    }),
    describe: ({ name }, valid) => (name === valid.name ? 'accepted: the first one counts' : 'accepted: the last one counts'),
  },
  {
    question: 'status twice in the body',
    body: ({ name, categoryId }) => ({ raw: `{"name":${writeJson(name)},"categoryId":${categoryId},"status":"pending","status":"sold"}` }),
    describe: ({ status }) => (status === 'pending' ? 'accepted: the first one counts' : 'accepted: the last one counts'),
  },
];

export const createDuplicateMembers = defineClause({
  id: 'create.duplicate-members',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  level: 'open',
  requirement:
    'Recorded: how a body is answered in which a member is there twice. RFC 8259, section 4, calls the behaviour of readers unpredictable. An error must still be an Error, a 201 still a Pet, and neither a crash.',
  likelyCause: 'Nothing has to be done; a gateway and a service that choose differently see two different animals.',
  checks: [
    {
      id: 'answers',
      title: 'Members sent twice are answered in a way that is recorded',
      step: 'final',
      effect: 'write',
      run: async (s) => observed(...(await observeCreations(s, CREATIONS))),
    },
  ],
});
