import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { KEY } from '../../proof/judge-reference.ts';
import { sameKey } from '../../src/reference/core/base.ts';
import { INT64_RANGE, isInt64, isObject, member, NumberText } from '../../src/reference/core/json.ts';
import { type Call, invalid, jsonReply, notFound, type Patch, Problem, pause, problemReply } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

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

// What witnesses share.
const ALL = '/pets?limit=100';
const statusIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly status?: unknown }).status;
const idsIn = ({ text }: HttpResponse): readonly bigint[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id = '']) => BigInt(id));
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
