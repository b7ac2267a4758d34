import { withoutHeaders } from '../core/headers.ts';
import type { Patch } from '../core/parts.ts';
import { invalid, Problem, unauthorized } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { variantsOf } from './variant.ts';

/** Adds headers to the 401. */
function onUnauthorized(headers: Readonly<Record<string, string>>): Patch {
  return (parts) => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(reply.status === 401 ? headers : {}) }),
  });
}

/** Lets authorization headers of this form be judged, and rejects all others. */
function onlyOfForm(pattern: RegExp): Patch {
  return (parts) => ({
    authenticate: (call, key) => (pattern.test(call.headers.authorization ?? '') ? parts.authenticate(call, key) : unauthorized()),
  });
}

/** Choices about the credential and about other methods. */
export const authenticationVariants = {
  ...variantsOf('auth.scheme-case', {
    'scheme-case-sensitive': ['The scheme word is Bearer and nothing else.', onlyOfForm(/^Bearer /)],
  }),
  ...variantsOf('RFC 6750 2.1: one or more blanks', {
    'one-blank-after-scheme': ['There is exactly one space between scheme and key.', onlyOfForm(/^bearer \S+$/i)],
  }),
  ...variantsOf('auth.challenge', {
    'challenge-absent': [
      'The 401 has no WWW-Authenticate.',
      (parts) => ({ headers: (given, reply, call) => withoutHeaders(parts.headers(given, reply, call), ['www-authenticate']) }),
    ],
    'challenge-with-error': [
      'WWW-Authenticate gives the error as RFC 6750 does.',
      onUnauthorized({ 'www-authenticate': 'Bearer realm="pets", error="invalid_token", error_description="No such key"' }),
    ],
    'challenge-bare': ['WWW-Authenticate is the word Bearer.', onUnauthorized({ 'www-authenticate': 'Bearer' })],
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
