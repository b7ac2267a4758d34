import { integerLiteral } from '../core/json.ts';
import type { Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { header, isAnswer, refuse, rewriteIf, rewriteText } from './helpers.ts';

const success = 'create.success';
const answer = 'create.answer';

function created(status: number, body?: string): (parts: Parts) => Partial<Parts> {
  return (parts) => rewriteIf(parts, isAnswer('createPet', 201), () => (body === undefined ? { status } : { status, body }));
}

function createRefused(problem: (call: Parameters<Parts['send']>[2]) => Problem | undefined): (parts: Parts) => Partial<Parts> {
  return (parts) => refuse(parts, ({ call }) => (call.operation === 'createPet' ? problem(call) : undefined));
}

function show(change: (pet: Pet) => Pet): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ petRecord: (pet, place) => parts.petRecord(place === 'create' ? change(pet) : pet, place) });
}

function bodyText(change: (text: string) => string): (parts: Parts) => Partial<Parts> {
  return (parts) => rewriteText(parts, isAnswer('createPet', 201), change);
}

/** Creations that are not answered 201 with the created Pet. */
export const createAnswerFaults: readonly Fault[] = [
  fault('create-answers-200', success, 'A creation is answered 200.', created(200), writing),
  fault('create-answers-202', success, 'A creation is answered 202: it is queued.', created(202), writing),
  fault('create-answers-204', success, 'A creation is answered 204 without a body.', created(204, ''), writing),
  fault('create-answers-empty-body', success, 'A creation is answered 201 without a body.', created(201, ''), writing),
  fault(
    'create-redirects',
    success,
    'A creation is answered 303 with the place of the animal.',
    (parts) =>
      rewriteIf(parts, isAnswer('createPet', 201), ({ headers }) => ({ status: 303, headers: { ...headers, location: '/v1/pets' } })),
    writing,
  ),
  fault(
    'create-not-allowed',
    success,
    'POST is not routed: 405.',
    createRefused(() => new Problem(405, 'method_not_allowed', 'POST is not allowed')),
    writing,
  ),
  fault(
    'create-forbidden',
    success,
    'POST is for administrators: 403.',
    createRefused(() => new Problem(403, 'forbidden', 'Creating is not allowed')),
    writing,
  ),
  fault(
    'create-not-found',
    success,
    'POST is not routed: 404.',
    createRefused(() => new Problem(404, 'not_found', 'There is no such operation')),
    writing,
  ),
  fault(
    'create-needs-accept',
    success,
    'Without Accept: application/json word for word a creation is answered 406.',
    createRefused((call) =>
      header(call, 'accept').startsWith('application/json')
        ? undefined
        : new Problem(406, 'not_acceptable', 'Send Accept: application/json'),
    ),
    writing,
  ),
  fault(
    'create-needs-idempotency-key',
    success,
    'Without Idempotency-Key a creation is answered 428.',
    createRefused((call) =>
      header(call, 'idempotency-key') === '' ? new Problem(428, 'precondition_required', 'Send Idempotency-Key') : undefined,
    ),
    writing,
  ),
  fault(
    'create-needs-id',
    success,
    'The same schema serves both sides: a body without id is answered 400.',
    (parts) => ({
      readNewPet: (body, all) =>
        JSON.stringify(body)?.includes('"id"') ? parts.readNewPet(body, all) : new Problem(400, 'missing_id', 'id is required'),
    }),
    writing,
  ),
  fault(
    'create-refuses-second-in-category',
    success,
    'A category takes ten animals, then a creation is answered 409.',
    (parts) => ({
      createPet: (context) =>
        context.store.animals.filter(({ createdAt }) => createdAt > 0).length >= 10
          ? parts.createPet({
              ...context,
              parts: { ...context.parts, readNewPet: () => new Problem(409, 'conflict', 'The category is full') },
            })
          : parts.createPet(context),
    }),
    writing,
  ),
  fault(
    'create-answers-array',
    'record.pet',
    'The 201 body is an array with the animal.',
    bodyText((text) => `[${text}]`),
    writing,
  ),
  fault(
    'create-answers-wrapped',
    'record.pet',
    'The 201 body is {"pet": …}.',
    bodyText((text) => `{"pet":${text}}`),
    writing,
  ),
  fault(
    'create-answers-only-id',
    'record.pet',
    'The 201 body is {"id": …} and nothing else.',
    (parts) => ({
      petRecord: (pet, place) => (place === 'create' ? { id: integerLiteral(pet.id) } : parts.petRecord(pet, place)),
    }),
    writing,
  ),
  fault(
    'create-answers-without-id',
    'record.pet',
    'The 201 body repeats the request, without the id.',
    (parts) => ({
      petRecord: (pet, place) => (place === 'create' ? { ...parts.petRecord(pet, place), id: undefined } : parts.petRecord(pet, place)),
    }),
    writing,
  ),
  fault('create-answers-null', success, 'The 201 body is null.', created(201, 'null'), writing),
  fault(
    'create-answers-ok-text',
    'media.json',
    'The 201 body is the word Created as plain text.',
    (parts) =>
      rewriteIf(parts, isAnswer('createPet', 201), ({ headers }) => ({
        body: 'Created',
        headers: { ...headers, 'content-type': 'text/plain' },
      })),
    writing,
  ),
  fault(
    'answer-name-upper-case',
    answer,
    'The 201 body shows the name in capitals.',
    show((pet) => ({ ...pet, name: pet.name.toUpperCase() })),
    writing,
  ),
  fault(
    'answer-name-cut',
    answer,
    'The 201 body shows the first eight letters of the name.',
    show((pet) => ({ ...pet, name: pet.name.slice(0, 8) })),
    writing,
  ),
  fault(
    'answer-name-empty',
    answer,
    'The 201 body shows an empty name.',
    show((pet) => ({ ...pet, name: '' })),
    writing,
  ),
  fault(
    'answer-category-zero',
    answer,
    'The 201 body shows categoryId 0: the relation is not loaded yet.',
    show((pet) => ({ ...pet, categoryId: 0n })),
    writing,
  ),
  fault(
    'answer-category-is-id',
    answer,
    'The 201 body shows the id in place of categoryId.',
    show((pet) => ({ ...pet, categoryId: pet.id + 7_000_000n })),
    writing,
  ),
  fault(
    'answer-without-status',
    answer,
    'The 201 body never shows the status.',
    show((pet) => ({ ...pet, status: undefined })),
    writing,
  ),
  fault(
    'answer-status-always-available',
    answer,
    'The 201 body always shows available.',
    show((pet) => ({ ...pet, status: 'available' })),
    writing,
  ),
  fault(
    'answer-shows-previous',
    answer,
    'The 201 body shows name and category of the creation before.',
    (parts) => {
      let previous: Pet | undefined;
      return {
        petRecord: (pet, place) => {
          if (place !== 'create') return parts.petRecord(pet, place);
          const shown = previous ?? pet;
          previous = pet;
          return parts.petRecord({ ...shown, id: pet.id }, place);
        },
      };
    },
    writing,
  ),
];
