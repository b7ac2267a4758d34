import { isInt64, parseInteger } from '../../core/int64.ts';
import { isObject, type Json, member, NumberText } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { addPet, removePet } from '../../core/store.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';

/** The int64 id that the client sent. */
function clientId(body: Json, name = 'id'): bigint | undefined {
  const value = isObject(body) ? member(body, name) : undefined;
  const id = value instanceof NumberText ? parseInteger(value.text) : undefined;
  return id !== undefined && isInt64(id) ? id : undefined;
}

/** Uses the client's id if the condition holds. */
function adoptId(condition: (id: bigint, taken: boolean) => boolean, name?: string): Patch {
  return (parts) => ({
    assignId: (store, body) => {
      const id = clientId(body, name);
      return id !== undefined && condition(id, store.byId.has(id)) ? id : parts.assignId(store, body);
    },
  });
}

/** Client ids that are used. */
export const createIdNotAdopted = faultsOf(needing(WRITES, 'create.id-not-adopted'), {
  'client-id-text-adopted': [
    'An id sent as a string of digits slips through the filter for numbers and is used.',
    (parts) => ({
      assignId: (store, body) => {
        const id = isObject(body) ? member(body, 'id') : undefined;
        return typeof id === 'string' && /^\d{1,19}$/.test(id) ? BigInt(id) : parts.assignId(store, body);
      },
    }),
  ],
  'client-id-adopted': ['Any id in the request is used.', adoptId(() => true)],
  'client-id-adopted-when-free': ['The id in the request is used when no animal has it.', adoptId((_id, taken) => !taken)],
  'client-id-adopted-unless-positive': [
    'Only positive ids are removed from the request: zero and negative ones are used.',
    adoptId((id) => id <= 0n),
  ],
  'client-id-in-capitals-adopted': [
    'The id is removed from the request by name, then the case-insensitive mapper finds ID.',
    adoptId(() => true, 'ID'),
  ],
  'client-pet-id-adopted': [
    'The service calls the id petId internally and accepts that member in the request.',
    adoptId(() => true, 'petId'),
  ],
  'client-id-overwrites': [
    'The id in the request replaces the animal that has it.',
    (parts) => ({
      ...adoptId((_id, taken) => taken)(parts),
      insert: (store, pet) => {
        const old = store.byId.get(pet.id);
        if (old !== undefined) removePet(store, old);
        addPet(store, pet);
        return pet;
      },
    }),
  ],
  'client-id-adopted-in-answer': [
    'The 201 repeats the id in the request, but the animal is stored under another one.',
    (parts) => {
      let sent: bigint | undefined;
      return {
        assignId: (store, body) => {
          sent = clientId(body);
          return parts.assignId(store, body);
        },
        petRecord: (pet, place) => parts.petRecord(place === 'create' && sent !== undefined ? { ...pet, id: sent } : pet, place),
      };
    },
  ],
});
