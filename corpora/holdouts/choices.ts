import { gzipSync } from 'node:zlib';
import { isObject, type Json, literal, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { NewPet, Pet, Status, Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

// Conforming choices, each a patch of its own.

/** Several deviations in one server; later ones wrap earlier ones. */
const together =
  (...patches: readonly Patch[]): Patch =>
  (parts) => {
    let changes: Partial<Parts> = {};
    for (const patch of patches) changes = { ...changes, ...patch({ ...parts, ...changes }) };
    return changes;
  };

/** A list begins with the animal that was created last. */
const newestFirst: Patch = (parts) => ({ arrange: (store) => parts.arrange(store).toReversed() });

/** A list is in the order of the names. */
const orderedByName: Patch = (parts) => ({
  arrange: (store) => parts.arrange(store).toSorted((one, other) => one.name.localeCompare(other.name)),
});

/** Ids count down from that number. */
const descendingFrom =
  (first: bigint): Patch =>
  (parts) => ({ assignId: (store, body) => first + 1n - parts.assignId(store, body) });

/** Ids leave gaps. */
const sparseIds =
  (step: bigint, first: bigint): Patch =>
  (parts) => ({ assignId: (store, body) => first + step * parts.assignId(store, body) });

/** Ids are spread over all of int64, negative ones included. An odd factor never repeats one. */
const scatteredIds: Patch = (parts) => ({
  assignId: (store, body) => BigInt.asIntN(64, parts.assignId(store, body) * 0x9e3779b97f4a7c15n),
});

/** The categories that exist: those of the initial animals. */
const categoriesOf = (store: Store): readonly bigint[] =>
  store.animals.filter(({ createdAt }) => createdAt === 0).map(({ categoryId }) => categoryId);

const unknownCategory = (): Problem => invalid('There is no such category', 'unknown_category');

/** A category must exist; otherwise the creation is rejected with 400. */
const existingCategories: Patch = (parts) => ({
  createPet: (context) =>
    parts.createPet(
      withParts(context, {
        readCategory: (value) => {
          const category = context.parts.readCategory(value);
          return category instanceof Problem || categoriesOf(context.store).includes(category) ? category : unknownCategory();
        },
      }),
    ),
});

const DOCUMENTED = ['name', 'categoryId', 'status'];

/** A NewPet with a member that the document does not show is rejected. */
const documentedMembersOnly: Patch = (parts) => ({
  readNewPet: (body, current) =>
    isObject(body) && Object.keys(body).some((name) => !DOCUMENTED.includes(name))
      ? invalid('The body has an unknown member', 'unknown_member')
      : parts.readNewPet(body, current),
});

/** Records have members that the document does not show. */
const extraMembers =
  (extras: (pet: Pet) => Record<string, unknown>): Patch =>
  (parts) => ({ petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...extras(pet) }) });

/** Errors have members that the document does not show. */
const extraErrorMembers: Patch = (parts) => ({
  errorRecord: (problem, call) => ({ ...Object(parts.errorRecord(problem, call)), operation: call.operation, errors: [], help: null }),
});

const DELAY = 500;
const isSettled = ({ createdAt }: Pet): boolean => Date.now() - createdAt >= DELAY;

/** The largest id of these animals; 0 if there are none. */
function largestId(animals: readonly Pet[]): bigint {
  let largest = 0n;
  for (const { id } of animals) if (id > largest) largest = id;
  return largest;
}

/** A creation is listed after half a second. */
const listedLate: Patch = (parts) => ({ arrange: (store) => parts.arrange(store).filter(isSettled) });

/** A creation is found by its id after half a second. */
const foundLate: Patch = (parts) => ({
  find: (store, id) => {
    const pet = parts.find(store, id);
    return pet !== undefined && isSettled(pet) ? pet : undefined;
  },
});

/** An animal that was created without a status has none. */
const noDefaultStatus: Patch = () => ({ defaultStatus: () => undefined });

const startsAs =
  (status: Status): Patch =>
  () => ({ defaultStatus: () => status });

/** The same value with the members of every object in the order of their names; raw literals stay as they are. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'rawJSON')) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

/** Members are written in the order of their names. */
const canonicalJson: Patch = (parts) => ({ encode: (value) => parts.encode(sorted(value)) });

/** JSON with only ASCII characters: the others are escaped. */
const asciiJson: Patch = (parts) => ({
  encode: (value) =>
    textOf(parts.encode(value)).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
});

const indentedJson: Patch = () => ({ encode: (value) => `${JSON.stringify(value, null, 2)}\n` });

/** Responses are compressed for clients that ask for gzip. */
const compressed: Patch = (parts) => ({
  send: (reply, outgoing, call) => {
    const accepts = /^(?:.*, *)?gzip *(?:,.*)?$/i.test(String(call.headers['accept-encoding'] ?? ''));
    const headers = { ...reply.headers, vary: 'accept-encoding' };
    if (!accepts) return parts.send({ ...reply, headers }, outgoing, call);
    return parts.send({ ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }, outgoing, call);
  },
});

/** Adds headers to every response. */
const withHeaders =
  (extra: Readonly<Record<string, string>>): Patch =>
  (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...extra }) });

const closedConnections = withHeaders({ connection: 'close' });

/** Every n-th response is the last one on its connection. */
const closedEvery =
  (n: number): Patch =>
  (parts) => {
    let count = 0;
    return {
      headers: (given, reply, call) => {
        count += 1;
        return { ...parts.headers(given, reply, call), ...(count % n === 0 ? { connection: 'close' } : {}) };
      },
    };
  };

/** Names have at most that many UTF-16 units. */
const nameCap =
  (most: number): Patch =>
  (parts) => ({
    readName: (value) =>
      typeof value === 'string' && value.length > most ? invalid('name is too long', 'invalid_name') : parts.readName(value),
  });

/** Categories have one digit. */
const oneDigitCategories: Patch = (parts) => ({
  readCategory: (value) => {
    const category = parts.readCategory(value);
    return category instanceof Problem || (category >= 0n && category <= 9n)
      ? category
      : invalid('categoryId has one digit', 'invalid_category');
  },
});

/** A name can be used once; case makes no difference. */
const uniqueNames: Patch = (parts) => ({
  createPet: (context) => {
    const taken = (name: string): boolean => context.store.animals.some((pet) => pet.name.toLowerCase() === name.toLowerCase());
    return parts.createPet(
      withParts(context, {
        readNewPet: (body, current) => {
          const read = context.parts.readNewPet(body, current);
          return read instanceof Problem || !taken(read.name) ? read : new Problem(409, 'name_taken', 'The name is taken');
        },
      }),
    );
  },
});

/** A limit outside the bounds becomes the nearest bound. */
const clampedLimit: Patch = (parts) => ({
  parseLimit: (texts) => {
    const [text] = texts;
    if (texts.length !== 1 || text === undefined || !/^-?\d{1,9}$/.test(text)) return parts.parseLimit(texts);
    return Math.min(Math.max(Number(text), 1), 100);
  },
});

const hasUnknownParameter = ({ call }: Context): boolean =>
  call.operation === 'listPets' && [...call.query.keys()].some((name) => name !== 'limit' && name !== 'status');

const unknownParameter = (context: Context) => problemReply(context, invalid('The query has an unknown parameter', 'unknown_parameter'));

/** Pages have at most that many animals; a Link header has the address of the next one, if there is one. */
const withNextLink =
  (most: number): Patch =>
  (parts) => {
    let next = '';
    return {
      page: (animals, query, call) => {
        const limit = Math.min(query.limit, most);
        const cursor = call.query.get('cursor') ?? '';
        const start = /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0;
        const status = query.status === undefined ? '' : `&status=${query.status}`;
        next = start + limit < animals.length ? `</v1/pets?limit=${query.limit}&cursor=${start + limit}${status}>; rel="next"` : '';
        return parts.page(animals.slice(start), { ...query, limit }, call);
      },
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(call.operation === 'listPets' && reply.status === 200 && next !== '' ? { link: next } : {}),
      }),
    };
  };

/** A list with an unknown query parameter is rejected. */
const documentedParametersOnly: Patch = (parts) => ({
  listPets: (context) => (hasUnknownParameter(context) ? unknownParameter(context) : parts.listPets(context)),
});

/** Whether arrays and objects are nested at most that deep. */
function isShallow(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return true;
  return levels > 0 && Object.values(value).every((inner: Json) => isShallow(inner, levels - 1));
}

/** A member as a client sent it, for a response. */
function shown(value: Json): unknown {
  if (value instanceof NumberText) return literal(value.text);
  if (Array.isArray(value)) return value.map(shown);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)])) : value;
}

/** Keeps members that the document does not show, except the named ones and those that are nested too deep. */
const keptMembers =
  (except: readonly string[]): Patch =>
  (parts) => ({
    readNewPet: (body, current) => {
      const read = parts.readNewPet(body, current);
      if (read instanceof Problem || !isObject(body)) return read;
      const kept = Object.entries(body).filter(([name, value]) => !except.includes(name) && isShallow(value, 16));
      const pet: NewPet & Pick<Pet, 'raw'> = { ...read, raw: Object.fromEntries(kept.map(([name, value]) => [name, shown(value)])) };
      return pet;
    },
  });

/** Bodies in another media type are 415. */
const jsonBodiesOnly: Patch = (parts) => ({
  createPet: (context) =>
    /^application\/json *(?:;.*)?$/i.test(context.call.headers['content-type'] ?? '')
      ? parts.createPet(context)
      : problemReply(context, new Problem(415, 'unsupported_media_type', 'The body must be application/json')),
});

/** The check digit of Luhn for a number. */
function checkDigit(number: bigint): bigint {
  const digits = [...number.toString()].toReversed().map(Number);
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit * 2 - (digit > 4 ? 9 : 0) : digit));
  return BigInt((10 - (doubled.reduce((sum, digit) => sum + digit, 0) % 10)) % 10);
}

/** Ids end in a check digit. */
const checkedIds: Patch = (parts) => ({
  assignId: (store, body) => {
    const count = 1000n + parts.assignId(store, body);
    return count * 10n + checkDigit(count);
  },
});

const MAXIMUM = 2n ** 63n - 1n;
const SAFE = 2n ** 53n;

// What witnesses share.
type Shown = { readonly id: number; readonly name: string; readonly status?: string };
const LONG_PAGE = '/pets?limit=100';
const petsAt = async (ask: Ask, path: string): Promise<readonly Shown[]> => JSON.parse((await ask({ path })).text) as readonly Shown[];
const readBack = async (ask: Ask, pet: unknown) => ask({ path: `/pets/${idOf(await post(ask, pet))}` });
const statusOf = async (ask: Ask, pet: unknown): Promise<number> => (await post(ask, pet)).status;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'available-is-neither-pending-nor-sold',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'An animal without a status has none, and ids count down. The filter for available is written as "neither pending nor sold", from the time when there was a default: it also keeps animals without a status.',
    patch: together(noDefaultStatus, descendingFrom(900_000n), (parts) => ({
      matches: (pet, status) => (status === 'available' ? pet.status !== 'pending' && pet.status !== 'sold' : parts.matches(pet, status)),
    })),
    witness: async (ask) => (await petsAt(ask, '/pets?status=available&limit=100')).some(({ status }) => status === undefined),
  },
  {
    name: 'missing-limit-clamped-from-infinity',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.limit-default',
    summary:
      'A limit outside the bounds is clamped. A missing one is Infinity before it is clamped, so that the default is the maximum of 100.',
    patch: together(clampedLimit, newestFirst, (parts) => ({
      parseLimit: (texts) => (texts.length === 0 ? Math.min(Number.POSITIVE_INFINITY, 100) : parts.parseLimit(texts)),
    })),
    seedAnimals: 30,
    witness: async (ask) => lengthOf(await ask({ path: '/pets' })) > 20,
  },
  {
    name: 'commas-of-animals-not-yet-visible',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'A creation is listed after half a second. The list is written row by row, and the row that is still hidden leaves its comma behind: for half a second the list is not JSON.',
    patch: together(newestFirst, sparseIds(10n, 7n), (parts) => ({
      listPets: async (context) => {
        const rows: string[] = [];
        const watched = withParts(context, {
          petRecord: (pet, place) => {
            rows.push(isSettled(pet) ? textOf(parts.encode(parts.petRecord(pet, place))) : '');
            return {};
          },
        });
        const reply = await parts.listPets(watched);
        return reply.status === 200 ? { ...reply, body: `[${rows.join(',')}]` } : reply;
      },
    })),
    witness: async (ask) => {
      await post(ask);
      return !parses(await ask({ path: LONG_PAGE }));
    },
  },
  {
    name: 'index-of-doubles-for-ids-counting-down',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'Ids count down from just above 2^53, so that the newest is first in the natural order. The index for single reads has doubles as keys, where neighbors are the same: a read can return the older neighbor.',
    patch: together(descendingFrom(SAFE + 6000n), canonicalJson, () => ({
      find: (store, id) => store.animals.find((pet) => Number(pet.id) === Number(id)),
    })),
    witness: async (ask) => {
      const ids = [idOf(await post(ask)), idOf(await post(ask)), idOf(await post(ask))];
      const read = await Promise.all(ids.map((id) => ask({ path: `/pets/${id}` })));
      return read.some((response, index) => idOf(response) !== ids[index]);
    },
  },
  {
    name: 'wrong-check-digit-is-a-bad-request',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'Ids end in a check digit, since people read them out on the phone. A number with another last digit is answered 400 as a typing error, although it is an integer that no animal has.',
    patch: together(checkedIds, extraErrorMembers, (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        if (id instanceof Problem) return id;
        const size = id < 0n ? -id : id;
        return checkDigit(size / 10n) === size % 10n ? id : invalid('petId has a wrong check digit', 'invalid_id');
      },
    })),
    witness: async (ask) => {
      const statuses = [await ask({ path: '/pets/777770' }), await ask({ path: '/pets/777771' })].map(({ status }) => status);
      return statuses.includes(400);
    },
  },
  {
    name: 'status-follows-by-a-worker',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'create.round-trip',
    summary:
      'The default is pending, and a creation is listed after half a second, when a worker has set its status. A single read does not wait for the worker and shows the default of the column.',
    patch: together(startsAs('pending'), listedLate, (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet === undefined || isSettled(pet) ? pet : { ...pet, status: 'pending' };
      },
    })),
    witness: async (ask) => (await readBack(ask, { ...plainPet, status: 'sold' })).text.includes('"pending"'),
  },
  // Ids.
  {
    name: 'next-id-after-the-largest-visible',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.id-assigned',
    summary:
      'A creation is visible after half a second, on the replica. The next id is the largest on the replica plus ten: animals created within half a second share one.',
    patch: together(listedLate, newestFirst, () => ({
      assignId: (store) => 10n + largestId(store.animals.filter(isSettled)),
    })),
    witness: async (ask) => {
      const [one, other] = [await post(ask), await post(ask)];
      return idOf(one) === idOf(other);
    },
  },
  {
    name: 'kept-members-cover-the-id',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-not-adopted',
    summary:
      'Members that the document does not show are kept and shown. They are spread over the record last, and an id in the body is such a member: it replaces the assigned one.',
    patch: together(sparseIds(100n, 5n), newestFirst, keptMembers(DOCUMENTED)),
    witness: async (ask) => idOf(await post(ask, { ...plainPet, id: 424242 })) === 424242n,
  },
  // Creations: the body.
  {
    name: 'schema-of-two-to-three-members',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'Unknown members are rejected by a schema with additionalProperties: false and minProperties: 2, which was taken for "both required ones". A name and a status are two members as well.',
    patch: together(newestFirst, documentedMembersOnly, (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body) || Object.keys(body).length < 2) return parts.readNewPet(body, current);
        return parts.readNewPet({ name: '', categoryId: new NumberText('0'), ...body }, current);
      },
    })),
    witness: async (ask) => (await statusOf(ask, { name: 'Waldo', status: 'sold' })) === 201,
  },
  {
    name: 'category-looked-up-by-property-name',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-type',
    summary:
      'A category must exist: the value is looked up as a property of the object of categories. A property name is text, so that "1" and [1] are found as well, and nothing else looks at the type.',
    patch: together(extraErrorMembers, existingCategories, (parts) => ({
      readCategory: (value) => {
        const inner = Array.isArray(value) && value.length === 1 ? (value[0] as Json) : value;
        return parts.readCategory(typeof inner === 'string' ? new NumberText(inner) : inner);
      },
    })),
    witness: async (ask) => (await statusOf(ask, { name: 'Waldo', categoryId: '1' })) === 201,
  },
  {
    name: 'one-digit-category-in-a-byte',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'Categories have one digit, so that a byte is enough. The value is cast to the byte before the check: 257 is 1, and 2^63 is 0, and both are accepted.',
    patch: together(oneDigitCategories, closedEvery(20), (parts) => ({
      readCategory: (value) => {
        const category = value instanceof NumberText ? parseInteger(value.text) : undefined;
        return parts.readCategory(category === undefined ? value : new NumberText(String(BigInt.asUintN(8, category))));
      },
    })),
    witness: async (ask) => (await statusOf(ask, '{"name":"Waldo","categoryId":9223372036854775808}')) === 201,
  },
  {
    name: 'null-status-for-the-nullable-column',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'An animal without a status has none: the column is nullable, and the generated reader accepts null like the column does, instead of 400.',
    patch: together(noDefaultStatus, documentedMembersOnly, (parts) => ({
      readStatus: (value) => parts.readStatus(value === null ? undefined : value),
    })),
    witness: async (ask) => (await statusOf(ask, { ...plainPet, status: null })) === 201,
  },
  {
    name: 'cap-in-characters-column-in-bytes',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'A name has at most 255 characters, and the check counts characters. The column counts 255 bytes and cuts silently: an accepted name of 200 umlauts loses its end.',
    patch: together(nameCap(255), uniqueNames, (parts) => ({
      insert: async (store, pet) => {
        const name = new TextDecoder().decode(Buffer.from(pet.name).subarray(0, 255), { stream: true });
        await parts.insert(store, { ...pet, name });
        return pet;
      },
    })),
    witness: async (ask) => {
      const read = await readBack(ask, { name: 'ü'.repeat(200), categoryId: 1 });
      return read.status === 200 && !read.text.includes('ü'.repeat(200));
    },
  },
  {
    name: 'group-commit-answers-with-the-last',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'Ids have gaps because they are reserved in groups, and creations are committed in groups too. The answer is made from the row that was last in the group, for every one of its clients.',
    patch: together(sparseIds(16n, 0n), newestFirst, (parts) => {
      let last: Pet | undefined;
      return {
        insert: async (store, pet) => {
          const inserted = await parts.insert(store, pet);
          last = inserted;
          await pause(15);
          return last ?? inserted;
        },
      };
    }),
    witness: async (ask) => {
      const names = ['Ann', 'Ben', 'Cem', 'Dot', 'Eva', 'Fay'];
      const created = await Promise.all(names.map((name) => post(ask, { name, categoryId: 1 })));
      return created.some(({ text }, index) => !text.includes(`"${names[index]}"`));
    },
  },
  // Errors.
  {
    name: 'complaints-by-field-cover-the-status',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.shape',
    summary:
      'Errors have extra members: the complaint about each field, under the name of the field. They are spread over the Error, and one of the fields of an animal is called status.',
    patch: together(documentedMembersOnly, (parts) => ({
      errorRecord: (problem, call) => {
        const field = /^invalid_(name|category|status|limit)$/.exec(problem.code)?.[1];
        return { ...Object(parts.errorRecord(problem, call)), ...(field === undefined ? {} : { [field]: problem.message }) };
      },
    })),
    witness: async (ask) => {
      const { status, text } = await post(ask, { ...plainPet, status: 'lost' });
      return status === 400 && !text.includes('"status":400');
    },
  },
  {
    name: 'closed-after-the-first-write',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.answers',
    summary:
      'Every response says Connection: close, and the server closes as soon as the first write has been flushed. A write has 4 KB: longer lists are truncated.',
    patch: together(closedConnections, newestFirst, (parts) => ({
      send: async (reply, outgoing, call) => {
        const bytes = Buffer.from(reply.body);
        if (bytes.byteLength <= 4096) return await parts.send(reply, outgoing, call);
        outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(bytes.byteLength) });
        await new Promise<void>((done) => {
          outgoing.write(bytes.subarray(0, 4096), () => done());
        });
        outgoing.destroy();
      },
    })),
    seedAnimals: 90,
    witness: (ask) =>
      ask({ path: LONG_PAGE }).then(
        () => false,
        () => true,
      ),
  },
];

const variants: readonly Omit<Holdout, 'kind' | 'clause'>[] = [
  {
    name: 'countdown-from-the-maximum',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Ids count down from 2^63 - 1, the list is newest first, members are sorted, and every response closes its connection.',
    patch: together(descendingFrom(MAXIMUM), newestFirst, canonicalJson, closedConnections),
    witness: async (ask) => {
      const { text, headers } = await post(ask);
      return text.startsWith('{"categoryId"') && idOf({ text }) > MAXIMUM - 100n && headers['connection'] === 'close';
    },
  },
  {
    name: 'strict-with-scattered-ids',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'Ids are spread over all of int64, categories must exist, unknown members are 400, and records have members of their own.',
    patch: together(
      scatteredIds,
      existingCategories,
      documentedMembersOnly,
      extraMembers(({ name }) => ({ _type: 'Pet', tags: [], owner: null, initial: [...name][0] ?? '' })),
    ),
    witness: async (ask) =>
      (await statusOf(ask, { name: 'Waldo', categoryId: 987654 })) === 400 &&
      (await statusOf(ask, { ...plainPet, color: 'red' })) === 400 &&
      (await post(ask)).text.includes('"owner":null'),
  },
  {
    name: 'visible-after-half-a-second',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'A creation is visible after half a second, ids have gaps, an animal without a status has none, and errors have extra members.',
    patch: together(foundLate, listedLate, sparseIds(1009n, 50_000_000_000n), noDefaultStatus, extraErrorMembers),
    witness: async (ask) => {
      const path = `/pets/${idOf(await post(ask))}`;
      const early = await ask({ path });
      await pause(DELAY + 100);
      const late = await ask({ path });
      return early.text.includes('"help"') && late.status === 200 && !late.text.includes('"status"');
    },
  },
  {
    name: 'indented-compressed-by-name',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Responses are indented, compressed for clients that ask for gzip, and lists are in the order of the names.',
    patch: together(indentedJson, compressed, orderedByName),
    witness: async (ask) => {
      const names = (await petsAt(ask, '/pets')).map(({ name }) => name);
      const { headers } = await ask({ path: '/pets', headers: { 'accept-encoding': 'gzip' } });
      return headers['content-encoding'] === 'gzip' && names[0] === 'Balu';
    },
  },
  {
    name: 'digits-caps-and-unique-names',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Categories have one digit, names at most 255 characters and once each (409), and animals start as sold.',
    patch: together(oneDigitCategories, nameCap(255), uniqueNames, startsAs('sold')),
    witness: async (ask) =>
      (await post(ask, { name: 'Unicorn', categoryId: 1 })).text.includes('"sold"') &&
      (await statusOf(ask, { name: 'unicorn', categoryId: 1 })) === 409 &&
      (await statusOf(ask, { name: 'Ten', categoryId: 10 })) === 400,
  },
  {
    name: 'documented-parameters-and-clamped-limits',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Unknown query parameters are 400, a limit out of range is clamped, ids have a check digit, and responses have headers of their own.',
    patch: together(documentedParametersOnly, clampedLimit, checkedIds, withHeaders({ 'cache-control': 'no-store', 'x-page': '1' })),
    witness: async (ask) => (await ask({ path: '/pets?page=2' })).status === 400 && lengthOf(await ask({ path: '/pets?limit=0' })) === 1,
  },
  {
    name: 'below-zero-in-ascii',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Ids count down through zero, JSON is escaped to ASCII, every third response closes its connection, and lists are newest first.',
    patch: together(descendingFrom(10n), asciiJson, closedEvery(3), newestFirst),
    witness: async (ask) => {
      await post(ask);
      await post(ask);
      await post(ask);
      const created = await post(ask, { name: 'Zoë', categoryId: 1 });
      return idOf(created) < 0n && created.text.includes('Zo\\u00eb');
    },
  },
  {
    name: 'keeps-what-it-does-not-know',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Unknown members other than id are kept and shown, other media types are 415, and names have no control characters.',
    patch: together(keptMembers([...DOCUMENTED, 'id']), jsonBodiesOnly, (parts) => ({
      readName: (value) =>
        typeof value === 'string' && /\p{C}/u.test(value) ? invalid('name has control characters', 'invalid_name') : parts.readName(value),
    })),
    witness: async (ask) =>
      (await readBack(ask, { ...plainPet, id: 3, tags: [1, { deep: true }] })).text.includes('"tags":[1,{"deep":true}]') &&
      (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'another-order-each-time',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'Each list begins one animal later than the list before it, an unknown status finds nothing, and a limit that is no limit is 20.',
    patch: together(
      (parts) => {
        let turn = 0;
        return {
          arrange: (store) => {
            turn += 1;
            const animals = parts.arrange(store);
            const start = turn % Math.max(animals.length, 1);
            return [...animals.slice(start), ...animals.slice(0, start)];
          },
        };
      },
      (parts) => ({
        parseLimit: (texts) => {
          const limit = parts.parseLimit(texts);
          return limit instanceof Problem ? 20 : limit;
        },
        listPets: (context) =>
          parts.parseStatus(context.call.query.getAll('status')) instanceof Problem
            ? jsonReply(context, 200, parts.listBody([]))
            : parts.listPets(context),
      }),
    ),
    witness: async (ask) => {
      const [one, other] = [await ask({ path: '/pets' }), await ask({ path: '/pets' })];
      return one.text !== other.text && (await ask({ path: '/pets?status=lost' })).text === '[]';
    },
  },
  {
    name: 'short-pages-with-verbose-errors',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'A page has at most 30 animals, a Link header leads to later ones, codes are numbers in text, and a petId that is no int64 is 404.',
    patch: together(extraErrorMembers, withNextLink(30), (parts) => ({
      errorRecord: (problem, call) => ({ ...Object(parts.errorRecord(problem, call)), code: `${problem.status}`, trace: [] }),
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? new Problem(404, 'not_found', 'The animal does not exist') : id;
      },
    })),
    seedAnimals: 40,
    witness: async (ask) =>
      lengthOf(await ask({ path: LONG_PAGE })) === 30 &&
      lengthOf(await ask({ path: '/pets?limit=100&cursor=30' })) === 10 &&
      (await ask({ path: '/pets/abc' })).text.includes('"code":"404"'),
  },
  {
    name: 'shouted-media-type-and-reversed-members',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The media type is written Application/JSON with a charset, members are in reversed order, and categories are positive and below 2^53.',
    patch: together(
      (parts) => ({
        petRecord: (pet, place) => Object.fromEntries(Object.entries(parts.petRecord(pet, place)).toReversed()),
        readCategory: (value) => {
          const category = parts.readCategory(value);
          if (category instanceof Problem) return category;
          return category > 0n && category < SAFE ? category : invalid('categoryId is not a safe one', 'invalid_category');
        },
      }),
      withHeaders({ 'content-type': 'Application/JSON; Charset="UTF-8"' }),
    ),
    witness: async (ask) => {
      const { text, headers } = await post(ask);
      return text.startsWith('{"status"') && headers['content-type'] === 'Application/JSON; Charset="UTF-8"';
    },
  },
  {
    name: 'default-shown-later-and-throttled',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'Every 40th creation is 429, a body above 8 KB is 413, an id in the body is 422, and a default status is shown from the first read on.',
    patch: together(startsAs('pending'), sparseIds(2n, 1n), (parts) => {
      let count = 0;
      return {
        createPet: async (context) => {
          count += 1;
          if (count % 40 === 0) return problemReply(context, new Problem(429, 'too_many', 'Try again later', { 'retry-after': '1' }));
          let hasStatus = false;
          const bytes = await context.call.body();
          if (!(bytes instanceof Problem) && bytes.byteLength > 8192) {
            return problemReply(context, new Problem(413, 'too_large', 'The body is too large'));
          }
          const watched = withParts(context, {
            readNewPet: (body, current) => {
              const read = parts.readNewPet(body, current);
              hasStatus = !(read instanceof Problem) && read.status !== undefined;
              const hasId = isObject(body) && member(body, 'id') !== undefined;
              return hasId && !(read instanceof Problem) ? new Problem(422, 'id_given', 'id is assigned by the service') : read;
            },
            petRecord: (pet, place) => parts.petRecord(hasStatus ? pet : { ...pet, status: undefined }, place),
          });
          return await parts.createPet({ ...watched, call: { ...context.call, body: async () => bytes } });
        },
      };
    }),
    witness: async (ask) => {
      const created = await post(ask);
      const read = await ask({ path: `/pets/${idOf(created)}` });
      return !created.text.includes('"status"') && read.text.includes('"pending"') && (await statusOf(ask, { ...plainPet, id: 9 })) === 422;
    },
  },
];

/** Services that combine conforming but unusual choices, and defects that only such choices bring about. */
export const choices: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
