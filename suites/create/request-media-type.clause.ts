import { writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { type OpenCreation, observeCreations, sendCreations } from './open-creations.ts';

const sentAs = (type: string): OpenCreation => ({
  question: type === '' ? 'an empty Content-Type' : `Content-Type ${type}`,
  body: (valid) => ({ raw: writeJson(valid) }),
  options: { headers: [['content-type', type]] },
});

const CREATIONS: readonly OpenCreation[] = [
  ...['application/json; charset=utf-8', 'application/json; charset=iso-8859-1', 'application/vnd.api+json', 'text/plain', ''].map(sentAs),
  // Where it is accepted, the animal must have a name anyway.
  {
    question: 'Content-Type text/plain, without a name',
    body: ({ categoryId }) => ({ raw: writeJson({ categoryId }) }),
    options: { headers: [['content-type', 'text/plain']] },
  },
  {
    question: 'form data as application/x-www-form-urlencoded',
    body: ({ name, categoryId }) => ({ raw: `name=${name}&categoryId=${categoryId}` }),
    options: { headers: [['content-type', 'application/x-www-form-urlencoded']] },
  },
  { question: 'no body and an empty Content-Type', body: () => ({ raw: undefined }), options: { headers: [['content-type', '']] } },
];

export const createRequestMediaType = defineRules({
  id: 'create.request-media-type',
  chapter: 'create-pet',
  section: 'What the service does',
  quote: ['All requests and responses that have a body use the media type `application/json`.'],
  level: 'open',
  requirement:
    'Records the response to a creation whose Content-Type is not plain application/json. "All requests and responses that have a body use the media type `application/json`", but the document does not state the response to other media types; 415, 400, and 201 are all acceptable. An error is still an Error, a 201 is still a Pet, and neither is a crash.',
  likelyCause: 'No action needed; 415 is the most informative status for clients.',
  sent: [
    {
      id: 'other-media-types',
      title: 'Records the response to other request media types',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: (s) => sendCreations(s, CREATIONS),
      observe: (events) => observeCreations(events, CREATIONS),
    },
  ],
});
