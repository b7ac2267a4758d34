import express from 'express';
import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';
import * as pets from './pets.js';

const { PORT = 3000, API_KEY } = process.env;

const app = express();

// Integers are bigints here: JSON.parse and JSON.stringify keep only 53 bits of an int64.
const send = (res, status, body) => res.status(status).type('application/json').send(stringify(body));

const sendError = (res, status, code, message) => send(res, status, { code, message, status });

const isInt64 = (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value;

const requireApiKey = (req, res, next) => {
  if (req.get('Authorization') !== `Bearer ${API_KEY}`) {
    return sendError(res, 401, 'unauthorized', 'A valid API key is required');
  }
  next();
};

const parseBody = (req, res, next) => {
  try {
    req.body = parse(req.body ?? '', null, parseNumberAndBigInt) ?? {};
  } catch {
    return sendError(res, 400, 'invalid_body', 'The body must be a JSON object');
  }
  next();
};

const router = express.Router();

router.use(requireApiKey);

router.get('/pets', (req, res) => {
  const limit = parseInt(req.query.limit, 10) || 20;
  if (limit < 1 || limit > 100) {
    return sendError(res, 400, 'invalid_limit', 'limit must be between 1 and 100');
  }
  send(res, 200, pets.list({ limit, status: req.query.status }));
});

router.post('/pets', express.text({ type: 'application/json' }), parseBody, (req, res) => {
  const { name, categoryId, status } = req.body;
  if (name === undefined || categoryId === undefined) {
    return sendError(res, 400, 'missing_field', 'name and categoryId are required');
  }
  if (typeof name !== 'string' || !isInt64(categoryId)) {
    return sendError(res, 400, 'invalid_value', 'name must be a string and categoryId an integer of 64 bits');
  }
  if (status !== undefined && !pets.statuses.includes(status)) {
    return sendError(res, 400, 'invalid_value', `status must be one of ${pets.statuses.join(', ')}`);
  }
  send(res, 201, pets.add({ name, categoryId, status }));
});

router.get('/pets/:petId', (req, res) => {
  const pet = pets.find(Number(req.params.petId));
  if (!pet) {
    return sendError(res, 404, 'not_found', `Pet ${req.params.petId} does not exist`);
  }
  send(res, 200, pet);
});

app.use('/v1', router);

app.use((error, req, res, next) => {
  const status = error.status ?? 500;
  sendError(res, status, error.type ?? 'internal_error', status < 500 ? error.message : 'The request failed');
});

app.listen(PORT, '127.0.0.1', () => {
  console.log(`Pet store listens on http://127.0.0.1:${PORT}/v1`);
});
