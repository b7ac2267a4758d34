import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { z } from 'zod';
import * as pets from './pets.js';

const { PORT = 3000, API_KEY } = process.env;

const petStatus = z.enum(pets.statuses);

const listQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: petStatus.optional(),
});

const petParams = z.object({ petId: z.coerce.number().int() });

const newPet = z.object({
  name: z.string(),
  categoryId: z.number().int(),
  status: petStatus.optional(),
});

const app = new Hono().basePath('/v1');

app.use('/pets/*', bearerAuth({ token: API_KEY }));

app.get('/pets', zValidator('query', listQuery), (c) => c.json(pets.list(c.req.valid('query'))));

app.post('/pets', zValidator('json', newPet), (c) => c.json(pets.add(c.req.valid('json')), 201));

app.get('/pets/:petId', zValidator('param', petParams), (c) => {
  const { petId } = c.req.valid('param');
  const pet = pets.find(petId);
  if (!pet) {
    return c.json({ code: 'not_found', message: `Pet ${petId} does not exist`, status: 404 }, 404);
  }
  return c.json(pet);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, (info) => {
  console.log(`Pet store listens on http://127.0.0.1:${info.port}/v1`);
});
