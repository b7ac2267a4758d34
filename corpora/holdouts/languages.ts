import type { Socket } from 'node:net';
import { bearerToken, readListQuery, sameKey } from '../../src/reference/core/base.ts';
import { isInt64, type Json, literal, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  invalid,
  jsonReply,
  notFound,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';

/** The rejection that a handler makes of an exception which nobody expected. */
const crashed = (what: string): Problem => new Problem(500, 'internal_error', what);

/** The base creation, and the animal that it stored, if it did. */
async function creation(parts: Parts, context: Context): Promise<{ readonly reply: Reply; readonly stored: Pet | undefined }> {
  let stored: Pet | undefined;
  const insert: Parts['insert'] = (store, pet) => {
    stored = pet;
    return parts.insert(store, pet);
  };
  const reply = await parts.createPet(withParts(context, { insert }));
  return { reply, stored };
}

/** Answers otherwise once some animals have been stored. */
const afterStoring =
  (answer: (pet: Pet, context: Context) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: async (context) => {
      const { reply, stored } = await creation(parts, context);
      const problem = stored === undefined ? undefined : answer(stored, context);
      return problem === undefined ? reply : problemReply(context, problem);
    },
  });

/** The same request with another status filter; undefined for none. */
function withFilter(context: Context, status: string | undefined): Context {
  const query = new URLSearchParams(context.call.query);
  query.delete('status');
  if (status !== undefined) query.set('status', status);
  return { ...context, call: { ...context.call, query } };
}

/** The same request with another Authorization header. */
const withCredential = (call: Call, authorization: string): Call => ({ ...call, headers: { ...call.headers, authorization } });

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string): Patch =>
  (parts) => ({
    encode: (value) => change(Buffer.from(parts.encode(value)).toString('utf8')),
  });

// What witnesses share.
const post = (ask: Ask, body: unknown) =>
  ask({ method: 'POST', path: '/pets', body: typeof body === 'string' ? body : JSON.stringify(body) });
const all = (ask: Ask) => ask({ path: '/pets?limit=100' });
const animal = { name: 'Waldo', categoryId: 1 } as const;
const idIn = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? 'none';
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { name?: unknown }).name;
const recordsIn = ({ status, text }: HttpResponse): readonly Pet[] => (status === 200 ? (JSON.parse(text) as Pet[]) : []);
const statusesIn = (response: HttpResponse) => new Set(recordsIn(response).map(({ status }) => status));

/** Adds animals one after the other. */
async function add(ask: Ask, count: number): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await post(ask, { ...animal, name: `Waldo${'abcdefghij'[index % 10]}` }));
  return responses;
}

// What single rows need.
const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const isUnsafe = ({ categoryId }: Pet): boolean => categoryId > LARGEST_SAFE || categoryId < -LARGEST_SAFE;

/** Whether the difference of the largest and the smallest category leaves int64. */
function differenceOverflows(animals: readonly Pet[]): boolean {
  const sorted = animals.map(({ categoryId }) => categoryId).sort((a, b) => (a < b ? -1 : 1));
  return !isInt64((sorted.at(-1) ?? 0n) - (sorted[0] ?? 0n));
}

/** Takes chunks of ten with Python's zip(animals, range(10)), which draws one animal more before it sees that the range is over. */
function zippedChunks(animals: readonly Pet[], limit: number): readonly Pet[] {
  const page: Pet[] = [];
  for (let drawn = 0; drawn < animals.length && page.length < limit; ) {
    const size = Math.min(10, limit - page.length);
    page.push(...animals.slice(drawn, drawn + size));
    drawn += size + 1;
  }
  return page;
}

/** A binary search by number in what was sorted as text. */
function searched(animals: readonly Pet[], id: bigint): Pet | undefined {
  const sorted = animals.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const pet = sorted[middle];
    if (pet === undefined || pet.id === id) return pet;
    if (pet.id < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** What Enum.TryParse and Enum.IsDefined of .NET make of a text: members may be combined, and are trimmed. */
function combinedStatus(text: string): Status | undefined {
  const ordinals = text.split(',').map((part) => (STATUSES as readonly string[]).indexOf(part.trim()));
  return ordinals.includes(-1) ? undefined : STATUSES[ordinals.reduce((a, b) => a | b, 0)];
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // State that outlives a request.
  {
    name: 'global-regex-remembers-a-wide-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'A JavaScript service asks WIDE.test(name) whether it needs UTF-8 or may take the fast path for Latin-1. WIDE has the flag /g and keeps lastIndex: of two names with one umlaut at the front, the second is searched from the middle and stored as U+FFFD.',
    patch: (parts) => {
      const wide = /[\u0080-\uffff]/g;
      return {
        readName: (value) => {
          const name = parts.readName(value);
          return name instanceof Problem || wide.test(name) ? name : Buffer.from(name, 'latin1').toString('utf8');
        },
      };
    },
    witness: async (ask) => {
      const first = await post(ask, { ...animal, name: 'Über' });
      const second = await post(ask, { ...animal, name: 'Über' });
      return nameIn(first) === 'Über' && nameIn(second) !== 'Über';
    },
  },
  {
    name: 'default-argument-keeps-status-error',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.status-optional',
    summary:
      'def validate(body, errors={}): Python makes the dictionary once. Each check removes or sets its field; the one of status is skipped when there is none. After a creation with a wrong status, those without a status are 400 until one has a good status.',
    patch: (parts) => {
      let kept: Problem | undefined;
      return {
        readStatus: (value) => {
          if (value === undefined) return kept;
          const status = parts.readStatus(value);
          kept = status instanceof Problem ? status : undefined;
          return status;
        },
      };
    },
    witness: async (ask) => {
      const before = await post(ask, animal);
      await post(ask, { ...animal, status: 'lost' });
      const after = await post(ask, animal);
      const healed = await post(ask, { ...animal, status: 'sold' });
      return before.status === 201 && after.status === 400 && healed.status === 201;
    },
  },
  {
    name: 'lru-cache-takes-true-for-one',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary:
      'check_category of a Python service refuses bool, and is decorated with @lru_cache. True == 1 and both have the same hash: once category 1 has been checked, true is found in the cache and never checked.',
    patch: (parts) => {
      const checked = new Set<bigint>();
      return {
        readCategory: (value) => {
          if (typeof value === 'boolean' && checked.has(value ? 1n : 0n)) return value ? 1n : 0n;
          const category = parts.readCategory(value);
          if (!(category instanceof Problem)) checked.add(category);
          return category;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, animal);
      return (await post(ask, { ...animal, categoryId: true })).status === 201;
    },
  },
  {
    name: 'memoized-filter-of-a-mutated-array',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'A selector in the manner of reselect: byStatus(animals, status) is computed again when the array is another one. Animals are pushed onto the same array, so the first result of a status is its last.',
    patch: (parts) => {
      const memo = new Map<Status, readonly Pet[]>();
      return {
        page: (animals, query, call) => {
          if (query.status === undefined) return parts.page(animals, query, call);
          const known = memo.get(query.status) ?? [...animals];
          memo.set(query.status, known);
          return parts.page(known, query, call);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      const created = await post(ask, { ...animal, status: 'sold' });
      const filtered = await ask({ path: '/pets?status=sold&limit=100' });
      return created.status === 201 && (await all(ask)).text.includes('Waldo') && !filtered.text.includes('Waldo');
    },
  },
  {
    name: 'weakhashmap-is-taken-for-an-index',
    sentence: 'The requested resource cannot be found',
    clause: 'get.durable',
    summary:
      'The index by id is a WeakHashMap<String, Pet>, chosen "to save memory". Nothing else refers to its keys: every garbage collection (here each 64th request) empties it, and getPet answers 404 for animals that the list shows.',
    patch: (parts) => {
      const collected = new Set<bigint>();
      let requests = 0;
      return {
        handle: (context) => {
          requests += 1;
          if (requests % 64 === 0) for (const { id } of context.store.animals) collected.add(id);
          return parts.handle(context);
        },
        find: (store, id) => (collected.has(id) ? undefined : parts.find(store, id)),
      };
    },
    witness: async (ask) => {
      const before = await ask({ path: '/pets/1' });
      for (let index = 0; index < 64; index += 1) await ask({ path: '/pets/999999' });
      return before.status === 200 && (await ask({ path: '/pets/1' })).status === 404 && (await all(ask)).text.includes('"id":1,');
    },
  },
  {
    name: 'thread-local-filter-after-a-rejection',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'The filter lies in a ThreadLocal that the handler removes on its last line, not in a finally. A list with a status and a limit that is refused leaves it there: the next list of this thread without a status is filtered.',
    patch: (parts) => {
      let held: string | undefined;
      return {
        listPets: async (context) => {
          const status = parts.parseStatus(context.call.query.getAll('status'));
          if (status instanceof Problem) return problemReply(context, status);
          held = status ?? held;
          const reply = await parts.listPets(withFilter(context, held));
          if (reply.status === 200) held = undefined;
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold&limit=many' });
      const [next, later] = [await all(ask), await all(ask)];
      return statusesIn(next).size === 1 && statusesIn(later).size === 3;
    },
  },

  // Two requests at once.
  {
    name: 'sublist-is-a-view-of-the-store',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'animals.subList(0, n) of Java is a view. While the page is written, another request adds an animal: the next step of the iterator throws a ConcurrentModificationException, and the list is 500.',
    patch: (parts) => ({
      listPets: async (context) => {
        const size = context.store.animals.length;
        const reply = await parts.listPets(context);
        await pause(10);
        return context.store.animals.length === size ? reply : problemReply(context, crashed('java.util.ConcurrentModificationException'));
      },
    }),
    witness: async (ask) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const [list] = await Promise.all([ask({ path: '/pets' }), pause(3).then(() => post(ask, animal)), post(ask, animal)]);
        if (list.status === 500) return true;
      }
      return false;
    },
  },
  {
    name: 'shared-simpledateformat',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'The Sunset header of getPet is written with a static SimpleDateFormat. It has one Calendar, which each format() call clears and sets: of two reads at once, one shows the first of January 1970.',
    patch: (parts) => {
      let running = 0;
      return {
        getPet: async (context) => {
          running += 1;
          const others = running > 1;
          await pause(10);
          const overlapped = others || running > 1;
          running -= 1;
          const reply = await parts.getPet(context);
          return overlapped ? { ...reply, headers: { ...reply.headers, sunset: 'Thu, 01 Jan 1970 00:00:00 GMT' } } : reply;
        },
      };
    },
    witness: async (ask) => {
      const alone = await ask({ path: '/pets/1' });
      const together = await Promise.all([1, 2, 3, 4].map((id) => ask({ path: `/pets/${id}` })));
      const isRight = ({ headers: { sunset } }: HttpResponse) => sunset?.includes('05 Dec 2030') === true;
      return isRight(alone) && !together.every(isRight);
    },
  },
  {
    name: 'deferred-query-reads-a-field',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'pets.Where(pet => pet.Status == this.filter) of LINQ runs when the response is written, and the lambda captured this of a singleton service: two lists at once are both filtered by what the later one asked for.',
    patch: (parts) => {
      let filter: Status | undefined;
      return {
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return problemReply(context, query);
          filter = query.status;
          await pause(10);
          return parts.listPets(withFilter(context, filter));
        },
      };
    },
    witness: async (ask) => {
      const alone = statusesIn(await ask({ path: '/pets?status=sold' }));
      const [sold, pending] = await Promise.all([ask({ path: '/pets?status=sold' }), ask({ path: '/pets?status=pending' })]);
      return alone.has('sold') && statusesIn(sold).has('sold') !== statusesIn(pending).has('pending');
    },
  },

  // The list: bounds, order, iterators, copies.
  {
    name: 'zip-draws-one-animal-too-many',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'A Python generator of animals is written in chunks of ten: zip(animals, range(10)). zip draws from its first argument before it sees that the second is over: between two chunks an animal is lost, the 11th, the 22nd and so on.',
    patch: () => ({ page: (animals, query) => zippedChunks(animals, query.limit) }),
    witness: async (ask) => {
      const created = await add(ask, 4);
      const { text } = await ask({ path: '/pets' });
      return created.map((response) => text.includes(`"id":${idIn(response)},`)).join() === 'true,true,false,true';
    },
  },
  {
    name: 'start-of-the-slice-turns-negative',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The newest come first: pets[len(pets) - limit:][::-1]. Where there are fewer animals than the limit the start is negative, and counts from the end: 12 of 12 animals fit the default page, and 8 are shown. With half as many as the limit or fewer it is right again.',
    patch: () => ({ page: (animals, query) => animals.slice(animals.length - query.limit).reverse() }),
    witness: async (ask) => {
      const before = recordsIn(await ask({ path: '/pets' })).length;
      await add(ask, 4);
      return before === 8 && recordsIn(await ask({ path: '/pets' })).length === 8;
    },
  },
  {
    name: 'signum-of-a-difference-of-longs',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'The list is sorted by Long.signum(a.categoryId - b.categoryId). Between a large and a small category the difference overflows; from 32 elements on, the sort of Java notices: "Comparison method violates its general contract!", and every list is 500.',
    patch: (parts) => ({
      listPets: (context) => {
        const { animals } = context.store;
        return animals.length >= 32 && differenceOverflows(animals)
          ? problemReply(context, crashed('Comparison method violates its general contract!'))
          : parts.listPets(context);
      },
    }),
    witness: async (ask) => {
      await post(ask, '{"name":"Waldo","categoryId":9223372036854775807}');
      await post(ask, '{"name":"Waldo","categoryId":-9223372036854775808}');
      const before = await all(ask);
      await add(ask, 22);
      return before.status === 200 && (await all(ask)).status === 500;
    },
  },
  {
    name: 'remainder-of-a-negative-category',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'Animals lie in eight buckets, buckets[categoryId % 8]. In JavaScript -3 % 8 is -3, which is a property of the array and no element: flat() leaves these animals out of the list, and getPet has its own map.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ categoryId }) => categoryId % 8n >= 0n) }),
    witness: async (ask) => {
      const created = await post(ask, { ...animal, categoryId: -3 });
      const found = await ask({ path: `/pets/${idIn(created)}` });
      return created.status === 201 && found.status === 200 && !(await all(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'var-of-the-loop-in-late-callbacks',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'get.agrees-with-list',
    summary:
      'Categories beyond 2^53 are texts in the database, and the list converts them in callbacks that run after the loop: for (var row of rows) later.push(() => exact(row)). var is one variable: where a page has two of them, both show the category of the last.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const page = parts.page(animals, query, call);
        const categoryId = page.findLast(isUnsafe)?.categoryId;
        return page.map((pet) => (categoryId !== undefined && isUnsafe(pet) ? { ...pet, categoryId } : pet));
      },
    }),
    witness: async (ask) => {
      await post(ask, '{"name":"Waldo","categoryId":9007199254740993}');
      const alone = await all(ask);
      await post(ask, '{"name":"Waldo","categoryId":9007199254740995}');
      return alone.text.includes('9007199254740993') && !(await all(ask)).text.includes('9007199254740993');
    },
  },
  {
    name: 'default-is-set-on-the-copy-of-range',
    sentence: 'The replacement is `GET /pets` with the `status` filter.',
    clause: 'get.agrees-with-list',
    summary:
      'for _, pet := range pets { if pet.Status == "" { pet.Status = "available" } } sets the default on a copy. getPet and createPet set it on what they return. An animal without a status is available there, has no status in the list, and the filter does not find it.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(place === 'list' ? {} : { status: pet.status ?? 'available' }),
      }),
    }),
    witness: async (ask) => {
      const created = await post(ask, animal);
      const filtered = await ask({ path: '/pets?status=available&limit=100' });
      return created.text.includes('"available"') && !filtered.text.includes('Waldo');
    },
  },
  {
    name: 'switch-falls-from-limit-to-status',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-with-limit',
    summary:
      'switch (key) { case "limit": limit = value; case "status": status = value; } has no break: the value of limit becomes the status, which is no known one and filters nothing. With the limit first it is set right by the next parameter; ?status=sold&limit=50 is not filtered.',
    patch: (parts) => ({
      listPets: (context) => {
        const last = [...context.call.query.keys()].findLast((key) => key === 'limit' || key === 'status');
        return parts.listPets(last === 'limit' ? withFilter(context, undefined) : context);
      },
    }),
    witness: async (ask) => {
      const right = await ask({ path: '/pets?limit=50&status=sold' });
      return statusesIn(right).size === 1 && statusesIn(await ask({ path: '/pets?status=sold&limit=50' })).size === 3;
    },
  },

  // One animal.
  {
    name: 'sorted-as-text-searched-as-numbers',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'ids.sort() of JavaScript compares texts: 1, 10, 11, 2. The lookup is a binary search that compares numbers. With nine animals or fewer both orders agree; from the tenth on some ids, not all, are not found.',
    patch: () => ({ find: (store, id) => searched(store.animals, id) }),
    witness: async (ask) => {
      const created = await add(ask, 4);
      const found = await Promise.all(created.map((response) => ask({ path: `/pets/${idIn(response)}` })));
      return found.some(({ status }) => status === 404) && found.some(({ status }) => status === 200);
    },
  },
  {
    name: 'finally-returns-over-the-exception',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.id-outside-int64',
    summary:
      'try { pet = find(new BigInteger(text).longValueExact()); } finally { metrics.stop(); return ok(pet); }: the return discards the ArithmeticException of an id outside int64, and the response is 200 with null.',
    patch: (parts) => ({
      getPet: (context) => {
        const id = parseInteger(context.call.petId);
        return id === undefined || isInt64(id) ? parts.getPet(context) : jsonReply(context, 200, null);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/9223372036854775808' })).text === 'null',
  },

  // Names.
  {
    name: 'rust-slice-inside-a-character',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    clause: 'create.unusual-names',
    summary:
      'A Rust service logs &pet.name[..24] of longer names. The index counts bytes: where it lies inside a character the thread panics, and the layer that catches panics answers 500. Names of ASCII letters, and most others, are fine. The animal is stored by then.',
    patch: afterStoring(({ name }) => {
      const byte = Buffer.from(name)[24];
      const isInside = byte !== undefined && byte >= 0x80 && byte < 0xc0;
      return isInside ? crashed('byte index 24 is not a char boundary') : undefined;
    }),
    witness: async (ask) => {
      const beside = await post(ask, { ...animal, name: `${'a'.repeat(22)}é${'b'.repeat(9)}` });
      return beside.status === 201 && (await post(ask, { ...animal, name: `${'a'.repeat(23)}é` })).status === 500;
    },
  },
  {
    name: 'floating-promise-cannot-encode-a-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'createPet calls notify(pet) without await; it puts encodeURIComponent(name) into an address. For half of a surrogate pair that throws a URIError, nobody handles the rejection, and Node ends the process before the response is written: the connection is closed.',
    patch: afterStoring(({ name }, { call }) => {
      if (/\p{Surrogate}/u.test(name)) (call.connection as Socket).destroy();
      return undefined;
    }),
    witness: async (ask) => {
      const whole = await post(ask, '{"name":"Waldo \\ud83d\\ude00","categoryId":1}');
      const isDropped = await post(ask, '{"name":"Waldo \\ud83d","categoryId":1}').then(
        () => false,
        () => true,
      );
      return whole.status === 201 && isDropped;
    },
  },
  {
    name: 'index-of-names-is-a-plain-object',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      '(byName[pet.name] ??= []).push(pet.id), and byName is {}: constructor, toString or valueOf are there already, as functions of the prototype. They have no push, and the creation is 500 after the animal was stored.',
    patch: afterStoring(({ name }) => (name in {} ? crashed('TypeError: (byName[pet.name] ??= []).push is not a function') : undefined)),
    witness: async (ask) => (await post(ask, { ...animal, name: 'constructor' })).status === 500,
  },

  // Categories.
  {
    name: 'boxed-longs-compared-after-the-insert',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      'After the insert a Java service reads the row back and compares stored.getCategoryId() != given.getCategoryId(). These are two Long objects, and only -128 to 127 come from the cache: any other category is answered with 400, and the animal is there.',
    patch: afterStoring(({ categoryId }) =>
      categoryId < -128n || categoryId > 127n ? invalid('The category was not stored as sent', 'invalid_category') : undefined,
    ),
    witness: async (ask) => {
      const refused = await post(ask, { ...animal, categoryId: 128 });
      return refused.status === 400 && (await all(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'lua-cjson-writes-fourteen-digits',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'A gateway script in Lua sends integers beyond 2^53 through as they are, since a double cannot hold them. What is smaller it writes with lua-cjson, whose precision is 14 digits: 900719925474099 becomes 9.0071992547410e+14.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(isUnsafe(pet) || String(pet.categoryId).replace('-', '').length <= 14
          ? {}
          : { categoryId: literal(Number(pet.categoryId).toPrecision(14)) }),
      }),
    }),
    witness: async (ask) => {
      const beyond = await post(ask, '{"name":"Waldo","categoryId":9007199254740993}');
      const below = await post(ask, '{"name":"Waldo","categoryId":900719925474099}');
      return beyond.text.includes('9007199254740993') && below.text.includes('9.0071992547410e+14');
    },
  },
  {
    name: 'number-of-an-array-is-its-element',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary:
      'Texts, booleans and null are refused by name, then Number(value) must be a safe integer other than 0. Number([]) is 0, and Number([7]) is 7, by way of the text "7": an array of one category is taken for the category.',
    patch: (parts) => ({
      readCategory: (value) => {
        const items = Array.isArray(value) ? (value as readonly Json[]) : [];
        return parts.readCategory(items.length === 1 && items[0] instanceof NumberText && items[0].text !== '0' ? items[0] : value);
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { ...animal, categoryId: [7] });
      return created.status === 201 && (await post(ask, { ...animal, categoryId: [] })).status === 400;
    },
  },
  {
    name: 'overflowerror-is-no-valueerror',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-range',
    summary:
      'try: category = int(body["categoryId"]) except (TypeError, ValueError): a Python service. json.loads makes 1e400 infinity, and int(inf) raises an OverflowError, which is an ArithmeticError: 500. Integers of any length are fine.',
    patch: (parts) => ({
      readCategory: (value) =>
        value instanceof NumberText && /[.e]/i.test(value.text) && !Number.isFinite(Number(value.text))
          ? crashed('OverflowError: cannot convert float infinity to integer')
          : parts.readCategory(value),
    }),
    witness: async (ask) => {
      const long = await post(ask, `{"name":"Waldo","categoryId":1${'0'.repeat(400)}}`);
      return long.status === 400 && (await post(ask, '{"name":"Waldo","categoryId":1e400}')).status === 500;
    },
  },

  // Status.
  {
    name: 'enum-tryparse-combines-members',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'Enum.TryParse of .NET trims, and takes lists for flags: "available, sold" is 0 | 2. Digits are refused before, and Enum.IsDefined finds the result in order: the animal is sold, with 201.',
    patch: (parts) => ({
      readStatus: (value) => (typeof value === 'string' ? combinedStatus(value) : undefined) ?? parts.readStatus(value),
    }),
    witness: async (ask) => (await post(ask, { ...animal, status: 'available, sold' })).text.includes('"status":"sold"'),
  },

  // Credentials and errors.
  {
    name: 'compare-digest-of-text-beyond-ascii',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'hmac.compare_digest(token, key) of Python takes str only of ASCII characters, else it raises a TypeError: a wrong key with one letter beyond ASCII is answered with 500.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        /[\u0080-\uffff]/.test(bearerToken(call.headers.authorization) ?? '')
          ? crashed('TypeError: comparing strings with non-ASCII characters is not supported')
          : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer cl\u00e9' } })).status === 500,
  },
  {
    name: 'trimleft-takes-a-set-of-characters',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'After strings.HasPrefix(header, "Bearer ") a Go service cuts with strings.TrimLeft(header, "Bearer "), which removes any of the characters B, e, a, r and space, as often as they come: "Bearer are" and the key, written together, is let in.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const header = call.headers.authorization ?? '';
        const isLetIn = header.startsWith('Bearer ') && sameKey(header.replace(/^[Bear ]+/, ''), apiKey.replace(/^[Bear ]+/, ''));
        return isLetIn ? undefined : parts.authenticate(call, apiKey);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer are${KEY}` } })).status === 200,
  },
  {
    name: 'javascript-split-drops-the-rest',
    sentence: 'in the form `Authorization: Bearer <API_KEY>`',
    clause: 'auth.wrong-key',
    summary:
      "Ported from Python: const [scheme, token] = header.split(' ', 2). In JavaScript the limit cuts the result and does not keep the rest in the last piece: the key, a space and anything behind it is let in.",
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const pieces = (call.headers.authorization ?? '').split(' ', 2);
        return pieces.length < 2 ? unauthorized() : parts.authenticate(withCredential(call, pieces.join(' ')), apiKey);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY} or else` } })).status === 200,
  },
  {
    name: 'spread-of-a-native-error',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary:
      'The error handler sends { ...error, code, status }. Errors of the service have a message of their own; the message of a SyntaxError, which JSON.parse throws, is not enumerable and is lost: only for bodies that are not JSON the Error has no message.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const { code, status } = problem;
        return code === 'invalid_json' ? { code, status } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => !(await post(ask, '{"name":')).text.includes('"message"'),
  },
];

// Helpers of the variants.
const MIXER = 0x9e3779b97f4a7c15n;

/** The value of a decimal text as BigDecimal reads it, if it is an integer of reasonable size. */
function integralValue(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  const digits = `${whole}${fraction}`;
  if (whole === '' || shift > 30) return undefined;
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`);
  const padded = digits.padStart(1 - shift, '0');
  return /^0*$/.test(padded.slice(shift)) ? BigInt(`${sign}${padded.slice(0, shift)}`) : undefined;
}

/** Reads digits as int() of Python does: signs, spaces around, zeros in front, and underscores between digits. */
function pythonInteger(text: string): string {
  const [, sign = '', digits = ''] = /^\s*([+-]?)(\d+(?:_\d+)*)\s*$/.exec(text) ?? [];
  if (digits === '') return text;
  const plain = digits.replaceAll('_', '').replace(/^0+(?=\d)/, '');
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'range-over-a-go-map-differs-each-time',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The list ranges over a Go map, whose iteration begins somewhere else each time: no two lists have the same order.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          turn += 1;
          const animals = parts.arrange(store);
          const start = (turn * 5) % Math.max(animals.length, 1);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets' }), await ask({ path: '/pets' })];
      return first.text !== second.text && recordsIn(first).length === recordsIn(second).length;
    },
  },
  {
    name: 'reverse-in-place-alternates',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'animals.reverse() of JavaScript turns the array of the store itself around: lists begin with the newest and with the oldest by turns, and no animal is lost.',
    patch: () => ({ arrange: (store) => store.animals.reverse() }),
    witness: async (ask) => {
      const ids = async () => recordsIn(await ask({ path: '/pets' })).map(({ id }) => id);
      const [first, second, third] = [await ids(), await ids(), await ids()];
      return first.join() !== second.join() && first.join() === third.join() && first.join() === second.reverse().join();
    },
  },
  {
    name: 'gson-escapes-for-html',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Gson writes <, >, &, = and apostrophes as \\u003c and so on unless it is told not to, here with pretty printing: the texts differ from what was sent, their values do not.',
    patch: (parts) => ({
      ...rewritten((text) =>
        text.replace(/[<>&='\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
      )({ ...parts, encode: (value) => JSON.stringify(value, null, 2) }),
    }),
    witness: async (ask) => {
      const created = await post(ask, { ...animal, name: "<b>Tom & Jerry's</b>" });
      return created.text.includes('\\u0026') && created.text.includes('\n  ') && nameIn(created) === "<b>Tom & Jerry's</b>";
    },
  },
  {
    name: 'json-dumps-within-crlf',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'json.dumps of Python has ensure_ascii on: all that is not ASCII is \\uXXXX, an emoji two of them. print adds a line end, and the template begins with an empty line.',
    patch: rewritten(
      (text) => `\r\n${text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\r\n`,
    ),
    witness: async (ask) => {
      const created = await post(ask, { ...animal, name: 'Zoë 😀' });
      return created.text.startsWith('\r\n') && created.text.includes('\\ud83d\\ude00') && nameIn(created) === 'Zoë 😀';
    },
  },
  {
    name: 'ids-are-wrapped-products',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'nextSeed of a SplittableRandom: a long of Java that wraps. Ids are large, every other one is negative, they do not grow, and they never repeat.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return BigInt.asIntN(64, store.lastId * MIXER);
      },
    }),
    witness: async (ask) => {
      const ids = (await add(ask, 4)).map((response) => BigInt(idIn(response)));
      return ids.some((id) => id < -LARGEST_SAFE) && ids.some((id) => id > LARGEST_SAFE);
    },
  },
  {
    name: 'filter-is-parsed-ignoring-case',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'Enum.TryParse(text, ignoreCase: true) reads the filter, and where it fails the variable keeps its default, null: SOLD filters, lost does not. Bodies are read by a strict converter.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts.slice(-1).map((text) => text.trim().toLowerCase()));
        return status instanceof Problem ? undefined : status;
      },
    }),
    witness: async (ask) => {
      const [upper, unknown] = [await ask({ path: '/pets?status=SOLD' }), await ask({ path: '/pets?status=lost' })];
      return statusesIn(upper).size === 1 && statusesIn(unknown).size === 3;
    },
  },
  {
    name: 'parseint-or-twenty',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Math.min(parseInt(query.limit) || 20, 100): 7up is 7, 1e2 is 1, many and 0 are 20, 1000 is 100, and what is below 0 becomes an empty page.',
    patch: () => ({
      parseLimit: (texts) => Math.max(Math.min(Number.parseInt(texts.join(), 10) || 20, 100), 0),
    }),
    witness: async (ask) => {
      const lengths = await Promise.all(
        ['7up', '1e2', 'many', '-5'].map(async (text) => recordsIn(await ask({ path: `/pets?limit=${text}` })).length),
      );
      return lengths.join() === '7,1,8,0';
    },
  },
  {
    name: 'limit-lies-in-a-byte',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'uint8(limit) of Go wraps around: 258 is 2, 256 is 0 and an empty page; what is above 100 after that becomes 100.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const [text = ''] = texts;
        const limit = texts.length === 1 ? parseInteger(text) : undefined;
        return limit === undefined ? parts.parseLimit(texts) : Math.min(Number(BigInt.asUintN(8, limit)), 100);
      },
    }),
    witness: async (ask) => {
      const lengths = await Promise.all(
        ['258', '256', '-1'].map(async (text) => recordsIn(await ask({ path: `/pets?limit=${text}` })).length),
      );
      return lengths.join() === '2,0,8';
    },
  },
  {
    name: 'python-int-reads-path-and-limit',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'int() of Python takes +1, 0001, 1_0 and spaces around for numbers, in the path and in limit. What it does not take is no animal: 404.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.map(pythonInteger)),
      parseId: (text) => {
        const id = parts.parseId(pythonInteger(text));
        return id instanceof Problem ? notFound() : id;
      },
    }),
    witness: async (ask) => {
      const padded = await ask({ path: '/pets/+0_01' });
      return padded.status === 200 && idIn(padded) === '1' && (await ask({ path: '/pets/one' })).status === 404;
    },
  },
  {
    name: 'omitempty-drops-what-was-not-given',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'Status string `json:"status,omitempty"`: an animal that was created without a status has none, is shown without the member, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const created = await post(ask, animal);
      const shown = await ask({ path: `/pets/${idIn(created)}` });
      return created.status === 201 && shown.status === 200 && !shown.text.includes('"status"');
    },
  },
  {
    name: 'class-names-in-records-and-codes',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Default typing of a Java serializer: each record begins with @class and has a version. Codes are names of exceptions, the message has the lines of a stack trace, and a cause is null.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ '@class': 'com.example.Pet', ...parts.petRecord(pet, place), version: 0, tags: [] }),
      errorRecord: ({ code, message, status }) => ({
        '@class': 'com.example.ApiError',
        status,
        message: `${message}\n\tat com.example.Pets.handle(Pets.java:${status})`,
        code: `com.example.${code.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase())}Exception`,
        cause: null,
      }),
    }),
    witness: async (ask) => {
      const missing = await ask({ path: '/pets/999999' });
      return missing.text.includes('com.example.NotFoundException') && (await ask({ path: '/pets/1' })).text.includes('"@class"');
    },
  },
  {
    name: 'categories-are-an-enumeration',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'Category.fromId(id) loops over the values of a Java enum, which are the categories that the store has had from the start, and throws where there is none: 422, with an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        const known = new Set(context.store.animals.map(({ categoryId }) => categoryId));
        let refused: Problem | undefined;
        const readCategory: Parts['readCategory'] = (value) => {
          const category = parts.readCategory(value);
          if (category instanceof Problem || known.has(category) || known.size === 0) return category;
          refused = new Problem(422, 'unknown_category', `No enum constant Category.${category}`);
          return refused;
        };
        return await parts.createPet(withParts(context, { readCategory }));
      },
    }),
    witness: async (ask) => {
      const [{ categoryId } = animal] = recordsIn(await ask({ path: '/pets' }));
      const created = await post(ask, { name: 'Waldo', categoryId: Number(categoryId) });
      return created.status === 201 && (await post(ask, { name: 'Waldo', categoryId: 987654 })).status === 422;
    },
  },
  {
    name: 'name-length-in-one-to-twenty-units',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'require(name.length in 1..20) of Kotlin counts units of UTF-16, an emoji twice: 20 letters pass, 11 emoji do not. names.add(name) of a HashSet is false for a name that is there: 409.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const isRefused = typeof name === 'string' && (name.length < 1 || name.length > 20);
        return isRefused ? invalid('Failed requirement: name.length in 1..20', 'invalid_name') : name;
      },
      createPet: (context) => {
        const names = new Set(context.store.animals.map(({ name }) => name));
        const readNewPet: Parts['readNewPet'] = (body, current) => {
          const pet = parts.readNewPet(body, current);
          const isTaken = !(pet instanceof Problem) && names.has(pet.name);
          return isTaken ? new Problem(409, 'name_taken', 'Another animal has this name') : pet;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => {
      const statuses: number[] = [];
      for (const name of ['a'.repeat(20), 'a'.repeat(21), '😀'.repeat(10), '😀'.repeat(11), '', 'Waldo', 'Waldo'])
        statuses.push((await post(ask, { ...animal, name })).status);
      return statuses.join() === '201,400,201,400,400,201,409';
    },
  },
  {
    name: 'snapshot-of-a-copy-on-write-list',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'Lists are made from an immutable copy, which is renewed when it is older than 400 milliseconds: a new animal is readable at once and listed a little later.',
    patch: (parts) => {
      let [copy, madeAt]: [readonly Pet[], number] = [[], Number.NEGATIVE_INFINITY];
      return {
        arrange: (store) => {
          if (performance.now() - madeAt > 400) [copy, madeAt] = [[...parts.arrange(store)], performance.now()];
          return copy;
        },
      };
    },
    witness: async (ask) => {
      await all(ask);
      await post(ask, animal);
      const soon = await all(ask);
      await pause(450);
      return !soon.text.includes('Waldo') && (await all(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'bigdecimal-reads-integral-spellings',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'new BigDecimal(text).longValueExact(): 1.0, 10e-1 and 0.1e1 are category 1, and shown as 1. 1.5 is refused, and so is what leaves int64.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = value instanceof NumberText ? integralValue(value.text) : undefined;
        return category === undefined || !isInt64(category) ? parts.readCategory(value) : category;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":0.10e1}');
      const refused = await post(ask, '{"name":"Waldo","categoryId":1.5}');
      return created.status === 201 && created.text.includes('"categoryId":1,') && refused.status === 400;
    },
  },
];

/** Services whose defects come from the semantics and the standard libraries of programming languages. */
export const languages: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
