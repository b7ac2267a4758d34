import { wrongSchemes } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { blameOf, rejects, rejectsMalformed } from './rejections.ts';
import { inTurn, sendCreations, sendLists, sendMalformed, sendReads } from './requests.ts';

// rejects: on an otherwise valid request, 401 holds and any other status is a breach; no response, 429, and 503 with Retry-After: not
// judged. blameOf: explained by auth.every-request, or by the same status to the API key, to no credential, or to a random token.
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
  // rejectsMalformed: for `Bearer:` and for Bearer without a space, a 2xx is a breach; 400 and 401 hold, and so does any other status.
  rules: [rejects('wrong-scheme', BLAME), rejectsMalformed('wrong-scheme', BLAME)],
  sent: [
    {
      id: 'list',
      title: 'Lists with the API key under Basic, Token, ApiKey, or no scheme return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      // Rows: Basic (as user name, password, and bare), Token, ApiKey, Digest, BearerToken, and no scheme. Each is sent with a list, by
      // turns with no parameters, a limit, a status, and both.
      send: (s) => sendLists(s, inTurn(wrongSchemes(s.options.apiKey))),
    },
    {
      id: 'get',
      title: 'Reads with the API key under Basic, Token, ApiKey, or no scheme return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      // sendReads: each credential at least once, and animals of each status in turn.
      send: (s, { pets }) => sendReads(s, pets, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and the API key under another scheme returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // sendCreations: after the first creations with the API key, a plain NewPet with each credential; if one of the first four is
      // accepted, no more.
      send: (s) => sendCreations(s, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'malformed',
      title: 'Rejects a header that merely starts with "Bearer"',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      // One list with each of these headers: `Bearer:` followed by the API key, and `Bearer` followed by the API key without a space.
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
