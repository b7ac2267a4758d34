import { isObject } from '../../src/reference/core/json.ts';
import { invalid, jsonReply, type Parts, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { lengthOf, plainPet, post, textOf } from './witness.ts';

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
