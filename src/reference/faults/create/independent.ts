import { isObject, type Json, member } from '../../core/json.ts';
import type { Context, Parts, Patch } from '../../core/parts.ts';
import { pause } from '../../core/pause.ts';
import { isStatus, type Pet, type Status } from '../../core/pet.ts';
import { invalid } from '../../core/problem.ts';
import { withParts } from '../../core/with-parts.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { isProblem } from '../helpers/requests.ts';

/** Keeps the animal in one field of the server while something is awaited. */
function mix(choose: (own: Pet, shared: Pet) => Pet): Patch {
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

/** A value kept for each connection. */
function perConnection<Value>(): (context: Context) => { get(): Value | undefined; set(value: Value | undefined): void } {
  const kept = new WeakMap<object, Value | undefined>();
  return ({ call: { connection } }) => ({ get: () => kept.get(connection), set: (value) => void kept.set(connection, value) });
}

/** Creations that share with others what they should not. */
export const createIndependent = faultsOf(needing(WRITES, 'create.independent'), {
  'status-of-refused-sold-or-pending': [
    'A rejected body that says sold or pending changes the default object permanently.',
    (parts) => {
      let left: Status | undefined;
      return {
        readNewPet: (body, all) => {
          const newPet = parts.readNewPet(body, all);
          if (isProblem(newPet)) {
            const status = isObject(body) ? body['status'] : undefined;
            if (status === 'sold' || status === 'pending') left = status;
            return newPet;
          }
          return newPet.status === undefined && left !== undefined ? { ...newPet, status: left } : newPet;
        },
      };
    },
  ],
  'creation-after-refusal-refused-on-connection': [
    'The errors of a rejected body are kept with the connection and reject the next one.',
    (parts) => {
      const of = perConnection<boolean>();
      return {
        createPet: async (context) => {
          const bad = of(context);
          const stale = bad.get() === true;
          const reply = await parts.createPet(stale ? withParts(context, { readBody: () => invalid('stale') }) : context);
          bad.set(!stale && reply.status === 400);
          return reply;
        },
      };
    },
  ],
  'name-of-connection-taken': [
    'The form is kept with the connection: a name that a body leaves out comes from the previous one.',
    (parts) => {
      const of = perConnection<Json>();
      return {
        createPet: (context) => {
          const before = of(context);
          const readNewPet: Parts['readNewPet'] = (body, all) => {
            const name = isObject(body) ? body['name'] : undefined;
            const kept = before.get();
            const whole = isObject(body) && name === undefined && kept !== undefined ? { ...body, name: kept } : body;
            const newPet = parts.readNewPet(whole, all);
            if (!isProblem(newPet)) before.set(newPet.name);
            return newPet;
          };
          return parts.createPet(withParts(context, { readNewPet }));
        },
      };
    },
  ],
  'concurrent-names-mixed': [
    'The name is kept in a field of the handler: concurrent creations take the last one.',
    mix((own, { name }) => ({ ...own, name })),
  ],
  'concurrent-categories-mixed': [
    'The category is kept in a field of the handler: concurrent creations take the last one.',
    mix((own, { categoryId }) => ({ ...own, categoryId })),
  ],
  'concurrent-categories-mixed-in-store': [
    'The response shows the category of the request, the store that of the last of several concurrent ones.',
    (parts) => {
      let shared: Pet | undefined;
      return {
        insert: async (store, pet) => {
          shared = pet;
          await pause(5);
          const { categoryId } = shared;
          return { ...(await parts.insert(store, { ...pet, categoryId })), categoryId: pet.categoryId };
        },
      };
    },
  ],
  'concurrent-statuses-mixed': [
    'The status is kept in a field of the handler: concurrent creations take the last one.',
    mix((own, { status }) => ({ ...own, status })),
  ],
  'concurrent-answers-mixed': [
    'The response is kept in a field of the handler: concurrent creations show the last animal.',
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
  ],
  'concurrent-creations-lost': [
    'The store is read, awaited and written back: one of several concurrent creations survives.',
    (parts) => ({
      insert: async (store, pet) => {
        const before = [...store.animals];
        await pause(5);
        store.animals.splice(0, store.animals.length, ...before);
        return await parts.insert(store, pet);
      },
    }),
  ],
  'concurrent-creations-unlisted': [
    'An animal created while four other creations are in progress is missing from the index that lists read.',
    (parts) => {
      let underWay = 0;
      const unlisted = new Set<bigint>();
      return {
        insert: async (store, pet) => {
          underWay += 1;
          if (underWay > 4) unlisted.add(pet.id);
          await pause(5);
          underWay -= 1;
          return await parts.insert(store, pet);
        },
        arrange: (store) => parts.arrange(store).filter(({ id }) => !unlisted.has(id)),
      };
    },
  ],
  'status-of-creation-before': [
    'The object that bodies are read into is reused: an omitted status becomes the status of the previous creation.',
    (parts) => {
      let before: Status | undefined;
      return {
        readNewPet: (body, all) => {
          const newPet = parts.readNewPet(body, all);
          if (isProblem(newPet)) return newPet;
          before = newPet.status ?? before;
          return { ...newPet, ...(before === undefined ? {} : { status: before }) };
        },
      };
    },
  ],
  'status-of-refused-body': [
    'The object that bodies are read into is not cleared after a rejected one: its status goes to the next animal without one.',
    (parts) => {
      let left: Status | undefined;
      return {
        readNewPet: (body, all) => {
          const newPet = parts.readNewPet(body, all);
          const status = isObject(body) ? member(body, 'status') : undefined;
          if (isProblem(newPet)) {
            left = isStatus(status) ? status : left;
            return newPet;
          }
          const own = newPet.status ?? left;
          left = undefined;
          return { ...newPet, ...(own === undefined ? {} : { status: own }) };
        },
      };
    },
  ],
});
