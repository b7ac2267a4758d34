import type { Parts } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import type { Store } from '../core/store.ts';
import { type Fault, fault, few, writing } from './fault.ts';
import { badId, findOther, onId } from './find-animal.ts';
import { every, isAnswer, pause, rewrite, rewriteIf } from './helpers.ts';

const identity = 'get.identity';
const success = 'get.success';

function hide(condition: (pet: Pet, store: Store) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      return pet !== undefined && condition(pet, store) ? undefined : pet;
    },
  });
}

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
