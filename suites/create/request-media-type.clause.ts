import { observed } from '../../src/clause/halt.ts';
import { writeJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { type OpenCreation, observeCreations } from '../judging/creations/create-choices.ts';

const sentAs = (type: string): OpenCreation => ({
  question: type === '' ? 'an empty Content-Type' : `Content-Type ${type}`,
  body: (valid) => ({ raw: writeJson(valid) }),
  options: { headers: [['content-type', type]] },
});

const CREATIONS: readonly OpenCreation[] = [
  ...['application/json; charset=utf-8', 'application/vnd.api+json', 'text/plain', ''].map(sentAs),
  {
    question: 'a form as application/x-www-form-urlencoded',
    body: ({ name, categoryId }) => ({ raw: `name=${name}&categoryId=${categoryId}` }),
    options: { headers: [['content-type', 'application/x-www-form-urlencoded']] },
  },
  { question: 'no body and an empty Content-Type', body: () => ({ raw: undefined }), options: { headers: [['content-type', '']] } },
];

export const createRequestMediaType = defineClause({
  id: 'create.request-media-type',
  chapter: 'create-pet',
  section: 'What the service does',
  level: 'open',
  requirement:
    'Recorded: how a creation is answered whose Content-Type is not plainly application/json. "All requests and responses that have a body use the media type application/json"; what happens to others is not stated, and 415 is as good as 400 or 201. An error must still be an Error, a 201 still a Pet, and neither a crash.',
  likelyCause: 'Nothing has to be done; 415 tells clients most.',
  checks: [
    {
      id: 'answers',
      title: 'Other media types of the request are answered in a way that is recorded',
      step: 'final',
      effect: 'write',
      run: async (s) => observed(...(await observeCreations(s, CREATIONS))),
    },
  ],
});
