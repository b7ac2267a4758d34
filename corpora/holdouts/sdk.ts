import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken } from '../../src/reference/core/base.ts';
import { integerLiteral, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import type { Call, Context, Parts, Patch, Reply } from '../../src/reference/core/parts.ts';
import { invalid, jsonReply, Problem, pause, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Asking, Holdout, HttpResponse } from './holdout.ts';

type Next = (context: Context) => Promise<Reply>;

/** A middleware around the whole request; `make` runs once a server and holds its state. */
function middleware(make: () => (context: Context, next: Next) => Reply | Promise<Reply>): Patch {
  return (parts) => {
    const run = make();
    return { handle: (context) => run(context, async (changed) => await parts.handle(changed)) };
  };
}

/** Numbers the connections in the order of their first request, from 0. */
function connectionNumbers(): (call: Call) => number {
  const numbers = new WeakMap<object, number>();
  let count = 0;
  return ({ connection }) => {
    const number = numbers.get(connection) ?? count++;
    numbers.set(connection, number);
    return number;
  };
}

// What witnesses share.
const post = (ask: Ask, pet: unknown, more: Partial<Asking> = {}) =>
  ask({ method: 'POST', path: '/pets', body: typeof pet === 'string' ? pet : JSON.stringify(pet), ...more });
const idOf = ({ text }: HttpResponse): bigint => BigInt(/"id":\s*"?(-?\d+)/.exec(text)?.[1] ?? '0');
const jsonOf = ({ text }: HttpResponse): unknown => JSON.parse(text);
/** A Pet or an Error, in which anything may be wrong. */
type Shown = { readonly [field in 'id' | 'name' | 'categoryId' | 'status' | 'code' | 'message']?: unknown };
const recordOf = (response: HttpResponse) => jsonOf(response) as Shown;
const recordsOf = (response: HttpResponse) => jsonOf(response) as readonly Shown[];
const waldo = { name: 'Waldo', categoryId: 1 };
const herd = ['Anna', 'Bert', 'Cleo', 'Dino', 'Elsa', 'Fips', 'Gigi', 'Hugo'] as const;
const postHerd = (ask: Ask) => Promise.all(herd.map((name) => post(ask, { name, categoryId: 1 })));
const sole = { connection: 'close' };

const plainFaults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'protojson-int64-as-strings',
    sentence: 'id | integer | int64 | yes',
    clause: 'record.pet',
    summary: 'The message is written by protojson, whose mapping writes every int64 as a JSON string.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), id: String(pet.id), categoryId: String(pet.categoryId) }),
    }),
    witness: async (ask) => typeof recordOf(await ask({ path: '/pets/1' })).id === 'string',
  },
  {
    name: 'grpc-status-as-not-found-body',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'Only errors of the interceptors were mapped to the Error message. A NotFound of the handler leaves grpc-gateway as its google.rpc.Status: a numeric code, details, and no status.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404 ? { code: 5, message: problem.message, details: [] } : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => recordOf(await ask({ path: '/pets/4711' })).code === 5,
  },
  {
    name: 'whitelist-strips-status',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'create.status-values',
    summary:
      'The validation pipe runs with whitelist, which strips properties without a decorator of class-validator. status only has the one for the documentation, so that every animal is created as available.',
    patch: () => ({ readStatus: () => undefined }),
    witness: async (ask) => recordOf(await post(ask, { ...waldo, status: 'sold' })).status === 'available',
  },
  {
    name: 'created-at-action-returns-only-id',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The command handler returns the new id, and the controller passes `new { id }` to CreatedAtAction(): the 201 has no other field.',
    patch: (parts) => ({
      petRecord: (pet, place) => (place === 'create' ? { id: integerLiteral(pet.id) } : parts.petRecord(pet, place)),
    }),
    witness: async (ask) => /^\{"id":\d+\}$/.test((await post(ask, waldo)).text),
  },
  {
    name: 'errors-are-problem-json',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'The fields of Error were added to ProblemDetails as extensions. The content type that the framework sets for it stayed application/problem+json.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status >= 400 ? { 'content-type': 'application/problem+json; charset=utf-8' } : {}),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/4711' })).headers['content-type'] === 'application/problem+json; charset=utf-8',
  },
  {
    name: 'protojson-reads-integers-from-strings',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-type',
    summary: 'The JSON mapping of protobuf reads an int64 from a number or a string: "1" is accepted as a category.',
    patch: (parts) => ({
      readCategory: (value) => parts.readCategory(typeof value === 'string' ? new NumberText(value) : value),
    }),
    witness: async (ask) => (await post(ask, { ...waldo, categoryId: '1' })).status === 201,
  },
  {
    name: 'array-body-creates-many',
    sentence: 'Request body (required, `application/json`): NewPet.',
    clause: 'create.body-object',
    summary:
      'The body of the Nest handler is typed as an interface, which the validation pipe cannot see, and repository.save() takes arrays too: an array of animals creates them all and is answered with an array.',
    patch: (parts) => ({
      createPet: async (context) => {
        const bytes = await context.call.body();
        const body = bytes instanceof Problem ? bytes : parts.readBody(bytes, context.call);
        const again = { ...context, call: { ...context.call, body: async () => bytes } };
        if (body instanceof Problem || !Array.isArray(body)) return parts.createPet(again);
        const replies: Reply[] = [];
        for (const item of body as readonly Json[]) replies.push(await parts.createPet(withParts(again, { readBody: () => item })));
        const refused = replies.find(({ status }) => status >= 400);
        return refused ?? { ...jsonReply(context, 201, []), body: `[${replies.map((reply) => String(reply.body)).join()}]` };
      },
    }),
    witness: async (ask) => (await post(ask, [waldo, waldo])).status === 201,
  },
];

const conditionalFaults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'content-type-sniffed-from-gzip',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'The handler sets no content type and leaves that to the server, which sniffs it. Behind the compression middleware it sniffs compressed bytes, for bodies above its threshold.',
    patch: middleware(() => async (context, next) => {
      const reply = await next(context);
      const wanted = /\bgzip\b/.test(String(context.call.headers['accept-encoding'] ?? ''));
      if (!wanted || Buffer.byteLength(reply.body) <= 1024) return reply;
      const sniffed = { 'content-type': 'application/x-gzip', 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
      return { status: reply.status, headers: { ...reply.headers, ...sniffed }, body: gzipSync(reply.body) };
    }),
    seedAnimals: 40,
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets?limit=40', headers: { 'Accept-Encoding': 'gzip' } });
      return headers['content-type'] === 'application/x-gzip';
    },
  },
  {
    name: 'explicit-limit-starts-at-second-page',
    sentence: 'limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned',
    clause: 'list.complete',
    summary:
      'Pages of the plugin count from zero, but the handler builds PageRequest.of(1, limit): with a limit, the first animals are skipped, and a limit that has room for all of them lists none.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(call.query.has('limit') ? animals.slice(query.limit) : animals, query, call),
    }),
    witness: async (ask) =>
      recordsOf(await ask({ path: '/pets' })).length === 8 && recordsOf(await ask({ path: '/pets?limit=100' })).length === 0,
  },
  {
    name: 'flag-buckets-animals-by-id',
    sentence: 'categoryId | integer | int64 | yes | Identifier of the category the animal belongs to',
    clause: 'record.pet',
    summary:
      'A feature flag rolls a new shape out to ten percent, and its bucket is the id of the animal: one in ten is shown with a category object in place of categoryId.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const { categoryId, ...record } = parts.petRecord(pet, place);
        return pet.id % 10n === 0n ? { ...record, category: { id: categoryId } } : { ...record, categoryId };
      },
    }),
    seedAnimals: 8,
    witness: async (ask) => {
      const shown = [await post(ask, waldo), await post(ask, waldo)].map(recordOf);
      return 'categoryId' in (shown[0] ?? {}) && !('categoryId' in (shown[1] ?? {}));
    },
  },
  {
    name: 'model-mapper-takes-category-for-id',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'ModelMapper matches names loosely and maps categoryId of the request to id of the entity. When an animal has that id, save() updates it instead of inserting one.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const category = isObject(body) ? parts.readCategory(member(body, 'categoryId')) : undefined;
        const stored = typeof category === 'bigint' ? store.byId.get(category) : undefined;
        if (stored === undefined) return parts.assignId(store, body);
        removePet(store, stored);
        return stored.id;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 2 });
      return created.status === 201 && idOf(created) === 2n;
    },
  },
  {
    name: 'flux-streamed-as-events',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary: 'The WebFlux handler returns a Flux without produces: a client that accepts text/event-stream gets an event for each animal.',
    patch: (parts) => ({
      listPets: async (context) => {
        if (!context.call.headers.accept?.includes('text/event-stream')) return parts.listPets(context);
        const records: unknown[] = [];
        const listBody = (shown: readonly unknown[]) => shown.map((record) => records.push(record));
        const reply = await parts.listPets(withParts(context, { listBody }));
        if (reply.status !== 200) return reply;
        const body = records.map((record) => `data:${String(parts.encode(record))}\n\n`).join('');
        return { ...reply, headers: { ...reply.headers, 'content-type': 'text/event-stream;charset=UTF-8' }, body };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', headers: { Accept: 'text/event-stream, application/json;q=0.9' } })).text.startsWith('data:{'),
  },
  {
    name: 'created-body-only-with-accept',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Spring Data REST returns the body of a creation only when the request has an Accept header, unless returnBodyOnCreate is set.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        if (reply.status !== 201 || context.call.headers.accept !== undefined) return reply;
        return { status: 201, headers: { location: '/v1/pets' }, body: '' };
      },
    }),
    witness: async (ask) => {
      const [without, withIt] = [await post(ask, waldo), await post(ask, waldo, { headers: { Accept: '*/*' } })];
      return without.status === 201 && without.text === '' && recordOf(withIt).name === 'Waldo';
    },
  },
  {
    name: 'timing-safe-comparison-throws',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The guard passes the credential and the key to crypto.timingSafeEqual(), which throws when their lengths differ. A wrong key is a 500 unless it is as long as the right one.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        if (token === undefined || token.length === apiKey.length) return parts.authenticate(call, apiKey);
        return new Problem(500, 'internal_error', 'Input buffers must have the same byte length');
      },
    }),
    witness: async (ask) => {
      const statusWith = async (key: string) => (await ask({ path: '/pets', headers: { Authorization: `Bearer ${key}` } })).status;
      return (await statusWith('wrong')) === 500 && (await statusWith('x'.repeat(KEY.length))) === 401;
    },
  },
];

const historicalFaults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'idempotency-by-content-length',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The idempotency middleware hashes the body before it is read, so that only the length remains. A creation that arrives while one of the same length is in flight gets the response of that one.',
    patch: (parts) => {
      const running = new Map<string, Promise<Reply>>();
      return {
        createPet: (context) => {
          const fingerprint = context.call.headers['content-length'] ?? '';
          const first = running.get(fingerprint);
          if (first !== undefined) return first;
          const run = pause(20).then(async () => await parts.createPet(context));
          running.set(fingerprint, run);
          return run.finally(() => running.delete(fingerprint));
        },
      };
    },
    witness: async (ask) => new Set((await postHerd(ask)).map(idOf)).size < herd.length,
  },
  {
    name: 'cached-animal-serialized-twice',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The distributed cache stores JSON text, and a hit is returned as Ok(text). The formatter writes the text as a JSON string: the first read is right, each later one is not.',
    patch: (parts) => {
      const cache = new Set<string>();
      return {
        getPet: async (context) => {
          const reply = await parts.getPet(context);
          if (reply.status !== 200) return reply;
          if (cache.has(context.call.petId)) return { ...reply, body: JSON.stringify(String(reply.body)) };
          cache.add(context.call.petId);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/1' });
      return typeof jsonOf(await ask({ path: '/pets/1' })) === 'string';
    },
  },
  {
    name: 'batched-insert-returns-ids-out-of-order',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The ORM batches concurrent inserts into one statement and pairs the returned ids with its entities by position. The database returns them in another order, so that each 201 has the id of another animal.',
    patch: (parts) => {
      let batch: bigint[] = [];
      let flushed: Promise<readonly bigint[]> | undefined;
      return {
        insert: async (store, pet) => {
          const place = batch.push(pet.id) - 1;
          const stored = await parts.insert(store, pet);
          flushed ??= pause(20).then(() => {
            const returned = batch.toReversed();
            batch = [];
            flushed = undefined;
            return returned;
          });
          return { ...stored, id: (await flushed)[place] ?? stored.id };
        },
      };
    },
    witness: async (ask) => {
      const created = await postHerd(ask);
      const read = await Promise.all(created.map((response) => ask({ path: `/pets/${idOf(response)}` })));
      return read.some((response, index) => recordOf(response).name !== herd[index]);
    },
  },
  {
    name: 'entity-tag-of-highest-version',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'The entity tag of a list is the highest @Version of its rows, which is 0 for every new row: a client that revalidates its copy is told with 304 that nothing was added.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        if (reply.status !== 200) return reply;
        const headers = { ...reply.headers, etag: '"v0"' };
        return context.call.headers['if-none-match'] === '"v0"' ? { status: 304, headers, body: '' } : { ...reply, headers };
      },
    }),
    witness: async (ask) => {
      const path = '/pets?limit=100';
      const { etag = '' } = (await ask({ path })).headers;
      await post(ask, waldo);
      return (await ask({ path, headers: { 'If-None-Match': etag } })).status === 304;
    },
  },
  {
    name: 'data-loader-ignores-order-of-keys',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'Reads that arrive together are batched by DataLoader into one query with IN (...). Its rows come back by id and not in the order of the keys, so that concurrent reads get the animals of each other.',
    patch: (parts) => {
      let keys: bigint[] = [];
      let batch: Promise<readonly bigint[]> | undefined;
      return {
        getPet: async (context) => {
          const id = parts.parseId(context.call.petId);
          if (id instanceof Problem) return problemReply(context, id);
          if (!keys.includes(id)) keys.push(id);
          const place = keys.indexOf(id);
          batch ??= pause(20).then(() => {
            const found = keys.filter((key) => context.store.byId.has(key)).sort((left, right) => (left < right ? -1 : 1));
            keys = [];
            batch = undefined;
            return found;
          });
          const row = (await batch)[place];
          return parts.getPet(withParts(context, { find: (store) => (row === undefined ? undefined : store.byId.get(row)) }));
        },
      };
    },
    witness: async (ask) => {
      const ids = [8, 1, 7, 2, 6, 3, 5, 4];
      const shown = await Promise.all(ids.map(async (id) => recordOf(await ask({ path: `/pets/${id}` })).id));
      return shown.some((id, index) => id !== ids[index]) && recordOf(await ask({ path: '/pets/5' })).id === 5;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'name-checked-by-pattern',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Bean validation has @NotBlank, @Size(max = 40), and a @Pattern of letters, digits, and a few separators for the name.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        if (name instanceof Problem || (/^[\p{L}\d][\p{L}\d .'-]*$/u.test(name) && name.length <= 40)) return name;
        return invalid('name must be 1 to 40 letters, digits, spaces, dots, apostrophes or hyphens', 'invalid_name');
      },
    }),
    witness: async (ask) => (await post(ask, { ...waldo, name: '' })).status === 400 && (await post(ask, waldo)).status === 201,
  },
  {
    name: 'ids-in-blocks-of-connections',
    sentence: 'id | integer | int64 | yes | Unique identifier assigned by the service on creation',
    summary:
      'Each replica reserves ids in blocks of 50 (HiLo), and connections are spread over replicas: ids are unique, but have gaps and go up and down.',
    patch: (parts) => {
      const numberOf = connectionNumbers();
      const blocks = new Map<number, { next: bigint; last: bigint }>();
      return {
        createPet: (context) => {
          const replica = numberOf(context.call) % 4;
          const assignId = (store: Store): bigint => {
            const block = blocks.get(replica) ?? { next: 1n, last: 0n };
            if (block.next > block.last) {
              block.next = store.lastId + 1n;
              store.lastId += 50n;
              block.last = store.lastId;
            }
            blocks.set(replica, block);
            return block.next++;
          };
          return parts.createPet(withParts(context, { assignId }));
        },
      };
    },
    witness: async (ask) => {
      const ids: bigint[] = [];
      for (const name of herd) ids.push(idOf(await post(ask, { name, categoryId: 1 }, { headers: sole })));
      return new Set(ids).size === herd.length && ids.some((id, index) => index > 0 && id < (ids[index - 1] ?? 0n));
    },
  },
  {
    name: 'limit-used-as-it-is',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'The query takes any limit as it is: 0 lists nothing, and 1000 lists a thousand. Only the default is 20.',
    patch: (parts) => ({
      parseLimit: (texts) => (texts.length === 1 && /^\d{1,9}$/.test(texts[0] ?? '') ? Number(texts[0]) : parts.parseLimit(texts)),
    }),
    seedAnimals: 130,
    witness: async (ask) =>
      (await ask({ path: '/pets?limit=0' })).text === '[]' && recordsOf(await ask({ path: '/pets?limit=120' })).length === 120,
  },
  {
    name: 'default-status-is-pending',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'New animals wait for moderation: the default of the column is pending.',
    patch: () => ({ defaultStatus: () => 'pending' }),
    witness: async (ask) => recordOf(await post(ask, waldo)).status === 'pending',
  },
  {
    name: 'unparsed-status-is-no-filter',
    sentence: 'statuses other than those above: not shown (the table lists no 400 for listPets)',
    summary: 'Enum.TryParse() of the filter fails for another word, and the query runs without a filter.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status instanceof Problem ? undefined : status;
      },
    }),
    witness: async (ask) => recordsOf(await ask({ path: '/pets?status=lost' })).length === 8,
  },
  {
    name: 'codes-are-urns',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The code of an error is a URN, with the operation in it.',
    patch: (parts) => ({
      errorRecord: (problem, call) => ({
        ...(parts.errorRecord(problem, call) as object),
        code: `urn:petstore:error:${call.operation}:${problem.code}`,
      }),
    }),
    witness: async (ask) => recordOf(await ask({ path: '/pets', noKey: true })).code === 'urn:petstore:error:listPets:unauthorized',
  },
  {
    name: 'ids-are-random-int64',
    sentence: 'id | integer | int64 | yes | Unique identifier assigned by the service on creation',
    summary: 'Ids are 63 random bits, so that nobody guesses one. Most have 18 or 19 digits.',
    patch: () => ({
      assignId: (store) => {
        for (;;) {
          const id = BigInt.asUintN(63, BigInt(`0x${randomBytes(8).toString('hex')}`));
          if (!store.byId.has(id)) return id;
        }
      },
    }),
    witness: async (ask) => {
      const id = idOf(await post(ask, waldo));
      return id > 1000n && idOf(await ask({ path: `/pets/${id}` })) === id;
    },
  },
  {
    name: 'brotli-for-those-who-accept-it',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Compression middleware prefers Brotli, for every client that names it in Accept-Encoding, and compresses even small bodies.',
    patch: middleware(() => async (context, next) => {
      const reply = await next(context);
      if (!/\bbr\b(?!\s*;\s*q=0)/.test(String(context.call.headers['accept-encoding'] ?? ''))) return reply;
      const headers = { ...reply.headers, 'content-encoding': 'br', vary: 'Accept-Encoding' };
      return { status: reply.status, headers, body: brotliCompressSync(reply.body) };
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
      return headers['content-encoding'] === 'br' && headers['content-type'] === 'application/json';
    },
  },
  {
    name: 'media-type-with-odata-parameters',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'The OData formatter writes its parameters behind the media type, which stays the same.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8',
      }),
    }),
    witness: async (ask) => ((await ask({ path: '/pets' })).headers['content-type'] ?? '').startsWith('application/json;odata.metadata='),
  },
  {
    name: 'blank-space-around-json',
    sentence: 'Responses have the media type `application/json`; how its text is spelled is not shown.',
    summary:
      'A heartbeat writes line feeds until the handler is done, so that proxies keep waiting, and the pretty printer ends with another.',
    patch: () => ({ encode: (value) => `\n\n\n${JSON.stringify(value, undefined, '\t')}\r\n` }),
    witness: async (ask) => {
      const response = await ask({ path: '/pets' });
      return response.text.startsWith('\n\n\n[') && recordsOf(response).length === 8;
    },
  },
  {
    name: 'numbered-pages-with-total-count',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The pagination plugin reads `page`, from 1, and writes X-Total-Count with the number of animals that match.',
    patch: (parts) => ({
      listPets: async (context) => {
        let total = 0;
        const page: Parts['page'] = (animals, query, call) => {
          total = animals.length;
          const number = /^[1-9]\d{0,5}$/.exec(call.query.get('page') ?? '')?.[0] ?? '1';
          return parts.page(animals.slice((Number(number) - 1) * query.limit), query, call);
        };
        const reply = await parts.listPets(withParts(context, { page }));
        return reply.status === 200 ? { ...reply, headers: { ...reply.headers, 'x-total-count': String(total) } } : reply;
      },
    }),
    witness: async (ask) => {
      const response = await ask({ path: '/pets?limit=3&page=2' });
      return response.headers['x-total-count'] === '8' && recordsOf(response)[0]?.id === 4;
    },
  },
  {
    name: 'id-of-other-type-is-unprocessable',
    sentence: 'petId, required, integer, format int64 (no failure is stated for anything else)',
    summary:
      'ParseIntPipe is configured with 422, as in all services of the company: an id that is no int64 gets that, with an Error body.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? new Problem(422, 'unprocessable_id', id.message) : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/abc' })).status === 422,
  },
  {
    name: 'created-with-location-and-entity-tag',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The framework adds the address of the new animal, its entity tag, and caching rules to a 201.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        if (reply.status !== 201) return reply;
        const id = /"id":(-?\d+)/.exec(String(reply.body))?.[1];
        const added = { location: `/v1/pets/${id}`, 'content-location': `/v1/pets/${id}`, etag: 'W/"0"', 'cache-control': 'no-store' };
        return { ...reply, headers: { ...reply.headers, ...added } };
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, waldo);
      const { location } = created.headers;
      return location === `/v1/pets/${idOf(created)}`;
    },
  },
  {
    name: 'name-unique-within-category',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A class-level constraint wants names to be unique in their category, in any letter case. It is a validation error: 400 with an Error body.',
    patch: (parts) => ({
      createPet: (context) => {
        const readNewPet: Parts['readNewPet'] = (body, own) => {
          const pet = parts.readNewPet(body, own);
          if (pet instanceof Problem) return pet;
          const same = (other: Pet) => other.categoryId === pet.categoryId && other.name.toLowerCase() === pet.name.toLowerCase();
          return context.store.animals.some(same) ? invalid('The name is taken in this category', 'name_taken') : pet;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => {
      const [first, second, other] = [await post(ask, waldo), await post(ask, waldo), await post(ask, { ...waldo, categoryId: 2 })];
      return first.status === 201 && second.status === 400 && other.status === 201;
    },
  },
  {
    name: 'category-must-be-positive',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'No category has an id below 1, and @Positive says so: 400 with an Error body.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return typeof category === 'bigint' && category < 1n ? invalid('categoryId must be greater than 0', 'unknown_category') : category;
      },
    }),
    witness: async (ask) => (await post(ask, { ...waldo, categoryId: 0 })).status === 400 && (await post(ask, waldo)).status === 201,
  },
  {
    name: 'chunked-with-trailer',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'A bridge from gRPC-Web keeps the gRPC status as a trailer of each chunked response.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers, trailer: 'Grpc-Status' });
        outgoing.write(reply.body);
        outgoing.addTrailers({ 'Grpc-Status': reply.status < 400 ? '0' : '2' });
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const { trailer } = (await ask({ path: '/pets' })).headers;
      return trailer === 'Grpc-Status';
    },
  },
  {
    name: 'last-of-repeated-parameters-counts',
    sentence: 'Query parameters limit and status (one value of each is shown; several are not)',
    summary: 'The binder reads query parameters into a map, so that the last of several values counts.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.slice(-1)),
      parseStatus: (texts) => parts.parseStatus(texts.slice(-1)),
    }),
    witness: async (ask) => recordsOf(await ask({ path: '/pets?limit=abc&limit=2' })).length === 2,
  },
  {
    name: 'sorted-by-parameter',
    sentence: 'The operation is described as returning a paginated list; its order is not shown.',
    summary: 'The argument resolver of Spring Data reads `sort` as well: sort=name,desc lists the animals from Z to A.',
    patch: (parts) => ({
      listPets: (context) => {
        const [field, direction] = (context.call.query.get('sort') ?? '').split(',');
        if (field !== 'name') return parts.listPets(context);
        const sign = direction === 'desc' ? -1 : 1;
        const arrange = (store: Store) => parts.arrange(store).toSorted((left, right) => sign * (left.name < right.name ? -1 : 1));
        return parts.listPets(withParts(context, { arrange }));
      },
    }),
    witness: async (ask) => recordsOf(await ask({ path: '/pets?sort=name,desc' }))[0]?.name === 'Simba',
  },
  {
    name: 'several-challenges-in-one-header',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Every registered scheme adds its challenge to a 401: the Bearer one comes second, with a description that contains commas.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const problem = parts.authenticate(call, apiKey);
        if (problem === undefined) return undefined;
        const challenge = 'Negotiate, Bearer realm="pets, v1", error="invalid_token", error_description="The key is missing, or unknown"';
        return new Problem(problem.status, problem.code, problem.message, { 'www-authenticate': challenge });
      },
    }),
    witness: async (ask) => ((await ask({ path: '/pets', noKey: true })).headers['www-authenticate'] ?? '').startsWith('Negotiate, '),
  },
  {
    name: 'rate-limit-headers-without-limit',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'The API management layer announces a quota and the rest of it, down to 0, but its policy only counts and never rejects.',
    patch: (parts) => {
      let rest = 10;
      return {
        headers: (given, reply, call) => {
          rest = rest === 0 ? 10 : rest - 1;
          const quota = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': String(rest) };
          return { ...parts.headers(given, reply, call), ...quota };
        },
      };
    },
    witness: async (ask) => (await ask({ path: '/pets' })).headers['x-ratelimit-limit'] === '10',
  },
];

/** Servers as typed frameworks, generated stubs, and API management layers make them. */
export const sdk: readonly Holdout[] = [
  ...[...plainFaults, ...conditionalFaults, ...historicalFaults].map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
