import type { Session } from '../../src/session/session.ts';
import { malformed, randomToken, wrongKeys } from '../cases/credentials.ts';
import { defineClause } from '../define.ts';
import { letInMalformed } from './malformed.ts';
import { inTurn, judgeRefusal, refusedCreations, refusedLists, refusedRead, refusedReads } from './unauthorized-requests.ts';

const all = (s: Session) => wrongKeys(s.options.apiKey, s.options.seed);
const random = (s: Session) => randomToken(s.options.apiKey, s.options.seed);

export const wrongKey = defineClause({
  id: 'auth.wrong-key',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'required',
  requirement: 'Each of the three operations answers 401 with an Error body when the bearer credential is not exactly the key.',
  likelyCause:
    'The key is compared by prefix, length, format or without letter case, or only the presence of a token is looked at. Compare whole values, in constant time.',
  checks: [
    {
      id: 'list',
      title: 'GET /pets with a random token of the form of the key is answered 401',
      step: 'read',
      smoke: true,
      fault: 'wrong-key-accepted-on-list',
      run: (s) => refusedLists(s, [{ credential: random(s), list: {} }]),
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} with a random token of the form of the key is answered 401',
      step: 'read',
      smoke: true,
      fault: 'wrong-key-accepted-on-get',
      run: (s) => refusedRead(s, random(s)),
    },
    {
      id: 'lists',
      title: 'Lists with every near miss of the key are answered 401',
      step: 'read',
      exhaustive: true,
      fault: 'key-prefix-accepted',
      run: (s) => refusedLists(s, inTurn(all(s))),
    },
    {
      id: 'reads',
      title: 'An animal read with every near miss of the key is answered 401',
      step: 'read',
      exhaustive: true,
      fault: 'key-last-character-ignored',
      run: (s) => refusedReads(s, all(s)),
    },
    {
      id: 'create',
      title: 'POST /pets with a good body and every near miss of the key is answered 401',
      step: 'write',
      effect: 'write',
      fault: 'wrong-key-accepted-on-create',
      run: (s) => refusedCreations(s, all(s)),
    },
    {
      id: 'mutated',
      title: 'Keys one step away from the right one (a character less, more, another, swapped, in the other case) are answered 401',
      step: 'property',
      fault: 'key-last-character-ignored',
      // The probe has this clause too, and no use for fast-check.
      run: async (s) => (await import('./mutated-credentials.ts')).judgeMutatedCredentials(s),
    },
    {
      id: 'malformed',
      title: 'A header with more words than the scheme and the key is not let in',
      step: 'read',
      fault: 'any-scheme-accepted',
      run: (s) =>
        letInMalformed(
          s,
          malformed(s.options.apiKey).filter(({ note }) => !/colon|without a space/.test(note)),
        ),
    },
  ],
  invariants: [
    {
      id: 'always',
      title: 'Every request with a wrong key and with nothing else wrong is answered 401',
      fault: 'wrong-key-sometimes-accepted',
      judge: judgeRefusal('wrong-key'),
    },
  ],
});
