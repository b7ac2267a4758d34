import * as pets from './pets.js';

const petStatus = { type: 'string', enum: pets.statuses };

const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: petStatus,
  },
};

const pet = {
  type: 'object',
  required: ['id', ...newPet.required],
  properties: { id: { type: 'integer' }, ...newPet.properties },
};

const listPets = {
  querystring: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      status: petStatus,
    },
  },
  response: { 200: { type: 'array', items: pet } },
};

const createPet = { body: newPet, response: { 201: pet } };

const getPet = {
  params: { type: 'object', properties: { petId: { type: 'integer' } } },
  response: { 200: pet },
};

export async function routes(fastify) {
  fastify.get('/pets', { schema: listPets }, async (request) => pets.list(request.query));

  fastify.post('/pets', { schema: createPet }, async (request, reply) => {
    const { name, categoryId, status } = request.body;
    reply.code(201);
    return pets.add({ name, categoryId, status });
  });

  fastify.get('/pets/:petId', { schema: getPet }, async (request, reply) => {
    const found = pets.find(request.params.petId);
    if (!found) {
      return reply.code(404).send({ code: 'not_found', message: `Pet ${request.params.petId} does not exist`, status: 404 });
    }
    return found;
  });
}
