import express from 'express';
import * as pets from './pets.js';

const { PORT = 3000, API_KEY } = process.env;

const app = express();

app.use(express.json());

const sendError = (res, status, code, message) => res.status(status).json({ code, message, status });

const requireApiKey = (req, res, next) => {
  if (req.get('Authorization') !== `Bearer ${API_KEY}`) {
    return sendError(res, 401, 'unauthorized', 'A valid API key is required');
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
  res.json(pets.list({ limit, status: req.query.status }));
});

router.post('/pets', (req, res) => {
  const { name, categoryId, status } = req.body;
  if (!name || !categoryId) {
    return sendError(res, 400, 'missing_field', 'name and categoryId are required');
  }
  if (typeof name !== 'string' || !Number.isInteger(categoryId)) {
    return sendError(res, 400, 'invalid_value', 'name must be a string and categoryId an integer');
  }
  if (status && !pets.statuses.includes(status)) {
    return sendError(res, 400, 'invalid_value', `status must be one of ${pets.statuses.join(', ')}`);
  }
  res.status(201).json(pets.add({ name, categoryId, status }));
});

router.get('/pets/:petId', (req, res) => {
  const pet = pets.find(Number(req.params.petId));
  if (!pet) {
    return sendError(res, 404, 'not_found', `Pet ${req.params.petId} does not exist`);
  }
  res.json(pet);
});

app.use('/v1', router);

app.listen(PORT, '127.0.0.1', () => {
  console.log(`Pet store listens on http://127.0.0.1:${PORT}/v1`);
});
