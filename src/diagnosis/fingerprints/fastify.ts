import type { Fingerprint } from './fingerprint.ts';
import { textMember } from './traces.ts';

export const fastify: readonly Fingerprint[] = [
  {
    product: 'Fastify',
    writer: "Fastify's router",
    source: 'fastify/fastify, lib/four-oh-four.js',
    advice: 'Call setNotFoundHandler, and set frameworkErrors for paths that the router itself rejects',
    matches: (traces) => traces.members === 'message,error,statusCode' && /^Route \w+:.* not found$/.test(textMember(traces, 'message')),
  },
  {
    product: 'Fastify',
    writer: '@fastify/bearer-auth',
    source: 'fastify/fastify-bearer-auth, lib/verify-bearer-auth-factory.js',
    advice: 'Give @fastify/bearer-auth an errorResponse, or set addHook to false and verify the key in a hook of your own',
    matches: (traces) =>
      traces.members === 'error' && ['missing authorization header', 'invalid authorization header'].includes(textMember(traces, 'error')),
  },
  {
    product: 'Fastify',
    writer: "Fastify's default error handler",
    source: 'fastify/fastify, lib/error-handler.js and lib/error-serializer.js',
    advice: 'Call setErrorHandler with a handler that writes Error bodies',
    matches: ({ members }) => members === 'statusCode,code,error,message' || members === 'statusCode,error,message',
  },
];
