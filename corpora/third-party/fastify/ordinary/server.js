import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';
import { routes } from './routes.js';

const { PORT = 3000, API_KEY } = process.env;

const fastify = Fastify({ logger: { level: 'warn' } });

await fastify.register(bearerAuth, { keys: new Set([API_KEY]) });
await fastify.register(routes, { prefix: '/v1' });

try {
  await fastify.listen({ port: Number(PORT), host: '127.0.0.1' });
} catch (error) {
  fastify.log.error(error);
  process.exit(1);
}
