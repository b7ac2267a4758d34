import { bearerToken } from '../core/base.ts';
import type { Call, Operation, Parts, Reply } from '../core/parts.ts';
import { unauthorized } from '../core/problem.ts';
import { type Fault, fault, few, writing } from './fault.ts';
import { every, header, isProblem, pause, rewrite } from './helpers.ts';

const everyRequest = 'auth.every-request';
const stored = 'auth.refused-stores-nothing';
const validKey = 'auth.valid-key';

/** Lets a request in when an authorised one with the same mark came before. */
function remember(mark: (call: Call) => object | string): (parts: Parts) => Partial<Parts> {
  return (parts) => {
    const known = new Set<object | string>();
    return {
      authenticate: (call, key) => {
        const refusal = parts.authenticate(call, key);
        if (refusal === undefined) known.add(mark(call));
        return known.has(mark(call)) ? undefined : refusal;
      },
    };
  };
}

/** Keeps 200 answers for two seconds by their target and forgets that they were for somebody. */
function cache(operation: Operation): (parts: Parts) => Partial<Parts> {
  return (parts) => {
    const kept = new Map<string, { reply: Reply; until: number }>();
    return {
      handle: async (context) => {
        const { call } = context;
        const hit = kept.get(call.target);
        if (call.operation === operation && hit !== undefined && hit.until > Date.now()) return hit.reply;
        const reply = await parts.handle(context);
        if (reply.status === 200) kept.set(call.target, { reply, until: Date.now() + 2000 });
        return reply;
      },
    };
  };
}

/** Stores the animal of a refused POST, then answers 401. */
function storeRefused(condition: (call: Call) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    handle: async (context) => {
      const { call } = context;
      const refused = isProblem(parts.authenticate(call, context.apiKey));
      if (refused && call.operation === 'createPet' && condition(call)) await parts.createPet(context);
      return await parts.handle(context);
    },
  });
}

/** Refuses right keys where the condition holds. */
function refuseRight(condition: (call: Call) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    authenticate: (call, key) => parts.authenticate(call, key) ?? (condition(call) ? unauthorized() : undefined),
  });
}

/** Credentials that are remembered too long, or not long enough. */
export const authenticationMemoryFaults: readonly Fault[] = [
  fault(
    'connection-stays-authenticated',
    everyRequest,
    'The credential is judged once a connection.',
    remember((call) => call.connection),
  ),
  fault(
    'connection-authenticated-by-creation',
    everyRequest,
    'createPet leaves its session on the connection, and whoever comes next on it is let in.',
    (parts) => {
      const known = new WeakSet<object>();
      return {
        authenticate: (call, key) => {
          const refusal = parts.authenticate(call, key);
          if (refusal === undefined && call.operation === 'createPet') known.add(call.connection);
          return known.has(call.connection) ? undefined : refusal;
        },
      };
    },
    writing,
  ),
  fault(
    'address-stays-authenticated',
    everyRequest,
    'After one right key everything from that address and client is let in.',
    remember((call) => header(call, 'user-agent')),
  ),
  fault(
    'url-stays-authenticated',
    everyRequest,
    'The result of authentication is cached by the request target.',
    remember((call) => `${call.method} ${call.target}`),
  ),
  fault('list-cache-ignores-credential', everyRequest, 'A shared cache answers a list to anybody for two seconds.', cache('listPets')),
  fault(
    'animal-cache-ignores-credential',
    everyRequest,
    'A shared cache answers an animal to anybody for two seconds.',
    cache('getPet'),
    few,
  ),
  fault(
    'refused-post-stored',
    stored,
    'The animal of a POST without the right key is stored, and then answered 401.',
    storeRefused(() => true),
    writing,
  ),
  fault(
    'wrong-key-post-stored',
    stored,
    'The animal of a POST with a wrong key is stored, and then answered 401.',
    storeRefused((call) => bearerToken(call.headers.authorization) !== undefined),
    writing,
  ),
  fault(
    'missing-key-post-stored',
    stored,
    'The animal of a POST without any credential is stored, and then answered 401.',
    storeRefused((call) => call.headers.authorization === undefined),
    writing,
  ),
  fault('right-key-refused-now-and-then', validKey, 'Every twentieth right key is refused: one replica has an old key list.', (parts) => {
    const old = every(20);
    return refuseRight(() => old())(parts);
  }),
  fault('right-key-refused-after-wrong', validKey, 'The request after a refused one is refused too.', (parts) => {
    let before = false;
    return {
      authenticate: (call, key) => {
        const refusal = parts.authenticate(call, key);
        const afterWrong = before;
        before = refusal !== undefined;
        return refusal ?? (afterWrong ? unauthorized() : undefined);
      },
    };
  }),
  fault('right-key-locked-out', validKey, 'Three refusals in a row lock everybody out for half a second, with 401.', (parts) => {
    let failures = 0;
    let until = 0;
    return {
      authenticate: (call, key) => {
        const refusal = parts.authenticate(call, key);
        failures = refusal === undefined ? 0 : failures + 1;
        if (failures === 3) until = Date.now() + 500;
        return refusal ?? (Date.now() < until ? unauthorized() : undefined);
      },
    };
  }),
  fault(
    'right-key-refused-on-create',
    validKey,
    'The key may read only: createPet answers 401.',
    refuseRight((call) => call.operation === 'createPet'),
    writing,
  ),
  fault(
    'authorization-in-capitals-not-read',
    validKey,
    'The name of the header is compared as it was sent: only authorization in small letters is found.',
    refuseRight((call) => call.rawHeaders.some((name) => /^authorization$/i.test(name) && name !== 'authorization')),
  ),
  fault(
    'right-key-refused-on-get',
    validKey,
    "getPet still has last year's key list and answers 401.",
    refuseRight((call) => call.operation === 'getPet'),
  ),
  fault(
    'right-key-refused-with-filter',
    validKey,
    'The signature covers the bare path: a status filter makes the key wrong.',
    refuseRight((call) => call.query.has('status')),
  ),
  fault(
    'right-key-refused-concurrently',
    validKey,
    'Only three requests at a time get a session; more of them are answered 401.',
    (parts) => {
      let open = 0;
      const refusing: Partial<Parts> = {
        authenticate: (call, key) => parts.authenticate(call, key) ?? (open > 3 ? unauthorized() : undefined),
      };
      const counting = rewrite(parts, async (reply) => {
        await pause(20);
        open -= 1;
        return reply;
      });
      const counted = counting.handle ?? parts.handle;
      return {
        ...refusing,
        handle: (context) => {
          open += 1;
          return counted(context);
        },
      };
    },
  ),
];
