import type { Json } from '../core/json.ts';
import { isObject, member } from '../core/json.ts';
import type { Parts } from '../core/parts.ts';
import { isStatus, type Pet, type Status } from '../core/pet.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { pause } from './helpers.ts';

const clause = 'create.independent';

/** Keeps the animal in one field of the server while something is awaited. */
function mix(choose: (own: Pet, shared: Pet) => Pet): (parts: Parts) => Partial<Parts> {
  return (parts) => {
    let shared: Pet | undefined;
    return {
      insert: async (store, pet) => {
        shared = pet;
        await pause(5);
        return await parts.insert(store, choose(pet, shared));
      },
    };
  };
}

/** Concurrent creations that share what they should not. */
export const createConcurrentFaults: readonly Fault[] = [
  fault(
    'concurrent-names-mixed',
    clause,
    'The name is kept in a field of the handler: concurrent creations take the last one.',
    mix((own, { name }) => ({ ...own, name })),
    writing,
  ),
  fault(
    'concurrent-categories-mixed',
    clause,
    'The category is kept in a field of the handler: concurrent creations take the last one.',
    mix((own, { categoryId }) => ({ ...own, categoryId })),
    writing,
  ),
  fault(
    'concurrent-statuses-mixed',
    clause,
    'The status is kept in a field of the handler: concurrent creations take the last one.',
    mix((own, { status }) => ({ ...own, status })),
    writing,
  ),
  fault(
    'concurrent-answers-mixed',
    clause,
    'The answer is kept in a field of the handler: concurrent creations show the last animal.',
    (parts) => {
      let shared: Pet | undefined;
      return {
        insert: async (store, pet) => {
          shared = await parts.insert(store, pet);
          await pause(5);
          return shared;
        },
      };
    },
    writing,
  ),
  fault(
    'concurrent-creations-lost',
    clause,
    'The store is read, awaited and written back: of concurrent creations one survives.',
    (parts) => ({
      insert: async (store, pet) => {
        const before = [...store.animals];
        await pause(5);
        store.animals.splice(0, store.animals.length, ...before);
        return await parts.insert(store, pet);
      },
    }),
    writing,
  ),
  fault(
    'concurrent-creations-crash',
    'errors.no-server-error',
    'The file lock of the store is not waited for: the second creation at a time answers 500.',
    (parts) => {
      let locked = false;
      return {
        insert: async (store, pet) => {
          if (locked) throw new Error('The store is locked');
          locked = true;
          await pause(5);
          locked = false;
          return await parts.insert(store, pet);
        },
      };
    },
    writing,
  ),
  fault(
    'status-of-creation-before',
    clause,
    'The object that bodies are read into is used again: a status that is left out is that of the creation before.',
    (parts) => {
      let before: Status | undefined;
      return {
        readNewPet: (body, all) => {
          const newPet = parts.readNewPet(body, all);
          if (newPet instanceof Problem) return newPet;
          before = newPet.status ?? before;
          return { ...newPet, ...(before === undefined ? {} : { status: before }) };
        },
      };
    },
    writing,
  ),
  fault(
    'status-of-refused-body',
    clause,
    'The object that bodies are read into is not emptied when one is refused: its status goes to the next animal without one.',
    (parts) => {
      let left: Status | undefined;
      return {
        readNewPet: (body, all) => {
          const newPet = parts.readNewPet(body, all);
          const status = isObject(body) ? member(body, 'status') : undefined;
          if (newPet instanceof Problem) {
            left = isStatus(status) ? status : left;
            return newPet;
          }
          const own = newPet.status ?? left;
          left = undefined;
          return { ...newPet, ...(own === undefined ? {} : { status: own }) };
        },
      };
    },
    writing,
  ),
  fault(
    'status-sticks-to-next',
    'create.status-optional',
    'A body without status crashes the enum lookup into a 400 when the one before had a status.',
    (parts) => {
      let before: Json | undefined;
      return {
        readNewPet: (body, all) => {
          const status = isObject(body) ? member(body, 'status') : undefined;
          const stale = before !== undefined && status === undefined;
          before = status;
          return stale ? parts.readNewPet({}, all) : parts.readNewPet(body, all);
        },
      };
    },
    writing,
  ),
];
