// Rejections: their challenge, what is checked before them, what a rejected request leaves behind, and valid keys that are rejected.

import { bearerToken } from '../../src/reference/core/base.ts';
import {
  type Call,
  type Context,
  notFound,
  type Patch,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withoutHeaders,
} from '../../src/reference/core/parts.ts';
import { faultsOf, needing, WRITES } from './fault.ts';
import { invalidBodies } from './patches/creations.ts';
import { type Condition, header, isProblem, isReplyTo, isUnauthorized, onEveryNth, rewriteIf } from './patches/exchanges.ts';

function dropChallenge(condition: Condition): Patch {
  return rewriteIf(condition, ({ headers }) => ({ headers: withoutHeaders(headers, ['www-authenticate']) }));
}

/** 401s that do not ask for a bearer credential. */
export const authChallenge = faultsOf('auth.challenge', {
  'challenge-missing': ['The 401 has no WWW-Authenticate header.', dropChallenge(isUnauthorized)],
  'challenge-missing-on-create': [
    'The 401 of createPet has no WWW-Authenticate header.',
    dropChallenge(isReplyTo('createPet', 401)),
    WRITES,
  ],
  'challenge-basic': [
    'The 401 challenges for Basic, which makes browsers ask for a password.',
    rewriteIf(isUnauthorized, ({ headers }) => ({ headers: { ...headers, 'www-authenticate': 'Basic realm="pet store"' } })),
  ],
});

/** Checks something else before the credential. */
function judgeFirst(judge: (context: Context) => unknown): Patch {
  return (parts) => ({
    handle: async (context) => {
      const problem = await judge(context);
      return isProblem(problem) ? problemReply(context, problem) : await parts.handle(context);
    },
  });
}

/** Checks the body before the credential and keeps it, since a body can be read only once. */
function judgeBodyFirst(judge: (context: Context, bytes: Uint8Array) => unknown): Patch {
  return (parts) => ({
    handle: async (context): Promise<Reply> => {
      if (context.call.operation !== 'createPet') return await parts.handle(context);
      const bytes = await context.call.body();
      const problem: unknown = isProblem(bytes) ? bytes : judge(context, bytes);
      if (isProblem(problem)) return problemReply(context, problem);
      return await parts.handle({ ...context, call: { ...context.call, body: async () => bytes } });
    },
  });
}

/** Checks that precede the credential. */
export const authPrecedence = faultsOf('auth.precedence', {
  'body-read-before-credential': [
    'A body that is not JSON returns 400 before the credential is checked.',
    judgeBodyFirst((context, bytes) => context.parts.readBody(bytes, context.call)),
    WRITES,
  ],
  'body-validated-before-credential': [
    'An invalid NewPet returns 400 before the credential is checked.',
    judgeBodyFirst((context, bytes) => {
      const body = context.parts.readBody(bytes, context.call);
      return isProblem(body) ? undefined : context.parts.readNewPet(body, context.parts);
    }),
    WRITES,
  ],
  'empty-body-before-credential': [
    'A POST without a body returns 400 before the credential is checked.',
    judgeBodyFirst((context, bytes) => (bytes.byteLength === 0 ? context.parts.readBody(bytes, context.call) : undefined)),
    WRITES,
  ],
  'missing-animal-before-credential': [
    'A missing animal returns 404 before the credential is checked.',
    judgeFirst(({ call, parts, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return id === undefined || isProblem(id) || parts.find(store, id) !== undefined ? undefined : notFound();
    }),
  ],
  'negative-id-before-credential': [
    'The authentication middleware matches only /pets/\\d+, so a negative id is looked up without a key.',
    judgeFirst(({ call, parts, store }) => {
      const id = call.petId.startsWith('-') ? parts.parseId(call.petId) : undefined;
      return id === undefined || isProblem(id) || parts.find(store, id) !== undefined ? undefined : notFound();
    }),
  ],
  'bad-id-before-credential': [
    'The router returns 400 for a petId that is not an integer, before the credential is checked.',
    judgeFirst(({ call, parts }) => (call.operation === 'getPet' ? parts.parseId(call.petId) : undefined)),
  ],
  'bad-limit-before-credential': [
    'A bad limit returns 400 before the credential is checked.',
    judgeFirst(({ call, parts }) => (call.operation === 'listPets' ? parts.parseLimit(call.query.getAll('limit')) : undefined)),
  ],
  'bad-status-before-credential': [
    'A bad status filter returns 400 before the credential is checked.',
    judgeFirst(({ call, parts }) => (call.operation === 'listPets' ? parts.parseStatus(call.query.getAll('status')) : undefined)),
  ],
  'bad-media-type-before-credential': [
    'A POST of another media type returns 400 before the credential is checked.',
    judgeFirst(({ call, parts }) =>
      call.operation === 'createPet' && !/json/i.test(header(call, 'content-type')) ? parts.readBody(new Uint8Array(), call) : undefined,
    ),
    WRITES,
  ],
});

/** Stores the animal of a rejected POST, then returns 401. */
function storeRejected(condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    handle: async (context) => {
      const { call } = context;
      const rejected = isProblem(parts.authenticate(call, context.apiKey));
      if (rejected && call.operation === 'createPet' && condition(call)) await parts.createPet(context);
      return await parts.handle(context);
    },
  });
}

/** Creations without a valid key that are stored. */
export const authRefusedStoresNothing = faultsOf(needing(WRITES, 'auth.refused-stores-nothing'), {
  'refused-post-stored': ['A POST without a valid key stores the animal, then returns 401.', storeRejected(() => true)],
  'wrong-key-post-stored': [
    'A POST with a wrong key stores the animal, then returns 401.',
    storeRejected((call) => bearerToken(call.headers.authorization) !== undefined),
  ],
  'missing-key-post-stored': [
    'A POST without any credential stores the animal, then returns 401.',
    storeRejected((call) => call.headers.authorization === undefined),
  ],
});

/** Rejects valid keys if the condition holds. */
function rejectValidKey(condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    authenticate: (call, key) => parts.authenticate(call, key) ?? (condition(call) ? unauthorized() : undefined),
  });
}

/** Valid keys that are rejected. */
export const authValidKey = faultsOf('auth.valid-key', {
  'right-key-refused-now-and-then': [
    'Every twentieth request with a valid key is rejected: one replica has an old key list.',
    onEveryNth(20, rejectValidKey),
  ],
  'right-key-refused-after-wrong': [
    'The request after a rejected one is rejected too.',
    (parts) => {
      let before = false;
      return {
        authenticate: (call, key) => {
          const rejection = parts.authenticate(call, key);
          const afterWrong = before;
          before = rejection !== undefined;
          return rejection ?? (afterWrong ? unauthorized() : undefined);
        },
      };
    },
  ],
  'invalid-bodies-unauthorized': [
    "The framework's error page needs a session of its own: every invalid body returns 401.",
    invalidBodies(401),
    WRITES,
  ],
  'right-key-locked-out': [
    'Three rejections in a row lock everyone out for a moment (50 ms), with 401.',
    (parts) => {
      let failures = 0;
      let until = 0;
      return {
        authenticate: (call, key) => {
          const rejection = parts.authenticate(call, key);
          failures = rejection === undefined ? 0 : failures + 1;
          if (failures === 3) until = Date.now() + 50;
          return rejection ?? (Date.now() < until ? unauthorized() : undefined);
        },
      };
    },
  ],
  'right-key-refused-beside-cookie': [
    'A session middleware comes first: a cookie without a session of this service is a lost session, 401 whatever the key.',
    rejectValidKey((call) => header(call, 'cookie') !== ''),
  ],
  'right-key-refused-on-create': [
    'The key is read-only: createPet returns 401.',
    rejectValidKey((call) => call.operation === 'createPet'),
    WRITES,
  ],
  'authorization-in-capitals-not-read': [
    'Header names are compared as sent: only lower-case authorization is found.',
    rejectValidKey((call) => call.rawHeaders.some((name) => /^authorization$/i.test(name) && name !== 'authorization')),
  ],
  'right-key-refused-on-get': [
    "getPet still has last year's key list and returns 401.",
    rejectValidKey((call) => call.operation === 'getPet'),
  ],
  'right-key-refused-with-filter': [
    'The signature covers the bare path: with a status filter a valid key is rejected.',
    rejectValidKey((call) => call.query.has('status')),
  ],
  'right-key-refused-concurrently': [
    'Only three requests at a time get a session; further ones return 401.',
    (parts) => {
      let open = 0;
      return {
        authenticate: (call, key) => parts.authenticate(call, key) ?? (open > 3 ? unauthorized() : undefined),
        handle: async (context) => {
          open += 1;
          const reply = await parts.handle(context);
          await pause(20);
          open -= 1;
          return reply;
        },
      };
    },
  ],
});
