import { bearerToken, readListQuery } from '../../src/reference/core/base.ts';
import { isObject, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type NewPet, type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post } from './witness.ts';

/** The row differs from what was inserted; the 201 shows the entity, which nobody read back. */
const storedAs =
  (change: (pet: Pet) => Pet): Patch =>
  (parts) => ({
    insert: async (store, pet) => {
      await parts.insert(store, change(pet));
      return pet;
    },
  });

/** The row has another name than the entity. */
const nameStoredAs = (change: (name: string) => string): Patch => storedAs((pet) => ({ ...pet, name: change(pet.name) }));

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

/** The animal with that name, letter by letter. */
const namesake = (store: Store, name: string): Pet | undefined => store.animals.find((pet) => pet.name === name);

/** A name as an accent- and case-insensitive collation compares it, with trailing blanks padded away. */
const collated = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();

/** The categories of the animals that were there from the start. */
const seededCategories = ({ animals }: Store): ReadonlySet<bigint> =>
  new Set(animals.filter(({ createdAt }) => createdAt === 0).map(({ categoryId }) => categoryId));

/** A regular expression that matches what LIKE matches. */
const likePattern = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')}$`,
    's',
  );

/** The id of an existing animal in the body, if there is one. */
function knownIdIn(body: Parameters<typeof isObject>[0], store: Store): bigint | undefined {
  const given = isObject(body) ? member(body, 'id') : undefined;
  const id = given instanceof NumberText ? parseInteger(given.text) : undefined;
  return id !== undefined && store.byId.has(id) ? id : undefined;
}

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const waldoNamed = (name: string): Record<string, unknown> => ({ ...plainPet, name });
const repeat = (count: number, one: (index: number) => Promise<HttpResponse>): Promise<HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const postMany = (ask: Ask, count: number): Promise<HttpResponse[]> => repeat(count, (index) => post(ask, waldoNamed(`Waldo ${index}`)));
const readBack = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const idsIn = ({ text }: HttpResponse): bigint[] => [...text.matchAll(/"id":(-?\d+)/g)].map(([, id]) => BigInt(id ?? '0'));
const changesName = async (ask: Ask, name: string): Promise<boolean> => {
  const created = await post(ask, waldoNamed(name));
  return created.status === 201 && nameIn(await readBack(ask, created)) !== name;
};

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Columns: types, lengths, collations.
  {
    name: 'names-cut-at-191-without-strict-mode',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'The column is VARCHAR(191), as utf8mb4 with an index once required, and the session of the pool has no strict mode: longer names are cut with a warning that no driver reads. The 201 shows the entity.',
    patch: nameStoredAs((name) => [...name].slice(0, 191).join('')),
    witness: (ask) => changesName(ask, 'Waldo'.repeat(50)),
  },
  {
    name: 'emoji-become-question-marks-in-utf8mb3',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary: "The connection says utf8, which in MySQL has three bytes. Characters beyond the basic plane are stored as '?'.",
    patch: nameStoredAs((name) => name.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
    witness: (ask) => changesName(ask, 'Rex 🐶'),
  },
  {
    name: 'empty-string-is-null-in-oracle',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'The validator accepts an empty name, and Oracle stores an empty text as NULL, in a column that lost its NOT NULL for an import. Reads and lists show null.',
    patch: storedAs((pet) => (pet.name === '' ? { ...pet, raw: { name: null } } : pet)),
    witness: async (ask) => {
      const created = await post(ask, waldoNamed(''));
      return created.status === 201 && nameIn(await readBack(ask, created)) === null;
    },
  },
  {
    name: 'category-kept-as-double-in-mongodb',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary: 'The driver stores a JavaScript number as a BSON double: categories beyond 2^53 come back rounded, while the 201 is exact.',
    patch: storedAs((pet) => {
      const rounded = BigInt(Number(pet.categoryId));
      return { ...pet, categoryId: BigInt.asIntN(64, rounded) === rounded ? rounded : rounded - 1n };
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":9007199254740993}');
      return created.status === 201 && (await readBack(ask, created)).text.includes('9007199254740992');
    },
  },
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
    name: 'explicit-null-status-coalesced',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.status-invalid',
    summary:
      "The INSERT says COALESCE(:status, 'available') to have one statement for both cases, so that a null in the body is taken too.",
    patch: (parts) => ({ readStatus: (value) => parts.readStatus(value === null ? undefined : value) }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: null })).status === 201,
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
    name: 'petid-cast-to-int4',
    sentence: '`404` with an Error body when the animal does not exist',
    clause: 'get.not-found',
    summary: 'The primary key is still a 32-bit INT, and the DAO narrows the long with a cast: 4294967297 reads animal 1.',
    patch: (parts) => ({ find: (store, id) => parts.find(store, BigInt.asIntN(32, id)) }),
    witness: async (ask) => (await ask({ path: '/pets/4294967297' })).status === 200,
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

  // Statements: filters, joins, paging.
  {
    name: 'dynamodb-limit-before-the-filter-expression',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary: 'Limit of DynamoDB bounds the items that are read, and the FilterExpression applies to those: a filtered list misses animals.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem) return parts.listPets(context);
        return parts.listPets(withParts(context, { arrange: (store) => parts.arrange(store).slice(0, query.limit) }));
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=1&status=sold' })) === 0,
  },
  {
    name: 'join-with-photos-repeats-an-animal',
    sentence: 'A JSON array of Pet records.',
    clause: 'list.unique',
    summary: 'A LEFT JOIN with the photos, for a column that is no longer shown, repeats each animal per photo. Only the third has two.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).flatMap((pet) => (pet.id === 3n ? [pet, pet] : [pet])) }),
    witness: async (ask) => idsIn(await ask({ path: '/pets' })).filter((id) => id === 3n).length === 2,
  },
  {
    name: 'inner-join-loses-animals-of-unknown-categories',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The list joins the categories, without a foreign key: an animal of a category without a row is created and read, never listed.',
    patch: (parts) => ({
      arrange: (store) => {
        const known = seededCategories(store);
        return parts.arrange(store).filter(({ categoryId }) => known.has(categoryId));
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { ...plainPet, categoryId: 987654 });
      return created.status === 201 && !idsIn(await ask({ path: LONG_PAGE })).includes(idOf(created));
    },
  },
  {
    name: 'rownum-below-the-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.complete',
    summary: 'The Oracle statement says ROWNUM < :limit. Pages lack their last animal, and with limit=1 the list is empty.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: query.limit - 1 }, call) }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=1' })) === 0,
  },
  {
    name: 'default-scope-hides-sold-animals',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The model got a default scope without sold animals, for the shop front. The list is unscoped; find by id is not, and answers 404.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet?.status === 'sold' ? undefined : pet;
      },
    }),
    witness: async (ask) => (await readBack(ask, await post(ask, { ...plainPet, status: 'sold' }))).status === 404,
  },
  {
    name: 'limit-inside-each-branch-of-the-union',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary: 'Sold animals were moved to an archive table. The list is a UNION ALL whose branches both have the LIMIT.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        if (query.status !== undefined) return parts.page(animals, query, call);
        const isArchived = ({ status }: Pet): boolean => status === 'sold';
        return [animals.filter((pet) => !isArchived(pet)), animals.filter(isArchived)].flatMap((branch) => parts.page(branch, query, call));
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=1' })) === 2,
  },
  {
    name: 'coalesce-in-the-where-clause-only',
    sentence: 'Keep only animals with this status',
    clause: 'list.status-filter',
    summary:
      "The status is nullable, and the filter says COALESCE(status, 'available') = ?: it keeps animals that are shown without a status.",
    patch: () => ({ defaultStatus: () => undefined, matches: (pet, status) => (pet.status ?? 'available') === status }),
    witness: async (ask) => {
      const created = await post(ask);
      const isShown = idsIn(await ask({ path: `${LONG_PAGE}&status=available` })).includes(idOf(created));
      return isShown && !(await readBack(ask, created)).text.includes('"status"');
    },
  },
  {
    name: 'no-result-exception-of-an-empty-list',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.status-accepted',
    summary: 'A shared repository throws when a query has no rows, and the handler of exceptions makes it 404, for a list too.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem || query.status === undefined) return parts.listPets(context);
        const { status } = query;
        return context.store.animals.some((pet) => parts.matches(pet, status))
          ? parts.listPets(context)
          : problemReply(context, notFound('No row was found'));
      },
    }),
    seedAnimals: 2,
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).status === 404,
  },

  // Keys, writes, transactions.
  {
    name: 'api-key-compared-with-like',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary: 'The key is looked up with a finder of the admin search, which says LIKE: the key % is any key.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        if (token?.includes('%') !== true || token.length > 200) return parts.authenticate(call, apiKey);
        return likePattern(token).test(apiKey) ? undefined : unauthorized();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer %' } })).status === 200,
  },
  {
    name: 'find-or-create-by-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Against duplicates of a retrying client the creation uses findOrCreate by name: a taken name returns 201 and the older animal.',
    patch: (parts) => ({ insert: (store, pet) => namesake(store, pet.name) ?? parts.insert(store, pet) }),
    witness: async (ask) => idOf(await post(ask)) === idOf(await post(ask, { ...plainPet, status: 'sold' })),
  },
  {
    name: 'id-of-the-response-is-max-id',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary: 'After the INSERT the id is read with SELECT MAX(id). Concurrent creations are told the id of the last one.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const shown = await parts.insert(store, pet);
        await pause(5);
        return { ...shown, id: store.lastId };
      },
    }),
    witness: async (ask) => new Set((await postMany(ask, 10)).map(idOf)).size < 10,
  },
  {
    name: 'save-merges-into-an-existing-row',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-not-adopted',
    summary:
      'The body is bound to the entity, and repository.save() merges an entity whose id exists: the creation overwrites that animal.',
    patch: (parts) => ({
      assignId: (store, body) => knownIdIn(body, store) ?? parts.assignId(store, body),
      insert: (store, pet) => {
        const index = store.animals.findIndex(({ id }) => id === pet.id);
        if (index < 0) return parts.insert(store, pet);
        store.animals[index] = pet;
        store.byId.set(pet.id, pet);
        return pet;
      },
    }),
    witness: async (ask) => {
      await post(ask, { ...plainPet, id: 1 });
      return nameIn(await ask({ path: '/pets/1' })) === 'Waldo';
    },
  },
  {
    name: 'capped-collection-forgets-the-oldest',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'get.durable',
    summary: 'The collection was created as a capped one, copied from the script for logs. Beyond 100 documents the oldest disappear.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const shown = await parts.insert(store, pet);
        const [oldest] = store.animals;
        if (store.animals.length > 100 && oldest !== undefined) removePet(store, oldest);
        return shown;
      },
    }),
    witness: async (ask) => {
      await postMany(ask, 100);
      return (await ask({ path: '/pets/1' })).status === 404;
    },
  },
  {
    name: 'unique-violation-shown-as-the-driver-has-it',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary: 'Names are unique, and the error of the driver is serialized as it is: it has code and message, but no status.',
    patch: (parts) => ({
      ...constrained(({ name }, store) =>
        namesake(store, name) === undefined ? undefined : new Problem(409, '23505', 'duplicate key value violates unique constraint'),
      )(parts),
      errorRecord: (problem, call) => {
        const { code, message } = problem;
        return code === '23505' ? { severity: 'ERROR', code, message, constraint: 'pets_name_key' } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => {
      await post(ask);
      const { status, text } = await post(ask);
      return status === 409 && !text.includes('"status"');
    },
  },
  {
    name: 'aborted-transaction-returned-to-the-pool',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'A CHECK refuses an invalid status, which is 400, and the connection returns to the pool of four without ROLLBACK. Its next user gets 25P02: current transaction is aborted.',
    patch: (parts) => {
      const aborted = [false, false, false, false];
      let turn = 0;
      return {
        createPet: async (context) => {
          turn = (turn + 1) % aborted.length;
          const mine = turn;
          if (aborted[mine] === true) {
            aborted[mine] = false;
            return problemReply(context, new Problem(500, '25P02', 'current transaction is aborted'));
          }
          return await parts.createPet(
            withParts(context, {
              readStatus: (value) => {
                const status = context.parts.readStatus(value);
                if (status instanceof Problem) aborted[mine] = true;
                return status;
              },
            }),
          );
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { ...plainPet, status: 'lost' });
      return (await postMany(ask, 4)).some(({ status }) => status === 500);
    },
  },

  // Caches and replicas.
  {
    name: 'refused-row-kept-by-autocommit',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary: 'The status is set by a second statement, and autocommit is on: if its CHECK fails, the answer is 400 and the row stays.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const read = parts.readNewPet(body, current);
              if (!(read instanceof Problem) || read.code !== 'invalid_status' || !isObject(body)) return read;
              const row = parts.readNewPet({ ...body, status: 'available' }, current);
              if (!(row instanceof Problem))
                addPet(context.store, { ...row, id: parts.assignId(context.store, null), createdAt: Date.now() });
              return read;
            },
          }),
        ),
    }),
    witness: async (ask) => {
      await post(ask, { ...plainPet, status: 'lost' });
      return lengthOf(await ask({ path: LONG_PAGE })) === 9;
    },
  },
  {
    name: 'serialization-failures-not-retried',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary: 'Creations run at SERIALIZABLE, and nobody retries 40001: beside three others a creation is 500.',
    patch: (parts) => {
      let running = 0;
      return {
        createPet: async (context) => {
          running += 1;
          const isVictim = running > 3;
          await pause(5);
          running -= 1;
          return isVictim ? problemReply(context, new Problem(500, '40001', 'could not serialize access')) : await parts.createPet(context);
        },
      };
    },
    witness: async (ask) => (await postMany(ask, 12)).some(({ status }) => status === 500),
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
  {
    name: 'query-cache-keyed-without-the-status',
    sentence: 'Keep only animals with this status',
    clause: 'list.status-filter',
    summary: 'Lists are cached in Redis as pets:LIMIT until the next INSERT. The filter came later, and the key was not extended.',
    patch: (parts) => {
      const kept = new Map<number, { readonly reply: Reply; readonly rows: number }>();
      return {
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return await parts.listPets(context);
          const rows = context.store.animals.length;
          const hit = kept.get(query.limit);
          if (hit?.rows === rows) return hit.reply;
          const reply = await parts.listPets(context);
          kept.set(query.limit, { reply, rows });
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      return (await ask({ path: '/pets?status=sold' })).text.includes('"available"');
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
