import { randomUUID } from 'node:crypto';
import { sameKey } from '../../core/base.ts';
import type { Call, Patch } from '../../core/parts.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { header, isProblem } from '../helpers/requests.ts';

/** Accepts the key from another place. */
function alsoFrom(find: (call: Call) => string | null | undefined): Patch {
  return (parts) => ({
    authenticate: (call, key) => (sameKey(find(call) ?? '', key) ? undefined : parts.authenticate(call, key)),
  });
}

/** Accepts the key from a query parameter. */
function inQuery(name: string): Patch {
  return alsoFrom(({ query }) => query.get(name));
}

/** Keys that are accepted from elsewhere than the Authorization header. */
export const authHeaderOnly = faultsOf('auth.header-only', {
  'key-in-query-api-key-accepted': ['The key is accepted from the query parameter api_key.', inQuery('api_key')],
  'key-in-query-access-token-accepted': ['The key is accepted from the query parameter access_token.', inQuery('access_token')],
  'key-in-query-token-accepted': ['The key is accepted from the query parameter token.', inQuery('token')],
  'key-in-x-access-token-accepted': [
    'The key is accepted from the header X-Access-Token, which the mobile client sends.',
    alsoFrom((call) => header(call, 'x-access-token')),
  ],
  'key-in-x-forwarded-authorization-accepted': [
    'X-Forwarded-Authorization, supposedly set by the gateway, is accepted in place of Authorization.',
    alsoFrom((call) => header(call, 'x-forwarded-authorization').replace(/^Bearer /, '')),
  ],
  'key-in-token-cookie-accepted': [
    'The key is accepted from the token cookie.',
    alsoFrom((call) => decodeURIComponent(/(?:^|; )token=([^;]*)/.exec(header(call, 'cookie'))?.[1] ?? '')),
  ],
  'session-cookie-accepted': [
    'The framework opens a session after a valid key, and the session cookie alone is accepted.',
    (parts) => {
      const sessions = new Set<string>();
      return {
        authenticate: (call, key) => {
          const id = /session=([\w-]+)/.exec(header(call, 'cookie'))?.[1] ?? '';
          return sessions.has(id) ? undefined : parts.authenticate(call, key);
        },
        headers: (given, reply, call) => {
          const headers = parts.headers(given, reply, call);
          if (reply.status !== 200) return headers;
          const id = randomUUID();
          sessions.add(id);
          return { ...headers, 'set-cookie': `session=${id}; HttpOnly; Path=/` };
        },
      };
    },
  ],
  'key-in-x-api-key-accepted': [
    'The key is accepted from the header X-API-Key, as before the change to bearer.',
    alsoFrom((call) => header(call, 'x-api-key')),
  ],
  'key-in-proxy-authorization-accepted': [
    'The gateway treats Proxy-Authorization as Authorization.',
    alsoFrom((call) => header(call, 'proxy-authorization').replace(/^Bearer /, '')),
  ],
  'key-in-body-accepted': [
    'createPet accepts the key from the api_key member of the body, as the old web form sent it.',
    (parts) => ({
      handle: async (context) => {
        const { call, apiKey } = context;
        if (call.operation !== 'createPet') return parts.handle(context);
        const bytes = await call.body();
        const found = isProblem(bytes) ? undefined : /"api_key":"([^"]*)"/.exec(Buffer.from(bytes).toString())?.[1];
        const again = { ...context, call: { ...call, body: async () => bytes } };
        return sameKey(found ?? '', apiKey) ? parts.dispatch(again) : parts.handle(again);
      },
    }),
    WRITES,
  ],
  'key-in-cookie-accepted': [
    'The key is accepted from any cookie, for the web console.',
    alsoFrom((call) => /=([^;]+)/.exec(header(call, 'cookie'))?.[1]),
  ],
  'key-in-query-accepted-on-get-only': [
    'getPet accepts the key from api_key, for links in emails.',
    alsoFrom((call) => (call.operation === 'getPet' ? call.query.get('api_key') : '')),
  ],
});
