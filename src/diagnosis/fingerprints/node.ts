// Frameworks and mock servers of Node.js.
import type { Fingerprint } from './fingerprint.ts';
import { isRecord, reasonPhrase, textMember } from './traces.ts';

export const hapi: readonly Fingerprint[] = [
  {
    product: 'hapi',
    writer: "hapi's Boom errors",
    source:
      'hapijs/boom, lib/index.js (unauthorized, reformat); hapijs/hapi, lib/headers.js, lib/validation.js and API.md (Error transformation)',
    advice: 'Replace Boom errors (request.response.isBoom) in an onPreResponse extension',
    // Fastify writes the first three members too, but no Cache-Control. A scheme adds attributes, a rejected request `validation`.
    matches: ({ members, header }) =>
      /^statusCode,error,message(?:,attributes|,validation)?$/.test(members) && header('cache-control') === 'no-cache',
  },
];

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

const MEMBERS = ['message,error,statusCode', 'message,statusCode', 'statusCode,message,error', 'statusCode,message'];

export const nestjs: readonly Fingerprint[] = [
  {
    product: 'NestJS',
    writer: "NestJS's exceptions layer",
    source: 'nestjs/nest, packages/common/exceptions/http.exception.ts',
    advice: 'Register a global exception filter (app.useGlobalFilters) that writes Error bodies',
    matches: ({ members }) => MEMBERS.includes(members),
  },
];

export const hono: readonly Fingerprint[] = [
  {
    product: 'Hono',
    writer: "Hono's default not-found handler",
    source: 'honojs/hono, src/hono-base.ts',
    advice: 'Set app.notFound to a handler that writes Error bodies',
    matches: ({ contentType, text }) => text === '404 Not Found' && contentType === 'text/plain; charset=UTF-8',
  },
  {
    product: 'Hono',
    writer: "Hono's HTTPException",
    source: 'honojs/hono, src/http-exception.ts and src/middleware/bearer-auth/index.ts',
    advice: 'Set app.onError to a handler that turns HTTPException into Error bodies',
    matches: (traces) =>
      traces.contentType === 'text/plain;charset=UTF-8' && [reasonPhrase(traces), 'Malformed JSON in request body'].includes(traces.text),
  },
  {
    product: 'Hono',
    writer: '@hono/zod-validator',
    source: 'honojs/middleware, packages/zod-validator/src/index.ts',
    advice: 'Give zValidator a third argument, the hook that writes the response when validation fails',
    matches: ({ json, members }) =>
      members === 'success,error' && isRecord(json) && isRecord(json['error']) && json['error']['name'] === 'ZodError',
  },
];

export const express: readonly Fingerprint[] = [
  {
    product: 'Express',
    writer: "Express's final handler",
    source: 'pillarjs/finalhandler, index.js',
    advice: 'Register a 404 handler after all routes and, last, an error handler with four parameters (err, req, res, next)',
    matches: ({ text }) => text.includes('<title>Error</title>') && text.includes('<pre>'),
  },
  {
    product: 'Express',
    writer: "Express's res.sendStatus",
    source: 'expressjs/express, lib/response.js (sendStatus)',
    advice: 'Replace res.sendStatus by res.status and res.json with an Error body',
    matches: (traces) =>
      traces.header('x-powered-by') === 'Express' &&
      traces.contentType === 'text/plain; charset=utf-8' &&
      traces.text === reasonPhrase(traces),
  },
];

export const jsonServer: readonly Fingerprint[] = [
  {
    product: 'json-server',
    writer: 'the mock server json-server',
    source: 'typicode/json-server v0.17, src/server/router/index.js and src/server/defaults.js',
    advice: 'This is a mock server: judge the service itself',
    matches: (traces) =>
      traces.status === 404 &&
      traces.text === '{}' &&
      traces.header('x-powered-by') === 'Express' &&
      traces.header('access-control-allow-credentials') === 'true',
  },
];

export const prism: readonly Fingerprint[] = [
  {
    product: 'Prism',
    writer: 'the mock server Prism',
    source: 'stoplightio/prism, packages/http/src/types.ts, docs/guides/01-mocking.md and docs/guides/06-errors.md',
    advice:
      'This is a mock server: judge the service itself (Prism returns a 401, 422 or 400 that the OpenAPI file describes, and its own for a path that is not in the file)',
    matches: (traces) => textMember(traces, 'type').startsWith('https://stoplight.io/prism/errors#'),
  },
];
