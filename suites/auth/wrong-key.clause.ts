import type { Session } from '../../src/session/session.ts';
import { randomToken, wrongKeys } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { blameOf, rejects, rejectsMalformed } from './rejections.ts';
import { inTurn, readTarget, sendCreations, sendLists, sendMalformed, sendReads } from './requests.ts';

// Some twenty: the API key in another case, cut, repeated, or changed in one character; random tokens; JSON Web Tokens; Bearer alone.
const all = (s: Session) => wrongKeys(s.options.apiKey, s.options.seed);
const random = (s: Session) => randomToken(s.options.apiKey, s.options.seed);

const BLAME = blameOf('auth.missing-credential');
// rejects: on an otherwise valid request, 401 holds and any other status is a breach; no response, 429, and 503 with Retry-After: not
// judged. blameOf: explained by auth.every-request, or by the same status to the API key or to no credential.
const WRONG_KEY = rejects('wrong-key', BLAME);

export const wrongKey = defineRules({
  id: 'auth.wrong-key',
  chapter: 'authentication',
  section: 'Authentication',
  quote: ['When the key is missing or invalid, the service answers `401` with an Error body.'],
  level: 'required',
  requirement: 'Each of the three operations returns 401 with an Error body when the bearer credential is not exactly the API key.',
  likelyCause:
    'The key is compared by prefix, length, or format, or case-insensitively; it is taken out of a longer header; or only the presence of a token is checked. Compare whole values in constant time.',
  // rejectsMalformed: for a header that is not `Bearer <API_KEY>`, a 2xx is a breach; 400 and 401 hold, and so does any other status,
  // except that a 5xx is a breach if the header is very long or not ASCII: the HTTP layer may reject it.
  rules: [WRONG_KEY, rejectsMalformed('wrong-key', BLAME)],
  sent: [
    {
      id: 'list',
      title: 'GET /pets with a random token in the format of the API key returns 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      smoke: true,
      send: (s) => s.api.list({}, { credential: random(s) }),
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} with a random token in the format of the API key returns 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      smoke: true,
      // readTarget: the first known animal, which is read with the API key too; in an empty store, an id that no animal has.
      send: async (s, { pets }) => s.api.get(await readTarget(s, pets), { credential: random(s) }),
    },
    {
      id: 'near-misses-on-list',
      title: 'Lists with near misses of the API key return 401',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'listPets',
      exhaustive: true,
      // One list with each credential, cycling through no parameters, a limit, a status, and both.
      send: (s) => sendLists(s, inTurn(all(s))),
    },
    {
      id: 'near-misses-on-get',
      title: 'Reads with near misses of the API key return 401',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'getPet',
      exhaustive: true,
      // sendReads: each credential at least once, and animals of each status in turn.
      send: (s, { pets }) => sendReads(s, pets, all(s)),
    },
    {
      id: 'near-misses-on-create',
      title: 'POST /pets with a valid body and near misses of the API key returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // sendCreations: after the first creations with the API key, a plain NewPet with each credential; if one of the first four is
      // accepted, no more.
      send: (s) => sendCreations(s, all(s)),
    },
    {
      id: 'generated-near-misses',
      title:
        'Keys close to the API key (one character removed, added, replaced, swapped, or in the other case; a part, reversed, or doubled) return 401',
      step: 'property',
      needs: ['pets'],
      accepts: 'listPets',
      // Lists, reads, and plain NewPets with drawn keys, some of them cut, reversed, or doubled; a breach is shrunk to the shortest.
      // The probe judges this clause too, but must not load fast-check.
      send: async (s, { pets }) => (await import('./mutated-credentials.ts')).sendMutatedCredentials(s, { pets, rule: WRONG_KEY }),
    },
    {
      id: 'malformed',
      title: 'Rejects a header with anything besides the scheme and the API key',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      // One list with each of some ten headers: Bearer twice, an extra word, quotes, a comma, an asterisk, 8,000 letters, ...
      send: (s) => sendMalformed(s, 'wrong-key'),
    },
  ],
  met: [
    {
      id: 'every-request-with-wrong-key',
      title: 'Every otherwise valid request with a wrong key returns 401',
    },
  ],
});
