import { LISTS } from '../cases/lists.ts';
import { MISSING } from '../cases/missing-credentials.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { defineRules } from '../define.ts';
import { BYPASSES, sendOtherCreations, sendToOtherPaths, sendTrustedHeaders } from './bypasses.ts';
import { blameOf, rejects } from './rejections.ts';
import { inTurn, readTarget, sendCreations, sendLists, sendReads } from './stimuli.ts';

export const missingCredential = defineRules({
  id: 'auth.missing-credential',
  chapter: 'authentication',
  section: 'Authentication',
  quote: [
    'The requirement applies globally, to every operation.',
    'When the key is missing or invalid, the service answers `401` with an Error body.',
  ],
  level: 'required',
  requirement: 'Each of the three operations returns 401 with an Error body when the request has no credential.',
  likelyCause:
    'A route is registered before or outside the authentication middleware, or the path pattern of the middleware does not match (a query string, another method).',
  // rejects: on an otherwise valid request, 401 holds and any other status is a breach; no response, 429, and 503 with Retry-After: not
  // judged. blameOf: explained by auth.every-request, or by the same status to the API key. BYPASSES judges the last three kinds.
  rules: [rejects('missing', blameOf()), ...BYPASSES],
  sent: [
    {
      id: 'list',
      title: 'GET /pets without an Authorization header returns 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      smoke: true,
      send: (s) => s.api.list({}, { credential: NO_HEADER }),
      fault: 'authentication-missing-on-list',
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} without an Authorization header returns 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      smoke: true,
      // readTarget: the first known animal, which is read with the API key too; in an empty store, an id that no animal has.
      send: async (s, { pets }) => s.api.get(await readTarget(s, pets), { credential: NO_HEADER }),
      fault: 'authentication-missing-on-get',
    },
    {
      id: 'list-parameters',
      title: 'Lists with a missing or empty Authorization header return 401, with and without parameters',
      step: 'read',
      needs: ['pets'],
      accepts: 'listPets',
      exhaustive: true,
      // LISTS: some ten, with no parameters, a limit, a status, and both. MISSING: no header, an empty one, and none with
      // X-Forwarded-For: 127.0.0.1.
      send: (s) => sendLists(s, [...LISTS.map((list) => ({ credential: NO_HEADER, list })), ...inTurn(MISSING)]),
      fault: 'authentication-missing-with-query',
    },
    {
      id: 'get-each',
      title: 'Reads of animals of every status without an Authorization header return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      // sendReads: the first known animal, and one of each status.
      send: (s, { pets }) => sendReads(s, pets, [NO_HEADER]),
      fault: 'authentication-missing-on-sold',
    },
    {
      id: 'get-empty',
      title: 'Reads with an empty Authorization header, or with forwarding headers that name a local client, return 401',
      step: 'read',
      needs: ['pets'],
      accepts: 'getPet',
      send: (s, { pets }) => sendReads(s, pets, MISSING),
      fault: 'empty-authorization-accepted',
    },
    {
      id: 'get-created',
      title: 'Reads of a newly created animal without an Authorization header return 401',
      step: 'write',
      effect: 'write',
      accepts: 'getPet',
      send: async (s) => {
        const { id } = await s.fixtures.create();
        await s.all(MISSING, (credential) => s.api.get(id, { credential }));
        // Read with the API key too: an error that a request with the key also gets says nothing about the credential.
        await s.fixtures.firstRead(id);
      },
      fault: 'authentication-missing-on-created',
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and a missing or empty Authorization header returns 401',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // sendCreations: after the first creations with the API key, plain NewPets without a status and with each, and, if none of these is
      // accepted, one for each of MISSING.
      send: (s) => sendCreations(s, [NO_HEADER, NO_HEADER, NO_HEADER, NO_HEADER, ...MISSING]),
      fault: 'authentication-missing-on-create',
    },
    {
      id: 'other-paths',
      title: 'Other path spellings (a doubled slash, percent-encoded letters, /./, ;v=1) show no animal without an Authorization header',
      step: 'read',
      needs: ['readable'],
      // Some twenty spellings of the paths of listPets and getPet. BYPASSES: a breach is a 2xx that shows an animal that responses to
      // the API key have shown; any other response holds.
      send: (s, { readable }) => sendToOtherPaths(s, readable),
      fault: 'authentication-missing-on-doubled-slash',
    },
    {
      id: 'trusted-headers',
      title: 'Headers that proxies and frameworks set show no animal without an Authorization header',
      step: 'read',
      needs: ['readable'],
      // A list and a read with each group of headers: a local client, an authenticated user, another path or method, a CORS preflight, an
      // internal request. BYPASSES judges as for other paths.
      send: (s, { readable }) => sendTrustedHeaders(s, readable),
      fault: 'authentication-missing-on-overridden-method',
    },
    {
      id: 'other-creations',
      title: 'POST to other spellings of /pets, or with proxy headers, creates no animal without an Authorization header',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // BYPASSES: a breach is a 2xx whose animal, by its name, a list with the API key shows; any other response holds.
      // That list is requested after a 2xx.
      send: sendOtherCreations,
      fault: 'authentication-missing-on-create-with-slash',
    },
  ],
  met: [
    {
      id: 'every-request-without-credential',
      title: 'Every otherwise valid request without a credential returns 401',
      fault: 'authentication-fails-open',
    },
  ],
});
