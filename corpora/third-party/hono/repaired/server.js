import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';
import { z } from 'zod';
import * as pets from './pets.js';

const { PORT = 3000, API_KEY } = process.env;

const petStatus = z.enum(pets.statuses);

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: petStatus.optional(),
});

const newPet = z.object({
  name: z.string(),
  categoryId: z.int64(),
  status: petStatus.optional(),
});

// Integers are bigints here: c.req.json and c.json keep only 53 bits of an int64.
const send = (c, body, status) => c.body(stringify(body), status, { 'Content-Type': 'application/json' });

const sendError = (c, status, code, message) => c.json({ code, message, status }, status);

const readNewPet = (text) => {
  try {
    return newPet.safeParse(parse(text, null, parseNumberAndBigInt));
  } catch (error) {
    return { success: false, error };
  }
};

const app = new Hono().basePath('/v1');

app.use('/pets/*', async (c, next) => {
  if (c.req.header('Authorization') !== `Bearer ${API_KEY}`) {
    return sendError(c, 401, 'unauthorized', 'A valid API key is required');
  }
  await next();
});

const invalidQuery = (result, c) => {
  if (!result.success) {
    return sendError(c, 400, 'invalid_query', z.prettifyError(result.error));
  }
};

app.get('/pets', zValidator('query', listQuery, invalidQuery), (c) => send(c, pets.list(c.req.valid('query')), 200));

app.post('/pets', async (c) => {
  const result = readNewPet(await c.req.text());
  if (!result.success) {
    return sendError(c, 400, 'invalid_body', result.error.message);
  }
  return send(c, pets.add(result.data), 201);
});

app.get('/pets/:petId', (c) => {
  const petId = c.req.param('petId');
  const pet = pets.find(Number(petId));
  if (!pet) {
    return sendError(c, 404, 'not_found', `Pet ${petId} does not exist`);
  }
  return send(c, pet, 200);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, (info) => {
  console.log(`Pet store listens on http://127.0.0.1:${info.port}/v1`);
});
