import { isInt64, parseInteger } from '../core/int64.ts';
import { isObject, type Json, member, NumberText } from '../core/json.ts';
import type { Parts } from '../core/parts.ts';
import type { Pet, Status } from '../core/pet.ts';
import { invalid } from '../core/problem.ts';
import { addPet, removePet } from '../core/store.ts';
import { type Fault, type FaultNeeds, fault, writing } from './fault.ts';
import { crash, every, pause, storePet, storePetSilently } from './helpers.ts';

const values = 'create.status-values';
const assigned = 'create.id-assigned';
const adopted = 'create.id-not-adopted';
const roundTrip = 'create.round-trip';

function storeStatus(change: (status: Status | undefined) => Status | undefined): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    readNewPet: (body, all) => {
      const newPet = parts.readNewPet(body, all);
      return 'name' in newPet ? { ...newPet, status: change(newPet.status) } : newPet;
    },
  });
}

/** The int64 id that the client sent along. */
function clientId(body: Json, name = 'id'): bigint | undefined {
  const value = isObject(body) ? member(body, name) : undefined;
  const id = value instanceof NumberText ? parseInteger(value.text) : undefined;
  return id !== undefined && isInt64(id) ? id : undefined;
}

/** Takes the client's id where the condition holds. */
function adoptId(condition: (id: bigint, taken: boolean) => boolean, name?: string): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    assignId: (store, body) => {
      const id = clientId(body, name);
      return id !== undefined && condition(id, store.byId.has(id)) ? id : parts.assignId(store, body);
    },
  });
}

function quietly(change: (pet: Pet) => Pet): (parts: Parts) => Partial<Parts> {
  return (parts) => storePetSilently(parts, change);
}

function entry(
  name: string,
  clause: string,
  summary: string,
  replace: (parts: Parts) => Partial<Parts>,
  needs: FaultNeeds = writing,
): Fault {
  return fault(name, clause, summary, replace, needs);
}

/** Statuses of new animals. */
export const createStatusFaults: readonly Fault[] = [
  entry(
    'create-status-ignored',
    values,
    'The status of the request is ignored: every animal starts as available.',
    storeStatus(() => 'available'),
  ),
  entry(
    'create-sold-becomes-available',
    values,
    'An animal created as sold is stored as available.',
    storeStatus((status) => (status === 'sold' ? 'available' : status)),
  ),
  entry(
    'create-sold-becomes-pending',
    values,
    'An animal created as sold is stored as pending, for review.',
    storeStatus((status) => (status === 'sold' ? 'pending' : status)),
  ),
  entry(
    'create-pending-becomes-available',
    values,
    'Pending is confirmed at once: the animal is stored as available.',
    storeStatus((status) => (status === 'pending' ? 'available' : status)),
  ),
  entry('create-status-dropped', values, 'The status of the request is not stored at all.', (parts) => ({
    ...storeStatus(() => undefined)(parts),
    defaultStatus: () => undefined,
  })),
  entry('create-pending-refused', values, 'Creating with status pending is answered 400.', (parts) => ({
    readStatus: (value) => (value === 'pending' ? invalid('status must be available') : parts.readStatus(value)),
  })),
  entry('create-sold-refused', values, 'Creating with status sold is answered 400: nobody would sell what is not there.', (parts) => ({
    readStatus: (value) => (value === 'sold' ? invalid('status must not be sold') : parts.readStatus(value)),
  })),
  entry(
    'create-available-refused',
    values,
    'Creating with status available is answered 400: it is the default and must be left out.',
    (parts) => ({ readStatus: (value) => (value === 'available' ? invalid('status must be left out') : parts.readStatus(value)) }),
  ),
  entry('create-needs-status', 'create.status-optional', 'A body without status is answered 400.', (parts) => ({
    readStatus: (value) => (value === undefined ? invalid('status is required') : parts.readStatus(value)),
  })),
  entry('create-without-status-crashes', 'errors.no-server-error', 'A body without status crashes the server.', (parts) => ({
    readStatus: (value) => (value === undefined ? crash() : parts.readStatus(value)),
  })),
];

/** Ids of new animals. */
export const createIdFaults: readonly Fault[] = [
  entry('ids-race', assigned, 'The next id is read, then awaited, then written: concurrent creations get the same one.', (parts) => ({
    insert: async (store, pet) => {
      const id = BigInt(store.animals.length) + 1_000_000n;
      await pause(5);
      return await parts.insert(store, { ...pet, id });
    },
  })),
  entry('ids-of-milliseconds', assigned, 'The id is the time in tens of milliseconds: creations at the same time share it.', () => ({
    assignId: () => BigInt(Date.now()) / 10n,
  })),
  entry('ids-from-small-space', assigned, 'The id is a random number below 50.', () => ({
    assignId: () => BigInt(Math.floor(Math.random() * 50) + 1),
  })),
  entry('ids-per-category', assigned, 'Ids count within a category.', (parts) => ({
    insert: (store, pet) =>
      parts.insert(store, { ...pet, id: BigInt(store.animals.filter(({ categoryId }) => categoryId === pet.categoryId).length + 1) }),
  })),
  entry('ids-per-status', assigned, 'Ids count within a status: three tables, three sequences.', (parts) => ({
    insert: (store, pet) =>
      parts.insert(store, { ...pet, id: BigInt(store.animals.filter(({ status }) => status === pet.status).length + 1) }),
  })),
  entry('ids-always-zero', assigned, 'The 201 shows id 0: it is read before the database has given one.', (parts) => ({
    petRecord: (pet, place) => parts.petRecord(place === 'create' ? { ...pet, id: 0n } : pet, place),
  })),
  entry('ids-in-doubles', assigned, 'Snowflake ids go through doubles: neighbours share their spelling.', (parts) => ({
    assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
    petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), id: Number(pet.id) }),
  })),
  entry('ids-beyond-int64', 'record.pets', 'Ids are unsigned 64-bit and begin above the largest int64.', (parts) => ({
    assignId: (store, body) => 2n ** 63n + parts.assignId(store, body),
  })),
  entry('ids-reused-every-tenth', assigned, 'Every tenth creation gets the id of the one before: a cached sequence value.', (parts) => {
    const again = every(10);
    return { assignId: (store, body) => (again() && store.lastId > 0n ? store.lastId : parts.assignId(store, body)) };
  }),
  entry(
    'client-id-adopted',
    adopted,
    'The id of the request is taken, whatever it is.',
    adoptId(() => true),
  ),
  entry(
    'client-id-adopted-when-free',
    adopted,
    'The id of the request is taken when no animal has it.',
    adoptId((_id, taken) => !taken),
  ),
  entry(
    'client-id-adopted-unless-positive',
    adopted,
    'Only positive ids are taken off the request: zero and negative ones are kept.',
    adoptId((id) => id <= 0n),
  ),
  entry(
    'client-id-in-capitals-adopted',
    adopted,
    'The id is taken off the request by its name, then the mapper, to which letter case is nothing, finds ID.',
    adoptId(() => true, 'ID'),
  ),
  entry(
    'client-pet-id-adopted',
    adopted,
    'The id goes by petId within the service, and the request is bound to that.',
    adoptId(() => true, 'petId'),
  ),
  entry('client-id-overwrites', adopted, 'The id of the request replaces the animal that has it.', (parts) => ({
    ...adoptId((_id, taken) => taken)(parts),
    insert: (store, pet) => {
      const old = store.byId.get(pet.id);
      if (old !== undefined) removePet(store, old);
      addPet(store, pet);
      return pet;
    },
  })),
  entry('client-id-adopted-in-answer', adopted, 'The 201 repeats the id of the request, while another one is stored.', (parts) => {
    let sent: bigint | undefined;
    return {
      assignId: (store, body) => {
        sent = clientId(body);
        return parts.assignId(store, body);
      },
      petRecord: (pet, place) => parts.petRecord(place === 'create' && sent !== undefined ? { ...pet, id: sent } : pet, place),
    };
  }),
];

/** What is stored is not what was sent, in the plain domain. */
export const createStoreFaults: readonly Fault[] = [
  entry(
    'stored-name-lower-case',
    roundTrip,
    'The stored name is in small letters, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, name: pet.name.toLowerCase() })),
  ),
  entry(
    'stored-name-title-case',
    roundTrip,
    'The stored name is Capitalised like this, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, name: pet.name.slice(0, 1).toUpperCase() + pet.name.slice(1).toLowerCase() })),
  ),
  entry(
    'stored-name-cut-at-10',
    roundTrip,
    'The stored name is cut after ten characters, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, name: pet.name.slice(0, 10) })),
  ),
  entry(
    'stored-name-cut-at-16',
    roundTrip,
    'The stored name is cut after sixteen characters, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, name: pet.name.slice(0, 16) })),
  ),
  entry(
    'stored-category-one',
    roundTrip,
    'The stored category is always 1, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, categoryId: 1n + (pet.categoryId === 1n ? 1n : 0n) })),
  ),
  entry(
    'stored-status-available',
    roundTrip,
    'The stored status is available, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, status: 'available' })),
  ),
  entry(
    'stored-status-lost',
    roundTrip,
    'The status is not stored, the 201 shows it as sent.',
    quietly((pet) => ({ ...pet, status: undefined })),
  ),
  entry('stored-not-at-all', 'list.complete', 'The 201 comes, but the transaction is never committed.', () => ({
    insert: (_store, pet) => pet,
  })),
  entry('stored-nine-of-ten', 'list.complete', 'Every tenth creation is answered 201 and not stored.', (parts) => {
    const lost = every(10);
    return { insert: (store, pet) => (lost() ? pet : parts.insert(store, pet)) };
  }),
  entry('stored-twice', 'list.unique', 'The outbox delivers each creation twice: the animal is listed twice.', (parts) => ({
    insert: async (store, pet) => {
      await parts.insert(store, pet);
      return await parts.insert(store, pet);
    },
  })),
  entry(
    'stored-number-names-rewritten',
    'create.unusual-names',
    'Names that look like numbers are stored as such: "007" becomes "7".',
    (parts) => storePet(parts, (pet) => (/^\d+(\.\d+)?(e\d+)?$/i.test(pet.name) ? { ...pet, name: String(Number(pet.name)) } : pet)),
  ),
];
