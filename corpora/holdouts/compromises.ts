import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sameKey } from '../../src/reference/core/base.ts';
import { INT64_RANGE, isInt64, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  invalid,
  jsonReply,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { type Pet, STATUSES } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

/** Several deviations as one: each wraps what those before it made. */
const combine =
  (...patches: readonly Patch[]): Patch =>
  (parts) => {
    let made = parts;
    for (const patch of patches) made = { ...made, ...patch(made) };
    return made;
  };

// Conforming choices.

/** Lists begin with the newest animal. */
const newestFirst: Patch = (parts) => ({ arrange: (store) => parts.arrange(store).toReversed() });

const byFoldedName = (one: Pet, other: Pet): number => {
  const [left, right] = [one.name.toLowerCase(), other.name.toLowerCase()];
  return left < right ? -1 : Number(left > right);
};
/** Lists are in the order of names, whatever their letter case. */
const orderedByName: Patch = (parts) => ({ arrange: (store) => parts.arrange(store).toSorted(byFoldedName) });

/** Ids are multiples of a step. */
const sparseIds =
  (step: bigint): Patch =>
  (parts) => ({ assignId: (store, body) => parts.assignId(store, body) * step });

/** Ids count down from below that number. */
const descendingIds =
  (start: bigint): Patch =>
  (parts) => ({ assignId: (store, body) => start - parts.assignId(store, body) });

/** Ids are 64 random bits, signed. */
const randomIds: Patch = () => ({
  assignId: (store) => {
    let id = randomBytes(8).readBigInt64BE();
    while (store.byId.has(id)) id = randomBytes(8).readBigInt64BE();
    return id;
  },
});

const isKnownCategory = (category: bigint): boolean => category >= 1n && category <= 999n;
/** Only categories 1 to 999 exist; others are rejected with that status. */
const knownCategories =
  (status: number): Patch =>
  (parts) => ({
    readCategory: (value) => {
      const category = parts.readCategory(value);
      if (category instanceof Problem || isKnownCategory(category)) return category;
      return new Problem(status, 'unknown_category', 'There is no such category');
    },
  });

const MEMBERS = ['name', 'categoryId', 'status'] as const;
/** Members that NewPet does not have are rejected. */
const strictMembers: Patch = (parts) => ({
  readNewPet: (body, current) => {
    const extra = isObject(body) ? Object.keys(body).find((key) => !MEMBERS.some((known) => known === key)) : undefined;
    return extra === undefined ? parts.readNewPet(body, current) : invalid('The body has an unknown member', 'unknown_member');
  },
});

/** Query parameters that the list does not have are rejected, except the named ones. */
const strictQuery =
  (...allowed: readonly string[]): Patch =>
  (parts) => ({
    listPets: (context) => {
      const known = new Set(['limit', 'status', ...allowed]);
      const extra = [...context.call.query.keys()].some((key) => !known.has(key));
      return extra ? problemReply(context, invalid('Unknown parameter', 'unknown_parameter')) : parts.listPets(context);
    },
  });

/** A name that was given to an animal before is rejected with 409. */
const uniqueNames: Patch = (parts) => {
  const taken = new Set<string>();
  return {
    readNewPet: (body, current) => {
      const read = parts.readNewPet(body, current);
      const isTaken = !(read instanceof Problem) && taken.has(read.name);
      return isTaken ? new Problem(409, 'name_taken', 'There is an animal of that name') : read;
    },
    insert: (store, pet) => {
      taken.add(pet.name);
      return parts.insert(store, pet);
    },
  };
};

/** Names have 1 to that many characters. */
const nameLimit =
  (most: number): Patch =>
  (parts) => ({
    readName: (value) => {
      const name = parts.readName(value);
      if (name instanceof Problem) return name;
      const size = [...name].length;
      return size >= 1 && size <= most ? name : invalid(`name must have 1 to ${most} characters`, 'invalid_name');
    },
  });

const DELAY = 500;
const isOlderThan = ({ createdAt }: Pet, age: number): boolean => createdAt <= Date.now() - age;
/** Animals appear in lists and reads half a second after their creation. */
const shownLate: Patch = (parts) => ({
  arrange: (store) => parts.arrange(store).filter((pet) => isOlderThan(pet, DELAY)),
  find: (store, id) => {
    const pet = parts.find(store, id);
    return pet !== undefined && isOlderThan(pet, DELAY) ? pet : undefined;
  },
});

const sortMembers = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
/** Members of records and errors are written in the order of their names. */
const canonicalWriter: Patch = (parts) => ({
  encode: (value) => parts.encode(Array.isArray(value) ? value.map(sortMembers) : sortMembers(value)),
});

const acceptsGzip = ({ headers }: Call): boolean => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(headers['accept-encoding'] ?? '');
/** Responses are compressed for clients that accept it. */
const compressed: Patch = (parts) => ({
  send: (reply, outgoing, call) =>
    parts.send(
      acceptsGzip(call)
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
            body: gzipSync(reply.body),
          }
        : reply,
      outgoing,
      call,
    ),
});

/** Every response has these headers, too. */
const withHeaders =
  (more: Readonly<Record<string, string>>): Patch =>
  (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...more }) });
const closing = withHeaders({ connection: 'close' });

/** A connection ends with its n-th response. */
const closedAfter =
  (most: number): Patch =>
  (parts) => {
    const counts = new WeakMap<object, number>();
    return {
      headers: (given, reply, call) => {
        const count = (counts.get(call.connection) ?? 0) + 1;
        counts.set(call.connection, count);
        return { ...parts.headers(given, reply, call), ...(count >= most ? { connection: 'close' } : {}) };
      },
    };
  };

/** Bodies are sent in chunks that a function cuts. */
const chunked =
  (cut: (body: string | Uint8Array) => readonly Uint8Array[]): Patch =>
  () => ({
    send: (reply, outgoing) => {
      outgoing.writeHead(reply.status, { ...reply.headers, 'transfer-encoding': 'chunked' });
      for (const piece of cut(reply.body)) outgoing.write(piece);
      outgoing.end();
    },
  });
/** Chunks of 50 bytes. */
const cutBytes = (body: string | Uint8Array): readonly Uint8Array[] => {
  const bytes = Buffer.from(body);
  return Array.from({ length: Math.ceil(bytes.length / 50) }, (_, index) => bytes.subarray(index * 50, index * 50 + 50));
};
/** Chunks of 16 UTF-16 units, each encoded by itself. */
const cutText = (body: string | Uint8Array): readonly Uint8Array[] => {
  const text = textOf(body);
  return Array.from({ length: Math.ceil(text.length / 16) }, (_, index) => Buffer.from(text.slice(index * 16, index * 16 + 16)));
};

/** Records and errors have more members. */
const moreMembers: Patch = (parts) => ({
  petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), species: null, tags: [], self: `/v1/pets/${pet.id}` }),
  errorRecord: (problem, call) => ({ ...Object(parts.errorRecord(problem, call)), path: call.target.slice(0, 40).replace(/\?.*$/, '') }),
});

/** An animal that is created without a status has none. */
const noDefaultStatus: Patch = () => ({ defaultStatus: () => undefined });
/** Ids that are no integers, or outside int64, are simply not found. */
const oddIdsNotFound: Patch = (parts) => ({
  parseId: (text) => {
    const id = parts.parseId(text);
    return id instanceof Problem ? notFound() : id;
  },
});

/** A limit outside the bounds is the nearest bound; anything else is the default. */
const clampedLimit: Patch = () => ({
  parseLimit: ([text]) => (text !== undefined && /^-?\d{1,9}$/.test(text) ? Math.min(Math.max(Number(text), 1), 100) : 20),
});

/** Answers HEAD and OPTIONS, and 405 to other methods, at the paths of operations. */
const moreMethods: Patch = (parts) => ({
  dispatch: (context) => {
    const { call } = context;
    const [, rest] = /\/v1(\/pets(?:\/[^/?]+)?)(?:\?|$)/.exec(call.target) ?? [];
    if (call.operation !== 'unknown' || rest === undefined) return parts.dispatch(context);
    const allow = rest === '/pets' ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD, OPTIONS';
    if (call.method === 'OPTIONS') return jsonReply(context, 200, { methods: allow.split(', ') }, { allow });
    if (call.method !== 'HEAD') return problemReply(context, new Problem(405, 'method_not_allowed', 'Not here', { allow }));
    if (rest === '/pets') return parts.listPets(context);
    return parts.getPet({ ...context, call: { ...call, operation: 'getPet', petId: rest.slice('/pets/'.length) } });
  },
});

/** The table lookup of JavaScript: what a value is as the key of an object. */
const keyOf = (value: Json | undefined): string => {
  if (value instanceof NumberText) return String(Number(value.text));
  return Array.isArray(value) ? value.map(keyOf).join(',') : String(value);
};

// What witnesses share.
const ALL = '/pets?limit=100';
const statusIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly status?: unknown }).status;
const petsIn = ({ text }: HttpResponse): readonly Record<string, unknown>[] => JSON.parse(text) as Record<string, unknown>[];
const idsIn = ({ text }: HttpResponse): readonly bigint[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id = '']) => BigInt(id));
const hasName = async (ask: Ask, name: string): Promise<boolean> => (await ask({ path: ALL })).text.includes(`"${name}"`);
const gzip = { 'Accept-Encoding': 'gzip' };
const refusesWith = async (ask: Ask, status: number, pet: unknown): Promise<boolean> => (await post(ask, pet)).status === status;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Credentials.
  {
    name: 'key-checked-once-in-a-short-connection',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.every-request',
    summary:
      'Connections live for 25 responses only, so the team verifies the key once per connection and keeps the principal with it. Later requests of the connection need no key.',
    patch: combine(closedAfter(25), (parts) => {
      const known = new WeakSet<object>();
      return {
        authenticate: (call, apiKey) => {
          if (known.has(call.connection)) return undefined;
          const rejection = parts.authenticate(call, apiKey);
          if (rejection === undefined) known.add(call.connection);
          return rejection;
        },
      };
    }),
    witness: async (ask) => {
      for (let turn = 0; turn < 10; turn += 1) {
        await ask({ path: '/pets' });
        await pause(2);
        if ((await ask({ path: '/pets', noKey: true })).status === 200) return true;
      }
      return false;
    },
  },
  {
    name: 'access-token-on-the-allow-list-of-parameters',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary:
      'Unknown query parameters are 400. The allow-list of the validator was copied from a gateway and has access_token, which the bearer library then reads.',
    patch: combine(strictQuery('access_token'), moreMembers, (parts) => ({
      authenticate: (call, apiKey) => {
        const token = call.query.get('access_token');
        return token !== null && sameKey(token, apiKey) ? undefined : parts.authenticate(call, apiKey);
      },
    })),
    witness: async (ask) => (await ask({ path: `/pets?access_token=${encodeURIComponent(KEY)}`, noKey: true })).status === 200,
  },
  {
    name: 'route-binding-before-the-guard',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'Ids are sparse, and whatever is not an id is 404, because the router binds the path to a record. It does so before the guard runs: without a key, an id that does not exist is 404.',
    patch: combine(sparseIds(10n), oddIdsNotFound, (parts) => ({
      handle: (context) => {
        const { call, store } = context;
        if (call.operation !== 'getPet') return parts.handle(context);
        const id = context.parts.parseId(call.petId);
        const isBound = !(id instanceof Problem) && context.parts.find(store, id) !== undefined;
        return isBound ? parts.handle(context) : problemReply(context, notFound());
      },
    })),
    witness: async (ask) => (await ask({ path: '/pets/987654321', noKey: true })).status === 404,
  },
  {
    name: 'write-behind-before-the-guard',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'Creations go through a queue and show half a second later. The middleware that enqueues them stands before the guard: the 401 is sent, and the animal comes all the same.',
    patch: combine(shownLate, newestFirst, (parts) => ({
      handle: async (context) => {
        const { call, apiKey } = context;
        const rejection = context.parts.authenticate(call, apiKey);
        if (rejection === undefined || call.operation !== 'createPet') return await parts.handle(context);
        await context.parts.createPet(context);
        return problemReply(context, rejection);
      },
    })),
    witness: async (ask) => {
      await post(ask, { name: 'Ghostly', categoryId: 1 }, {}, true);
      await pause(DELAY + 200);
      return await hasName(ask, 'Ghostly');
    },
  },

  // Reads.
  {
    name: 'descending-ids-compared-as-doubles',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'get.identity',
    summary:
      'Ids descend from 2^54, so that the newest come first in the index. Lists write them exactly, but a read compares doubles, and neighbors are equal.',
    patch: combine(descendingIds(2n ** 54n), newestFirst, () => ({
      find: (store, id) => store.animals.find((pet) => Number(pet.id) === Number(id)),
    })),
    witness: async (ask) => {
      const ids = idsIn(await ask({ path: ALL }));
      const read = await Promise.all(ids.map(async (id) => idOf(await ask({ path: `/pets/${id}` })) !== id));
      return read.some((differs) => differs);
    },
  },
  {
    name: 'shard-digits-of-an-id-ignored',
    sentence: '| 404 | The requested resource cannot be found | getPet |',
    clause: 'get.not-found',
    summary:
      'Ids are multiples of 1000, because the last three digits are reserved for shards to come. The read drops these digits: 5001 and 5999 find animal 5000.',
    patch: combine(sparseIds(1000n), closing, (parts) => ({ find: (store, id) => parts.find(store, (id / 1000n) * 1000n) })),
    witness: async (ask) => (await ask({ path: `/pets/${idOf(await post(ask)) + 1n}` })).status === 200,
  },
  {
    name: 'random-ids-with-a-sign-have-no-route',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.success',
    summary:
      'Ids are 64 random bits, and half of them are negative. The pattern of the route is still \\d+: an animal with a sign is listed and cannot be read.',
    patch: combine(randomIds, oddIdsNotFound, (parts) => ({
      parseId: (text) => (text.startsWith('-') ? notFound('There is no such route') : parts.parseId(text)),
    })),
    seedAnimals: 30,
    witness: async (ask) => {
      const ids = idsIn(await ask({ path: ALL }));
      const read = await Promise.all(ids.map((id) => ask({ path: `/pets/${id}` })));
      return read.some(({ status }) => status === 404);
    },
  },
  {
    name: 'misses-remembered-of-late-animals',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Reads come from a replica half a second behind, and a cache in front of it also keeps misses, without a lifetime. Who reads a new animal too early never sees it.',
    patch: combine(shownLate, oddIdsNotFound, (parts) => {
      const missing = new Set<bigint>();
      return {
        find: (store, id) => {
          const pet = missing.has(id) ? undefined : parts.find(store, id);
          if (pet === undefined) missing.add(id);
          return pet;
        },
      };
    }),
    witness: async (ask) => {
      const path = `/pets/${idOf(await post(ask))}`;
      await ask({ path });
      await pause(DELAY + 200);
      return (await ask({ path })).status === 404;
    },
  },
  {
    name: 'deprecated-read-knows-old-ids-only',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.still-works',
    summary:
      'New animals get ids from 1000000 in the new store, and lists read both stores, newest first. The deprecated read was left with the old one: 404 for everything new.',
    patch: combine(newestFirst, (parts) => ({
      assignId: (store, body) => parts.assignId(store, body) + (body === null ? 0n : 1_000_000n),
      find: (store, id) => (id < 1_000_000n ? parts.find(store, id) : undefined),
    })),
    witness: async (ask) => (await ask({ path: `/pets/${idOf(await post(ask))}` })).status === 404,
  },
  {
    name: 'removal-date-read-month-first',
    sentence: '`GET /pets/{petId}` is deprecated, with removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'Records and headers announce the removal. The date is configured as 05/12/2030 and read month first: the Sunset header says 12 May 2030.',
    patch: combine(moreMembers, (parts) => ({
      headers: (given, reply, call) => {
        const made = parts.headers(given, reply, call);
        if (call.operation !== 'getPet') return made;
        return { ...made, sunset: new Date(Date.UTC(2030, 4, 12)).toUTCString(), link: '</v1/pets>; rel="successor-version"' };
      },
    })),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset']?.includes('12 May 2030') === true,
  },

  // Lists.
  {
    name: 'filter-within-the-newest-hundred',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'Lists begin with the newest, and the newest hundred are kept in memory. The filter runs over these hundred: older animals of a status are in no filtered list.',
    patch: combine(newestFirst, closedAfter(40), (parts) => ({
      listPets: (context) => {
        if (!context.call.query.has('status')) return parts.listPets(context);
        return parts.listPets(withParts(context, { arrange: (store) => parts.arrange(store).slice(0, 100) }));
      },
    })),
    seedAnimals: 150,
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=pending&limit=100' })) < 35,
  },
  {
    name: 'sorted-map-folds-names-that-differ-in-case',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'A name that is taken is 409, letter by letter, and lists are in the order of names. They come from a sorted map without letter case: of Waldo and waldo only the later one is listed.',
    patch: combine(uniqueNames, (parts) => ({
      arrange: (store) => {
        const sorted = new Map(parts.arrange(store).map((pet) => [pet.name.toLowerCase(), pet]));
        return [...sorted.values()].toSorted(byFoldedName);
      },
    })),
    witness: async (ask) => {
      await post(ask, { name: 'Quincy', categoryId: 1 });
      await post(ask, { name: 'quincy', categoryId: 1 });
      return !(await hasName(ask, 'Quincy'));
    },
  },
  {
    name: 'limit-clamped-as-a-text',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'A limit beyond the bounds is clamped. The comparison happens before the conversion, between texts: 2, 20 and 99 are greater than 100, and return up to 100 animals.',
    patch: combine(orderedByName, () => ({
      parseLimit: ([text]) => {
        if (text === undefined) return 20;
        if (!/^\d{1,9}$/.test(text)) return invalid('limit must be an integer', 'invalid_limit');
        if (text > '100') return 100;
        return text < '1' ? 1 : Number(text);
      },
    })),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=2' })) > 2,
  },
  {
    name: 'look-ahead-row-left-in-filtered-pages',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'A header tells whether there are more animals, so the query fetches one row more than the limit. The branch with the filter forgets to drop this row.',
    patch: combine(newestFirst, (parts) => {
      const hasMore = new WeakMap<URLSearchParams, boolean>();
      return {
        page: (animals, query, call) => {
          hasMore.set(call.query, animals.length > query.limit);
          return animals.slice(0, query.limit + (query.status === undefined ? 0 : 1));
        },
        headers: (given, reply, call) => {
          const more = hasMore.get(call.query);
          return { ...parts.headers(given, reply, call), ...(more === undefined ? {} : { 'x-has-more': String(more) }) };
        },
      };
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=1&status=available' })) === 2,
  },
  {
    name: 'default-limit-for-each-group',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.limit-default',
    summary:
      'Lists are grouped by status, one query for each. A limit is divided among them, but the default of 20 is a constant of the query: a list without limit has up to 60 animals.',
    patch: combine(canonicalWriter, (parts) => {
      const groups = (animals: readonly Pet[]): readonly (readonly Pet[])[] =>
        STATUSES.map((status) => animals.filter((pet) => pet.status === status));
      return {
        arrange: (store) => groups(parts.arrange(store)).flat(),
        page: (animals, query, call) =>
          call.query.has('limit') ? parts.page(animals, query, call) : groups(animals).flatMap((group) => group.slice(0, 20)),
      };
    }),
    seedAnimals: 90,
    witness: async (ask) => lengthOf(await ask({ path: '/pets' })) > 20,
  },
  {
    name: 'unset-status-filtered-as-available',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      "An animal that is created without a status has none, and its record shows none. The query filters by COALESCE(status, 'available') and lists it among the available ones.",
    patch: combine(noDefaultStatus, newestFirst, () => ({ matches: (pet, status) => (pet.status ?? 'available') === status })),
    witness: async (ask) => petsIn(await ask({ path: '/pets?status=available&limit=100' })).some(({ status }) => status === undefined),
  },
  {
    name: 'recent-and-indexed-animals-overlap',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.unique',
    summary:
      'The index of lists is half a second behind, so the animals of the last two seconds are put before it, newest first. Between the two ages an animal is listed twice.',
    patch: combine(sparseIds(3n), (parts) => ({
      arrange: (store) => {
        const animals = parts.arrange(store);
        const recent = animals.filter((pet) => !isOlderThan(pet, 2000)).toReversed();
        return [...recent, ...animals.filter((pet) => isOlderThan(pet, DELAY))];
      },
    })),
    witness: async (ask) => {
      const created = idOf(await post(ask));
      await pause(DELAY + 200);
      return idsIn(await ask({ path: ALL })).filter((id) => id === created).length === 2;
    },
  },

  // Creations.
  {
    name: 'category-refused-after-the-insert',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      'A category must exist: the foreign key is deferred, and its violation becomes a 422 with details. The store is not transactional, and keeps the animal that was rejected.',
    patch: combine(moreMembers, sparseIds(5n), (parts) => ({
      createPet: async (context) => {
        let category = 1n;
        const insert: typeof parts.insert = (store, pet) => {
          category = pet.categoryId;
          return parts.insert(store, pet);
        };
        const reply = await parts.createPet(withParts(context, { insert }));
        if (isKnownCategory(category)) return reply;
        return problemReply(context, new Problem(422, 'unknown_category', 'There is no such category'));
      },
    })),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Orphaned', categoryId: 123456 });
      return refused.status === 422 && (await hasName(ask, 'Orphaned'));
    },
  },
  {
    name: 'canonical-writer-normalizes-names',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'Bodies are canonical JSON for signatures, members in order, and names have at most 80 characters. The home-made writer also brings texts to NFC: a decomposed name comes back as another.',
    patch: combine(nameLimit(80), canonicalWriter, (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), name: pet.name.normalize('NFC') }),
    })),
    witness: async (ask) => {
      const { text } = await post(ask, { name: 'Ame\u0301lie', categoryId: 1 });
      return text.includes('Am\u00e9lie');
    },
  },
  {
    name: 'strict-members-matched-without-case',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'Unknown members are rejected, by a binder that matches members as its language does, without letter case: a body with Name and CategoryID instead is 201.',
    patch: combine(strictMembers, orderedByName, (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body)) return parts.readNewPet(body, current);
        const bound = (key: string): string => MEMBERS.find((known) => known.toLowerCase() === key.toLowerCase()) ?? key;
        return parts.readNewPet(Object.fromEntries(Object.entries(body).map(([key, value]) => [bound(key), value])), current);
      },
    })),
    witness: (ask) => refusesWith(ask, 201, { Name: 'Waldo', categoryId: 1 }),
  },
  {
    name: 'available-is-zero-and-takes-the-default',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-values',
    summary:
      'New animals are pending until they have been looked at. The status is an enum that begins with 0, and `status || PENDING` also replaces the available that a client sent.',
    patch: combine(uniqueNames, (parts) => ({
      defaultStatus: () => 'pending',
      readStatus: (value) => {
        const status = parts.readStatus(value);
        return status === 'available' ? undefined : status;
      },
    })),
    witness: async (ask) => statusIn(await post(ask, { ...plainPet, status: 'available' })) === 'pending',
  },
  {
    name: 'ids-from-a-clock-of-64-hertz',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'Ids are times, hence sparse and in the order of lists. The clock of the machine ticks 64 times a second, and creations within a tick share their id.',
    patch: combine(newestFirst, (parts) => ({
      assignId: (store, body) => (body === null ? parts.assignId(store, body) : BigInt(Math.floor(Date.now() / 16) * 16)),
    })),
    witness: async (ask) => {
      const ids = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => idOf(await post(ask, { name: `Tick ${index}`, categoryId: 1 }))),
      );
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'canonical-numbers-are-doubles',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'Bodies are canonical JSON of RFC 8785, whose numbers are doubles. A category beyond 2^53 is stored exactly, and shown as its neighbor.',
    patch: combine(canonicalWriter, compressed, (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), categoryId: Number(pet.categoryId) }),
    })),
    witness: async (ask) => {
      const { status, text } = await post(ask, '{"name":"Waldo","categoryId":9007199254740993}');
      return status === 201 && !text.includes('9007199254740993');
    },
  },
  {
    name: 'category-found-in-the-table-by-any-key',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary:
      'Only the categories of a table exist, and the table is an object of JavaScript: the lookup is the whole check, and finds "1" and [1] as it finds 1.',
    patch: combine(nameLimit(100), () => ({
      readCategory: (value) => {
        const key = keyOf(value);
        const category = /^[1-9]\d{0,2}$/.test(key) ? BigInt(key) : undefined;
        return category ?? invalid('There is no such category', 'unknown_category');
      },
    })),
    witness: (ask) => refusesWith(ask, 201, { name: 'Waldo', categoryId: '1' }),
  },

  // Errors and media types.
  {
    name: 'problem-details-with-their-own-media-type',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'Errors have the members of RFC 9457 besides the three of the document, and unknown members are rejected. The library also sends its media type, application/problem+json, for what it validates.',
    patch: combine(strictMembers, (parts) => ({
      errorRecord: (problem, call) => ({
        ...{ type: 'about:blank', title: problem.code, detail: problem.message },
        ...Object(parts.errorRecord(problem, call)),
      }),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status === 400 ? { 'content-type': 'application/problem+json' } : {}),
      }),
    })),
    witness: async (ask) => (await post(ask, {})).headers['content-type'] === 'application/problem+json',
  },
  {
    name: 'remapped-status-missing-in-the-body',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'A category that does not exist and a name that is too long are 422, by a filter that maps the status of the response. The body was made before, and says 400.',
    patch: combine(nameLimit(60), knownCategories(400), closing, (parts) => ({
      errorStatus: (problem, call) =>
        ['unknown_category', 'invalid_name'].includes(problem.code) ? 422 : parts.errorStatus(problem, call),
    })),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Waldo', categoryId: 123456 });
      return refused.status === 422 && statusIn(refused) === 400;
    },
  },
  {
    name: 'cache-of-compressed-lists-loses-the-coding',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'Lists are compressed for those who accept it, and kept compressed for half a second. The cache keeps body and media type only: the same list again is gzip without Content-Encoding.',
    patch: combine(newestFirst, (parts) => {
      const kept = new Map<string, Uint8Array>();
      return {
        listPets: async (context): Promise<Reply> => {
          const { call } = context;
          const body = kept.get(call.target);
          if (!acceptsGzip(call)) return await parts.listPets(context);
          if (body !== undefined) return { status: 200, headers: { 'content-type': 'application/json' }, body };
          const made = await parts.listPets(context);
          if (made.status !== 200) return made;
          const packed = gzipSync(made.body);
          kept.set(call.target, packed);
          setTimeout(() => kept.delete(call.target), DELAY).unref();
          return { ...made, headers: { ...made.headers, 'content-encoding': 'gzip' }, body: packed };
        },
      };
    }),
    witness: async (ask) => {
      await ask({ path: ALL, headers: gzip });
      const again = await ask({ path: ALL, headers: gzip });
      return again.headers['content-encoding'] === undefined && !parses(again);
    },
  },
  {
    name: 'chunks-cut-through-surrogate-pairs',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.round-trip',
    summary:
      'Bodies are streamed in chunks of 16 characters, in the order of names, and each chunk is encoded by itself. A pair of surrogates at a border becomes two replacement characters.',
    patch: combine(orderedByName, chunked(cutText)),
    witness: async (ask) => {
      const shown = await Promise.all(['', 'a', '', 'a'].map((first) => post(ask, { name: `${first}${'🐶'.repeat(16)}`, categoryId: 1 })));
      return shown.some(({ text }) => text.includes('\ufffd'));
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'countdown-from-the-largest-int64',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Ids descend from the largest int64, the newest animal comes first, bodies are chunked, and an animal without a status has none.',
    patch: combine(descendingIds(INT64_RANGE.largest), newestFirst, chunked(cutBytes), noDefaultStatus),
    witness: async (ask) => idOf(await post(ask)) > 2n ** 62n,
  },
  {
    name: 'random-signed-ids-in-their-own-order',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary: 'Ids are 64 random bits with a sign, lists are in their order, every connection is closed, and records have more members.',
    patch: combine(randomIds, closing, moreMembers, (parts) => ({
      arrange: (store) => parts.arrange(store).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    })),
    seedAnimals: 40,
    witness: async (ask) => idsIn(await ask({ path: ALL })).some((id) => id < 0n),
  },
  {
    name: 'strictest-creation-that-is-allowed',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Names have 1 to 32 characters and are unique (409), categories must exist (404), and unknown members are rejected.',
    patch: combine(nameLimit(32), uniqueNames, knownCategories(404), strictMembers),
    witness: async (ask) =>
      (await refusesWith(ask, 404, { name: 'Waldo', categoryId: 123456 })) && (await refusesWith(ask, 400, { ...plainPet, color: 'red' })),
  },
  {
    name: 'empty-store-that-shows-late',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    summary:
      'The store begins empty, animals show half a second after their creation, newest first, and a connection ends with its tenth response.',
    patch: combine(shownLate, newestFirst, closedAfter(10)),
    seedAnimals: 0,
    witness: async (ask) => (await ask({ path: `/pets/${idOf(await post(ask))}` })).status === 404,
  },
  {
    name: 'canonical-compressed-and-capitalized',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Members are in the order of their names, bodies are compressed, the media type is spelled Application/JSON with a charset, and records and errors have more members.',
    patch: combine(moreMembers, canonicalWriter, compressed, withHeaders({ 'content-type': 'Application/JSON; Charset="UTF-8"' })),
    witness: async (ask) =>
      (await ask({ path: '/pets', headers: gzip })).headers['content-encoding'] === 'gzip' &&
      (await ask({ path: '/pets/1' })).text.startsWith('{"categoryId"'),
  },
  {
    name: 'strict-parameters-and-lenient-limits',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Unknown parameters are 400, but limits are clamped or replaced by the default, an unknown status is an empty list, and lists are in the order of names.',
    patch: combine(strictQuery(), clampedLimit, orderedByName, (parts) => ({
      listPets: (context) => {
        const status = context.parts.parseStatus(context.call.query.getAll('status'));
        return status instanceof Problem ? jsonReply(context, 200, []) : parts.listPets(context);
      },
    })),
    witness: async (ask) =>
      (await ask({ path: '/pets?page=2' })).status === 400 &&
      lengthOf(await ask({ path: '/pets?limit=0' })) === 1 &&
      lengthOf(await ask({ path: '/pets?status=gone' })) === 0,
  },
  {
    name: 'pages-of-25-with-links',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'There are 200 animals, in the order of names. A page has at most 25, later ones are selected by page, and a Link header names the next.',
    patch: combine(orderedByName, compressed, (parts) => {
      const pageOf = ({ query }: Call): number => (/^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1);
      const next = new WeakMap<URLSearchParams, string>();
      return {
        page: (animals, { limit }, call) => {
          const size = Math.min(limit, 25);
          const start = (pageOf(call) - 1) * size;
          if (animals.length > start + size) {
            const query = new URLSearchParams(call.query);
            query.set('page', String(pageOf(call) + 1));
            next.set(call.query, `</v1/pets?${query}>; rel="next"`);
          }
          return animals.slice(start, start + size);
        },
        headers: (given, reply, call) => {
          const link = next.get(call.query);
          return { ...parts.headers(given, reply, call), ...(link === undefined ? {} : { link }) };
        },
      };
    }),
    seedAnimals: 200,
    witness: async (ask) => {
      const first = await ask({ path: ALL });
      return lengthOf(first) === 25 && first.headers['link']?.includes('page=2') === true;
    },
  },
  {
    name: 'all-methods-have-an-answer',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'HEAD and OPTIONS have answers, other methods are 405, odd ids are 404, ids are multiples of 97, and each connection is closed.',
    patch: combine(moreMethods, oddIdsNotFound, sparseIds(97n), closing),
    witness: async (ask) => (await ask({ method: 'POST', path: '/pets/97', body: '{}' })).status === 405,
  },
  {
    name: 'slow-to-start-and-indented',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The first three requests wait for 300 ms, bodies are indented and end with a line feed, lists begin with the newest, and new animals are sold unless they say otherwise.',
    patch: combine(newestFirst, (parts) => {
      let count = 0;
      return {
        handle: async (context) => {
          count += 1;
          if (count <= 3) await pause(300);
          return await parts.handle(context);
        },
        encode: (value) => `${JSON.stringify(value, null, 4)}\n`,
        defaultStatus: () => 'sold',
      };
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return created.text.startsWith('{\n    "id"') && statusIn(created) === 'sold';
    },
  },
  {
    name: 'integers-by-value-and-limits-as-they-are',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A limit beyond 100 is used as it is, 1.0 is the integer 1 in a body, padded ids find their animal, and the 150 animals are listed by descending id.',
    patch: combine(newestFirst, (parts) => ({
      parseLimit: (texts) => {
        const [text = ''] = texts;
        return texts.length === 1 && /^[1-9]\d{2,3}$/.test(text) ? Number(text) : parts.parseLimit(texts);
      },
      readCategory: (value) => {
        const [, whole] = (value instanceof NumberText ? /^(-?\d{1,18})\.0+$/.exec(value.text) : undefined) ?? [];
        return whole === undefined ? parts.readCategory(value) : BigInt(whole);
      },
      parseId: (text) => {
        const id = /^0\d{1,30}$/.test(text) ? BigInt(text) : undefined;
        return id !== undefined && isInt64(id) ? id : parts.parseId(text);
      },
    })),
    seedAnimals: 150,
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?limit=500' })) === 150 && (await refusesWith(ask, 201, '{"name":"Waldo","categoryId":1.0}')),
  },
  {
    name: 'ascii-only-with-client-ids-as-references',
    sentence: 'never supplied by the client',
    summary:
      'An id in a body is kept as externalId and the service assigns its own. Bodies escape whatever is not ASCII, ids are even, and there are 90 animals.',
    patch: combine(sparseIds(2n), (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        if (read instanceof Problem || !isObject(body)) return read;
        const given = member(body, 'id');
        return given instanceof NumberText ? { ...read, raw: { externalId: given.text.slice(0, 40) } } : read;
      },
      encode: (value) =>
        textOf(parts.encode(value)).replace(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
    })),
    seedAnimals: 90,
    witness: async (ask) =>
      (await post(ask, { id: 5, name: 'Zoë', categoryId: 1 })).text.includes(
        'Zo\\u00EB","categoryId":1,"status":"available","externalId":"5"',
      ),
  },
  {
    name: 'plain-names-and-json-only',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Names have letters, digits, spaces, dashes and apostrophes only, other media types are 415, nothing announces the removal of getPet, and messages of errors are French.',
    patch: combine(
      (parts) => ({
        readName: (value) => {
          const name = parts.readName(value);
          if (name instanceof Problem) return name;
          return /^[\p{L}\p{N}' -]+$/u.test(name) ? name : invalid('name has other characters', 'invalid_name');
        },
        readBody: (bytes, call) =>
          /^application\/json\s*(?:;|$)/i.test(call.headers['content-type'] ?? '')
            ? parts.readBody(bytes, call)
            : new Problem(415, 'unsupported_media_type', 'JSON only'),
        errorRecord: ({ status, code }) => ({ code: `${status}.${code}`, message: 'Requête refusée', status }),
        headers: (given) => ({ ...given }),
      }),
      closedAfter(15),
    ),
    witness: async (ask) =>
      (await refusesWith(ask, 400, { name: 'Rex!', categoryId: 1 })) &&
      (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415 &&
      (await ask({ path: '/pets/1' })).headers['sunset'] === undefined,
  },
];

/** Services that combine choices that the document leaves open with defects that come with just these choices. */
export const compromises: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
