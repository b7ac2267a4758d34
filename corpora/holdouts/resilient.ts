import { gzipSync } from 'node:zlib';
import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject, member } from '../../src/reference/core/json.ts';
import { invalid, Problem, pause, problemReply, type Reply, unauthorized, withoutHeaders } from '../../src/reference/core/parts.ts';
import { type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { around, withCall } from './patches.ts';
import { idOf, lengthOf, parses, post, textOf } from './witness.ts';

// What patches share.

/** How much the store has changed: nothing is ever removed or updated. */
const versionOf = (store: Store): number => store.animals.length;

const takesGzip = (accepted: string | string[] | undefined): boolean => /\bgzip\b/.test(String(accepted ?? ''));

/** Counts how many run at the same time; `run` is told the number, itself included. */
function counting(): <R>(run: (running: number) => R | Promise<R>) => Promise<R> {
  let running = 0;
  return async (run) => {
    running += 1;
    try {
      return await run(running);
    } finally {
      running -= 1;
    }
  };
}

// What witnesses share.

const together = <R>(count: number, make: (index: number) => Promise<R>): Promise<readonly R[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const inTurn = async <R>(count: number, make: (index: number) => Promise<R>): Promise<readonly R[]> => {
  const made: R[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make(index));
  return made;
};
const letters = (index: number): string => String.fromCharCode(65 + (index % 26), 97 + Math.floor(index / 26));
const postMany = (ask: Ask, count: number): Promise<readonly HttpResponse[]> =>
  together(count, (index) => post(ask, { name: `Waldo${letters(index)}`, categoryId: 1, status: 'available' }));
const listAll = async (ask: Ask): Promise<string> => (await ask({ path: '/pets?limit=100' })).text;
const read = (ask: Ask, id: bigint | number): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const someLost = async (ask: Ask, created: readonly HttpResponse[]): Promise<boolean> => {
  const found = await Promise.all(created.map((one) => read(ask, idOf(one))));
  return created.every(({ status }) => status === 201) && found.some(({ status }) => status === 404);
};
const nameIn = ({ text }: HttpResponse): string => (JSON.parse(text) as Pet).name;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Two at once.
  {
    name: 'hedge-inserts-a-second-animal',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The gRPC service config has a hedgingPolicy for every method. A creation that waits behind another one is slower than hedgingDelay, goes out a second time, and both copies are stored; the client is told of one.',
    patch: (parts) => {
      const count = counting();
      return {
        insert: (store, pet) =>
          count(async (running) => {
            await pause(8);
            if (running > 1) await parts.insert(store, { ...pet, id: parts.assignId(store, null) });
            return await parts.insert(store, pet);
          }),
      };
    },
    witness: async (ask) => {
      await postMany(ask, 6);
      return ((await listAll(ask)).match(/Waldo/g) ?? []).length > 6;
    },
  },
  {
    name: 'bloom-filter-loses-a-writers-bit',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'getPet asks a Bloom filter first, to spare the database. The filter is copied, changed, and published by a plain assignment: of creations at the same time the last one wins, and the others are not found by id, though listed.',
    patch: (parts) => {
      let filter: ReadonlySet<bigint> | undefined;
      const filterOf = (store: Store): ReadonlySet<bigint> => {
        filter ??= new Set(store.byId.keys());
        return filter;
      };
      return {
        insert: async (store, pet) => {
          const before = filterOf(store);
          await pause(5);
          filter = new Set([...before, pet.id]);
          return await parts.insert(store, pet);
        },
        find: (store, id) => (filterOf(store).has(id) ? parts.find(store, id) : undefined),
      };
    },
    witness: async (ask) => someLost(ask, await postMany(ask, 6)),
  },
  {
    name: 'full-bulkhead-serves-the-front-page',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'listPets has a Resilience4j bulkhead of six permits. The fallback of BulkheadFullException is the page that the shop window shows, whatever the query asked for.',
    patch: (parts) => {
      const count = counting();
      return {
        listPets: (context) =>
          count(async (running) => {
            if (running > 6) return await parts.listPets(withCall(context, { query: new URLSearchParams() }));
            await pause(6);
            return await parts.listPets(context);
          }),
      };
    },
    witness: async (ask) =>
      (await together(16, () => ask({ path: '/pets?status=sold' }))).some(({ text }) => text.includes('"status":"available"')),
  },
  {
    name: 'singleflight-ahead-of-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      "Go's singleflight.Group wraps the whole handler chain, and the flight is named by the request target: who asks for the same page at the same moment gets the response of the first, with or without a key.",
    patch: around(() => {
      const flights = new Map<string, Promise<Reply>>();
      return (context, next) => {
        const { method, target } = context.call;
        if (method !== 'GET') return next(context);
        const running = flights.get(target);
        if (running !== undefined) return running;
        const flight = pause(5)
          .then(() => next(context))
          .finally(() => flights.delete(target));
        flights.set(target, flight);
        return flight;
      };
    }),
    witness: async (ask) => {
      const answers = await together(12, (index) => ask({ path: '/pets?limit=3', noKey: index % 2 === 1 }));
      return answers.some(({ status }, index) => status !== (index % 2 === 1 ? 401 : 200));
    },
  },
  {
    name: 'list-meets-a-half-published-animal',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'The lock-free list links the new node first, so that its place is taken, and fills it in afterwards. A list that runs meanwhile shows an animal whose name is null.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const node: Pet = { ...pet, raw: { name: null } };
        await parts.insert(store, node);
        await pause(12);
        delete node.raw;
        return node;
      },
    }),
    witness: async (ask) => {
      const creating = post(ask);
      const lists = await inTurn(25, () => listAll(ask));
      return (await creating).status === 201 && lists.some((text) => text.includes('"name":null'));
    },
  },
  {
    name: 'introspection-bulkhead-fails-open',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'Keys are checked by an introspection service behind a bulkhead of eight. Its fallback was written for an outage, "rather serve a catalogue than nobody", and also runs when the ninth request arrives: any token is let in.',
    patch: (parts) => {
      const count = counting();
      return {
        handle: (context) =>
          count(async (running) => {
            if (running > 8 && bearerToken(context.call.headers.authorization) !== undefined) return await parts.dispatch(context);
            await pause(5);
            return await parts.handle(context);
          }),
      };
    },
    witness: async (ask) => {
      const wrong = { Authorization: 'Bearer not-the-key-at-all' };
      return (await together(20, () => ask({ path: '/pets', noKey: true, headers: wrong }))).some(({ status }) => status === 200);
    },
  },
  {
    name: 'revalidation-forgets-the-query',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.status-filter',
    summary:
      'Stale-while-revalidate: after a creation each cached page is shown once more, and refreshed behind it. The refreshing job kept request.path instead of request.url, and stores the plain list under the key with the filter.',
    patch: (parts) => {
      const pages = new Map<string, { readonly version: number; readonly reply: Reply }>();
      return {
        listPets: async (context) => {
          const { call, store } = context;
          const known = pages.get(call.target);
          if (known?.version === versionOf(store)) return known.reply;
          const asked = known === undefined ? context : withCall(context, { query: new URLSearchParams() });
          const reply = await parts.listPets(asked);
          pages.set(call.target, { version: versionOf(store), reply });
          return known?.reply ?? reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      await post(ask);
      const [, second] = await inTurn(2, () => ask({ path: '/pets?status=sold' }));
      return second?.text.includes('"available"') === true;
    },
  },
  {
    name: 'prefetch-keeps-names-in-short-slots',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.agrees-with-list',
    summary:
      'Who lists will read, so each listed animal is put into a read-ahead cache with slots of fixed size, 48 characters a name. A read before the list shows the whole name, a read after it the slot.',
    patch: (parts) => {
      const ahead = new Set<bigint>();
      return {
        petRecord: (pet, place) => {
          const record = parts.petRecord(pet, place);
          if (place === 'list') ahead.add(pet.id);
          return place === 'get' && ahead.has(pet.id) ? { ...record, name: [...pet.name].slice(0, 48).join('') } : record;
        },
      };
    },
    witness: async (ask) => {
      const name = 'Waldo'.repeat(12);
      const id = idOf(await post(ask, { name, categoryId: 1 }));
      const before = nameIn(await read(ask, id));
      await listAll(ask);
      return before === name && nameIn(await read(ask, id)) !== name;
    },
  },
  {
    name: 'item-above-the-slab-size-is-dropped',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'Reads by id are served from memcached alone, filled on creation, started with -I 1k to save memory. "SERVER_ERROR object too large for cache" is only logged: an animal with a name above 900 bytes is created and listed, and not found.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && Buffer.byteLength(pet.name) > 900 ? undefined : pet;
      },
    }),
    witness: async (ask) => someLost(ask, [await post(ask, { name: 'Waldo'.repeat(200), categoryId: 1 })]),
  },
  {
    name: 'stream-comma-after-an-exact-batch',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.well-formed',
    summary:
      'Lists are streamed from a cursor in batches of 32 records. A full batch is followed by a comma, as another one comes; where the page ends with the batch, the array ends with ",]".',
    seedAnimals: 40,
    patch: (parts) => ({
      encode: (value) => {
        const text = parts.encode(value);
        const exact = Array.isArray(value) && value.length > 0 && value.length % 32 === 0;
        return exact ? textOf(text).replace(/\]$/, ',]') : text;
      },
    }),
    witness: async (ask) => !parses(await ask({ path: '/pets?limit=32' })),
  },

  // Sequence and state.
  {
    name: 'breaker-takes-refusals-for-an-outage',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.name-required',
    summary:
      'The members of a body are checked by a remote validator behind opossum, whose errorFilter does not except its refusals. After nine refusals among ten bodies the breaker opens, and for the next three its fallback fills in default data for what is missing or wrong.',
    patch: (parts) => {
      let recent: boolean[] = [];
      let unchecked = 0;
      const or = <T>(value: T | Problem, otherwise: T): T => (value instanceof Problem ? otherwise : value);
      return {
        readNewPet: (body, current) => {
          if (unchecked > 0 && isObject(body)) {
            unchecked -= 1;
            return {
              name: or(parts.readName(member(body, 'name')), 'unnamed'),
              categoryId: or(parts.readCategory(member(body, 'categoryId')), 1n),
              status: or(parts.readStatus(member(body, 'status')), undefined),
            };
          }
          const newPet = parts.readNewPet(body, current);
          recent = [...recent, newPet instanceof Problem].slice(-10);
          if (recent.filter(Boolean).length >= 9) {
            unchecked = 3;
            recent = [];
          }
          return newPet;
        },
      };
    },
    witness: async (ask) => {
      const refused = await inTurn(9, () => post(ask, { categoryId: 1 }));
      return refused.every(({ status }) => status === 400) && (await post(ask, { categoryId: 1 })).status === 201;
    },
  },
  {
    name: 'failover-loses-the-open-batch',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'The leader acknowledges a creation before it is replicated, in batches of four. The autoscaler replaces the leader after fifty writes, and the new one starts from the last full batch: the last two animals are lost, and their ids are assigned again.',
    patch: (parts) => {
      let open: Pet[] = [];
      let writes = 0;
      const elect = async (store: Store, lost: readonly Pet[]): Promise<void> => {
        await pause(3);
        for (const pet of lost) removePet(store, pet);
        store.lastId -= BigInt(lost.length);
      };
      return {
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          open = open.length === 3 ? [] : [...open, pet];
          writes += 1;
          if (writes % 50 === 0) {
            void elect(store, open);
            open = [];
          }
          return shown;
        },
      };
    },
    witness: async (ask) => {
      const created = await inTurn(50, () => post(ask));
      await pause(20);
      return someLost(ask, created.slice(-2));
    },
  },
  {
    name: 'refused-token-cached-by-its-prefix',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.valid-key',
    summary:
      'Refused tokens are remembered for a moment in a negative cache, by their first eight characters so that no secret lies in it. After a mistyped key the right one is refused too, until the entry expires.',
    patch: (parts) => {
      const refused = new Map<string, number>();
      return {
        authenticate: (call, apiKey) => {
          const prefix = bearerToken(call.headers.authorization)?.slice(0, 8);
          if (prefix !== undefined && Date.now() < (refused.get(prefix) ?? 0)) return unauthorized();
          const problem = parts.authenticate(call, apiKey);
          if (problem !== undefined && prefix !== undefined) refused.set(prefix, Date.now() + 80);
          return problem;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY}x` } });
      return (await ask({ path: '/pets' })).status === 401;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind' | 'clause'>[] = [
  {
    name: 'stale-page-is-shown-once-more',
    sentence: 'When a created animal is listed: not shown.',
    summary: 'Stale-while-revalidate: the first request after a creation still gets the cached page of that target, up to a second old.',
    patch: (parts) => {
      const pages = new Map<string, { readonly version: number; readonly at: number; readonly reply: Reply }>();
      return {
        listPets: async (context) => {
          const { call, store } = context;
          const known = pages.get(call.target);
          if (known?.version === versionOf(store)) return known.reply;
          const reply = await parts.listPets(context);
          pages.set(call.target, { version: versionOf(store), at: Date.now(), reply });
          return known !== undefined && Date.now() - known.at < 1000 ? known.reply : reply;
        },
      };
    },
    witness: async (ask) => {
      await listAll(ask);
      await post(ask);
      const [first, second] = await inTurn(2, () => listAll(ask));
      return first?.includes('Waldo') === false && second?.includes('Waldo') === true;
    },
  },
  {
    name: 'ids-from-two-leased-blocks',
    sentence: 'Unique identifier assigned by the service on creation; in which order: not shown.',
    summary: 'Two instances behind a round-robin balancer, each with a lease of a hundred ids from ZooKeeper: ids jump back and forth.',
    patch: () => {
      const leases = [
        { next: 0n, end: 0n },
        { next: 0n, end: 0n },
      ];
      return {
        assignId: (store) => {
          const lease = leases.shift() ?? { next: 0n, end: 0n };
          leases.push(lease);
          if (lease.next === lease.end) {
            lease.next = store.lastId;
            store.lastId += 100n;
            lease.end = store.lastId;
          }
          lease.next += 1n;
          return lease.next;
        },
      };
    },
    witness: async (ask) => {
      const [first = 0n, second = 0n, third = 0n] = (await inTurn(3, () => post(ask))).map(idOf);
      return first < second === third < second;
    },
  },
  {
    name: 'load-shedder-asks-to-wait',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'CoDel sheds one of 250 authenticated requests: 503 with Retry-After: 1 and an Error body, before anything is read or stored. Asked again, the service answers.',
    patch: (parts) => {
      let served = 0;
      const overloaded = new Problem(503, 'overloaded', 'Please come back in a second', { 'retry-after': '1' });
      return {
        dispatch: (context) => {
          served += 1;
          return served % 250 === 0 ? problemReply(context, overloaded) : parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      const rounds = await inTurn(10, () => together(25, () => read(ask, 1)));
      return rounds.flat().filter(({ status, headers }) => status === 503 && headers['retry-after'] === '1').length === 1;
    },
  },
  {
    name: 'list-is-flushed-every-hundred-bytes',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Lists are streamed: no Content-Length, chunks of a hundred bytes that end within records and within characters.',
    patch: (parts) => ({
      send: async (reply, outgoing, call) => {
        if (call.operation !== 'listPets' || reply.status !== 200) return await parts.send(reply, outgoing, call);
        const bytes = Buffer.from(reply.body);
        outgoing.writeHead(reply.status, reply.headers);
        for (let at = 0; at < bytes.byteLength; at += 100) {
          outgoing.write(bytes.subarray(at, at + 100));
          await new Promise((done) => setImmediate(done));
        }
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'connection-is-drained-after-ten',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'keepalive_requests 10: so that clients spread over new instances, each tenth response says Connection: close.',
    patch: (parts) => {
      let answered = 0;
      return {
        headers: (given, reply, call) => {
          answered += 1;
          return { ...parts.headers(given, reply, call), ...(answered % 10 === 0 ? { connection: 'close' } : {}) };
        },
      };
    },
    witness: async (ask) => (await inTurn(10, () => read(ask, 1))).filter(({ headers }) => headers['connection'] === 'close').length === 1,
  },
  {
    name: 'pages-are-capped-under-memory-limits',
    sentence: 'The operation is described as returning a paginated list; limit is the maximum number of animals returned.',
    summary: 'The container has 64 MB, so a page never holds more than 25 animals; a larger limit is accepted and gives 25.',
    seedAnimals: 40,
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 25) }, call) }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=100' })) === 25,
  },
  {
    name: 'gzip-above-860-bytes-for-who-takes-it',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Bodies above 860 bytes are compressed for a client that accepts gzip, with Content-Encoding and Vary; below, and for others, not.',
    seedAnimals: 30,
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (!takesGzip(context.call.headers['accept-encoding']) || Buffer.byteLength(reply.body) <= 860) return reply;
        const headers = { ...withoutHeaders(reply.headers, ['vary']), 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
        return { ...reply, headers, body: gzipSync(reply.body) };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'] === 'gzip' &&
      parses(await ask({ path: '/pets' })),
  },
  {
    name: 'most-recently-read-comes-first',
    sentence: 'The order of the list: not shown.',
    summary:
      'The list is the LRU list of the cache: an animal that is read or created moves to the head, so that the order changes by reading.',
    patch: (parts) => {
      const used = new Map<bigint, number>();
      let tick = 0;
      const touch = (pet: Pet | undefined): void => {
        tick += 1;
        if (pet !== undefined) used.set(pet.id, tick);
      };
      return {
        insert: (store, pet) => {
          touch(pet);
          return parts.insert(store, pet);
        },
        find: (store, id) => {
          const pet = parts.find(store, id);
          touch(pet);
          return pet;
        },
        arrange: (store) => parts.arrange(store).toSorted((one, other) => (used.get(other.id) ?? 0) - (used.get(one.id) ?? 0)),
      };
    },
    witness: async (ask) => {
      await read(ask, 5);
      return idOf({ text: await listAll(ask) }) === 5n;
    },
  },
  {
    name: 'write-behind-of-three-hundred-ms',
    sentence: 'When a created animal can be read and is listed: not shown.',
    summary: 'Creations are written behind, every 300 ms: until then neither a read nor a list knows the animal.',
    patch: (parts) => {
      const written = ({ createdAt }: Pet): boolean => Date.now() - createdAt >= 300;
      return {
        arrange: (store) => parts.arrange(store).filter(written),
        find: (store, id) => {
          const pet = parts.find(store, id);
          return pet !== undefined && written(pet) ? pet : undefined;
        },
      };
    },
    witness: async (ask) => {
      const id = idOf(await post(ask));
      const early = await read(ask, id);
      await pause(350);
      return early.status === 404 && (await read(ask, id)).status === 200;
    },
  },
  {
    name: 'same-body-within-a-second-is-a-retry',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Against retries that store twice: a body that is byte for byte the one of an animal created within the last second is refused with 409 and an Error body.',
    patch: (parts) => {
      const recent = new Map<string, number>();
      return {
        createPet: async (context) => {
          const bytes = await context.call.body();
          if (bytes instanceof Problem) return problemReply(context, bytes);
          const key = Buffer.from(bytes).toString('latin1');
          if (Date.now() < (recent.get(key) ?? 0)) return problemReply(context, new Problem(409, 'retry', 'This animal was just created'));
          const reply = await parts.createPet(withCall(context, { body: async () => bytes }));
          if (reply.status === 201) recent.set(key, Date.now() + 1000);
          return reply;
        },
      };
    },
    witness: async (ask) => (await inTurn(2, () => post(ask)))[1]?.status === 409,
  },
  {
    name: 'body-fits-one-pooled-buffer',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'Request bodies are read into pooled buffers of 4 KiB; a larger one is refused with 413 and an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        const bytes = await context.call.body();
        if (bytes instanceof Problem) return problemReply(context, bytes);
        return bytes.byteLength > 4096
          ? problemReply(context, new Problem(413, 'too_large', 'A body has at most 4096 bytes'))
          : await parts.createPet(withCall(context, { body: async () => bytes }));
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo'.repeat(1000), categoryId: 1 })).status === 413,
  },
  {
    name: 'memory-quota-of-160-creations',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'maxmemory with noeviction: after 160 creations a valid animal is refused with 507 and an Error body; all else goes on.',
    patch: (parts) => {
      let created = 0;
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          return created >= 160 && !(newPet instanceof Problem) ? new Problem(507, 'out_of_memory', 'The store is full') : newPet;
        },
        insert: (store, pet) => {
          created += 1;
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await inTurn(8, () => postMany(ask, 20));
      return (await post(ask)).status === 507;
    },
  },
  {
    name: 'cache-buster-is-refused',
    sentence: 'Query parameters (all optional): limit and status. What others do: not shown.',
    summary:
      'Parameters that are not part of the cache key would pass the cache by: a list with any other parameter is 400 with an Error body.',
    patch: (parts) => ({
      listPets: (context) => {
        const unknown = [...context.call.query.keys()].find((name) => name !== 'limit' && name !== 'status');
        return unknown === undefined ? parts.listPets(context) : problemReply(context, invalid('Unknown parameter', 'unknown_parameter'));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?_=1700000000' })).status === 400,
  },
  {
    name: 'refusals-wait-in-a-tarpit',
    sentence: 'How fast a response comes: not shown.',
    summary: 'Each 401 is held back for 90 ms, so that guessing keys is slow; requests with the key do not wait.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (reply.status === 401) await pause(90);
        return reply;
      },
    }),
    witness: async (ask) => {
      const started = performance.now();
      await inTurn(4, () => ask({ path: '/pets', noKey: true }));
      return performance.now() - started > 320;
    },
  },
  {
    name: 'heartbeat-newlines-precede-the-body',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'As CouchDB does, newlines are sent while the response is made, so that no proxy gives up: white space ahead of JSON is JSON.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        return { ...reply, body: `\n\n${textOf(reply.body)}` };
      },
    }),
    witness: async (ask) => (await read(ask, 1)).text.startsWith('\n\n{'),
  },
];

export const resilient: readonly Holdout[] = [
  ...faults.map((row) => ({ ...row, kind: 'fault' as const })),
  ...variants.map((row) => ({ ...row, kind: 'variant' as const })),
];
