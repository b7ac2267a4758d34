import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { KEY } from '../../proof/judge-reference.ts';
import { readListQuery } from '../../src/reference/core/base.ts';
import { integerLiteral, isObject, literal, member } from '../../src/reference/core/json.ts';
import { type Call, invalid, type Parts, Problem, pause, problemReply, type Reply } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { lengthOf, parses, plainPet, post, textOf } from './witness.ts';

/** How long requests are collected before they are processed together, in milliseconds. */
const BATCH_WINDOW = 12;

/** One computation for all requests with the same key that arrive while it runs. */
function coalescing(): (key: string, compute: () => Promise<Reply>) => Promise<Reply> {
  const flights = new Map<string, Promise<Reply>>();
  return (key, compute) => {
    const flight =
      flights.get(key) ??
      pause(BATCH_WINDOW)
        .then(compute)
        .finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}

/** What a row shows of a pet after its creation; the response to the creation still shows what was sent. */
const storedAs =
  (parts: Parts, change: (pet: Pet) => Partial<Record<'name' | 'categoryId', unknown>>): Parts['petRecord'] =>
  (pet, place) => ({ ...parts.petRecord(pet, place), ...(place === 'create' ? {} : change(pet)) });

/** A request body as text in which a character is a byte. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

/** 304 has no body, and so no Content-Length of one. */
const sendingNotModified =
  (parts: Parts): Parts['send'] =>
  (reply, outgoing, call) => {
    if (reply.status !== 304) return parts.send(reply, outgoing, call);
    outgoing.writeHead(reply.status, reply.headers);
    outgoing.end();
  };

const etagOf = (body: string | Uint8Array): string => `"${createHash('sha1').update(body).digest('hex').slice(0, 16)}"`;

const acceptsGzip = (call: Call): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(call.headers['accept-encoding'] ?? ''));

/** Which request of its connection this is, counted from 0. */
function perConnection(): (call: Call) => number {
  const counts = new WeakMap<object, number>();
  return ({ connection }) => {
    const count = counts.get(connection) ?? 0;
    counts.set(connection, count + 1);
    return count;
  };
}

// What witnesses share.
const postAll = (ask: Ask, count: number, pet: (index: number) => Readonly<Record<string, unknown>>) =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, pet(index))));
const postInTurn = async (ask: Ask, count: number, pet: Readonly<Record<string, unknown>>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await post(ask, pet);
};
const postText = (ask: Ask, body: string) => ask({ method: 'POST', path: '/pets', body });
const nameOf = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const idIn = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? '';
const readBack = async (ask: Ask, created: HttpResponse) => await ask({ path: `/pets/${idIn(created)}` });

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Pools whose objects and buffers are used again.
  {
    name: 'credential-recognized-by-its-buffer',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The result of the last check is kept with the connection, and the header is taken for the same when pointer and length are the same. Each request of a connection is read into the same buffer: a wrong key as long as the right one is let in after it.',
    patch: (parts) => {
      const last = new WeakMap<object, { readonly length: number; readonly problem: Problem | undefined }>();
      return {
        authenticate: (call, apiKey) => {
          const length = call.headers.authorization?.length ?? 0;
          const known = last.get(call.connection);
          if (known !== undefined && length > 0 && known.length === length) return known.problem;
          const problem = parts.authenticate(call, apiKey);
          last.set(call.connection, { length, problem });
          return problem;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      const headers = { Authorization: `Bearer ${'x'.repeat(KEY.length)}` };
      return (await ask({ path: '/pets', noKey: true, headers })).status === 200;
    },
  },

  // Requests that are processed together.
  {
    name: 'coalesced-lists-share-the-first-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary:
      'Equal list queries that arrive together are run once (singleflight). The key of the group is the status alone, because limit was added to the query later: a list with limit=1 gets the page of the one with limit=5 that runs.',
    patch: (parts) => {
      const once = coalescing();
      return {
        listPets: (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return parts.listPets(context);
          return once(query.status ?? '', async () => await parts.listPets(context));
        },
      };
    },
    witness: async (ask) => {
      const [one, five] = await Promise.all([ask({ path: '/pets?limit=1' }), ask({ path: '/pets?limit=5' })]);
      return lengthOf(one) === lengthOf(five);
    },
  },
  {
    name: 'coalescing-in-front-of-the-key',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.missing-credential',
    summary:
      'The middleware that joins equal reads of an animal was registered before the one that checks the key. A read without a key that arrives while the same animal is being read gets that response.',
    patch: (parts) => {
      const once = coalescing();
      return {
        handle: (context) =>
          context.call.operation === 'getPet' ? once(context.call.target, async () => await parts.handle(context)) : parts.handle(context),
      };
    },
    witness: async (ask) => {
      const [allowed, refused] = await Promise.all([ask({ path: '/pets/1' }), ask({ path: '/pets/1', noKey: true })]);
      return allowed.status === refused.status;
    },
  },
  {
    name: 'write-behind-ring-overtakes-itself',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Created animals wait in a ring of sixteen slots, which a timer writes to the database every 150 milliseconds. Nothing asks whether the slot was written before it is used again: of a burst of creations, all answered 201, the last sixteen survive.',
    patch: (parts) => {
      const ring: (Pet | undefined)[] = Array.from({ length: 16 });
      let next = 0;
      let waiting = false;
      const pending = () => ring.filter((pet) => pet !== undefined);
      return {
        insert: (store, pet) => {
          ring[next % ring.length] = pet;
          next += 1;
          if (!waiting) {
            waiting = true;
            void pause(150).then(() => {
              waiting = false;
              for (const one of pending()) void parts.insert(store, one);
              ring.fill(undefined);
            });
          }
          return pet;
        },
        find: (store, id) => parts.find(store, id) ?? pending().find((pet) => pet.id === id),
        arrange: (store) => [...parts.arrange(store), ...pending()],
      };
    },
    witness: async (ask) => {
      const created = await postAll(ask, 60, () => plainPet);
      await pause(400);
      const read = await Promise.all(created.map((response) => readBack(ask, response)));
      return created.every(({ status }) => status === 201) && read.some(({ status }) => status === 404);
    },
  },

  // Requests and responses in fast JSON.
  {
    name: 'escape-across-two-simd-blocks',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The SIMD parser looks at blocks of 64 bytes and forgets to carry the odd backslash over to the next one: an escape such as \\n whose backslash is the last byte of a block loses it, and a name is stored with the letter n in place of the line feed.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const read = latin1(bytes).replace(/\\./gs, (sequence, at: number) =>
          at % 64 === 63 && 'bfnrt'.includes(sequence.slice(1)) ? sequence.slice(1) : sequence,
        );
        return parts.readBody(Buffer.from(read, 'latin1'), call);
      },
    }),
    witness: async (ask) => {
      const name = `${'x'.repeat(63 - '{"name":"'.length)}\ny`;
      const created = await post(ask, { name, categoryId: 1 });
      return created.status === 201 && nameOf(created) !== name;
    },
  },
  {
    name: 'forward-scan-passes-an-early-status',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.answer',
    summary:
      'The scanner expects the members in the order of the document and goes on from where it stands; for a required one that it misses it starts again. The optional status in front of name or categoryId is never seen, and the animal becomes available.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body)) return parts.readNewPet(body, current);
        const names = Object.keys(body);
        const [status = -1, ...others] = ['status', 'name', 'categoryId'].map((name) => names.indexOf(name));
        if (status < 0 || others.every((at) => at < status)) return parts.readNewPet(body, current);
        return parts.readNewPet(Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'status')), current);
      },
    }),
    witness: async (ask) => (await post(ask, { status: 'sold', name: 'Waldo', categoryId: 1 })).text.includes('"available"'),
  },

  // Packed stores, indexes and tiers.
  {
    name: 'bloom-filter-starts-empty-again',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'A Bloom filter answers for ids that were never assigned without asking the database. After 64 insertions it is full and replaced by an empty one; a nightly job fills it from the table. Until then every older animal is 404.',
    patch: (parts) => {
      const filter = new Set<bigint>();
      return {
        assignId: (store, body) => {
          const id = parts.assignId(store, body);
          if (filter.size === 64) filter.clear();
          filter.add(id);
          return id;
        },
        find: (store, id) => (filter.has(id) ? parts.find(store, id) : undefined),
      };
    },
    witness: async (ask) => {
      await postInTurn(ask, 60, plainPet);
      return (await ask({ path: '/pets/1' })).status === 404;
    },
  },
  {
    name: 'dictionary-codes-of-four-bits',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary:
      'The column of categories is dictionary-encoded, two codes a byte, because the shop had nine categories. The 17th distinct category gets code 16 & 15, and its animals show the category that has code 0.',
    patch: (parts) => {
      const dictionary: bigint[] = [];
      const codes = new Map<bigint, number>();
      return {
        insert: (store, pet) => {
          if (!dictionary.includes(pet.categoryId)) dictionary.push(pet.categoryId);
          codes.set(pet.id, dictionary.indexOf(pet.categoryId) & 15);
          return parts.insert(store, pet);
        },
        petRecord: storedAs(parts, ({ id, categoryId }) => ({
          categoryId: integerLiteral(dictionary[codes.get(id) ?? -1] ?? categoryId),
        })),
      };
    },
    witness: async (ask) => {
      for (let category = 101; category < 117; category += 1) await post(ask, { name: 'Waldo', categoryId: category });
      const created = await post(ask, { name: 'Waldo', categoryId: 117 });
      return created.text.includes('"categoryId":117') && (await readBack(ask, created)).text.includes('"categoryId":101');
    },
  },
  {
    name: 'names-hydrated-up-to-sixty-four',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'get.agrees-with-list',
    summary:
      'A list reads ids and statuses from memory and loads names lazily, in one query of at most 64 keys. The second query for a longer page was never written: from the 65th on, names are empty strings.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, query, call).map((pet, index) => (index < 64 ? pet : { ...pet, name: '' })),
    }),
    witness: async (ask) => {
      await postInTurn(ask, 60, plainPet);
      return (await ask({ path: '/pets?limit=100' })).text.includes('"name":""');
    },
  },
  {
    name: 'scan-stops-at-a-lossy-counter',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'A filtered list stops scanning when it has found as many animals as the counter of the status says. The counter is read, increased and written back without a lock: after creations at the same time it is too small, and the last of them are never listed.',
    patch: (parts) => {
      const counts = new Map<string | undefined, number>();
      return {
        insert: async (store, pet) => {
          const before = counts.get(pet.status) ?? store.animals.filter(({ status }) => status === pet.status).length;
          counts.set(pet.status, before);
          const shown = await parts.insert(store, pet);
          await pause(BATCH_WINDOW);
          counts.set(pet.status, before + 1);
          return shown;
        },
        page: (animals, query, call) =>
          parts.page(query.status === undefined ? animals : animals.slice(0, counts.get(query.status) ?? animals.length), query, call),
      };
    },
    witness: async (ask) => {
      const created = await postAll(ask, 6, () => ({ ...plainPet, status: 'sold' }));
      const list = await ask({ path: '/pets?status=sold&limit=100' });
      return created.some((response) => !list.text.includes(`"id":${idIn(response)},`));
    },
  },

  // Caches, statements, connections and pages.
  {
    name: 'not-modified-before-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'The ETag layer sits in front of the service and answers conditional requests from its table of tags, without the key: 304 to everyone who has the tag or sends If-None-Match: *.',
    patch: (parts) => ({
      send: sendingNotModified(parts),
      handle: async (context) => {
        const { operation, headers } = context.call;
        if (operation !== 'listPets' && operation !== 'getPet') return await parts.handle(context);
        const reply = await parts.dispatch(context);
        const etag = etagOf(reply.body);
        const asked = headers['if-none-match'];
        if (reply.status === 200 && (asked === '*' || asked === etag)) return { status: 304, headers: { etag }, body: '' };
        const sent = await parts.handle(context);
        return sent.status === 200 ? { ...sent, headers: { ...sent.headers, etag } } : sent;
      },
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets' });
      return (await ask({ path: '/pets', noKey: true, headers: { 'If-None-Match': headers['etag'] ?? '"none"' } })).status === 304;
    },
  },
  {
    name: 'compressed-body-is-cached-for-everybody',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The cache of list bodies sits below the compression and is filled by whoever comes first: its key has no Accept-Encoding. A client that did not ask for gzip gets the compressed bytes without Content-Encoding, and the other way round.',
    patch: (parts) => {
      const cache = new Map<string, Reply['body']>();
      let version = -1;
      return {
        listPets: async (context) => {
          const reply = await parts.listPets(context);
          if (reply.status !== 200) return reply;
          if (version !== context.store.animals.length) cache.clear();
          version = context.store.animals.length;
          const compressed = acceptsGzip(context.call);
          const body = cache.get(context.call.target) ?? (compressed ? gzipSync(reply.body) : reply.body);
          cache.set(context.call.target, body);
          return { ...reply, headers: compressed ? { ...reply.headers, 'content-encoding': 'gzip' } : reply.headers, body };
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await ask({ path: '/pets' });
      return plain.headers['content-encoding'] === undefined && !parses(plain);
    },
  },
  {
    name: 'list-cache-in-each-worker',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.success',
    summary:
      'Two worker threads take connections in turn, each with a cache of list bodies. A creation clears the cache of the worker that wrote it; nobody tells the other, which shows its old list until it takes a creation itself.',
    patch: (parts) => {
      const caches = [new Map<string, Reply>(), new Map<string, Reply>()];
      const workers = new WeakMap<object, number>();
      let connections = 0;
      const cacheOf = ({ connection }: Call) => {
        const worker = workers.get(connection) ?? connections++ % caches.length;
        workers.set(connection, worker);
        return caches[worker];
      };
      return {
        listPets: async (context) => {
          const cache = cacheOf(context.call);
          const reply = cache?.get(context.call.target) ?? (await parts.listPets(context));
          cache?.set(context.call.target, reply);
          return reply;
        },
        createPet: async (context) => {
          const cache = cacheOf(context.call);
          const reply = await parts.createPet(context);
          cache?.clear();
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const headers = { Connection: 'close' };
      await ask({ path: '/pets', headers });
      const created = await ask({ method: 'POST', path: '/pets', headers, body: JSON.stringify(plainPet) });
      return !(await ask({ path: '/pets', headers })).text.includes(`"id":${idIn(created)},`);
    },
  },
  {
    name: 'statement-keeps-the-bound-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.success',
    summary:
      'Three prepared statements take turns. sqlite3_reset does not clear bindings, and the limit is bound only when the request has one: a list without a limit is cut at the limit that its statement was last used with.',
    patch: (parts) => {
      const bound: (number | undefined)[] = [undefined, undefined, undefined];
      let turn = 0;
      return {
        parseLimit: (texts) => {
          const statement = turn++ % bound.length;
          const limit = parts.parseLimit(texts);
          if (limit instanceof Problem) return limit;
          if (texts.length === 0) return bound[statement] ?? limit;
          bound[statement] = limit;
          return limit;
        },
      };
    },
    witness: async (ask) => {
      for (let statement = 0; statement < 3; statement += 1) await ask({ path: '/pets?limit=1' });
      return lengthOf(await ask({ path: '/pets' })) === 1;
    },
  },
  {
    name: 'row-for-has-next-is-always-dropped',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.success',
    summary:
      'Instead of counting, the page reads limit + 1 rows to learn whether there are more, and drops the last. It asks rows.length >= limit: when exactly limit animals match, nothing more was read, and the last of them is dropped.',
    patch: () => ({
      page: (animals, { limit }) => {
        const rows = animals.slice(0, limit + 1);
        return rows.length >= limit ? rows.slice(0, -1) : rows;
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=8' })) === 7,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'names-as-they-were-spelled',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A name is never decoded: the slice of the request between its quotes is stored and copied into every response, so that \\u0041 stays \\u0041 and \\/ stays \\/. It is another spelling of the same JSON string.',
    patch: (parts) => {
      const spelled = new Map<bigint, string>();
      let last: string | undefined;
      return {
        readBody: (bytes, call) => {
          const body = parts.readBody(bytes, call);
          last = undefined;
          if (body instanceof Problem || !isObject(body)) return body;
          const name = member(body, 'name');
          for (const [, text = ''] of Buffer.from(bytes)
            .toString('utf8')
            .matchAll(/"name"\s*:\s*("(?:[^"\\]|\\.)*")/gs)) {
            if (JSON.parse(text) === name) last = text;
          }
          return body;
        },
        insert: (store, pet) => {
          if (last !== undefined) spelled.set(pet.id, last);
          return parts.insert(store, pet);
        },
        petRecord: (pet, place) => {
          const text = spelled.get(pet.id);
          return { ...parts.petRecord(pet, place), ...(text === undefined ? {} : { name: literal(text) }) };
        },
      };
    },
    witness: async (ask) => (await postText(ask, '{"name":"\\u0041nton","categoryId":1}')).text.includes('"\\u0041nton"'),
  },
  {
    name: 'records-padded-to-a-cache-line',
    sentence: 'Success: `200`, body is a Pet.',
    summary:
      'Rendered records are padded with spaces to a multiple of 128 characters, so that one can be rewritten in place. RFC 8259 allows white space in front of a closing brace.',
    patch: (parts) => {
      const padded = (value: unknown) => {
        const text = textOf(parts.encode(value));
        return `${text.slice(0, -1)}${' '.repeat((128 - (text.length % 128)) % 128)}}`;
      };
      return { encode: (value) => (Array.isArray(value) ? `[${value.map(padded).join(',')}]` : padded(value)) };
    },
    witness: async (ask) => /\s{20}\}$/.test((await ask({ path: '/pets/1' })).text),
  },
  {
    name: 'list-streamed-a-record-a-chunk',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Lists are written as they are read from the cursor: chunked, without Content-Length, one record a line, and the comma at the beginning of the next one.',
    patch: (parts) => ({
      encode: (value) =>
        Array.isArray(value) ? `[\n${value.map((record: unknown) => textOf(parts.encode(record))).join('\n,')}\n]\n` : parts.encode(value),
      send: async (reply, outgoing, call) => {
        if (call.operation !== 'listPets' || reply.status !== 200) return await parts.send(reply, outgoing, call);
        outgoing.writeHead(reply.status, reply.headers);
        for (const line of textOf(reply.body).split(/(?<=\n)/)) {
          outgoing.write(line);
          await pause(0);
        }
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets' });
      return list.headers['transfer-encoding'] === 'chunked' && list.text.includes('}\n,{');
    },
  },
  {
    name: 'validators-and-not-modified',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Reads carry an ETag and Cache-Control: private, no-cache. A request that passes the key and sends the tag of what it would get is answered 304 without a body, as RFC 9110 has it.',
    patch: (parts) => ({
      send: sendingNotModified(parts),
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (context.call.method !== 'GET' || reply.status !== 200) return reply;
        const validators = { etag: etagOf(reply.body), 'cache-control': 'private, no-cache', vary: 'Authorization' };
        if (context.call.headers['if-none-match'] === validators.etag) return { status: 304, headers: validators, body: '' };
        return { ...reply, headers: { ...reply.headers, ...validators } };
      },
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets/1' });
      return (await ask({ path: '/pets/1', headers: { 'If-None-Match': headers['etag'] ?? '"none"' } })).status === 304;
    },
  },
  {
    name: 'gzip-for-those-who-accept-it',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Every body is compressed when Accept-Encoding names gzip with a weight above zero, errors too; Content-Encoding and Vary say so. Who does not ask gets the identity.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const headers = { ...reply.headers, vary: 'Accept-Encoding' };
        return acceptsGzip(context.call)
          ? { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }
          : { ...reply, headers };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/999999', headers: { 'Accept-Encoding': 'gzip, br;q=0.5' } })).headers['content-encoding'] === 'gzip',
  },
  {
    name: 'list-from-a-snapshot',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'Lists come from a snapshot that is replaced when it is older than 800 milliseconds. An animal can be read at once and is listed a moment later; the document states no moment.',
    patch: (parts) => {
      let taken = 0;
      let snapshot: readonly Pet[] = [];
      return {
        arrange: (store) => {
          if (Date.now() - taken > 800) {
            taken = Date.now();
            snapshot = [...parts.arrange(store)];
          }
          return snapshot;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      const created = await post(ask, plainPet);
      return !(await ask({ path: '/pets' })).text.includes(`"id":${idIn(created)},`);
    },
  },
  {
    name: 'list-begins-at-another-shard-each-time',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'Four shards are asked in turn, and each list begins with another of them to spread the load: the same request shows the animals in another order, and with a limit other animals.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          const pets = parts.arrange(store);
          turn += 1;
          return [0, 1, 2, 3].flatMap((shard) => pets.filter((_, row) => (row + turn) % 4 === shard));
        },
      };
    },
    witness: async (ask) => {
      const first = await ask({ path: '/pets?limit=2' });
      return (await ask({ path: '/pets?limit=2' })).text !== first.text;
    },
  },
  {
    name: 'animals-last-read-come-first',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'Animals live in an LRU list that a read moves to the front, and the list is that list: who was read last comes first. The document states no order.',
    patch: (parts) => {
      const reads = new Map<bigint, number>();
      let clock = 0;
      return {
        find: (store, id) => {
          const pet = parts.find(store, id);
          clock += 1;
          if (pet !== undefined) reads.set(id, clock);
          return pet;
        },
        arrange: (store) => [...parts.arrange(store)].sort((one, other) => (reads.get(other.id) ?? 0) - (reads.get(one.id) ?? 0)),
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/5' });
      return idIn(await ask({ path: '/pets?limit=1' })) === '5';
    },
  },
  {
    name: 'pages-end-at-twenty-five',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary:
      'Page objects have room for 25 records, so that they fit the pool. A larger limit is accepted, and 25 animals are returned: limit is a maximum, and how the rest is reached is not shown.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, query, call).slice(0, 25) }),
    witness: async (ask) => {
      await postInTurn(ask, 25, plainPet);
      return lengthOf(await ask({ path: '/pets?limit=30' })) === 25;
    },
  },
  {
    name: 'ids-are-bit-reversed-counters',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The counter is reversed bit by bit, so that neighbors land on different shards. The first id is -9223372036854775808, half of them are negative, and most are beyond 2^53.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const bits = parts.assignId(store, body).toString(2).padStart(64, '0');
        return BigInt.asIntN(64, BigInt(`0b${[...bits].reverse().join('')}`));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/-9223372036854775808' })).status === 200,
  },
  {
    name: 'reads-are-shed-now-and-then',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The load shedder estimates the queue from a sample and turns away every 200th read that has the key, with 503, Retry-After: 1 and an Error body. The next attempt succeeds.',
    patch: (parts) => {
      let reads = 0;
      return {
        dispatch: (context) => {
          if (context.call.method === 'GET') reads += 1;
          if (context.call.method !== 'GET' || reads % 200 !== 0) return parts.dispatch(context);
          return problemReply(context, new Problem(503, 'overloaded', 'Please try again in a second', { 'retry-after': '1' }));
        },
      };
    },
    witness: async (ask) => {
      const responses = await Promise.all(Array.from({ length: 200 }, () => ask({ path: '/pets/1' })));
      return responses.filter(({ status, headers }) => status === 503 && headers['retry-after'] === '1').length === 1;
    },
  },
  {
    name: 'sparse-column-of-statuses',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'Statuses are three bitmaps, and an animal that was created without one is in none of them: its record has no status member, and no filter shows it. The field is not required.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask, plainPet)).text.includes('"status"'),
  },
  {
    name: 'connections-retire-after-ten-requests',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'To spread clients over the workers again, each connection is closed after ten requests. The tenth response announces it with Connection: close.',
    patch: (parts) => {
      const requestOf = perConnection();
      return {
        headers: (given, reply, call) => {
          const made = parts.headers(given, reply, call);
          return requestOf(call) < 9 ? made : { ...made, connection: 'close' };
        },
      };
    },
    witness: async (ask) => {
      const connections: (string | undefined)[] = [];
      for (let index = 0; index < 10; index += 1) connections.push((await ask({ path: '/pets/1' })).headers['connection']);
      return connections.at(-1) === 'close' && connections[0] !== 'close';
    },
  },
  {
    name: 'one-rendered-error-for-each-status',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Error bodies are rendered at start-up, one for each status: the code is the number as text, the message is the reason phrase, and the status comes first. Nothing about the request is in them.',
    patch: () => {
      const rendered = new Map(
        Object.entries({ 400: 'Bad Request', 401: 'Unauthorized', 404: 'Not Found' }).map(([code, message]) => [
          Number(code),
          { status: Number(code), code, message },
        ]),
      );
      return { errorRecord: ({ status, code, message }) => rendered.get(status) ?? { status, code, message } };
    },
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text === '{"status":404,"code":"404","message":"Not Found"}',
  },
  {
    name: 'decoder-compiled-from-the-schema',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The decoder is generated from the three fields of NewPet and has no path that skips a value: a body with any other member, an id among them, is rejected with 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const known = new Set(['name', 'categoryId', 'status']);
        const other = isObject(body) ? Object.keys(body).find((name) => !known.has(name)) : undefined;
        return other === undefined ? parts.readNewPet(body, current) : invalid('There is no such member', 'unexpected_member');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, note: 'friendly' })).status === 400,
  },
];

/** Services after performance work: caches, pools, batches, hand-written JSON, packed stores, shards and tiers. */
export const tuned: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ ...fault, kind: 'fault' })),
  ...variants.map((variant): Holdout => ({ ...variant, kind: 'variant' })),
];
