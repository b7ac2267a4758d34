import { randomUUID } from 'node:crypto';
import { sameKey } from '../core/base.ts';
import type { Call, Parts } from '../core/parts.ts';
import { type Fault, fault, writing } from './fault.ts';
import { header, isProblem, rewriteIf } from './helpers.ts';

const clause = 'auth.header-only';

/** Accepts the key from another place. */
function alsoFrom(find: (call: Call) => string | null | undefined): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    authenticate: (call, key) => (sameKey(find(call) ?? '', key) ? undefined : parts.authenticate(call, key)),
  });
}

/** Accepts the key from a query parameter. */
function fromQuery(name: string): Fault {
  return fault(
    `key-in-query-${name.replaceAll('_', '-')}-accepted`,
    clause,
    `The key is accepted from the query parameter ${name}.`,
    alsoFrom((call) => call.query.get(name)),
  );
}

/** Keys that are accepted from elsewhere than the Authorization header, and the challenge of the 401. */
export const authenticationElsewhereFaults: readonly Fault[] = [
  fromQuery('api_key'),
  fromQuery('access_token'),
  fromQuery('token'),
  fault(
    'key-in-x-access-token-accepted',
    clause,
    'The key is accepted from the header X-Access-Token, that the mobile client sends.',
    alsoFrom((call) => header(call, 'x-access-token')),
  ),
  fault(
    'key-in-x-forwarded-authorization-accepted',
    clause,
    'What the gateway is said to have forwarded counts as Authorization.',
    alsoFrom((call) => header(call, 'x-forwarded-authorization').replace(/^Bearer /, '')),
  ),
  fault(
    'key-in-token-cookie-accepted',
    clause,
    'The key is accepted from the cookie token.',
    alsoFrom((call) => decodeURIComponent(/(?:^|; )token=([^;]*)/.exec(header(call, 'cookie'))?.[1] ?? '')),
  ),
  fault(
    'session-cookie-accepted',
    clause,
    'The framework opens a session for whoever has shown the key, and its cookie lets in.',
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
  ),
  fault(
    'key-in-x-api-key-accepted',
    clause,
    'The key is accepted from the header X-API-Key, as before the change to bearer.',
    alsoFrom((call) => header(call, 'x-api-key')),
  ),
  fault(
    'key-in-proxy-authorization-accepted',
    clause,
    'The gateway takes Proxy-Authorization for Authorization.',
    alsoFrom((call) => header(call, 'proxy-authorization').replace(/^Bearer /, '')),
  ),
  fault(
    'key-in-body-accepted',
    clause,
    'createPet takes the key from the member api_key of the body, as the old web form sent it.',
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
    writing,
  ),
  fault(
    'key-in-cookie-accepted',
    clause,
    'The key is accepted from any cookie, for the sake of the web console.',
    alsoFrom((call) => /=([^;]+)/.exec(header(call, 'cookie'))?.[1]),
  ),
  fault(
    'key-in-query-accepted-on-get-only',
    clause,
    'getPet accepts the key as api_key, for links in mails.',
    alsoFrom((call) => (call.operation === 'getPet' ? call.query.get('api_key') : '')),
  ),
  fault('challenge-missing', 'auth.challenge', 'The 401 comes without WWW-Authenticate.', (parts) =>
    rewriteIf(
      parts,
      (reply) => reply.status === 401,
      ({ headers }) => ({
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'www-authenticate')),
      }),
    ),
  ),
  fault(
    'challenge-missing-on-create',
    'auth.challenge',
    'The 401 of createPet comes without WWW-Authenticate.',
    (parts) =>
      rewriteIf(
        parts,
        (reply, { call }) => reply.status === 401 && call.operation === 'createPet',
        ({ headers }) => ({
          headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'www-authenticate')),
        }),
      ),
    writing,
  ),
  fault('challenge-basic', 'auth.challenge', 'The 401 challenges for Basic, which makes browsers ask for a password.', (parts) =>
    rewriteIf(
      parts,
      (reply) => reply.status === 401,
      ({ headers }) => ({ headers: { ...headers, 'www-authenticate': 'Basic realm="pet store"' } }),
    ),
  ),
];
