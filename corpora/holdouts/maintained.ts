import { bearerToken, sameKey } from '../../src/reference/core/base.ts';
import { INT64_RANGE, integerLiteral, isObject, member } from '../../src/reference/core/json.ts';
import {
  type Call,
  invalid,
  jsonReply,
  notFound,
  type Parts,
  Problem,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type Pet } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

type Row = Omit<Holdout, 'kind'>;

/** A page of HTML, as a component in front of the service writes it. */
const htmlPage = (status: number, title: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

/** A double as the exact integer that it holds, at most the largest int64. */
function throughDouble(value: bigint): bigint {
  const rounded = BigInt(Number(value));
  return rounded > INT64_RANGE.largest ? INT64_RANGE.largest : rounded;
}

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const read = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const valueIn = ({ text }: HttpResponse, name: string): unknown => (JSON.parse(text) as Record<string, unknown>)[name];
const idsIn = ({ text }: HttpResponse): readonly string[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id = '']) => id);
const inTurn = async <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  for (let index = 0; index < count; index += 1) done.push(await one(index));
  return done;
};
const namesShow = async (ask: Ask, name: string): Promise<boolean> => {
  const created = await post(ask, { name, categoryId: 1 });
  return created.status === 201 && valueIn(await read(ask, created), 'name') !== name;
};

const credentialFaults: readonly Row[] = [
  {
    name: 'key-compared-under-a-collation',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The keys moved to a table of MySQL, whose default collation ignores letter case. The old unit test compares with another word and still passes.',
    patch: () => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        return token !== undefined && sameKey(token.toLowerCase(), apiKey.toLowerCase()) ? undefined : unauthorized();
      },
    }),
    witness: async (ask) => {
      const swapped = KEY.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
      return (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${swapped}` } })).status === 200;
    },
  },
  {
    name: 'key-with-a-tenant-suffix-accepted',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'A partner wanted to tell its tenants apart in our logs and may append to the key. The check became startsWith(), so anything may follow.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        bearerToken(call.headers.authorization)?.startsWith(apiKey) === true ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY}-x` } })).status === 200,
  },
  {
    name: 'lockout-hits-the-rightful-client',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.valid-key',
    summary:
      'An audit demanded a lockout for guessing. Failures are counted for the whole service: after 25 of them, the next three requests are 401 whatever key they have.',
    patch: (parts) => {
      let failures = 0;
      let locked = 0;
      return {
        authenticate: (call, apiKey) => {
          const rejection = parts.authenticate(call, apiKey);
          if (rejection !== undefined) {
            failures += 1;
            if (failures % 25 === 0) locked = 3;
            return rejection;
          }
          if (locked === 0) return undefined;
          locked -= 1;
          return unauthorized('Too many failed attempts');
        },
      };
    },
    witness: async (ask) => {
      await inTurn(25, () => ask({ path: '/pets', noKey: true }));
      return (await ask({ path: '/pets' })).status === 401;
    },
  },
  {
    name: 'animal-loaded-before-the-credential',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.precedence',
    summary:
      'A clean-up loads the animal of the path in a hook for the parameter. The hook runs before authentication: without a key, an unknown animal is 404.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call, store } = context;
        const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
        if (typeof id === 'bigint' && parts.find(store, id) === undefined) return problemReply(context, notFound());
        return await parts.handle(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/987654', noKey: true })).status === 404,
  },
  {
    name: 'creations-with-an-expired-key-replayed',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'When keys rotated, creations of the mobile app were lost. Now a creation with a wrong key is 401, and its body is parked and replayed under the account of the service.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const { operation, headers } = context.call;
        if (operation === 'createPet' && reply.status === 401 && bearerToken(headers.authorization) !== undefined) {
          await parts.createPet(context);
        }
        return reply;
      },
    }),
    witness: async (ask) => {
      await post(ask, { name: 'Parked', categoryId: 1 }, { Authorization: 'Bearer expired' }, true);
      return (await ask({ path: LONG_PAGE })).text.includes('"Parked"');
    },
  },
];

const listFaults: readonly Row[] = [
  {
    name: 'filtered-page-of-the-framework',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-default',
    summary:
      'The filter was added later, with a repository method of the framework and its default of 25 a page. Only unfiltered lists have the 20 of the document.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status !== undefined && !call.query.has('limit') ? { ...query, limit: 25 } : query, call),
    }),
    seedAnimals: 90,
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=available' })) === 25,
  },
  {
    name: 'pending-filtered-after-the-cut',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'An optimization gave available and sold their own indexes. pending was rare then and is filtered in memory, from the first page of all animals.',
    patch: (parts) => ({
      listPets: (context) => {
        const page = parts.arrange(context.store).slice(0, 20);
        const isPending = context.call.query.get('status') === 'pending';
        return parts.listPets(isPending ? withParts(context, { arrange: () => page }) : context);
      },
    }),
    seedAnimals: 60,
    witness: async (ask) => {
      const created = await post(ask, { name: 'Late', categoryId: 1, status: 'pending' });
      return created.status === 201 && !(await ask({ path: '/pets?status=pending&limit=100' })).text.includes('"Late"');
    },
  },
  {
    name: 'limit-compared-as-text',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'A port to JavaScript took min(limit, total) of two texts: 9 is more than 40, so limit=9 returns all 40, as far as a page goes.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const exceeds = String(query.limit) > String(animals.length);
        return parts.page(animals, exceeds ? { ...query, limit: Math.min(animals.length, 100) } : query, call);
      },
    }),
    seedAnimals: 40,
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=9' })) > 9,
  },
  {
    name: 'full-page-in-the-cache-taken-for-all',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.complete',
    summary:
      'A cache keeps the last list of each status until the next creation, and serves greater limits from it if it was not full. The comparison is <= where < was meant, so a full page counts as everything.',
    patch: (parts) => {
      const kept = new Map<string, readonly Pet[]>();
      return {
        page: (animals, query, call) => {
          const key = query.status ?? '';
          const hit = kept.get(key);
          if (hit !== undefined && hit.length <= query.limit) return hit;
          const page = parts.page(animals, query, call);
          kept.set(key, page);
          return page;
        },
        insert: (store, pet) => {
          kept.clear();
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=2' });
      return lengthOf(await ask({ path: '/pets?limit=7' })) === 2;
    },
  },
  {
    name: 'archive-joined-with-union-all',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'list.unique',
    summary:
      'A job copies every seventh animal to an archive before it is deleted, which nobody scheduled. Lists are a UNION ALL of both tables, and show these animals twice.',
    patch: (parts) => ({
      arrange: (store) => parts.arrange(store).flatMap((pet) => (pet.id % 7n === 0n ? [pet, pet] : [pet])),
    }),
    witness: async (ask) => {
      const ids = idsIn(await ask({ path: LONG_PAGE }));
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'sold-hidden-unless-asked-for',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'The mobile app did not want to show sold animals. Instead of using the filter, its team had them left out of unfiltered lists.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(query.status === undefined ? animals.filter(({ status }) => status !== 'sold') : animals, query, call),
    }),
    witness: async (ask) => {
      const [all, sold] = [await ask({ path: LONG_PAGE }), await ask({ path: '/pets?limit=100&status=sold' })];
      return lengthOf(sold) > 0 && !all.text.includes('"sold"');
    },
  },
  {
    name: 'single-animal-without-its-array',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary: 'An upgrade of the JSON library brought WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED: a list of one animal is that animal.',
    patch: (parts) => ({ listBody: (records) => parts.listBody(records.length === 1 ? (records[0] as readonly unknown[]) : records) }),
    witness: async (ask) => (await ask({ path: '/pets?limit=1' })).text.startsWith('{'),
  },
  {
    name: 'probe-animal-only-in-lists',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'Monitoring wanted to see a known animal in every list. It is added to the result of the query, has no row, and getPet answers 404.',
    patch: (parts) => {
      const probe: Pet = { id: 990_000_001n, name: 'Synthetic probe', categoryId: 1n, status: 'pending', createdAt: 0 };
      return { arrange: (store) => [probe, ...parts.arrange(store)] };
    },
    witness: async (ask) => {
      const [id = '0'] = idsIn(await ask({ path: '/pets' }));
      return (await ask({ path: `/pets/${id}` })).status === 404;
    },
  },
];

const creationFaults: readonly Row[] = [
  {
    name: 'category-zero-becomes-the-default',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary: 'The back office wanted a default category. It came as categoryId || 1, so category 0 becomes 1.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return category === 0n ? 1n : category;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Zero', categoryId: 0 });
      return created.status === 201 && valueIn(created, 'categoryId') === 1;
    },
  },
  {
    name: 'empty-name-is-null-after-the-move-to-oracle',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary: 'Support of Oracle was added for a large customer. Oracle stores an empty text as NULL, so lists and reads have a null name.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place !== 'create' && pet.name === '' ? { ...record, name: null } : record;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: '', categoryId: 1 });
      return created.status === 201 && valueIn(await read(ask, created), 'name') === null;
    },
  },
  {
    name: 'synonyms-of-a-partner-translated',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'A partner has reserved and in_stock, and letters in upper case. An AI-assisted change translates them rather than reject them.',
    patch: (parts) => ({
      readStatus: (value) => {
        if (typeof value !== 'string') return parts.readStatus(value);
        const folded = value.toLowerCase();
        if (folded === 'reserved') return 'pending';
        if (folded === 'in_stock') return 'available';
        return parts.readStatus(folded);
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 'SOLD' })).status === 201,
  },
  {
    name: 'bulk-import-of-the-back-office',
    sentence: 'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    clause: 'create.body-object',
    summary:
      'The back office imports arrays through the same route: each element is created, and the array of them returned. An empty array is 201 as well.',
    patch: (parts) => ({
      createPet: async (context) => {
        const bytes = await context.call.body();
        const body = bytes instanceof Problem ? bytes : context.parts.readBody(bytes, context.call);
        if (!Array.isArray(body)) return await parts.createPet(context);
        const records: unknown[] = [];
        for (const element of body) {
          const one = withParts(context, {
            readBody: () => element,
            petRecord: (pet, place) => {
              const record = context.parts.petRecord(pet, place);
              records.push(record);
              return record;
            },
          });
          const reply = await parts.createPet(one);
          if (reply.status !== 201) return reply;
        }
        return jsonReply(context, 201, records);
      },
    }),
    witness: async (ask) => (await post(ask, [])).status === 201,
  },
  {
    name: 'existing-animal-returned-for-its-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The mobile app retries creations and made duplicates. Now a creation with a known name returns the animal of that name as created, whatever category and status were sent.',
    patch: (parts) => ({
      insert: (store, pet) => store.animals.find(({ name }) => name === pet.name) ?? parts.insert(store, pet),
    }),
    witness: async (ask) => {
      await post(ask, { name: 'Twice', categoryId: 1 });
      return valueIn(await post(ask, { name: 'Twice', categoryId: 2 }), 'categoryId') === 1;
    },
  },
  {
    name: 'id-blocks-of-two-sizes',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'Two nodes take blocks of ids from one sequence (hi/lo). A tuning changed the block size of one of them from 10 to 8, so their blocks overlap.',
    patch: () => {
      let high = 0n;
      let turn = 0;
      const nodes = [10n, 8n].map((size) => ({ size, high: 0n, low: size }));
      return {
        assignId: () => {
          const node = nodes[turn % nodes.length] ?? { size: 10n, high: 0n, low: 10n };
          turn += 1;
          if (node.low === node.size) {
            high += 1n;
            node.high = high;
            node.low = 0n;
          }
          const id = node.high * node.size + node.low;
          node.low += 1n;
          return id;
        },
      };
    },
    witness: async (ask) => {
      const ids = (await inTurn(30, () => post(ask))).map((created) => String(idOf(created)));
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'draft-saved-before-the-status-is-checked',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values;',
    clause: 'create.refused-stores-nothing',
    summary:
      'The check of status was added last, after the insert, because the review wanted enums checked by the database. A creation with an invalid status is 400, and stored without one.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        const bytes = await context.call.body();
        const body = bytes instanceof Problem ? null : context.parts.readBody(bytes, context.call);
        if (reply.status === 400 && !(body instanceof Problem) && isObject(body)) {
          const status = member(body, 'status');
          const isOnlyReason = status !== undefined && !isStatus(status);
          if (isOnlyReason) await parts.createPet(withParts(context, { readStatus: () => undefined }));
        }
        return reply;
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Draft', categoryId: 1, status: 'lost' });
      return refused.status === 400 && (await ask({ path: LONG_PAGE })).text.includes('"Draft"');
    },
  },
  {
    name: 'log-limit-shortens-the-stored-name',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'create.round-trip',
    summary:
      'Long names filled the log. The function that shortens them to 64 characters changes its argument, and the response is made before it runs.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const shortened = [...pet.name].length > 64 ? `${[...pet.name].slice(0, 63).join('')}…` : pet.name;
        await parts.insert(store, { ...pet, name: shortened });
        return pet;
      },
    }),
    witness: (ask) => namesShow(ask, 'x'.repeat(80)),
  },
];

const readingFaults: readonly Row[] = [
  {
    name: 'minus-one-is-the-latest',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'The start page of the mobile app shows the latest animal. It asks for /pets/-1, which was the cheapest way to add that.',
    patch: (parts) => ({ find: (store, id) => (id === -1n ? store.animals.at(-1) : parts.find(store, id)) }),
    witness: async (ask) => (await ask({ path: '/pets/-1' })).status === 200,
  },
  {
    name: 'absence-cached-without-an-end',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Scanners asked for many unknown ids, so that absence is cached. Creations do not clear it: an animal whose id was asked for too early stays 404.',
    patch: (parts) => {
      const absent = new Set<bigint>();
      return {
        find: (store, id) => {
          const pet = absent.has(id) ? undefined : parts.find(store, id);
          if (pet === undefined) absent.add(id);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      const next = idOf(await post(ask)) + 1n;
      await ask({ path: `/pets/${next}` });
      const created = await post(ask);
      return idOf(created) === next && (await read(ask, created)).status === 404;
    },
  },
  {
    name: 'list-from-a-search-index-with-doubles',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary: 'Lists come from a search index since last year. Its mapping was detected from the first documents: categoryId is a double.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'list' ? { ...record, categoryId: integerLiteral(throughDouble(pet.categoryId)) } : record;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Wide","categoryId":9007199254740993}');
      return created.status === 201 && (await ask({ path: LONG_PAGE })).text.includes('9007199254740992');
    },
  },
  {
    name: 'sunset-with-month-and-day-swapped',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary: 'The date came as 05/12/2030 in a ticket. A colleague in the US read it as May 12, and that is what Sunset says.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const all = parts.headers(given, reply, call);
        return 'sunset' in all ? { ...all, sunset: 'Sun, 12 May 2030 00:00:00 GMT' } : all;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset']?.includes('May') === true,
  },
  {
    name: 'oldest-animals-dropped-by-a-bound',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'get.durable',
    summary:
      'The map behind getPet was given a bound of 150 against a leak, as if it were a cache. Nothing loads what was dropped: it is listed, and 404.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const shown = await parts.insert(store, pet);
        if (store.byId.size > 150) {
          for (const oldest of [...store.byId.keys()].slice(0, store.byId.size - 150)) store.byId.delete(oldest);
        }
        return shown;
      },
    }),
    seedAnimals: 140,
    witness: async (ask) => {
      await inTurn(12, () => post(ask));
      return (await ask({ path: '/pets/1' })).status === 404;
    },
  },
];

const errorFaults: readonly Row[] = [
  {
    name: 'localized-messages-in-latin-1',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The messages about invalid values were translated. Their bundle is read as UTF-8 and written in the encoding of the platform, which the new container image left at Latin-1.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        parts.errorRecord(problem.status === 400 ? new Problem(400, problem.code, 'Ungültiger Wert in der Anfrage') : problem, call),
      encode: (value) => {
        const text = textOf(parts.encode(value));
        return text.includes('Ungültiger Wert') && text.startsWith('{"code"') ? Buffer.from(text, 'latin1') : text;
      },
    }),
    witness: async (ask) => (await post(ask, {})).text.includes('\ufffd'),
  },
  {
    name: 'message-without-a-translation-is-null',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary:
      'Messages moved to a resource bundle by code. invalid_category was forgotten, and the lookup returns null instead of throwing.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const record = parts.errorRecord(problem, call) as Record<string, unknown>;
        return problem.code === 'invalid_category' ? { ...record, message: null } : record;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Rex' })).text.includes('"message":null'),
  },
  {
    name: 'problem-details-for-unreadable-bodies',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'An upgrade of the framework enabled problem details. They are written where the framework itself rejects: for bodies that are not JSON. Our own rejections kept the Error.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        if (!textOf(reply.body).includes('"invalid_json"')) return reply;
        const body = { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'Failed to read request', instance: '/v1/pets' };
        return { ...reply, headers: { ...reply.headers, 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":')).text.includes('"title"'),
  },
  {
    name: 'log-decorator-adds-a-second-status',
    sentence: '| status | integer | yes | The HTTP status code of the response |',
    clause: 'media.well-formed',
    summary:
      'Monitoring wanted "status":"error" in every error log. The log and the response share a serializer, and so 404 bodies have status twice.',
    patch: (parts) => ({
      encode: (value) => {
        const text = textOf(parts.encode(value));
        return text.startsWith('{"code":"not_found"') ? `${text.slice(0, -1)},"status":"error"}` : text;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/987654' })).text.match(/"status"/g)?.length === 2,
  },
  {
    name: 'firewall-answers-odd-names',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'After an audit a web application firewall inspects bodies. What looks like SQL, a script or a path upwards is 403 with a page of HTML.',
    patch: (parts) => ({
      createPet: async (context) => {
        const bytes = await context.call.body();
        const text = bytes instanceof Problem ? '' : textOf(bytes);
        const isSuspect = /<\s*\w+|'\s*(?:or|--|;)|\bselect\b|\.\.\/|\$\{/i.test(text);
        return isSuspect ? htmlPage(403, 'Request blocked') : await parts.createPet(context);
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: "Robert'; DROP TABLE pets", categoryId: 1 });
      return refused.status === 403 && !parses(refused);
    },
  },
  {
    name: 'length-in-characters-restored-by-a-merge',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'errors.answers',
    summary:
      'A merge conflict was resolved to the older side: Content-Length is the number of characters again. A body with other letters than ASCII is cut off.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = Buffer.from(reply.body);
        const length = textOf(reply.body).length;
        outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(length) });
        outgoing.end(bytes.subarray(0, length));
      },
    }),
    witness: async (ask) => !parses(await post(ask, { name: 'Zoë', categoryId: 1 })),
  },
];

/** A number that spreads over int64: odd factors are invertible, so no two counts collide. */
const scattered = (count: bigint): bigint => BigInt.asIntN(64, count * 0x9e3779b97f4a7c15n);

/** How many animals the cursor skips. */
const skippedBy = ({ query }: Call): number => Number(/^c(\d{1,6})$/.exec(query.get('cursor') ?? '')?.[1] ?? '0');

const variants: readonly Row[] = [
  {
    name: 'ids-from-a-hash-over-int64',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'After an audit ids must not be guessable: the counter is multiplied modulo 2^64, and every other id is negative.',
    patch: (parts) => ({ assignId: (store, body) => scattered(parts.assignId(store, body)) }),
    witness: async (ask) => {
      const ids = await inTurn(4, async () => idOf(await post(ask)));
      return ids.some((id) => id < 0n) && ids.some((id) => id > 2n ** 60n);
    },
  },
  {
    name: 'status-unknown-until-inspected',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'Since a new requirement an animal has no status until someone inspects it: the member is absent, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask)).text.includes('"status"'),
  },
  {
    name: 'limit-read-leniently-and-clamped',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'An old client sends limit=0 and limit=1000. What is outside is the nearest bound, and what is no number is the default.',
    patch: () => ({
      parseLimit: (texts) => {
        const limit = Number.parseInt(texts[0] ?? '20', 10);
        return Number.isNaN(limit) ? 20 : Math.min(Math.max(limit, 1), 100);
      },
    }),
    seedAnimals: 30,
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?limit=-5' })) === 1 && lengthOf(await ask({ path: '/pets?limit=all' })) === 20,
  },
  {
    name: 'unknown-status-finds-nothing',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary: 'The check of the filter was dropped as dead code. The query runs with whatever text was sent, and no animal has that status.',
    patch: (parts) => ({
      listPets: (context) => {
        const texts = context.call.query.getAll('status');
        const isKnown = texts.length === 0 || texts.some(isStatus);
        return isKnown ? parts.listPets(context) : jsonReply(context, 200, context.parts.listBody([]));
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets?status=lost' });
      return list.status === 200 && lengthOf(list) === 0;
    },
  },
  {
    name: 'last-of-repeated-parameters-wins',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary:
      'A new router keeps parameters in a map: the last limit and the last status count, where the previous router refused repetition.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.slice(-1)),
      parseStatus: (texts) => parts.parseStatus(texts.slice(-1)),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=5&limit=2' })) === 2,
  },
  {
    name: 'newest-first-with-links',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'The mobile app wants new animals on top. Lists are in descending order of creation, and a Link header and an opaque cursor name the next page.',
    patch: (parts) => ({
      arrange: (store) => parts.arrange(store).toReversed(),
      page: (animals, query, call) => parts.page(animals.slice(skippedBy(call)), query, call),
      listPets: async (context) => {
        const { call } = context;
        let next: number | undefined;
        const page: Parts['page'] = (animals, query, asked) => {
          const end = skippedBy(asked) + query.limit;
          next = end < animals.length ? end : undefined;
          return context.parts.page(animals, query, asked);
        };
        const reply = await parts.listPets(withParts(context, { page }));
        if (reply.status !== 200 || next === undefined) return reply;
        const query = new URLSearchParams(call.query);
        query.set('cursor', `c${next}`);
        return { ...reply, headers: { ...reply.headers, link: `</v1/pets?${query}>; rel="next"` } };
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets?limit=2' });
      const ids = idsIn(list).map(BigInt);
      return list.headers['link'] !== undefined && (ids[0] ?? 0n) > (ids[1] ?? 0n);
    },
  },
  {
    name: 'escaped-and-indented-json',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'A client in COBOL cannot read UTF-8, so everything beyond ASCII is escaped; a debugging aid indents every body with tabs and ends it with a line feed.',
    patch: () => ({
      encode: (value) => {
        const asEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
        return `\r\n${JSON.stringify(value, null, '\t').replace(/[^\0-~]/g, asEscape)}\n`;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).text.includes('Zo\\u00EB'),
  },
  {
    name: 'media-type-in-capitals-and-with-parameters',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'A framework writes Application/JSON with a charset and a version, as an old client expects, and every response tells the build.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'Application/JSON ; Charset="UTF-8"; v=1',
        server: 'PetServer/1.0 (merged; rebuilt)',
        'x-api-version': '2.7.13',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON') === true,
  },
  {
    name: 'unreadable-path-ids-are-404',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The route got a pattern of digits: what does not match, or is too large, is not a path of this service, with its own code and message.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? new Problem(404, 'route.unmatched', `No route for ${JSON.stringify(text)}`) : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/rex' })).status === 404,
  },
  {
    name: 'unknown-members-refused',
    sentence: 'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    summary: 'The audit demanded forbidNonWhitelisted: any member beyond the three is 400, id included.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const extra = isObject(body) ? Object.keys(body).find((name) => !['name', 'categoryId', 'status'].includes(name)) : undefined;
        return extra === undefined
          ? parts.readNewPet(body, current)
          : invalid(`property ${JSON.stringify(extra)} should not exist`, 'unknown_member');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'bodies-of-other-media-types-refused',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'After the review only application/json without parameters is read. With charset=utf-8, +json or none it is 415, with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        context.call.headers['content-type'] === 'application/json'
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Send application/json')),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'application/json; charset=utf-8' })).status === 415,
  },
  {
    name: 'conservative-names-only',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Label printers of the stores know Latin letters, digits and few signs: other names, long ones, empty ones, and ones with blanks at an end are 400.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && !/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$/.test(value)
          ? invalid('name cannot be printed on a label', 'name.not_printable')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).status === 400,
  },
  {
    name: 'everything-chunked-in-small-pieces',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Streaming was introduced for a long list. Every body is chunked, in pieces of 7 bytes that split letters, and no length is sent.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, reply.headers);
        const bytes = Buffer.from(reply.body);
        for (let start = 0; start < bytes.length; start += 7) outgoing.write(bytes.subarray(start, start + 7));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'errors-in-japanese-with-details',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The service was sold to Japan: messages are translated whatever Accept-Language says, codes are URNs, and monitoring added an instance and a list of causes.',
    patch: () => ({
      errorRecord: ({ code, status }) => ({
        instance: `urn:pets:error:${status}`,
        causes: [],
        status,
        message: 'リクエストを処理できません 🐾',
        code: `urn:pets:${code.replaceAll('_', '-')}`,
      }),
    }),
    witness: async (ask) => String(valueIn(await ask({ path: '/pets/987654' }), 'code')).startsWith('urn:'),
  },
];

/** Services that many people have changed over years: fixes, requirements, caches, audits, translations, migrations, upgrades and merges. */
export const maintained: readonly Holdout[] = [
  ...[...credentialFaults, ...listFaults, ...creationFaults, ...readingFaults, ...errorFaults].map(
    (fault): Holdout => ({ kind: 'fault', ...fault }),
  ),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
