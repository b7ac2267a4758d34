import type { Session } from '../../src/session/session.ts';
import { malformed } from '../cases/malformed-credentials.ts';
import { randomToken } from '../cases/random-token.ts';
import { wrongKeys } from '../cases/wrong-keys.ts';
import { defineClause } from '../define.ts';
import { letInMalformed } from './malformed.ts';
import { refusedCreations } from './unauthorized-creations.ts';
import { judgeRefusal } from './unauthorized-invariant.ts';
import { inTurn, refusedLists } from './unauthorized-lists.ts';
import { refusedRead, refusedReads } from './unauthorized-reads.ts';

const all = (s: Session) => wrongKeys(s.options.apiKey, s.options.seed);
const random = (s: Session) => randomToken(s.options.apiKey, s.options.seed);

export const wrongKey = defineClause({
  id: 'auth.wrong-key',
  chapter: 'authentication',
  section: 'Authentication',
  quote: ['When the key is missing or invalid, the service answers `401` with an Error body.'],
  level: 'required',
  requirement: 'Each of the three operations returns 401 with an Error body when the bearer credential is not exactly the API key.',
  likelyCause:
    'The key is compared by prefix, length, or format, or case-insensitively; or only the presence of a token is checked. Compare whole values in constant time.',
  checks: [
    {
      id: 'list',
      title: 'GET /pets with a random token in the format of the API key returns 401',
      step: 'read',
      given: ['pets'],
      smoke: true,
      fault: 'wrong-key-accepted-on-list',
      run: (s) => refusedLists(s, [{ credential: random(s), list: {} }]),
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} with a random token in the format of the API key returns 401',
      step: 'read',
      given: ['animal', 'read'],
      smoke: true,
      fault: 'wrong-key-accepted-on-get',
      run: (s) => refusedRead(s, random(s)),
    },
    {
      id: 'near-misses-on-list',
      title: 'Lists with near misses of the API key return 401',
      step: 'read',
      given: ['pets'],
      exhaustive: true,
      fault: 'key-prefix-accepted',
      run: (s) => refusedLists(s, inTurn(all(s))),
    },
    {
      id: 'near-misses-on-get',
      title: 'Reads with near misses of the API key return 401',
      step: 'read',
      given: ['animal', 'read'],
      exhaustive: true,
      fault: 'key-last-character-ignored',
      run: (s) => refusedReads(s, all(s)),
    },
    {
      id: 'near-misses-on-create',
      title: 'POST /pets with a valid body and near misses of the API key returns 401',
      step: 'first-page',
      given: ['pets'],
      effect: 'write',
      fault: 'wrong-key-accepted-on-create',
      run: (s) => refusedCreations(s, all(s)),
    },
    {
      id: 'generated-near-misses',
      title: 'Keys one edit away from the API key (a character removed, added, replaced, swapped, or in the other case) return 401',
      step: 'property',
      given: ['pets', 'read'],
      fault: 'key-last-character-ignored',
      // The probe judges this clause too, but must not load fast-check.
      run: async (s) => (await import('./mutated-credentials.ts')).judgeMutatedCredentials(s),
    },
    {
      id: 'malformed',
      title: 'Rejects a header with anything besides the scheme and the API key',
      step: 'read',
      given: ['pets'],
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
      id: 'every-request-with-wrong-key',
      title: 'Every otherwise valid request with a wrong key returns 401',
      fault: 'wrong-key-sometimes-accepted',
      judge: judgeRefusal('wrong-key'),
    },
  ],
});
