import type { Parts, Place } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { addPet, removePet } from '../core/store.ts';
import { type Fault, fault, few, writing } from './fault.ts';
import { crash, every, isAnswer, rewrite } from './helpers.ts';

const repeatable = 'get.repeatable';
const durable = 'get.durable';

/** Shows another animal at one place. */
function shownIn(place: Place, change: (pet: Pet) => Pet): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ petRecord: (pet, at) => parts.petRecord(at === place ? change(pet) : pet, at) });
}

/** Changes the stored animal after it was read. */
function afterRead(change: (pet: Pet) => void): (parts: Parts) => Partial<Parts> {
  return (parts) =>
    rewrite(parts, (reply, context) => {
      const id = isAnswer('getPet', 200)(reply, context) ? parts.parseId(context.call.petId) : undefined;
      const pet = typeof id === 'bigint' ? context.store.byId.get(id) : undefined;
      if (pet !== undefined) change(pet);
      return reply;
    });
}

/** Changes the store after each creation. */
function afterInsert(change: (store: Parameters<Parts['insert']>[0], pet: Pet) => void): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    insert: async (store, pet) => {
      const shown = await parts.insert(store, pet);
      change(store, pet);
      return { ...shown };
    },
  });
}

/** Animals that change or vanish. */
export const lifeFaults: readonly Fault[] = [
  fault(
    'read-counts-views',
    repeatable,
    'Each read adds a view counter to the name.',
    afterRead((pet) => {
      pet.name = `${pet.name}+`;
    }),
    few,
  ),
  fault(
    'read-makes-pending',
    repeatable,
    'Reading an animal reserves it: available becomes pending.',
    afterRead((pet) => {
      if (pet.status === 'available') pet.status = 'pending';
    }),
    few,
  ),
  fault(
    'read-alternates',
    repeatable,
    'Two replicas differ in the category of the animal.',
    (parts) => {
      const other = every(2);
      return shownIn('get', (pet) => (other() ? { ...pet, categoryId: pet.categoryId + 1n } : pet))(parts);
    },
    few,
  ),
  fault(
    'read-once-only',
    repeatable,
    'Reading an animal removes it: the second read answers 404.',
    (parts) =>
      rewrite(parts, (reply, context) => {
        const id = isAnswer('getPet', 200)(reply, context) ? parts.parseId(context.call.petId) : undefined;
        const pet = typeof id === 'bigint' ? context.store.byId.get(id) : undefined;
        if (pet !== undefined) removePet(context.store, pet);
        return reply;
      }),
    few,
  ),
  fault(
    'store-keeps-50-created',
    durable,
    'The store is a cache of fifty: older creations vanish.',
    afterInsert((store) => {
      const created = store.animals.filter(({ createdAt }) => createdAt > 0);
      if (created.length > 50 && created[0] !== undefined) removePet(store, created[0]);
    }),
    writing,
  ),
  fault(
    'store-keeps-100',
    durable,
    'The store keeps a hundred animals: the oldest vanish.',
    afterInsert((store) => {
      const oldest = store.animals[0];
      if (store.animals.length > 100 && oldest !== undefined) removePet(store, oldest);
    }),
    writing,
  ),
  fault(
    'created-vanish-after-a-moment',
    durable,
    'Created animals live in a cache of less than half a second, as a test had set it.',
    (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && pet.createdAt > 0 && Date.now() - pet.createdAt > 400 ? undefined : pet;
      },
    }),
    writing,
  ),
  fault(
    'every-tenth-creation-rolled-back',
    durable,
    'Each tenth creation rolls back the one before.',
    (parts) => {
      const back = every(10);
      return afterInsert((store) => {
        const before = store.animals.at(-2);
        if (back() && before !== undefined && before.createdAt > 0) removePet(store, before);
      })(parts);
    },
    writing,
  ),
  fault(
    'creation-updates-category-mates',
    durable,
    'The where clause of the insert trigger is wrong: a new animal sets the status of all of its category.',
    afterInsert((store, pet) => {
      for (const other of store.animals) if (other.categoryId === pet.categoryId) other.status = pet.status;
    }),
    writing,
  ),
  fault(
    'creation-renames-previous',
    durable,
    'An object is reused: a new animal renames the one before.',
    afterInsert((store, pet) => {
      const before = store.animals.at(-2);
      if (before !== undefined) before.name = pet.name;
    }),
    writing,
  ),
  fault(
    'duplicate-name-updates',
    durable,
    'Creating a name that is taken updates that animal and answers it.',
    (parts) => ({
      insert: (store, pet) => {
        const taken = store.animals.find(({ name }) => name === pet.name);
        return taken === undefined ? parts.insert(store, pet) : Object.assign(taken, { categoryId: pet.categoryId, status: pet.status });
      },
    }),
    writing,
  ),
  fault(
    'store-lost-every-150-requests',
    durable,
    'The worker restarts after each 150 requests, and what was created is gone.',
    (parts) => {
      let count = 0;
      return rewrite(parts, (reply, { store }) => {
        count += 1;
        if (count % 150 === 0) for (const pet of store.animals.filter(({ createdAt }) => createdAt > 0)) removePet(store, pet);
        return reply;
      });
    },
    writing,
  ),
  fault(
    'creation-replaces-oldest-created',
    durable,
    'A ring buffer of thirty: a new animal takes the place of an old one.',
    () => ({
      insert: (store, pet) => {
        const created = store.animals.filter(({ createdAt }) => createdAt > 0);
        const old = created.length >= 30 ? created[0] : undefined;
        if (old !== undefined) removePet(store, old);
        addPet(store, pet);
        return pet;
      },
    }),
    writing,
  ),
  fault(
    'second-read-misses',
    durable,
    'The first read moves the animal to the cache, where the second does not find it; the third reads the store again.',
    (parts) => {
      const reads = new Map<bigint, number>();
      return {
        find: (store, id) => {
          reads.set(id, (reads.get(id) ?? 0) + 1);
          return reads.get(id) === 2 ? undefined : parts.find(store, id);
        },
      };
    },
    { seedAnimals: 30, writes: true },
  ),
  fault(
    'listed-animal-crashes-on-read',
    'errors.no-server-error',
    'Reading an animal that is pending crashes.',
    (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet?.status === 'pending' ? crash() : pet;
      },
    }),
    few,
  ),
];
