import type { Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import type { Store } from '../core/store.ts';
import { type Fault, fault, few, writing } from './fault.ts';
import { crash, every, isAnswer, pause, refuse, rewrite, rewriteIf } from './helpers.ts';

const identity = 'get.identity';
const missing = 'get.not-found';
const success = 'get.success';

/** Answers another animal; undefined leaves the base answer. */
function findOther(find: (store: Store, id: bigint, found: Pet | undefined) => Pet | undefined): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    find: (store, id) => {
      const found = parts.find(store, id);
      return find(store, id, found) ?? found;
    },
  });
}

function hide(condition: (pet: Pet, store: Store) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      return pet !== undefined && condition(pet, store) ? undefined : pet;
    },
  });
}

/** Answers a missing animal otherwise than 404. */
function answerMissing(status: number, body?: string): (parts: Parts) => Partial<Parts> {
  return (parts) => rewriteIf(parts, isAnswer('getPet', 404), () => (body === undefined ? { status } : { status, body }));
}

function onId(condition: (id: bigint) => boolean, problem: () => Problem): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    parseId: (text) => {
      const id = parts.parseId(text);
      return typeof id === 'bigint' && condition(id) ? problem() : id;
    },
  });
}

const badId = () => new Problem(400, 'invalid_id', 'petId is out of range');

/** getPet answers another animal, or none. */
export const getFaults: readonly Fault[] = [
  fault(
    'get-answers-next',
    identity,
    'The index is off by one: the next animal is answered.',
    findOther((store, _id, found) => (found === undefined ? undefined : store.animals[store.animals.indexOf(found) + 1])),
    few,
  ),
  fault(
    'get-answers-first',
    identity,
    'Every id answers the first animal: the where clause is gone.',
    findOther((store, _id, found) => (found === undefined ? undefined : store.animals[0])),
    few,
  ),
  fault(
    'get-answers-newest',
    identity,
    'Every id answers the newest animal.',
    findOther((store, _id, found) => (found === undefined ? undefined : store.animals.at(-1))),
    few,
  ),
  fault(
    'get-answers-by-prefix',
    identity,
    'The cache looks up by the beginning of the id: 12 answers 1.',
    findOther((store, id) => {
      const text = id.toString();
      return text.length > 1 ? store.byId.get(BigInt(text.slice(0, text.startsWith('-') ? 2 : 1))) : undefined;
    }),
    { seedAnimals: 30 },
  ),
  fault(
    'get-cached-by-last-digit',
    identity,
    'The read cache has ten slots and does not compare the key.',
    (parts) => {
      const slots = new Map<bigint, Pet>();
      return {
        find: (store, id) => {
          const pet = slots.get(id % 10n) ?? parts.find(store, id);
          if (pet !== undefined) slots.set(id % 10n, pet);
          return pet;
        },
      };
    },
    { seedAnimals: 30 },
  ),
  fault(
    'get-sometimes-answers-other',
    identity,
    'Every seventh read answers the animal of the read before.',
    (parts) => {
      const mixed = every(7);
      let before: Pet | undefined;
      return {
        find: (store, id) => {
          const pet = parts.find(store, id);
          const shown = pet !== undefined && mixed() ? (before ?? pet) : pet;
          before = pet ?? before;
          return shown;
        },
      };
    },
    few,
  ),
  fault(
    'get-mixed-under-load',
    identity,
    'The id is kept in a field of the handler: concurrent reads answer the last one.',
    (parts) => {
      let asked = '';
      return {
        getPet: async (context) => {
          asked = context.call.petId;
          await pause(5);
          return await parts.getPet({ ...context, call: { ...context.call, petId: asked } });
        },
      };
    },
    few,
  ),
  fault(
    'get-id-through-double',
    identity,
    'petId goes through a double: of two neighbours beyond 2^53 the other is answered.',
    (parts) => ({
      assignId: (store, body) => 2n ** 53n + parts.assignId(store, body),
      find: (store, id) => parts.find(store, BigInt(Number(id))) ?? parts.find(store, id),
    }),
    few,
  ),
  fault(
    'get-misses-even-ids',
    success,
    'One of two partitions is not asked: even ids are answered 404.',
    hide(({ id }) => id % 2n === 0n),
    few,
  ),
  fault(
    'get-misses-sold',
    success,
    'Sold animals are answered 404.',
    hide(({ status }) => status === 'sold'),
    few,
  ),
  fault(
    'get-misses-default-status',
    success,
    'Animals that were created without a status are answered 404.',
    (parts) => ({
      defaultStatus: () => undefined,
      ...hide(({ status }) => status === undefined)(parts),
    }),
    few,
  ),
  fault(
    'get-misses-newest',
    success,
    'The newest animal is answered 404 until another is created.',
    hide((pet, { animals }) => pet === animals.at(-1)),
    writing,
  ),
  fault(
    'get-misses-negative-ids',
    success,
    'Ids are random int64, and negative ones are not routed: 404.',
    (parts) => ({
      assignId: (store, body) => (parts.assignId(store, body) % 2n === 0n ? 1n : -1n) * (store.lastId + 1000n),
      ...hide(({ id }) => id < 0n)(parts),
    }),
    few,
  ),
  fault(
    'get-refuses-large-ids',
    success,
    'Ids are snowflakes, and those beyond 2^53 are answered 400.',
    (parts) => ({
      assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
      ...onId((id) => id > 2n ** 53n, badId)(parts),
    }),
    few,
  ),
  fault(
    'get-not-modified',
    success,
    'Every second read of an animal is answered 304.',
    (parts) => {
      const again = every(2);
      return rewrite(parts, (reply, context) =>
        isAnswer('getPet', 200)(reply, context) && again() ? { ...reply, status: 304, body: '' } : reply,
      );
    },
    few,
  ),
  fault(
    'get-redirects',
    success,
    'An animal is answered 301 with a slash behind the id.',
    (parts) =>
      rewriteIf(parts, isAnswer('getPet', 200), ({ headers }) => ({ status: 301, headers: { ...headers, location: '/v1/pets/1/' } })),
    few,
  ),
  fault(
    'get-answers-array',
    'record.pet',
    'An animal is answered as an array of one.',
    (parts) => rewriteIf(parts, isAnswer('getPet', 200), (reply) => ({ body: `[${reply.body.toString()}]` })),
    few,
  ),
];

/** Missing animals that are not answered 404. */
export const getMissingFaults: readonly Fault[] = [
  fault('missing-animal-null', missing, 'A missing animal is answered 200 null.', answerMissing(200, 'null')),
  fault('missing-animal-empty-object', missing, 'A missing animal is answered 200 {}.', answerMissing(200, '{}')),
  fault('missing-animal-empty-array', missing, 'A missing animal is answered 200 [].', answerMissing(200, '[]')),
  fault('missing-animal-no-content', missing, 'A missing animal is answered 204.', answerMissing(204, '')),
  fault('missing-animal-ok-error', missing, 'A missing animal is answered 200 with an Error body.', answerMissing(200)),
  fault('missing-animal-bad-request', missing, 'A missing animal is answered 400.', (parts) => ({
    errorStatus: (problem, call) => (call.operation === 'getPet' && problem.status === 404 ? 400 : parts.errorStatus(problem, call)),
    errorRecord: (problem, call) =>
      parts.errorRecord(
        call.operation === 'getPet' && problem.status === 404 ? new Problem(400, problem.code, problem.message) : problem,
        call,
      ),
  })),
  fault('missing-animal-gone', missing, 'A missing animal is answered 410.', (parts) =>
    refuse(parts, ({ call, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return typeof id === 'bigint' && parts.find(store, id) === undefined ? new Problem(410, 'gone', 'The animal is gone') : undefined;
    }),
  ),
  fault('missing-animal-forbidden', missing, 'A missing animal is answered 403.', (parts) =>
    refuse(parts, ({ call, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return typeof id === 'bigint' && parts.find(store, id) === undefined ? new Problem(403, 'forbidden', 'Not your animal') : undefined;
    }),
  ),
  fault('missing-animal-crashes', 'errors.no-server-error', 'A missing animal crashes: 500.', (parts) => ({
    find: (store, id) => parts.find(store, id) ?? crash(),
  })),
  fault(
    'missing-animal-made-up',
    missing,
    'A missing animal is answered as a made-up one with the id asked for.',
    findOther((_store, id) => ({ id, name: 'Unknown', categoryId: 1n, status: 'available', createdAt: 0 })),
  ),
  fault('missing-animal-redirects', missing, 'A missing animal redirects to the list.', (parts) =>
    rewriteIf(parts, isAnswer('getPet', 404), ({ headers }) => ({ status: 302, headers: { ...headers, location: '/v1/pets' } })),
  ),
  fault(
    'missing-animal-nearest',
    missing,
    'A missing id answers the first animal.',
    findOther((store, _id, found) => (found === undefined ? store.animals[0] : undefined)),
    few,
  ),
  fault(
    'beyond-int32-bad-request',
    missing,
    'A missing id beyond 32 bits is answered 400.',
    onId((id) => BigInt.asIntN(32, id) !== id, badId),
  ),
  fault(
    'beyond-2-53-bad-request',
    missing,
    'A missing id beyond 2^53 is answered 400.',
    onId((id) => id > 2n ** 53n || id < -(2n ** 53n), badId),
  ),
  fault(
    'negative-id-bad-request',
    missing,
    'A missing negative id is answered 400.',
    onId((id) => id < 0n, badId),
  ),
  fault(
    'zero-id-answers-animal',
    missing,
    'Id 0 answers the first animal.',
    findOther((store, id) => (id === 0n ? store.animals[0] : undefined)),
    few,
  ),
  fault(
    'largest-id-bad-request',
    missing,
    'The largest int64 is answered 400.',
    onId((id) => id === 2n ** 63n - 1n, badId),
  ),
  fault(
    'smallest-id-bad-request',
    missing,
    'The smallest int64 is answered 400.',
    onId((id) => id === -(2n ** 63n), badId),
  ),
  fault(
    'id-wrapped-to-int32',
    missing,
    'petId wraps round at 32 bits: 4294967297 answers animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, BigInt.asIntN(32, id)) }),
    few,
  ),
  fault(
    'id-sign-ignored',
    missing,
    'The sign of petId is lost: -1 answers animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, id < 0n ? -id : id) }),
    few,
  ),
  fault(
    'id-beyond-int32-crashes',
    'errors.no-server-error',
    'An id beyond 32 bits crashes.',
    onId((id) => BigInt.asIntN(32, id) !== id, crash),
  ),
  fault(
    'id-largest-crashes',
    'errors.no-server-error',
    'The largest int64 crashes: the next one is computed.',
    onId((id) => id === 2n ** 63n - 1n, crash),
  ),
  fault('id-outside-int64-crashes', 'errors.no-server-error', 'An id outside int64 crashes.', (parts) => ({
    parseId: (text) => (/^-?\d{19,}$/.test(text) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text) ? crash() : parts.parseId(text)),
  })),
  fault('id-not-a-number-crashes', 'errors.no-server-error', 'A petId that is no number crashes.', (parts) => ({
    parseId: (text) => (/^-?\d+$/.test(text) ? parts.parseId(text) : crash()),
  })),
];
