import { readListQuery } from '../../src/reference/core/base.ts';
import { isObject, type Json, NumberText } from '../../src/reference/core/json.ts';
import {
  invalid,
  jsonReply,
  type ListQuery,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { Pet, Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** What a framework answers when a handler throws, and an error handler of the team gives it the documented form. */
const thrown = (message: string): Problem => new Problem(500, 'internal_error', message);

/** A reply that never comes: the connection is closed instead. */
const abandoned: Reply = { status: 500, headers: { 'x-abandoned': 'yes' }, body: '' };
const abandoning: Patch = (parts) => ({
  send: (reply, outgoing, call) => (reply.headers['x-abandoned'] === 'yes' ? void outgoing.destroy() : parts.send(reply, outgoing, call)),
});

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
/** The only item of an array; anything else as it is. */
const unwrapped = (value: Json | undefined): Json | undefined => (isList(value) && value.length === 1 ? value[0] : value);

/** The animal that a getPet request names, if there is one. */
function named(parts: Parameters<Patch>[0], store: Store, petId: string): Pet | undefined {
  const id = parts.parseId(petId);
  return id instanceof Problem ? undefined : parts.find(store, id);
}

// What witnesses share.
type Shown = { readonly id: unknown; readonly name: unknown; readonly status: unknown };
const shownBy = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const listedBy = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as readonly Shown[];
const wholeList = (ask: Ask) => ask({ path: '/pets?limit=100' });
const read = (ask: Ask, created: HttpResponse) => ask({ path: `/pets/${String(shownBy(created).id)}` });
const dropped = (asked: Promise<HttpResponse>): Promise<boolean> =>
  asked.then(
    () => false,
    () => true,
  );
const together = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // PHP.
  {
    name: 'php-switch-takes-true-for-a-status',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'The Slim handler maps status with switch ($status) { case "available": ... default: throw }. PHP compares loosely: true equals the first case, every other wrong value is refused.',
    patch: (parts) => ({ readStatus: (value) => (value === true ? 'available' : parts.readStatus(value)) }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: true })).status === 201,
  },

  // Ruby.
  {
    name: 'sinatra-bracketed-limit-is-an-array',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.no-server-error',
    summary:
      "Rack makes an array of limit[]=5 and a hash of status[x]=1. params[:limit].to_i raises NoMethodError, and Sinatra's production page is HTML with 500.",
    patch: (parts) => ({
      listPets: (context) =>
        [...context.call.query.keys()].some((name) => /^(?:limit|status)\[/.test(name))
          ? { status: 500, headers: { 'content-type': 'text/html;charset=utf-8' }, body: '<h1>Internal Server Error</h1>' }
          : parts.listPets(context),
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit[]=5' })).text.startsWith('<h1>'),
  },
  {
    name: 'ruby-log-line-capitalizes-in-place',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.agrees-with-list',
    summary:
      'After the response of getPet the Grape service logs pet.name.capitalize!: the bang changes the text in the identity map. The first read is right, from then on every response shows the other spelling.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        const pet = named(parts, context.store, context.call.petId);
        if (pet !== undefined) pet.name = pet.name.slice(0, 1).toUpperCase() + pet.name.slice(1).toLowerCase();
        return reply;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'tomCat', categoryId: 1 });
      const names = [shownBy(await read(ask, created)).name, shownBy(await read(ask, created)).name];
      return names.join() === 'tomCat,Tomcat';
    },
  },

  // Go.
  {
    name: 'go-list-is-filled-while-a-post-adds',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'The chi handler makes a slice of len(pets) and fills it by index, without the lock that createPet holds: an animal that is added meanwhile is one index too many. net/http recovers from the panic and closes the connection without a response.',
    patch: (parts) => {
      let adding = 0;
      return {
        ...abandoning(parts),
        insert: async (store, pet) => {
          adding += 1;
          await pause(6);
          adding -= 1;
          return parts.insert(store, pet);
        },
        listPets: (context) => (adding > 0 ? abandoned : parts.listPets(context)),
      };
    },
    witness: async (ask) => {
      const posts = together(10, () => post(ask, plainPet));
      const losses = await together(20, async (index) => {
        await pause(index);
        return dropped(ask({ path: '/pets' }));
      });
      await posts;
      return losses.includes(true);
    },
  },
  {
    name: 'go-filters-in-place-on-shared-slice',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.unique',
    summary:
      'matching := pets[:0], and append for each match: the Gin handler filters without an allocation, on the array of the shared cache. The filtered list is right; afterwards the full list has those animals twice, and lacks the ones that they overwrote.',
    patch: (parts) => {
      const cache: Pet[] = [];
      let copied = 0;
      const cached = (store: Store): Pet[] => {
        cache.push(...store.animals.slice(copied));
        copied = store.animals.length;
        return cache;
      };
      return {
        arrange: (store) => [...cached(store)],
        listPets: (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem || query.status === undefined) return parts.listPets(context);
          const kept = cached(context.store).filter(({ status }) => status === query.status);
          cache.splice(0, kept.length, ...kept);
          return parts.listPets(withParts(context, { arrange: () => kept }));
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      const ids = listedBy(await wholeList(ask)).map(({ id }) => id);
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'rust-slices-inside-a-character',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.no-server-error',
    summary:
      'The tracing span of createPet shows &name[..16]. Rust slices by bytes and panics where the sixteenth lies inside of a character; CatchPanicLayer makes 500 of it. Most names with accents or emoji are fine.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const cut = typeof name === 'string' ? Buffer.from(name)[16] : undefined;
        return cut !== undefined && (cut & 0xc0) === 0x80 ? thrown('byte index 16 is not a char boundary') : name;
      },
    }),
    witness: async (ask) => (await post(ask, { name: `${'W'.repeat(15)}\u00e9`, categoryId: 1 })).status === 500,
  },

  // The virtual machine of Java.
  {
    name: 'ktor-query-wins-over-the-path',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.success',
    summary:
      "Ktor's call.parameters begins with the parameters of the query and appends those of the path that are missing: GET /pets/1?petId=2 shows animal 2.",
    patch: (parts) => ({
      getPet: (context) => {
        const petId = context.call.query.get('petId') ?? context.call.petId;
        return parts.getPet({ ...context, call: { ...context.call, petId } });
      },
    }),
    witness: async (ask) => shownBy(await ask({ path: '/pets/1?petId=2' })).id === 2,
  },
  {
    name: 'micronaut-leaves-empty-texts-out',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'Micronaut\'s default for Jackson is NON_EMPTY: a member whose value is an empty text is not written. The animal with the name "" is accepted, and from then on shown without a name.',
    patch: (parts) => ({
      petRecord: (pet, place) => Object.fromEntries(Object.entries(parts.petRecord(pet, place)).filter(([, value]) => value !== '')),
    }),
    witness: async (ask) => {
      const { status, text } = await post(ask, { name: '', categoryId: 1 });
      return status === 201 && !text.includes('"name"');
    },
  },
  {
    name: 'jackson-unwraps-arrays-of-one',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.name-type',
    summary:
      'A partner sent his fields in arrays, so jackson.deserialization.unwrap-single-value-arrays was set for the whole Quarkus application: ["Rex"] is a name, [1] is a category, and [{...}] is a NewPet. Empty arrays and longer ones are refused.',
    patch: (parts) => ({
      readNewPet: (body, current) => parts.readNewPet(unwrapped(body) ?? body, current),
      readName: (value) => parts.readName(unwrapped(value)),
      readCategory: (value) => parts.readCategory(unwrapped(value)),
      readStatus: (value) => parts.readStatus(unwrapped(value)),
    }),
    witness: async (ask) => (await post(ask, { name: ['Waldo'], categoryId: 1 })).status === 201,
  },

  // Python.
  {
    name: 'drf-shows-browsers-its-browsable-api',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'DEFAULT_RENDERER_CLASSES was left as it is, so Django REST framework gives a client whose Accept asks for text/html first (a browser, or a link checker) the same animals as an HTML page.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (!/^\s*(?:text\/html|application\/xhtml\+xml)/i.test(context.call.headers.accept ?? '')) return reply;
        const headers = { ...reply.headers, 'content-type': 'text/html; charset=utf-8', vary: 'Accept' };
        return { ...reply, headers, body: `<!DOCTYPE html><title>Pet List</title><pre>${textOf(reply.body)}</pre>` };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', headers: { Accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' } })).text.startsWith('<!DOCTYPE'),
  },

  // Swift, Dart, Perl, Haskell, C++.
  {
    name: 'vapor-abort-has-its-own-body',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'req.parameters.require("petId", as: Int64.self) throws before the handler throws anything of its own, and the ErrorMiddleware of Vapor answers 422 with {"error":true,"reason":...}. A free id is a documented 404.',
    patch: (parts) => ({
      getPet: (context) =>
        parts.parseId(context.call.petId) instanceof Problem
          ? jsonReply(context, 422, { error: true, reason: 'Unprocessable Entity' })
          : parts.getPet(context),
    }),
    witness: async (ask) => (await ask({ path: '/pets/9223372036854775808' })).text.includes('"reason"'),
  },
  {
    name: 'perl-log-turns-the-id-into-text',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'record.pet',
    summary:
      'After getPet, Mojolicious logs "read animal $pet->{id}". Used once as a text, the scalar in memory is a text for JSON::XS: every later response shows "id":"3" for each animal that was read before.',
    patch: (parts) => {
      const logged = new Set<bigint>();
      return {
        getPet: async (context) => {
          const reply = await parts.getPet(context);
          const pet = named(parts, context.store, context.call.petId);
          if (pet !== undefined) logged.add(pet.id);
          return reply;
        },
        petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...(logged.has(pet.id) ? { id: String(pet.id) } : {}) }),
      };
    },
    witness: async (ask) => {
      const first = shownBy(await ask({ path: '/pets/1' })).id;
      return first === 1 && listedBy(await wholeList(ask)).some(({ id }) => id === '1');
    },
  },
  {
    name: 'drogon-controller-is-one-for-all',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'An HttpController of Drogon is a singleton, and this one keeps limit and status in members while the coroutine waits for the database. Of lists that are asked for at once, each has the parameters of the last.',
    patch: (parts) => {
      let latest: ListQuery = { limit: 20, status: undefined };
      return {
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return problemReply(context, query);
          latest = query;
          await pause(4);
          const { limit, status } = latest;
          return parts.listPets(withParts(context, { parseLimit: () => limit, parseStatus: () => status }));
        },
      };
    },
    witness: async (ask) => {
      const lists = await together(20, (index) => ask({ path: `/pets?limit=${index % 2 === 0 ? 1 : 8}` }));
      return lists.some((list, index) => listedBy(list).length !== (index % 2 === 0 ? 1 : 8));
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'gin-required-refuses-category-zero',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'binding:"required" of Gin takes the zero value of an int64 for a missing one: category 0, which no animal has, is refused.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return category === 0n ? invalid("Field validation for 'CategoryID' failed on the 'required' tag") : category;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 0 })).status === 400,
  },
  {
    name: 'jax-rs-limit-that-is-no-int-is-404',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'JAX-RS answers 404 where a @QueryParam cannot be converted, as if the query were part of the path; an ExceptionMapper gives it the form of an Error. Numbers out of bounds are 400.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit instanceof Problem && !/^[+-]?\d+$/.test(texts[0] ?? '')
          ? notFound('RESTEASY003870: Unable to extract parameter')
          : limit;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=ten' })).status === 404,
  },
  {
    name: 'erlang-unique-integers-as-ids',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      ':erlang.unique_integer/0 begins at the smallest small integer of the virtual machine: ids are negative, beyond 2^53, and those of neighbors differ in the last digit.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return -(2n ** 59n) + store.lastId;
      },
    }),
    witness: async (ask) => (await post(ask, plainPet)).text.includes('"id":-5764607523034234'),
  },
  {
    name: 'swift-members-in-changing-order',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus',
    summary:
      "Swift seeds its hashes by chance, and JSONEncoder writes a dictionary in its order: the order of an object's members changes.",
    patch: (parts) => {
      let turn = 0;
      const turned = (record: Readonly<Record<string, unknown>>): Record<string, unknown> => {
        const members = Object.entries(record);
        turn += 1;
        return Object.fromEntries([...members.slice(turn % members.length), ...members.slice(0, turn % members.length)]);
      };
      return {
        petRecord: (pet, place) => turned(parts.petRecord(pet, place)),
        errorRecord: ({ code, message, status }) => turned({ code, message, status }),
      };
    },
    witness: async (ask) => {
      const first = await ask({ path: '/pets/1' });
      return first.text !== (await ask({ path: '/pets/1' })).text;
    },
  },
  {
    name: 'python-int-reads-spaced-limits',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'Flask converts the parameter with int(), for which " 7 ", "+7", "007", and "1_0" are spellings of integers.',
    patch: (parts) => ({
      parseLimit: ([text, ...more]) => {
        const digits = /^\s*\+?(\d+(?:_\d+)*)\s*$/.exec(text ?? '')?.[1]?.replaceAll('_', '');
        return parts.parseLimit(
          digits === undefined ? [...(text === undefined ? [] : [text]), ...more] : [String(Number(digits)), ...more],
        );
      },
    }),
    witness: async (ask) => listedBy(await ask({ path: '/pets?limit=0_3' })).length === 3,
  },
  {
    name: 'dart-int-parse-reads-hex-ids',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary: 'int.parse of Dart takes hexadecimal digits behind 0x, so that /pets/0x1 shows animal 1.',
    patch: (parts) => ({ parseId: (text) => parts.parseId(/^0x[\da-f]{1,16}$/i.test(text) ? String(BigInt(text)) : text) }),
    witness: async (ask) => (await ask({ path: '/pets/0x1' })).status === 200,
  },
  {
    name: 'rack-takes-the-last-of-repeated',
    sentence: 'Query parameters (all optional)',
    summary:
      'Rack keeps the last value of a repeated parameter: ?limit=1&limit=3 shows three animals, and ?status=x&status=sold the sold ones.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.slice(-1)),
      parseStatus: (texts) => parts.parseStatus(texts.slice(-1)),
    }),
    witness: async (ask) => listedBy(await ask({ path: '/pets?limit=1&limit=3' })).length === 3,
  },
  {
    name: 'serde-denies-unknown-fields',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      '#[serde(deny_unknown_fields)] on NewPet: a body with any other member, an id among them, is 400 before its values are looked at.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const unknown = isObject(body) ? Object.keys(body).find((key) => !['name', 'categoryId', 'status'].includes(key)) : undefined;
        return unknown === undefined ? parts.readNewPet(body, current) : invalid(`unknown field \`${unknown}\``, 'unknown_field');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, nickname: 'Wally' })).status === 400,
  },
  {
    name: 'actix-json-limit-of-32-kib',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'JsonConfig of Actix was set to 32 KiB, spaces included: a larger body is 413 in the form of an Error, and the connection is closed.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength > 32_768
          ? new Problem(413, 'payload_too_large', 'JSON payload has exceeded the limit', { connection: 'close' })
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, `${JSON.stringify(plainPet)}${' '.repeat(33_000)}`)).status === 413,
  },
  {
    name: 'aeson-whole-decimals-are-integers',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'aeson reads numbers as Scientific and makes an Int64 of each that is whole: 1.0 is category 1, and 3e2 is 300. 1.5 and 1e19 are refused.',
    patch: (parts) => ({
      readCategory: (value) => {
        const decimal = value instanceof NumberText && /[.e]/i.test(value.text) ? Number(value.text) : undefined;
        return Number.isSafeInteger(decimal) ? BigInt(decimal ?? 0) : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":3e2}')).text.includes('"categoryId":300'),
  },
  {
    name: 'jackson-skips-a-byte-order-mark',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary: 'Jackson (in Micronaut) looks for a byte order mark in front of a body and skips it, as RFC 8259 allows for a parser.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        parts.readBody(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes, call),
    }),
    witness: async (ask) => (await post(ask, `\ufeff${JSON.stringify(plainPet)}`)).status === 201,
  },
  {
    name: 'symfony-debug-writes-pretty-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'json_encode of PHP with JSON_PRETTY_PRINT, which the debug setting turned on: members on lines of their own, slashes as \\/, and all beyond ASCII as \\u escapes, emoji as two of them.',
    patch: (parts) => ({
      encode: (value) => {
        const compact = textOf(parts.encode(value));
        if (compact === '[]') return compact;
        return JSON.stringify(value, undefined, 4)
          .replaceAll('/', '\\/')
          .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Zo\u00eb', categoryId: 1 })).text.includes('"name": "Zo\\u00eb",\n'),
  },
  {
    name: 'quarkus-errors-name-the-violations',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    summary:
      'The ExceptionMapper of the Quarkus service adds the members of a problem document, an error id, and a list of violations whose members are called code, message, and status too.',
    patch: (parts) => ({
      errorRecord: ({ code, message, status }, call) => ({
        ...{
          type: 'about:blank',
          title: 'Constraint Violation',
          detail: null,
          instance: call.target,
          errorId: '6f9619ff-8b86',
          code,
          message,
          status,
        },
        violations: status === 400 ? [{ field: 'createPet.arg0', code: 7, message: 'must not be null', status: 'invalid' }] : [],
      }),
      headers: (given, reply, call) => parts.headers({ ...given, 'x-powered-by': 'Quarkus' }, reply, call),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true })).text.includes('"violations":[]'),
  },
  {
    name: 'php-serves-one-request-a-connection',
    sentence: 'Response headers of any operation: not shown.',
    summary: "PHP's own server closes the connection after each response, with Connection: close, and says so with X-Powered-By.",
    patch: (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), connection: 'close', 'x-powered-by': 'PHP/8.3.4' }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['x-powered-by'] === 'PHP/8.3.4',
  },
  {
    name: 'perl-takes-a-zero-for-no-name',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'unless ($pet->{name}) of the Dancer application is true for "" and for "0", the texts that are false in Perl: both are refused.',
    patch: (parts) => ({
      readName: (value) => (value === '' || value === '0' ? invalid('name is required', 'missing_name') : parts.readName(value)),
    }),
    witness: async (ask) => (await post(ask, { name: '0', categoryId: 1 })).status === 400,
  },
];

/** Servers with the defaults and traps of frameworks, languages, and their libraries. */
export const frameworks: readonly Holdout[] = [
  ...faults.map((row): Holdout => ({ ...row, kind: 'fault' })),
  ...variants.map((row): Holdout => ({ ...row, kind: 'variant' })),
];
