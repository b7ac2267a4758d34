import { malformed, wrongSchemes } from '../cases/credentials.ts';
import { defineClause } from '../define.ts';
import { letInMalformed } from './malformed.ts';
import { inTurn, judgeRefusal, refusedCreations, refusedLists, refusedReads } from './unauthorized-requests.ts';

export const wrongScheme = defineClause({
  id: 'auth.wrong-scheme',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'required',
  requirement: 'The key under another scheme than bearer, or under none, is answered 401 with an Error body.',
  likelyCause: 'The scheme word is stripped without being compared, or a framework accepts its own schemes (Token, Basic) beside bearer.',
  checks: [
    {
      id: 'lists',
      title: 'Lists with the key under Basic, Token, ApiKey or no scheme are answered 401',
      step: 'read',
      fault: 'any-scheme-accepted',
      run: (s) => refusedLists(s, inTurn(wrongSchemes(s.options.apiKey))),
    },
    {
      id: 'reads',
      title: 'An animal read with the key under Basic, Token, ApiKey or no scheme is answered 401',
      step: 'read',
      fault: 'bare-key-accepted',
      run: (s) => refusedReads(s, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'create',
      title: 'POST /pets with a good body and the key under another scheme is answered 401',
      step: 'write',
      effect: 'write',
      fault: 'basic-password-accepted',
      run: (s) => refusedCreations(s, wrongSchemes(s.options.apiKey)),
    },
    {
      id: 'malformed',
      title: 'A header that only begins like the word Bearer is not let in',
      step: 'read',
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
      id: 'always',
      title: 'Every request with the key under another scheme and with nothing else wrong is answered 401',
      fault: 'token-scheme-accepted',
      judge: judgeRefusal('wrong-scheme'),
    },
  ],
});
