import { type Patch, Problem, pause, type Reply } from '../../src/reference/core/parts.ts';
import { addPet, type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import { FEW, FULL_PAGE, faultsOf, needing, WRITES } from './fault.ts';
import { badId, findOther, hide, onId, onNewestFirst, showPet, unfilteredShowsOnly } from './patches/animals.ts';
import { everyNth, isRead, isReplyTo, onEveryNth, reject, rejectForMoments, rewrite, rewriteIf } from './patches/exchanges.ts';

/** Two views of one animal that differ. */
export const getAgreesWithList = faultsOf(needing(FEW, 'get.agrees-with-list'), {
  'get-name-lower-case': [
    'getPet shows the search key; the list shows the name.',
    showPet('get', (pet) => ({ name: pet.name.toLowerCase() })),
  ],
  'get-status-stale': ['getPet always shows available; the list shows the status.', showPet('get', () => ({ status: 'available' }))],
  'get-without-status': ['getPet omits the status; the list shows it.', showPet('get', () => ({ status: undefined }))],
  'get-category-other': ['getPet shows the parent category.', showPet('get', (pet) => ({ categoryId: pet.categoryId * 100n }))],
  'list-name-shortened': [
    'The list abbreviates names of more than four letters with dots.',
    showPet('list', (pet) => (pet.name.length > 4 ? { name: `${pet.name.slice(0, 3)}...` } : {})),
  ],
  'list-without-status': ['The list omits the status; getPet shows it.', showPet('list', () => ({ status: undefined }))],
  'list-category-zero': ['The list shows categoryId 0: the relation is not joined.', showPet('list', () => ({ categoryId: 0n }))],
  'list-status-stale': [
    'The list shows pending where getPet shows sold.',
    showPet('list', (pet) => ({ status: pet.status === 'sold' ? 'pending' : pet.status })),
  ],
});

/** Changes the store after each creation. */
function afterInsert(change: (store: Store, pet: Pet) => void): Patch {
  return (parts) => ({
    insert: async (store, pet) => {
      const shown = await parts.insert(store, pet);
      change(store, pet);
      return { ...shown };
    },
  });
}

/** Animals that disappear or change because of other animals. */
export const getDurable = faultsOf(needing(WRITES, 'get.durable'), {
  'store-keeps-50-created': [
    'The store is a cache of fifty: older creations vanish.',
    afterInsert((store) => {
      const created = store.animals.filter(({ createdAt }) => createdAt > 0);
      if (created.length > 50 && created[0] !== undefined) removePet(store, created[0]);
    }),
  ],
  'get-gone-for-moments': [
    'The worker that serves getPet is recycled every hundred requests, and for 150 ms the router has no route to it: 404.',
    rejectForMoments('getPet', { every: 100, problem: new Problem(404, 'not_found', 'There is no such route') }),
  ],
  'every-thirtieth-read-misses': [
    'One of the thirty connections of the pool leads to an empty replica: every read through it returns 404.',
    onEveryNth(30, (isTurn) =>
      reject(({ call }) =>
        call.operation === 'getPet' && isTurn() ? new Problem(404, 'not_found', 'There is no such animal') : undefined,
      ),
    ),
  ],
  'store-keeps-100': [
    'The store keeps a hundred animals: the oldest vanish.',
    afterInsert((store) => {
      const oldest = store.animals[0];
      if (store.animals.length > 100 && oldest !== undefined) removePet(store, oldest);
    }),
  ],
  'every-tenth-creation-rolled-back': [
    'Every tenth creation rolls back the previous one.',
    onEveryNth(10, (isTurn) =>
      afterInsert((store) => {
        const before = store.animals.at(-2);
        if (isTurn() && before !== undefined && before.createdAt > 0) removePet(store, before);
      }),
    ),
  ],
  'creation-updates-category-mates': [
    'The insert trigger has the wrong WHERE clause: a new animal sets the status of all animals in its category.',
    afterInsert((store, pet) => {
      for (const other of store.animals) if (other.categoryId === pet.categoryId) other.status = pet.status;
    }),
  ],
  'creation-renames-previous': [
    'A reused object: a new animal renames the previous one.',
    afterInsert((store, pet) => {
      const before = store.animals.at(-2);
      if (before !== undefined) before.name = pet.name;
    }),
  ],
  'duplicate-name-updates': [
    'Creating an animal with a taken name updates and returns the existing one.',
    (parts) => ({
      insert: (store, pet) => {
        const taken = store.animals.find(({ name }) => name === pet.name);
        return taken === undefined ? parts.insert(store, pet) : Object.assign(taken, { categoryId: pet.categoryId, status: pet.status });
      },
    }),
  ],
  'store-lost-every-150-requests': [
    'The worker restarts every 150 requests and loses what was created.',
    onEveryNth(150, (isTurn) =>
      rewrite((reply, { store }) => {
        if (isTurn()) for (const pet of store.animals.filter(({ createdAt }) => createdAt > 0)) removePet(store, pet);
        return reply;
      }),
    ),
  ],
  'creation-replaces-oldest-created': [
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
  ],
  'second-read-misses': [
    'The first read moves the animal to the cache, where the second read does not find it; the third reads the store again.',
    (parts) => {
      const reads = new Map<bigint, number>();
      return {
        find: (store, id) => {
          reads.set(id, (reads.get(id) ?? 0) + 1);
          return reads.get(id) === 2 ? undefined : parts.find(store, id);
        },
      };
    },
    FULL_PAGE,
  ],
  'creation-evicts-oldest': [
    'The store is a ring: each creation takes the place of the oldest imported animal.',
    (parts) => ({
      insert: (store, pet) => {
        const oldest = store.animals.find(({ createdAt }) => createdAt === 0);
        if (oldest !== undefined) removePet(store, oldest);
        return parts.insert(store, pet);
      },
    }),
    FULL_PAGE,
  ],
  'created-vanish-after-a-moment': [
    'Created animals live in a cache for less than half a second, a leftover test setting.',
    hide(({ createdAt }) => createdAt > 0 && Date.now() - createdAt > 400),
    WRITES,
  ],
});

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

/** Returns something other than 404 for a missing animal. */
function respondMissing(change: Partial<Reply>): Patch {
  return rewriteIf(isReplyTo('getPet', 404), () => change);
}

/** Rejects a missing animal with another problem. */
function rejectMissing(status: number, code: string, message: string): Patch {
  return (parts) =>
    reject(({ call, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return typeof id === 'bigint' && parts.find(store, id) === undefined ? new Problem(status, code, message) : undefined;
    })(parts);
}

/** Missing animals that do not return 404. */
export const getNotFound = faultsOf('get.not-found', {
  'missing-animal-null': ['A missing animal returns 200 null.', respondMissing({ status: 200, body: 'null' })],
  'missing-animal-empty-object': ['A missing animal returns 200 {}.', respondMissing({ status: 200, body: '{}' })],
  'missing-animal-empty-array': ['A missing animal returns 200 [].', respondMissing({ status: 200, body: '[]' })],
  'missing-animal-no-content': ['A missing animal returns 204.', respondMissing({ status: 204, body: '' })],
  'missing-animal-ok-error': ['A missing animal returns 200 with an Error body.', respondMissing({ status: 200 })],
  'missing-animal-bad-request': [
    'A missing animal returns 400.',
    (parts) => ({
      errorStatus: (problem, call) => (call.operation === 'getPet' && problem.status === 404 ? 400 : parts.errorStatus(problem, call)),
      errorRecord: (problem, call) =>
        parts.errorRecord(
          call.operation === 'getPet' && problem.status === 404 ? new Problem(400, problem.code, problem.message) : problem,
          call,
        ),
    }),
  ],
  'missing-animal-gone': ['A missing animal returns 410.', rejectMissing(410, 'gone', 'The animal is gone')],
  'missing-animal-forbidden': ['A missing animal returns 403.', rejectMissing(403, 'forbidden', 'Not your animal')],
  'missing-animal-made-up': [
    'A missing animal returns a made-up one with the requested id.',
    findOther((_store, id, found) => found ?? { id, name: 'Unknown', categoryId: 1n, status: 'available', createdAt: 0 }),
  ],
  'missing-animal-redirects': [
    'A missing animal redirects to the list.',
    rewriteIf(isReplyTo('getPet', 404), ({ headers }) => ({ status: 302, headers: { ...headers, location: '/v1/pets' } })),
  ],
  'missing-animal-nearest': [
    'A missing id returns the first animal.',
    findOther((store, _id, found) => (found === undefined ? store.animals[0] : undefined)),
    FEW,
  ],
  'beyond-int32-bad-request': ['A missing id beyond 32 bits returns 400.', onId((id) => BigInt.asIntN(32, id) !== id, badId)],
  'beyond-2-53-bad-request': ['A missing id beyond 2^53 returns 400.', onId((id) => id > 2n ** 53n || id < -(2n ** 53n), badId)],
  'negative-id-bad-request': ['A missing negative id returns 400.', onId((id) => id < 0n, badId)],
  'zero-id-answers-animal': ['Id 0 returns the first animal.', findOther((store, id) => (id === 0n ? store.animals[0] : undefined)), FEW],
  'largest-id-bad-request': ['The largest int64 returns 400.', onId((id) => id === 2n ** 63n - 1n, badId)],
  'smallest-id-bad-request': ['The smallest int64 returns 400.', onId((id) => id === -(2n ** 63n), badId)],
  'id-wrapped-to-int32': [
    'petId wraps around at 32 bits: 4294967297 returns animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, BigInt.asIntN(32, id)) }),
    FEW,
  ],
  'id-sign-ignored': [
    'The sign of petId is lost: -1 returns animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, id < 0n ? -id : id) }),
    FEW,
  ],
});

/** Changes the stored animal after it was read. */
function afterRead(change: (pet: Pet, store: Store) => void): Patch {
  return (parts) =>
    rewrite((reply, context) => {
      const id = isRead(reply, context) ? parts.parseId(context.call.petId) : undefined;
      const pet = typeof id === 'bigint' ? context.store.byId.get(id) : undefined;
      if (pet !== undefined) change(pet, context.store);
      return reply;
    })(parts);
}

/** Reads that change what the next one shows. */
export const getRepeatable = faultsOf(needing(FEW, 'get.repeatable'), {
  'read-counts-views': [
    'Each read adds a view counter to the name.',
    afterRead((pet) => {
      pet.name = `${pet.name}+`;
    }),
  ],
  'read-makes-pending': [
    'Reading an animal reserves it: available becomes pending.',
    afterRead((pet) => {
      if (pet.status === 'available') pet.status = 'pending';
    }),
  ],
  'read-alternates': [
    'Two replicas differ in the category of the animal.',
    onEveryNth(2, (isOther) => showPet('get', (pet) => (isOther() ? { categoryId: pet.categoryId + 1n } : {}))),
  ],
  'read-once-only': ['Reading an animal removes it: the second read returns 404.', afterRead((pet, store) => removePet(store, pet))],
  'read-unlists': [
    'An animal that was read counts as seen and disappears from the unfiltered list.',
    onNewestFirst((parts) => {
      const read = new Set<bigint>();
      return {
        find: (store, id) => {
          read.add(id);
          return parts.find(store, id);
        },
        ...unfilteredShowsOnly(({ id }) => !read.has(id))(parts),
      };
    }),
    FULL_PAGE,
  ],
});

/** Animals that cannot be read. */
export const getSuccess = faultsOf('get.success', {
  'get-misses-even-ids': ['One of two partitions is not queried: even ids return 404.', hide(({ id }) => id % 2n === 0n), FEW],
  'get-misses-sold': ['Reading a sold animal returns 404.', hide(({ status }) => status === 'sold'), FEW],
  'get-misses-default-status': [
    'Reading an animal created without a status returns 404.',
    (parts) => ({ defaultStatus: () => undefined, ...hide(({ status }) => status === undefined)(parts) }),
    FEW,
  ],
  'get-misses-newest': [
    'Reading the newest animal returns 404 until another one is created.',
    hide((pet, { animals }) => pet === animals.at(-1)),
    WRITES,
  ],
  'get-misses-negative-ids': [
    'Ids are random int64, and negative ones are not routed: 404.',
    (parts) => ({
      assignId: (store, body) => (parts.assignId(store, body) % 2n === 0n ? 1n : -1n) * (store.lastId + 1000n),
      ...hide(({ id }) => id < 0n)(parts),
    }),
    FEW,
  ],
  'get-refuses-large-ids': [
    'Ids are snowflakes, and those beyond 2^53 return 400.',
    (parts) => ({ assignId: (store, body) => 2n ** 60n + parts.assignId(store, body), ...onId((id) => id > 2n ** 53n, badId)(parts) }),
    FEW,
  ],
  'get-not-modified': [
    'Every second read of an animal returns 304.',
    onEveryNth(2, (isTurn) =>
      rewriteIf(
        (reply, context) => isRead(reply, context) && isTurn(),
        () => ({ status: 304, body: '' }),
      ),
    ),
    FEW,
  ],
  'get-redirects': [
    'Reading an animal returns 301 to the id followed by a slash.',
    rewriteIf(isRead, ({ headers }) => ({ status: 301, headers: { ...headers, location: '/v1/pets/1/' } })),
    FEW,
  ],
  'list-shows-row-numbers': [
    'The list shows row numbers as ids: getPet does not find them.',
    showPet('list', (pet) => ({ id: pet.id + 500_000n })),
    FEW,
  ],
});
