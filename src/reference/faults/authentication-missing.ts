import type { Call, Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { crash, every, header, isProblem, rewriteIf } from './helpers.ts';

const clause = 'auth.missing-credential';

/** Lets requests without an Authorization header in where the condition holds. */
function letIn(condition: (call: Call) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined && condition(call) ? undefined : parts.authenticate(call, key)),
  });
}

/** Shows the animals of the condition to anybody. */
function letReadIn(condition: (pet: Pet) => boolean): (parts: Parts) => Partial<Parts> {
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

/** Takes animals without a status from anybody. */
function letInboxIn(parts: Parts): Partial<Parts> {
  return {
    handle: async (context) => {
      const { call } = context;
      if (call.operation !== 'createPet' || call.headers.authorization !== undefined) return parts.handle(context);
      const bytes = await call.body();
      const hasStatus = isProblem(bytes) || Buffer.from(bytes).includes('"status"');
      const again = { ...context, call: { ...call, body: async () => bytes } };
      return hasStatus ? parts.handle(again) : parts.dispatch(again);
    },
  };
}

/** Answers otherwise than 401 when the header is missing. */
function answerMissing(problem: (call: Call) => Problem | undefined): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined ? problem(call) : undefined) ?? parts.authenticate(call, key),
  });
}

/** Requests without a credential that are not answered 401. */
export const authenticationMissingFaults: readonly Fault[] = [
  fault(
    'authentication-missing',
    clause,
    'No operation looks whether a credential is there.',
    letIn(() => true),
  ),
  fault(
    'authentication-missing-on-list',
    clause,
    'listPets was left public.',
    letIn((call) => call.operation === 'listPets'),
  ),
  fault(
    'authentication-missing-on-get',
    clause,
    'getPet was left public.',
    letIn((call) => call.operation === 'getPet'),
  ),
  fault(
    'authentication-missing-on-create',
    clause,
    'createPet forgets the authentication middleware.',
    letIn((call) => call.operation === 'createPet'),
    writing,
  ),
  fault(
    'authentication-missing-with-query',
    clause,
    'The middleware matches the exact path only: a query string goes round it.',
    letIn((call) => call.target.includes('?')),
  ),
  fault(
    'authentication-missing-with-status-filter',
    clause,
    'The cached search by status answers before the credential is looked at.',
    letIn((call) => call.query.has('status')),
  ),
  fault(
    'authentication-missing-with-limit-20',
    clause,
    'The first page, limit=20, comes from a public cache.',
    letIn((call) => call.query.get('limit') === '20' && !call.query.has('status')),
  ),
  fault(
    'authentication-missing-on-sold',
    clause,
    'Sold animals are in a public archive: getPet shows them to anybody.',
    letReadIn((pet) => pet.status === 'sold'),
    { seedAnimals: 30 },
  ),
  fault(
    'authentication-missing-on-created',
    clause,
    'For ten seconds getPet shows a new animal to anybody, so that the form can lead to it.',
    letReadIn((pet) => Date.now() - pet.createdAt < 10_000),
    writing,
  ),
  fault(
    'authentication-missing-on-create-without-status',
    clause,
    'Animals without a status go to a public inbox first.',
    letInboxIn,
    writing,
  ),
  fault(
    'authentication-missing-from-localhost',
    clause,
    'Requests from the machine itself need no key, and X-Forwarded-For says who asks.',
    letIn((call) => header(call, 'x-forwarded-for') === '127.0.0.1'),
  ),
  fault(
    'authentication-fails-open',
    clause,
    'At every fifth request without credential the key service times out and the check fails open.',
    (parts) => {
      const timesOut = every(5);
      return letIn(() => timesOut())(parts);
    },
  ),
  fault('empty-authorization-accepted', clause, 'An Authorization header without a value is let in.', (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === '' ? undefined : parts.authenticate(call, key)),
  })),
  fault(
    'missing-credential-forbidden',
    clause,
    'A missing credential is answered 403 instead of 401.',
    answerMissing(() => new Problem(403, 'forbidden', 'Authentication is required')),
  ),
  fault(
    'missing-credential-bad-request',
    clause,
    'A missing Authorization header is answered 400 as a missing parameter.',
    answerMissing(() => new Problem(400, 'missing_header', 'The Authorization header is required')),
  ),
  fault(
    'missing-credential-crashes',
    clause,
    'The header is read without looking whether it is there: 500 instead of 401.',
    answerMissing(crash),
  ),
  fault(
    'missing-credential-hides-animal',
    clause,
    'getPet without credential answers 404 to hide what exists.',
    answerMissing((call) => (call.operation === 'getPet' ? new Problem(404, 'not_found', 'Not found') : undefined)),
  ),
  fault('anonymous-list-is-empty', clause, 'listPets without credential answers 200 with an empty list.', (parts) =>
    rewriteIf(
      parts,
      (reply, { call }) => reply.status === 401 && call.operation === 'listPets',
      () => ({ status: 200, body: '[]' }),
    ),
  ),
  fault('missing-credential-redirects', clause, 'Without credential the server sends 302 to its login page.', (parts) =>
    rewriteIf(
      parts,
      (reply, { call }) => reply.status === 401 && call.headers.authorization === undefined,
      (reply) => ({ status: 302, headers: { ...reply.headers, location: '/login' } }),
    ),
  ),
];
