import { createHash } from 'node:crypto';
import { KEY } from '../../proof/judge-reference.ts';
import { sameKey } from '../../src/reference/core/base.ts';
import { atPath } from '../../src/reference/core/incoming.ts';
import { integerLiteral, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  invalid,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, STATUSES } from '../../src/reference/core/store.ts';
import type { Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post } from './witness.ts';

type Unsorted = Omit<Holdout, 'kind'>;

// What servers share.
const allowed = ({ parts, call, apiKey }: Context): boolean => parts.authenticate(call, apiKey) === undefined;
const withBody = (context: Context, bytes: Uint8Array): Context => ({ ...context, call: { ...context.call, body: async () => bytes } });
const without = (record: Record<string, unknown>, name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
const pathBelowBase = (call: Call): string => /^\/v1(\/[^?]*)/.exec(call.target)?.[1] ?? '';

/** The body of a creation and what validation makes of it: a Problem where it is rejected. */
async function validated({ parts, call }: Context): Promise<{ readonly bytes: Uint8Array; readonly problem: Problem | undefined }> {
  const bytes = await call.body();
  if (bytes instanceof Problem) return { bytes: new Uint8Array(), problem: bytes };
  const body = parts.readBody(bytes, call);
  const read = body instanceof Problem ? body : parts.readNewPet(body, parts);
  return { bytes, problem: read instanceof Problem ? read : undefined };
}

/** Returns what the function returns, and otherwise serves the authenticated request as before. */
const intercept =
  (response: (context: Context) => Reply | Problem | undefined): Patch =>
  (parts) => ({
    dispatch: async (context) => {
      const found = response(context);
      if (found instanceof Problem) return problemReply(context, found);
      return found ?? (await parts.dispatch(context));
    },
  });

// What witnesses share.
const idOf = ({ text }: HttpResponse): string => /"id":\s*(-?\d+)/.exec(text)?.[1] ?? '';
const parsed = ({ text }: HttpResponse): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;
const pets = ({ text }: HttpResponse): readonly Record<string, unknown>[] => JSON.parse(text) as Record<string, unknown>[];
const typeOf = ({ headers }: HttpResponse): string => headers['content-type'] ?? '';
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

const plainFaults: readonly Unsorted[] = [
  {
    name: 'spring-default-error-for-missing-animal',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'get.not-found',
    summary:
      "The generated Spring delegate throws ResponseStatusException, and Boot's BasicErrorController writes its own body: timestamp, status, error, and path, but neither code nor message.",
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404
          ? { timestamp: new Date(0).toISOString(), status: 404, error: 'Not Found', path: call.target }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => !('code' in parsed(await ask({ path: '/pets/999999' }))),
  },
  {
    name: 'sample-error-model-has-integer-code',
    sentence: '| code | string | yes | Machine-readable error code |',
    clause: 'get.not-found',
    summary: 'The Error model was generated from the well-known petstore sample, in which code is an int32 and the HTTP status.',
    patch: () => ({ errorRecord: ({ status, message }) => ({ code: status, message, status }) }),
    witness: async (ask) => parsed(await ask({ path: '/pets/999999' }))['code'] === 404,
  },
  {
    name: 'connexion-attribute-names-on-get',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'Python models name attributes category_id and map them when they are serialized. The edited getPet returns vars(pet), and so the names of the attributes.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'get' ? { ...without(record, 'categoryId'), category_id: record['categoryId'] } : record;
      },
    }),
    witness: async (ask) => 'category_id' in parsed(await ask({ path: '/pets/1' })),
  },
  {
    name: 'deprecated-operation-not-generated',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'get.success',
    summary: 'The generator ran with a filter that leaves out deprecated operations, so that the route of getPet does not exist any more.',
    patch: intercept(({ call }) => (call.operation === 'getPet' ? notFound('no matching operation was found') : undefined)),
    witness: async (ask) => (await ask({ path: '/pets/1' })).status === 404,
  },
  {
    name: 'fastapi-validation-is-422',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.success',
    summary:
      'fastapi-codegen leaves validation to FastAPI, which rejects bodies with 422 and a list of details unless a handler is installed.',
    patch: (parts) => ({
      errorStatus: (problem, call) => (call.operation === 'createPet' && problem.status === 400 ? 422 : parts.errorStatus(problem, call)),
      errorRecord: (problem, call) =>
        call.operation === 'createPet' && problem.status === 400
          ? { detail: [{ type: 'missing', loc: ['body'], msg: problem.message }] }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => (await post(ask, {})).status === 422,
  },
  {
    name: 'csharp-required-long-defaults-to-zero',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.success',
    summary:
      'The generated model has [Required] on a long that cannot be null: a missing member is 0 before validation, which then finds nothing wrong.',
    patch: (parts) => ({ readCategory: (value) => (value === undefined ? 0n : parts.readCategory(value)) }),
    witness: async (ask) => (await post(ask, { name: 'Waldo' })).status === 201,
  },
];

const faultsOfValues: readonly Unsorted[] = [
  {
    name: 'tsoa-number-rounds-category',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary: 'TypeScript generators make int64 a number, so that categories above 2^53 are rounded to the next double.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return typeof category === 'bigint' ? BigInt(Number(category)) : category;
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":9007199254740993}')).text.includes('9007199254740992'),
  },
  {
    name: 'accept-compared-as-a-whole',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'The generated stub compares the Accept header with application/json as a whole, so that the default of axios, with two more types, is answered with 406.',
    patch: intercept(({ call }) =>
      ['*/*', 'application/json', undefined].includes(call.headers.accept)
        ? undefined
        : new Problem(406, 'not_acceptable', 'Not acceptable'),
    ),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Accept: 'application/json, text/plain, */*' } })).status === 406,
  },
  {
    name: 'browser-gets-xml',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'list.success',
    summary:
      'With jackson-dataformat-xml among the dependencies, Spring negotiates: the Accept header of a browser, which names XML before */*, gets XML.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const accept = context.call.headers.accept ?? '';
        if (reply.status !== 200 || !accept.includes('application/xml') || accept.includes('json')) return reply;
        const items = [...reply.body.toString().matchAll(/"id":(-?\d+)/g)].map(([, id]) => `<item><id>${id}</id></item>`);
        return { ...reply, headers: { ...reply.headers, 'content-type': 'application/xml' }, body: `<List>${items.join('')}</List>` };
      },
    }),
    witness: async (ask) =>
      typeOf(await ask({ path: '/pets', headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } })) ===
      'application/xml',
  },
  {
    name: 'wsgi-takes-chunked-body-for-none',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Flask reads as many bytes as Content-Length says, and a chunked request has none: without wsgi.input_terminated the body is empty, and required fields are missing.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        call.headers['transfer-encoding'] === undefined ? parts.readBody(bytes, call) : invalid("'name' is a required property"),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Transfer-Encoding': 'chunked' })).status === 400,
  },
  {
    name: 'scheme-word-never-looked-at',
    sentence: 'Scheme: HTTP bearer.',
    clause: 'auth.wrong-scheme',
    summary: 'The edited handler takes the key by header.split(" ")[1], so that any word before it will do.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        sameKey(call.headers.authorization?.split(' ')[1] ?? '', apiKey) ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Authorization: `ApiKey ${KEY}` }, noKey: true })).status === 200,
  },
];

const faultsOfHistory: readonly Unsorted[] = [
  {
    name: 'pooled-dto-keeps-members',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.success',
    summary:
      'The Go handler takes its NewPet from a sync.Pool and decodes into it without a reset: after the first creation, a missing member has the value of the request before.',
    patch: (parts) => {
      let pooled: Record<string, Json> = {};
      return {
        readNewPet: (body, own) => {
          const read = parts.readNewPet(isObject(body) ? { ...pooled, ...body } : body, own);
          if (!(read instanceof Problem)) pooled = { name: read.name, categoryId: new NumberText(String(read.categoryId)) };
          return read;
        },
      };
    },
    witness: async (ask) => {
      const before = await post(ask, { categoryId: 7 });
      await post(ask, plainPet);
      return before.status === 400 && (await post(ask, { categoryId: 7 })).status === 201;
    },
  },
  {
    name: 'singleton-controller-holds-the-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'The generated delegate is a singleton bean, and an edit put the request into a field of it: of creations at the same time, the last one decides what all of them store.',
    patch: () => {
      let current = { name: '', categoryId: 0n };
      return {
        insert: async (store, pet) => {
          current = pet;
          await pause(15);
          const stored = { ...pet, name: current.name, categoryId: current.categoryId };
          addPet(store, stored);
          return stored;
        },
      };
    },
    witness: async (ask) => {
      const responses = await Promise.all(times(8, (index) => post(ask, { ...plainPet, name: `Waldo ${index}` })));
      return responses.some((response, index) => parsed(response)['name'] !== `Waldo ${index}`);
    },
  },
  {
    name: 'principal-in-singleton-security-handler',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.every-request',
    summary:
      'The security handler keeps the principal in a field until the request ends. A request without a key that comes while another one is served finds that principal, and is let in.',
    patch: (parts) => {
      let served = 0;
      return {
        handle: async (context) => {
          if (!allowed(context)) return await parts.handle(served > 0 ? withParts(context, { authenticate: () => undefined }) : context);
          served += 1;
          try {
            await pause(10);
            return await parts.handle(context);
          } finally {
            served -= 1;
          }
        },
      };
    },
    witness: async (ask) => {
      const alone = await ask({ path: '/pets', noKey: true });
      const responses = await Promise.all(times(24, (index) => ask({ path: '/pets', noKey: index % 2 === 1 })));
      return alone.status === 401 && responses.some(({ status }, index) => index % 2 === 1 && status === 200);
    },
  },
  {
    name: 'next-id-is-maximum-plus-one',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'list.unique',
    summary: 'The generated repository assigns the largest id plus one, and awaits the write: creations at the same time get the same id.',
    patch: () => ({
      assignId: ({ animals }) => (animals.at(-1)?.id ?? 0n) + 1n,
      insert: async (store, pet) => {
        await pause(15);
        addPet(store, pet);
        return pet;
      },
    }),
    witness: async (ask) => new Set((await Promise.all(times(8, () => post(ask, plainPet)))).map(idOf)).size < 8,
  },
  {
    name: 'cache-key-without-status',
    sentence: 'Keep only animals with this status',
    clause: 'list.success',
    summary:
      'The method is @Cacheable with the limit as its key, from the time before the filter. Until the next creation evicts it, a filtered list is whatever was asked for first.',
    patch: (parts) => {
      const cache = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.get('limit') ?? '';
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
      await ask({ path: '/pets?limit=50' });
      return pets(await ask({ path: '/pets?limit=50&status=sold' })).some(({ status }) => status !== 'sold');
    },
  },
  {
    name: 'global-regex-remembers-its-index',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The pattern of petId has the g flag in the edited Express middleware. test() goes on where it stopped, so that every second read of an animal is rejected.',
    patch: (parts) => {
      const pattern = /^-?\d+$/g;
      return { parseId: (text) => (pattern.test(text) ? parts.parseId(text) : invalid('petId must match pattern', 'invalid_id')) };
    },
    witness: async (ask) => (await ask({ path: '/pets/1' })).status === 200 && (await ask({ path: '/pets/1' })).status === 400,
  },
  {
    name: 'default-parameters-object-changed',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.success',
    summary:
      'The generated parameters are merged into the object of defaults (Object.assign with the wrong first argument): a list without a limit has the one of the list before.',
    patch: (parts) => {
      const defaults = { limit: 20 };
      return {
        parseLimit: (texts) => {
          const limit = texts.length === 0 ? defaults.limit : parts.parseLimit(texts);
          if (typeof limit === 'number') defaults.limit = limit;
          return limit;
        },
      };
    },
    seedAnimals: 30,
    witness: async (ask) => {
      const first = pets(await ask({ path: '/pets' })).length;
      await ask({ path: '/pets?limit=100' });
      return first === 20 && pets(await ask({ path: '/pets' })).length === 30;
    },
  },
  {
    name: 'row-visible-before-its-category',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pets',
    summary:
      'The generated repository inserts the row and then updates the foreign key, without a transaction: a list in between shows the animal with a category of null.',
    patch: () => ({
      insert: async (store, pet) => {
        const row = { ...pet, raw: { categoryId: null } as Record<string, unknown> };
        addPet(store, row);
        await pause(30);
        row.raw = {};
        return row;
      },
    }),
    witness: async (ask) => {
      const created = post(ask, plainPet);
      let shown = false;
      for (let waiting = true; waiting; ) {
        const list = await ask({ path: '/pets?limit=100' });
        shown ||= pets(list).some(({ categoryId }) => categoryId === null);
        waiting = !(await Promise.race([created.then(() => true), pause(1).then(() => false)]));
      }
      return shown;
    },
  },
];

const variants: readonly Unsorted[] = [
  {
    name: 'unknown-query-parameters-rejected',
    sentence: 'Query parameters (all optional): limit and status. What others do is not stated.',
    summary: 'express-openapi-validator rejects query parameters that the document does not declare, with 400 (its default).',
    patch: intercept(({ call }) => {
      const unknown = [...call.query.keys()].find((name) => call.operation === 'listPets' && name !== 'limit' && name !== 'status');
      return unknown === undefined ? undefined : invalid(`Unknown query parameter '${unknown}'`, 'unknown_parameter');
    }),
    witness: async (ask) => (await ask({ path: '/pets?sort=name' })).status === 400,
  },
  {
    name: 'additional-properties-rejected',
    sentence: 'NewPet: name, categoryId, status. What further members do is not stated.',
    summary:
      'The document was generated with additionalProperties: false, and the validator rejects bodies with any other member, id included.',
    patch: (parts) => ({
      readNewPet: (body, own) => {
        const other = isObject(body) ? Object.keys(body).find((name) => !['name', 'categoryId', 'status'].includes(name)) : undefined;
        return other === undefined ? parts.readNewPet(body, own) : invalid('must NOT have additional properties');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'records-with-generated-members',
    sentence: 'Pet has every field of NewPet, plus id. Whether records have more members is not stated.',
    summary: 'The entity of the generator is returned as it is: links, a version, and empty collections of the larger petstore sample.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        _links: { self: { href: `/v1/pets/${pet.id}` } },
        ...parts.petRecord(pet, place),
        photoUrls: [],
        tags: null,
        category: { id: integerLiteral(pet.categoryId), name: null },
        '@version': 1,
      }),
    }),
    witness: async (ask) => '_links' in parsed(await ask({ path: '/pets/1' })),
  },
  {
    name: 'errors-with-violations',
    sentence: 'Error: code, message, status. Whether there are more members is not stated.',
    summary:
      'The Error model was merged with problem details: type, title, a trace id, and a list of violations, which is empty most of the time.',
    patch: () => ({
      errorRecord: ({ code, message, status }) => ({
        ...{ type: 'about:blank', title: message, detail: null, traceId: '00-0', errors: {}, violations: [] },
        ...{ status, message, code },
      }),
    }),
    witness: async (ask) => 'violations' in parsed(await ask({ path: '/pets/999999' })),
  },
  {
    name: 'snowflake-ids',
    sentence: 'Unique identifier assigned by the service on creation. How it is chosen is not stated.',
    summary: 'Ids come from a snowflake generator and are far above 2^53, close to the end of int64.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 4099n;
        return 9_223_372_036_000_000_001n + store.lastId;
      },
    }),
    witness: async (ask) => idOf(await post(ask, plainPet)).length === 19,
  },
  {
    name: 'ids-count-down-from-zero',
    sentence: '`id`: integer, int64. No sign and no order is stated.',
    summary: 'The generated repository uses a sequence with INCREMENT BY -1, to stay apart from ids of the old service: the first id is 0.',
    patch: () => ({
      assignId: (store) => {
        const id = store.lastId;
        store.lastId -= 1n;
        return id;
      },
    }),
    witness: async (ask) => idOf(await post(ask, plainPet)).startsWith('-'),
  },
  {
    name: 'omitted-status-stays-omitted',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The field is a pointer with omitempty, and nobody wrote a default: such an animal has no status, and no filter keeps it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !('status' in parsed(await post(ask, plainPet))),
  },
  {
    name: 'default-status-of-the-creation-before',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The default object of the generated model is shared and keeps the last status that was set, which nobody noticed.',
    patch: (parts) => {
      let last = parts.defaultStatus();
      return {
        defaultStatus: () => last,
        readStatus: (value) => {
          const status = parts.readStatus(value);
          if (status !== undefined && !(status instanceof Problem)) last = status;
          return status;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { ...plainPet, status: 'sold' });
      return parsed(await post(ask, plainPet))['status'] === 'sold';
    },
  },
  {
    name: 'order-changes-with-every-list',
    sentence: 'No order of the list is stated.',
    summary: 'The Go repository ranges over a map, so that every list starts somewhere else.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          turn += 1;
          const start = turn % Math.max(animals.length, 1);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const first = await ask({ path: '/pets' });
      return (await ask({ path: '/pets' })).text !== first.text;
    },
  },
  {
    name: 'limit-clamped-to-its-bounds',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'The edited binding clamps instead of rejecting: 0 and less are 1, more than 100 is 100.',
    patch: (parts) => ({
      parseLimit: (texts) =>
        texts.length === 1 && /^-?\d+$/.test(texts[0] ?? '') ? Math.min(100, Math.max(1, Number(texts[0]))) : parts.parseLimit(texts),
    }),
    witness: async (ask) => pets(await ask({ path: '/pets?limit=0' })).length === 1,
  },
  {
    name: 'unknown-status-filter-keeps-nothing',
    sentence: 'The response to a `status` parameter that is none of PetStatus is not stated.',
    summary: 'The generated binding has the parameter as a plain string, and the query finds nothing: 200 with an empty array.',
    patch: (parts) => ({
      listPets: async (context) => {
        const known = context.call.query.getAll('status').every((text) => STATUSES.some((status) => status === text));
        return await parts.listPets(known ? context : withParts(context, { parseStatus: () => undefined, page: () => [] }));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=lost' })).text === '[]',
  },
  {
    name: 'json-escaped-and-indented',
    sentence: 'JSON bodies. No way of writing them is stated.',
    summary: 'The serializer indents, and escapes whatever is not ASCII as well as <, >, &, and the slash, to be safe in HTML.',
    patch: (parts) => ({
      encode: (value) => {
        const indented = JSON.stringify(value, null, 4) ?? parts.encode(value).toString();
        const escaped = indented.replace(/[^\n -~]|[<>&']/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
        return `\n${escaped.replaceAll('/', '\\/')}\n`;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'Žofie <3' })).text.includes('\\u017dofie \\u003c3'),
  },
  {
    name: 'media-type-in-capitals',
    sentence: 'The media type is `application/json`. Its parameters and its letter case, which media types do not have, are not stated.',
    summary: 'A constant of the template is written Application/JSON, with a charset in quotes.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON;Charset="UTF-8"' }),
    }),
    witness: async (ask) => typeOf(await ask({ path: '/pets' })).startsWith('Application/JSON'),
  },
  {
    name: 'localized-messages-and-numeric-codes',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'Codes are numbers in strings, and messages come from a bundle by Accept-Language, with line breaks.',
    patch: () => ({
      errorRecord: ({ status }, call) => {
        const german = /^de\b/.test(call.headers['accept-language'] ?? '');
        return { code: `${status}000`, message: german ? 'Die Anfrage wurde abgelehnt:\n— ungültig' : 'Rejected.\n', status };
      },
    }),
    witness: async (ask) =>
      parsed(await ask({ path: '/pets/999999', headers: { 'Accept-Language': 'de' } }))['message'] ===
      'Die Anfrage wurde abgelehnt:\n— ungültig',
  },
  {
    name: 'other-media-types-are-415',
    sentence: 'All requests that have a body use `application/json`. The response to others is not stated.',
    summary: 'The route has consumes = application/json, so that a body of another type, or of none, is answered with 415 and an Error.',
    patch: intercept(({ call }) =>
      call.operation === 'createPet' && !/^application\/json\s*(?:;|$)/i.test(call.headers['content-type'] ?? '')
        ? new Problem(415, 'unsupported_media_type', 'Use application/json')
        : undefined,
    ),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'head-served-and-other-methods-405',
    sentence: 'Three operations are described. Other methods on their paths are not.',
    summary: 'The framework serves HEAD with every GET route, and answers other methods on known paths with 405 and Allow.',
    patch: (parts) => ({
      dispatch: async (context) => {
        const { call } = context;
        const meant = atPath({ ...call, method: 'GET' }, pathBelowBase(call));
        if (call.operation !== 'unknown' || meant.operation === 'unknown') return await parts.dispatch(context);
        if (call.method === 'HEAD') return await parts.dispatch({ ...context, call: meant });
        const allow = meant.operation === 'getPet' ? 'GET, HEAD' : 'GET, HEAD, POST';
        return problemReply(context, new Problem(405, 'method_not_allowed', `${call.method} is not supported`, { allow }));
      },
    }),
    // A path without any operation remains 404.
    witness: async (ask) => {
      const put = await ask({ method: 'PUT' as 'GET', path: '/pets/1' });
      return put.status === 405 && (await ask({ path: '/orders' })).status === 404;
    },
  },
  {
    name: 'entity-tags-and-304',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'A ShallowEtagHeaderFilter hashes each response of a GET, and answers 304 where If-None-Match names that hash.',
    patch: (parts) => ({
      dispatch: async (context) => {
        const reply = await parts.dispatch(context);
        if (context.call.method !== 'GET' || reply.status !== 200) return reply;
        const etag = `"0${createHash('md5').update(reply.body).digest('hex')}"`;
        if (context.call.headers['if-none-match'] !== etag) return { ...reply, headers: { ...reply.headers, etag } };
        return { status: 304, headers: { ...withoutHeaders(reply.headers, ['content-type']), etag }, body: '' };
      },
      send: (reply, outgoing, call) => {
        if (reply.status !== 304) return parts.send(reply, outgoing, call);
        outgoing.writeHead(304, reply.headers).end();
      },
    }),
    witness: async (ask) => {
      const etag = (await ask({ path: '/pets' })).headers['etag'];
      return etag !== undefined && (await ask({ path: '/pets', headers: { 'If-None-Match': etag } })).status === 304;
    },
  },
  {
    name: 'connection-closed-after-every-response',
    sentence: 'HTTP. Nothing is stated about connections.',
    summary: "The generated Flask server runs on the development server, which speaks HTTP/1.0's way: one request a connection.",
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        connection: 'close',
        server: 'Werkzeug/3.0.4 Python/3.12.5',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['connection'] === 'close',
  },
  {
    name: 'empty-and-repeated-parameters-bound',
    sentence: 'Nothing is stated about parameters that are empty or repeated.',
    summary: 'The binder drops empty values and takes the last of several, as Go and PHP frameworks do.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.filter((text) => text !== '').slice(-1)),
      parseStatus: (texts) => parts.parseStatus(texts.filter((text) => text !== '').slice(-1)),
    }),
    witness: async (ask) => pets(await ask({ path: '/pets?status=&limit=3&limit=2' })).length === 2,
  },
  {
    name: 'names-are-unique',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The generated entity has a unique index on name, and the edited handler maps its violation to 409 with an Error.',
    patch: (parts) => ({
      createPet: async (context) => {
        const { bytes, problem } = await validated(context);
        if (problem !== undefined) return problemReply(context, problem);
        const body = parts.readBody(bytes, context.call);
        const name = body instanceof Problem || !isObject(body) ? undefined : member(body, 'name');
        const taken = context.store.animals.some((animal) => animal.name === name);
        if (taken) return problemReply(context, new Problem(409, 'name_taken', 'An animal of this name exists'));
        return await parts.createPet(withBody(context, bytes));
      },
    }),
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && (await post(ask, plainPet)).status === 409,
  },
];

/** Servers that were generated from an OpenAPI document and edited by hand afterwards. */
export const generated: readonly Holdout[] = [
  ...[...plainFaults, ...faultsOfValues, ...faultsOfHistory].map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
