import { integerLiteral, isInt64, type Json, parseInteger } from '../../src/reference/core/json.ts';
import { invalid, notFound, type Patch, Problem, type Reply } from '../../src/reference/core/parts.ts';
import type { Pet, Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post } from './witness.ts';

/** Changes the numbers that the counting scheme assigns. */
const idsAre =
  (change: (count: bigint) => bigint): Patch =>
  (parts) => ({ assignId: (store, body) => change(parts.assignId(store, body)) });

/** Rejects valid categories for which the check fails. */
const categoriesMust =
  (check: (category: bigint) => boolean, message: string): Patch =>
  (parts) => ({
    readCategory: (value) => {
      const category = parts.readCategory(value);
      return category instanceof Problem || check(category) ? category : invalid(message, 'invalid_category');
    },
  });

/** Compares for a sort. */
const compare = <T extends bigint | string>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0);
const byText = (one: Pet, other: Pet): number => compare(String(one.id), String(other.id));

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
const read = (ask: Ask, id: bigint | string): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const sameIds = (responses: readonly HttpResponse[]): boolean => repeats(responses.map(idOf));
/** A creation with that numeral as its category. */
const postCategory = (ask: Ask, numeral: string): Promise<HttpResponse> => post(ask, `{"name":"Waldo","categoryId":${numeral}}`);

const faults: readonly Omit<Holdout, 'kind'>[] = [
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
