import { bearerToken } from '../../src/reference/core/base.ts';
import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import { INT64_RANGE, isObject, type Json, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import { invalid, notFound, type Patch, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

/** Stores an animal otherwise than it was sent; the 201 shows it as sent. */
const storedAs =
  (change: (pet: Pet) => Pet): Patch =>
  (parts) => ({
    insert: async (store, pet) => {
      await parts.insert(store, change(pet));
      return pet;
    },
  });

const INT32_LARGEST = 2n ** 31n - 1n;
const INT32_SMALLEST = -(2n ** 31n);
const fitsInt32 = (value: bigint): boolean => value >= INT32_SMALLEST && value <= INT32_LARGEST;

/** What a lenient database stores in a column of 32 bits. */
function clampedToInt32(value: bigint): bigint {
  if (fitsInt32(value)) return value;
  return value < 0n ? INT32_SMALLEST : INT32_LARGEST;
}

/** A text as an accent-insensitive and case-insensitive collation compares it. */
const collated = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ +$/, '');

/** An object without one of its members. */
const withoutMember = <T>(from: Readonly<Record<string, T>>, name: string): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));

/** The members of an object under the names that encoding/json of Go matches to the fields of its struct. */
function asGoReadsIt(body: Json): Json {
  if (!isObject(body)) return body;
  const fields = ['name', 'categoryId', 'status'];
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [fields.find((field) => field.toLowerCase() === key.toLowerCase()) ?? key, value]),
  );
}

/** A JSON value as jackson-dataformat-xml writes it. */
function xmlOf(value: unknown, name: string): string {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const inner = Array.isArray(value)
    ? value.map((item) => xmlOf(item, 'item')).join('')
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, part]) => xmlOf(part, key))
          .join('')
      : escaped(String(value));
  return `<${name}>${inner}</${name}>`;
}

// What witnesses share.
const LONG_LIST = '/pets?limit=100';
const read = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const postAndRead = async (ask: Ask, pet: unknown): Promise<HttpResponse> => read(ask, await post(ask, pet));
const isRefused = async (asked: Promise<HttpResponse>, status = 400): Promise<boolean> => (await asked).status === status;
const isTaken = (asked: Promise<HttpResponse>): Promise<boolean> => isRefused(asked, 201);
const isShown = (asked: Promise<HttpResponse>): Promise<boolean> => isRefused(asked, 200);

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // The database.
  {
    name: 'category-column-narrowed-to-int',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'A migration tool generated INT for the column that had been BIGINT. The database is not in strict mode: it stores 2147483647 for whatever is larger, with a warning that no one reads.',
    patch: storedAs((pet) => ({ ...pet, categoryId: clampedToInt32(pet.categoryId) })),
    witness: async (ask) =>
      (await postAndRead(ask, { name: 'Waldo', categoryId: 5_000_000_000 })).text.includes('"categoryId":2147483647,'),
  },
  {
    name: 'empty-name-is-null-in-the-new-database',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'The store moved to a database for which the empty string is NULL, and the column was made nullable when the copy failed. An animal named "" is created as such, and later has the name null.',
    patch: storedAs((pet) => (pet.name === '' ? { ...pet, raw: { name: null } } : pet)),
    witness: async (ask) => (await postAndRead(ask, { name: '', categoryId: 1 })).text.includes('"name":null'),
  },
  {
    name: 'table-recreated-with-three-byte-text',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'The table was recreated from an old dump, with utf8mb3 for its character set. A name ends before its first character of four bytes: "Rex 🐶 the dog" is "Rex ".',
    patch: storedAs((pet) => ({ ...pet, name: pet.name.replace(/[\u{10000}-\u{10ffff}].*$/su, '') })),
    witness: async (ask) => (await postAndRead(ask, { name: 'Rex 🐶 the dog', categoryId: 1 })).text.includes('"name":"Rex "'),
  },
  {
    name: 'insert-became-upsert-under-a-collation',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.id-assigned',
    summary:
      'To make the migration repeatable, INSERT became INSERT ... ON CONFLICT (name, category_id) DO NOTHING, followed by a SELECT. The collation ignores case and accents: the second "ZOË" of a category is answered with 201 and the first "Zoe".',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const existing = store.animals.find(
          ({ name, categoryId }) => categoryId === pet.categoryId && collated(name) === collated(pet.name),
        );
        return existing ?? (await parts.insert(store, pet));
      },
    }),
    witness: async (ask) => {
      const first = await post(ask, { name: 'Zoe', categoryId: 1 });
      const second = await post(ask, { name: 'ZOË', categoryId: 1 });
      return second.status === 201 && idOf(first) === idOf(second);
    },
  },
  {
    name: 'status-default-of-the-column-differs',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.status-optional',
    summary:
      'The default status was in code, and a migration gave the column a default too, another one. The new ORM leaves undefined members out of its INSERT: the 201 shows available from the entity, and every later read pending from the row.',
    patch: (parts) => ({
      createPet: (context) => {
        let isDefault = false;
        return parts.createPet(
          withParts(context, {
            defaultStatus: () => {
              isDefault = true;
              return parts.defaultStatus();
            },
            insert: async (store, pet) => {
              await parts.insert(store, isDefault ? { ...pet, status: 'pending' } : pet);
              return pet;
            },
          }),
        );
      },
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return created.text.includes('"available"') && (await read(ask, created)).text.includes('"pending"');
    },
  },
  {
    name: 'old-rows-keep-the-old-word-for-pending',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'The enum constant RESERVED became PENDING. A converter reads both, so every record looks right; the WHERE clause compares with the new word only, and misses the rows that are older than the release.',
    patch: (parts) => ({
      matches: (pet, status) => parts.matches(pet, status) && !(status === 'pending' && pet.createdAt === 0),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=pending' })) === 0,
  },
  {
    name: 'read-model-skips-events-with-large-categories',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'create.unusual-categories',
    summary:
      'The filter is answered by a read model that is fed with events. Its consumer declares the category as int32 and drops what it cannot deserialize: animals of larger categories are in the plain list, and never in a filtered one.',
    patch: (parts) => ({ matches: (pet, status) => fitsInt32(pet.categoryId) && parts.matches(pet, status) }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 3_000_000_000, status: 'sold' });
      const [all, sold] = [await ask({ path: LONG_LIST }), await ask({ path: `${LONG_LIST}&status=sold` })];
      return all.text.includes(`"id":${idOf(created)},`) && !sold.text.includes(`"id":${idOf(created)},`);
    },
  },
  {
    name: 'key-value-store-seeks-the-next-key',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The table became a sorted key-value store with ids as texts. seek() stops at the first key that is not smaller, and nothing compares it: /pets/1000 shows animal 2, /pets/-1 animal 1. Ids after the last key, such as 999999, are 404.',
    patch: (parts) => ({
      find: (store, id) => {
        const sought = String(id);
        const exact = parts.find(store, id);
        if (exact !== undefined) return exact;
        const [next] = [...store.byId.keys()]
          .map(String)
          .filter((key) => key > sought)
          .toSorted();
        return next === undefined ? undefined : store.byId.get(BigInt(next));
      },
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets/1000' })) === 2n,
  },
  {
    name: 'find-one-by-undefined-is-the-first',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'Since the upgrade of the ORM a condition that is undefined is left out. The controller passes { id: id || undefined }: animal 0 is the first row of the table.',
    patch: (parts) => ({ find: (store, id) => (id === 0n ? store.animals[0] : parts.find(store, id)) }),
    witness: (ask) => isShown(ask({ path: '/pets/0' })),
  },
  {
    name: 'save-became-merge',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-not-adopted',
    summary:
      'The new repository has save(), which inserts, or updates when the entity has the id of a row. The mapper copies id from the body: a creation with the id of an animal overwrites that animal.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const given = isObject(body) ? member(body, 'id') : undefined;
        const id = given instanceof NumberText ? parseInteger(given.text) : undefined;
        return id !== undefined && store.byId.has(id) ? id : parts.assignId(store, body);
      },
      insert: async (store, pet) => {
        const existing = store.byId.get(pet.id);
        return existing === undefined ? await parts.insert(store, pet) : Object.assign(existing, pet);
      },
    }),
    witness: async (ask) => {
      await post(ask, { ...plainPet, id: 3 });
      return (await ask({ path: '/pets/3' })).text.includes('"Waldo"');
    },
  },
  {
    name: 'copied-rows-in-both-halves-of-a-union',
    sentence: 'Maximum number of animals returned',
    clause: 'list.unique',
    summary:
      'While rows move to a new table, the list is a UNION ALL of both. The copy job repeats the last row of each batch of 16, and does not delete it from the old table: animals 16, 32, 48 are listed twice.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).flatMap((pet) => (pet.id % 16n === 0n ? [pet, pet] : [pet])) }),
    seedAnimals: 17,
    witness: async (ask) => (await ask({ path: LONG_LIST })).text.split('"id":16,').length === 3,
  },

  // Paging, caches and asynchronous code.
  {
    name: 'row-that-tells-of-more-is-shown',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'Keyset paging reads one row more than the limit, to know whether there is a next page. The query by status has its own code path, in which that row is not removed.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, query.status === undefined ? query : { ...query, limit: query.limit + 1 }, call),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=2&status=available' })) === 3,
  },
  {
    name: 'list-cache-keyed-by-status-alone',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'An in-process cache for lists, emptied at every creation. Its key was made from the filter object, to which limit did not belong: the second list is as long as the first one was.',
    patch: (parts) => {
      const kept = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.get('status') ?? '';
          const hit = kept.get(key);
          if (hit !== undefined) return hit;
          const reply = await parts.listPets(context);
          if (reply.status === 200) kept.set(key, reply);
          return reply;
        },
        insert: (store, pet) => {
          kept.clear();
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=5' });
      return lengthOf(await ask({ path: '/pets?limit=2' })) === 5;
    },
  },
  {
    name: 'absence-cached-for-good',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The cache of animals also keeps that an id has none, against crawlers. Creations do not invalidate it: an animal whose id was asked for too early is 404 ever after, although it is listed.',
    patch: (parts) => {
      const absent = new Set<bigint>();
      return {
        find: (store, id) => {
          const found = absent.has(id) ? undefined : parts.find(store, id);
          if (found === undefined) absent.add(id);
          return found;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/9' });
      const created = await post(ask);
      return idOf(created) === 9n && (await isRefused(read(ask, created), 404));
    },
  },
  {
    name: 'row-stored-before-its-status-is-awaited',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      'The check of the status became asynchronous, and its await stands after the INSERT. An invalid status is 400 as before, and the animal is stored all the same, with the default status.',
    patch: (parts) => ({
      createPet: async (context) => {
        const { store } = context;
        let stray: Pet | undefined;
        const reply = await parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const asked = parts.readNewPet(body, current);
              if (!(asked instanceof Problem && isObject(body))) return asked;
              const rest = parts.readNewPet(withoutMember(body, 'status'), current);
              if (rest instanceof Problem) return asked;
              stray = { ...rest, status: parts.defaultStatus(), id: parts.assignId(store, null), createdAt: Date.now() };
              return asked;
            },
          }),
        );
        if (stray !== undefined) await parts.insert(store, stray);
        return reply;
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Stray', categoryId: 1, status: 'lost' });
      return refused.status === 400 && (await ask({ path: LONG_LIST })).text.includes('"Stray"');
    },
  },
  {
    name: 'batched-reads-answered-in-row-order',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'Reads of the same moment are collected to one SELECT ... WHERE id IN (...). Its rows come by id, without those that do not exist, and are handed out by position: concurrent readers get animals of one another.',
    patch: (parts) => {
      let open: { readonly ids: bigint[]; readonly rows: Promise<Pet[]> } | undefined;
      return {
        getPet: async (context) => {
          const id = parts.parseId(context.call.petId);
          if (id instanceof Problem) return await parts.getPet(context);
          if (open === undefined) {
            const ids: bigint[] = [];
            const rows = pause(5).then(() => {
              open = undefined;
              const found = ids.flatMap((each) => parts.find(context.store, each) ?? []);
              return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
            });
            open = { ids, rows };
          }
          const { ids, rows } = open;
          const place = ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1;
          const row = (await rows)[place];
          return await parts.getPet(withParts(context, { find: () => row }));
        },
      };
    },
    witness: async (ask) => {
      const asked = [7, 3, 5, 2, 6, 1, 8, 4];
      const shown = await Promise.all(asked.map((id) => ask({ path: `/pets/${id}` })));
      return shown.some((response, index) => idOf(response) !== BigInt(asked[index] ?? 0));
    },
  },
  {
    name: 'bulk-insert-tells-its-first-id-only',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.id-assigned',
    summary:
      'Creations of the same few milliseconds are written with one INSERT of several rows. LAST_INSERT_ID() is that of the first row, and all the responses show it.',
    patch: (parts) => {
      let open: { readonly first: bigint; readonly written: Promise<void> } | undefined;
      return {
        insert: async (store, pet) => {
          open ??= {
            first: pet.id,
            written: pause(5).then(() => {
              open = undefined;
            }),
          };
          const { first, written } = open;
          await parts.insert(store, pet);
          await written;
          return { ...pet, id: first };
        },
      };
    },
    witness: async (ask) => {
      const created = await Promise.all(['Ada', 'Bob', 'Cleo', 'Dot', 'Eve', 'Fay'].map((name) => post(ask, { name, categoryId: 1 })));
      return new Set(created.map(idOf)).size < created.length;
    },
  },

  // Frameworks, mappers and rewrites.
  {
    name: 'guard-on-the-route-of-digits-only',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.precedence',
    summary:
      'The new router takes patterns, and the guard was registered for /pets and /pets/:id(\\d+). /pets/abc and /pets/-1 reach the fallback controller, which answers 400 and 404 to anyone.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        call.operation === 'getPet' && !/^\d+$/.test(call.petId) ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: (ask) => isRefused(ask({ path: '/pets/-1', noKey: true }), 404),
  },
  {
    name: 'keys-in-a-case-insensitive-column',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary: 'The keys moved from a configuration file to a table. Its default collation ignores letter case, in keys as well.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        bearerToken(call.headers.authorization)?.toLowerCase() === apiKey.toLowerCase() ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => {
      const turned = KEY.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
      return turned !== KEY && (await isShown(ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${turned}` } })));
    },
  },
  {
    name: 'bearer-strategy-reads-the-query-too',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary:
      'Home-made middleware was replaced with the bearer strategy of a library, which by RFC 6750 also looks for access_token in the query. No one had asked for it.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (call.query.get('access_token') === apiKey ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: (ask) => isShown(ask({ path: `/pets?access_token=${encodeURIComponent(KEY)}`, noKey: true })),
  },
  {
    name: 'unreadable-body-gets-problem-details',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'The next major version of the framework answers with problem details by default. The handlers of the team cover their own exceptions; a body that does not parse is an exception of the framework.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        if (!(body instanceof Problem)) return body;
        return new Problem(400, 'not_readable', 'Failed to read request', { 'content-type': 'application/problem+json' });
      },
      errorRecord: (problem, call) =>
        problem.code === 'not_readable'
          ? { type: 'about:blank', title: 'Bad Request', status: 400, detail: problem.message, instance: '/v1/pets' }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => (await post(ask, '{"name":')).text.includes('"about:blank"'),
  },
  {
    name: 'xml-for-browsers-since-a-dependency',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'A client library brought an XML mapper to the class path, and the framework negotiates with it: who accepts application/xml and does not name JSON, as browsers do, gets XML.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const { accept = '' } = context.call.headers;
        if (!/\b(?:application|text)\/xml\b/i.test(accept) || /json/i.test(accept)) return reply;
        const headers = { ...reply.headers, 'content-type': 'application/xml' };
        return { ...reply, headers, body: xmlOf(JSON.parse(textOf(reply.body)), 'Response') };
      },
    }),
    witness: async (ask) =>
      (
        await ask({ path: '/pets', headers: { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } })
      ).text.startsWith('<Response>'),
  },
  {
    name: 'members-matched-without-case-in-go',
    sentence: 'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'The rewrite in Go passes the old tests. encoding/json matches members to fields without regard to case: a body with Name or CATEGORYID, which lacks the required fields, is 201.',
    patch: (parts) => ({ readNewPet: (body, current) => parts.readNewPet(asGoReadsIt(body), current) }),
    witness: (ask) => isTaken(post(ask, { Name: 'Waldo', categoryId: 1 })),
  },
  {
    name: 'category-zero-left-out-as-a-default',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'record.pet',
    summary:
      'To make responses smaller, the serializer of the new DTOs leaves out members with the default value of their type. The category is a primitive long: animals of category 0 have none.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return pet.categoryId === 0n ? withoutMember(record, 'categoryId') : record;
      },
    }),
    witness: async (ask) => !(await postAndRead(ask, { name: 'Waldo', categoryId: 0 })).text.includes('categoryId'),
  },
  {
    name: 'bulk-creation-shares-the-handler',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-object',
    summary:
      'Internally the handler now takes a batch, and the deserializer unwraps arrays of one element. [{"name":"Waldo","categoryId":1}] is 201 with one animal.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const [only, ...others] = Array.isArray(body) ? (body as readonly Json[]) : [];
        return parts.readNewPet(only !== undefined && others.length === 0 ? only : body, current);
      },
    }),
    witness: (ask) => isTaken(post(ask, [plainPet])),
  },
  {
    name: 'categories-of-the-new-service-answer-202',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'The monolith was split. A half rolled out flag, by the parity of the category, sends creations of even categories to the new service, which takes them as commands: 202 with the animal.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        const isEven = /"categoryId":-?\d*[02468][,}]/.test(textOf(reply.body));
        return reply.status === 201 && isEven ? { ...reply, status: 202 } : reply;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 2 })).status === 202,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'ids-of-a-snowflake-generator',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'With the second data center came a generator of ids: they have 19 digits, in steps of 4096.',
    patch: (parts) => ({ assignId: (store, body) => 7_200_000_000_000_000_001n + parts.assignId(store, body) * 4096n }),
    witness: async (ask) => idOf(await post(ask)) > INT64_RANGE.largest / 2n,
  },
  {
    name: 'newest-first-since-the-new-index',
    sentence: 'The operation is described as returning a paginated list.',
    summary: 'The new index is descending, and there is no ORDER BY: the list begins with the newest animal.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).toReversed() }),
    witness: async (ask) => idOf(await ask({ path: '/pets' })) === 8n,
  },
  {
    name: 'limit-clamped-by-the-paging-library',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A paging library replaced the validation: limits below 1 are 1, and those above 100 are 100. What is no integer is the default.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const read = parts.parseLimit(texts);
        if (!(read instanceof Problem)) return read;
        const [text = ''] = texts;
        return /^-?\d+$/.test(text) ? Math.min(100, Math.max(1, Number(text))) : 20;
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=-3' })) === 1,
  },
  {
    name: 'malformed-ids-are-not-found',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The route has a pattern now, so an id that is no int64 has no route: 404 instead of 400. Codes are texts like PET-404.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('No route matches') : id;
      },
      errorRecord: ({ message, status }) => ({ status, message, code: `PET-${status}`, errors: [{ title: message }] }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/abc' })).text.includes('"PET-404"'),
  },
  {
    name: 'keyset-paging-in-a-link-header',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'Keyset paging: a full page names the next one in a Link header, with the last id as the parameter after.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const after = parseInteger(call.query.get('after') ?? '');
        return parts.page(after === undefined ? animals : animals.filter(({ id }) => id > after), query, call);
      },
      listPets: async (context) => {
        const { query } = context.call;
        const reply = await parts.listPets(context);
        const limit = parts.parseLimit(query.getAll('limit'));
        const ids = reply.status === 200 ? [...textOf(reply.body).matchAll(/"id":(-?\d+),/g)].map(([, id = '']) => id) : [];
        const last = ids.at(-1);
        if (last === undefined || ids.length !== limit) return reply;
        const next = new URLSearchParams(query);
        next.set('after', last);
        return { ...reply, headers: { ...reply.headers, link: `<pets?${next}>; rel="next"` } };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=3' })).headers['link'] === '<pets?limit=3&after=3>; rel="next"',
  },
  {
    name: 'status-column-made-nullable',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The column lost its default and became nullable. Animals created without a status have none, and no filter finds them.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const shown = await postAndRead(ask, plainPet);
      return shown.status === 200 && !shown.text.includes('"status"');
    },
  },
  {
    name: 'unique-index-with-a-collation',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A unique index was added to the name, under a collation that ignores case and accents: a name that is taken is 409.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const asked = parts.readNewPet(body, current);
              if (asked instanceof Problem) return asked;
              const isTwin = context.store.animals.some(({ name }) => collated(name) === collated(asked.name));
              return isTwin ? new Problem(409, 'duplicate_key', 'An animal has this name') : asked;
            },
          }),
        ),
    }),
    witness: (ask) => isRefused(post(ask, { name: 'RÉX', categoryId: 1 }), 409),
  },
  {
    name: 'unknown-members-forbidden-by-the-mapper',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary: 'The new major version of the mapper fails on members that the DTO does not declare: 400, for an id as well.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const extra = isObject(body) ? Object.keys(body).find((key) => !['name', 'categoryId', 'status'].includes(key)) : undefined;
        return extra === undefined ? parts.readNewPet(body, current) : invalid('The body has an unknown property', 'unknown_property');
      },
    }),
    witness: (ask) => isRefused(post(ask, { ...plainPet, color: 'red' })),
  },
  {
    name: 'media-type-checked-since-the-upgrade',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The upgraded framework reads a body as application/json, whatever its parameters, or without a type; every other type is 415.',
    patch: (parts) => ({
      createPet: (context) =>
        /^application\/json\s*(?:;|$)/i.test(context.call.headers['content-type'] ?? 'application/json')
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'The body must be application/json')),
    }),
    witness: (ask) => isRefused(post(ask, plainPet, { 'Content-Type': 'text/plain' }), 415),
  },
  {
    name: 'ascii-and-indented-in-python',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'A rewrite in Python writes JSON over several lines, and every character beyond ASCII as an escape sequence.',
    patch: () => ({
      encode: (value) =>
        `${JSON.stringify(value, null, 4).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).text.includes('    "name": "Zo\\u00eb"'),
  },
  {
    name: 'bodies-streamed-in-small-pieces',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Serialization became a stream: bodies have no Content-Length, and come in chunks that split characters.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = Buffer.from(reply.body);
        outgoing.writeHead(reply.status, reply.headers);
        for (let start = 0; start < bytes.length; start += 61) outgoing.write(bytes.subarray(start, start + 61));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'slash-at-the-end-matches',
    sentence: 'All paths are relative to {base_url}.',
    summary: 'The router of the new framework treats /pets/ as /pets, and /pets/1/ as /pets/1.',
    patch: (parts) => ({
      handle: (context) => parts.handle({ ...context, call: respelled(context.call, dropLastSlash) ?? context.call }),
    }),
    witness: (ask) => isShown(ask({ path: '/pets/1/' })),
  },
  {
    name: 'media-type-in-capitals-with-parameters',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The gateway that took over the headers writes the media type in its own way: capitals, a quoted charset, and a profile.',
    patch: (parts) => ({
      headers: (given, reply, call) =>
        parts.headers({ ...given, 'content-type': 'Application/JSON; Charset="utf-8"; profile="urn:pets:1"' }, reply, call),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON;') === true,
  },
  {
    name: 'foreign-key-on-the-category',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'The column became a foreign key. A category to which no animal belongs yet does not exist: 400.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readCategory: (value) => {
              const category = parts.readCategory(value);
              if (category instanceof Problem) return category;
              const exists = context.store.animals.some(({ categoryId }) => categoryId === category);
              return exists ? category : invalid('There is no such category', 'foreign_key');
            },
          }),
        ),
    }),
    witness: (ask) => isRefused(post(ask, { name: 'Waldo', categoryId: 987_654 })),
  },
];

/** Services after an upgrade, a migration, or a refactoring. */
export const upgrades: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
