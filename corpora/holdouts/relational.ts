import { isObject, NumberText } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post } from './witness.ts';

/** A constraint that is checked once everything else is valid. */
const constrained =
  (check: (pet: NewPet, store: Store) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: (context) =>
      parts.createPet(
        withParts(context, {
          readNewPet: (body, current) => {
            const read = context.parts.readNewPet(body, current);
            return read instanceof Problem ? read : (check(read, context.store) ?? read);
          },
        }),
      ),
  });

/** A name as an accent- and case-insensitive collation compares it, with trailing blanks padded away. */
const collated = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();

/** The categories of the animals that were there from the start. */
const seededCategories = ({ animals }: Store): ReadonlySet<bigint> =>
  new Set(animals.filter(({ createdAt }) => createdAt === 0).map(({ categoryId }) => categoryId));
const waldoNamed = (name: string): Record<string, unknown> => ({ ...plainPet, name });
const repeat = (count: number, one: (index: number) => Promise<HttpResponse>): Promise<HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const readBack = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const idsIn = ({ text }: HttpResponse): bigint[] => [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => BigInt(id ?? '0'));

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'percent-signs-doubled-for-a-driver-that-does-not-undo-it',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'A helper doubles percent signs for the format style of the driver. Since the statement has bound parameters, nothing halves them again: 100% is 100%%.',
    patch: (parts) => ({ insert: (store, pet) => parts.insert(store, { ...pet, name: pet.name.replaceAll('%', '%%') }) }),
    witness: async (ask) => nameIn(await post(ask, waldoNamed('100% Waldo'))) === '100%% Waldo',
  },
  {
    name: 'fraction-of-category-rounded-on-assignment',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary: 'The value is bound as NUMERIC, and PostgreSQL rounds it on assignment to the BIGINT column: 1.5 is category 2.',
    patch: (parts) => ({
      readCategory: (value) =>
        value instanceof NumberText && /^-?\d{1,12}\.\d{1,12}$/.test(value.text)
          ? BigInt(Math.round(Number(value.text)))
          : parts.readCategory(value),
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1.5}')).status === 201,
  },
  {
    name: 'column-default-not-read-back',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'record.pet',
    summary:
      'The default is a default of the column, and the ORM does not refresh the entity after the INSERT: the 201 says "status": null.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      insert: async (store, pet) => {
        if (pet.status !== undefined) return await parts.insert(store, pet);
        await parts.insert(store, { ...pet, status: 'available' });
        return { ...pet, raw: { status: null } };
      },
    }),
    witness: async (ask) => (await post(ask)).text.includes('"status":null'),
  },
  {
    name: 'int8-is-a-text-in-the-raw-query',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'record.pet',
    summary:
      'The read of one animal is a raw query since a tuning. Unlike the ORM, the PostgreSQL driver delivers int8 as text, so id and categoryId are JSON strings.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(place === 'get' ? { id: pet.id.toString(), categoryId: pet.categoryId.toString() } : {}),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('"id":"1"'),
  },
  {
    name: 'ordinals-of-an-older-enum-in-the-projection',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'The column has the ordinal of the enum. The projection of the list has its own copy of the enum, in alphabetical order of an earlier release: pending and sold change places there.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const swapped = pet.status === 'sold' ? 'pending' : pet.status === 'pending' ? 'sold' : pet.status;
        return parts.petRecord(place === 'list' ? { ...pet, status: swapped } : pet, place);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).text.includes('"pending"'),
  },
  {
    name: 'sunset-is-a-date-column-in-local-time',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary: 'The removal date is a DATE column, which the driver reads as midnight in Berlin: in GMT the header names the day before.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(call.operation === 'getPet' ? { sunset: 'Wed, 04 Dec 2030 23:00:00 GMT' } : {}),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset']?.startsWith('Wed, 04 Dec') === true,
  },
  {
    name: 'batched-reads-zipped-by-position',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'Concurrent reads are batched to one WHERE id IN (...), and its rows are handed out by position, though they come in order of the key.',
    patch: (parts) => {
      let ids: bigint[] = [];
      let rows: Promise<readonly Pet[]> | undefined;
      const load = async (store: Store): Promise<readonly Pet[]> => {
        await pause(4);
        const batch = ids;
        ids = [];
        rows = undefined;
        return store.animals.filter(({ id }) => batch.includes(id));
      };
      return {
        getPet: async (context) => {
          const id = parts.parseId(context.call.petId);
          if (id instanceof Problem) return await parts.getPet(context);
          const position = ids.push(id) - 1;
          rows ??= load(context.store);
          const pet = (await rows)[position];
          return await parts.getPet(withParts(context, { find: () => pet }));
        },
      };
    },
    witness: async (ask) => {
      const read = await repeat(8, (index) => ask({ path: `/pets/${8 - index}` }));
      return read.some((response, index) => idOf(response) !== BigInt(8 - index));
    },
  },
  {
    name: 'every-second-read-from-a-lagging-secondary',
    sentence: '`404` with an Error body when the animal does not exist',
    clause: 'get.success',
    summary: 'Reads alternate between the primary and a replica that lags by 250 ms: a new animal is there, not there, there.',
    patch: (parts) => {
      let reads = 0;
      return {
        find: (store, id) => {
          reads += 1;
          const pet = parts.find(store, id);
          return pet !== undefined && reads % 2 === 0 && Date.now() - pet.createdAt < 250 ? undefined : pet;
        },
      };
    },
    witness: async (ask) => {
      const created = await post(ask);
      return [await readBack(ask, created), await readBack(ask, created)].some(({ status }) => status === 404);
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'ids-of-a-snowflake-column',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary: 'Ids have 62 bits and large gaps, so that neighbors differ only beyond the precision of a double every now and then.',
    patch: (parts) => ({ assignId: (store, body) => 4611686018427387905n + parts.assignId(store, body) * 257n }),
    witness: async (ask) => idOf(await post(ask)) > 4611686018427387904n,
  },
  {
    name: 'sequence-that-counts-down',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary: 'The sequence of this region has INCREMENT BY -1 and starts at -1, so that two regions never meet.',
    patch: (parts) => ({ assignId: (store, body) => -parts.assignId(store, body) }),
    witness: async (ask) => idOf(await post(ask)) < 0n,
  },
  {
    name: 'names-unique-under-the-collation',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Names are unique as an accent- and case-insensitive collation compares them; a taken one is 400.',
    patch: constrained(({ name }, { animals }) =>
      animals.some((pet) => collated(pet.name) === collated(name)) ? invalid('name is taken', 'duplicate_name') : undefined,
    ),
    witness: async (ask) => {
      await post(ask);
      return (await post(ask, waldoNamed('WÁLDO '))).status === 400;
    },
  },
  {
    name: 'foreign-key-on-categories',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'A foreign key refuses categories that do not exist: 400, and nothing is stored.',
    patch: constrained(({ categoryId }, store) =>
      seededCategories(store).has(categoryId) ? undefined : invalid('The category does not exist', '23503'),
    ),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: 987654 })).status === 400,
  },
  {
    name: 'names-of-at-most-forty-characters',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'VARCHAR(40) in strict mode: longer names are 400.',
    patch: constrained(({ name }) =>
      [...name].length > 40 ? invalid('value too long for type character varying(40)', '22001') : undefined,
    ),
    witness: async (ask) => (await post(ask, waldoNamed('W'.repeat(41)))).status === 400,
  },
  {
    name: 'cast-error-of-petid-is-404',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary: 'A petId that cannot be cast to the type of the key finds no row: 404, like any other that does not exist.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('No row was found') : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/abc' })).status === 404,
  },
  {
    name: 'default-status-of-the-column-shown-later',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: "The column has DEFAULT 'pending', and the INSERT returns the id only: the 201 omits the status, reads show it.",
    patch: (parts) => ({
      defaultStatus: () => undefined,
      insert: async (store, pet) => {
        await parts.insert(store, { ...pet, status: pet.status ?? 'pending' });
        return pet;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return !created.text.includes('"status"') && (await readBack(ask, created)).text.includes('"pending"');
    },
  },
  {
    name: 'all-columns-of-the-row-shown',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary: 'Records show every column of the row: version, deleted_at and tenant besides the fields of Pet.',
    patch: (parts) => ({ petRecord: (pet, place) => ({ version: 0, deleted_at: null, tenant: 'public', ...parts.petRecord(pet, place) }) }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('"deleted_at":null'),
  },
  {
    name: 'codes-are-sqlstates',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The code of an Error is a SQLSTATE, as text; hint and position are further members.',
    patch: () => ({
      errorRecord: ({ status, message }) => {
        const code = status === 404 ? '02000' : status === 401 ? '28000' : '22P02';
        return { code, message, status, hint: null, position: 1 };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"02000"'),
  },
  {
    name: 'limit-clamped-with-least-and-greatest',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'The statement says LIMIT LEAST(GREATEST(?, 1), 100): integers out of bounds get the nearest one.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const [text = ''] = texts;
        return texts.length === 1 && /^-?\d{1,9}$/.test(text) ? Math.min(Math.max(Number(text), 1), 100) : parts.parseLimit(texts);
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=0' })) === 1,
  },
  {
    name: 'unknown-status-matches-no-row',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary: 'The filter is bound as text: a status that no row has gives an empty array.',
    patch: (parts) => ({
      listPets: (context: Context) => {
        const texts = context.call.query.getAll('status');
        const limit = context.parts.parseLimit(context.call.query.getAll('limit'));
        const isUnknown = texts.length === 1 && !isStatus(texts[0]) && !(limit instanceof Problem);
        return isUnknown ? jsonReply(context, 200, parts.listBody([])) : parts.listPets(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=lost' })).text === '[]',
  },
  {
    name: 'order-of-the-index-that-the-planner-takes',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary: 'There is no ORDER BY: a filtered list comes from the index on status, newest first, and the whole one from the heap.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.toReversed(), query, call),
    }),
    witness: async (ask) => {
      const ids = idsIn(await ask({ path: '/pets?status=available' }));
      return (ids[0] ?? 0n) > (ids[1] ?? 0n);
    },
  },
  {
    name: 'unknown-columns-refused',
    sentence: 'Request body for creating an animal',
    summary: 'The query builder refuses members that are not columns for clients: 400 for anything but name, categoryId and status.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        const isKnown = (name: string): boolean => ['name', 'categoryId', 'status'].includes(name);
        return isObject(body) && !Object.keys(body).every(isKnown) ? invalid('column does not exist', '42703') : read;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'unknown-query-parameters-refused',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The generic filter of the ORM refuses parameters that are no filters: 400 for anything but limit and status.',
    patch: (parts) => ({
      listPets: (context: Context) =>
        [...context.call.query.keys()].every((name) => name === 'limit' || name === 'status')
          ? parts.listPets(context)
          : problemReply(context, invalid('Cannot resolve the keyword', 'field_error')),
    }),
    witness: async (ask) => (await ask({ path: '/pets?offset=1' })).status === 400,
  },
];

/** Services whose animals live in a database: columns, statements, transactions, caches, replicas. */
export const relational: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
