import { invalid, Problem, unauthorized } from '../core/problem.ts';
import { problemReply } from '../core/replies.ts';
import { type Variant, variant } from './variant.ts';

function without(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

/** Choices about the credential and about other methods. */
export const authenticationVariants: readonly Variant[] = [
  variant('scheme-case-sensitive', 'auth.scheme-case', 'The scheme word is Bearer and nothing else.', (parts) => ({
    authenticate: (call, key) => (/^Bearer /.test(call.headers.authorization ?? '') ? parts.authenticate(call, key) : unauthorized()),
  })),
  variant('one-blank-after-scheme', 'RFC 6750 2.1: one or more blanks', 'There is exactly one blank between scheme and key.', (parts) => ({
    authenticate: (call, key) => (/^bearer \S+$/i.test(call.headers.authorization ?? '') ? parts.authenticate(call, key) : unauthorized()),
  })),
  variant('challenge-absent', 'auth.challenge', 'The 401 has no WWW-Authenticate.', (parts) => ({
    headers: (given, reply, call) => without(parts.headers(given, reply, call), ['www-authenticate']),
  })),
  variant('challenge-with-error', 'auth.challenge', 'WWW-Authenticate tells the error as RFC 6750 does.', (parts) => ({
    headers: (given, reply, call) => ({
      ...parts.headers(given, reply, call),
      ...(reply.status === 401
        ? { 'www-authenticate': 'Bearer realm="pets", error="invalid_token", error_description="No such key"' }
        : {}),
    }),
  })),
  variant('challenge-bare', 'auth.challenge', 'WWW-Authenticate is the word Bearer.', (parts) => ({
    headers: (given, reply, call) => ({
      ...parts.headers(given, reply, call),
      ...(reply.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    }),
  })),
  variant('unauthorized-closes-connection', 'response headers: not shown', 'After a 401 the connection is closed.', (parts) => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(reply.status === 401 ? { connection: 'close' } : {}) }),
  })),
  variant(
    'other-methods-not-allowed',
    'statuses other than those above: not shown',
    'Other methods are answered 405 with Allow.',
    (parts) => ({
      dispatch: (context) =>
        context.call.operation === 'unknown' && !['GET', 'POST'].includes(context.call.method)
          ? problemReply(context, new Problem(405, 'method_not_allowed', 'The method is not allowed', { allow: 'GET, POST' }))
          : parts.dispatch(context),
    }),
  ),
  variant('head-supported', 'HEAD: not shown', 'HEAD is answered as GET, without the body.', (parts) => ({
    dispatch: (context) => {
      const { call } = context;
      return call.method === 'HEAD' && call.operation === 'unknown'
        ? parts.listPets({ ...context, call: { ...call, operation: 'listPets' } })
        : parts.dispatch(context);
    },
  })),
  variant('get-with-body-refused', 'request body: none', 'A GET that brings a body is answered 400.', (parts) => ({
    dispatch: (context) => {
      const { call } = context;
      return call.method === 'GET' && Number(call.headers['content-length'] ?? '0') > 0
        ? problemReply(context, invalid('GET takes no body'))
        : parts.dispatch(context);
    },
  })),
];
