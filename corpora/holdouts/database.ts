// A corpus of servers backed by databases: 40 that break the document and 20 that only look as if they did.

import { bearerToken, readListQuery, sameKey } from '../../src/reference/core/base.ts';
import { integerLiteral, isInt64, isObject, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  invalid,
  jsonReply,
  notFound,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type Pet, removePet, STATUSES, type Status, type Store } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout } from './holdout.ts';

type HttpResponse = Awaited<ReturnType<Ask>>;
type Shown = { id?: unknown; name?: unknown; categoryId?: unknown; status?: unknown; [more: string]: unknown };

const json = (response: HttpResponse): unknown => {
  try {
    return JSON.parse(response.text) as unknown;
  } catch {
    return undefined;
  }
};
const pet = (response: HttpResponse): Shown => (json(response) ?? {}) as Shown;
const pets = (response: HttpResponse): Shown[] => {
  const body = json(response);
  return Array.isArray(body) ? (body as Shown[]) : [];
};
/** The digits of the member as sent: JSON.parse would round them. */
const digits = (text: string, name: string): string => new RegExp(`"${name}": ?"?(-?\\d+)`).exec(text)?.[1] ?? '';
const post = (ask: Ask, body: string): Promise<HttpResponse> => ask({ method: 'POST', path: '/pets', body });
const add = (ask: Ask, body: unknown): Promise<HttpResponse> => post(ask, JSON.stringify(body));
const get = (ask: Ask, path: string): Promise<HttpResponse> => ask({ path });
const many = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_none, index) => make(index)));

const faults: Holdout[] = [
  // ------------------------------------------------------------------ unconditional
  {
    name: 'page-size-setting-is-25',
    kind: 'fault',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-default',
    summary: 'The framework-wide PAGE_SIZE = 25 of Django REST framework applies when no limit is sent; nobody overrode it for this view.',
    seedAnimals: 40,
    patch: (parts) => ({ parseLimit: (texts) => (texts.length === 0 ? 25 : parts.parseLimit(texts)) }),
    witness: async (ask) => pets(await get(ask, '/pets')).length > 20,
  },
  {
    name: 'upsert-answers-200',
    kind: 'fault',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'createPet runs a Mongo updateOne with upsert, and the handler answers 200 for an upsert whether a document was inserted or not.',
    patch: () => ({ createdStatus: () => 200 }),
    witness: async (ask) => (await add(ask, { name: 'Wanda', categoryId: 1, status: 'sold' })).status === 200,
  },
  {
    name: 'driver-gives-bigint-as-text',
    kind: 'fault',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'record.pet',
    summary: 'node-postgres returns int8 columns as strings, and no type parser was set: id and categoryId are quoted in every record.',
    patch: (parts) => ({
      petRecord: (one, place) => ({ ...parts.petRecord(one, place), id: String(one.id), categoryId: String(one.categoryId) }),
    }),
    witness: async (ask) => typeof pets(await get(ask, '/pets?limit=1'))[0]?.id === 'string',
  },
  {
    name: 'list-is-rows-and-count',
    kind: 'fault',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary: 'The controller sends the result of Sequelize findAndCountAll as it is: an object with count and rows.',
    patch: () => ({ listBody: (records) => ({ count: records.length, rows: records }) }),
    witness: async (ask) => 'rows' in pet(await get(ask, '/pets')),
  },
  {
    name: 'orm-not-found-error-leaks',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'errors.shape',
    summary: 'Prisma findUniqueOrThrow: the error object is serialized for the 404, with its own members and neither message nor status.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404
          ? { name: 'NotFoundError', code: 'P2025', clientVersion: '5.22.0', meta: { modelName: 'Pet' } }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => {
      const response = await get(ask, '/pets/404404');
      return response.status === 404 && pet(response)['message'] === undefined;
    },
  },
  {
    name: 'sunset-timestamp-shifted-by-time-zone',
    kind: 'fault',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'The removal date is a TIMESTAMP WITHOUT TIME ZONE written in Berlin and read in UTC: the Sunset header names the evening of 4 December.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const all = parts.headers(given, reply, call);
        return 'sunset' in all ? { ...all, sunset: 'Wed, 04 Dec 2030 23:00:00 GMT' } : all;
      },
    }),
    witness: async (ask) => /04 Dec 2030/.test((await get(ask, '/pets/1')).headers['sunset'] ?? ''),
  },
  {
    name: 'not-null-violation-answers-409',
    kind: 'fault',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-required',
    summary:
      'A missing categoryId is only noticed by the NOT NULL constraint, and the exception mapper turns every DataIntegrityViolationException into 409.',
    patch: (parts) => ({
      readCategory: (value) =>
        value === undefined || value === null
          ? new Problem(409, 'constraint_violation', 'null value in column "category_id" violates not-null constraint')
          : parts.readCategory(value),
    }),
    witness: async (ask) => (await add(ask, { name: 'Nocat' })).status === 409,
  },
  {
    name: 'error-entity-keeps-default-status',
    kind: 'fault',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'The body of a 404 is built from an exception class of the data layer whose status field defaults to 500; only the response code was set afterwards.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404 ? { code: problem.code, message: problem.message, status: 500 } : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => {
      const response = await get(ask, '/pets/404404');
      return response.status === 404 && pet(response).status === 500;
    },
  },
  {
    name: 'missing-name-becomes-column-default',
    kind: 'fault',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'The name is left out of the INSERT, and MySQL outside of strict mode gives a NOT NULL text column its implicit default, the empty string.',
    patch: (parts) => ({ readName: (value) => (value === undefined ? '' : parts.readName(value)) }),
    witness: async (ask) => (await add(ask, { categoryId: 1 })).status === 201,
  },
  {
    name: 'limit-inside-filter-outside',
    kind: 'fault',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'The query builder wraps the page as a subquery, SELECT * FROM (SELECT * FROM pets LIMIT ?) WHERE status = ?: animals beyond the first page are never found by the filter.',
    patch: () => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem) return problemReply(context, query);
        const { parts, call, store } = context;
        const { status } = query;
        const page = parts.page(parts.arrange(store), query, call);
        const kept = status === undefined ? page : page.filter((one) => parts.matches(one, status));
        return jsonReply(context, 200, parts.listBody(kept.map((one) => parts.petRecord(one, 'list'))));
      },
    }),
    witness: async (ask) => {
      const all = pets(await get(ask, '/pets?limit=100')).filter((one) => one.status === 'sold').length;
      return all > 0 && pets(await get(ask, '/pets?limit=2&status=sold')).length === 0;
    },
  },

  // ------------------------------------------------------------------ statuses and required fields
  {
    name: 'nullable-status-shown-as-null',
    kind: 'fault',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'The status column is nullable without default, and Jackson writes null members: an animal created without a status shows "status": null.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (one, place) => ({ ...parts.petRecord(one, place), status: one.status ?? null }),
    }),
    witness: async (ask) => pet(await add(ask, { name: 'Nullo', categoryId: 1 })).status === null,
  },
  {
    name: 'enum-column-takes-its-index',
    kind: 'fault',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.status-invalid',
    summary:
      'MySQL reads a number, or text that is one, as the index of an ENUM value; validation was left to the column, so status "2" or 2 creates a pending animal.',
    patch: (parts) => ({
      readStatus: (value) => {
        const text = value instanceof NumberText ? value.text : value;
        return typeof text === 'string' && /^[123]$/.test(text) ? STATUSES[Number(text) - 1] : parts.readStatus(value);
      },
    }),
    witness: async (ask) => {
      const response = await add(ask, { name: 'Index', categoryId: 1, status: '2' });
      return response.status === 201 && pet(response).status === 'pending';
    },
  },

  // ------------------------------------------------------------------ credentials
  {
    name: 'key-column-ignores-case',
    kind: 'fault',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary: 'Keys are looked up by WHERE api_key = ? in a utf8mb4_general_ci column: the key in other letter case is accepted.',
    patch: () => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        return token !== undefined && sameKey(token.toLowerCase(), apiKey.toLowerCase()) ? undefined : unauthorized();
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY.toUpperCase()}` } })).status === 200,
  },
  {
    name: 'session-user-stays-on-connection',
    kind: 'fault',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.every-request',
    summary:
      'The principal is kept with the database session that is pinned to the client connection and is not reset: later requests on that connection need no key.',
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
      await get(ask, '/pets');
      return (await ask({ path: '/pets', noKey: true })).status === 200;
    },
  },
  {
    name: 'key-lookup-fails-open-when-pool-is-busy',
    kind: 'fault',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The key table has its own pool of eight connections; when it is exhausted the lookup throws a time-out, and the middleware catches it and lets the request in.',
    patch: (parts) => {
      let running = 0;
      return {
        handle: async (context) => {
          const exhausted = running >= 8;
          running += 1;
          try {
            await pause(10);
            return exhausted ? await context.parts.dispatch(context) : await parts.handle(context);
          } finally {
            running -= 1;
          }
        },
      };
    },
    witness: async (ask) =>
      (await many(100, () => ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer wrong' } }))).some(
        (response) => response.status === 200,
      ),
  },
  {
    name: 'outbox-written-before-the-key-is-checked',
    kind: 'fault',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.refused-stores-nothing',
    summary:
      'A front process puts creations into the outbox table and checks the key meanwhile; the relay does not look at the outcome, so a creation answered with 401 is stored.',
    patch: (parts) => ({
      handle: async (context) => {
        const rejection = context.parts.authenticate(context.call, context.apiKey);
        if (rejection === undefined || context.call.operation !== 'createPet') return await parts.handle(context);
        await context.parts.createPet(context);
        return problemReply(context, rejection);
      },
    }),
    witness: async (ask) => {
      const response = await ask({ method: 'POST', path: '/pets', noKey: true, body: '{"name":"Ghost","categoryId":2}' });
      return response.status === 401 && pets(await get(ask, '/pets?limit=100')).some((one) => one.name === 'Ghost');
    },
  },

  // ------------------------------------------------------------------ numbers
  {
    name: 'category-clamped-to-int32',
    kind: 'fault',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary: 'category_id is INT, and MySQL outside of strict mode stores the nearest bound with a warning: 3000000000 becomes 2147483647.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        if (category instanceof Problem) return category;
        return category > 2147483647n ? 2147483647n : category < -2147483648n ? -2147483648n : category;
      },
    }),
    witness: async (ask) => {
      const response = await add(ask, { name: 'Wide', categoryId: 3000000000 });
      return response.status === 201 && pet(response).categoryId === 2147483647;
    },
  },
  {
    name: 'category-read-back-as-double',
    kind: 'fault',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'create.round-trip',
    summary:
      'The document store keeps numbers as BSON doubles: the 201 shows the entity in memory, but reads and lists show a category above 2^53 rounded.',
    patch: (parts) => ({
      petRecord: (one, place) =>
        place === 'create'
          ? parts.petRecord(one, place)
          : { ...parts.petRecord(one, place), categoryId: integerLiteral(BigInt(Number(one.categoryId))) },
    }),
    witness: async (ask) => {
      const made = await post(ask, '{"name":"Deep","categoryId":9007199254740993,"status":"sold"}');
      const read = await get(ask, `/pets/${digits(made.text, 'id')}`);
      return (
        digits(made.text, 'categoryId') === '9007199254740993' &&
        read.status === 200 &&
        digits(read.text, 'categoryId') !== '9007199254740993'
      );
    },
  },
  {
    name: 'sequence-passes-what-a-double-holds',
    kind: 'fault',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'The sequence was moved into a high range when shards were merged, and ids are shown through Number: odd ids above 2^53 are shown as their neighbours.',
    patch: (parts) => ({
      assignId: (store, body) => {
        if (store.lastId === 0n) store.lastId = 2n ** 53n - 6n;
        return parts.assignId(store, body);
      },
      petRecord: (one, place) => ({ ...parts.petRecord(one, place), id: integerLiteral(BigInt(Number(one.id))) }),
    }),
    witness: async (ask) => {
      const ids: string[] = [];
      for (let turn = 0; turn < 4; turn += 1) ids.push(digits((await add(ask, { name: `Seq${turn}`, categoryId: 1 })).text, 'id'));
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'id-parameter-bound-as-int32',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'The repository method takes an int, so the long of the path is cast: 4294967297 finds animal 1.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? id : BigInt.asIntN(32, id);
      },
    }),
    witness: async (ask) => (await get(ask, '/pets/4294967297')).status === 200,
  },
  {
    name: 'find-one-without-condition-for-zero',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'where: id ? { id } : {} in a TypeORM findOne: for id 0 there is no condition, and the first row of the table is returned.',
    patch: (parts) => ({ find: (store, id) => (id === 0n ? store.animals[0] : parts.find(store, id)) }),
    witness: async (ask) => (await get(ask, '/pets/0')).status === 200,
  },

  // ------------------------------------------------------------------ identity and uniqueness
  {
    name: 'save-merges-into-row-of-given-id',
    kind: 'fault',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-not-adopted',
    summary:
      'The body is bound to the JPA entity, and repository.save() merges when the id exists: a creation with a known id overwrites that animal. An id that nobody has is replaced by a generated one.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const given = body !== null && isObject(body) ? member(body, 'id') : undefined;
        const id = given instanceof NumberText ? parseInteger(given.text) : undefined;
        return id !== undefined && store.byId.has(id) ? id : parts.assignId(store, body);
      },
      insert: (store, one) => {
        const known = store.byId.get(one.id);
        return known === undefined ? parts.insert(store, one) : Object.assign(known, one);
      },
    }),
    witness: async (ask) => {
      await add(ask, { id: 3, name: 'Usurper', categoryId: 5, status: 'sold' });
      return pet(await get(ask, '/pets/3')).name === 'Usurper';
    },
  },
  {
    name: 'max-plus-one-outside-transaction',
    kind: 'fault',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary: 'The id is SELECT MAX(id) + 1, read before the INSERT without a lock or a unique index: concurrent creations get the same id.',
    patch: (parts) => ({
      assignId: (store) => (store.animals.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1))[0] ?? 0n) + 1n,
      insert: async (store, one) => {
        await pause(4);
        return await parts.insert(store, one);
      },
    }),
    witness: async (ask) => {
      const ids = (await many(8, (index) => add(ask, { name: `Race${index}`, categoryId: 1 }))).map((response) => pet(response).id);
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'insert-on-conflict-returns-the-old-row',
    kind: 'fault',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.id-assigned',
    summary:
      'INSERT ... ON CONFLICT (name) DO NOTHING followed by SELECT ... WHERE name = ?: for a taken name the 201 shows the older animal, with its id, category and status.',
    patch: (parts) => ({ insert: (store, one) => store.animals.find((other) => other.name === one.name) ?? parts.insert(store, one) }),
    witness: async (ask) => {
      const first = await add(ask, { name: 'Twice', categoryId: 1, status: 'sold' });
      const second = await add(ask, { name: 'Twice', categoryId: 2, status: 'pending' });
      return second.status === 201 && pet(first).id === pet(second).id;
    },
  },
  {
    name: 'joined-id-column-wins-in-filtered-list',
    kind: 'fault',
    sentence: 'The replacement is `GET /pets` with the `status` filter.',
    clause: 'deprecation.replacement',
    summary:
      'The filtered query joins the categories, SELECT p.*, c.*; the driver keeps the last column of a name, so that the id of each record is that of its category.',
    patch: (parts) => ({
      listPets: (context) => {
        if (!context.call.query.has('status')) return parts.listPets(context);
        return parts.listPets(
          withParts(context, {
            petRecord: (one, place) => ({ ...context.parts.petRecord(one, place), id: integerLiteral(one.categoryId) }),
          }),
        );
      },
    }),
    witness: async (ask) => {
      const made = pet(await add(ask, { name: 'Joined', categoryId: 4, status: 'sold' }));
      return pets(await get(ask, '/pets?status=sold&limit=100')).find((one) => one.name === 'Joined')?.id === 4 && made.id !== 4;
    },
  },
];

const laterFaults: Holdout[] = [
  // ------------------------------------------------------------------ names
  {
    name: 'utf8mb3-turns-emoji-into-question-marks',
    kind: 'fault',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'The table has the three-byte utf8 of MySQL: characters beyond the basic plane are stored as "?". The 201 still shows the entity in memory.',
    patch: (parts) => ({
      insert: (store, one) => {
        parts.insert(store, { ...one, name: one.name.replace(/[\u{10000}-\u{10FFFF}]/gu, '?') });
        return one;
      },
    }),
    witness: async (ask) => {
      const made = await add(ask, { name: 'Rex 🐕', categoryId: 1 });
      return pet(made).name === 'Rex 🐕' && pet(await get(ask, `/pets/${String(pet(made).id)}`)).name === 'Rex ?';
    },
  },
  {
    name: 'empty-name-is-null-in-oracle',
    kind: 'fault',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'record.pet',
    summary:
      'Oracle stores an empty VARCHAR2 as NULL, and the column is nullable: an empty name is accepted, and reads and lists show "name": null.',
    patch: (parts) => ({
      petRecord: (one, place) =>
        place !== 'create' && one.name === '' ? { ...parts.petRecord(one, place), name: null } : parts.petRecord(one, place),
    }),
    witness: async (ask) => {
      const made = await add(ask, { name: '', categoryId: 1 });
      return made.status === 201 && pet(await get(ask, `/pets/${String(pet(made).id)}`)).name === null;
    },
  },
  {
    name: 'read-flushes-a-tidied-name',
    kind: 'fault',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.repeatable',
    summary:
      'A @PostLoad hook collapses white space of names, and Hibernate dirty checking writes that at the end of the reading request: a name with two spaces is changed by the first getPet.',
    patch: (parts) => ({
      find: (store, id) => {
        const found = parts.find(store, id);
        if (found === undefined) return undefined;
        const before = { ...found };
        found.name = found.name.replace(/\s{2,}/g, ' ');
        return before;
      },
    }),
    witness: async (ask) => {
      const made = pet(await add(ask, { name: 'Sir  Purr', categoryId: 1 }));
      const first = pet(await get(ask, `/pets/${String(made.id)}`));
      const second = pet(await get(ask, `/pets/${String(made.id)}`));
      return first.name === 'Sir  Purr' && second.name === 'Sir Purr';
    },
  },

  // ------------------------------------------------------------------ lists
  {
    name: 'join-to-many-repeats-animals',
    kind: 'fault',
    sentence: 'A JSON array of Pet records.',
    clause: 'list.unique',
    summary:
      'Filtered lists are fetched with a LEFT JOIN on category translations without DISTINCT: an animal of category 3, which has two translations, appears twice.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(
          query.status === undefined ? animals : animals.flatMap((one) => (one.categoryId === 3n ? [one, one] : [one])),
          query,
          call,
        ),
    }),
    witness: async (ask) => {
      const ids = pets(await get(ask, '/pets?status=sold&limit=100')).map((one) => one.id);
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'inner-join-hides-animals-of-unlisted-categories',
    kind: 'fault',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'There is no foreign key, so any categoryId is accepted; the list uses an INNER JOIN on the category table and leaves out animals whose category has no row there.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter((one) => one.categoryId >= 1n && one.categoryId <= 5n) }),
    witness: async (ask) => {
      const made = await add(ask, { name: 'Orphan', categoryId: 77, status: 'pending' });
      const read = await get(ask, `/pets/${String(pet(made).id)}`);
      return (
        made.status === 201 &&
        read.status === 200 &&
        !pets(await get(ask, '/pets?limit=100&status=pending')).some((one) => one.name === 'Orphan')
      );
    },
  },
  {
    name: 'list-cache-key-lacks-status',
    kind: 'fault',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Lists are cached in Redis for 400 ms under pets:<limit>, and creations delete the cache; the status was added later and is not part of the key.',
    patch: (parts) => {
      const cache = new Map<number, { until: number; reply: Reply }>();
      return {
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return problemReply(context, query);
          const hit = cache.get(query.limit);
          if (hit !== undefined && hit.until > Date.now()) return hit.reply;
          const reply = await parts.listPets(context);
          cache.set(query.limit, { until: Date.now() + 400, reply });
          return reply;
        },
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          cache.clear();
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await get(ask, '/pets?status=sold');
      return pets(await get(ask, '/pets?status=pending')).some((one) => one.status === 'sold');
    },
  },
  {
    name: 'json-from-database-cut-at-2033-characters',
    kind: 'fault',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.well-formed',
    summary:
      'The list is built by SQL Server with FOR JSON, which splits its result into rows of 2033 characters; ExecuteScalar reads the first row only, so a longer list ends in the middle.',
    seedAnimals: 45,
    patch: (parts) => ({
      encode: (value) => {
        const text = parts.encode(value);
        return Array.isArray(value) && typeof text === 'string' ? text.slice(0, 2033) : text;
      },
    }),
    witness: async (ask) => {
      const response = await get(ask, '/pets?limit=100');
      return response.status === 200 && json(response) === undefined;
    },
  },
  {
    name: 'nil-slice-is-null',
    kind: 'fault',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary:
      'Go with database/sql: the slice is declared with var and appended to row by row; without a row it stays nil, and encoding/json writes null.',
    seedAnimals: 2,
    patch: (parts) => ({ listBody: (records) => (records.length === 0 ? null : parts.listBody(records)) }),
    witness: async (ask) => (await get(ask, '/pets?status=sold')).text === 'null',
  },

  // ------------------------------------------------------------------ caches, replicas, pools
  {
    name: 'misses-are-cached',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'The read-through cache remembers misses for 30 s and creations do not evict them: an id that was asked for before it was assigned stays 404.',
    patch: (parts) => {
      const misses = new Map<bigint, number>();
      return {
        find: (store, id) => {
          if ((misses.get(id) ?? 0) > Date.now()) return undefined;
          const found = parts.find(store, id);
          if (found === undefined) misses.set(id, Date.now() + 30_000);
          return found;
        },
      };
    },
    witness: async (ask) => {
      await get(ask, '/pets/9');
      const made = await add(ask, { name: 'Missed', categoryId: 1 });
      return pet(made).id === 9 && (await get(ask, '/pets/9')).status === 404;
    },
  },
  {
    name: 'one-of-three-replicas-stopped-replicating',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'Reads by id take turns over three replicas; replication of one broke unnoticed before the first creation, so every third read of a new animal is 404.',
    patch: (parts) => {
      let turn = 0;
      let replicated: Set<bigint> | undefined;
      return {
        insert: (store, one) => {
          replicated ??= new Set(store.byId.keys());
          return parts.insert(store, one);
        },
        find: (store, id) => {
          turn += 1;
          return turn % 3 === 0 && replicated !== undefined && !replicated.has(id) ? undefined : parts.find(store, id);
        },
      };
    },
    witness: async (ask) => {
      const id = String(pet(await add(ask, { name: 'Lagging', categoryId: 1 })).id);
      const seen: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) seen.push((await get(ask, `/pets/${id}`)).status);
      return seen.includes(200) && seen.includes(404);
    },
  },
  {
    name: 'not-found-path-leaks-a-connection',
    kind: 'fault',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'getPet returns early for a missing animal without releasing its client to the pool of 20: after twenty 404s every operation fails with a pool time-out until a restart.',
    patch: (parts) => {
      let leaked = 0;
      return {
        dispatch: async (context) =>
          leaked >= 20
            ? problemReply(context, new Problem(500, 'pool_timeout', 'Timed out fetching a connection from the pool'))
            : await parts.dispatch(context),
        getPet: async (context) => {
          const reply = await parts.getPet(context);
          if (reply.status === 404) leaked += 1;
          return reply;
        },
      };
    },
    witness: async (ask) => {
      for (let turn = 0; turn < 20; turn += 1) await get(ask, `/pets/${70000 + turn}`);
      return (await get(ask, '/pets')).status === 500;
    },
  },

  // ------------------------------------------------------------------ transactions, loss
  {
    name: 'deadlock-victim-is-swallowed',
    kind: 'fault',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'With four creations already in their transactions InnoDB rolls the next one back as a deadlock victim; the retry helper logs and gives up, and the handler answers 201 from the entity.',
    patch: (parts) => {
      let running = 0;
      return {
        insert: async (store, one) => {
          const victim = running >= 4;
          running += 1;
          await pause(6);
          running -= 1;
          return victim ? one : await parts.insert(store, one);
        },
      };
    },
    witness: async (ask) => {
      const made = await many(10, (index) => add(ask, { name: `Lock${index}`, categoryId: 1 }));
      const reads = await many(10, (index) => get(ask, `/pets/${String(pet(made[index] as HttpResponse).id)}`));
      return made.every((response) => response.status === 201) && reads.some((response) => response.status === 404);
    },
  },
  {
    name: 'rollback-takes-the-previous-creation-along',
    kind: 'fault',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.refused-stores-nothing',
    summary:
      'The SQLAlchemy session is shared and a creation is only flushed; the next one commits it. A rejected creation calls session.rollback() and so removes the animal created just before.',
    patch: (parts) => {
      let flushed: { store: Store; one: Pet } | undefined;
      return {
        insert: (store, one) => {
          flushed = { store, one };
          return parts.insert(store, one);
        },
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          if (reply.status === 400 && flushed !== undefined) {
            removePet(flushed.store, flushed.one);
            flushed = undefined;
          }
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const id = String(pet(await add(ask, { name: 'Kept', categoryId: 1 })).id);
      const before = await get(ask, `/pets/${id}`);
      await add(ask, { name: 'Refused', categoryId: 1, status: 'lost' });
      return before.status === 200 && (await get(ask, `/pets/${id}`)).status === 404;
    },
  },
  {
    name: 'capped-collection-drops-the-oldest',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'The Mongo collection was created as capped with max: 60, copied from the audit log: each creation beyond that silently removes the oldest animal.',
    patch: (parts) => ({
      insert: (store, one) => {
        const shown = parts.insert(store, one);
        while (store.animals.length > 60) removePet(store, store.animals[0] as Pet);
        return shown;
      },
    }),
    witness: async (ask) => {
      const before = await get(ask, '/pets/1');
      for (let turn = 0; turn < 54; turn += 1) await add(ask, { name: `Cap${turn}`, categoryId: 1 });
      return before.status === 200 && (await get(ask, '/pets/1')).status === 404;
    },
  },
  {
    name: 'ttl-index-expires-pending-animals',
    kind: 'fault',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'A partial TTL index, meant for abandoned reservations, covers animals with status pending: one that was created as pending is gone two seconds later.',
    patch: (parts) => {
      const expired = (one: Pet) => one.status === 'pending' && one.createdAt > 0 && Date.now() - one.createdAt > 2000;
      return {
        arrange: (store) => parts.arrange(store).filter((one) => !expired(one)),
        find: (store, id) => {
          const found = parts.find(store, id);
          return found !== undefined && expired(found) ? undefined : found;
        },
      };
    },
    witness: async (ask) => {
      const id = String(pet(await add(ask, { name: 'Fleeting', categoryId: 1, status: 'pending' })).id);
      const before = await get(ask, `/pets/${id}`);
      await pause(2200);
      return before.status === 200 && (await get(ask, `/pets/${id}`)).status === 404;
    },
  },
];

const variants: Holdout[] = [
  {
    name: 'name-column-of-fifty-characters',
    kind: 'variant',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The column is VARCHAR(50) and validation knows it: a longer name is rejected with 400.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' && [...name].length > 50 ? invalid('name must have at most 50 characters', 'name_too_long') : name;
      },
    }),
    witness: async (ask) => (await add(ask, { name: 'x'.repeat(51), categoryId: 1 })).status === 400,
  },
  {
    name: 'unique-index-on-name-answers-409',
    kind: 'variant',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A unique index on name; the violation is caught and answered with 409 and an Error. The sequence number is used up, as in PostgreSQL.',
    patch: (parts) => ({
      insert: (store, one) => {
        if (store.animals.some((other) => other.name === one.name))
          throw new Problem(409, 'duplicate_name', 'An animal has this name already');
        return parts.insert(store, one);
      },
      createPet: async (context) => {
        try {
          return await parts.createPet(context);
        } catch (error) {
          if (error instanceof Problem) return problemReply(context, error);
          throw error;
        }
      },
    }),
    witness: async (ask) => (await add(ask, { name: 'Rex', categoryId: 1 })).status === 409,
  },
  {
    name: 'foreign-key-on-category',
    kind: 'variant',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'categoryId has a foreign key, and there are five categories: any other is rejected with 400.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return typeof category === 'bigint' && (category < 1n || category > 5n)
          ? invalid('There is no such category', 'unknown_category')
          : category;
      },
    }),
    witness: async (ask) => (await add(ask, { name: 'Foreign', categoryId: 42 })).status === 400,
  },
  {
    name: 'null-status-is-left-out',
    kind: 'variant',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'The column is nullable without default and null members are not written: an animal created without status has none anywhere, and no status filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const made = await add(ask, { name: 'Without', categoryId: 1 });
      return made.status === 201 && !('status' in pet(made)) && !('status' in pet(await get(ask, `/pets/${String(pet(made).id)}`)));
    },
  },
  {
    name: 'column-default-shows-only-when-read',
    kind: 'variant',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    summary:
      'The default is a column DEFAULT; Hibernate does not read the row back after the INSERT, so the 201 lacks the status that reads and lists show.',
    patch: (parts) => {
      let omitted = false;
      return {
        readNewPet: (body, all) => {
          omitted = false;
          return parts.readNewPet(body, all);
        },
        defaultStatus: () => {
          omitted = true;
          return parts.defaultStatus();
        },
        insert: (store, one) => {
          addPet(store, one);
          return omitted ? { ...one, status: undefined } : one;
        },
      };
    },
    witness: async (ask) => {
      const made = await add(ask, { name: 'Later', categoryId: 1 });
      return !('status' in pet(made)) && isStatus(pet(await get(ask, `/pets/${String(pet(made).id)}`)).status);
    },
  },
  {
    name: 'snowflake-ids-in-full-int64',
    kind: 'variant',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Ids are snowflakes above 2^62 with gaps, written digit by digit as JSON numbers: a client that reads them as doubles mixes them up.',
    patch: () => ({
      assignId: (store) => {
        store.lastId = store.lastId === 0n ? 7250000000000000001n : store.lastId + 1n + ((store.lastId * 31n) % 7n);
        return store.lastId;
      },
    }),
    witness: async (ask) => digits((await add(ask, { name: 'Flake', categoryId: 1 })).text, 'id').length === 19,
  },
  {
    name: 'sequence-starts-at-smallest-bigint',
    kind: 'variant',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The identity column starts at -9223372036854775808 to use the whole range, as some SQL Server shops do: every id is negative.',
    patch: (parts) => ({
      assignId: (store, body) => {
        if (store.lastId === 0n) store.lastId = -(2n ** 63n) - 1n;
        return parts.assignId(store, body);
      },
    }),
    witness: async (ask) => (await get(ask, '/pets/-9223372036854775808')).status === 200,
  },
  {
    name: 'scan-order-changes-between-lists',
    kind: 'variant',
    sentence: 'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
    summary:
      'There is no ORDER BY, and PostgreSQL starts sequential scans where the last one was (synchronize_seqscans): the same animals come in another order each time.',
    patch: (parts) => {
      let start = 0;
      return {
        arrange: (store) => {
          const all = parts.arrange(store);
          start = all.length === 0 ? 0 : (start + 3) % all.length;
          return [...all.slice(start), ...all.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await get(ask, '/pets?limit=100'), await get(ask, '/pets?limit=100')];
      return first.text !== second.text;
    },
  },
  {
    name: 'limit-clamped-by-the-repository',
    kind: 'variant',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'LEAST(GREATEST(limit, 1), 100) in the query: 0, negative and large limits are moved to the nearest bound instead of being rejected.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const number = texts.length === 1 ? parseInteger(texts[0] ?? '') : undefined;
        return number === undefined ? parts.parseLimit(texts) : number < 1n ? 1 : number > 100n ? 100 : Number(number);
      },
    }),
    witness: async (ask) => pets(await get(ask, '/pets?limit=0')).length === 1 && (await get(ask, '/pets?limit=1000')).status === 200,
  },
  {
    name: 'unknown-status-filter-finds-nothing',
    kind: 'variant',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary: 'The parameter goes into WHERE status = ? unchecked: for a word that is no status the list is empty, with 200.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        // A value that no animal has: compared as text only.
        return status instanceof Problem && texts.length === 1 ? ((texts[0] ?? '') as Status) : status;
      },
    }),
    witness: async (ask) => {
      const response = await get(ask, '/pets?status=adopted');
      return response.status === 200 && response.text === '[]';
    },
  },
  {
    name: 'keyset-pages-with-link-header',
    kind: 'variant',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'Keyset pagination: a full page brings a Link header to ?after=<last id>, and the parameter skips the animals up to that id; X-Total-Count gives the count.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem) return problemReply(context, query);
        const { call, store } = context;
        const { status, limit } = query;
        const after = parseInteger(call.query.get('after') ?? '');
        const matching = parts.arrange(store).filter((one) => status === undefined || parts.matches(one, status));
        const rest = after === undefined ? matching : matching.filter((one) => one.id > after);
        const page = rest.slice(0, limit);
        const last = page.at(-1);
        const filter = status === undefined ? '' : `&status=${status}`;
        const link =
          last !== undefined && rest.length > page.length
            ? { link: `</v1/pets?limit=${limit}${filter}&after=${last.id}>; rel="next"` }
            : {};
        return jsonReply(
          context,
          200,
          page.map((one) => context.parts.petRecord(one, 'list')),
          { 'x-total-count': String(matching.length), ...link },
        );
      },
    }),
    witness: async (ask) => {
      const first = await get(ask, '/pets?limit=2');
      return /rel="next"/.test(first.headers['link'] ?? '') && pets(await get(ask, '/pets?limit=2&after=2'))[0]?.id === 3;
    },
  },
  {
    name: 'row-columns-shown-beyond-pet',
    kind: 'variant',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'Records also show columns of the row: version of the optimistic lock, deletedAt (null), and the eagerly loaded category with an id of its own.',
    patch: (parts) => ({
      petRecord: (one, place) => ({
        version: 0,
        deletedAt: null,
        category: { id: integerLiteral(one.categoryId), name: null },
        ...parts.petRecord(one, place),
      }),
    }),
    witness: async (ask) => pet(await get(ask, '/pets/1'))['deletedAt'] === null,
  },
  {
    name: 'jsonb-order-and-spaces',
    kind: 'variant',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Bodies are stored and printed by PostgreSQL as jsonb: members sorted by length of name, indented by jsonb_pretty, other characters than ASCII escaped by the driver, and a charset parameter in the Content-Type.',
    patch: (parts) => ({
      petRecord: (one, place) => {
        const record = parts.petRecord(one, place);
        return Object.fromEntries(Object.entries(record).sort(([left], [right]) => left.length - right.length || (left < right ? -1 : 1)));
      },
      encode: (value) =>
        JSON.stringify(value, undefined, 4).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'application/json; charset=UTF-8' }),
    }),
    witness: async (ask) => {
      const made = await add(ask, { name: 'Zoë', categoryId: 1, status: 'sold' });
      return (
        made.text.includes('Zo\\u00eb') && made.text.indexOf('"status"') < made.text.indexOf('"categoryId"') && pet(made).name === 'Zoë'
      );
    },
  },
  {
    name: 'strict-schema-rejects-unknown-members',
    kind: 'variant',
    sentence: '### NewPet (request body for creating an animal)',
    summary: 'Mongoose with strict: "throw": a body with any member beyond the three, id included, is rejected with 400.',
    patch: (parts) => ({
      readNewPet: (body, all) => {
        const extra = isObject(body) ? Object.keys(body).find((key) => !['name', 'categoryId', 'status'].includes(key)) : undefined;
        return extra === undefined
          ? parts.readNewPet(body, all)
          : invalid(`Path ${JSON.stringify(extra)} is not in schema and strict mode is set to throw`, 'strict_mode');
      },
    }),
    witness: async (ask) => (await add(ask, { name: 'Strict', categoryId: 1, id: 99 })).status === 400,
  },
  {
    name: 'unreadable-id-is-simply-not-found',
    kind: 'variant',
    sentence: '| 404 | The requested resource cannot be found | getPet |',
    summary: 'A petId that is no int64 cannot be a key, so the repository reports no row: 404 with an Error instead of 400.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound() : id;
      },
    }),
    witness: async (ask) => (await get(ask, '/pets/rex')).status === 404 && (await get(ask, '/pets/9223372036854775808')).status === 404,
  },
  {
    name: 'text-column-refuses-nul-and-lone-surrogates',
    kind: 'variant',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'PostgreSQL text can hold neither U+0000 nor half a surrogate pair; the service checks that first and answers 400.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' && /\0|\p{Surrogate}/u.test(name)
          ? invalid('name holds a character that cannot be stored', 'unstorable_character')
          : name;
      },
    }),
    witness: async (ask) => (await add(ask, { name: 'a\0b', categoryId: 1 })).status === 400,
  },
  {
    name: 'creations-wait-for-an-advisory-lock',
    kind: 'variant',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'Each creation holds one global advisory lock for 120 ms (a slow fsync): creations are correct but come one after another, in the order of the lock.',
    patch: (parts) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        insert: async (store, one) => {
          const turn = last.then(() => pause(120));
          last = turn;
          await turn;
          return await parts.insert(store, one);
        },
      };
    },
    witness: async (ask) => {
      const begin = Date.now();
      const made = await many(4, (index) => add(ask, { name: `Slow${index}`, categoryId: 1 }));
      return made.every((response) => response.status === 201) && Date.now() - begin > 440;
    },
  },
  {
    name: 'rows-streamed-from-a-cursor',
    kind: 'variant',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Responses are streamed while the cursor is read: chunked, without Content-Length, in pieces of 64 bytes that may split a record or a character.',
    patch: () => ({
      send: async (reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers });
        const bytes = Buffer.from(reply.body);
        for (let at = 0; at < bytes.length; at += 64) {
          if (outgoing.destroyed) return;
          outgoing.write(bytes.subarray(at, at + 64));
          if (at % 512 === 0) await pause(1);
        }
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const response = await get(ask, '/pets');
      return (
        response.headers['transfer-encoding'] === 'chunked' &&
        response.headers['content-length'] === undefined &&
        pets(response).length === 8
      );
    },
  },
  {
    name: 'errors-carry-sql-state-and-trace',
    kind: 'variant',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Errors have the three fields, with SQLSTATE-like codes made of digits in a string, and more members: title, traceId, and null details.',
    patch: (parts) => ({
      errorRecord: (problem, call) => ({
        title: 'Error',
        traceId: '00-4bf92f35',
        details: null,
        ...(parts.errorRecord(problem, call) as Record<string, unknown>),
        code: problem.status === 404 ? '02000' : problem.status === 401 ? '28000' : '22023',
      }),
    }),
    witness: async (ask) => pet(await get(ask, '/pets/404404'))['code'] === '02000',
  },
  {
    name: 'numeric-column-takes-a-zero-fraction',
    kind: 'variant',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'The value is cast from NUMERIC: 1.0 and 1e0 are the integer 1 and are accepted, stored and shown as 1; 1.5 is still rejected.',
    patch: (parts) => ({
      readCategory: (value) => {
        const whole = value instanceof NumberText ? /^(-?\d+)(?:\.0+)?(?:[eE][+-]?0+)?$/.exec(value.text)?.[1] : undefined;
        const category = whole === undefined ? undefined : parseInteger(whole);
        return category !== undefined && isInt64(category) ? category : parts.readCategory(value);
      },
    }),
    witness: async (ask) => {
      const made = await post(ask, '{"name":"Exact","categoryId":1.0}');
      return made.status === 201 && digits(made.text, 'categoryId') === '1';
    },
  },
];

export const database: readonly Holdout[] = [...faults, ...laterFaults, ...variants];
