import type { Call, Parts, Patch } from '../../core/parts.ts';
import { invalid, Problem } from '../../core/problem.ts';
import { withParts } from '../../core/with-parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { isCreated, rewriteIf } from '../helpers/replies.ts';
import { header, reject, rejectForMoments } from '../helpers/requests.ts';

function respondWith(status: number, body?: string): Patch {
  return rewriteIf(isCreated, () => (body === undefined ? { status } : { status, body }));
}

function rejectCreation(problem: (call: Call) => Problem | undefined): Patch {
  return reject(({ call }) => (call.operation === 'createPet' ? problem(call) : undefined));
}

/** Rejects bodies whose text contains something without a meaning. */
function rejectText(pattern: RegExp): Patch {
  return (parts) => ({
    readBody: (bytes, call) =>
      pattern.test(new TextDecoder().decode(bytes)) ? invalid('the body is malformed') : parts.readBody(bytes, call),
  });
}

/** Creations that do not return 201 with the created Pet. */
export const createSuccess = faultsOf(needing(WRITES, 'create.success'), {
  'create-answers-200': ['A creation returns 200.', respondWith(200)],
  'create-answers-202': ['A creation returns 202: it is queued.', respondWith(202)],
  'create-answers-204': ['A creation returns 204 without a body.', respondWith(204, '')],
  'create-answers-empty-body': ['A creation returns 201 without a body.', respondWith(201, '')],
  'create-redirects': [
    'A creation returns 303 with the location of the animal.',
    rewriteIf(isCreated, ({ headers }) => ({ status: 303, headers: { ...headers, location: '/v1/pets' } })),
  ],
  'create-not-allowed': ['POST is not routed: 405.', rejectCreation(() => new Problem(405, 'method_not_allowed', 'POST is not allowed'))],
  'create-not-found': ['POST is not routed: 404.', rejectCreation(() => new Problem(404, 'not_found', 'There is no such operation'))],
  'create-needs-accept': [
    'Without exactly Accept: application/json a creation returns 406.',
    rejectCreation((call) =>
      header(call, 'accept').startsWith('application/json')
        ? undefined
        : new Problem(406, 'not_acceptable', 'Send Accept: application/json'),
    ),
  ],
  'create-needs-idempotency-key': [
    'Without Idempotency-Key a creation returns 428.',
    rejectCreation((call) =>
      header(call, 'idempotency-key') === '' ? new Problem(428, 'precondition_required', 'Send Idempotency-Key') : undefined,
    ),
  ],
  'create-needs-id': [
    'The same schema serves requests and responses: a body without id returns 400.',
    (parts) => ({
      readNewPet: (body, all) =>
        JSON.stringify(body)?.includes('"id"') ? parts.readNewPet(body, all) : new Problem(400, 'missing_id', 'id is required'),
    }),
  ],
  'create-refuses-second-in-category': [
    'A category holds at most ten animals; further creations return 409.',
    (parts) => ({
      createPet: (context) => {
        const isFull = context.store.animals.filter(({ createdAt }) => createdAt > 0).length >= 10;
        const readNewPet = () => new Problem(409, 'conflict', 'The category is full');
        return parts.createPet(isFull ? withParts(context, { readNewPet }) : context);
      },
    }),
  ],
  'json-media-type-compared-by-letter': [
    'The media type of a body is compared letter by letter: any other letter case than application/json returns 415.',
    (parts) => ({
      createPet: (context) => {
        const type = header(context.call, 'content-type');
        const isOther = type !== type.toLowerCase() && type.toLowerCase() === 'application/json';
        const readNewPet = () => new Problem(415, 'unsupported_media_type', 'The body must be application/json');
        return parts.createPet(isOther ? withParts(context, { readNewPet }) : context);
      },
    }),
  ],
  'create-answers-null': ['The 201 body is null.', respondWith(201, 'null')],
  'body-with-status-first-refused': [
    'The body is matched by a pattern that starts with name or category.',
    rejectText(/^\s*\{\s*"status"/),
  ],
  'escape-in-status-refused': ['The status is searched for in the raw text of the body.', rejectText(/"status"\s*:\s*"[^"]*\\u/)],
  'create-gone-for-moments': [
    'A new leader is elected every forty creations, and for 150 ms creations return 409.',
    rejectForMoments('createPet', { every: 40, problem: new Problem(409, 'no_leader', 'There is no leader') }),
  ],
  'creation-after-missing-animal-not-found': [
    'The problem of a request is kept with the connection and not cleared where an animal is missing: a creation right after that returns 404, too.',
    (parts) => {
      const missing = new WeakSet<object>();
      return {
        getPet: async (context) => {
          const reply = await parts.getPet(context);
          if (reply.status === 404) missing.add(context.call.connection);
          return reply;
        },
        listPets: (context) => {
          missing.delete(context.call.connection);
          return parts.listPets(context);
        },
        createPet: (context) => {
          const isMissing = missing.delete(context.call.connection);
          const readNewPet = () => new Problem(404, 'not_found', 'The animal does not exist');
          return parts.createPet(isMissing ? withParts(context, { readNewPet }) : context);
        },
      };
    },
  ],
  'chunked-body-ignored': [
    'The gateway interface reads bodies by Content-Length only: a chunked body counts as empty.',
    (parts) => ({
      readBody: (bytes, call) => parts.readBody(call.headers['content-length'] === undefined ? new Uint8Array() : bytes, call),
    }),
  ],
  'first-piece-of-body-read': [
    'Only the first chunk of a body is read, whatever Content-Length says.',
    (parts) => ({ readBody: (bytes, call) => parts.readBody(bytes.subarray(0, call.firstPiece()), call) }),
  ],
  'duplicate-name-answered-200': [
    'Creating an animal with a taken name stores it and returns 200, as if it were an update.',
    (parts) => ({
      createPet: (context) => {
        let taken = false;
        const insert: Parts['insert'] = (store, pet) => {
          taken = store.animals.some(({ name }) => name === pet.name);
          return parts.insert(store, pet);
        };
        const createdStatus = () => (taken ? 200 : parts.createdStatus());
        return parts.createPet(withParts(context, { insert, createdStatus }));
      },
    }),
  ],
});
