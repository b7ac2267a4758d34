import type { Session } from '../../src/session/session.ts';
import { randomToken, wrongKeys } from '../cases/credentials.ts';
import { defineRules } from '../define.ts';
import { blameOf, rejects, rejectsMalformed } from './rejections.ts';
import { inTurn, readTarget, sendCreations, sendLists, sendMalformed, sendReads } from './requests.ts';

const all = (s: Session) => wrongKeys(s.options.apiKey, s.options.seed);
const random = (s: Session) => randomToken(s.options.apiKey, s.options.seed);

const BLAME = blameOf('auth.missing-credential');
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
      send: async (s, { pets }) => s.api.get(await readTarget(s, pets), { credential: random(s) }),
    },
    {
      id: 'near-misses-on-list',
      title: 'Lists with near misses of the API key return 401',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'listPets',
      exhaustive: true,
      send: (s) => sendLists(s, inTurn(all(s))),
    },
    {
      id: 'near-misses-on-get',
      title: 'Reads with near misses of the API key return 401',
      step: 'more-reads',
      needs: ['pets'],
      accepts: 'getPet',
      exhaustive: true,
      send: (s, { pets }) => sendReads(s, pets, all(s)),
    },
    {
      id: 'near-misses-on-create',
      title: 'POST /pets with a valid body and near misses of the API key returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: (s) => sendCreations(s, all(s)),
    },
    {
      id: 'generated-near-misses',
      title:
        'Keys close to the API key (one character removed, added, replaced, swapped, or in the other case; a part, reversed, or doubled) return 401',
      step: 'property',
      needs: ['pets'],
      accepts: 'listPets',
      // The probe judges this clause too, but must not load fast-check.
      send: async (s, { pets }) => (await import('./mutated-credentials.ts')).sendMutatedCredentials(s, { pets, rule: WRONG_KEY }),
    },
    {
      id: 'malformed',
      title: 'Rejects a header with anything besides the scheme and the API key',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
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
