import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject, type Json, literal, member } from '../../src/reference/core/json.ts';
import { invalid, notFound, Problem, pause, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type NewPet, type Pet, removePet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
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

/** What SQLite makes of a text in a column of numeric affinity. */
function withNumericAffinity(text: string): string {
  if (/^\s*[+-]?\d{1,18}\s*$/.test(text)) return String(BigInt(text.trim().replace(/^\+/, '')));
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?\s*$/i.test(text) ? String(Number(text)) : text;
}

/** Undoes the escapes of control characters in a JSON text. */
const withRawControls = (json: string): string =>
  json.replace(/\\(u00[01][0-9a-f]|.)/gs, (found) => (/^\\(?:[nrtbf]|u00)/.test(found) ? (JSON.parse(`"${found}"`) as string) : found));

/** Replaces each escaped surrogate, paired or not. */
const withoutEscapedSurrogates = (json: string): string =>
  json.replace(/\\(u[0-9a-f]{4}|.)/gis, (found) => (/^\\ud[89a-f]/i.test(found) ? '\\ufffd' : found));

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
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const readBack = async (ask: Ask, name: string): Promise<unknown> =>
  nameIn(await ask({ path: `/pets/${idOf(await post(ask, { name, categoryId: 1 }))}` }));
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
    name: 'body-decorator-outside-the-key-decorator',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'In a hand-written Python service @json_body stands above @require_key, so that it runs first: a broken body without a key is 400 instead of 401.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call } = context;
        if (call.operation !== 'createPet') return await parts.handle(context);
        const bytes = await call.body();
        const body = bytes instanceof Problem ? bytes : context.parts.readBody(bytes, call);
        return body instanceof Problem
          ? problemReply(context, body)
          : await parts.handle({ ...context, call: { ...call, body: () => Promise.resolve(bytes) } });
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":', {}, true)).status === 400,
  },
  {
    name: 'key-remembered-by-the-connection-struct',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.every-request',
    summary:
      'A server in C++ on raw sockets keeps a struct for each connection, with a member authenticated that nobody resets: after one good request, the next ones on a kept connection need no header.',
    patch: (parts) => {
      const known = new WeakSet<object>();
      return {
        authenticate: (call, apiKey) => {
          const rejection = parts.authenticate(call, apiKey);
          if (rejection === undefined) known.add(call.connection);
          return call.headers.authorization === undefined && known.has(call.connection) ? undefined : rejection;
        },
      };
    },
    witness: async (ask) => {
      for (let round = 0; round < 10; round += 1) {
        await ask({ path: '/pets' });
        await pause(5);
        if ((await statusOf(ask({ path: '/pets', noKey: true }))) === 200) return true;
      }
      return false;
    },
  },
  {
    name: 'status-of-401-is-a-text',
    sentence: '| status | integer | yes | The HTTP status code of the response |',
    clause: 'errors.shape',
    summary:
      'The filter for keys has no access to the error helper and writes its own literal, in which everything is quoted: "status":"401". Other errors have a number.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 401 ? { code: problem.code, message: problem.message, status: '401' } : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true })).text.includes('"status":"401"'),
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
  // Lists.
  {
    name: 'filtered-array-keeps-its-keys',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary:
      'PHP: array_filter keeps the keys, and json_encode writes an array with gaps as an object. Only a filter that drops an animal before another one shows it.',
    patch: (parts) => ({
      listPets: (context) => {
        const positions: number[] = [];
        const arranged = parts.arrange(context.store);
        return parts.listPets(
          withParts(context, {
            petRecord: (pet, place) => {
              positions.push(arranged.indexOf(pet));
              return parts.petRecord(pet, place);
            },
            listBody: (records) =>
              positions.every((position, index) => position === index)
                ? records
                : Object.fromEntries(records.map((record, index) => [`${positions[index]}`, record])),
          }),
        );
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).text.startsWith('{"2":'),
  },
  {
    name: 'filtered-lists-have-no-default-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-default',
    summary: 'findByStatus was added later beside findAll. Only findAll knows the default of 20; the other one cuts if limit was sent.',
    patch: (parts) => ({
      page: (animals, query, call) => (query.status !== undefined && !call.query.has('limit') ? animals : parts.page(animals, query, call)),
    }),
    seedAnimals: 80,
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=available' })) > 20,
  },
  {
    name: 'filter-in-place-overwrites-the-slice',
    sentence: 'Keep only animals with this status',
    clause: 'list.read-only',
    summary:
      'Go: kept := s.pets[:0] and append, the idiom to filter without allocation, writes into the array of the store: each filtered list copies its animals to the front, over others.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const { animals } = context.store;
        const status = context.call.query.get('status');
        if (reply.status === 200 && isStatus(status)) {
          for (const [index, pet] of animals.filter((animal) => parts.matches(animal, status)).entries()) animals[index] = pet;
        }
        return reply;
      },
    }),
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      const ids = idsIn(await ask({ path: LONG_PAGE }));
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'filter-kept-in-a-field-of-the-servlet',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Java: the parsed filter is a field of the servlet, of which there is one. Two lists at once are both filtered by the later status.',
    patch: (parts) => {
      let field: Status | undefined;
      return {
        listPets: async (context) => {
          const status = context.call.query.get('status');
          if (!isStatus(status)) return await parts.listPets(context);
          field = status;
          await pause(3);
          return await parts.listPets(withParts(context, { matches: (pet) => pet.status === field }));
        },
      };
    },
    witness: async (ask) => {
      const lists = await repeat(20, (index) => ask({ path: `/pets?status=${index % 2 === 0 ? 'sold' : 'available'}` }));
      return lists.some(({ text }, index) => text.includes(index % 2 === 0 ? '"available"' : '"sold"'));
    },
  },
  {
    name: 'list-read-from-a-map-by-name',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'A Kotlin service keeps two maps, byId and byName, and lists byName.values to have an order. A second animal of a name is created with 201, and the first one leaves the list.',
    patch: (parts) => ({ arrange: (store) => [...new Map(parts.arrange(store).map((pet) => [pet.name, pet])).values()] }),
    witness: async (ask) => {
      const first = await post(ask, plainPet);
      await post(ask, plainPet);
      return !idsIn(await ask({ path: LONG_PAGE })).includes(String(idOf(first)));
    },
  },
  {
    name: 'index-by-status-filled-from-the-request',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'The index of statuses is filled from the request, and the default is applied to the record afterwards: an animal created without status shows available, but status=available omits it.',
    patch: (parts) => {
      const unindexed = new WeakSet<Pet>();
      let omitted = false;
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          omitted = !(read instanceof Problem) && read.status === undefined;
          return read;
        },
        insert: (store, pet) => {
          if (omitted) unindexed.add(pet);
          return parts.insert(store, pet);
        },
        matches: (pet, status) => !unindexed.has(pet) && parts.matches(pet, status),
      };
    },
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      const list = await ask({ path: '/pets?status=available&limit=100' });
      return created.text.includes('"available"') && !idsIn(list).includes(String(idOf(created)));
    },
  },
  {
    name: 'limit-matched-after-the-question-mark',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.filter-with-limit',
    summary:
      'The query is read with the regular expression [?]limit=([0-9]+), tried by hand with limit in front: behind status it is not found.',
    patch: (parts) => ({
      listPets: (context) => {
        const { call } = context;
        if (call.target.includes('?limit=')) return parts.listPets(context);
        const query = new URLSearchParams([...call.query].filter(([name]) => name !== 'limit'));
        return parts.listPets({ ...context, call: { ...call, query } });
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=available&limit=1' })) > 1,
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
    name: 'error-quotes-the-input-without-escapes',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'Records are written by the library, errors by a format string that inserts the offending value as it came: a quotation mark or a backslash in petId or status breaks the Error.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? invalid(`not an id: ${text}`, id.code) : id;
      },
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status instanceof Problem ? invalid(`not a status: ${texts[0]}`, status.code) : status;
      },
      readStatus: (value) => {
        const status = parts.readStatus(value);
        return status instanceof Problem && typeof value === 'string' ? invalid(`not a status: ${value}`, status.code) : status;
      },
      encode: (value) => {
        const { code, message, status } = value as { readonly code?: unknown; readonly message?: unknown; readonly status?: unknown };
        return message === undefined ? parts.encode(value) : `{"code":"${code}","message":"${message}","status":${status}}`;
      },
    }),
    witness: async (ask) => !parses(await ask({ path: '/pets/a%22b' })),
  },
  {
    name: 'errors-through-http-error-are-text',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'Go: the error helper ends with http.Error(w, body, status), which sets Content-Type to text/plain after the helper had set it.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status >= 400 ? { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' } : {}),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).headers['content-type']?.startsWith('text/plain') ?? false,
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
  // Creations.
  {
    name: 'category-streamed-with-six-digits',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary: 'C++: categoryId is a double, and out << categoryId writes six significant digits: 1234567 is shown as 1.23457e+06.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const { categoryId } = pet;
        const isShort = categoryId > -1_000_000n && categoryId < 1_000_000n;
        return { ...parts.petRecord(pet, place), ...(isShort ? {} : { categoryId: literal(Number(categoryId).toPrecision(6)) }) };
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 1234567 })).text.includes('1.23457e+6'),
  },
  {
    name: 'members-found-in-any-letter-case',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary: 'Go: encoding/json matches members without regard to letter case, so that Name and CATEGORYID pass for name and categoryId.',
    patch: (parts) => {
      const fields = ['name', 'categoryId', 'status'];
      const folded = (key: string): string => fields.find((field) => field.toLowerCase() === key.toLowerCase()) ?? key;
      return {
        readNewPet: (body, current) =>
          parts.readNewPet(
            isObject(body) ? (Object.fromEntries(Object.entries(body).map(([key, value]) => [folded(key), value])) as Json) : body,
            current,
          ),
      };
    },
    witness: async (ask) => (await post(ask, { Name: 'Waldo', categoryId: 1 })).status === 201,
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
  {
    name: 'escaped-surrogates-decoded-one-by-one',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'A hand-written parser turns each \\uXXXX into a code point of its own. Of an emoji that was sent as two escapes, two replacement characters remain; one sent as UTF-8 is kept.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return body instanceof Problem ? body : parts.readBody(Buffer.from(withoutEscapedSurrogates(decoded(bytes))), call);
      },
    }),
    witness: async (ask) => nameIn(await post(ask, '{"name":"\\ud83d\\ude00","categoryId":1}')) === '\ufffd\ufffd',
  },
  {
    name: 'counter-file-read-and-written-without-lock',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.id-assigned',
    summary:
      'The last id is in a file, which is read before the animal is written and updated afterwards. Creations at the same time get the same id.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            assignId: (store) => store.lastId + 1n,
            insert: async (store, pet) => {
              await pause(3);
              store.lastId = pet.id;
              return await parts.insert(store, pet);
            },
          }),
        ),
    }),
    witness: async (ask) => new Set((await postMany(ask, 10)).map(idOf)).size < 10,
  },
  {
    name: 'one-draft-object-for-all-creations',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The handler is a singleton that fills its member this.draft and then awaits the write of the journal. The animals of concurrent creations are all copies of the last draft.',
    patch: (parts) => {
      let draft: NewPet | undefined;
      return {
        insert: async (store, pet) => {
          draft = { name: pet.name, categoryId: pet.categoryId, status: pet.status };
          await pause(2);
          return await parts.insert(store, { ...pet, ...draft });
        },
      };
    },
    witness: async (ask) => new Set((await postMany(ask, 10)).map(nameIn)).size < 10,
  },
  {
    name: 'appended-before-the-status-is-checked',
    sentence: '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    clause: 'create.refused-stores-nothing',
    summary:
      'Since status is optional, it is set on the record after append(): a body with an invalid status is 400, and its animal is in the list.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const read = parts.readNewPet(body, current);
              if (!(read instanceof Problem) || !isObject(body)) return read;
              const name = current.readName(member(body, 'name'));
              const categoryId = current.readCategory(member(body, 'categoryId'));
              if (name instanceof Problem || categoryId instanceof Problem) return read;
              addPet(context.store, { name, categoryId, id: current.assignId(context.store, body), createdAt: Date.now() });
              return read;
            },
          }),
        ),
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Refused', categoryId: 1, status: 'gone' });
      return refused.status === 400 && (await ask({ path: LONG_PAGE })).text.includes('"Refused"');
    },
  },
  {
    name: 'array-of-sixty-four-animals',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'get.durable',
    summary:
      'C++: Pet pets[64] and pets[count++ % 64], which nobody filled in a demonstration. From the 65th on, each animal replaces the oldest.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const [oldest] = store.animals;
        if (oldest !== undefined && store.animals.length >= 64) removePet(store, oldest);
        return parts.insert(store, pet);
      },
    }),
    witness: async (ask) => {
      await postMany(ask, 60);
      return (await statusOf(ask({ path: '/pets/1' }))) === 404;
    },
  },
  {
    name: 'name-cut-at-a-comma-of-the-file',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'create.round-trip',
    summary:
      'Animals are lines of a file with the name in the last column, read with line.split(","). The 201 shows the name as sent; reads and lists show what is before its first comma.',
    patch: (parts) => ({
      petRecord: (pet, place) => parts.petRecord(place === 'create' ? pet : { ...pet, name: pet.name.split(',')[0] ?? '' }, place),
    }),
    witness: async (ask) => (await readBack(ask, 'Rex, the second')) === 'Rex',
  },
  {
    name: 'name-in-a-column-of-type-string',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.round-trip',
    summary:
      'SQLite by hand: the column was declared STRING, which has numeric affinity. A name that looks like a number is stored as one: 007 is read as 7, and 1e3 as 1000.',
    patch: (parts) => ({
      petRecord: (pet, place) => parts.petRecord(place === 'create' ? pet : { ...pet, name: withNumericAffinity(pet.name) }, place),
    }),
    witness: async (ask) => (await readBack(ask, '007')) === '7',
  },
  {
    name: 'body-read-by-content-length-only',
    sentence: 'Request body (required, `application/json`): NewPet.',
    clause: 'media.any-client',
    summary:
      'A hand-written server reads as many bytes as Content-Length says, and none without it: a valid body that is sent in chunks is 400.',
    patch: (parts) => ({
      readBody: (bytes, call) => parts.readBody(call.headers['content-length'] === undefined ? new Uint8Array() : bytes, call),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Transfer-Encoding': 'chunked' })).status === 400,
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
  {
    name: 'negative-index-counts-from-the-end',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'Python: return pets[pet_id - 1], with IndexError as 404. The ids 0 and -1 are the last animal and the one before it.',
    patch: () => ({ find: (store, id) => store.animals.at(Number(id) - 1) }),
    witness: async (ask) => (await statusOf(ask({ path: '/pets/0' }))) === 200,
  },
  {
    name: 'sunset-in-a-month-that-counts-from-zero',
    sentence: '`GET /pets/{petId}` is deprecated, with removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'Node: the helper says new Date(Date.UTC(2030, 12, 5)).toUTCString(), whose months count from zero: Sunset names 5 January 2031.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const headers = parts.headers(given, reply, call);
        return 'sunset' in headers ? { ...headers, sunset: new Date(Date.UTC(2030, 12, 5)).toUTCString() } : headers;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset'] === 'Sun, 05 Jan 2031 00:00:00 GMT',
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
