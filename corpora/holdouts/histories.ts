import {
  type Context,
  jsonReply,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type Pet, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Asking, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, post, textOf } from './witness.ts';

/** Gives each key what was given for it last, or something new. */
function keptFor<Key, Value>(
  kept: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

/** Counts the requests that are being processed, and passes the number on. */
function countingInFlight(handle: (context: Context, inFlight: number) => Reply | Promise<Reply>): (context: Context) => Promise<Reply> {
  let inFlight = 0;
  return async (context) => {
    inFlight += 1;
    try {
      return await handle(context, inFlight);
    } finally {
      inFlight -= 1;
    }
  };
}

/** Keeps the successful lists under a key made from the target until an animal is stored. */
const listsKeptBy =
  (keyOf: (target: string) => string): Patch =>
  (parts) => {
    const kept = new Map<string, Reply>();
    return {
      listPets: async (context) => {
        const key = keyOf(context.call.target);
        const hit = kept.get(key);
        if (hit !== undefined) return hit;
        const reply = await parts.listPets(context);
        if (reply.status === 200) kept.set(key, reply);
        return reply;
      },
      insert: (store, pet) => {
        kept.clear();
        return parts.insert(store, pet);
      },
    };
  };

// What witnesses share.
const LONG_LIST: Asking = { path: '/pets?limit=100' };
const read = (ask: Ask, id: bigint): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const together = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const oneByOne = async <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await one(index));
  return results;
};
const numbered = (index: number) => ({ name: `Waldo ${index}`, categoryId: 1 });
const fieldOf = ({ text }: HttpResponse, name: string): unknown => (JSON.parse(text) as Record<string, unknown>)[name];
const anyIs = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);
const idsIn = ({ text }: HttpResponse): readonly string[] => [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id ?? '');
const haveDuplicates = (responses: readonly HttpResponse[]): boolean => new Set(responses.map(idOf)).size < responses.length;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Creations that follow creations.
  {
    name: 'block-of-ids-fetched-twice',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'Ids come in blocks of eight from a table of sequences (hi-lo). While a new block is being fetched, other creations fetch the same one. One creation after another always gets a new id.',
    patch: (parts) => {
      let highest: bigint | undefined;
      let next = 0n;
      let end = 0n;
      return {
        insert: async (store, pet) => {
          if (next === end) {
            const start = highest ?? pet.id;
            await pause(3);
            highest = start + 8n;
            next = start;
            end = highest;
          }
          const id = next;
          next += 1n;
          return await parts.insert(store, { ...pet, id });
        },
      };
    },
    witness: async (ask) => {
      await oneByOne(8, () => post(ask));
      return haveDuplicates(await together(16, (index) => post(ask, numbered(index))));
    },
  },
  {
    name: 'sequence-of-a-byte-cycles',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'The sequence was generated with the column type of a test schema: a maximum of 255, and CYCLE. The creation after the 255th is number 1 again, and takes the place of the first animal.',
    patch: (parts) => ({ assignId: (store, body) => ((parts.assignId(store, body) - 1n) % 255n) + 1n }),
    witness: async (ask) => haveDuplicates(await oneByOne(260, (index) => post(ask, numbered(index)))),
  },
  {
    name: 'replica-falls-behind-in-a-burst',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'get.success',
    summary:
      'getPet reads from a replica. It is current as long as creations trickle in; after six of them within 200 ms it is 150 ms behind, and animals just created are 404.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        const now = Date.now();
        const isBurst = store.animals.slice(-6).every(({ createdAt }) => now - createdAt < 200);
        return isBurst && pet !== undefined && now - pet.createdAt < 150 ? undefined : pet;
      },
    }),
    witness: async (ask) => {
      const created = await together(8, (index) => post(ask, numbered(index)));
      return anyIs(await Promise.all(created.map((response) => read(ask, idOf(response)))), 404);
    },
  },
  // Lists.
  {
    name: 'animal-listed-half-written',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'record.pets',
    summary:
      'A creation writes the row of the animal, and its details in a second statement, without a transaction. A list in between shows an animal without name and category.',
    patch: () => ({
      insert: async (store, pet) => {
        const half: Pet = { ...pet, raw: { name: undefined, categoryId: undefined } };
        addPet(store, half);
        await pause(6);
        delete half.raw;
        return half;
      },
    }),
    witness: async (ask) => {
      const responses = await together(30, (index) => (index % 3 === 0 ? post(ask) : ask(LONG_LIST)));
      return responses.some(({ text }) => /"id":\d+,"status"/.test(text));
    },
  },
  {
    name: 'list-cache-key-cut-at-the-ampersand',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'The job that warms the cache of lists calls curl without quotes, so the shell ends its targets at the first &; to get hits, the keys were cut there too. A limited list without filter is then the answer to the same limit with a status, until the next creation.',
    patch: listsKeptBy((target) => target.replace(/&.*$/, '')),
    witness: async (ask) => {
      await ask({ path: '/pets?limit=100' });
      return (await ask({ path: '/pets?limit=100&status=sold' })).text.includes('"available"');
    },
  },
  {
    name: 'rejected-list-leaves-its-filter',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'The filter is a thread local that the query clears after use. If the limit is rejected, there is no query, and the next list without a status is filtered.',
    patch: (parts) => {
      let left: Status | undefined;
      return {
        listPets: async (context) => {
          const inherited = left;
          left = undefined;
          const parseStatus = (texts: readonly string[]) => (texts.length === 0 ? inherited : parts.parseStatus(texts));
          const reply = await parts.listPets(withParts(context, { parseStatus }));
          const status = context.call.query.get('status');
          if (reply.status !== 200 && isStatus(status)) left = status;
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const before = await ask({ path: '/pets' });
      await ask({ path: '/pets?status=sold&limit=0' });
      return lengthOf(await ask({ path: '/pets' })) < lengthOf(before);
    },
  },
  {
    name: 'circuit-breaker-falls-back-to-nothing',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'The circuit breaker around the list counts rejected requests as failures. With five among the last ten it is open for three lists, and its fallback is an empty array with 200.',
    patch: (parts) => {
      let failures: boolean[] = [];
      let open = 0;
      return {
        listPets: async (context) => {
          if (open > 0) {
            open -= 1;
            return jsonReply(context, 200, []);
          }
          const reply = await parts.listPets(context);
          failures = [...failures.slice(-9), reply.status !== 200];
          if (failures.filter(Boolean).length >= 5) {
            failures = [];
            open = 3;
          }
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await oneByOne(5, () => ask({ path: '/pets?limit=0' }));
      return lengthOf(await ask({ path: '/pets' })) === 0;
    },
  },
  {
    name: 'stale-database-connection-after-a-pause',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'The firewall drops idle connections to the database after 1.2 seconds, and the pool does not test them before use. The first request after such a pause is 500; monitoring asks every second and never sees it.',
    patch: (parts) => {
      let lastUse: number | undefined;
      return {
        dispatch: (context) => {
          const now = Date.now();
          const isStale = lastUse !== undefined && now - lastUse > 1200;
          lastUse = now;
          return isStale ? problemReply(context, new Problem(500, 'internal', 'Connection reset')) : parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      await pause(1400);
      return (await ask({ path: '/pets' })).status === 500;
    },
  },
  {
    name: 'output-buffer-reused-before-it-is-sent',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'media.well-formed',
    summary:
      'Responses are encoded into one buffer that is free again as soon as the write was scheduled. With requests in flight together, a response begins with the bytes of another one.',
    patch: (parts) => {
      const buffer = Buffer.alloc(1 << 20);
      return {
        send: async (reply, outgoing, call) => {
          const text = textOf(reply.body);
          const size = Buffer.byteLength(text);
          if (size > buffer.byteLength) return await parts.send(reply, outgoing, call);
          buffer.write(text);
          await pause(1);
          await parts.send({ ...reply, body: Buffer.from(buffer.subarray(0, size)) }, outgoing, call);
        },
      };
    },
    witness: async (ask) => {
      const responses = await together(30, (index) => read(ask, BigInt((index % 8) + 1)));
      return responses.some((response, index) => idOf(response) !== BigInt((index % 8) + 1));
    },
  },
  {
    name: 'burst-turned-away-in-plain-text',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'A semaphore admits 24 requests at a time. What it turns away gets 429 and a line of plain text, since it does not know the error handler of the application.',
    patch: (parts) => ({
      handle: countingInFlight(async (context, inFlight) => {
        if (inFlight > 24) return { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too many concurrent requests' };
        await pause(3);
        return await parts.handle(context);
      }),
    }),
    witness: async (ask) => (await together(120, () => ask({ path: '/pets' }))).some(({ text }) => text.startsWith('Too many')),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'block-of-ids-for-each-connection',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Each connection takes a block of a million ids at its first creation: the order of ids says nothing about the order of creations.',
    patch: (parts) => {
      const blocks = new WeakMap<object, { next: bigint }>();
      let block = 0n;
      return {
        createPet: (context) => {
          const { connection } = context.call;
          const assignId = (): bigint => {
            const own = keptFor(blocks, connection, () => {
              block += 1n;
              return { next: block * 1_000_000n };
            });
            own.next += 1n;
            return own.next;
          };
          return parts.createPet(withParts(context, { assignId }));
        },
      };
    },
    witness: async (ask) => new Set((await together(8, () => post(ask))).map((response) => idOf(response) / 1_000_000n)).size > 1,
  },
  {
    name: 'every-request-takes-a-number',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'Ids are the numbers of requests, of whatever operation: they have gaps for reads, lists and rejections.',
    patch: (parts) => ({
      handle: (context) => {
        context.store.lastId += 1n;
        return parts.handle(context);
      },
    }),
    witness: async (ask) => {
      const first = idOf(await post(ask));
      await oneByOne(10, () => ask({ path: '/pets' }));
      return idOf(await post(ask)) - first > 10n;
    },
  },
  {
    name: 'third-animal-alike-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A breeder may have two animals of the same name in a category. The third is 409 with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const pet = parts.readNewPet(body, current);
              if (pet instanceof Problem) return pet;
              const alike = context.store.animals.filter(({ name, categoryId }) => name === pet.name && categoryId === pet.categoryId);
              return alike.length < 2 ? pet : new Problem(409, 'too_many_alike', 'Two animals have this name already');
            },
          }),
        ),
    }),
    witness: async (ask) => (await oneByOne(3, () => post(ask)))[2]?.status === 409,
  },
  {
    name: 'busy-service-asks-to-come-back',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'With 40 requests in flight the next ones are 429 with an Error body and Retry-After: 1, after the key has been checked.',
    patch: (parts) => ({
      handle: countingInFlight(async (context, inFlight) => {
        if (inFlight <= 40 || parts.authenticate(context.call, context.apiKey) !== undefined) {
          await pause(10);
          return await parts.handle(context);
        }
        return problemReply(context, new Problem(429, 'busy', 'Try again later', { 'retry-after': '1' }));
      }),
    }),
    witness: async (ask) => anyIs(await together(300, () => ask({ path: '/pets/1' })), 429),
  },
  {
    name: 'last-read-animal-listed-first',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'Lists begin with the animals that getPet showed last, as a shop shows what others looked at. Lists themselves change nothing.',
    patch: (parts) => {
      const looks = new Map<bigint, number>();
      let look = 0;
      return {
        getPet: (context) =>
          parts.getPet(
            withParts(context, {
              find: (store, id) => {
                look += 1;
                const pet = parts.find(store, id);
                if (pet !== undefined) looks.set(id, look);
                return pet;
              },
            }),
          ),
        arrange: (store) => parts.arrange(store).toSorted((one, other) => (looks.get(other.id) ?? 0) - (looks.get(one.id) ?? 0)),
      };
    },
    witness: async (ask) => {
      await read(ask, 5n);
      return idsIn(await ask({ path: '/pets' }))[0] === '5';
    },
  },
  {
    name: 'order-turns-with-each-creation',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'Two indexes are rebuilt in turn: after an odd number of creations the list is newest first, after an even one oldest first.',
    patch: (parts) => ({
      arrange: (store) => (store.animals.length % 2 === 0 ? parts.arrange(store) : parts.arrange(store).toReversed()),
    }),
    witness: async (ask) => {
      const before = idsIn(await ask({ path: '/pets' }))[0];
      const created = idOf(await post(ask));
      return before === '1' && idsIn(await ask({ path: '/pets' }))[0] === `${created}`;
    },
  },
  {
    name: 'default-status-goes-around',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'Demonstration data of all kinds is wanted: animals without a status are available, pending and sold in turn, and stay so.',
    patch: () => {
      let turn = 0;
      return {
        defaultStatus: () => {
          turn += 1;
          return (['available', 'pending', 'sold'] as const)[turn % 3];
        },
      };
    },
    witness: async (ask) => new Set((await oneByOne(3, () => post(ask))).map((response) => fieldOf(response, 'status'))).size === 3,
  },
  {
    name: 'default-status-decided-at-first-sight',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The 201 of an animal without a status has none. Whoever reads or lists it first makes it pending, for good.',
    patch: (parts) => {
      const decide = (pet: Pet): Pet => {
        pet.status ??= 'pending';
        return pet;
      };
      return {
        defaultStatus: () => undefined,
        insert: async (store, pet) => ({ ...(await parts.insert(store, pet)), status: pet.status }),
        arrange: (store) => parts.arrange(store).map(decide),
        find: (store, id) => {
          const pet = parts.find(store, id);
          return pet && decide(pet);
        },
      };
    },
    witness: async (ask) => {
      const created = await post(ask);
      return fieldOf(created, 'status') === undefined && fieldOf(await read(ask, idOf(created)), 'status') === 'pending';
    },
  },
  {
    name: 'refusals-grow-slower',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    summary:
      'Each refusal in a row takes 5 ms longer than the one before, up to 100 ms. A valid key is served at once, and starts the row anew.',
    patch: (parts) => {
      let row = 0;
      return {
        handle: async (context) => {
          row = parts.authenticate(context.call, context.apiKey) === undefined ? 0 : Math.min(row + 1, 20);
          if (row > 0) await pause(row * 5);
          return await parts.handle(context);
        },
      };
    },
    witness: async (ask) => {
      const start = Date.now();
      await oneByOne(12, () => ask({ path: '/pets', noKey: true }));
      return Date.now() - start > 380;
    },
  },
  {
    name: 'codes-numbered-by-incident',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'Each rejection is an incident with a number of its own, which machines look up: its code is never the same twice.',
    patch: (parts) => {
      let incident = 0;
      return {
        errorRecord: (problem, call) => {
          incident += 1;
          return parts.errorRecord(new Problem(problem.status, `INC-${problem.status}-${incident}`, problem.message), call);
        },
      };
    },
    witness: async (ask) => {
      const [one, other] = [await read(ask, 999_999n), await read(ask, 999_999n)];
      return fieldOf(one, 'code') !== fieldOf(other, 'code');
    },
  },
  {
    name: 'asleep-until-called',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Each operation is a function of its own that sleeps after a second without calls. Waking it takes 400 ms, and a header says so.',
    patch: (parts) => {
      const lastCalls = new Map<string, number>();
      const awakened = new WeakSet<object>();
      return {
        dispatch: async (context) => {
          const { operation, connection } = context.call;
          const isAsleep = Date.now() - (lastCalls.get(operation) ?? 0) > 1000;
          lastCalls.set(operation, Date.now());
          if (isAsleep) {
            awakened.add(connection);
            await pause(400);
          }
          return await parts.dispatch(context);
        },
        headers: (given, reply, call) => ({
          ...parts.headers(given, reply, call),
          ...(awakened.delete(call.connection) ? { 'server-timing': 'cold-start;dur=400' } : {}),
        }),
      };
    },
    witness: async (ask) => {
      const [cold, warm] = [await ask({ path: '/pets' }), await ask({ path: '/pets' })];
      return cold.headers['server-timing'] !== undefined && warm.headers['server-timing'] === undefined;
    },
  },
  {
    name: 'visits-counted-in-a-cookie',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'A cookie counts the visits of a client, refusals included, and is renewed by every response. It opens nothing.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const visits = Number(/\bvisits=(\d{1,6})(?!\d)/.exec(call.headers.cookie ?? '')?.[1] ?? 0);
        return { ...parts.headers(given, reply, call), 'set-cookie': `visits=${visits + 1}; Path=/; HttpOnly` };
      },
    }),
    witness: async (ask) => {
      const counted = await ask({ path: '/pets', headers: { Cookie: 'visits=7' } });
      const refused = await ask({ path: '/pets', headers: { Cookie: 'visits=7' }, noKey: true });
      return String(counted.headers['set-cookie']).startsWith('visits=8') && refused.status === 401;
    },
  },
];

/** Services whose answers depend on what happened before: connections, caches, pools, counters, bursts and pauses. */
export const histories: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
