import { LISTS } from '../cases/lists.ts';
import { MISSING } from '../cases/missing-credentials.ts';
import { NO_HEADER } from '../cases/no-header.ts';
import { defineClause } from '../define.ts';
import { judgeOtherCreations, judgeOtherPaths, judgeTrustedHeaders } from './bypasses.ts';
import { refusedCreations } from './unauthorized-creations.ts';
import { judgeRefusal } from './unauthorized-invariant.ts';
import { inTurn, refusedLists } from './unauthorized-lists.ts';
import { refusedRead, refusedReads, refusedReadsOfCreated } from './unauthorized-reads.ts';

/** A status that replaces 401 everywhere is a defect of this clause; other clauses read it as 401. */
const LETTER = { toTheLetter: true };

export const missingCredential = defineClause({
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
  checks: [
    {
      id: 'list',
      title: 'GET /pets without an Authorization header returns 401',
      step: 'read',
      given: ['pets'],
      smoke: true,
      fault: 'authentication-missing-on-list',
      run: (s) => refusedLists(s, [{ credential: NO_HEADER, list: {} }], LETTER),
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} without an Authorization header returns 401',
      step: 'read',
      given: ['animal', 'read'],
      smoke: true,
      fault: 'authentication-missing-on-get',
      run: (s) => refusedRead(s, NO_HEADER, LETTER),
    },
    {
      id: 'list-parameters',
      title: 'Lists with a missing or empty Authorization header return 401, with and without parameters',
      step: 'read',
      given: ['pets'],
      exhaustive: true,
      fault: 'authentication-missing-with-query',
      run: (s) => refusedLists(s, [...LISTS.map((list) => ({ credential: NO_HEADER, list })), ...inTurn(MISSING)], LETTER),
    },
    {
      id: 'get-each',
      title: 'Reads of animals of every status without an Authorization header return 401',
      step: 'read',
      given: ['animal', 'read'],
      fault: 'authentication-missing-on-sold',
      run: (s) => refusedReads(s, [NO_HEADER], LETTER),
    },
    {
      id: 'get-empty',
      title: 'Reads with an empty Authorization header, or with forwarding headers that name a local client, return 401',
      step: 'read',
      given: ['animal', 'read'],
      fault: 'empty-authorization-accepted',
      run: (s) => refusedReads(s, MISSING, LETTER),
    },
    {
      id: 'get-created',
      title: 'Reads of a newly created animal without an Authorization header return 401',
      step: 'write',
      given: ['created', 'create.id-assigned'],
      effect: 'write',
      fault: 'authentication-missing-on-created',
      run: (s) => refusedReadsOfCreated(s, MISSING, LETTER),
    },
    {
      id: 'create',
      title: 'POST /pets with a valid body and a missing or empty Authorization header returns 401',
      step: 'first-page',
      given: ['pets'],
      effect: 'write',
      fault: 'authentication-missing-on-create',
      run: (s) => refusedCreations(s, [NO_HEADER, NO_HEADER, NO_HEADER, NO_HEADER, ...MISSING], LETTER),
    },
    {
      id: 'other-paths',
      title: 'Other path spellings (a doubled slash, percent-encoded letters, /./, ;v=1) show no animal without an Authorization header',
      step: 'read',
      given: ['readable', 'auth.missing-credential'],
      fault: 'authentication-missing-on-doubled-slash',
      run: judgeOtherPaths,
    },
    {
      id: 'trusted-headers',
      title: 'Headers that proxies and frameworks set show no animal without an Authorization header',
      step: 'read',
      given: ['readable', 'auth.missing-credential'],
      fault: 'authentication-missing-on-overridden-method',
      run: judgeTrustedHeaders,
    },
    {
      id: 'other-creations',
      title: 'POST to other spellings of /pets, or with proxy headers, creates no animal without an Authorization header',
      step: 'first-page',
      given: ['pets', 'auth.missing-credential'],
      effect: 'write',
      fault: 'authentication-missing-on-create-with-slash',
      run: judgeOtherCreations,
    },
  ],
  invariants: [
    {
      id: 'every-request-without-credential',
      title: 'Every otherwise valid request without a credential returns 401',
      fault: 'authentication-fails-open',
      judge: judgeRefusal('missing', LETTER),
    },
  ],
});
