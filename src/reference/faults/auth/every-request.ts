import type { Call, Operation, Patch, Reply } from '../../core/parts.ts';
import { FEW, faultsOf, WRITES } from '../fault.ts';
import { header } from '../helpers/requests.ts';

/** Accepts a request if an authorized one with the same mark came before, among those that are remembered. */
function rememberBy(mark: (call: Call) => object | string, isRemembered: (call: Call) => boolean = () => true): Patch {
  return (parts) => {
    const known = new Set<object | string>();
    return {
      authenticate: (call, key) => {
        const rejection = parts.authenticate(call, key);
        if (rejection === undefined && isRemembered(call)) known.add(mark(call));
        return known.has(mark(call)) ? undefined : rejection;
      },
    };
  };
}

/** Caches 200 replies for two seconds by their target, and ignores who they were for. */
function cache(operation: Operation): Patch {
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

/** Credentials that are remembered too long. */
export const authEveryRequest = faultsOf('auth.every-request', {
  'connection-stays-authenticated': ['The credential is checked once per connection.', rememberBy((call) => call.connection)],
  'connection-authenticated-by-creation': [
    'createPet leaves its session on the connection, and the next request on it is accepted without a valid key.',
    rememberBy(
      (call) => call.connection,
      (call) => call.operation === 'createPet',
    ),
    WRITES,
  ],
  'address-stays-authenticated': [
    'After one valid key, every request from that address and client is accepted.',
    rememberBy((call) => header(call, 'user-agent')),
  ],
  'url-stays-authenticated': [
    'The result of authentication is cached by request target.',
    rememberBy((call) => `${call.method} ${call.target}`),
  ],
  'list-cache-ignores-credential': ['A shared cache serves a list to anyone for two seconds.', cache('listPets')],
  'animal-cache-ignores-credential': ['A shared cache serves an animal to anyone for two seconds.', cache('getPet'), FEW],
});
