import { wrongSchemes } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { blameOf, rejects, rejectsMalformed } from './rejections.ts';
import { inTurn, sendCreations, sendLists, sendMalformed, sendReads } from './requests.ts';

const BLAME = blameOf('auth.missing-credential', 'auth.wrong-key');

export const wrongScheme = defineRules({
  id: 'auth.wrong-scheme',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'Scheme: HTTP bearer. The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'required',
  requirement: 'A request with the API key under a scheme other than Bearer, or without a scheme, returns 401 with an Error body.',
  likelyCause:
    'The scheme is stripped without being compared, or a framework accepts its own schemes (Token, Basic) in addition to Bearer.',
  rules: [rejects('wrong-scheme', BLAME), rejectsMalformed('wrong-scheme', BLAME)],
  sent: [
    {
      id: 'list',
      title: 'Lists with the API key under Basic, Token, ApiKey, or no scheme return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: (s) => sendLists(s, inTurn(wrongSchemes(s.options.apiKey))),
    },
    {
      id: 'get',
      title: 'Reads with the API key under Basic, Token, ApiKey, or no scheme return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      send: (s, { pets }) => sendReads(s, pets, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and the API key under another scheme returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: (s) => sendCreations(s, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'malformed',
      title: 'Rejects a header that merely starts with "Bearer"',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      send: (s) => sendMalformed(s, 'wrong-scheme'),
    },
  ],
  met: [
    {
      id: 'every-request-with-wrong-scheme',
      title: 'Every otherwise valid request with the API key under another scheme returns 401',
    },
  ],
});
