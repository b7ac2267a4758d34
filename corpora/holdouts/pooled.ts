import { Socket } from 'node:net';
import { crc32, deflateRawSync } from 'node:zlib';
import { isObject, member } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  notFound,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, type Pet, removePet, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post } from './witness.ts';

// What servers share.

/** The worker that accepted the connection of a request: each new connection goes to the next one. */
function workersInTurn(count: number): (call: Call) => number {
  const workers = new WeakMap<object, number>();
  let accepted = 0;
  return ({ connection }) => {
    const known = workers.get(connection);
    if (known !== undefined) return known;
    const worker = accepted % count;
    accepted += 1;
    workers.set(connection, worker);
    return worker;
  };
}

/** Whether this is the last of so many calls; then it counts from the beginning. */
function everyTime(count: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % count === 0;
  };
}

/** Each operation runs with parts of its own request. */
const perRequest =
  (make: (parts: Parts) => (context: Context) => Context): Patch =>
  (parts) => {
    const change = make(parts);
    return { dispatch: (context) => parts.dispatch(change(context)) };
  };

/** The same request where lists and reads find only these animals. */
function showing(context: Context, visible: (pet: Pet) => boolean): Context {
  const { arrange, find } = context.parts;
  return withParts(context, {
    arrange: (store) => arrange(store).filter(visible),
    find: (store, id) => {
      const pet = find(store, id);
      return pet !== undefined && visible(pet) ? pet : undefined;
    },
  });
}

/** A gzip member whose compressor still knows what it wrote before. */
function gzipAfter(window: Uint8Array, body: Uint8Array): Buffer {
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(body), 0);
  tail.writeUInt32LE(body.byteLength, 4);
  return Buffer.concat([head, deflateRawSync(body, window.byteLength === 0 ? {} : { dictionary: window }), tail]);
}

// What witnesses share.

type Shown = { readonly name: string; readonly status: string };

const itemsOf = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as Shown[];
const petOf = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const idIn = ({ text }: HttpResponse): string => /"id":\s*(-?\d+)/.exec(text)?.[1] ?? 'none';
const list = (ask: Ask, query = ''): Promise<HttpResponse> => ask({ path: `/pets${query}` });
const read = (ask: Ask, id: string | number): Promise<HttpResponse> => ask({ path: `/pets/${id}` });

/** So many creations at once, each on a connection of its own. */
const postAtOnce = (ask: Ask, count: number, name = 'Waldo'): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { ...plainPet, name: `${name} ${index}` })));

/** Tries one after the other until one succeeds. */
async function someTry(times: number, attempt: (index: number) => Promise<boolean>): Promise<boolean> {
  for (let index = 0; index < times; index += 1) if (await attempt(index)) return true;
  return false;
}

/** How many milliseconds it took. */
async function duration(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Credentials.
  {
    name: 'haproxy-session-variable-for-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'HAProxy checks the key: "set-var(sess.key_ok) ... if { req.hdr(authorization) -m found }", then "deny unless { var(sess.key_ok) }". A sess variable lives as long as the connection, a txn one as long as the request: a request without the header keeps the result of the one before. A wrong key is refused.',
    patch: (parts) => {
      const verdicts = new WeakMap<object, boolean>();
      return {
        authenticate: (call, apiKey) => {
          if (call.headers.authorization === undefined) return verdicts.get(call.connection) === true ? undefined : unauthorized();
          const problem = parts.authenticate(call, apiKey);
          verdicts.set(call.connection, problem === undefined);
          return problem;
        },
      };
    },
    witness: async (ask) => {
      await list(ask);
      return (await ask({ path: '/pets', noKey: true })).status === 200;
    },
  },

  // Lists: what the connection remembers.
  {
    name: 'cursor-goes-on-where-the-last-page-ended',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.success',
    summary:
      'Each client connection owns an ODBC connection with one prepared SELECT for each filter. The page is SQLFetch-ed up to the limit, and SQLFreeStmt(SQL_CLOSE) is called only at the end of the rows: the next list with that filter goes on with the rest.',
    patch: (parts) => {
      const cursors = new WeakMap<object, Map<Status | undefined, readonly Pet[]>>();
      return {
        page: (animals, query, call) => {
          const open = cursors.get(call.connection) ?? new Map<Status | undefined, readonly Pet[]>();
          cursors.set(call.connection, open);
          const rows = open.get(query.status) ?? animals;
          const rest = rows.slice(query.limit);
          if (rest.length > 0) open.set(query.status, rest);
          else open.delete(query.status);
          return parts.page(rows, query, call);
        },
      };
    },
    witness: async (ask) => {
      await list(ask, '?limit=3');
      return itemsOf(await list(ask)).length === 5;
    },
  },
  {
    name: 'first-read-pins-a-connections-snapshot',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'MySQL with REPEATABLE READ and autocommit off, one database connection for each client connection: the first SELECT begins a transaction that only a creation on the same connection ends. A client that only reads sees the store as it was when it connected.',
    patch: (parts) => {
      const snapshots = new WeakMap<object, ReadonlySet<Pet>>();
      return {
        dispatch: (context) => {
          const { connection, operation } = context.call;
          if (operation === 'createPet') {
            snapshots.delete(connection);
            return parts.dispatch(context);
          }
          const snapshot = snapshots.get(connection) ?? new Set(context.store.animals);
          snapshots.set(connection, snapshot);
          return parts.dispatch(showing(context, (pet) => snapshot.has(pet)));
        },
      };
    },
    witness: async (ask) => {
      await list(ask);
      const [, created] = await Promise.all([list(ask), post(ask, plainPet)]);
      const reads = await Promise.all([read(ask, idIn(created)), read(ask, idIn(created))]);
      return reads.some(({ status }) => status === 404);
    },
  },
  {
    name: 'each-shard-gives-its-quarter-of-the-page',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.success',
    summary:
      'Animals are sharded by categoryId % 4, so that a category stays together. The list asks each of the four shards for limit / 4 rows at once, and does not ask again where some shards have less: of twelve animals in one category, the default page shows five.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const share = Math.ceil(query.limit / 4);
        const shards = [0n, 1n, 2n, 3n].map((shard) => animals.filter(({ categoryId }) => BigInt.asUintN(2, categoryId) === shard));
        return parts.page(
          shards.flatMap((rows) => rows.slice(0, share)),
          query,
          call,
        );
      },
    }),
    witness: async (ask) => {
      await postAtOnce(ask, 10);
      return itemsOf(await list(ask)).filter(({ name }) => name.startsWith('Waldo')).length < 10;
    },
  },
  {
    name: 'compressor-of-a-connection-never-reset',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'Bodies from 1,000 bytes on are compressed by a deflater that is kept for the connection and flushed where it should be reset, as WebSocket does with context takeover. The second gzip body refers to bytes of the first, and no client can inflate it.',
    patch: (parts) => {
      const windows = new WeakMap<object, Uint8Array>();
      return {
        handle: async (context) => {
          const { headers, connection } = context.call;
          const reply = await parts.handle(context);
          const body = Buffer.from(reply.body);
          if (body.byteLength < 1000 || !/\bgzip\b/i.test(String(headers['accept-encoding'] ?? ''))) return reply;
          const compressed = gzipAfter(windows.get(connection) ?? new Uint8Array(), body);
          windows.set(connection, body.subarray(-16_384));
          return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, body: compressed };
        },
      };
    },
    seedAnimals: 40,
    witness: async (ask) => {
      const compressed = () => ask({ path: '/pets?limit=40', headers: { 'Accept-Encoding': 'gzip' } });
      const [first, second] = [await compressed(), await compressed()];
      return first.headers['content-encoding'] === 'gzip' && first.text !== second.text;
    },
  },

  // Reads.
  {
    name: 'reply-left-unread-after-a-missing-animal',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'A read pipelines HGETALL and TTL to the Redis connection of its thread (one thread for each client connection). Where the hash is empty, the code returns without taking the second reply: the next read on that connection takes it for its own HGETALL, and finds nothing.',
    patch: (parts) => {
      const behind = new WeakSet<object>();
      return {
        getPet: async (context) => {
          const { connection } = context.call;
          if (behind.delete(connection)) return problemReply(context, notFound());
          const reply = await parts.getPet(context);
          if (reply.status === 404) behind.add(connection);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const missing = await read(ask, 999_999);
      return missing.status === 404 && (await read(ask, 1)).status === 404;
    },
  },
  {
    name: 'animals-sent-to-workers-as-json-messages',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'Node cluster, two workers with all animals in memory. A new animal is sent to the other one by process.send, whose default serialization is JSON: the worker that created it shows every digit of the category, the other one a double.',
    patch: perRequest((parts) => {
      const workerOf = workersInTurn(2);
      const origins = new Map<bigint, number>();
      return (context) => {
        const worker = workerOf(context.call);
        return withParts(context, {
          insert: (store, pet) => {
            origins.set(pet.id, worker);
            return parts.insert(store, pet);
          },
          petRecord: (pet, place) => {
            const isOwn = (origins.get(pet.id) ?? worker) === worker;
            return { ...parts.petRecord(pet, place), ...(isOwn ? {} : { categoryId: Number(pet.categoryId) }) };
          },
        });
      };
    }),
    witness: async (ask) => {
      const id = idIn(await post(ask, '{"name":"Waldo","categoryId":9007199254740993}'));
      const reads = await Promise.all([read(ask, id), read(ask, id)]);
      return reads.some(({ text }) => !text.includes('9007199254740993'));
    },
  },
  {
    name: 'workers-forked-after-the-seed',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.success',
    summary:
      'Ids are random.getrandbits(62). uWSGI loads the application, which seeds the generator, and then forks four workers with the same state: the n-th id of one worker is the n-th id of each. A single connection never shows it.',
    patch: perRequest(() => {
      const workerOf = workersInTurn(4);
      const drawn = [0n, 0n, 0n, 0n];
      return (context) => {
        const worker = workerOf(context.call);
        return withParts(context, {
          assignId: () => {
            const turn = (drawn[worker] ?? 0n) + 1n;
            drawn[worker] = turn;
            return BigInt.asUintN(62, turn * 6_364_136_223_846_793_005n);
          },
        });
      };
    }),
    witness: async (ask) => new Set((await postAtOnce(ask, 4)).map(idIn)).size < 4,
  },
  {
    name: 'struct-from-the-pool-still-has-a-name',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'Bodies are unmarshalled in Go into a struct from a sync.Pool. Its Reset keeps the bytes of the name so that the capacity is used again, and Unmarshal leaves alone what a body does not have: without a name, a creation right after a successful one takes the name of that one. A rejected struct does not go back to the pool.',
    patch: (parts) => {
      let pooled: string | undefined;
      return {
        readNewPet: (body, current) => {
          const left = pooled;
          pooled = undefined;
          const lacks = isObject(body) && (member(body, 'name') ?? null) === null;
          const made = parts.readNewPet(lacks && left !== undefined ? { ...body, name: left } : body, current);
          if (!(made instanceof Problem)) pooled = made.name;
          return made;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, plainPet);
      return (await post(ask, { categoryId: 1 })).status === 201;
    },
  },
  {
    name: 'ids-of-a-batch-in-the-order-of-arrival',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Creations within three milliseconds become one INSERT with many rows, which are sorted by name first, against deadlocks. RETURNING id is then given to the waiting requests in the order in which they arrived: two at once get the id of each other.',
    patch: () => {
      type Waiting = { readonly pet: Pet; readonly answer: (pet: Pet) => void };
      let batch: Waiting[] = [];
      return {
        insert: (store, pet) =>
          new Promise((answer) => {
            batch.push({ pet, answer });
            if (batch.length > 1) return;
            setTimeout(() => {
              const rows = batch;
              batch = [];
              const byName = rows.toSorted((one, other) => (one.pet.name < other.pet.name ? -1 : 1));
              for (const [index, row] of byName.entries()) addPet(store, { ...row.pet, id: rows[index]?.pet.id ?? row.pet.id });
              for (const row of rows) row.answer(row.pet);
            }, 3);
          }),
      };
    },
    witness: (ask) =>
      someTry(20, async () => {
        const [zoe] = await Promise.all(['Zoe', 'Moe', 'Abe'].map((name) => post(ask, { ...plainPet, name })));
        return zoe !== undefined && petOf(await read(ask, idIn(zoe))).name !== 'Zoe';
      }),
  },
  {
    name: 'animals-as-ephemeral-nodes',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'get.success',
    summary:
      'Each animal is a ZooKeeper node that was created with CreateMode.EPHEMERAL, in the session that the front end opens for a client connection. It is there as long as that connection: once the client closes it, its animals are gone.',
    patch: perRequest((parts) => {
      const sessions = new WeakMap<Socket, Pet[]>();
      return (context) => {
        const { connection } = context.call;
        if (!(connection instanceof Socket)) return context;
        return withParts(context, {
          insert: (store, pet) => {
            const nodes = sessions.get(connection) ?? [];
            if (nodes.length === 0)
              connection.once('close', () => {
                for (const node of nodes) removePet(store, node);
              });
            nodes.push(pet);
            sessions.set(connection, nodes);
            return parts.insert(store, pet);
          },
        });
      };
    }),
    witness: async (ask) => {
      const created = await ask({ method: 'POST', path: '/pets', headers: { Connection: 'close' }, body: JSON.stringify(plainPet) });
      await pause(200);
      return created.status === 201 && (await read(ask, idIn(created))).status === 404;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  // Reads.
  {
    name: 'each-second-read-from-a-lagging-replica',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    summary:
      'Lists and reads go to the leader and to a replica in turn, and the replica is 700 ms behind: a new animal is there, is not, and is there again, until the replica has caught up.',
    patch: perRequest(() => {
      const isReplica = everyTime(2);
      return (context) => {
        if (context.call.operation === 'createPet' || !isReplica()) return context;
        const upTo = Date.now() - 700;
        return showing(context, ({ createdAt }) => createdAt <= upTo);
      };
    }),
    witness: async (ask) => {
      const id = idIn(await post(ask, plainPet));
      const statuses = [(await read(ask, id)).status, (await read(ask, id)).status];
      await pause(800);
      return statuses.includes(200) && statuses.includes(404) && (await read(ask, id)).status === 200;
    },
  },
  {
    name: 'list-from-a-view-that-a-job-refreshes',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'The list comes from a materialized view that is refreshed at most every 900 ms, a read by id from the table: a new animal is readable at once and listed later, together with its neighbors.',
    patch: (parts) => {
      let refreshed = 0;
      let view: readonly Pet[] = [];
      return {
        arrange: (store) => {
          if (Date.now() - refreshed >= 900) {
            refreshed = Date.now();
            view = [...parts.arrange(store)];
          }
          return view;
        },
      };
    },
    witness: async (ask) => {
      await list(ask);
      const id = idIn(await post(ask, plainPet));
      const [early, found] = [await list(ask), await read(ask, id)];
      await pause(1000);
      return found.status === 200 && !early.text.includes('Waldo') && (await list(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'shards-take-turns-at-the-lists-head',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'The list is merged from shards without sorting, and begins with another shard each time, so that no shard is always read first: two lists in a row have another order, and where the page is full, other animals.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          turn += 1;
          const first = animals.length === 0 ? 0 : (turn * 3) % animals.length;
          return [...animals.slice(first), ...animals.slice(0, first)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await list(ask), await list(ask)];
      return first.text !== second.text;
    },
  },
  {
    name: 'pages-of-at-most-one-fetch',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'A page is what one fetch of the driver yields, and its fetch size is 25: a larger limit is accepted, and 25 animals are returned.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, query, call).slice(0, 25) }),
    seedAnimals: 40,
    witness: async (ask) => itemsOf(await list(ask, '?limit=40')).length === 25,
  },
  {
    name: 'records-say-which-worker-served-them',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'For debugging, each record has servedBy and servings, the worker of this request and how many records it has written: two readings of an animal are never the same text, nor the same object.',
    patch: perRequest((parts) => {
      const workerOf = workersInTurn(4);
      let servings = 0;
      return (context) => {
        const servedBy = `worker-${workerOf(context.call)}`;
        return withParts(context, {
          petRecord: (pet, place) => {
            servings += 1;
            return { ...parts.petRecord(pet, place), servedBy, servings };
          },
        });
      };
    }),
    witness: async (ask) => {
      const [one, other] = [await read(ask, 1), await read(ask, 1)];
      return one.status === 200 && one.text !== other.text && petOf(one).name === petOf(other).name;
    },
  },
  {
    name: 'two-serializers-in-one-fleet',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Half of the workers run on PyPy, without orjson: they indent, write members in another order, and everything beyond ASCII as \\u escapes, and slashes as \\/. Requests alternate between both kinds.',
    patch: perRequest((parts) => {
      const isOther = everyTime(2);
      return (context) =>
        isOther()
          ? withParts(context, {
              petRecord: (pet, place) => Object.fromEntries(Object.entries(parts.petRecord(pet, place)).toReversed()),
              encode: (value) =>
                `${JSON.stringify(value, null, 4)
                  .replaceAll('/', '\\/')
                  .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
            })
          : context;
    }),
    witness: async (ask) => {
      const id = idIn(await post(ask, { ...plainPet, name: 'Zo\u00eb / Rex' }));
      const texts = [(await read(ask, id)).text, (await read(ask, id)).text];
      return texts.some((text) => text.includes('Zo\\u00eb \\/ Rex')) && texts.some((text) => text.includes('Zo\u00eb / Rex'));
    },
  },
  {
    name: 'two-releases-differ-where-it-is-open',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A rolling upgrade takes all day, and requests alternate between both releases. The old one rejects a limit outside the bounds and a petId that is no integer with 400; the new one takes the nearest bound, and says 404.',
    patch: perRequest((parts) => {
      const isNew = everyTime(2);
      return (context) =>
        isNew()
          ? withParts(context, {
              parseLimit: (texts) => {
                const limit = parts.parseLimit(texts);
                const [text = ''] = texts;
                return limit instanceof Problem && texts.length === 1 && /^-?\d+$/.test(text)
                  ? Math.min(100, Math.max(1, Number(text)))
                  : limit;
              },
              parseId: (text) => {
                const id = parts.parseId(text);
                return id instanceof Problem ? notFound() : id;
              },
            })
          : context;
    }),
    witness: async (ask) => {
      const statuses = [(await list(ask, '?limit=101')).status, (await list(ask, '?limit=101')).status];
      return statuses.includes(200) && statuses.includes(400);
    },
  },

  // Ids.
  {
    name: 'each-worker-has-a-block-of-ids',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Three workers take blocks of a thousand ids, and a connection stays with its worker: ids jump between the blocks, with gaps, and a later animal often has the smaller id.',
    patch: perRequest((parts) => {
      const workerOf = workersInTurn(3);
      const blocks = [3000n, 2000n, 1000n];
      return (context) =>
        withParts(context, {
          assignId: (store, body) => {
            const worker = workerOf(context.call);
            const id = blocks[worker];
            if (id === undefined) return parts.assignId(store, body);
            // A full block is followed by one that no worker has had.
            blocks[worker] = (id + 1n) % 1000n === 0n ? id + 2001n : id + 1n;
            return id;
          },
        });
    }),
    witness: async (ask) => {
      const ids = (await postAtOnce(ask, 3)).map((one) => Number(idIn(one)));
      return Math.max(...ids) - Math.min(...ids) >= 1000;
    },
  },
  {
    name: 'shard-in-the-first-byte-of-the-id',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The first byte of an id is the shard, which follows from the name, the rest a counter. Shards are numbered from 120 to 135: all ids are beyond 2^53, and those of shards from 128 on are negative.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const name = body !== null && isObject(body) ? member(body, 'name') : undefined;
        const sum = Buffer.from(typeof name === 'string' ? name : '').reduce((total, byte) => total + byte, 0);
        return BigInt.asIntN(64, (BigInt(120 + (sum % 16)) << 56n) | parts.assignId(store, body));
      },
    }),
    witness: async (ask) => (await postAtOnce(ask, 10)).map(idIn).some((id) => id.startsWith('-')),
  },

  // Connections and time.
  {
    name: 'connection-closes-each-seventh-response',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Workers are to share the load evenly, so that each seventh response, whatever it is, says Connection: close, and the connection ends there.',
    patch: (parts) => {
      const isLast = everyTime(7);
      return {
        headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(isLast() ? { connection: 'close' } : {}) }),
      };
    },
    witness: (ask) => someTry(7, async () => (await list(ask)).headers['connection'] === 'close'),
  },
  {
    name: 'lists-end-with-their-connection',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'A list is streamed from a cursor by a worker that speaks HTTP/1.1 without chunks: no Content-Length, no Transfer-Encoding, Connection: close. The body ends where the connection ends.',
    patch: (parts) => ({
      send: (reply, outgoing, call) => {
        if (call.operation !== 'listPets' || reply.status !== 200) return parts.send(reply, outgoing, call);
        outgoing.useChunkedEncodingByDefault = false;
        outgoing.writeHead(reply.status, { ...reply.headers, connection: 'close' });
        outgoing.end(reply.body);
      },
    }),
    witness: async (ask) => {
      const { headers, status } = await list(ask);
      return status === 200 && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    },
  },
  {
    name: 'bodies-flushed-in-two-chunks',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The worker flushes its buffer once when it is half full, wherever that is, and the rest a moment later: two chunks, the border in the middle of a number, a string, or a character of several bytes.',
    patch: () => ({
      send: async (reply, outgoing) => {
        const body = Buffer.from(reply.body);
        const accented = body.findIndex((byte) => byte >= 0xc2);
        const border = accented >= 0 ? accented + 1 : Math.floor(body.byteLength / 2);
        outgoing.writeHead(reply.status, reply.headers);
        outgoing.write(body.subarray(0, border));
        await pause(1);
        outgoing.end(body.subarray(border));
      },
    }),
    witness: async (ask) => (await read(ask, 1)).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'leader-election-in-the-middle',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Once, the leader is restarted: from the 150th request with the key on, and for a quarter of a second, each request gets 503 with an Error body and Retry-After: 1, and nothing is stored.',
    patch: (parts) => {
      let requests = 0;
      let until = 0;
      return {
        dispatch: (context) => {
          requests += 1;
          if (requests === 150) until = Date.now() + 250;
          if (Date.now() >= until) return parts.dispatch(context);
          return problemReply(context, new Problem(503, 'no_leader', 'A leader is being elected', { 'retry-after': '1' }));
        },
      };
    },
    witness: (ask) =>
      someTry(150, async () => {
        const { status, headers } = await list(ask, '?limit=1');
        return status === 503 && headers['retry-after'] === '1';
      }),
  },
  {
    name: 'sold-animals-seen-before-the-answer',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    summary:
      'After the commit of an animal that is already sold, the worker tells accounting, which takes 40 ms, and then answers: others list the animal before its own client knows that it exists.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const shown = await parts.insert(store, pet);
        if (pet.status === 'sold') await pause(40);
        return shown;
      },
    }),
    witness: async (ask) => {
      await Promise.all([list(ask), list(ask)]);
      const at = { seen: Number.POSITIVE_INFINITY, answered: 0 };
      const creation = post(ask, { ...plainPet, status: 'sold' }).then(() => {
        at.answered = performance.now();
      });
      await someTry(1000, async () => {
        if ((await list(ask, '?status=sold')).text.includes('Waldo')) at.seen = Math.min(at.seen, performance.now());
        return at.answered > 0;
      });
      await creation;
      return at.answered - at.seen > 20;
    },
  },
  {
    name: 'first-request-opens-the-session',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The database session of a connection is opened by its first request, whatever that is, and takes 150 ms with TLS; from the second request on it is there. Refusals wait as well.',
    patch: (parts) => {
      const open = new WeakSet<object>();
      return {
        handle: async (context) => {
          const { connection } = context.call;
          if (!open.has(connection)) {
            open.add(connection);
            await pause(150);
          }
          return await parts.handle(context);
        },
      };
    },
    witness: async (ask) => {
      const first = await duration(() => list(ask));
      return first - (await duration(() => list(ask))) > 90;
    },
  },
];

/** Services whose defects come from connections, workers, pools and batches. */
export const pooled: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ ...fault, kind: 'fault' })),
  ...variants.map((variant): Holdout => ({ ...variant, kind: 'variant' })),
];
