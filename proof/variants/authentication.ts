import {
  decodePath,
  dropLastSlash,
  dropParameters,
  foldCase,
  mergeSlashes,
  resolveDots,
  respelled,
} from '../../src/reference/core/incoming.ts';
import { type Call, invalid, type Patch, Problem, problemReply, unauthorized, withoutHeaders } from '../../src/reference/core/parts.ts';
import { variantsOf } from './variant.ts';

/** Adds headers to the 401. */
function onUnauthorized(headers: Readonly<Record<string, string>>): Patch {
  return (parts) => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(reply.status === 401 ? headers : {}) }),
  });
}

/** The request with its path in the usual spelling; undefined if it already has that, or if no spelling of the path is an operation. */
function usuallySpelled(call: Call): Call | undefined {
  return respelled(call, decodePath, dropParameters, resolveDots, mergeSlashes, dropLastSlash, foldCase);
}

/** Only checks authorization headers of this form, and rejects all others. */
function onlyOfForm(pattern: RegExp): Patch {
  return (parts) => ({
    authenticate: (call, key) => (pattern.test(call.headers.authorization ?? '') ? parts.authenticate(call, key) : unauthorized()),
  });
}

/** Choices about the credential and about other methods. */
export const authenticationVariants = {
  ...variantsOf('auth.scheme-case', {
    'scheme-case-sensitive': ['Bearer is the only accepted spelling of the scheme.', onlyOfForm(/^Bearer /)],
  }),
  ...variantsOf('RFC 6750 2.1: one or more blanks', {
    'one-blank-after-scheme': ['There is exactly one space between scheme and key.', onlyOfForm(/^bearer \S+$/i)],
  }),
  ...variantsOf('Authorization: white space around it: not shown', {
    'authorization-trimmed': [
      'The Authorization header is trimmed of whitespace of every kind, such as a no-break space.',
      (parts) => ({
        authenticate: (call, key) =>
          (call.headers.authorization ?? '').trim() === `Bearer ${key}` ? undefined : parts.authenticate(call, key),
      }),
    ],
    'authorization-split-at-whitespace': [
      'The Authorization header is split at whitespace of every kind into the scheme and the key.',
      (parts) => ({
        authenticate: (call, key) => {
          const [scheme, token, ...more] = (call.headers.authorization ?? '').trim().split(/\s+/);
          return scheme?.toLowerCase() === 'bearer' && token === key && more.length === 0 ? undefined : parts.authenticate(call, key);
        },
      }),
    ],
  }),
  ...variantsOf('auth.challenge', {
    'challenge-absent': [
      'The 401 has no WWW-Authenticate.',
      (parts) => ({ headers: (given, reply, call) => withoutHeaders(parts.headers(given, reply, call), ['www-authenticate']) }),
    ],
    'challenge-with-error': [
      'WWW-Authenticate names the error as in RFC 6750.',
      onUnauthorized({ 'www-authenticate': 'Bearer realm="pets", error="invalid_token", error_description="No such key"' }),
    ],
    'challenge-bare': ['WWW-Authenticate is Bearer and nothing else.', onUnauthorized({ 'www-authenticate': 'Bearer' })],
  }),
  ...variantsOf('response headers: not shown', {
    'unauthorized-closes-connection': ['After a 401 the connection is closed.', onUnauthorized({ connection: 'close' })],
  }),
  ...variantsOf('statuses other than those above: not shown', {
    'other-methods-not-allowed': [
      'Other methods return 405 with Allow.',
      (parts) => ({
        dispatch: (context) =>
          context.call.operation === 'unknown' && !['GET', 'POST'].includes(context.call.method)
            ? problemReply(context, new Problem(405, 'method_not_allowed', 'The method is not allowed', { allow: 'GET, POST' }))
            : parts.dispatch(context),
      }),
    ],
  }),
  ...variantsOf('HEAD: not shown', {
    'head-supported': [
      'HEAD is handled as GET, without the body.',
      (parts) => ({
        dispatch: (context) => {
          const { call } = context;
          return call.method === 'HEAD' && call.operation === 'unknown'
            ? parts.listPets({ ...context, call: { ...call, operation: 'listPets' } })
            : parts.dispatch(context);
        },
      }),
    ],
  }),
  ...variantsOf('other spellings of the paths: not shown', {
    'paths-normalized': [
      'Doubled and trailing slashes, percent-encoding, dot segments, parameters and case make no difference.',
      (parts) => ({
        handle: (context) => {
          return parts.handle({ ...context, call: usuallySpelled(context.call) ?? context.call });
        },
      }),
      { seedAnimals: 8 },
    ],
    'paths-redirected': [
      'Other spellings redirect to the usual one, with or without a key.',
      (parts) => ({
        handle: (context) => {
          if (usuallySpelled(context.call) === undefined) return parts.handle(context);
          return { status: 308, headers: { location: '/v1/pets', 'content-type': 'text/html' }, body: '<a href="/v1/pets">Moved</a>' };
        },
      }),
      { seedAnimals: 8 },
    ],
    'unknown-paths-not-found': [
      'Other paths return 404 in plain text, before the key is checked.',
      (parts) => ({
        handle: (context) => {
          if (context.call.operation !== 'unknown') return parts.handle(context);
          return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found' };
        },
      }),
      { seedAnimals: 8 },
    ],
  }),
  ...variantsOf('forwarding and override headers: not shown', {
    'overrides-honored': [
      'X-Original-URL and X-HTTP-Method-Override are honored: /health and preflight requests are public and show no animal.',
      (parts) => ({
        handle: (context) => {
          const { headers } = context.call;
          if (headers['x-original-url'] === '/health')
            return {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: '{"status":"UP","id":1,"components":{"name":"db"}}',
            };
          if (headers['x-http-method-override'] === 'OPTIONS') return { status: 204, headers: { allow: 'GET, POST' }, body: '' };
          return parts.handle(context);
        },
      }),
      { seedAnimals: 8 },
    ],
  }),
  ...variantsOf('clients: not shown', {
    'user-agent-needed': [
      'Requests without a User-Agent, or with that of an old HTTP library, return 403 with an Error body.',
      (parts) => ({
        handle: (context) =>
          /^(?:$|Java\/|Go-http-client\/)/.test(context.call.headers['user-agent'] ?? '')
            ? problemReply(context, new Problem(403, 'forbidden', 'A User-Agent is needed'))
            : parts.handle(context),
      }),
    ],
    'other-origins-forbidden': [
      'The CORS filter returns 403 with an Error body to requests from another origin.',
      (parts) => ({
        handle: (context) =>
          context.call.headers['origin'] === undefined
            ? parts.handle(context)
            : problemReply(context, new Problem(403, 'forbidden', 'Requests from this origin are not allowed')),
      }),
    ],
    'accept-charset-forbidden': [
      'A firewall that takes Accept-Charset for a restricted header returns 403 with an Error body.',
      (parts) => ({
        handle: (context) =>
          context.call.headers['accept-charset'] === undefined
            ? parts.handle(context)
            : problemReply(context, new Problem(403, 'forbidden', 'The request was blocked')),
      }),
    ],
    'content-length-needed': [
      'A chunked body returns 411 with an Error body.',
      (parts) => ({
        dispatch: (context) =>
          context.call.headers['transfer-encoding'] === 'chunked'
            ? problemReply(context, new Problem(411, 'length_required', 'Content-Length is missing'))
            : parts.dispatch(context),
      }),
    ],
    'token-outside-ascii-rejected': [
      'The HTTP layer rejects headers that are not ASCII, or longer than 4 KB, with 400 and no body.',
      (parts) => ({
        handle: (context) => {
          const value = context.call.headers.authorization ?? '';
          return /[\u0080-\u00ff]/.test(value) || value.length > 4096 ? { status: 400, headers: {}, body: '' } : parts.handle(context);
        },
      }),
    ],
  }),
  ...variantsOf('request body: none', {
    'get-with-body-refused': [
      'A GET with a body returns 400.',
      (parts) => ({
        dispatch: (context) => {
          const { call } = context;
          return call.method === 'GET' && Number(call.headers['content-length'] ?? '0') > 0
            ? problemReply(context, invalid('GET takes no body'))
            : parts.dispatch(context);
        },
      }),
    ],
  }),
};
