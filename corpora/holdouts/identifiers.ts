import {
  INT64_RANGE,
  integerLiteral,
  isInt64,
  isObject,
  type Json,
  member,
  NumberText,
  parseInteger,
} from '../../src/reference/core/json.ts';
import { invalid, notFound, type Patch, Problem, pause, type Reply } from '../../src/reference/core/parts.ts';
import { type Pet, removePet, type Status, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post } from './witness.ts';

/** Changes the numbers that the counting scheme assigns. */
const idsAre =
  (change: (count: bigint) => bigint): Patch =>
  (parts) => ({ assignId: (store, body) => change(parts.assignId(store, body)) });

/** Rewrites a valid category before it is stored. */
const categoryStoredAs =
  (change: (category: bigint) => bigint): Patch =>
  (parts) => ({
    readCategory: (value) => {
      const category = parts.readCategory(value);
      return category instanceof Problem ? category : change(category);
    },
  });

/** Rejects valid categories for which the check fails. */
const categoriesMust =
  (check: (category: bigint) => boolean, message: string): Patch =>
  (parts) => ({
    readCategory: (value) => {
      const category = parts.readCategory(value);
      return category instanceof Problem || check(category) ? category : invalid(message, 'invalid_category');
    },
  });

/** The numeral of a number; undefined for other values. */
const numeralOf = (value: Json | undefined): string | undefined => (value instanceof NumberText ? value.text : undefined);

/** Compares for a sort. */
const compare = <T extends bigint | string>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0);

const byNumber = (one: Pet, other: Pet): number => compare(one.id, other.id);
const byText = (one: Pet, other: Pet): number => compare(String(one.id), String(other.id));

/** A binary search that relies on rows in the order of their numbers. */
function binarySearch(rows: readonly Pet[], id: bigint): Pet | undefined {
  let [low, high] = [0, rows.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row === undefined || row.id === id) return row;
    if (row.id < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** The rows that come after the one with the id of a cursor. */
const rowsAfter = (rows: readonly Pet[], cursor: string | null): readonly Pet[] => {
  const id = cursor === null ? undefined : parseInteger(cursor);
  return id === undefined ? rows : rows.filter((row) => row.id > id);
};

/** How names are compared where they must be unique. */
const folded = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** An obfuscation of ids that is its own inverse. */
const veiled = (id: bigint): bigint => id ^ 0x2f5a91n;

const TWO_TO_53 = 2n ** 53n;
const INT32_MAX = 2n ** 31n - 1n;
const isInt32 = (value: bigint): boolean => BigInt.asIntN(32, value) === value;

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const idsIn = ({ text }: HttpResponse): string[] => [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => id ?? '');
const repeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;
const idAndName = (index: number, more: object = {}): object => ({ name: `Waldo ${index}`, categoryId: 1, ...more });
/** Creates animals one after another. */
async function postMany(ask: Ask, count: number, more: object = {}): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await post(ask, idAndName(index, more)));
  return responses;
}
/** Creates animals at once. */
const postAtOnce = (ask: Ask, count: number): Promise<HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, idAndName(index))));
const read = (ask: Ask, id: bigint | string): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const sameIds = (responses: readonly HttpResponse[]): boolean => repeats(responses.map(idOf));
/** A creation with that numeral as its category. */
const postCategory = (ask: Ask, numeral: string): Promise<HttpResponse> => post(ask, `{"name":"Waldo","categoryId":${numeral}}`);

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Assignment of ids.
  {
    name: 'snowflake-sequence-wraps-within-its-second',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'A homemade snowflake has the seconds and five bits of sequence, which wrap instead of waiting for the next second. With more than 32 creations in a second ids repeat; production never had so many.',
    patch: () => {
      let [second, sequence] = [0n, 0n];
      return {
        assignId: () => {
          const now = BigInt(Math.floor(Date.now() / 1000));
          sequence = now === second ? (sequence + 1n) & 31n : 0n;
          second = now;
          return (second << 5n) | sequence;
        },
      };
    },
    // Within at most two seconds.
    witness: async (ask) => sameIds(await postAtOnce(ask, 80)),
  },
  {
    name: 'count-plus-one-read-before-the-insert',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'The next id is SELECT COUNT(*) + 1, and the INSERT follows a few milliseconds later. Creations at the same time get the same id.',
    patch: (parts) => ({
      assignId: (store) => BigInt(store.animals.length) + 1n,
      insert: async (store, pet) => {
        await pause(4);
        return await parts.insert(store, pet);
      },
    }),
    witness: async (ask) => sameIds(await postAtOnce(ask, 5)),
  },
  {
    name: 'ids-serialized-as-doubles-beyond-53-bits',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.id-assigned',
    summary:
      'The sequence of the migrated shard starts above 2^53, and the serializer goes through a double: every odd id is shown as its even neighbor, which is another animal.',
    patch: (parts) => ({
      ...idsAre((count) => TWO_TO_53 + count)(parts),
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), id: integerLiteral(BigInt(Number(pet.id))) }),
    }),
    witness: async (ask) => sameIds(await postMany(ask, 4)),
  },
  {
    name: 'sequence-set-to-the-id-of-an-import',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-not-adopted',
    summary:
      'For imports an id in the body that is beyond the sequence is taken, and the sequence set to it (setval). The import is over; the code is still in createPet. Smaller ids are ignored, which is what was tested.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const given = parseInteger((isObject(body) ? numeralOf(member(body, 'id')) : undefined) ?? '');
        if (given === undefined || given <= store.lastId || !isInt64(given)) return parts.assignId(store, body);
        store.lastId = given;
        return given;
      },
    }),
    witness: async (ask) => idOf(await post(ask, { ...plainPet, id: 777_000 })) === 777_000n,
  },
  {
    name: 'ids-unique-per-category-only',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'The table has the key (category_id, id) and numbers animals within their category. Two animals of different categories share an id.',
    patch: (parts) => {
      const counts = new Map<string, bigint>();
      return {
        assignId: (store, body) => {
          if (!isObject(body)) return parts.assignId(store, body);
          const category = numeralOf(member(body, 'categoryId')) ?? '';
          const count = (counts.get(category) ?? 0n) + 1n;
          counts.set(category, count);
          return store.lastId + count;
        },
      };
    },
    witness: async (ask) => sameIds([await postCategory(ask, '1'), await postCategory(ask, '2')]),
  },
  {
    name: 'obfuscation-with-a-multiplier-that-is-not-coprime',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'Ids are multiplied and reduced so that competitors cannot count animals: n * 1250 mod 100000. The two share a divisor, so that every 80th id is the same.',
    patch: idsAre((count) => 100_001n + ((count * 1250n) % 100_000n)),
    witness: async (ask) => sameIds(await postMany(ask, 82)),
  },
  {
    name: 'recycled-worker-repeats-its-last-ids',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'get.durable',
    summary:
      'Workers restart after 50 creations, and continue from a checkpoint that is ten ids old. REPLACE INTO writes the new animals over those of the last minutes.',
    patch: (parts) => {
      let count = 0;
      return {
        assignId: (store, body) => {
          count += 1;
          if (count % 50 === 0) store.lastId -= 10n;
          return parts.assignId(store, body);
        },
        insert: (store, pet) => {
          const replaced = store.byId.get(pet.id);
          if (replaced !== undefined) removePet(store, replaced);
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => sameIds(await postMany(ask, 60)),
  },
  {
    name: 'upsert-by-name-without-case',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.id-assigned',
    summary:
      'INSERT ... ON CONFLICT (lower(name)) DO UPDATE made the nightly import repeatable. Through the interface it answers 201 with the id of an older animal, which now has the new category and status.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const taken = store.animals.find(({ name }) => name.toLowerCase() === pet.name.toLowerCase());
        if (taken === undefined) return parts.insert(store, pet);
        const { name, categoryId, status } = pet;
        return Object.assign(taken, { name, categoryId, status });
      },
    }),
    witness: async (ask) => sameIds([await post(ask, plainPet), await post(ask, { ...plainPet, name: 'WALDO' })]),
  },
  // Reading by id.
  {
    name: 'obfuscated-ids-raw-in-the-list',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.success',
    summary:
      'createPet and getPet veil ids, and getPet unveils what it is asked for. The list has a mapper of its own that was forgotten: an id from a list is 404.',
    patch: (parts) => ({
      petRecord: (pet, place) => parts.petRecord(place === 'list' ? pet : { ...pet, id: veiled(pet.id) }, place),
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? id : veiled(id);
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: LONG_PAGE });
      return (await read(ask, idOf(list))).status === 404;
    },
  },
  {
    name: 'first-row-at-or-after-the-id',
    sentence: '`404` with an Error body when the animal does not exist',
    clause: 'get.not-found',
    summary:
      'getPet shares the query of keyset paging, WHERE id >= ? ORDER BY id LIMIT 1, and does not compare what it finds. Zero and negative ids are the first animal; ids beyond the last are 404.',
    patch: (parts) => ({
      find: (store, id) => parts.find(store, id) ?? store.animals.toSorted(byNumber).find((pet) => pet.id >= id),
    }),
    witness: async (ask) => (await read(ask, -5n)).status === 200,
  },
  {
    name: 'binary-search-over-ids-in-text-order',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The rows come from a key-value store that orders keys as text (1, 10, 11, 2), and getPet searches them by halves as numbers. Up to nine animals all are found, later many are 404.',
    patch: () => {
      let rows: readonly Pet[] = [];
      return {
        find: (store, id) => {
          if (rows.length !== store.animals.length) rows = store.animals.toSorted(byText);
          return binarySearch(rows, id);
        },
      };
    },
    witness: async (ask) => {
      const created = await postMany(ask, 20);
      const reads = await Promise.all(created.map((response) => read(ask, idOf(response))));
      return reads.some(({ status }) => status === 404);
    },
  },
  {
    name: 'row-cache-of-256-slots-without-a-tag',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'get.identity',
    summary:
      'getPet has a cache of 256 slots, chosen by the low byte of the id. Nobody compares the id of the row in the slot: once animal 5 has been read, 261 is animal 5, and so is every id that nobody has.',
    patch: (parts) => {
      const slots = new Map<bigint, Pet>();
      return {
        find: (store, id) => {
          const slot = BigInt.asUintN(8, id);
          const pet = slots.get(slot) ?? parts.find(store, id);
          if (pet !== undefined) slots.set(slot, pet);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      await read(ask, 5n);
      return idOf(await read(ask, 5n + 2n ** 40n)) === 5n;
    },
  },
  {
    name: 'every-tenth-row-missing-on-one-replica',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.repeatable',
    summary:
      'One of two replicas skipped an error of replication (slave_skip_errors), and lacks every tenth new row. Reads alternate between the two: the animal exists every other time.',
    patch: (parts) => {
      const missing = new WeakSet<Pet>();
      let [inserts, reads] = [0, 0];
      return {
        insert: async (store, pet) => {
          const inserted = await parts.insert(store, pet);
          inserts += 1;
          if (inserts % 10 === 0) missing.add(inserted);
          return inserted;
        },
        find: (store, id) => {
          const pet = parts.find(store, id);
          reads += 1;
          return pet !== undefined && reads % 2 === 0 && missing.has(pet) ? undefined : pet;
        },
      };
    },
    witness: async (ask) => {
      const last = idOf((await postMany(ask, 10)).at(-1) ?? { text: '' });
      const statuses = [(await read(ask, last)).status, (await read(ask, last)).status];
      return statuses.includes(200) && statuses.includes(404);
    },
  },
  {
    name: 'ids-beyond-an-int4-column-are-500',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'errors.no-server-error',
    summary:
      'The route reads an int64, the column is an int4. PostgreSQL says "integer out of range" for ids beyond 2^31 - 1, and nobody catches it.',
    patch: (parts) => ({
      find: (store, id) => {
        if (!isInt32(id)) throw new RangeError('integer out of range');
        return parts.find(store, id);
      },
    }),
    witness: async (ask) => (await read(ask, INT32_MAX + 1n)).status === 500,
  },
  {
    name: 'negative-ids-count-from-the-end',
    sentence: '`404` with an Error body when the animal does not exist',
    clause: 'get.not-found',
    summary: 'Animals are held in a list of Python, with id - 1 as index. pets[-1] is the last animal, so /pets/-1 is too.',
    patch: (parts) => ({ find: (store, id) => (id < 0n ? store.animals.at(Number(id)) : parts.find(store, id)) }),
    witness: async (ask) => (await read(ask, -1n)).status === 200,
  },
  // Lists and limits.
  {
    name: 'look-ahead-row-stays-in-filtered-pages',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'To know whether there is a next page, the query fetches one row more. The list without filter drops it, the list with status was written by somebody else, and does not.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, query.status === undefined ? query : { ...query, limit: query.limit + 1 }, call),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=available&limit=1' })) === 2,
  },
  {
    name: 'default-limit-of-fifty-with-a-filter',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.limit-default',
    summary: 'The filtered list goes through the search index, whose client has a default of 50. The default of 20 is in the other branch.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, call.query.has('status') && !call.query.has('limit') ? { ...query, limit: 50 } : query, call),
    }),
    witness: async (ask) => {
      await postMany(ask, 25, { status: 'sold' });
      return lengthOf(await ask({ path: '/pets?status=sold' })) > 20;
    },
  },
  {
    name: 'status-index-refreshed-every-25-writes',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'The secondary index for status is refreshed in batches of 25 writes, with no timer beside it. Up to 24 animals are in the list, and in no filtered list, until others are added.',
    patch: (parts) => {
      const waiting = new Set<Pet>();
      return {
        insert: async (store, pet) => {
          const inserted = await parts.insert(store, pet);
          waiting.add(inserted);
          if (waiting.size === 25) waiting.clear();
          return inserted;
        },
        matches: (pet, status) => !waiting.has(pet) && parts.matches(pet, status),
      };
    },
    witness: async (ask) => {
      const id = String(idOf(await post(ask, { ...plainPet, status: 'sold' })));
      return !idsIn(await ask({ path: '/pets?status=sold&limit=100' })).includes(id);
    },
  },
  {
    name: 'list-distinct-by-name',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'A join had doubled rows, and SELECT DISTINCT ON (name) repaired that. Of animals that share a name only the oldest is listed.',
    patch: (parts) => ({
      arrange: (store) => {
        const seen = new Set<string>();
        return parts.arrange(store).filter(({ name }) => !seen.has(name) && seen.add(name));
      },
    }),
    witness: async (ask) => {
      const created = [await post(ask), await post(ask)];
      const listed = idsIn(await ask({ path: LONG_PAGE }));
      return created.some((response) => !listed.includes(String(idOf(response))));
    },
  },
  {
    name: 'keyset-chunks-include-their-boundary',
    sentence: 'body is a Pets array (array of Pet)',
    clause: 'list.unique',
    summary:
      'The list is collected in chunks of ten, each from the last id of the one before with >= instead of >. Every tenth animal is listed twice; a store of ten or fewer looks right.',
    patch: (parts) => ({
      arrange: (store) => {
        const animals = parts.arrange(store);
        const chunks: Pet[] = [];
        for (let start = 0; start === 0 || start + 1 < animals.length; start += 9) chunks.push(...animals.slice(start, start + 10));
        return chunks;
      },
    }),
    witness: async (ask) => {
      await postMany(ask, 4);
      return repeats(idsIn(await ask({ path: LONG_PAGE })));
    },
  },
  {
    name: 'list-kept-in-a-ring-of-128-slots',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The list is served from a ring buffer with id mod 128 as slot. From the 129th animal on each new one removes the one 128 ids before it from all lists, filtered or not; getPet still has it.',
    patch: (parts) => ({
      arrange: (store) => {
        const ring = new Map<bigint, Pet>();
        for (const pet of parts.arrange(store)) ring.set(BigInt.asUintN(7, pet.id), pet);
        return [...ring.values()];
      },
    }),
    witness: async (ask) => {
      const first = String(idOf(await post(ask, { ...plainPet, status: 'pending' })));
      await postMany(ask, 130, { status: 'sold' });
      return !idsIn(await ask({ path: '/pets?status=pending&limit=100' })).includes(first);
    },
  },
  {
    name: 'refused-creations-decrement-the-counter',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'A counter per status bounds filtered lists. A creation that is refused is compensated with a decrement although it was never counted, so that each 400 with a valid status hides the newest animal of that status.',
    patch: (parts) => {
      const refused: Record<Status, number> = { available: 0, pending: 0, sold: 0 };
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          const status = isObject(body) ? current.readStatus(member(body, 'status')) : undefined;
          if (newPet instanceof Problem && typeof status === 'string') refused[status] += 1;
          return newPet;
        },
        page: (animals, query, call) => {
          const count = animals.length - (query.status === undefined ? 0 : refused[query.status]);
          return parts.page(animals.slice(0, Math.max(0, count)), query, call);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo', status: 'sold' });
      return lengthOf(await ask({ path: '/pets?status=sold' })) === 1;
    },
  },
  {
    name: 'list-cache-keyed-by-limit-alone',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Lists are cached until the next creation. The key is older than the filter and has only the limit: a list with status is what somebody asked for with another one.',
    patch: (parts) => {
      const kept = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.get('limit') ?? '';
          const reply = kept.get(key) ?? (await parts.listPets(context));
          if (reply.status === 200) kept.set(key, reply);
          return reply;
        },
        insert: async (store, pet) => {
          const inserted = await parts.insert(store, pet);
          kept.clear();
          return inserted;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      return !(await ask({ path: '/pets?status=pending' })).text.includes('"pending"');
    },
  },
  // Categories.
  {
    name: 'category-cast-to-int32-in-the-list',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary:
      'The projection of the list casts the category with ::int, unchecked; creation and getPet use the entity. Large categories wrap in lists.',
    patch: (parts) => ({
      petRecord: (pet, place) => parts.petRecord(place === 'list' ? { ...pet, categoryId: BigInt.asIntN(32, pet.categoryId) } : pet, place),
    }),
    witness: async (ask) => {
      await postCategory(ask, '4294967303');
      return !(await ask({ path: LONG_PAGE })).text.includes('4294967303');
    },
  },
  {
    name: 'negative-categories-stored-as-zero',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-categories',
    summary:
      'The column is BIGINT UNSIGNED, and MySQL is not in strict mode: a negative category becomes 0 with a warning that nobody reads.',
    patch: categoryStoredAs((category) => (category < 0n ? 0n : category)),
    witness: async (ask) => (await postCategory(ask, '-3')).text.includes('"categoryId":0'),
  },
  {
    name: 'edge-of-int64-compared-as-a-double',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-range',
    summary:
      'The range is checked with doubles, value <= 9.223372036854775807e18, which is 2^63. Categories just outside int64 pass, and saturate in the conversion; 1e19 is refused as it should be.',
    patch: (parts) => ({
      readCategory: (value) => {
        const { smallest, largest } = INT64_RANGE;
        const category = parseInteger(numeralOf(value) ?? '');
        if (category === undefined || isInt64(category) || Math.abs(Number(category)) > 2 ** 63) return parts.readCategory(value);
        return category < 0n ? smallest : largest;
      },
    }),
    witness: async (ask) => (await postCategory(ask, '9223372036854775808')).status === 201,
  },
  {
    name: 'long-categories-accepted-as-text',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary:
      'Browsers cannot hold more than 53 bits, so their team was allowed to send long categories as text. Texts of 16 to 19 digits are converted; "1" is refused, which is what the test has.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = typeof value === 'string' && /^-?[1-9]\d{15,18}$/.test(value) ? BigInt(value) : undefined;
        return category !== undefined && isInt64(category) ? category : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await postCategory(ask, '"9007199254740993"')).status === 201,
  },
  {
    name: 'categories-interned-by-their-double',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-categories',
    summary:
      'Categories are interned in a map whose keys are doubles. The first of two neighbors beyond 53 bits is exact, and the second becomes the first: 9007199254740993 after 9007199254740992.',
    patch: (parts) => {
      const interned = new Map<number, bigint>();
      return categoryStoredAs((category) => {
        const known = interned.get(Number(category)) ?? category;
        interned.set(Number(category), known);
        return known;
      })(parts);
    },
    witness: async (ask) => {
      await postCategory(ask, '9007199254740992');
      return !(await postCategory(ask, '9007199254740993')).text.includes('9007199254740993');
    },
  },
];

/** Whether an animal of that category exists. */
const hasCategory = (store: Store, category: bigint): boolean => store.animals.some(({ categoryId }) => categoryId === category);

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'ids-count-down-below-zero',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'Records that were not yet synchronized had negative ids on the device, and the scheme was kept: 0, -1, -2, and so on.',
    patch: idsAre((count) => 1n - count),
    witness: async (ask) => idOf(await post(ask)) < 0n && (await read(ask, 0n)).status === 200,
  },
  {
    name: 'ids-scattered-over-int64',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'A permutation of 64 bits (an odd multiplier and its overflow) veils the sequence: neighbors are far apart, and half of all ids are negative.',
    patch: idsAre((count) => BigInt.asIntN(64, count * 0x9e3779b97f4a7c15n)),
    witness: async (ask) => {
      const ids = (await postMany(ask, 6)).map(idOf);
      return ids.some((id) => id < -TWO_TO_53) && ids.some((id) => id > TWO_TO_53);
    },
  },
  {
    name: 'ids-cross-53-bits',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'A sequence that was started at 2^53 - 10 passes the end of exact doubles after the first few animals. Every digit is shown.',
    patch: idsAre((count) => TWO_TO_53 - 10n + count),
    witness: async (ask) => (await postMany(ask, 4)).some(({ text }) => text.includes('"id":9007199254740993,')),
  },
  {
    name: 'list-ordered-by-id-as-text-descending',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary: 'The order of the list is that of a reverse scan over text keys: 9, 8, 12, 11, 10, 1.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).toSorted(byText).reverse() }),
    witness: async (ask) => {
      await postMany(ask, 3);
      return idsIn(await ask({ path: LONG_PAGE })).at(-1) === '1' && idsIn(await ask({ path: LONG_PAGE }))[0] === '9';
    },
  },
  {
    name: 'map-iterated-anew-for-every-list',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'Like a map in Go, the store is iterated from another place for every list. The order differs each time, and if not all animals fit, so does the choice.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          turn += 5;
          const start = animals.length === 0 ? 0 : turn % animals.length;
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const first = idOf(await ask({ path: '/pets?limit=1' }));
      return idOf(await ask({ path: '/pets?limit=1' })) !== first;
    },
  },
  {
    name: 'keyset-paging-with-after',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'A later page is selected with after, the last id of the page before it. Headers name the parameter and the member that it takes.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(rowsAfter(animals, call.query.get('after')), query, call),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(call.operation === 'listPets' && reply.status === 200 ? { 'x-page-parameter': 'after', 'x-page-key': 'id' } : {}),
      }),
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets?limit=2&after=3' })) === 4n,
  },
  {
    name: 'categories-within-int32-only',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'Categories live in a legacy table with 32-bit keys. A larger one cannot exist, and is refused with 400.',
    patch: categoriesMust(isInt32, 'No such category'),
    witness: async (ask) =>
      (await postCategory(ask, '2147483648')).status === 400 && (await postCategory(ask, '2147483647')).status === 201,
  },
  {
    name: 'category-must-be-in-use',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'Nobody built an endpoint for categories. A category exists if an animal has it, and the others are refused with 400.',
    patch: (parts) => ({
      createPet: (context) => {
        const readCategory = (value: Json | undefined): bigint | Problem => {
          const category = parts.readCategory(value);
          if (category instanceof Problem || hasCategory(context.store, category)) return category;
          return invalid('The category does not exist', 'unknown_category');
        };
        return parts.createPet({ ...context, parts: { ...context.parts, readCategory } });
      },
    }),
    witness: async (ask) => (await postCategory(ask, '424242')).status === 400,
  },
  {
    name: 'categories-are-positive',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: '0 means "no category" inside the service, and negative numbers are reserved for departments. Both are refused with 400.',
    patch: categoriesMust((category) => category > 0n, 'categoryId must be positive'),
    witness: async (ask) => (await postCategory(ask, '0')).status === 400 && (await postCategory(ask, '-1')).status === 400,
  },
  {
    name: 'names-unique-after-folding',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A name that equals another one after NFKC, trimming and folding to lower case is taken: 422, and nothing is stored.',
    patch: (parts) => ({
      createPet: (context) => {
        const readName = (value: Json | undefined): string | Problem => {
          const name = parts.readName(value);
          if (name instanceof Problem) return name;
          const isTaken = context.store.animals.some((pet) => folded(pet.name) === folded(name));
          return isTaken ? new Problem(422, 'name_taken', 'The name is taken') : name;
        };
        return parts.createPet({ ...context, parts: { ...context.parts, readName } });
      },
    }),
    witness: async (ask) => {
      await post(ask);
      return (await post(ask, { ...plainPet, name: ' WALDO' })).status === 422;
    },
  },
  {
    name: 'no-route-for-ids-that-are-not-canonical',
    sentence: 'statuses other than those above: not shown',
    summary:
      'The route has a pattern for canonical int64. Words, padded, signed and huge numbers fit no route, and are 404 with another code.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? new Problem(404, 'no_route', notFound().message) : id;
      },
    }),
    witness: async (ask) => (await read(ask, '007')).status === 404 && (await read(ask, '9223372036854775808')).status === 404,
  },
  {
    name: 'limit-clamped-and-the-last-one-wins',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'The paging library clamps: 0 and negative numbers are 1, 1000 is 100, words are the default, and of several limits the last counts.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parseInteger(texts.at(-1) ?? '');
        if (limit === undefined) return parts.parseLimit([]);
        return limit < 1n ? 1 : limit > 100n ? 100 : Number(limit);
      },
    }),
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?limit=9&limit=-4' })) === 1 && (await ask({ path: '/pets?limit=1000' })).status === 200,
  },
];

/** Services that are wrong, or unusual, about identifiers, ordering, paging and counters. */
export const identifiers: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
