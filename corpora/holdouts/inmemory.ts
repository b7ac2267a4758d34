import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject } from '../../src/reference/core/json.ts';
import { invalid, notFound, Problem, withParts } from '../../src/reference/core/parts.ts';
import { type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

/** The first JSON value of a text, without what follows it. */
function firstValue(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0) return text.slice(0, index + token.length);
  }
  return text;
}

/** Undoes the escapes of control characters in a JSON text. */
const withRawControls = (json: string): string =>
  json.replace(/\\(u00[01][0-9a-f]|.)/gs, (found) => (/^\\(?:[nrtbf]|u00)/.test(found) ? (JSON.parse(`"${found}"`) as string) : found));

/** Binary search in an array that is taken to be sorted by text. */
function searchByText(animals: readonly Pet[], id: string): Pet | undefined {
  let [low, high] = [0, animals.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const pet = animals[middle];
    if (pet === undefined) return undefined;
    const found = String(pet.id);
    if (found === id) return pet;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Escapes the matched UTF-16 units of a JSON text. */
const escapedIn = (json: string, units: RegExp): string =>
  json.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The record with its members in the order of the alphabet. */
const sortedMembers = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** An odd number: its products are as distinct as their factors, modulo 2^64. */
const HASH_FACTOR = 0x9e3779b97f4a7c15n;

/** The body as text. */
const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const idsIn = ({ text }: HttpResponse): readonly string[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id = '']) => id);
const repeat = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const postMany = (ask: Ask, count: number): Promise<HttpResponse[]> =>
  repeat(count, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
const statusOf = async (asked: Promise<HttpResponse>): Promise<number> => (await asked).status;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Credentials.
  {
    name: 'key-compared-over-the-length-of-the-given-one',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary: 'A C service calls strncmp(key, token, strlen(token)) to be safe with lengths: every beginning of the key is the key.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        return token !== undefined && apiKey.startsWith(token) ? undefined : parts.authenticate(call, apiKey);
      },
    }),
    witness: async (ask) =>
      (await statusOf(ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY.slice(0, -1)}` } }))) === 200,
  },
  {
    name: 'second-word-of-authorization-taken-for-granted',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-scheme',
    summary: 'header.split(" ")[1] is read without a check: an Authorization of one word is an IndexError, and the catch-all makes it 500.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const header = call.headers.authorization;
        return header === undefined || header.includes(' ')
          ? parts.authenticate(call, apiKey)
          : new Problem(500, 'internal_error', 'list index out of range');
      },
    }),
    witness: async (ask) => (await statusOf(ask({ path: '/pets', noKey: true, headers: { Authorization: KEY } }))) === 500,
  },
  // JSON and errors by hand.
  {
    name: 'concatenated-json-leaves-control-characters',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'A hand-written quote() escapes the quotation mark and the backslash, but not line breaks and tabs: a name with one makes the JSON invalid.',
    patch: (parts) => ({ encode: (value) => withRawControls(textOf(parts.encode(value))) }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Wal\ndo', categoryId: 1 });
      return created.status === 201 && !parses(created);
    },
  },
  {
    name: 'content-length-in-utf-16-units',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'media.well-formed',
    summary:
      'The hand-written response has Content-Length: body.length(), which counts characters. A body with umlauts is cut by as many bytes.',
    patch: (parts) => ({
      send: (reply, outgoing, call) => {
        const body = Buffer.from(reply.body);
        return parts.send({ ...reply, body: body.subarray(0, textOf(reply.body).length) }, outgoing, call);
      },
    }),
    witness: async (ask) => !parses(await post(ask, { name: 'Mäxchen', categoryId: 1 })),
  },
  {
    name: 'true-is-an-instance-of-int',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary: 'Python: isinstance(True, int) holds, so that the type check accepts true and false, which SQLite keeps as 1 and 0.',
    patch: (parts) => ({
      readCategory: (value) => (typeof value === 'boolean' ? BigInt(value) : parts.readCategory(value)),
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: true })).status === 201,
  },
  {
    name: 'status-sought-in-a-joined-text',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary: 'The check is "available,pending,sold".includes(status), which any part of that text passes: the empty one, a, end, or able.',
    patch: (parts) => ({
      readStatus: (value) =>
        typeof value === 'string' && STATUSES.join(',').includes(value) ? (value as Status) : parts.readStatus(value),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: '' })).status === 201,
  },
  {
    name: 'decoder-stops-after-the-first-value',
    sentence: '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    clause: 'create.body-json',
    summary:
      'Go: json.NewDecoder(r.Body).Decode reads one value of a stream. Whatever follows the object, garbage included, is never looked at.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return body instanceof Problem ? parts.readBody(Buffer.from(firstValue(decoded(bytes))), call) : body;
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1} x')).status === 201,
  },
  // Reads.
  {
    name: 'binary-search-among-texts',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Java: ids became texts in a refactoring, and Collections.binarySearch stayed. The list is sorted by number, so that from id 10 on some animals are not found.',
    patch: () => ({ find: (store, id) => searchByText(store.animals, String(id)) }),
    witness: async (ask) => {
      const created = await postMany(ask, 12);
      const reads = await Promise.all(created.map((response) => ask({ path: `/pets/${idOf(response)}` })));
      return reads.some(({ status }) => status === 404);
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'json-escaped-for-html-with-a-line-end',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Go: json.NewEncoder escapes <, > and & as \\u003c, \\u003e and \\u0026, and ends each body with a line break. To a JSON parser it is the same.',
    patch: (parts) => ({ encode: (value) => `${escapedIn(textOf(parts.encode(value)), /[<>&\u2028\u2029]/g)}\n` }),
    witness: async (ask) => (await post(ask, { name: '<b>', categoryId: 1 })).text.includes('\\u003cb\\u003e'),
  },
  {
    name: 'json-indented-and-all-in-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Python: json.dumps(value, indent=4, sort_keys=True) escapes all that is not ASCII, emoji as two surrogates, and puts categoryId first.',
    patch: (parts) => ({
      petRecord: (pet, place) => sortedMembers(parts.petRecord(pet, place)),
      encode: (value) => escapedIn(JSON.stringify(value, null, 4), /[\u0080-\uffff]/g),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: '😀', categoryId: 1 });
      return created.text.startsWith('{\n    "categoryId"') && created.text.includes('\\ud83d\\ude00');
    },
  },
  {
    name: 'ids-are-a-hash-of-a-counter',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'So that nobody can guess ids, the counter is multiplied by an odd constant modulo 2^64: ids are unique, all over int64, and half of them negative.',
    patch: (parts) => ({ assignId: (store, body) => BigInt.asIntN(64, parts.assignId(store, body) * HASH_FACTOR) }),
    witness: async (ask) => idsIn(await ask({ path: '/pets' })).some((id) => BigInt(id) < -(2n ** 53n)),
  },
  {
    name: 'no-status-until-one-is-known',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'Rust: Option<Status> with skip_serializing_if. An animal created without a status has none, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      return created.status === 201 && !created.text.includes('"status"');
    },
  },
  {
    name: 'list-begins-anywhere-in-the-map',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'Go: the list ranges over a map, which begins at another place each time. No animal is listed twice or missing, but the order changes.',
    patch: (parts) => {
      let start = 0;
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          start = (start + 3) % Math.max(1, animals.length);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const first = idsIn(await ask({ path: LONG_PAGE }));
      const second = idsIn(await ask({ path: LONG_PAGE }));
      return first.length === second.length && first[0] !== second[0];
    },
  },
  {
    name: 'limit-read-by-atoi-and-clamped',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'C: limit is min(max(atoi(text), 1), 100). Zero, words and negative numbers are 1, large ones 100, and 5abc is 5.',
    patch: (parts) => ({
      parseLimit: ([text]) => {
        if (text === undefined) return parts.parseLimit([]);
        return Math.min(Math.max(Number(/^\s*([+-]?\d+)/.exec(text)?.[1] ?? 0), 1), 100);
      },
    }),
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?limit=-7' })) === 1 && lengthOf(await ask({ path: '/pets?limit=5abc' })) === 5,
  },
  {
    name: 'unknown-status-is-an-empty-list',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'The filter is a comparison of texts and knows no enumeration: an unknown status keeps no animal, and the list is an empty array.',
    patch: (parts) => ({ parseStatus: (texts) => texts[0] as Status | undefined, matches: (pet, status) => parts.matches(pet, status) }),
    witness: async (ask) => (await ask({ path: '/pets?status=asleep' })).text === '[]',
  },
  {
    name: 'whatever-is-no-id-is-not-found',
    sentence: '| 404 | The requested resource cannot be found | getPet |',
    summary:
      'A map with text keys is asked for the segment as it is: letters, fractions, padded and huge numbers are 404, and there is no 400.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound() : id;
      },
    }),
    witness: async (ask) => (await statusOf(ask({ path: '/pets/abc' }))) === 404,
  },
  {
    name: 'names-of-twenty-ascii-characters-at-most',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A label printer takes 20 characters of ASCII, and the validator copies that: any other name, and the empty one, is 400.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && !/^[ -~]{1,20}$/.test(value)
          ? invalid('name does not fit on a label', 'invalid_name')
          : parts.readName(value),
    }),
    witness: async (ask) =>
      (await post(ask, { name: 'x'.repeat(21), categoryId: 1 })).status === 400 &&
      (await post(ask, { name: 'x'.repeat(20), categoryId: 1 })).status === 201,
  },
  {
    name: 'category-without-animals-is-unknown',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'Categories are those of the animals in the file. One that no animal has is 422, after the checks of the body, and nothing is stored.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const read = parts.readNewPet(body, current);
              if (read instanceof Problem || context.store.animals.some(({ categoryId }) => categoryId === read.categoryId)) return read;
              return new Problem(422, 'unknown_category', 'There is no such category');
            },
          }),
        ),
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 987654321 })).status === 422,
  },
  {
    name: 'unknown-members-disallowed',
    sentence: '`name` and `categoryId` must be present.',
    summary: 'Go: decoder.DisallowUnknownFields. A body with a member beyond name, categoryId and status, such as id, is 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const unknown = isObject(body) ? Object.keys(body).find((key) => !['name', 'categoryId', 'status'].includes(key)) : undefined;
        return unknown === undefined ? parts.readNewPet(body, current) : invalid(`unknown field ${unknown}`, 'unknown_field');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'body-of-one-kibibyte-at-most',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'Bodies go to a fixed buffer of 1024 bytes. A longer one is read to its end and answered with 413 and an Error.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength > 1024 ? new Problem(413, 'body_too_large', 'The body has more than 1024 bytes') : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, { name: 'x'.repeat(2000), categoryId: 1 })).status === 413,
  },
  {
    name: 'errors-with-empty-message-and-trace',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The exception becomes the Error: code is a class name, message is often empty, and the members path, cause and trace come along. Records say charset=UTF-8 and errors do not.',
    patch: (parts) => ({
      errorRecord: ({ status, code }, call) => ({
        ...{ trace: ['Handler.kt:42', 'Server.kt:7'], cause: null, path: call.target.slice(0, 40) },
        ...{ status, message: '', code: `pets.${code}Exception` },
      }),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status < 400 ? { 'content-type': 'Application/JSON;charset=UTF-8' } : {}),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"message":""'),
  },
  {
    name: 'pages-of-five-with-a-cursor-in-a-header',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'A page has at most five animals, whatever limit allows. The header X-Next-After names the last id, and ?after= continues behind it.',
    patch: (parts) => {
      const more = new WeakMap<object, bigint>();
      return {
        page: (animals, query, call) => {
          const after = call.query.get('after');
          const rest = animals.slice(animals.findIndex(({ id }) => String(id) === after) + 1);
          const page = parts.page(rest, { ...query, limit: Math.min(query.limit, 5) }, call);
          const last = page.at(-1);
          if (last !== undefined && page.length < rest.length) more.set(call, last.id);
          return page;
        },
        headers: (given, reply, call) => {
          const last = more.get(call);
          return { ...parts.headers(given, reply, call), ...(last === undefined ? {} : { 'x-next-after': String(last) }) };
        },
      };
    },
    witness: async (ask) => {
      const first = await ask({ path: LONG_PAGE });
      const second = await ask({ path: `${LONG_PAGE}&after=${first.headers['x-next-after']}` });
      return lengthOf(first) === 5 && idsIn(second).join() === '6,7,8';
    },
  },
];

/** Services that one developer wrote by hand: maps, files, routers, parsers, locks and helpers. */
export const inmemory: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
