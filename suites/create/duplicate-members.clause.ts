import { writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { type OpenCreation, observeCreations, sendCreations } from './open-creations.ts';

// Different names, but not those of two animals, even where case is ignored.
const capitalized = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const uncapitalized = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

const CREATIONS: readonly OpenCreation[] = [
  {
    question: 'name twice in the body',
    body: ({ name, categoryId }) => ({
      raw: `{"name":${writeJson(uncapitalized(name))},"categoryId":${categoryId},"name":${writeJson(capitalized(name))}}`,
    }),
    describe: ({ name }) => (name === capitalized(String(name)) ? 'accepted: the last one counts' : 'accepted: the first one counts'),
  },
  {
    question: 'status twice in the body',
    body: ({ name, categoryId }) => ({ raw: `{"name":${writeJson(name)},"categoryId":${categoryId},"status":"pending","status":"sold"}` }),
    describe: ({ status }) => (status === 'pending' ? 'accepted: the first one counts' : 'accepted: the last one counts'),
  },
  {
    question: 'status twice in the body, the second one unknown',
    body: ({ name, categoryId }) => ({ raw: `{"name":${writeJson(name)},"categoryId":${categoryId},"status":"sold","status":"lost"}` }),
    describe: ({ status }) => (status === 'sold' ? 'accepted: the first one counts' : 'accepted: the last one counts'),
  },
];

export const createDuplicateMembers = defineRules({
  id: 'create.duplicate-members',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: ['Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.'],
  level: 'open',
  requirement:
    'Records the response to a body in which a property appears twice. RFC 8259, section 4, calls the behavior of parsers unpredictable. An error is still an Error, a 201 is still a Pet, and neither is a crash.',
  likelyCause: 'No action needed; but a gateway and a service that choose differently see two different animals.',
  sent: [
    {
      id: 'duplicate-properties',
      title: 'Records the response to duplicate properties',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: (s) => sendCreations(s, CREATIONS),
      observe: (events) => observeCreations(events, CREATIONS),
    },
  ],
});
