// A corpus of servers backed by databases: 40 that break the document and 20 that only look as if they did.

import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken, readListQuery, sameKey } from '../../src/reference/core/base.ts';
import { integerLiteral, isInt64, isObject, NumberText, parseInteger } from '../../src/reference/core/json.ts';
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
import { addPet, isStatus, type Pet, removePet, type Status, type Store } from '../../src/reference/core/store.ts';
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

  // ------------------------------------------------------------------ identity and uniqueness
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
  // ------------------------------------------------------------------ lists
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
