import { INT64_RANGE, isInt64, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import { type Context, invalid, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import type { Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** A counter that says so at every n-th call. */
function everyNth(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0;
  };
}

/** A cast from double to long, as Java has it: without fraction, and at most the edges. */
function castToInt64(value: number): bigint {
  const { smallest, largest } = INT64_RANGE;
  if (value >= Number(largest)) return largest;
  return value <= Number(smallest) ? smallest : BigInt(Math.trunc(value));
}

/** The value of a JSON number if it is an integer, whatever its spelling. */
function exactInteger(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (whole === '' || text.length > 400 || Math.abs(shift) > 400) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const power = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % power !== 0n) return undefined;
  const size = shift < 0 ? digits / power : digits * power;
  return sign === '-' ? -size : size;
}

/** The own members of a BigNumber of bignumber.js: what a deep copy without its prototype leaves for JSON. */
function bigNumberMembers(value: bigint): Record<string, unknown> {
  const digits = (value < 0n ? -value : value).toString();
  const first = ((digits.length - 1) % 14) + 1;
  const groups = [digits.slice(0, first), ...(digits.slice(first).match(/\d{14}/g) ?? [])];
  return { s: value < 0n ? -1 : 1, e: digits.length - 1, c: groups.map(Number) };
}

/** Keeps successful replies to lists by their target. */
function listCache(): { readonly kept: Map<string, Reply>; list(context: Context, make: () => Promise<Reply>): Promise<Reply> } {
  const kept = new Map<string, Reply>();
  return {
    kept,
    list: async ({ call }, make) => {
      const hit = kept.get(call.target);
      if (hit !== undefined) return hit;
      const made = await make();
      if (made.status === 200) kept.set(call.target, made);
      return made;
    },
  };
}

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const idIn = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? '';
const countIn = ({ text }: HttpResponse): number => (JSON.parse(text) as unknown[]).length;
const repeat = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const anyIs = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'unread-body-after-401-spoils-the-next',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'A patch against floods answers 401 as soon as the head has been read, and keeps the connection. The unread body of the POST is then parsed as the next request line: 400 and a page of the HTTP layer, to a client that did nothing wrong.',
    patch: (parts) => {
      const unread = new WeakSet<object>();
      return {
        handle: async (context) => {
          const { connection, operation, headers } = context.call;
          if (unread.delete(connection)) {
            const body = '<html><body><h1>400 Bad Request</h1></body></html>';
            return { status: 400, headers: { 'content-type': 'text/html', connection: 'close' }, body };
          }
          const reply = await parts.handle(context);
          if (reply.status === 401 && operation === 'createPet' && Number(headers['content-length'] ?? 0) > 0) unread.add(connection);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ method: 'POST', path: '/pets', noKey: true, body: JSON.stringify(plainPet) });
      return (await ask({ path: '/pets' })).status === 400;
    },
  },
  {
    name: 'list-cache-cleared-before-the-commit',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The list is cached until the next creation, which clears the cache first and commits afterwards. A list between the two puts the old state back, and nothing removes it.',
    patch: (parts) => {
      const cache = listCache();
      return {
        listPets: (context) => cache.list(context, async () => await parts.listPets(context)),
        insert: async (store, pet) => {
          cache.kept.clear();
          await pause(40);
          return await parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      const created = post(ask, { name: 'Waldo', categoryId: 1 });
      for (let round = 0; round < 8; round += 1) {
        await pause(4);
        await ask({ path: LONG_PAGE });
      }
      await created;
      return !(await ask({ path: LONG_PAGE })).text.includes('Waldo');
    },
  },
  {
    name: 'single-flight-by-path-alone',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Against a stampede on the list, group.Do(r.URL.Path, ...) of golang.org/x/sync/singleflight shares one query among all that wait. URL.Path has no query string: lists at the same time get the filter and the limit of the first.',
    patch: (parts) => {
      let flying: Promise<Reply> | undefined;
      const fly = async (context: Context): Promise<Reply> => {
        await pause(8);
        flying = undefined;
        return await parts.listPets(context);
      };
      return {
        listPets: (context) => {
          flying ??= fly(context);
          return flying;
        },
      };
    },
    witness: async (ask) => {
      const lists = await repeat(6, (index) => ask({ path: `/pets?status=${index % 2 === 0 ? 'sold' : 'pending'}` }));
      return lists.some(({ text }, index) => text.includes(index % 2 === 0 ? '"pending"' : '"sold"'));
    },
  },
  {
    name: 'xssi-prefix-unless-json-is-asked-for',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      "A pentest report asked for protection against JSON hijacking. As in Gerrit, arrays begin with the line )]}' unless Accept names application/json: clients with */* or without Accept can't parse the list.",
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const guarded = reply.status === 200 && context.call.headers.accept?.includes('application/json') !== true;
        return guarded ? { ...reply, body: `)]}'\n${textOf(reply.body)}` } : reply;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).text.startsWith(")]}'"),
  },
  {
    name: 'long-pages-with-slim-records',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'record.pet',
    summary:
      'A time-out of the back office was repaired by a lean projection for pages of more than 50 rows: id, name and status, because the table on its screen shows no more.',
    patch: (parts) => ({
      listBody: (records) =>
        parts.listBody(
          records.length <= 50
            ? records
            : records.map((record) => Object.fromEntries(Object.entries(record as object).filter(([name]) => name !== 'categoryId'))),
        ),
    }),
    seedAnimals: 60,
    witness: async (ask) => !(await ask({ path: LONG_PAGE })).text.includes('categoryId'),
  },
  {
    name: 'early-return-leaves-a-snapshot-open',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'Validation of limit moved below the begin of the transaction, and its early return skips the rollback. The next request that gets this one of three pooled connections still reads from the old snapshot (REPEATABLE READ), then closes it.',
    patch: (parts) => {
      const snapshots = new Map<number, readonly Pet[]>();
      let turn = 0;
      return {
        dispatch: async (context) => {
          turn = (turn + 1) % 3;
          const slot = turn;
          const old = snapshots.get(slot);
          snapshots.delete(slot);
          const reply = await parts.dispatch(
            old === undefined
              ? context
              : withParts(context, { arrange: () => old, find: (_store, id) => old.find((pet) => pet.id === id) }),
          );
          if (context.call.operation === 'listPets' && reply.status === 400) snapshots.set(slot, old ?? [...context.store.animals]);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=0' });
      await post(ask, { name: 'Waldo', categoryId: 1 });
      const lists = [await ask({ path: LONG_PAGE }), await ask({ path: LONG_PAGE }), await ask({ path: LONG_PAGE })];
      return lists.some(({ text }) => !text.includes('Waldo'));
    },
  },
  {
    name: 'deep-copy-takes-bignumber-apart',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'json-bigint reads integers of more than 15 digits as BigNumber. A review asked the list for defensive copies; structuredClone drops the prototype and with it toJSON: the category is {"s":1,"e":18,"c":[...]}, in lists only.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'list' && pet.categoryId.toString().length > 15
          ? { ...record, categoryId: bigNumberMembers(pet.categoryId) }
          : record;
      },
    }),
    witness: async (ask) => {
      await post(ask, '{"name":"Waldo","categoryId":9223372036854775807}');
      return (await ask({ path: LONG_PAGE })).text.includes('"c":[92233,72036854775807]');
    },
  },
  {
    name: 'exponents-of-r-cast-from-double',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'jsonlite of R writes 100000 as 1e+05, which was a 400. The shim reads a number with an exponent as (long) Double.parseDouble(text): 1e19 is accepted as the largest int64, and 15e-1 as 1.',
    patch: (parts) => ({
      readCategory: (value) =>
        value instanceof NumberText && /e/i.test(value.text) ? castToInt64(Number(value.text)) : parts.readCategory(value),
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1e19}')).text.includes('9223372036854775807'),
  },

  // Creations: sequence and concurrency.
  {
    name: 'rejected-draft-completes-the-next-body',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'To relieve the garbage collector, each connection has one form object that bodies are bound to. It is reset at the end of the handler; the new early return after validation leaves it filled, and the next body completes it.',
    patch: (parts) => {
      const drafts = new WeakMap<object, { readonly [member: string]: Json }>();
      return {
        createPet: (context) => {
          const { connection } = context.call;
          const readNewPet: typeof parts.readNewPet = (body, current) => {
            if (!isObject(body)) return parts.readNewPet(body, current);
            const draft = { ...drafts.get(connection), ...body };
            const read = parts.readNewPet(draft, current);
            if (read instanceof Problem) drafts.set(connection, draft);
            else drafts.delete(connection);
            return read;
          };
          return parts.createPet(withParts(context, { readNewPet }));
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo' });
      return (await post(ask, { categoryId: 1 })).status === 201;
    },
  },
  {
    name: 'broad-catch-hides-large-categories',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'A 500 was to become a 404, and the catch around the query was broadened to Exception. The mapper of this deprecated operation calls Convert.ToInt32(categoryId): with a category beyond int32, an animal that is listed does not exist.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && BigInt.asIntN(32, pet.categoryId) === pet.categoryId ? pet : undefined;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 5_000_000_000 });
      return created.status === 201 && (await ask({ path: `/pets/${idIn(created)}` })).status === 404;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'media-type-compared-as-text',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary:
      'A patch against cross-site forms compares Content-Type with application/json letter by letter: with a charset, or another type, the answer is 415.',
    patch: (parts) => ({
      createPet: (context) => {
        const type = context.call.headers['content-type'];
        return type === undefined || type === 'application/json'
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Content-Type must be application/json'));
      },
    }),
    witness: async (ask) => {
      const body = JSON.stringify(plainPet);
      return (
        (await ask({ method: 'POST', path: '/pets', headers: { 'Content-Type': 'application/json; charset=utf-8' }, body })).status === 415
      );
    },
  },
  {
    name: 'double-click-is-a-conflict',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The guard against double clicks answers 409 to a name that was created in the last second.',
    patch: (parts) => {
      const recent = new Map<string, number>();
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (read instanceof Problem || Date.now() - (recent.get(read.name) ?? 0) >= 1000) return read;
          return new Problem(409, 'duplicate', 'This animal has just been created');
        },
        insert: (store, pet) => {
          recent.set(pet.name, Date.now());
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, plainPet);
      return (await post(ask, plainPet)).status === 409;
    },
  },
  {
    name: 'connection-closed-every-tenth-time',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Long-lived connections stuck to old pods. As a remedy every tenth response says Connection: close, which clients have to follow.',
    patch: (parts) => {
      const isLast = everyNth(10);
      return {
        headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(isLast() ? { connection: 'close' } : {}) }),
      };
    },
    witness: async (ask) => {
      const responses: HttpResponse[] = [];
      for (let index = 0; index < 10; index += 1) responses.push(await ask({ path: '/pets/1' }));
      return responses.filter(({ headers }) => headers['connection'] === 'close').length === 1;
    },
  },
  {
    name: 'sequence-restarted-at-the-minimum',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'The sequence had run out at its maximum and was restarted at its minimum: ids count up from -9223372036854775807.',
    patch: (parts) => ({ assignId: (store, body) => INT64_RANGE.smallest + parts.assignId(store, body) }),
    witness: async (ask) => idIn(await post(ask, plainPet)).startsWith('-92233720368547'),
  },
  {
    name: 'invisible-characters-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'After Trojan Source, names with control or format characters are 400. That includes family emoji, because of their joiners.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)
          ? invalid('name has invisible characters', 'invalid_name')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'Rex\u200d', categoryId: 1 })).status === 400,
  },
  {
    name: 'list-throttled-every-fiftieth-time',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'A rate limit for the route of the list, added in an incident: every 50th list is 429 with Retry-After: 1.',
    patch: (parts) => {
      const isThrottled = everyNth(50);
      return {
        listPets: (context) =>
          isThrottled()
            ? problemReply(context, new Problem(429, 'too_many_requests', 'Try again later', { 'retry-after': '1' }))
            : parts.listPets(context),
      };
    },
    witness: async (ask) => anyIs(await repeat(50, () => ask({ path: '/pets' })), 429),
  },
  {
    name: 'list-ordered-by-hash',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'A repair of the sorting orders by a hash of the id, which is stable and has nothing to do with age: a new animal is anywhere in the list.',
    patch: (parts) => {
      const rank = ({ id }: Pet): number => Number(BigInt.asUintN(32, id * 2654435761n));
      return { arrange: (store) => parts.arrange(store).toSorted((one, other) => rank(one) - rank(other)) };
    },
    witness: async (ask) => {
      const ids = [...(await ask({ path: '/pets' })).text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
      return ids.some((id, index) => id < (ids[index - 1] ?? 0));
    },
  },
  {
    name: 'mass-assignment-of-id-is-422',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary: 'A patch against mass assignment refuses an otherwise valid body with an id: 422, where its other complaints are 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        const hasId = isObject(body) && member(body, 'id') !== undefined;
        return hasId && !(read instanceof Problem) ? new Problem(422, 'unprocessable', 'id is assigned by the service') : read;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, id: 5 })).status === 422,
  },
  {
    name: 'records-with-back-ported-members',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Members of the next version were back-ported: Pet has version and links, Error has details and traceId, and code is a text of digits.',
    patch: (parts) => {
      let trace = 0;
      return {
        petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), version: 2, links: { self: `/v1/pets/${pet.id}` } }),
        errorRecord: ({ status, message }) => {
          trace += 1;
          return { code: `${status}00`, message, status, details: null, traceId: `trace-${trace}` };
        },
      };
    },
    witness: async (ask) =>
      (await ask({ path: '/pets/1' })).text.includes('"links"') && (await ask({ path: '/pets/999999' })).text.includes('"traceId"'),
  },
  {
    name: 'padded-ids-of-a-spreadsheet-served',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary: 'A partner keeps ids in a spreadsheet as 000007. The shim reads padded and signed numbers; the record shows 7.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
        return id !== undefined && isInt64(id) ? id : parts.parseId(text);
      },
    }),
    witness: async (ask) => idIn(await ask({ path: '/pets/000007' })) === '7',
  },
  {
    name: 'filter-trims-and-folds-its-value',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'A shim for a mobile app that sends SOLD, or status= for all: the value is trimmed and folded to lower case, and if empty, nothing is filtered.',
    patch: (parts) => ({
      parseStatus: (texts) => parts.parseStatus(texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '')),
    }),
    witness: async (ask) => {
      const folded = await ask({ path: '/pets?status=SOLD' });
      return folded.text.includes('"sold"') && countIn(await ask({ path: '/pets?status=' })) === 8;
    },
  },
  {
    name: 'pages-capped-at-fifty',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'Since an incident a page has at most 50 animals, whatever limit says up to 100. The rest is on later pages, which a header names.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 50) }, call),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(call.operation === 'listPets' && reply.status === 200 ? { 'x-max-page-size': '50' } : {}),
      }),
    }),
    seedAnimals: 60,
    witness: async (ask) => countIn(await ask({ path: LONG_PAGE })) === 50,
  },
  {
    name: 'list-cached-for-a-second',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'Lists are cached by their target for a second, without invalidation. A new animal is readable at once, and listed a moment later.',
    patch: (parts) => {
      const cache = listCache();
      return {
        listPets: async (context) => {
          const { target } = context.call;
          const wasKept = cache.kept.has(target);
          const reply = await cache.list(context, async () => await parts.listPets(context));
          if (!wasKept) setTimeout(() => cache.kept.delete(target), 1000).unref();
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: LONG_PAGE });
      const created = await post(ask, plainPet);
      const [read, list] = [await ask({ path: `/pets/${idIn(created)}` }), await ask({ path: LONG_PAGE })];
      return read.status === 200 && !list.text.includes(`"id":${idIn(created)},`);
    },
  },
  {
    name: 'integers-in-any-spelling-of-json',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary: 'The shim for clients in R was done with exact arithmetic: 1.0, 1e0 and 10e-1 are the integer 1; 1.5 and 1e19 stay invalid.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = value instanceof NumberText ? exactInteger(value.text) : undefined;
        return category !== undefined && isInt64(category) ? category : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":10e-1}')).text.includes('"categoryId":1,'),
  },
  {
    name: 'categories-of-fifteen-digits-at-most',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      "Since json-bigint reads integers of more than 15 digits as bigint, typeof value === 'number' refuses them with 400: no digit is lost, and no such category exists.",
    patch: (parts) => ({
      readCategory: (value) =>
        value instanceof NumberText && value.text.length > 15
          ? invalid('categoryId must be a number', 'invalid_category')
          : parts.readCategory(value),
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":9007199254740993}')).status === 400,
  },
];

/** Services that were repaired in a hurry: hotfixes, patches, upgrades, clean-ups, caches, locks, retries and shims. */
export const hotfixes: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
