import { readListQuery } from '../../src/reference/core/base.ts';
import { INT64_RANGE, integerLiteral, parseInteger } from '../../src/reference/core/json.ts';
import type { Context, Reply } from '../../src/reference/core/parts.ts';
import { invalid, Problem, pause, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, type Status, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout } from './holdout.ts';
import { plainPet, post } from './witness.ts';

/** Which of so many instances a connection reaches: the balancer assigns new connections in turn. */
function balancer(instances: number): (connection: object) => number {
  const known = new WeakMap<object, number>();
  let next = 0;
  return (connection) => {
    const instance = known.get(connection) ?? next++ % instances;
    known.set(connection, instance);
    return instance;
  };
}

/** Time in the upper bits, then a worker, then a sequence, as Twitter's Snowflake has them. Odd ones belong to this data center. */
function snowflake(): () => bigint {
  const epoch = Date.UTC(2015, 0, 1);
  let sequence = -1n;
  return () => {
    sequence += 2n;
    return (BigInt(Date.now() - epoch) << 22n) | (1n << 12n) | (sequence & 0xfffn);
  };
}

/** The next number of the sequence, multiplied so that neighbors land on different shards; no two are equal in 64 bits. */
function scattered(store: Store): bigint {
  store.lastId += 1n;
  return store.lastId * 0x9e3779b97f4a7c15n;
}

// What witnesses share.
const idOf = (text: string): bigint => BigInt(/"id":\s*(-?\d+)/.exec(text)?.[1] ?? '0');
const idsOf = (text: string): readonly string[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id = '']) => id);
const petsOf = (text: string) => JSON.parse(text) as readonly Record<string, unknown>[];
const statusOf = async (ask: Ask, path: string): Promise<number> => (await ask({ path })).status;
const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)));

/** Faults that show for every client at once. */
const plain: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'snowflake-through-a-double',
    sentence: '`id` | integer | int64 | yes | Unique identifier assigned by the service on creation',
    clause: 'get.success',
    summary:
      'The ids became snowflakes, and the serializer still turns them into a JavaScript number. The last digits are rounded, so nobody can read an animal under the id that is shown.',
    patch: (parts) => ({
      assignId: snowflake(),
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), id: Number(pet.id) }),
    }),
    witness: async (ask) => (await statusOf(ask, `/pets/${idOf((await post(ask)).text)}`)) === 404,
  },
  {
    name: 'merged-shards-not-cut',
    sentence: 'Maximum number of animals returned',
    clause: 'list.limit-maximum',
    summary: 'The query router sends the limit to each of four shards and concatenates what they return, but does not cut the merged list.',
    patch: () => ({
      page: (animals, { limit }) => [0n, 1n, 2n, 3n].flatMap((shard) => animals.filter(({ id }) => id % 4n === shard).slice(0, limit)),
    }),
    witness: async (ask) => petsOf((await ask({ path: '/pets?limit=1' })).text).length > 1,
  },
  {
    name: 'enum-checked-by-consumer-only',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'The write side validates against the schema registry, where status is a plain string. The consumer knows the enum and drops the event, long after the client got its 201.',
    patch: (parts) => ({
      readStatus: (value) => (typeof value === 'string' ? (value as Status) : parts.readStatus(value)),
      insert: (store, pet) => (isStatus(pet.status) ? parts.insert(store, pet) : pet),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 'reserved' })).status === 201,
  },
  {
    name: 'list-shows-analyzed-name',
    sentence: "name | string | - | yes | The animal's name",
    clause: 'get.agrees-with-list',
    summary: 'Lists come from the search index, whose stored field holds the output of the analyzer: every name is in lower case there.',
    patch: (parts) => ({
      petRecord: (pet, place) =>
        place === 'list' ? { ...parts.petRecord(pet, place), name: pet.name.toLowerCase() } : parts.petRecord(pet, place),
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets?limit=100' })).text.includes('"rex"') && (await ask({ path: '/pets/1' })).text.includes('"Rex"'),
  },
  {
    name: 'renamed-status-in-read-model',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pets',
    summary:
      'A migration renames sold to adopted. The write model still translates it for the published interface, but the projection behind the lists already shows the new word.',
    patch: (parts) => ({
      petRecord: (pet, place) =>
        place === 'list' && pet.status === 'sold' ? { ...parts.petRecord(pet, place), status: 'adopted' } : parts.petRecord(pet, place),
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=100' })).text.includes('"adopted"'),
  },
  {
    name: 'avro-default-for-missing-name',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'To keep the event schema backward compatible, name got the Avro default "". The decoder fills it in before validation asks whether it is there.',
    patch: (parts) => ({ readName: (value) => parts.readName(value ?? '') }),
    witness: async (ask) => (await post(ask, { categoryId: 1 })).status === 201,
  },
  {
    name: 'problem-json-of-inner-service',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'The router passes the 404 of the service behind it through as it is: application/problem+json with title and detail, the default of Spring and ASP.NET Core.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        if (reply.status !== 404) return reply;
        const body = JSON.stringify({ type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such pet' });
        return { ...reply, headers: { ...reply.headers, 'content-type': 'application/problem+json' }, body };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).headers['content-type'] === 'application/problem+json',
  },
  {
    name: 'unsigned-hash-as-id',
    sentence: '`id` | integer | int64 | yes | Unique identifier assigned by the service on creation',
    clause: 'record.pet',
    summary: 'Ids are scattered over the shards by an unsigned 64-bit hash. Half of them are above the largest int64.',
    patch: () => ({
      assignId: (store) => BigInt.asUintN(64, scattered(store)),
      parseId: (text) => parseInteger(text) ?? invalid('petId must be an integer', 'invalid_id'),
    }),
    witness: async (ask) => {
      const created = await times(6, () => post(ask));
      return created.some(({ text }) => idOf(text) > INT64_RANGE.largest);
    },
  },
];

/** Faults that show for some values only. */
const byValue: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'category-is-a-double-in-index',
    sentence: '`categoryId` | integer | int64 | yes | Identifier of the category the animal belongs to',
    clause: 'get.agrees-with-list',
    summary:
      'Dynamic mapping of the search index made categoryId a double. Lists show a rounded category above 2^53, while getPet reads the exact one from the database.',
    patch: (parts) => ({
      petRecord: (pet, place) =>
        place === 'list' ? { ...parts.petRecord(pet, place), categoryId: Number(pet.categoryId) } : parts.petRecord(pet, place),
    }),
    witness: async (ask) => {
      await post(ask, '{"name":"Precise","categoryId":9007199254740993}');
      return (await ask({ path: '/pets?limit=100' })).text.includes('"categoryId":9007199254740992');
    },
  },
  {
    name: 'default-status-is-not-indexed',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'The default status is filled in when an animal is shown; the event and hence the index have none. Animals created without a status are shown as available, but the filter misses them.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => parts.petRecord({ ...pet, status: pet.status ?? 'available' }, place),
    }),
    witness: async (ask) => {
      const created = await post(ask);
      const filtered = idsOf((await ask({ path: '/pets?limit=100&status=available' })).text);
      return created.text.includes('"available"') && !filtered.includes(String(idOf(created.text)));
    },
  },
  {
    name: 'uint64-in-internal-message',
    sentence: '`categoryId` | integer | int64 | yes | Identifier of the category the animal belongs to',
    clause: 'create.unusual-categories',
    summary:
      'The message between the edge and the pet service declares category_id as uint64. A negative category comes back as a number near 2^64.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), categoryId: integerLiteral(BigInt.asUintN(64, pet.categoryId)) }),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: -1 })).text.includes('18446744073709551615'),
  },
  {
    name: 'filter-searches-all-fields',
    sentence: 'Keep only animals with this status',
    clause: 'list.status-filter',
    summary:
      'The filter became a query_string search without a field, so it matches every field of the document. An animal with the word sold in its name counts as sold.',
    patch: (parts) => ({
      matches: (pet, status) => parts.matches(pet, status) || pet.name.toLowerCase().split(/\W+/).includes(status),
    }),
    witness: async (ask) => {
      await post(ask, { name: 'Never sold', categoryId: 1, status: 'available' });
      return (await ask({ path: '/pets?limit=100&status=sold' })).text.includes('Never sold');
    },
  },
  {
    name: 'result-window-of-filtered-list',
    sentence: '`limit` | integer | minimum 1, maximum 100 | 20',
    clause: 'list.limit-accepted',
    summary:
      'Filtered lists go to a search cluster whose index.max_result_window was lowered to 50. Larger limits are rejected there, and only there.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem || query.status === undefined || query.limit <= 50) return parts.listPets(context);
        return problemReply(context, invalid('Result window is too large, it must be less than or equal to [50]', 'result_window'));
      },
    }),
    witness: async (ask) => (await statusOf(ask, '/pets?limit=60')) === 200 && (await statusOf(ask, '/pets?limit=60&status=sold')) === 400,
  },
  {
    name: 'no-shard-for-negative-id',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'The ranges of the shard map begin at 0. A negative petId belongs to none, and the lookup of its shard throws.',
    patch: (parts) => ({
      getPet: (context) => {
        const id = context.parts.parseId(context.call.petId);
        if (id instanceof Problem || id >= 0n) return parts.getPet(context);
        return problemReply(context, new Problem(500, 'internal_error', 'No shard is responsible for this key'));
      },
    }),
    witness: async (ask) => (await statusOf(ask, '/pets/-1')) === 500,
  },
  {
    name: 'record-separated-by-pipes',
    sentence: "name | string | - | yes | The animal's name",
    clause: 'create.unusual-names',
    summary:
      'An animal is one Redis string, its fields joined with "|". A name that contains the separator is cut there when it is read back.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        await parts.insert(store, { ...pet, name: pet.name.split('|')[0] ?? '' });
        return pet;
      },
    }),
    witness: async (ask) => {
      const id = idOf((await post(ask, { name: 'Tom|Jerry', categoryId: 1 })).text);
      return (await ask({ path: `/pets/${id}` })).text.includes('"Tom"');
    },
  },
  {
    name: 'status-of-category-service-in-body',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'The category service rejects a category with 422. The pet service sends 400 as documented, but forwards the body that it got, status included.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.code === 'invalid_category' ? { ...problem, status: 422, headers: undefined } : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => {
      const rejected = await post(ask, { ...plainPet, categoryId: 'dogs' });
      return rejected.status === 400 && rejected.text.includes('"status":422');
    },
  },
];

/** Faults that show after some requests, under concurrency, or on some connections only. */
const byHistory: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'one-instance-with-old-key',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.valid-key',
    summary:
      'The key was rotated, and one of three instances was not restarted. Whoever is connected to it gets 401 for a valid key, as long as the connection lasts.',
    patch: (parts) => {
      const instanceOf = balancer(3);
      return {
        authenticate: (call, apiKey) => parts.authenticate(call, instanceOf(call.connection) === 2 ? 'the previous key' : apiKey),
      };
    },
    witness: async (ask) => (await times(12, () => statusOf(ask, '/pets'))).includes(401),
  },
  {
    name: 'missing-animal-cached-as-missing',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'The cache keeps 404 for a minute like any other response, and a creation does not invalidate it. An id that somebody asked for too early is not found once it is assigned.',
    patch: (parts) => {
      const missingUntil = new Map<bigint, number>();
      return {
        find: (store, id) => {
          if (performance.now() < (missingUntil.get(id) ?? 0)) return undefined;
          const pet = parts.find(store, id);
          if (pet === undefined) missingUntil.set(id, performance.now() + 60_000);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      const next = idOf((await post(ask)).text) + 1n;
      await statusOf(ask, `/pets/${next}`);
      return idOf((await post(ask)).text) === next && (await statusOf(ask, `/pets/${next}`)) === 404;
    },
  },
  {
    name: 'list-cache-key-lacks-limit',
    sentence: 'Maximum number of animals returned',
    clause: 'list.limit-maximum',
    summary: 'The read model caches lists by status until the next creation; limit was added later and never became part of the key.',
    patch: (parts) => {
      const cache = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.getAll('status').join();
          const reply = cache.get(key) ?? (await parts.listPets(context));
          if (reply.status === 200) cache.set(key, reply);
          return reply;
        },
        insert: (store, pet) => {
          cache.clear();
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=5' });
      return petsOf((await ask({ path: '/pets?limit=1' })).text).length === 5;
    },
  },
  {
    name: 'list-cache-of-each-instance',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'Each of three instances caches lists in its own memory for a minute and clears the cache when it creates an animal itself. Connections to the other two see the old list.',
    patch: (parts) => {
      const instanceOf = balancer(3);
      type Cached = { readonly reply: Reply; readonly until: number };
      const caches = [0, 1, 2].map(() => new Map<string, Cached>());
      const cacheOf = ({ call }: Context) => caches[instanceOf(call.connection)] ?? new Map<string, Cached>();
      return {
        listPets: async (context) => {
          const cached = cacheOf(context).get(context.call.target);
          if (cached !== undefined && performance.now() < cached.until) return cached.reply;
          const reply = await parts.listPets(context);
          cacheOf(context).set(context.call.target, { reply, until: performance.now() + 60_000 });
          return reply;
        },
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          cacheOf(context).clear();
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const list = () => times(9, () => ask({ path: '/pets?limit=100' }));
      await list();
      await post(ask, { name: 'Newcomer', categoryId: 1 });
      return (await list()).some(({ text }) => !text.includes('Newcomer'));
    },
  },
  {
    name: 'cold-cache-after-idle-time',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'When nobody reads for a while, the instance is paused and its cache is dropped. The first read finds nothing, answers 404, and triggers the loading that serves the second.',
    patch: (parts) => {
      let lastRead = performance.now();
      return {
        find: (store, id) => {
          const idle = performance.now() - lastRead;
          lastRead = performance.now();
          return idle > 500 ? undefined : parts.find(store, id);
        },
      };
    },
    witness: async (ask) => {
      await statusOf(ask, '/pets/1');
      await pause(600);
      return (await statusOf(ask, '/pets/1')) === 404;
    },
  },
];

const faults = [...plain, ...byValue, ...byHistory];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'exact-snowflake-ids',
    sentence: 'Unique identifier assigned by the service on creation: neither its size nor its order is stated.',
    summary: 'Ids are snowflakes far beyond 2^53, and every digit of them is kept.',
    patch: () => ({ assignId: snowflake() }),
    witness: async (ask) => idOf((await post(ask)).text) > 2n ** 53n,
  },
  {
    name: 'ids-of-both-signs',
    sentence: 'id is an int64: negative ones are not excluded.',
    summary: 'Ids are scattered over the shards by a multiplicative hash in signed arithmetic, so that half of them are negative.',
    patch: () => ({ assignId: (store) => BigInt.asIntN(64, scattered(store)) }),
    witness: async (ask) => (await times(6, () => post(ask))).some(({ text }) => idOf(text) < 0n),
  },
  {
    name: 'hi-lo-blocks-of-two-instances',
    sentence: 'Unique identifier assigned by the service on creation: neither its size nor its order is stated.',
    summary: 'Two instances take blocks of a hundred ids each and serve in turn, so that a later animal often has the smaller id.',
    patch: () => {
      const next = [0n, 0n];
      let block = 0n;
      let turn = 0;
      return {
        assignId: () => {
          turn = 1 - turn;
          let id = next[turn] ?? 0n;
          if (id % 100n === 0n) {
            id = block * 100n + 1n;
            block += 1n;
          }
          next[turn] = id + 1n;
          return id;
        },
      };
    },
    witness: async (ask) => {
      const first = idOf((await post(ask)).text);
      const second = idOf((await post(ask)).text);
      return first > second || second > idOf((await post(ask)).text);
    },
  },
  {
    name: 'list-in-order-of-shards',
    sentence: 'The order of a list is not shown.',
    summary:
      'The scatter-gather of the list appends one shard to the next, so that the order is stable, but neither by id nor by creation.',
    patch: (parts) => ({
      arrange: (store) => [2n, 0n, 3n, 1n].flatMap((shard) => parts.arrange(store).filter(({ id }) => id % 4n === shard)),
    }),
    witness: async (ask) =>
      idsOf((await ask({ path: '/pets' })).text)
        .slice(0, 2)
        .join() === '2,6',
  },
  {
    name: 'order-differs-by-replica',
    sentence: 'The order of a list is not shown.',
    summary: 'Replicas return the same animals in an order of their own, and each request reaches another replica.',
    patch: (parts) => {
      let lists = 0;
      return {
        page: (animals, query, call) => {
          const page = parts.page(animals, query, call);
          lists += 1;
          const turn = lists % Math.max(page.length, 1);
          return [...page.slice(turn), ...page.slice(0, turn)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [idsOf((await ask({ path: '/pets' })).text), idsOf((await ask({ path: '/pets' })).text)];
      return first.join() !== second.join() && first.toSorted().join() === second.toSorted().join();
    },
  },
  {
    name: 'sheds-load-with-429',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'Of more than forty authenticated requests at once, the rest get 429 with an Error body and Retry-After.',
    patch: (parts) => {
      let running = 0;
      return {
        dispatch: async (context) => {
          if (running >= 40)
            return problemReply(context, new Problem(429, 'too_many_requests', 'Too many requests', { 'retry-after': '1' }));
          running += 1;
          try {
            await pause(5);
            return await parts.dispatch(context);
          } finally {
            running -= 1;
          }
        },
      };
    },
    witness: async (ask) => {
      for (let round = 0; round < 10; round += 1) {
        if ((await times(150, () => statusOf(ask, '/pets'))).includes(429)) return true;
      }
      return false;
    },
  },
  {
    name: 'new-animals-await-review',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'A workflow service reviews new animals, so that one without a status starts as pending.',
    patch: () => ({ defaultStatus: () => 'pending' }),
    witness: async (ask) => (await post(ask)).text.includes('"pending"'),
  },
  {
    name: 'default-status-shown-by-projection',
    sentence: 'If status is omitted on creation, the default is not stated; status is not required in Pet.',
    summary: 'The 201 shows the event, which has no status if the client sent none. The projection that serves reads has the default.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      insert: async (store, pet) => {
        await parts.insert(store, { ...pet, status: pet.status ?? 'available' });
        return pet;
      },
    }),
    witness: async (ask) => {
      const { text } = await post(ask);
      return !text.includes('"status"') && (await ask({ path: `/pets/${idOf(text)}` })).text.includes('"available"');
    },
  },
  {
    name: 'headers-of-edge-and-mesh',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Responses carry what a balancer and a mesh add: a cookie for sticky sessions, Via, X-Cache, X-Served-By, and the time spent upstream.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...{ 'set-cookie': 'AWSALB=a1b2c3; Path=/', via: '1.1 varnish', 'x-cache': 'MISS', 'x-served-by': 'cache-fra-1' },
        'x-envoy-upstream-service-time': '3',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['via'] === '1.1 varnish',
  },
  {
    name: 'numbered-codes-and-german-messages',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'Codes are strings of digits from a registry of the whole company, and messages come from the language service, in German.',
    patch: () => ({
      errorRecord: ({ status }) => ({ code: `${status}0001`, message: 'Die Anfrage wurde nicht ausgeführt.', status }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"4040001"'),
  },
  {
    name: 'limit-clamped-by-router',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'The query router moves a limit outside the bounds to the nearest bound before it asks the shards.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const [text = ''] = texts;
        if (texts.length !== 1 || !/^-?\d+$/.test(text)) return parts.parseLimit(texts);
        return Math.min(100, Math.max(1, Number(text)));
      },
    }),
    witness: async (ask) => petsOf((await ask({ path: '/pets?limit=0' })).text).length === 1,
  },
  {
    name: 'unknown-status-is-an-empty-set',
    sentence: 'The document states no failure for a status filter that is not one of PetStatus.',
    summary: 'The filter reads a Redis set by the given name. One that does not exist is empty, and so is the list.',
    patch: (parts) => ({
      parseStatus: (texts) => (texts.length === 1 ? (texts[0] as Status) : parts.parseStatus(texts)),
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=lost' })).text === '[]',
  },
  {
    name: 'unknown-category-rejected',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'The category service is asked: it knows 1 to 1000 and those that animals already have. Any other is an invalid value.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readCategory: (value) => {
              const category = context.parts.readCategory(value);
              if (category instanceof Problem || (category >= 1n && category <= 1000n)) return category;
              const used = context.store.animals.some(({ categoryId }) => categoryId === category);
              return used ? category : invalid('There is no such category', 'unknown_category');
            },
          }),
        ),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: 987_654_321 })).status === 400,
  },
  {
    name: 'taken-name-is-a-conflict',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The event store reserves each name, and a second animal of that name gets 409 with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, used) => {
              const newPet = context.parts.readNewPet(body, used);
              if (newPet instanceof Problem || context.store.animals.every(({ name }) => name !== newPet.name)) return newPet;
              return new Problem(409, 'name_taken', 'The name is taken');
            },
          }),
        ),
    }),
    witness: async (ask) => (await post(ask)).status === 201 && (await post(ask)).status === 409,
  },
  {
    name: 'schema-registry-closes-new-pet',
    sentence: 'The document does not state what happens to members beyond those of NewPet.',
    summary:
      'The schema registry declares NewPet with additionalProperties: false, so that a body with any other member is rejected, an id included.',
    patch: (parts) => ({
      readNewPet: (body, used) => {
        const newPet = parts.readNewPet(body, used);
        const more = Object.keys(body ?? {}).some((name) => !['name', 'categoryId', 'status'].includes(name));
        return more && !(newPet instanceof Problem) ? invalid('The body has unknown properties', 'unknown_property') : newPet;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'cursor-in-link-header',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'A page has a Link header if more animals follow, with an opaque cursor in its target that continues after the last animal.',
    patch: (parts) => ({
      listPets: async (context) => {
        const { query } = context.call;
        const after = parseInteger(Buffer.from(query.get('cursor') ?? '', 'base64url').toString());
        if (query.has('cursor') && after === undefined) return problemReply(context, invalid('cursor is not valid', 'invalid_cursor'));
        let last: Pet | undefined;
        const reply = await parts.listPets(
          withParts(context, {
            page: (animals, wanted, call) => {
              const rest = animals.filter(({ id }) => after === undefined || id > after);
              const page = context.parts.page(rest, wanted, call);
              if (page.length < rest.length) last = page.at(-1);
              return page;
            },
          }),
        );
        if (last === undefined) return reply;
        const next = new URLSearchParams([...query].filter(([name]) => name !== 'cursor'));
        next.set('cursor', Buffer.from(String(last.id)).toString('base64url'));
        const path = context.call.target.replace(/\?.*$/, '');
        return { ...reply, headers: { ...reply.headers, link: `<${path}?${next}>; rel="next"` } };
      },
    }),
    witness: async (ask) => {
      const cursor = /cursor=([\w-]+)>; rel="next"/.exec((await ask({ path: '/pets?limit=3' })).headers['link'] ?? '')?.[1];
      return cursor !== undefined && idsOf((await ask({ path: `/pets?limit=3&cursor=${cursor}` })).text).join() === '4,5,6';
    },
  },
  {
    name: 'body-streamed-in-chunks',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The edge streams responses as they come from the shards: chunked, without Content-Length, and in several pieces.',
    patch: () => ({
      send: async ({ status, headers, body }, outgoing) => {
        const bytes = Buffer.from(body);
        outgoing.writeHead(status, headers);
        for (const piece of [bytes.subarray(0, 20), bytes.subarray(20)]) {
          if (piece.length > 0) outgoing.write(piece);
          await pause(1);
        }
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'ascii-json-with-indentation',
    sentence: 'The document says application/json, and nothing about white space or escapes.',
    summary: 'The serializer of the gateway indents, and escapes slashes and everything beyond ASCII, so that any hop survives it.',
    patch: () => ({
      encode: (value) =>
        JSON.stringify(value, null, 2)
          .replaceAll('/', '\\/')
          .replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    }),
    witness: async (ask) => {
      const { text } = await post(ask, { name: 'Zoë', categoryId: 1 });
      return text.includes('\n  "name": "Zo\\u00eb"');
    },
  },
  {
    name: 'deprecation-in-link-and-warning',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The gateway announces the removal with a Warning and a Link to the successor, as before Deprecation and Sunset were standardized.',
    patch: () => ({
      headers: (given, _reply, call) =>
        call.operation === 'getPet'
          ? { ...given, link: `<${call.target.replace(/\/[^/]*$/, '')}>; rel="successor-version"`, warning: '299 - "Deprecated API"' }
          : { ...given },
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets/1' });
      return headers['sunset'] === undefined && headers['link']?.includes('successor-version') === true;
    },
  },
  {
    name: 'repeated-status-is-a-union',
    sentence: 'The document shows the status parameter with a single value only.',
    summary: 'The search index takes status several times and keeps the animals with any of these.',
    patch: (parts) => ({
      listPets: (context) => {
        const wanted = context.call.query.getAll('status');
        if (wanted.length < 2 || !wanted.every(isStatus)) return parts.listPets(context);
        const keeps = ({ status }: Pet): boolean => status !== undefined && wanted.includes(status);
        return parts.listPets(withParts(context, { parseStatus: () => 'sold', matches: keeps }));
      },
    }),
    witness: async (ask) => petsOf((await ask({ path: '/pets?status=sold&status=pending' })).text).length === 4,
  },
];

/** Services at some scale: several instances, caches, read models, shards, and rolling deployments. */
export const distributed: readonly Holdout[] = [
  ...faults.map((holdout) => ({ kind: 'fault', ...holdout }) as const),
  ...variants.map((holdout) => ({ kind: 'variant', ...holdout }) as const),
];
