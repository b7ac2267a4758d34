// Creations that store no animal of their own, or more than one, and rejected ones that store any.

import { isInt64, isObject, type Json, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import { type Call, type Context, invalid, type Parts, type Patch, Problem, pause, withParts } from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type NewPet, type Pet, removePet, type Status } from '../../src/reference/core/store.ts';
import { faultsOf, needing, shipped, WRITES } from './fault.ts';
import { showPet } from './patches/animals.ts';
import { type Asked, hasUnknownMember, readWith, storePet } from './patches/creations.ts';
import { header, isCreated, isProblem, onEveryNth, reject, rejectForMoments, rewriteIf } from './patches/exchanges.ts';

/** Counts ids within the animals of one category, or of one status. */
function idsPer(member: 'categoryId' | 'status'): Patch {
  return storePet((pet, { animals }) => ({ id: BigInt(animals.filter((other) => other[member] === pet[member]).length + 1) }));
}

/** Ids that are not unique, and creations that do not create an animal of their own. */
export const createIdAssigned = faultsOf(needing(WRITES, 'create.id-assigned'), {
  'duplicate-name-answers-existing-as-created': [
    'A NewPet equal to an existing animal is not stored again; the 201 shows that animal.',
    (parts) => ({
      insert: (store, pet) => {
        const same = store.animals.find((other) => other.name === pet.name && other.categoryId === pet.categoryId);
        return same ?? parts.insert(store, pet);
      },
    }),
  ],
  'creation-stored-twice': [
    'The request handler is registered twice, and each creation is stored twice.',
    (parts) => ({
      insert: async (store, pet) => {
        const stored = await parts.insert(store, pet);
        await parts.insert(store, { ...pet, id: parts.assignId(store, null) });
        return stored;
      },
    }),
  ],
  'ids-race': [
    'The next id is read, awaited, then written: concurrent creations get the same one.',
    (parts) => ({
      insert: async (store, pet) => {
        const id = BigInt(store.animals.length) + 1_000_000n;
        await pause(5);
        return await parts.insert(store, { ...pet, id });
      },
    }),
  ],
  'ids-of-milliseconds': [
    'The id is the time in tens of milliseconds: simultaneous creations share it.',
    () => ({ assignId: () => BigInt(Date.now()) / 10n }),
  ],
  'ids-from-small-space': ['The id is a random number below 50.', () => ({ assignId: () => BigInt(Math.floor(Math.random() * 50) + 1) })],
  'ids-per-category': ['Ids are counted per category.', idsPer('categoryId')],
  'ids-per-status': ['Ids are counted per status: three tables, three sequences.', idsPer('status')],
  'ids-always-zero': ['The 201 shows id 0: it is read before the database assigns one.', showPet('create', () => ({ id: 0n }))],
  'ids-in-doubles': [
    'Snowflake ids pass through doubles: neighbors become equal.',
    (parts) => ({
      assignId: (store, body) => 2n ** 60n + parts.assignId(store, body),
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), id: Number(pet.id) }),
    }),
  ],
  'ids-reused-every-tenth': [
    'Every tenth creation gets the id of the previous one: a cached sequence value.',
    onEveryNth(10, (isTurn) => (parts) => ({
      assignId: (store, body) => (isTurn() && store.lastId > 0n ? store.lastId : parts.assignId(store, body)),
    })),
  ],
});

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

const LONGEST_NAME = 200;

/** Stores something, then rejects with 400. */
function storeRejected(judge: (body: Json, rejection: Problem) => NewPet | undefined): Patch {
  return (parts) => ({
    createPet: async (context) => {
      const readNewPet: Parts['readNewPet'] = (body, all) => {
        const newPet = parts.readNewPet(body, all);
        const stored = isProblem(newPet) ? judge(body, newPet) : undefined;
        if (stored !== undefined) {
          addPet(context.store, { ...stored, id: parts.assignId(context.store, body), createdAt: Date.now() });
        }
        return newPet;
      };
      return await parts.createPet(withParts(context, { readNewPet }));
    },
  });
}

/** Stores what the document allows it to reject, and then rejects it. */
function storeThenReject(status: number, rejects: (asked: Asked) => boolean): Patch {
  return (parts) =>
    readWith((asked, { store }) => {
      if (!rejects(asked)) return asked.newPet;
      const shown = asked.newPet.status ?? parts.defaultStatus();
      addPet(store, { ...asked.newPet, status: shown, id: parts.assignId(store, asked.body), createdAt: Date.now() });
      return new Problem(status, 'refused', 'The animal is not accepted');
    })(parts);
}

function nameOf(body: Json): string {
  return isObject(body) && typeof body['name'] === 'string' ? body['name'] : '';
}

/** Rejected creations that are stored, or remove an animal. */
export const createRefusedStoresNothing = faultsOf(needing(WRITES, 'create.refused-stores-nothing'), {
  'refused-creation-stored': [
    'Validation comes after the insert: every rejected body is stored.',
    storeRejected((body) => ({ name: nameOf(body), categoryId: 1n, status: 'available' })),
  ],
  'refused-status-stored': [
    'A bad status is rejected after the insert.',
    storeRejected((body, { code }) => (code === 'invalid_status' ? { name: nameOf(body), categoryId: 1n } : undefined)),
  ],
  'refused-category-stored': [
    'A bad categoryId is rejected after the insert.',
    storeRejected((body, { code }) => (code === 'invalid_category' ? { name: nameOf(body), categoryId: 0n } : undefined)),
  ],
  'refused-name-stored': [
    'A bad name is rejected after the insert.',
    storeRejected((_body, { code }) => (code === 'invalid_name' ? { name: '', categoryId: 1n } : undefined)),
  ],
  'refused-unknown-member-stored': [
    'An unknown member is rejected after the insert.',
    storeThenReject(400, ({ body }) => hasUnknownMember(body)),
  ],
  'refused-client-id-stored': [
    'An id in the body is rejected after the insert.',
    storeThenReject(400, ({ body }) => Boolean(isObject(body) && Object.hasOwn(body, 'id'))),
  ],
  'refused-media-type-stored': [
    'A filter that runs after the handler rejects other media types with 415.',
    storeThenReject(415, ({ call }) => !header(call, 'content-type').includes('json')),
  ],
  'refused-negative-category-stored': [
    'A foreign key rejects a negative category after the animal was committed.',
    storeThenReject(400, ({ newPet }) => newPet.categoryId < 0n),
  ],
  'refused-long-name-stored': [
    'A long name is rejected with 413 after the insert.',
    storeThenReject(413, ({ newPet }) => newPet.name.length > LONGEST_NAME),
  ],
  'refused-status-removes-newest': [
    'The rollback of a creation with a bad status deletes the newest animal, which is a different one.',
    (parts) => ({
      createPet: (context) => {
        const readStatus: Parts['readStatus'] = (value) => {
          const status = parts.readStatus(value);
          const newest = context.store.animals.at(-1);
          if (isProblem(status) && newest !== undefined) removePet(context.store, newest);
          return status;
        };
        return parts.createPet(withParts(context, { readStatus }));
      },
    }),
  ],
});

function respondWith(status: number, body?: string): Patch {
  return rewriteIf(isCreated, () => (body === undefined ? { status } : { status, body }));
}

function rejectCreation(problem: (call: Call) => Problem | undefined): Patch {
  return reject(({ call }) => (call.operation === 'createPet' ? problem(call) : undefined));
}

/** Rejects bodies whose text contains something without a meaning. */
function rejectText(pattern: RegExp): Patch {
  return (parts) => ({
    readBody: (bytes, call) =>
      pattern.test(new TextDecoder().decode(bytes)) ? invalid('the body is malformed') : parts.readBody(bytes, call),
  });
}

/** Creations that do not return 201 with the created Pet. */
export const createSuccess = faultsOf(needing(WRITES, 'create.success'), {
  'create-answers-200': shipped('create-answers-200'),
  'create-answers-202': ['A creation returns 202: it is queued.', respondWith(202)],
  'create-answers-204': ['A creation returns 204 without a body.', respondWith(204, '')],
  'create-answers-empty-body': ['A creation returns 201 without a body.', respondWith(201, '')],
  'create-redirects': [
    'A creation returns 303 with the location of the animal.',
    rewriteIf(isCreated, ({ headers }) => ({ status: 303, headers: { ...headers, location: '/v1/pets' } })),
  ],
  'create-not-allowed': ['POST is not routed: 405.', rejectCreation(() => new Problem(405, 'method_not_allowed', 'POST is not allowed'))],
  'create-not-found': ['POST is not routed: 404.', rejectCreation(() => new Problem(404, 'not_found', 'There is no such operation'))],
  'create-needs-accept': [
    'Without exactly Accept: application/json a creation returns 406.',
    rejectCreation((call) =>
      header(call, 'accept').startsWith('application/json')
        ? undefined
        : new Problem(406, 'not_acceptable', 'Send Accept: application/json'),
    ),
  ],
  'create-needs-idempotency-key': [
    'Without Idempotency-Key a creation returns 428.',
    rejectCreation((call) =>
      header(call, 'idempotency-key') === '' ? new Problem(428, 'precondition_required', 'Send Idempotency-Key') : undefined,
    ),
  ],
  'create-needs-id': [
    'The same schema serves requests and responses: a body without id returns 400.',
    (parts) => ({
      readNewPet: (body, all) =>
        JSON.stringify(body)?.includes('"id"') ? parts.readNewPet(body, all) : new Problem(400, 'missing_id', 'id is required'),
    }),
  ],
  'create-refuses-second-in-category': [
    'A category holds at most ten animals; further creations return 409.',
    (parts) => ({
      createPet: (context) => {
        const isFull = context.store.animals.filter(({ createdAt }) => createdAt > 0).length >= 10;
        const readNewPet = () => new Problem(409, 'conflict', 'The category is full');
        return parts.createPet(isFull ? withParts(context, { readNewPet }) : context);
      },
    }),
  ],
  'json-media-type-compared-by-letter': [
    'The media type of a body is compared letter by letter: any other letter case than application/json returns 415.',
    (parts) => ({
      createPet: (context) => {
        const type = header(context.call, 'content-type');
        const isOther = type !== type.toLowerCase() && type.toLowerCase() === 'application/json';
        const readNewPet = () => new Problem(415, 'unsupported_media_type', 'The body must be application/json');
        return parts.createPet(isOther ? withParts(context, { readNewPet }) : context);
      },
    }),
  ],
  'create-answers-null': ['The 201 body is null.', respondWith(201, 'null')],
  'body-with-status-first-refused': [
    'The body is matched by a pattern that starts with name or category.',
    rejectText(/^\s*\{\s*"status"/),
  ],
  'escape-in-status-refused': ['The status is searched for in the raw text of the body.', rejectText(/"status"\s*:\s*"[^"]*\\u/)],
  'create-gone-for-moments': [
    'A new leader is elected every forty creations, and for 150 ms creations return 409.',
    rejectForMoments('createPet', { every: 40, problem: new Problem(409, 'no_leader', 'There is no leader') }),
  ],
  'creation-after-missing-animal-not-found': [
    'The problem of a request is kept with the connection and not cleared where an animal is missing: a creation right after that returns 404, too.',
    (parts) => {
      const missing = new WeakSet<object>();
      return {
        getPet: async (context) => {
          const reply = await parts.getPet(context);
          if (reply.status === 404) missing.add(context.call.connection);
          return reply;
        },
        listPets: (context) => {
          missing.delete(context.call.connection);
          return parts.listPets(context);
        },
        createPet: (context) => {
          const isMissing = missing.delete(context.call.connection);
          const readNewPet = () => new Problem(404, 'not_found', 'The animal does not exist');
          return parts.createPet(isMissing ? withParts(context, { readNewPet }) : context);
        },
      };
    },
  ],
  'chunked-body-ignored': [
    'The gateway interface reads bodies by Content-Length only: a chunked body counts as empty.',
    (parts) => ({
      readBody: (bytes, call) => parts.readBody(call.headers['content-length'] === undefined ? new Uint8Array() : bytes, call),
    }),
  ],
  'first-piece-of-body-read': [
    'Only the first chunk of a body is read, whatever Content-Length says.',
    (parts) => ({ readBody: (bytes, call) => parts.readBody(bytes.subarray(0, call.firstPiece()), call) }),
  ],
  'duplicate-name-answered-200': [
    'Creating an animal with a taken name stores it and returns 200, as if it were an update.',
    (parts) => ({
      createPet: (context) => {
        let taken = false;
        const insert: Parts['insert'] = (store, pet) => {
          taken = store.animals.some(({ name }) => name === pet.name);
          return parts.insert(store, pet);
        };
        const createdStatus = () => (taken ? 200 : parts.createdStatus());
        return parts.createPet(withParts(context, { insert, createdStatus }));
      },
    }),
  ],
});
