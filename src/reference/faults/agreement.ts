import { integerLiteral } from '../core/json.ts';
import type { Parts, Place } from '../core/parts.ts';
import type { Pet, Status } from '../core/pet.ts';
import { addPet, removePet } from '../core/store.ts';
import { type Fault, fault, few, writing } from './fault.ts';
import { crash, every, isAnswer, rewrite } from './helpers.ts';

const agrees = 'get.agrees-with-list';
const repeatable = 'get.repeatable';
const durable = 'get.durable';
const same = 'record.same-animal';

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

const nextStatus: Record<Status, Status> = { available: 'pending', pending: 'sold', sold: 'available' };

/** Two views of one animal that differ. */
export const agreementFaults: readonly Fault[] = [
  fault(
    'get-name-lower-case',
    agrees,
    'getPet shows the search key, the list the name.',
    shownIn('get', (pet) => ({ ...pet, name: pet.name.toLowerCase() })),
    few,
  ),
  fault(
    'get-status-stale',
    agrees,
    'getPet shows available where the list shows the status.',
    shownIn('get', (pet) => ({ ...pet, status: 'available' })),
    few,
  ),
  fault(
    'get-without-status',
    agrees,
    'getPet leaves the status out, the list shows it.',
    shownIn('get', (pet) => ({ ...pet, status: undefined })),
    few,
  ),
  fault(
    'get-category-other',
    agrees,
    'getPet shows the parent category.',
    shownIn('get', (pet) => ({ ...pet, categoryId: pet.categoryId * 100n })),
    few,
  ),
  fault(
    'list-name-shortened',
    agrees,
    'The list shows names of more than five letters with dots.',
    shownIn('list', (pet) => (pet.name.length > 5 ? { ...pet, name: `${pet.name.slice(0, 4)}...` } : pet)),
    few,
  ),
  fault(
    'list-without-status',
    agrees,
    'The list leaves the status out, getPet shows it.',
    shownIn('list', (pet) => ({ ...pet, status: undefined })),
    few,
  ),
  fault(
    'list-category-zero',
    agrees,
    'The list shows categoryId 0: the relation is not joined.',
    shownIn('list', (pet) => ({ ...pet, categoryId: 0n })),
    few,
  ),
  fault(
    'list-status-stale',
    agrees,
    'The list shows pending where getPet shows sold.',
    shownIn('list', (pet) => ({ ...pet, status: pet.status === 'sold' ? 'pending' : pet.status })),
    few,
  ),
  fault(
    'list-shows-row-numbers',
    agrees,
    'The list shows row numbers as ids: getPet does not find them.',
    shownIn('list', (pet) => ({ ...pet, id: pet.id + 500_000n })),
    few,
  ),
  fault(
    'list-ids-in-doubles',
    agrees,
    'Ids are snowflakes, exact in getPet, and doubles in the list.',
    (parts) => ({
      assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
      petRecord: (pet, place) =>
        place === 'list' ? { ...parts.petRecord(pet, place), id: integerLiteral(BigInt(Number(pet.id))) } : parts.petRecord(pet, place),
    }),
    few,
  ),
  fault(
    'filtered-list-shows-asked-status',
    same,
    'A list with a filter is not filtered but shows the asked status in each animal.',
    (parts) => ({
      listPets: (context) => {
        const asked = parts.parseStatus(context.call.query.getAll('status'));
        if (typeof asked !== 'string') return parts.listPets(context);
        const petRecord: Parts['petRecord'] = (pet, place) => parts.petRecord({ ...pet, status: asked }, place);
        return parts.listPets({ ...context, parts: { ...context.parts, matches: () => true, petRecord } });
      },
    }),
    few,
  ),
  fault(
    'list-rows-shifted-now-and-then',
    same,
    'Every fourth list has the names shifted by one row.',
    (parts) => {
      const shifts = every(4);
      return {
        page: (animals, query, call) => {
          const shown = parts.page(animals, query, call);
          return shifts() ? shown.map((pet, index) => ({ ...pet, name: (shown[index + 1] ?? shown[0] ?? pet).name })) : shown;
        },
      };
    },
    few,
  ),
  fault(
    'list-statuses-rotate-now-and-then',
    same,
    'Every fourth list without filter shows the statuses of a former release.',
    (parts) => {
      const old = every(4);
      return {
        page: (animals, query, call) => {
          const shown = parts.page(animals, query, call);
          return query.status === undefined && old()
            ? shown.map((pet) => ({ ...pet, status: pet.status && nextStatus[pet.status] }))
            : shown;
        },
      };
    },
    few,
  ),
];

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
    'created-vanish-after-three-seconds',
    durable,
    'Created animals live in a session of three seconds.',
    (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && pet.createdAt > 0 && Date.now() - pet.createdAt > 3000 ? undefined : pet;
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
    'store-lost-after-200-requests',
    durable,
    'The worker restarts after two hundred requests, and what was created is gone.',
    (parts) => {
      let count = 0;
      return rewrite(parts, (reply, { store }) => {
        count += 1;
        if (count === 200) for (const pet of store.animals.filter(({ createdAt }) => createdAt > 0)) removePet(store, pet);
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
