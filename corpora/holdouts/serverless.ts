import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject, type Json, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  notFound,
  type Parts,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { NewPet, Pet, Status, Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { post } from './witness.ts';

type Row = Omit<Holdout, 'kind'>;
type Invocation<State> = { readonly state: State; readonly number: number; readonly cold: boolean };

/** How long a function is busy with one request: long enough for requests sent together to meet. */
const BUSY = 10;

/**
 * Instances of a function. Each takes one request at a time, so that only concurrent requests reach another than the first. One that was idle
 * for too long is thrown away: the next request finds a cold one.
 */
function fleet<State>(make: () => State, idle = Number.POSITIVE_INFINITY) {
  const instances: { state: State; busy: boolean; usedAt: number }[] = [];
  return async (run: (invocation: Invocation<State>) => Reply | Promise<Reply>): Promise<Reply> => {
    const free = instances.findIndex(({ busy }) => !busy);
    const number = free < 0 ? instances.length : free;
    const warm = instances[number];
    const cold = warm === undefined || performance.now() - warm.usedAt > idle;
    const instance = cold ? { state: make(), busy: true, usedAt: 0 } : warm;
    instances[number] = instance;
    instance.busy = true;
    try {
      await pause(BUSY);
      return await run({ state: instance.state, number, cold });
    } finally {
      instance.busy = false;
      instance.usedAt = performance.now();
    }
  };
}

/** What a gateway writes by itself. */
const gatewayReply = (status: number, body: string): Reply => ({ status, headers: { 'content-type': 'application/json' }, body });

/** The item of a handler that trusts its input: a field that is missing or of the wrong type is left out. */
function unchecked(body: Json, parts: Parts): NewPet {
  const field = (name: string) => (isObject(body) ? member(body, name) : undefined);
  const name = parts.readName(field('name'));
  const categoryId = parts.readCategory(field('categoryId'));
  const status = parts.readStatus(field('status'));
  const item = {
    name: name instanceof Problem ? '' : name,
    categoryId: categoryId instanceof Problem ? 0n : categoryId,
    status: status instanceof Problem ? undefined : status,
    raw: {
      ...(name instanceof Problem ? { name: undefined } : {}),
      ...(categoryId instanceof Problem ? { categoryId: undefined } : {}),
    },
  };
  return item;
}

/** The creation with its body looked at first. */
async function withBody(context: Context, run: (text: string, again: Context) => Reply | Promise<Reply>): Promise<Reply> {
  const bytes = await context.call.body();
  const again = { ...context, call: { ...context.call, body: async () => bytes } };
  return run(bytes instanceof Problem ? '' : Buffer.from(bytes).toString('utf8'), again);
}

// What witnesses share.
const plainPet = { name: 'Waldo', categoryId: 1, status: 'available' };
const idOf = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? 'none';
const idsOf = ({ text }: HttpResponse): bigint[] => [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => BigInt(id ?? 0));
const all = (ask: Ask) => ask({ path: '/pets?limit=100' });
const get = (ask: Ask, id: string) => ask({ path: `/pets/${id}` });
/** As many at the same time. */
const together = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

const plainFaults: readonly Row[] = [
  {
    name: 'missing-item-is-empty-200',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'GetItem does not fail for a missing key: it returns no Item, and the handler answers with statusCode 200 and JSON.stringify(undefined).',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        return reply.status === 404 ? { ...reply, status: 200, body: '' } : reply;
      },
    }),
    witness: async (ask) => {
      const { status, text } = await get(ask, '999999');
      return status === 200 && text === '';
    },
  },
  {
    name: 'errors-without-headers-are-text',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'The helper for errors returns statusCode and body only. An HTTP API with payload format 2.0 then writes text/plain; the REST API before it wrote application/json.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status >= 400 ? { 'content-type': 'text/plain; charset=utf-8' } : {}),
      }),
    }),
    witness: async (ask) => (await get(ask, '999999')).headers['content-type'] === 'text/plain; charset=utf-8',
  },
  {
    name: 'deprecated-since-in-milliseconds',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'The handler writes Date.getTime() into the Deprecation header, which counts seconds: getPet is deprecated from the year 56970 on.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const headers = parts.headers(given, reply, call);
        return call.operation === 'getPet' ? { ...headers, deprecation: `@${Date.UTC(2025, 0, 1)}` } : headers;
      },
    }),
    witness: async (ask) => Number((await get(ask, '1')).headers['deprecation']?.slice(1)) * 1000 > Date.UTC(2030, 11, 5),
  },
];

const faultsOfValues: readonly Row[] = [
  {
    name: 'category-of-38-digits',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'The model says "type": "integer", whose validator ignores the format, and a DynamoDB number has room for 38 digits: nobody checks int64.',
    patch: () => ({
      readCategory: (value) => {
        const category = value instanceof NumberText && value.text.length <= 38 ? parseInteger(value.text) : undefined;
        return category ?? invalid('categoryId must be an integer', 'invalid_category');
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":9223372036854775808}')).status === 201,
  },
  {
    name: 'model-without-type-object',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.body-object',
    summary:
      'The model of the request validator has required and properties, but no "type": "object". To JSON Schema an array or a string then fits, and an animal without a name is stored.',
    patch: (parts) => ({
      readNewPet: (body, all) => {
        if (body === null) return new Problem(502, 'Runtime.TypeError', "Cannot destructure property 'name' of null");
        return isObject(body) ? parts.readNewPet(body, all) : unchecked(body, all);
      },
    }),
    witness: async (ask) => (await post(ask, '[]')).status === 201,
  },
  {
    name: 'selection-pattern-stops-at-line-break',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.status-agrees',
    summary:
      'The integration response is selected by .*"status":400.* on the error message, which quotes the body. A dot matches no line break, so an invalid body of several lines gets the default response, 201.',
    patch: (parts) => ({
      createPet: (context) =>
        withBody(context, async (text, again) => {
          const reply = await parts.createPet(again);
          return reply.status === 400 && text.includes('\n') ? { ...reply, status: 201 } : reply;
        }),
    }),
    witness: async (ask) =>
      (await post(ask, '{\n  "name": "Waldo"\n}')).status === 201 && (await post(ask, '{"name":"Waldo"}')).status === 400,
  },
  {
    name: 'negative-category-in-no-shard',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'The index by status is split into four shards by categoryId % 4. The remainder of a negative number is negative, and no query reads a shard named SOLD#-1.',
    patch: (parts) => ({ matches: (pet, status) => pet.categoryId % 4n >= 0n && parts.matches(pet, status) }),
    witness: async (ask) => {
      const id = idOf(await post(ask, { name: 'Waldo', categoryId: -5, status: 'sold' }));
      return (await get(ask, id)).status === 200 && !(await ask({ path: '/pets?status=sold&limit=100' })).text.includes('Waldo');
    },
  },
  {
    name: 'long-token-breaks-key-lookup',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The authorizer looks the token up as a partition key, for which DynamoDB takes 2048 bytes at most. A longer one (a JWT, say) is a ValidationException, and the gateway makes 500 of it.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        (bearerToken(call.headers.authorization)?.length ?? 0) > 2048
          ? new Problem(500, 'AuthorizerFailureException', 'Internal server error')
          : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${'x'.repeat(3000)}` } })).status === 500,
  },
  {
    name: 'authorization-in-one-casing',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.valid-key',
    summary:
      'The handler reads event.headers.Authorization. A REST API passes header names in the casing of the client, and HTTP/2 clients write authorization.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (call.rawHeaders.includes('Authorization') ? parts.authenticate(call, apiKey) : unauthorized()),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { authorization: `Bearer ${KEY}` } })).status === 401,
  },
  {
    name: 'compressed-body-left-in-base64',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.well-formed',
    summary:
      'A middleware compresses for clients that accept gzip and returns base64 with isBase64Encoded. Without binaryMediaTypes API Gateway passes the base64 on as it is.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        if (!/\bgzip\b/.test(String(context.call.headers['accept-encoding'] ?? ''))) return reply;
        return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body).toString('base64') };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip, deflate' } })).text.startsWith('H4sI'),
  },
];

const faultsOfHistory: readonly Row[] = [
  {
    name: 'list-cached-per-instance',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The list is kept in a variable of the module, and a creation clears it on the instance that handles it. The other instances, which only concurrent requests reach, go on with what they had.',
    patch: (parts) => {
      const invoke = fleet(() => new Map<string, Reply>());
      return {
        dispatch: (context) =>
          invoke(async ({ state: cache }) => {
            const { operation, target } = context.call;
            if (operation === 'createPet') cache.clear();
            const cached = operation === 'listPets' ? cache.get(target) : undefined;
            if (cached !== undefined) return cached;
            const reply = await parts.dispatch(context);
            if (operation === 'listPets') cache.set(target, reply);
            return reply;
          }),
      };
    },
    witness: async (ask) => {
      await together(8, () => all(ask));
      await post(ask, plainPet);
      return (await together(8, () => all(ask))).some(({ text }) => !text.includes('Waldo'));
    },
  },
  {
    name: 'cold-authorizer-fails-open',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'The proxy asks an authorizer function with a short deadline and failure_mode_allow. A cold instance misses the deadline, so that the first request after a pause, or a concurrent one, is let in.',
    patch: (parts) => {
      const invoke = fleet(() => null, 300);
      return {
        handle: (context) => invoke(({ cold }) => parts.handle(cold ? withParts(context, { authenticate: () => undefined }) : context)),
      };
    },
    witness: async (ask) => {
      await all(ask);
      const warm = await ask({ path: '/pets', noKey: true });
      const burst = await together(8, () => ask({ path: '/pets', noKey: true }));
      return warm.status === 401 && burst.some(({ status }) => status === 200);
    },
  },
  {
    name: 'status-is-no-cache-key-parameter',
    sentence: 'Keep only animals with this status',
    clause: 'list.status-filter',
    summary:
      'The stage cache is on, flushed by creations, and limit is the only query parameter that is marked as a cache key. Two lists in a row with different statuses are the same list.',
    patch: (parts) => {
      const cache = new Map<string, Reply>();
      return {
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          cache.clear();
          return reply;
        },
        listPets: async (context) => {
          const key = context.call.query.get('limit') ?? '';
          const reply = cache.get(key) ?? (await parts.listPets(context));
          if (reply.status === 200) cache.set(key, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=available' });
      return (await ask({ path: '/pets?status=sold' })).text.includes('"available"');
    },
  },
  {
    name: 'database-file-in-tmp-of-instance',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'create.independent',
    summary:
      'The SQLite file lies in /tmp, of which each instance has its own. Animals created by the second instance, which only concurrent requests reach, are unknown to the first.',
    patch: (parts) => {
      const invoke = fleet((): { store?: Store } => ({}));
      return {
        dispatch: (context) =>
          invoke(({ state, number }) => {
            const { store: shared } = context;
            state.store ??= number === 0 ? shared : { animals: [...shared.animals], byId: new Map(shared.byId), lastId: shared.lastId };
            // Ids are a sequence of their own, which all instances share.
            const assignId = (_: Store, body: Json) => parts.assignId(shared, body);
            return parts.dispatch({ ...withParts(context, { assignId }), store: state.store });
          }),
      };
    },
    witness: async (ask) => {
      const created = await together(8, (index) => post(ask, { ...plainPet, name: `Tmp ${index}` }));
      const listed = idsOf(await all(ask));
      return created.every(({ status }) => status === 201) && created.some((response) => !listed.includes(BigInt(idOf(response))));
    },
  },
  {
    name: 'list-over-payload-limit',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.no-server-error',
    summary:
      'The API calls an Express workflow, whose states hand on 256 KB at most. Once a list is larger, because a few names are long, the gateway answers with an error of its own.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        return Buffer.byteLength(reply.body) > 256 * 1024 ? gatewayReply(502, '{"message":"Internal server error"}') : reply;
      },
    }),
    witness: async (ask) => {
      for (let index = 0; index < 3; index += 1) await post(ask, { ...plainPet, name: 'long'.repeat(25_000) });
      return (await all(ask)).status === 502;
    },
  },
];

const variants: readonly Row[] = [
  {
    name: 'ids-of-shifted-milliseconds',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary:
      'Ids are the milliseconds since 2020, shifted by 22 bits, as functions without a common counter make them: they do not fit a double.',
    patch: () => ({
      assignId: (store) => {
        const now = BigInt(Date.now() - Date.UTC(2020, 0, 1)) << 22n;
        store.lastId = now > store.lastId ? now : store.lastId + 1n;
        return store.lastId;
      },
    }),
    witness: async (ask) => BigInt(idOf(await post(ask, plainPet))) > 2n ** 53n,
  },
  {
    name: 'ids-count-down',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'The atomic counter goes down from -1, so that a plain Query shows the newest first. int64 has negative values too.',
    patch: () => ({
      assignId: (store) => {
        store.lastId -= 1n;
        return store.lastId;
      },
    }),
    witness: async (ask) => idOf(await get(ask, '-1')) === '-1',
  },
  {
    name: 'newest-first',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary: 'The Query has ScanIndexForward set to false. The document states no order.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).toReversed() }),
    witness: async (ask) => idsOf(await all(ask))[0] === 8n,
  },
  {
    name: 'order-of-partition-hash',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'A Scan runs through the partitions by the hash of the key: a stable order that nobody can guess, with new animals anywhere. The document states no order.',
    patch: (parts) => {
      const hash = ({ id }: Pet) => createHash('md5').update(String(id)).digest('hex');
      return { arrange: (store) => parts.arrange(store).toSorted((left, right) => (hash(left) < hash(right) ? -1 : 1)) };
    },
    witness: async (ask) => {
      const ids = idsOf(await all(ask)).join();
      return ids.split(',').toSorted().join() === '1,2,3,4,5,6,7,8' && !['1,2,3,4,5,6,7,8', '8,7,6,5,4,3,2,1'].includes(ids);
    },
  },
  {
    name: 'sparse-status',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'An animal created without a status has none, and is thus not in the sparse index by status.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 1 });
      return created.status === 201 && !created.text.includes('"status"');
    },
  },
  {
    name: 'codes-are-exception-names',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The code of an error is the name of an exception of the platform, and its message is the same for all of a kind.',
    patch: () => ({
      errorRecord: ({ status }) => {
        const code = { 400: 'ValidationException', 401: 'UnauthorizedException', 404: 'ResourceNotFoundException' }[status];
        return { status, message: 'See the request id in the log.', code: code ?? 'ServiceException' };
      },
    }),
    witness: async (ask) => (await get(ask, '999999')).text.includes('"code":"ResourceNotFoundException"'),
  },
  {
    name: 'headers-of-the-platform',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Gateway and CDN add their ids, a trace, a path of proxies, and a cache that always says it missed.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'x-amzn-requestid': crypto.randomUUID(),
        'x-amz-apigw-id': 'XyZ0aEjFoAMEbPg=',
        'x-amzn-trace-id': 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0',
        'x-cache': 'Miss from cloudfront',
        via: '1.1 0a1b2c3d4e5f.cloudfront.net (CloudFront)',
        'cache-control': 'no-store',
      }),
    }),
    witness: async (ask) => (await all(ask)).headers['x-cache'] === 'Miss from cloudfront',
  },
  {
    name: 'client-id-is-refused',
    sentence: 'never supplied by the client',
    summary: 'The model says "not": {"required": ["id"]}: a body that brings an id is rejected with 400, where others ignore it.',
    patch: (parts) => ({
      readNewPet: (body, all) => {
        const given = body !== null && isObject(body) && Object.hasOwn(body, 'id');
        return given ? invalid('id is assigned by the service', 'ValidationException') : parts.readNewPet(body, all);
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, id: 77 })).status === 400,
  },
  {
    name: 'name-is-a-sort-key',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The name is the sort key of an index: it must not be empty, nor longer than 1024 bytes, and is rejected with 400 otherwise.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const bytes = typeof name === 'string' ? Buffer.byteLength(name) : 1;
        return bytes < 1 || bytes > 1024 ? invalid('name must have 1 to 1024 bytes', 'ValidationException') : name;
      },
    }),
    witness: async (ask) =>
      (await post(ask, { ...plainPet, name: '' })).status === 400 &&
      (await post(ask, { ...plainPet, name: 'x'.repeat(1025) })).status === 400,
  },
  {
    name: 'conditional-write-by-name',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A conditional write, attribute_not_exists(name), makes names unique. The second animal of a name is rejected with 409 and an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, all) => {
              const newPet = parts.readNewPet(body, all);
              const taken = !(newPet instanceof Problem) && context.store.animals.some(({ name }) => name === newPet.name);
              return taken ? new Problem(409, 'ConditionalCheckFailedException', 'The name is taken') : newPet;
            },
          }),
        ),
    }),
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && (await post(ask, plainPet)).status === 409,
  },
  {
    name: 'limit-to-nearest-bound',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'An integer outside the bounds is moved to the nearest: limit=0 is one animal, and limit=1000 a hundred.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const asked = texts.length === 1 ? parseInteger(texts[0] ?? '') : undefined;
        return asked === undefined ? parts.parseLimit(texts) : Math.min(100, Math.max(1, Number(asked)));
      },
    }),
    witness: async (ask) =>
      idsOf(await ask({ path: '/pets?limit=0' })).length === 1 && idsOf(await ask({ path: '/pets?limit=1000' })).length === 8,
  },
  {
    name: 'unknown-partition-is-empty',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'The filter is the partition key of an index. A status that does not exist is an empty partition, and thus an empty list; no error is documented for it.',
    patch: (parts) => ({
      parseStatus: (texts) => (texts.length === 1 ? (texts[0] as Status) : parts.parseStatus(texts)),
    }),
    witness: async (ask) => {
      const { status, text } = await ask({ path: '/pets?status=lost' });
      return status === 200 && text === '[]';
    },
  },
  {
    name: 'passthrough-never',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'The integration has passthroughBehavior NEVER: a body of another content type is rejected with 415 and an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        /^application\/json\s*(?:;|$)/i.test(context.call.headers['content-type'] ?? 'application/json')
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'UnsupportedMediaTypeException', 'Unsupported Media Type')),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'cold-start-of-each-instance',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The first request of each instance waits for 700 ms, so that concurrent requests take longer than single ones. The document says nothing about time.',
    patch: (parts) => {
      const invoke = fleet(() => null);
      return {
        handle: (context) =>
          invoke(async ({ cold }) => {
            if (cold) await pause(700);
            return parts.handle(context);
          }),
      };
    },
    witness: async (ask) => {
      const before = performance.now();
      await all(ask);
      return performance.now() - before > 650;
    },
  },
  {
    name: 'compressed-for-those-who-accept',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'minimumCompressionSize is 0: every body, however short, is compressed for clients that accept gzip.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const accepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i.test(String(context.call.headers['accept-encoding'] ?? ''));
        const headers = { ...reply.headers, vary: 'Accept-Encoding' };
        return accepted
          ? { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }
          : { ...reply, headers };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'] === 'gzip',
  },
  {
    name: 'id-that-is-no-key-is-not-found',
    sentence: '`404` with an Error body when the animal does not exist.',
    summary: 'petId is looked up as it is. One that is not an int64 belongs to no animal: 404, where others say 400.',
    patch: (parts) => ({
      getPet: (context) => {
        const unknown = parts.parseId(context.call.petId) instanceof Problem;
        return unknown ? problemReply(context, notFound()) : parts.getPet(context);
      },
    }),
    witness: async (ask) => (await get(ask, 'rex')).status === 404,
  },
  {
    name: 'escapes-beyond-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'The template escapes strings like a Java library: \\/ for a slash, and \\uXXXX for all beyond ASCII. It is the same JSON.',
    patch: (parts) => ({
      encode: (value) =>
        String(parts.encode(value))
          .replaceAll('/', '\\/')
          .replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'Zoë/2' })).text.includes('"Zo\\u00EB\\/2"'),
  },
  {
    name: 'scheme-in-one-casing',
    sentence: 'in the form `Authorization: Bearer <API_KEY>`.',
    summary: 'The identity validation expression is ^Bearer \\S+$, as the document writes it: bearer in lower case is rejected with 401.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        /^Bearer \S+$/.test(call.headers.authorization ?? '') ? parts.authenticate(call, apiKey) : unauthorized(),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `bearer ${KEY}` } })).status === 401,
  },
  {
    name: 'integers-as-the-validator-sees-them',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary: 'The validator follows JSON Schema, to which 7.0 is an integer. The document does not say how an integer is spelled.',
    patch: (parts) => ({
      readCategory: (value) =>
        parts.readCategory(value instanceof NumberText ? new NumberText(value.text.replace(/^(-?\d+)\.0+$/, '$1')) : value),
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":7.0}');
      return created.status === 201 && created.text.includes('"categoryId":7,');
    },
  },
  {
    name: 'payload-limit-of-256-kilobytes',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'A body beyond what an event may carry is read to its end and rejected with 413 and an Error body; nothing is stored.',
    patch: (parts) => ({
      createPet: (context) =>
        withBody(context, (text, again) =>
          Buffer.byteLength(text) > 256 * 1024
            ? problemReply(context, new Problem(413, 'RequestTooLargeException', 'Request Too Long'))
            : parts.createPet(again),
        ),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'x'.repeat(300_000) })).status === 413,
  },
];

/** Functions behind an API gateway, with a key-value store behind them. */
export const serverless: readonly Holdout[] = [
  ...[...plainFaults, ...faultsOfValues, ...faultsOfHistory].map((row) => ({ ...row, kind: 'fault' as const })),
  ...variants.map((row) => ({ ...row, kind: 'variant' as const })),
];
