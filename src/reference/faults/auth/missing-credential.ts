import type { Call, Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { Problem } from '../../core/problem.ts';
import {
  decodePath,
  dropLastSlash,
  dropParameters,
  dropSuffix,
  foldCase,
  mergeSlashes,
  resolveDots,
  respelled,
  type Spelling,
} from '../../core/spellings.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { isReplyTo, rewriteIf } from '../helpers/replies.ts';
import { crash, header, isProblem } from '../helpers/requests.ts';

/** Accepts requests without an Authorization header if the condition holds. */
function acceptWithoutKey(condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined && condition(call) ? undefined : parts.authenticate(call, key)),
  });
}

/** Accepts requests without an Authorization header because of a header that any client can send. */
function trust(name: string, isTrusted: (value: string) => boolean = (value) => value !== ''): Patch {
  return acceptWithoutKey((call) => isTrusted(header(call, name)));
}

/** Shows animals that meet the condition to anyone. */
function showWithoutKey(condition: (pet: Pet) => boolean): Patch {
  return (parts) => ({
    handle: (context) => {
      const { call, store } = context;
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      const pet = typeof id === 'bigint' ? parts.find(store, id) : undefined;
      const isOpen = pet !== undefined && condition(pet) && call.headers.authorization === undefined;
      return isOpen ? parts.dispatch(context) : parts.handle(context);
    },
  });
}

/** Authentication compares paths as they are sent; the router undoes their spelling first. */
function acceptSpelling(...undo: readonly Spelling[]): Patch {
  return (parts) => ({
    handle: (context) => {
      const call = respelled(context.call, ...undo);
      return call === undefined ? parts.handle(context) : parts.dispatch({ ...context, call });
    },
  });
}

/** Accepts animals without a status from anyone. */
const acceptInbox: Patch = (parts) => ({
  handle: async (context) => {
    const { call } = context;
    if (call.operation !== 'createPet' || call.headers.authorization !== undefined) return parts.handle(context);
    const bytes = await call.body();
    const hasStatus = isProblem(bytes) || Buffer.from(bytes).includes('"status"');
    const again = { ...context, call: { ...call, body: async () => bytes } };
    return hasStatus ? parts.handle(again) : parts.dispatch(again);
  },
});

/** Rejects a missing header with a status other than 401. */
function rejectMissing(problem: (call: Call) => Problem | undefined): Patch {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined ? problem(call) : undefined) ?? parts.authenticate(call, key),
  });
}

/** Requests without a credential that do not return 401. */
export const authMissingCredential = faultsOf('auth.missing-credential', {
  'authentication-missing': ['No operation checks for a credential.', acceptWithoutKey(() => true)],
  'authentication-missing-on-list': ['listPets was left public.', acceptWithoutKey((call) => call.operation === 'listPets')],
  'authentication-missing-on-get': ['getPet was left public.', acceptWithoutKey((call) => call.operation === 'getPet')],
  'authentication-missing-on-create': [
    'createPet lacks the authentication middleware.',
    acceptWithoutKey((call) => call.operation === 'createPet'),
    WRITES,
  ],
  'authentication-missing-with-query': [
    'The middleware matches the exact path only: a query string bypasses it.',
    acceptWithoutKey((call) => call.target.includes('?')),
  ],
  'authentication-missing-with-status-filter': [
    'The cached search by status responds before the credential is checked.',
    acceptWithoutKey((call) => call.query.has('status')),
  ],
  'authentication-missing-with-limit-20': [
    'The first page, limit=20, comes from a public cache.',
    acceptWithoutKey((call) => call.query.get('limit') === '20' && !call.query.has('status')),
  ],
  'authentication-missing-on-sold': [
    'Sold animals are in a public archive: getPet shows them to anyone.',
    showWithoutKey((pet) => pet.status === 'sold'),
    { seedAnimals: 30 },
  ],
  'authentication-missing-on-created': [
    'For ten seconds getPet shows a new animal to anyone, so that the form can link to it.',
    showWithoutKey((pet) => Date.now() - pet.createdAt < 10_000),
    WRITES,
  ],
  'authentication-missing-on-create-without-status': ['Animals without a status go to a public inbox first.', acceptInbox, WRITES],
  'authentication-missing-from-localhost': [
    'Local requests need no key, and X-Forwarded-For decides which requests are local.',
    trust('x-forwarded-for', (value) => value === '127.0.0.1'),
  ],
  'authentication-missing-on-doubled-slash': [
    'The middleware matches /pets, and the router merges slashes: //pets needs no key.',
    acceptSpelling(mergeSlashes),
  ],
  'authentication-missing-on-trailing-slash': [
    'The middleware matches the exact path, and the router ignores a slash at the end.',
    acceptSpelling(dropLastSlash),
  ],
  'authentication-missing-on-encoded-path': [
    'The gateway checks the raw path, and the service decodes it: /%70ets needs no key.',
    acceptSpelling(decodePath),
  ],
  'authentication-missing-on-doubly-encoded-path': [
    'The security component decodes the path once and the router twice.',
    acceptSpelling(decodePath, decodePath),
  ],
  'authentication-missing-on-path-parameter': [
    'The proxy sees /pets;v=1, and the container strips the parameter.',
    acceptSpelling(dropParameters, dropLastSlash),
  ],
  'authentication-missing-on-dot-segments': [
    'The gateway compares paths before dot segments are resolved.',
    acceptSpelling(resolveDots, dropLastSlash),
  ],
  'authentication-missing-on-capitals': [
    'The router ignores letter case, and the list of protected paths does not.',
    acceptSpelling(foldCase),
  ],
  'authentication-missing-on-json-suffix': ['The suffix .json selects the format after the security pattern.', acceptSpelling(dropSuffix)],
  'authentication-missing-on-create-with-slash': [
    'The protected paths are exact, and a POST to /pets/ creates an animal.',
    (parts) => ({
      handle: (context) => {
        const call = respelled(context.call, dropLastSlash);
        return call?.operation === 'createPet' ? parts.dispatch({ ...context, call }) : parts.handle(context);
      },
    }),
    WRITES,
  ],
  'authentication-missing-on-overridden-method': [
    'Preflight requests need no key, and X-HTTP-Method-Override: OPTIONS counts as one.',
    trust('x-http-method-override', (value) => value === 'OPTIONS'),
  ],
  'authentication-missing-on-preflight': [
    'Any request with Access-Control-Request-Method counts as a preflight request, which needs no key.',
    trust('access-control-request-method'),
  ],
  'authentication-missing-on-original-url': [
    'The check reads the path from X-Original-URL, and /health is public.',
    trust('x-original-url', (value) => value === '/health'),
  ],
  'authentication-missing-on-forwarded-uri': [
    'The forward-auth service reads X-Forwarded-Uri, which clients can send.',
    trust('x-forwarded-uri', (value) => value === '/health'),
  ],
  'authentication-missing-for-remote-user': [
    'A proxy authenticates users, and X-Remote-User is trusted no matter who sends it.',
    trust('x-remote-user'),
  ],
  'authentication-missing-for-forwarded-localhost': [
    'A request with Forwarded: for=127.0.0.1 counts as local.',
    trust('forwarded', (value) => value.includes('for=127.0.0.1')),
  ],
  'authentication-missing-on-inner-requests': [
    'The framework skips its middleware for requests that it marks as its own with x-middleware-subrequest.',
    trust('x-middleware-subrequest', (value) => value.split(':').length >= 5),
  ],
  'authentication-missing-on-create-of-consumer': [
    'createPet trusts X-Consumer-Username, which the gateway sets.',
    acceptWithoutKey((call) => call.operation === 'createPet' && header(call, 'x-consumer-username') !== ''),
    WRITES,
  ],
  'authentication-fails-open': [
    'On every fifth request without a credential the key service times out and the check fails open.',
    onEveryNth(5, acceptWithoutKey),
  ],
  'empty-authorization-accepted': [
    'An Authorization header without a value is accepted.',
    (parts) => ({ authenticate: (call, key) => (call.headers.authorization === '' ? undefined : parts.authenticate(call, key)) }),
  ],
  'missing-credential-forbidden': [
    'A missing credential returns 403 instead of 401.',
    rejectMissing(() => new Problem(403, 'forbidden', 'Authentication is required')),
  ],
  'missing-credential-bad-request': [
    'A missing Authorization header returns 400, as a missing parameter.',
    rejectMissing(() => new Problem(400, 'missing_header', 'The Authorization header is required')),
  ],
  'missing-credential-crashes': ['The header is read without checking that it is there: 500 instead of 401.', rejectMissing(crash)],
  'missing-credential-hides-animal': [
    'getPet without a credential returns 404 to hide what exists.',
    rejectMissing((call) => (call.operation === 'getPet' ? new Problem(404, 'not_found', 'Not found') : undefined)),
  ],
  'anonymous-list-is-empty': [
    'listPets without a credential returns 200 with an empty list.',
    rewriteIf(isReplyTo('listPets', 401), () => ({ status: 200, body: '[]' })),
  ],
  'missing-credential-redirects': [
    'Without a credential the server redirects to its login page (302).',
    rewriteIf(
      (reply, { call }) => reply.status === 401 && call.headers.authorization === undefined,
      (reply) => ({ status: 302, headers: { ...reply.headers, location: '/login' } }),
    ),
  ],
});
