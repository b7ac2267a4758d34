import type { Call, Patch } from '../../core/parts.ts';
import { pause } from '../../core/pause.ts';
import { unauthorized } from '../../core/problem.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { invalidBodies } from '../helpers/creations.ts';
import { header } from '../helpers/requests.ts';

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
