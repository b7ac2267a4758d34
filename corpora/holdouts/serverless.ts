import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { bearerToken, readListQuery, sameKey } from '../../src/reference/core/base.ts';
import { isInt64, isObject, type Json, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  notFound,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { type NewPet, type Pet, removePet, type Status, type Store } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { parses, post } from './witness.ts';

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

/** Lists leave out the animals for which `lost` is true, asked once at the creation. */
function projected(lost: (pet: Pet) => boolean): Patch {
  return (parts) => {
    const hidden = new Set<bigint>();
    return {
      arrange: (store) => parts.arrange(store).filter(({ id }) => !hidden.has(id)),
      insert: (store, pet) => {
        if (lost(pet)) hidden.add(pet.id);
        return parts.insert(store, pet);
      },
    };
  };
}

/** Creations are told how many others the function has at work when they begin. */
function counting(run: (context: Context, others: number) => Reply | Promise<Reply>): Pick<Parts, 'createPet'> {
  let inFlight = 0;
  return {
    createPet: async (context) => {
      const others = inFlight;
      inFlight += 1;
      try {
        await pause(BUSY);
        return await run(context, others);
      } finally {
        inFlight -= 1;
      }
    },
  };
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
    name: 'explicit-deny-is-403',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The Lambda authorizer answers a wrong key with a Deny policy instead of throwing "Unauthorized". API Gateway makes 403 of the first and 401 of the second only.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const problem = parts.authenticate(call, apiKey);
        if (problem === undefined || bearerToken(call.headers.authorization) === undefined) return problem;
        return new Problem(403, 'AccessDeniedException', 'User is not authorized to access this resource with an explicit deny');
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer wrong' } })).status === 403,
  },
  {
    name: 'gateway-response-quotes-message-twice',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'The template of the UNAUTHORIZED gateway response puts quotes around $context.error.messageString, which brings its own: the 401 for a missing header is not JSON.',
    patch: (parts) => ({
      handle: (context) =>
        context.call.headers.authorization === undefined
          ? gatewayReply(401, '{"code":"UNAUTHORIZED","message":""Unauthorized"","status":401}')
          : parts.handle(context),
    }),
    witness: async (ask) => !parses(await ask({ path: '/pets', noKey: true })),
  },
  {
    name: 'token-is-last-word-of-header',
    sentence: 'Scheme: HTTP bearer.',
    clause: 'auth.wrong-scheme',
    summary: "The authorizer takes event.authorizationToken.split(' ').pop(): any scheme will do, and so will none.",
    patch: () => ({
      authenticate: ({ headers }, apiKey) => (sameKey(headers.authorization?.split(' ').at(-1) ?? '', apiKey) ? undefined : unauthorized()),
    }),
    witness: async (ask) => {
      const basic = await ask({ path: '/pets', noKey: true, headers: { Authorization: `Basic ${KEY}` } });
      const bare = await ask({ path: '/pets', noKey: true, headers: { Authorization: KEY } });
      return basic.status === 200 && bare.status === 200;
    },
  },
  {
    name: 'one-function-without-authorizer',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'serverless.yml names the authorizer once per http event, and the event of the old getPet function was written before there was one.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (call.operation === 'getPet' ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1', noKey: true })).status === 200,
  },
  {
    name: 'default-method-response-for-created',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary: 'The integration is not a proxy integration, and the console sets it up with a single method response: 200.',
    patch: () => ({ createdStatus: () => 200 }),
    witness: async (ask) => (await post(ask, plainPet)).status === 200,
  },
  {
    name: 'scan-result-as-list',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary: 'The handler returns the result of the Scan, where it should return its Items.',
    patch: () => ({ listBody: (records) => ({ Items: records, Count: records.length, ScannedCount: records.length }) }),
    witness: async (ask) => (await ask({ path: '/pets' })).text.startsWith('{"Items":'),
  },
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
    name: 'status-is-a-reserved-word',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-accepted',
    summary:
      'The FilterExpression is "status = :s", but status is a reserved word of DynamoDB and needs an ExpressionAttributeName: every filtered list ends in a ValidationException.',
    patch: (parts) => ({
      listPets: (context) =>
        context.call.query.has('status')
          ? problemReply(context, new Problem(500, 'ValidationException', 'Invalid FilterExpression: reserved keyword: status'))
          : parts.listPets(context),
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).status === 500,
  },
  {
    name: 'filter-expression-after-limit',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'DynamoDB applies Limit to the items that it reads, and the FilterExpression to what is left: the list of a rare status is short or empty.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem) return problemReply(context, query);
        const { limit, status } = query;
        const read = parts.arrange(context.store).slice(0, limit);
        const kept = status === undefined ? read : read.filter((pet) => parts.matches(pet, status));
        return jsonReply(
          context,
          200,
          kept.map((pet) => parts.petRecord(pet, 'list')),
        );
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=sold&limit=2' })).text === '[]',
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
    name: 'escape-javascript-apostrophe',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      "The mapping template passes strings through $util.escapeJavaScript, which writes \\' for an apostrophe. The manual warns of it: JSON has no such escape.",
    patch: (parts) => ({ encode: (value) => String(parts.encode(value)).replaceAll("'", "\\'") }),
    witness: async (ask) => !parses(await post(ask, { ...plainPet, name: "Dog's Best" })),
  },
  {
    name: 'base64-body-read-with-atob',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'With binaryMediaTypes of */* every body arrives in base64. The handler decodes it with atob, one character a byte, so names beyond ASCII are garbled.',
    patch: (parts) => ({ readBody: (bytes, call) => parts.readBody(Buffer.from(Buffer.from(bytes).toString('latin1'), 'utf8'), call) }),
    witness: async (ask) => {
      const created = await post(ask, { ...plainPet, name: 'Zoë' });
      return created.status === 201 && !created.text.includes('Zoë');
    },
  },
  {
    name: 'template-writes-absent-status-as-empty',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'The mapping template has "status": "$input.path(\'$.status\')". A path that leads nowhere is an empty string in Velocity, and that is stored.',
    patch: (parts) => ({
      createPet: (context) => parts.createPet(withParts(context, { defaultStatus: () => undefined })),
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? '' }),
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 1 })).text.includes('"status":""'),
  },
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
    name: 'put-item-spreads-the-body',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-not-adopted',
    summary:
      'The item is { id: newId, ...body }, so an id of the client comes last and wins. PutItem without attribute_not_exists replaces the animal that has it.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const given = body !== null && isObject(body) ? member(body, 'id') : undefined;
        const id = given instanceof NumberText ? parseInteger(given.text) : undefined;
        return id !== undefined && isInt64(id) ? id : parts.assignId(store, body);
      },
      insert: (store, pet) => {
        const old = store.byId.get(pet.id);
        if (old !== undefined) removePet(store, old);
        return parts.insert(store, pet);
      },
    }),
    witness: async (ask) => {
      await post(ask, { ...plainPet, id: 3 });
      return (await get(ask, '3')).text.includes('Waldo');
    },
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
    name: 'limit-shared-among-scan-segments',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'A parallel Scan of four segments gives each Math.ceil(limit / 4) and joins the results: a limit that four does not divide is exceeded.',
    patch: () => ({ page: (animals, { limit }) => animals.slice(0, Math.ceil(limit / 4) * 4) }),
    witness: async (ask) =>
      idsOf(await ask({ path: '/pets?limit=5' })).length === 8 && idsOf(await ask({ path: '/pets?limit=4' })).length === 4,
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
    name: 'pet-id-or-zero',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'The handler makes a number of event.pathParameters.petId by "| 0", which keeps 32 bits: 4294967297 finds animal 1.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return typeof id === 'bigint' ? BigInt.asIntN(32, id) : id;
      },
    }),
    witness: async (ask) => idOf(await get(ask, '4294967297')) === '1',
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
  {
    name: 'other-media-type-skips-validator',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.name-required',
    summary:
      'The request validator has a model for application/json only, and passthroughBehavior WHEN_NO_MATCH hands any other content type to the function unchecked: an animal without a name is stored.',
    patch: (parts) => ({
      createPet: (context) => {
        if (/^application\/json\b/i.test(context.call.headers['content-type'] ?? 'application/json')) return parts.createPet(context);
        return parts.createPet(withParts(context, { readNewPet: unchecked }));
      },
    }),
    witness: async (ask) => (await post(ask, '{"categoryId":1}', { 'Content-Type': 'text/plain' })).status === 201,
  },
];

const faultsOfHistory: readonly Row[] = [
  {
    name: 'only-first-record-of-stream-batch',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'Lists come from a table that a stream consumer fills, and the consumer handles event.Records[0]. Animals created at the same time share a batch, so that all but one are never listed.',
    patch: (parts) => {
      const hidden = new Set<bigint>();
      return {
        arrange: (store) => parts.arrange(store).filter(({ id }) => !hidden.has(id)),
        ...counting((context, others) =>
          parts.createPet(
            withParts(context, {
              insert: (store, pet) => {
                if (others > 0) hidden.add(pet.id);
                return parts.insert(store, pet);
              },
            }),
          ),
        ),
      };
    },
    witness: async (ask) => {
      const created = await together(8, (index) => post(ask, { ...plainPet, name: `Batch ${index}` }));
      const listed = idsOf(await all(ask));
      return created.some((response) => response.status === 201 && !listed.includes(BigInt(idOf(response))));
    },
  },
  {
    name: 'poison-record-blocks-stream',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The stream consumer behind the list unmarshalls without wrapNumbers, which throws on a number beyond 2^53. The shard is retried for a day, and no animal created after that one gets into a list.',
    patch: (parts) => {
      let blocked = false;
      return projected(({ categoryId }) => {
        blocked ||= categoryId > 2n ** 53n || categoryId < -(2n ** 53n);
        return blocked;
      })(parts);
    },
    witness: async (ask) => {
      await post(ask, { ...plainPet, name: 'Early' });
      await post(ask, '{"name":"Poison","categoryId":9007199254740993}');
      await post(ask, { ...plainPet, name: 'Late' });
      const { text } = await all(ask);
      return text.includes('Early') && !text.includes('Late');
    },
  },
  {
    name: 'transaction-conflict-is-500',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'errors.no-server-error',
    summary:
      'Counter and animal are written in one TransactWriteItems. Of two at the same time one is cancelled with TransactionConflict, which the SDK does not retry, and the handler does not either.',
    patch: (parts) =>
      counting((context, others) =>
        others > 0
          ? problemReply(context, new Problem(500, 'TransactionCanceledException', 'Transaction cancelled: [TransactionConflict, None]'))
          : parts.createPet(context),
      ),
    witness: async (ask) => (await together(8, () => post(ask, plainPet))).some(({ status }) => status === 500),
  },
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
    name: 'negative-cache-of-items',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'DAX keeps that an item was missing for five minutes, and creations write past it to the table: an id that was read before it was assigned stays 404.',
    patch: (parts) => {
      const missing = new Set<bigint>();
      return {
        find: (store, id) => {
          const pet = missing.has(id) ? undefined : parts.find(store, id);
          if (pet === undefined) missing.add(id);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      await get(ask, '9');
      const created = await post(ask, plainPet);
      return created.status === 201 && idOf(created) === '9' && (await get(ask, '9')).status === 404;
    },
  },
  {
    name: 'fifo-queue-drops-equal-creations',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'get.success',
    summary:
      'Creations go through a FIFO queue with content-based deduplication. The second of two equal ones within five minutes gets its 201 and its id, and is dropped by the queue.',
    patch: (parts) => {
      const seen = new Set<string>();
      return {
        insert: (store, pet) => {
          const content = JSON.stringify([pet.name, String(pet.categoryId), pet.status]);
          if (seen.has(content)) return pet;
          seen.add(content);
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, plainPet);
      const second = await post(ask, plainPet);
      return second.status === 201 && (await get(ask, idOf(second))).status === 404;
    },
  },
  {
    name: 'idempotency-by-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The idempotency layer takes the name in the body as its key, where it should take a key of the client: another animal of the same name gets the stored answer about the first.',
    patch: (parts) => {
      const stored = new Map<string, Pet>();
      return {
        insert: async (store, pet) => {
          const shown = stored.get(pet.name) ?? (await parts.insert(store, pet));
          stored.set(pet.name, shown);
          return shown;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, plainPet);
      const second = await post(ask, { ...plainPet, categoryId: 2 });
      return second.status === 201 && second.text.includes('"categoryId":1');
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
    name: 'frozen-connection-to-store',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'The SDK keeps its connection to the store while the instance is frozen, and the store closes it meanwhile. The first request after a pause ends in ECONNRESET.',
    patch: (parts) => {
      let usedAt: number | undefined;
      return {
        dispatch: (context) => {
          const idle = performance.now() - (usedAt ?? performance.now());
          usedAt = performance.now();
          return idle > 400
            ? problemReply(context, new Problem(502, 'InternalServerErrorException', 'read ECONNRESET'))
            : parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      await all(ask);
      await pause(600);
      return (await all(ask)).status === 502 && (await all(ask)).status === 200;
    },
  },
  {
    name: 'sort-key-by-prefix',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'getPet queries begins_with(sk, "PET#1") with the newest first and Limit 1, for an animal that once had several rows. From the tenth animal on, PET#1 finds another.',
    patch: () => ({
      find: (store, id) =>
        store.animals
          .filter((pet) => String(pet.id).startsWith(String(id)))
          .toSorted((left, right) => (String(left.id) < String(right.id) ? 1 : -1))[0],
    }),
    witness: async (ask) => {
      const before = idOf(await get(ask, '1'));
      for (const name of ['Nine', 'Ten']) await post(ask, { ...plainPet, name });
      return before === '1' && idOf(await get(ask, '1')) === '10';
    },
  },
  {
    name: 'module-variable-under-concurrency',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The handler keeps the animal in a variable of the module, which was safe with one request an instance. On a platform that sends several to an instance, concurrent creations store the last one many times.',
    patch: (parts) => {
      let current: Pet;
      return {
        insert: async (store, pet) => {
          current = pet;
          await pause(BUSY);
          return parts.insert(store, { ...current, id: pet.id });
        },
      };
    },
    witness: async (ask) => {
      const created = await together(8, (index) => post(ask, { ...plainPet, name: `Mixed ${index}` }));
      return created.some(({ text }, index) => !text.includes(`"Mixed ${index}"`));
    },
  },
  {
    name: 'default-limit-not-loaded-when-cold',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.limit-default',
    summary:
      'The default limit comes from a parameter store and is loaded in the background of a cold start. Until then it is undefined, and slice(0, undefined) is everything.',
    seedAnimals: 30,
    patch: (parts) => {
      const invoke = fleet(() => null, 300);
      const parseLimit: Parts['parseLimit'] = (texts) => (texts.length === 0 ? Number.MAX_SAFE_INTEGER : parts.parseLimit(texts));
      return { listPets: (context) => invoke(({ cold }) => parts.listPets(cold ? withParts(context, { parseLimit }) : context)) };
    },
    witness: async (ask) => {
      const first = idsOf(await ask({ path: '/pets' })).length;
      return first === 30 && idsOf(await ask({ path: '/pets' })).length === 20;
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
