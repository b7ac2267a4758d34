import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';
import { parse, parseNumberAndBigInt } from 'lossless-json';
import { routes } from './routes.js';
import { validatorCompiler } from './validator.js';

const { PORT = 3000, API_KEY } = process.env;

function sendError(error, _request, reply) {
  const status = error.statusCode ?? 500;
  reply.code(status).send({ code: error.code ?? 'internal_error', message: error.message, status });
}

// The router calls frameworkErrors, and no error handler, for a path that it cannot decode.
const fastify = Fastify({ logger: { level: 'warn' }, frameworkErrors: sendError });

fastify.setValidatorCompiler(validatorCompiler);

// Integers become bigints: JSON.parse keeps only 53 bits of an int64.
fastify.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request, body) => {
  try {
    return parse(body, null, parseNumberAndBigInt);
  } catch {
    throw Object.assign(new Error('The body must be JSON'), { statusCode: 400, code: 'invalid_body' });
  }
});

fastify.setErrorHandler(sendError);

await fastify.register(bearerAuth, {
  keys: new Set([API_KEY]),
  errorResponse: (error) => ({ code: 'unauthorized', message: error.message, status: 401 }),
});
await fastify.register(routes, { prefix: '/v1' });

try {
  await fastify.listen({ port: Number(PORT), host: '127.0.0.1' });
} catch (error) {
  fastify.log.error(error);
  process.exit(1);
}
