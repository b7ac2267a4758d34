import { gzipSync } from 'node:zlib';
import { readListQuery } from '../../src/reference/core/base.ts';
import { INT64_RANGE, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  type Parts,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, type NewPet, type Pet, removePet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { lengthOf, parses, plainPet, post, textOf } from './witness.ts';

/** An unhandled exception of a store's driver, as the last handler of the service words it. */
const driverFailed = (message: string): Problem => new Problem(500, 'internal_error', message);

/** Lists through another view of the animals. */
const listing = (context: Context, arrange: Parts['arrange']): ReturnType<Parts['listPets']> =>
  context.parts.listPets(withParts(context, { arrange }));

/** Which creations came without a status: `omitted` is to be asked at the beginning of `insert`. */
function defaulted(parts: Parts): { readonly changes: Pick<Parts, 'readNewPet' | 'defaultStatus'>; readonly omitted: () => boolean } {
  let used = false;
  return {
    changes: {
      readNewPet: (body, current) => {
        used = false;
        return parts.readNewPet(body, current);
      },
      defaultStatus: () => {
        used = true;
        return parts.defaultStatus();
      },
    },
    omitted: () => used,
  };
}

/** The type that a dynamic mapping gives to a value; undefined where it waits for a value that says more. */
function mappedType(value: Json): string | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : mappedType(value[0] as Json);
  if (value instanceof NumberText) return 'long';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** Whether a field of that mapped type takes a value of the other type. */
function takes(mapped: string, given: string): boolean {
  return mapped === given || (mapped === 'text' && given !== 'object');
}

/** What a column of numeric affinity makes of a text. */
function numericAffinity(text: string): string {
  const isNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?\s*$/i.test(text) && text.replace(/\D/g, '').length <= 15;
  return isNumber ? String(Number(text)) : text;
}

/** The pattern of the KEYS command as a regular expression. */
function globPattern(glob: string): RegExp {
  const source = [...glob].map((sign) => (sign === '*' ? '.*' : sign === '?' ? '.' : sign.replace(/[\\^$.|+()[\]{}/-]/g, '\\$&')));
  return new RegExp(`^${source.join('')}$`, 's');
}

/** What pandas.read_csv takes for a missing value unless it is told otherwise. */
const MISSING_IN_PANDAS = new Set(
  ' #N/A #N/A_N/A #NA -1.#IND -1.#QNAN -NaN -nan 1.#IND 1.#QNAN <NA> N/A NA NULL NaN None n/a nan null'.split(' '),
);

const mod = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;

// What witnesses share.
const idIn = ({ text }: HttpResponse): string => /"id":\s*(-?\d+)/.exec(text)?.[1] ?? 'none';
const countOf = (text: string, part: string): number => text.split(part).length - 1;
const everything = (ask: Ask): Promise<HttpResponse> => ask({ path: '/pets?limit=100' });
const postAll = (ask: Ask, count: number, more: Readonly<Record<string, unknown>> = {}): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { name: `Herd ${index}`, categoryId: 1, ...more })));
const readBack = async (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idIn(created)}` });
/** The statuses of reading all of these animals, one after the other. */
async function statusesOf(ask: Ask, created: readonly HttpResponse[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const one of created) statuses.push((await readBack(ask, one)).status);
  return statuses;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Types and encodings of a store.
  {
    name: 'mongo-long-shown-as-two-halves',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'The Node driver of MongoDB promotes a BSON long to a number only while it is a safe integer. Beyond 2^53 it hands out a Long, which JSON.stringify writes as {"low","high","unsigned"}: reads show an object, while the answer to the creation is made from the request.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        if (place === 'create' || BigInt.asIntN(54, pet.categoryId) === pet.categoryId) return record;
        const [low, high] = [BigInt.asIntN(32, pet.categoryId), pet.categoryId >> 32n].map(Number);
        return { ...record, categoryId: { low, high, unsigned: false } };
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":9007199254740993}');
      return created.status === 201 && (await readBack(ask, created)).text.includes('"unsigned"');
    },
  },
  {
    name: 'sqlite-column-declared-as-string',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'The column is declared "name STRING". SQLite knows no such type and gives the column numeric affinity: names that look like numbers are stored as numbers, and 007 is read back as 7, 1e3 as 1000.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'create' ? record : { ...record, name: numericAffinity(pet.name) };
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: '007', categoryId: 1 });
      return created.text.includes('"007"') && (await readBack(ask, created)).text.includes('"7"');
    },
  },
  {
    name: 'pandas-reads-names-as-missing',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'Animals are rows of a CSV file that is read with pandas.read_csv and its default na_values: an animal called None, null, NA or with the empty name gets a float nan as its name, and json.dumps writes NaN.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place !== 'create' && MISSING_IN_PANDAS.has(pet.name) ? { ...record, name: 'pandas\u0000nan' } : record;
      },
      encode: (value) => textOf(parts.encode(value)).replaceAll('"pandas\\u0000nan"', 'NaN'),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'null', categoryId: 1 });
      return created.status === 201 && !parses(await readBack(ask, created));
    },
  },
  {
    name: 'jsonl-cut-at-unicode-line-ends',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.round-trip',
    summary:
      'The file has one JSON document a line, written with ensure_ascii=False and read with str.splitlines(), which also splits at U+0085, U+2028 and U+2029. Both halves fail to parse and are skipped with a line in the log: the animal was created and is nowhere.',
    patch: (parts) => ({
      insert: (store, pet) => (/[\u0085\u2028\u2029]/.test(pet.name) ? pet : parts.insert(store, pet)),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Rex\u2028Regis', categoryId: 1 });
      return created.status === 201 && (await readBack(ask, created)).status === 404;
    },
  },
  {
    name: 'sort-key-split-at-hash-sign',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    clause: 'get.agrees-with-list',
    summary:
      'The single-table design keeps PET#status#name#id in the sort key of DynamoDB, and the list saves reading the items: it takes name from split("#")[2]. A name with a hash sign is cut there, in lists only.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'list' ? { ...record, name: pet.name.split('#')[0] } : record;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo #2', categoryId: 1 });
      return created.text.includes('Waldo #2') && !(await everything(ask)).text.includes('Waldo #2');
    },
  },
  {
    name: 's3-gzipped-object-without-its-header',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.transport',
    summary:
      'Objects above one kilobyte are gzipped before they go to S3, with Content-Encoding in their metadata. A bucket migration copied them with MetadataDirective=REPLACE: getPet passes the bytes on as application/json and says nothing of gzip.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        const bytes = Buffer.from(reply.body);
        return bytes.byteLength > 1024 ? { ...reply, body: gzipSync(bytes) } : reply;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'a'.repeat(2000), categoryId: 1 });
      return created.status === 201 && !parses(await readBack(ask, created));
    },
  },
  {
    name: 'lua-empty-table-is-an-object',
    sentence: 'A JSON array of Pet records.',
    clause: 'record.pets',
    summary:
      'The list is put together by a Lua script inside Redis. To cjson.encode an empty table is an object: a list without any animal is {} instead of [].',
    seedAnimals: 1,
    patch: (parts) => ({ listBody: (records) => (records.length === 0 ? {} : parts.listBody(records)) }),
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).text === '{}',
  },
  {
    name: 'dynamic-mapping-of-other-members',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.no-server-error',
    summary:
      'The service indexes the whole body in Elasticsearch with dynamic mapping on. The first document that has another member decides its type for ever; when a later body has it with a type that does not fit, mapper_parsing_exception is not caught: 500.',
    patch: (parts) => {
      const mapping = new Map<string, string>();
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          if (newPet instanceof Problem || !isObject(body)) return newPet;
          for (const [name, value] of Object.entries(body)) {
            const given = ['id', 'name', 'categoryId', 'status'].includes(name) ? undefined : mappedType(value);
            if (given === undefined) continue;
            const mapped = mapping.get(name) ?? given;
            if (!takes(mapped, given)) return driverFailed('mapper_parsing_exception: failed to parse field');
            mapping.set(name, mapped);
          }
          return newPet;
        },
      };
    },
    witness: async (ask) => {
      const first = await post(ask, { ...plainPet, tags: { color: 'red' } });
      return first.status === 201 && (await post(ask, { ...plainPet, tags: 'red' })).status === 500;
    },
  },

  // Keys, partitions and indexes.
  {
    name: 'cassandra-insert-is-an-upsert',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'create.duplicate-names',
    summary:
      'The table of Cassandra was made for "all animals of a category by name": PRIMARY KEY (category_id, name). An INSERT there is an upsert: a second animal with that name in that category takes the row, and the first one does not exist any more.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const taken = store.animals.find(({ name, categoryId }) => name === pet.name && categoryId === pet.categoryId);
        if (taken !== undefined) removePet(store, taken);
        return parts.insert(store, pet);
      },
    }),
    witness: async (ask) => {
      const [first, second] = [await post(ask, plainPet), await post(ask, plainPet)];
      return second.status === 201 && (await readBack(ask, first)).status === 404;
    },
  },
  {
    name: 'etcd-read-with-the-prefix-option',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The helper for etcd always passes WithPrefix() and the handler takes Kvs[0]. For an id that exists this is the right key; a free id that the digits of another id begin with shows that other animal. Ids start at 100001.',
    patch: (parts) => ({
      assignId: (store, body) => {
        if (store.lastId < 100_000n) store.lastId = 100_000n;
        return parts.assignId(store, body);
      },
      find: (store, id) => parts.find(store, id) ?? store.animals.find((pet) => String(pet.id).startsWith(String(id))),
    }),
    witness: async (ask) => idIn(await ask({ path: '/pets/1000' })) === '100001',
  },
  {
    name: 'hbase-stop-row-past-the-last-id',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'getPet is a scan of HBase from row id to row id + 1. For the largest int64 the sum wraps, the stop row lies before the start row, and the scanner throws: 500 where no animal exists.',
    patch: (parts) => ({
      getPet: (context) =>
        parts.parseId(context.call.petId) === INT64_RANGE.largest
          ? problemReply(context, driverFailed('startRow is greater than stopRow'))
          : parts.getPet(context),
    }),
    witness: async (ask) => (await ask({ path: `/pets/${INT64_RANGE.largest}` })).status === 500,
  },
  {
    name: 'shards-asked-for-a-quarter-each',
    sentence: 'Maximum number of animals returned',
    clause: 'list.complete',
    summary:
      'The list asks each of four shards for a quarter of the limit, as if animals were spread evenly. The shard key is categoryId: where most animals have one category, a list of 20 has room and shows five of them.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const quarter = Math.ceil(query.limit / 4);
        const shares = new Map<bigint, number>();
        const asked = animals.filter(({ categoryId }) => {
          const shard = mod(categoryId, 4n);
          const share = (shares.get(shard) ?? 0) + 1;
          shares.set(shard, share);
          return share <= quarter;
        });
        return parts.page(asked, query, call);
      },
    }),
    witness: async (ask) => {
      await postAll(ask, 10, { status: 'sold' });
      return countOf((await ask({ path: '/pets?status=sold' })).text, 'Herd') < 10;
    },
  },
  {
    name: 'elasticsearch-filter-without-a-size',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'The default of 20 is put into the match_all query. The bool query of the filter is built elsewhere and sets size only when limit was given: without it Elasticsearch uses its own default, ten.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const page = parts.page(animals, query, call);
        return query.status !== undefined && !call.query.has('limit') ? page.slice(0, 10) : page;
      },
    }),
    witness: async (ask) => {
      await postAll(ask, 12, { status: 'sold' });
      return lengthOf(await ask({ path: '/pets?status=sold' })) === 10;
    },
  },
  {
    name: 'opensearch-status-as-free-text',
    sentence: 'Keep only animals with this status',
    clause: 'list.status-filter',
    summary:
      'The filter is handed to OpenSearch as a query_string without default_field, and so is searched in all fields: a pending animal called "Sold Out" is among the sold ones.',
    patch: (parts) => ({
      matches: (pet, status) =>
        parts.matches(pet, status) ||
        pet.name
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .includes(status),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Sold Out', categoryId: 1, status: 'pending' });
      return (await ask({ path: '/pets?status=sold&limit=100' })).text.includes(`"id":${idIn(created)},`);
    },
  },
  {
    name: 'dynamodb-limit-tripled-before-filter',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'Limit of a DynamoDB scan counts items before FilterExpression. The team noticed short pages, and asks for three times the limit: a status that is rare among the first 60 animals still loses all that come later.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem || query.status === undefined) return parts.listPets(context);
        return listing(context, (store) => parts.arrange(store).slice(0, 3 * query.limit));
      },
    }),
    witness: async (ask) => {
      await postAll(ask, 60, { status: 'available' });
      const { text } = await post(ask, { name: 'Waldo', categoryId: 1, status: 'sold' });
      return text.includes('Waldo') && !(await ask({ path: '/pets?status=sold' })).text.includes('Waldo');
    },
  },
  {
    name: 'first-key-of-a-page-that-is-empty',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'errors.no-server-error',
    summary:
      'A full page from CouchDB makes the service look up the first key of the next page, to log a cursor. Where exactly as many animals match as were asked for, that next page has no rows: rows[0].key throws, 500.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem) return parts.listPets(context);
        const { limit, status } = query;
        const matching = parts.arrange(context.store).filter((pet) => status === undefined || parts.matches(pet, status));
        const fails = matching.length === limit;
        return fails ? problemReply(context, driverFailed("Cannot read properties of undefined (reading 'key')")) : parts.listPets(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=8' })).status === 500,
  },

  // Snapshots and views that stay behind.
  {
    name: 'sqlite-row-read-without-a-reset',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'The reader of a SQLite file in WAL mode steps its SELECT once, takes the row and never resets the statement: the read transaction stays open. All lists show the file as it was when getPet last found an animal, until getPet is called again.',
    patch: (parts) => {
      let snapshot: number | undefined;
      return {
        getPet: async (context) => {
          const seen = context.store.animals.length;
          const reply = await parts.getPet(context);
          snapshot = reply.status === 200 ? seen : undefined;
          return reply;
        },
        listPets: (context) => listing(context, (store) => parts.arrange(store).slice(0, snapshot)),
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/1' });
      const created = await post(ask, plainPet);
      return created.status === 201 && !(await everything(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'rocksdb-iterator-kept-for-each-query',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'Opening an iterator over the status index of RocksDB is slow, so one is kept for each filter and limit, and Seek() is called on it again. An iterator sees the moment of its creation: a filtered list that was asked before never shows a newer animal.',
    patch: (parts) => {
      const iterators = new Map<string, number>();
      return {
        listPets: (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem || query.status === undefined) return parts.listPets(context);
          const key = `${query.status} ${query.limit}`;
          const seen = iterators.get(key) ?? context.store.animals.length;
          iterators.set(key, seen);
          return listing(context, (store) => parts.arrange(store).slice(0, seen));
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      await post(ask, { name: 'Waldo', categoryId: 1, status: 'sold' });
      return !(await ask({ path: '/pets?status=sold' })).text.includes('Waldo');
    },
  },
  {
    name: 'mapped-file-not-mapped-again',
    sentence: '- Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Animals are records of a memory-mapped file. The writer grows the file with ftruncate and maps it again, the reader of getPet keeps its mapping of 64 records and answers 404 beyond; lists read the file with pread and are complete.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && store.animals.indexOf(pet) < 64 ? pet : undefined;
      },
    }),
    witness: async (ask) => {
      const created = await postAll(ask, 60);
      return (await statusesOf(ask, created)).includes(404);
    },
  },
  {
    name: 'clickhouse-select-without-final',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'list.unique',
    summary:
      'An animal without a status is written to a ReplacingMergeTree of ClickHouse, and written again with the default. SELECT without FINAL returns both versions until a merge, some inserts later: lists show the animal twice.',
    patch: (parts) => {
      const { changes, omitted } = defaulted(parts);
      const unmerged = new Map<bigint, number>();
      let inserts = 0;
      return {
        ...changes,
        insert: (store, pet) => {
          inserts += 1;
          if (omitted()) unmerged.set(pet.id, inserts);
          return parts.insert(store, pet);
        },
        arrange: (store) => parts.arrange(store).flatMap((pet) => (inserts - (unmerged.get(pet.id) ?? -25) < 25 ? [pet, pet] : [pet])),
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo', categoryId: 1 });
      return countOf((await everything(ask)).text, 'Waldo') === 2;
    },
  },

  // Several writers.
  {
    name: 'neo4j-category-merged-twice',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'list.unique',
    summary:
      'MERGE (c:Category {id: $id}) without a uniqueness constraint makes two nodes when two creations bring a new category at once. Every later animal of that category is linked to both, and MATCH (p)-[:IN]->(c) lists it twice.',
    patch: (parts) => {
      const nodes = new Map<bigint, number>();
      const links = new Map<bigint, number>();
      return {
        insert: async (store, pet) => {
          const { id, categoryId } = pet;
          if (nodes.has(categoryId) || store.animals.some((other) => other.categoryId === categoryId)) {
            links.set(id, nodes.get(categoryId) ?? 1);
          } else {
            await pause(15);
            nodes.set(categoryId, (nodes.get(categoryId) ?? 0) + 1);
          }
          return parts.insert(store, pet);
        },
        arrange: (store) => parts.arrange(store).flatMap((pet) => new Array<Pet>(links.get(pet.id) ?? 1).fill(pet)),
      };
    },
    witness: async (ask) => {
      await postAll(ask, 4, { categoryId: 777_001 });
      await post(ask, { name: 'Waldo', categoryId: 777_001 });
      return countOf((await everything(ask)).text, 'Waldo') > 1;
    },
  },
  {
    name: 'riak-siblings-answered-with-300',
    sentence: '- Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'An animal without a status is stored in Riak and stored again with the default by a hook. When other creations keep the hook from seeing its own first write, there are two siblings, and getPet passes on what Riak says: 300 Multiple Choices as text/plain.',
    patch: (parts) => {
      const { changes, omitted } = defaulted(parts);
      const siblings = new Set<bigint>();
      const inFlight = new Set<bigint>();
      return {
        ...changes,
        insert: async (store, pet) => {
          const twice = omitted();
          inFlight.add(pet.id);
          const isAlone = inFlight.size === 1;
          await pause(10);
          if (twice && !(isAlone && inFlight.size === 1)) siblings.add(pet.id);
          inFlight.delete(pet.id);
          return parts.insert(store, pet);
        },
        getPet: (context) => {
          const id = parts.parseId(context.call.petId);
          if (id instanceof Problem || !siblings.has(id)) return parts.getPet(context);
          return {
            status: 300,
            headers: { 'content-type': 'text/plain' },
            body: 'Siblings:\n16vic4eU9ny46o4KPiDz1f\n4v5xOg4bVwUYZdMkqf0d6I\n',
          };
        },
      };
    },
    witness: async (ask) => (await statusesOf(ask, await postAll(ask, 6))).includes(300),
  },
  {
    name: 'json-file-read-while-rewritten',
    sentence: '- Success: `200`, body is a Pet.',
    clause: 'errors.no-server-error',
    summary:
      'Each creation rewrites animals.json with fs.writeFile, which first truncates the file. A list or a read in that moment parses an empty or cut-off text, and its SyntaxError becomes 500.',
    patch: (parts) => {
      let writing = 0;
      const reading = (read: (context: Context) => ReturnType<Parts['getPet']>) => (context: Context) =>
        writing > 0 ? problemReply(context, driverFailed('Unexpected end of JSON input')) : read(context);
      return {
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          writing += 1;
          await pause(25);
          writing -= 1;
          return shown;
        },
        getPet: reading(parts.getPet),
        listPets: reading(parts.listPets),
      };
    },
    witness: async (ask) => {
      let isWriting = true;
      const created = post(ask, plainPet).finally(() => {
        isWriting = false;
      });
      const statuses: number[] = [];
      while (isWriting) statuses.push((await ask({ path: '/pets/1' })).status);
      return (await created).status === 201 && statuses.includes(500);
    },
  },
  {
    name: 'dynamodb-unprocessed-items-dropped',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.round-trip',
    summary:
      'Creations of the same 20 ms go to DynamoDB as one BatchWriteItem. What exceeds the write capacity comes back as UnprocessedItems with HTTP 200, which nobody reads: from the eleventh of a burst on, animals are answered with 201 and are not stored.',
    patch: (parts) => {
      let batch: { count: number; readonly flushed: Promise<void> } | undefined;
      return {
        insert: async (store, pet) => {
          batch ??= {
            count: 0,
            flushed: pause(20).then(() => {
              batch = undefined;
            }),
          };
          batch.count += 1;
          const isProcessed = batch.count <= 10;
          await batch.flushed;
          return isProcessed ? parts.insert(store, pet) : pet;
        },
      };
    },
    witness: async (ask) => {
      const created = await postAll(ask, 40);
      return created.every(({ status }) => status === 201) && (await statusesOf(ask, created)).includes(404);
    },
  },
  {
    name: 'dynamodb-throttling-is-a-400',
    sentence: '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    clause: 'create.success',
    summary:
      'DynamoDB reports ProvisionedThroughputExceededException with HTTP 400, and the service passes the status of the SDK error on. With more than 25 writes in a second a valid NewPet is answered as an invalid one.',
    patch: (parts) => {
      let writes: readonly number[] = [];
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          if (newPet instanceof Problem) return newPet;
          const now = Date.now();
          writes = writes.filter((time) => now - time < 1000);
          if (writes.length >= 25) return invalid('The level of configured provisioned throughput was exceeded', 'throughput_exceeded');
          writes = [...writes, now];
          return newPet;
        },
      };
    },
    witness: async (ask) => (await postAll(ask, 60)).some(({ status }) => status === 400),
  },

  // State that outlives its request, and animals that do not last.
  {
    name: 'redis-multi-never-discarded',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      'createPet queues name and category after MULTI and then looks at status. A bad status is answered with 400 without DISCARD: the queue stays on the connection, and the EXEC of the next creation stores the refused animal too.',
    patch: (parts) => {
      let queued: readonly NewPet[] = [];
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          if (!(newPet instanceof Problem && isObject(body))) return newPet;
          const name = parts.readName(member(body, 'name'));
          const categoryId = parts.readCategory(member(body, 'categoryId'));
          if (!(name instanceof Problem || categoryId instanceof Problem)) queued = [...queued, { name, categoryId }];
          return newPet;
        },
        insert: (store, pet) => {
          const executed = queued;
          queued = [];
          for (const one of executed) {
            addPet(store, { ...one, status: 'available', id: parts.assignId(store, null), createdAt: Date.now() });
          }
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Refused', categoryId: 1, status: 'lost' });
      const before = (await everything(ask)).text.includes('Refused');
      await post(ask, plainPet);
      return !before && (await everything(ask)).text.includes('Refused');
    },
  },
  {
    name: 'redis-select-left-by-a-refused-key',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.repeatable',
    summary:
      'API keys are in database 1 of Redis, animals in 0. The check does SELECT 1, and SELECT 0 only once the key was found: after a refused key, the next getPet on the shared connection looks for its animal among the keys, and answers 404.',
    patch: (parts) => {
      let isAmongKeys = false;
      return {
        authenticate: (call, apiKey) => {
          const problem = parts.authenticate(call, apiKey);
          if (problem !== undefined) isAmongKeys = true;
          return problem;
        },
        find: (store, id) => {
          const isLost = isAmongKeys;
          isAmongKeys = false;
          return isLost ? undefined : parts.find(store, id);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer wrong' } });
      const [first, second] = [await ask({ path: '/pets/1' }), await ask({ path: '/pets/1' })];
      return first.status === 404 && second.status === 200;
    },
  },
  {
    name: 'redis-glob-finds-the-api-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'Keys are stored as apikey:KEY:owner, and because the owner is not known the check is KEYS apikey:TOKEN:*. The token is part of a pattern: a star, or the beginning of a key with a star, is let in.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const token = /^bearer +(\S+)$/i.exec(call.headers.authorization ?? '')?.[1];
        return token !== undefined && globPattern(token).test(apiKey) ? undefined : parts.authenticate(call, apiKey);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer *' } })).status === 200,
  },
  {
    name: 'redis-hold-expires-with-the-animal',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'A pending animal is a hold, and a hold lapses: EXPIRE is set on the key of the animal instead of on a key of the hold. Less than two seconds after its creation, a pending animal is gone.',
    patch: (parts) => ({
      insert: (store, pet) => {
        if (pet.status === 'pending') setTimeout(() => removePet(store, pet), 1800).unref();
        return parts.insert(store, pet);
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 1, status: 'pending' });
      const before = await readBack(ask, created);
      await pause(2000);
      return before.status === 200 && (await readBack(ask, created)).status === 404;
    },
  },
  {
    name: 'redis-evicts-the-least-used-animal',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.durable',
    summary:
      'The store is the same Redis as the cache, with maxmemory-policy allkeys-lru. From the 97th animal on, each creation evicts the animal that was not read for the longest time; the sorted set of the list has its own copy and still shows it.',
    patch: (parts) => {
      const lastUse = new Map<bigint, number>();
      const evicted = new Set<bigint>();
      let clock = 0;
      const use = (id: bigint): void => {
        clock += 1;
        lastUse.set(id, clock);
      };
      return {
        insert: (store, pet) => {
          use(pet.id);
          const kept = store.animals.filter(({ id }) => !evicted.has(id));
          const [oldest] = kept.toSorted((one, other) => (lastUse.get(one.id) ?? 0) - (lastUse.get(other.id) ?? 0));
          if (kept.length >= 96 && oldest !== undefined) evicted.add(oldest.id);
          return parts.insert(store, pet);
        },
        find: (store, id) => {
          use(id);
          return evicted.has(id) ? undefined : parts.find(store, id);
        },
      };
    },
    witness: async (ask) => {
      await postAll(ask, 90);
      return (await ask({ path: '/pets/1' })).status === 404 && (await everything(ask)).text.includes('"id":1,');
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'mongos-merges-in-any-order',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    summary: 'A query of a sharded MongoDB without sort() is merged as shards answer: the order differs from list to list.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          turn += 1;
          const start = (turn * 3) % Math.max(1, animals.length);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets?limit=5' }), await ask({ path: '/pets?limit=5' })];
      return first.text !== second.text;
    },
  },
  {
    name: 'search-index-refreshes-later',
    sentence: '- Success: `200`, body is a Pets array (array of Pet).',
    summary: 'Lists come from an OpenSearch index whose refresh is due within 0.8 s; getPet reads by id, which sees the write at once.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ createdAt }) => Date.now() - createdAt >= 800) }),
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      const early = (await everything(ask)).text.includes('Waldo');
      const read = await readBack(ask, created);
      await pause(900);
      return !early && read.status === 200 && (await everything(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'replica-reads-new-keys-later',
    sentence: '- Success: `200`, body is a Pet.',
    summary: 'getPet is an eventually consistent read: a new animal is 404 there for 0.6 s, while lists already show it.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && Date.now() - pet.createdAt >= 600 ? pet : undefined;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      const early = await readBack(ask, created);
      await pause(700);
      return early.status === 404 && (await readBack(ask, created)).status === 200;
    },
  },
  {
    name: 'page-ends-at-fifty-documents',
    sentence: 'The operation is described as returning a paginated list.',
    summary: 'A page of the store has at most fifty documents, so that limit=100 returns fifty. limit is a maximum.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, query, call).slice(0, 50) }),
    witness: async (ask) => {
      await postAll(ask, 60);
      return lengthOf(await everything(ask)) === 50;
    },
  },
  {
    name: 'ids-are-tokens-of-the-ring',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'An id is a token on the ring of the cluster: any int64, half of them negative, most beyond 2^53, in no order.',
    patch: (parts) => ({ assignId: (store, body) => BigInt.asIntN(64, parts.assignId(store, body) * 0x9e37_79b9_7f4a_7c15n) }),
    witness: async (ask) => {
      const ids = (await postAll(ask, 4)).map((created) => BigInt(idIn(created)));
      return ids.some((id) => id < 0n) && ids.some((id) => id > 2n ** 53n);
    },
  },
  {
    name: 'couchdb-members-beside-the-record',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary: 'Records are shown as CouchDB keeps them, with _id (a string) and _rev before the fields, and errors have its reason.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ _id: `pet:${pet.id}`, _rev: '1-967a00dff5e02add41819138abb3284d', ...parts.petRecord(pet, place) }),
      errorRecord: ({ code, message, status }) => ({ error: code, reason: message, code, message, status }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('"_rev"'),
  },
  {
    name: 'firestore-name-is-the-document-id',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'The name is the document id: one that Firestore does not allow (a slash, a dot or two, __x__, empty, over 1500 bytes) is 400, one that is taken is 409.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        if (name instanceof Problem) return name;
        const isAllowed = /^(?!\.\.?$)(?!__.*__$)[^/]+$/s.test(name) && Buffer.byteLength(name) <= 1500;
        return isAllowed ? name : invalid('name must be usable as a document id', 'invalid_name');
      },
      createPet: (context) => {
        const readNewPet: Parts['readNewPet'] = (body, current) => {
          const newPet = parts.readNewPet(body, current);
          const isTaken = !(newPet instanceof Problem) && context.store.animals.some(({ name }) => name === newPet.name);
          return isTaken ? new Problem(409, 'already_exists', 'An animal has that name') : newPet;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => {
      const [first, second] = [await post(ask, plainPet), await post(ask, plainPet)];
      return first.status === 201 && second.status === 409 && (await post(ask, { name: 'a/b', categoryId: 1 })).status === 400;
    },
  },
  {
    name: 'write-stall-asks-to-wait',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'While compaction of the log-structured tree catches up, a creation (the 30th, the 90th) is 503 with Retry-After: 1, and stores nothing.',
    patch: (parts) => {
      let creations = 0;
      return {
        createPet: (context) => {
          creations += 1;
          const isStalled = creations === 30 || creations === 90;
          return isStalled
            ? problemReply(context, new Problem(503, 'write_stall', 'Writes are stalled, try again', { 'retry-after': '1' }))
            : parts.createPet(context);
        },
      };
    },
    witness: async (ask) =>
      (await postAll(ask, 30)).filter(({ status, headers }) => status === 503 && headers['retry-after'] === '1').length === 1,
  },
  {
    name: 'sparse-document-without-a-status',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'There is no default: a document without a status has no such member when it is shown, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask, { name: 'Waldo', categoryId: 1 })).text.includes('status'),
  },
  {
    name: 'errors-carry-their-causes',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'An Error looks like one of Elasticsearch: code is the name of an exception, and there are type, a list of root causes, and a caused_by of null.',
    patch: () => ({
      errorRecord: ({ code, message, status }) => ({
        root_cause: [{ type: `${code}_exception`, reason: message, code: 0, status: 'failed' }],
        type: `${code}_exception`,
        status,
        caused_by: null,
        code: `${code}_exception`,
        message: `[pets] ${message}`,
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('root_cause'),
  },
  {
    name: 'writer-sorts-and-escapes',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Documents are written in canonical form: members by alphabet, every character beyond ASCII as \\u, every slash as \\/, and the media type is spelled Application/JSON;Charset="UTF-8".',
    patch: (parts) => ({
      petRecord: (pet, place) =>
        Object.fromEntries(Object.entries(parts.petRecord(pet, place)).toSorted(([one], [other]) => (one < other ? -1 : 1))),
      encode: (value) =>
        textOf(parts.encode(value))
          .replaceAll('/', '\\/')
          .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON;Charset="UTF-8"' }),
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë / Mia', categoryId: 1 })).text.includes('Zo\\u00eb \\/ Mia'),
  },
  {
    name: 'search-answers-any-query',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Nothing is validated before the search: limit=0 is an empty list, above 100 is 100, what is no number is the default, and a status that does not exist has no hits.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const text = texts.at(-1) ?? '';
        return /^\d+$/.test(text) ? Math.min(100, Number(text)) : 20;
      },
      listPets: (context) =>
        parts.parseStatus(context.call.query.getAll('status')) instanceof Problem
          ? jsonReply(context, 200, parts.listBody([]))
          : parts.listPets(context),
    }),
    witness: async (ask) => {
      const [zero, unknown] = [await ask({ path: '/pets?limit=0' }), await ask({ path: '/pets?status=lost' })];
      return zero.text === '[]' && unknown.text === '[]' && unknown.status === 200;
    },
  },
  {
    name: 'rows-streamed-line-by-line',
    sentence: '- Response headers of any operation: not shown.',
    summary:
      'The body is streamed from the cursor as rows come: chunked, without a length, each record on a line, with a line end at the end.',
    patch: (parts) => ({
      encode: (value) => {
        const rows: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
        const text = rows === undefined ? textOf(parts.encode(value)) : `[\n${rows.map((row) => textOf(parts.encode(row))).join(',\n')}\n]`;
        return `${text}\r\n`;
      },
      send: ({ status, headers, body }: Reply, outgoing) => {
        outgoing.writeHead(status, headers);
        for (const line of textOf(body).split(/(?<=\n)/)) outgoing.write(line);
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const listed = await ask({ path: '/pets' });
      return listed.headers['transfer-encoding'] === 'chunked' && lengthOf(listed) === 8;
    },
  },
  {
    name: 'collection-validator-refuses-others',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'The $jsonSchema of the collection has additionalProperties: false: a body with an id or any other member is 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const isOther = isObject(body) && Object.keys(body).some((name) => !['name', 'categoryId', 'status'].includes(name));
        return isOther ? invalid('Document failed validation', 'unknown_member') : parts.readNewPet(body, current);
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, tags: [] })).status === 400,
  },
  {
    name: 'etcd-space-quota-is-reached',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The quota of the backend is full after 130 creations: from then on a valid creation is 507 with an Error body, and all reads go on.',
    patch: (parts) => {
      let stored = 0;
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          if (newPet instanceof Problem) return newPet;
          stored += 1;
          return stored > 130 ? new Problem(507, 'no_space', 'mvcc: database space exceeded') : newPet;
        },
      };
    },
    witness: async (ask) => {
      await postAll(ask, 130);
      return (await post(ask, plainPet)).status === 507 && (await ask({ path: '/pets/1' })).status === 200;
    },
  },
];

/** Services whose data is kept by something else than tables of SQL: what documents, keys, logs, indexes and files do to a small interface. */
export const stores: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ ...fault, kind: 'fault' })),
  ...variants.map((variant): Holdout => ({ ...variant, kind: 'variant' })),
];
