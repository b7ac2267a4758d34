import { MISSING, NO_HEADER } from '../cases/credentials.ts';
import { defineClause } from '../define.ts';
import { judgeOtherCreations, judgeOtherPaths, judgeTrustedHeaders } from './bypasses.ts';
import {
  inTurn,
  judgeRefusal,
  LISTS,
  refusedCreations,
  refusedLists,
  refusedRead,
  refusedReads,
  refusedReadsOfCreated,
} from './unauthorized-requests.ts';

/** What stands for 401 everywhere is a defect of this clause, and read as 401 by others. */
const LETTER = { toTheLetter: true };

export const missingCredential = defineClause({
  id: 'auth.missing-credential',
  chapter: 'authentication',
  section: 'Authentication',
  level: 'required',
  requirement: 'Each of the three operations answers 401 with an Error body when no credential is sent.',
  likelyCause:
    'A route was registered before or outside the authentication middleware, or a path pattern of it does not match (a query string, another method).',
  checks: [
    {
      id: 'list',
      title: 'GET /pets without an Authorization header is answered 401',
      step: 'read',
      smoke: true,
      fault: 'authentication-missing-on-list',
      run: (s) => refusedLists(s, [{ credential: NO_HEADER, list: {} }], LETTER),
    },
    {
      id: 'get',
      title: 'GET /pets/{petId} without an Authorization header is answered 401',
      step: 'read',
      smoke: true,
      fault: 'authentication-missing-on-get',
      run: (s) => refusedRead(s, NO_HEADER, LETTER),
    },
    {
      id: 'list-parameters',
      title: 'Lists with and without parameters are answered 401 when the Authorization header is missing or empty',
      step: 'read',
      exhaustive: true,
      fault: 'authentication-missing-with-query',
      run: (s) => refusedLists(s, [...LISTS.map((list) => ({ credential: NO_HEADER, list })), ...inTurn(MISSING)], LETTER),
    },
    {
      id: 'get-each',
      title: 'Reading an animal of any status is answered 401 when the Authorization header is missing',
      step: 'read',
      fault: 'authentication-missing-on-sold',
      run: (s) => refusedReads(s, [NO_HEADER], LETTER),
    },
    {
      id: 'get-empty',
      title: 'Reading an animal with an empty Authorization header, or as if from the machine itself, is answered 401',
      step: 'read',
      fault: 'empty-authorization-accepted',
      run: (s) => refusedReads(s, MISSING, LETTER),
    },
    {
      id: 'get-created',
      title: 'Reading an animal that has just been created is answered 401 when the Authorization header is missing',
      step: 'write',
      effect: 'write',
      fault: 'authentication-missing-on-created',
      run: (s) => refusedReadsOfCreated(s, MISSING, LETTER),
    },
    {
      id: 'create',
      title: 'POST /pets with a good body is answered 401 when the Authorization header is missing or empty',
      step: 'write',
      effect: 'write',
      fault: 'authentication-missing-on-create',
      run: (s) => refusedCreations(s, [NO_HEADER, NO_HEADER, NO_HEADER, NO_HEADER, ...MISSING], LETTER),
    },
    {
      id: 'other-paths',
      title:
        'Other spellings of the paths (a doubled slash, percent-encoded letters, /./, ;v=1) show no animal without an Authorization header',
      step: 'read',
      fault: 'authentication-missing-on-doubled-slash',
      run: judgeOtherPaths,
    },
    {
      id: 'trusted-headers',
      title: 'Headers that proxies and frameworks set show no animal without an Authorization header',
      step: 'read',
      fault: 'authentication-missing-on-overridden-method',
      run: judgeTrustedHeaders,
    },
    {
      id: 'other-creations',
      title: 'POST to other spellings of /pets, or with headers that proxies set, creates no animal without an Authorization header',
      step: 'write',
      effect: 'write',
      fault: 'authentication-missing-on-create-with-slash',
      run: judgeOtherCreations,
    },
  ],
  invariants: [
    {
      id: 'always',
      title: 'Every request without a credential and with nothing else wrong is answered 401',
      fault: 'authentication-fails-open',
      judge: judgeRefusal('missing', LETTER),
    },
  ],
});
