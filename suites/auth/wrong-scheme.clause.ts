import { malformed } from '../cases/malformed-credentials.ts';
import { wrongSchemes } from '../cases/wrong-schemes.ts';
import { defineClause } from '../define.ts';
import { letInMalformed } from './malformed.ts';
import { refusedCreations } from './unauthorized-creations.ts';
import { judgeRefusal } from './unauthorized-invariant.ts';
import { inTurn, refusedLists } from './unauthorized-lists.ts';
import { refusedReads } from './unauthorized-reads.ts';

export const wrongScheme = defineClause({
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
  checks: [
    {
      id: 'list',
      title: 'Lists with the API key under Basic, Token, ApiKey, or no scheme return 401',
      step: 'read',
      given: ['pets'],
      fault: 'any-scheme-accepted',
      run: (s) => refusedLists(s, inTurn(wrongSchemes(s.options.apiKey))),
    },
    {
      id: 'get',
      title: 'Reads with the API key under Basic, Token, ApiKey, or no scheme return 401',
      step: 'read',
      given: ['animal', 'read'],
      fault: 'bare-key-accepted',
      run: (s) => refusedReads(s, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and the API key under another scheme returns 401',
      step: 'first-page',
      given: ['pets'],
      effect: 'write',
      fault: 'basic-password-accepted',
      run: (s) => refusedCreations(s, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'malformed',
      title: 'Rejects a header that merely starts with "Bearer"',
      step: 'read',
      given: ['pets'],
      fault: 'any-scheme-accepted',
      run: (s) =>
        letInMalformed(
          s,
          malformed(s.options.apiKey).filter(({ note }) => /colon|without a space/.test(note)),
        ),
    },
  ],
  invariants: [
    {
      id: 'every-request-with-wrong-scheme',
      title: 'Every otherwise valid request with the API key under another scheme returns 401',
      fault: 'token-scheme-accepted',
      judge: judgeRefusal('wrong-scheme'),
    },
  ],
});
