import type { Call, Patch } from '../../core/parts.ts';
import type { Pet } from '../../core/pet.ts';
import { Problem } from '../../core/problem.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { isReplyTo, rewriteIf } from '../helpers/replies.ts';
import { crash, header, isProblem } from '../helpers/requests.ts';

/** Lets requests without an Authorization header in where the condition holds. */
function letIn(condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined && condition(call) ? undefined : parts.authenticate(call, key)),
  });
}

/** Shows the animals of the condition to anyone. */
function letReadIn(condition: (pet: Pet) => boolean): Patch {
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

/** Takes animals without a status from anyone. */
const letInboxIn: Patch = (parts) => ({
  handle: async (context) => {
    const { call } = context;
    if (call.operation !== 'createPet' || call.headers.authorization !== undefined) return parts.handle(context);
    const bytes = await call.body();
    const hasStatus = isProblem(bytes) || Buffer.from(bytes).includes('"status"');
    const again = { ...context, call: { ...call, body: async () => bytes } };
    return hasStatus ? parts.handle(again) : parts.dispatch(again);
  },
});

/** Rejects a missing header otherwise than with 401. */
function rejectMissing(problem: (call: Call) => Problem | undefined): Patch {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined ? problem(call) : undefined) ?? parts.authenticate(call, key),
  });
}

/** Requests without a credential that do not return 401. */
export const authMissingCredential = faultsOf('auth.missing-credential', {
  'authentication-missing': ['No operation checks for a credential.', letIn(() => true)],
  'authentication-missing-on-list': ['listPets was left public.', letIn((call) => call.operation === 'listPets')],
  'authentication-missing-on-get': ['getPet was left public.', letIn((call) => call.operation === 'getPet')],
  'authentication-missing-on-create': [
    'createPet lacks the authentication middleware.',
    letIn((call) => call.operation === 'createPet'),
    WRITES,
  ],
  'authentication-missing-with-query': [
    'The middleware matches the exact path only: a query string bypasses it.',
    letIn((call) => call.target.includes('?')),
  ],
  'authentication-missing-with-status-filter': [
    'The cached search by status responds before the credential is checked.',
    letIn((call) => call.query.has('status')),
  ],
  'authentication-missing-with-limit-20': [
    'The first page, limit=20, comes from a public cache.',
    letIn((call) => call.query.get('limit') === '20' && !call.query.has('status')),
  ],
  'authentication-missing-on-sold': [
    'Sold animals are in a public archive: getPet shows them to anyone.',
    letReadIn((pet) => pet.status === 'sold'),
    { seedAnimals: 30 },
  ],
  'authentication-missing-on-created': [
    'For ten seconds getPet shows a new animal to anyone, so that the form can link to it.',
    letReadIn((pet) => Date.now() - pet.createdAt < 10_000),
    WRITES,
  ],
  'authentication-missing-on-create-without-status': ['Animals without a status go to a public inbox first.', letInboxIn, WRITES],
  'authentication-missing-from-localhost': [
    'Requests from the machine itself need no key, and X-Forwarded-For decides who is local.',
    letIn((call) => header(call, 'x-forwarded-for') === '127.0.0.1'),
  ],
  'authentication-fails-open': [
    'On every fifth request without a credential the key service times out and the check fails open.',
    onEveryNth(5, letIn),
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
