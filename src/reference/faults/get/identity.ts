import { pause } from '../../core/pause.ts';
import type { Pet } from '../../core/pet.ts';
import { FEW, faultsOf, needing } from '../fault.ts';
import { everyNth } from '../helpers/counters.ts';
import { findOther } from '../helpers/reads.ts';

/** Reads that return another animal. */
export const getIdentity = faultsOf(needing(FEW, 'get.identity'), {
  'get-answers-next': [
    'The index is off by one: getPet returns the next animal.',
    findOther((store, _id, found) => (found === undefined ? undefined : store.animals[store.animals.indexOf(found) + 1])),
  ],
  'get-answers-first': [
    'Every id returns the first animal: the WHERE clause is gone.',
    findOther((store, _id, found) => (found === undefined ? undefined : store.animals[0])),
  ],
  'get-answers-newest': [
    'Every id returns the newest animal.',
    findOther((store, _id, found) => (found === undefined ? undefined : store.animals.at(-1))),
  ],
  'get-answers-by-prefix': [
    'The cache looks up the id by prefix: 12 returns 1.',
    findOther((store, id) => {
      const text = id.toString();
      return text.length > 1 ? store.byId.get(BigInt(text.slice(0, text.startsWith('-') ? 2 : 1))) : undefined;
    }),
    { seedAnimals: 30 },
  ],
  'get-cached-by-last-digit': [
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
  ],
  'get-sometimes-answers-other': [
    'Every seventh read returns the animal of the previous read.',
    (parts) => {
      const mixed = everyNth(7);
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
  ],
  'get-mixed-under-load': [
    'The id is kept in a field of the handler: concurrent reads return the last one.',
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
  ],
  'get-id-through-double': [
    'petId passes through a double: beyond 2^53 an id may return its neighbor.',
    (parts) => ({
      assignId: (store, body) => 2n ** 53n + parts.assignId(store, body),
      find: (store, id) => parts.find(store, BigInt(Number(id))) ?? parts.find(store, id),
    }),
  ],
});
