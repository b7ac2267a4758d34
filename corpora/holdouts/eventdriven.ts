import { createHash } from 'node:crypto';
import {
  type Context,
  jsonReply,
  notFound,
  type Parts,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { textOf } from './witness.ts';

/** A read side that never got some animals: neither the list nor getPet sees them. */
const withoutLost = (parts: Parts, isLost: (pet: Pet, store: Store) => boolean): Pick<Parts, 'arrange' | 'find'> => ({
  arrange: (store) => parts.arrange(store).filter((pet) => !isLost(pet, store)),
  find: (store, id) => {
    const pet = parts.find(store, id);
    return pet === undefined || isLost(pet, store) ? undefined : pet;
  },
});

/** Animals of which the event was projected some time after it was stored. */
const lagging =
  (lag: (pet: Pet) => number) =>
  (pet: Pet): boolean =>
    Date.now() - pet.createdAt < lag(pet);

/** A last check of a creation that is otherwise valid. */
const creationCheck = (context: Context, parts: Parts, check: (newPet: NewPet) => Problem | undefined): Context =>
  withParts(context, {
    readNewPet: (body, current) => {
      const newPet = parts.readNewPet(body, current);
      return newPet instanceof Problem ? newPet : (check(newPet) ?? newPet);
    },
  });

// What witnesses share.
const post = (ask: Ask, fields: Readonly<Record<string, unknown>> = {}) =>
  ask({ method: 'POST', path: '/pets', body: JSON.stringify({ name: 'Waldo', categoryId: 1, ...fields }) });
/** One after the other. */
async function postEach(ask: Ask, count: number, fields: Readonly<Record<string, unknown>> = {}): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await post(ask, { name: `Waldo${index}`, ...fields }));
  return responses;
}
/** All at once. */
const postTogether = (ask: Ask, count: number, fields: Readonly<Record<string, unknown>> = {}): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { name: `Waldo${index}`, ...fields })));
const idOf = ({ text }: HttpResponse): string => /"id":\s*(-?\d+)/.exec(text)?.[1] ?? '0';
const readBack = (ask: Ask, created: HttpResponse) => ask({ path: `/pets/${idOf(created)}` });
const isGone = async (ask: Ask, created: HttpResponse | undefined): Promise<boolean> =>
  created?.status === 201 && (await readBack(ask, created)).status === 404;
const recordsOf = ({ text }: HttpResponse): readonly Record<string, unknown>[] => JSON.parse(text) as Record<string, unknown>[];
const listed = (ask: Ask, query = '?limit=100') => ask({ path: `/pets${query}` });

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Formats of events, and what they do to values.
  {
    name: 'grpc-code-of-the-aggregate',
    sentence: '| code | string | yes | Machine-readable error code |',
    clause: 'create.body-json',
    summary:
      'The HTTP layer writes its own rejections. Those of the aggregate (category, status) come back by gRPC, and code is the number of INVALID_ARGUMENT.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        call.operation === 'createPet' && (problem.code === 'invalid_status' || problem.code === 'invalid_category')
          ? { code: 3, message: problem.message, status: problem.status }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => (await post(ask, { status: 'lost' })).text.includes('"code":3'),
  },

  // Events that are lost on the way to the read side.
  {
    name: 'bulk-processor-without-flush-interval',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'The indexer uses the BulkProcessor of Elasticsearch with setBulkActions(10) and no setFlushInterval: up to nine animals wait in memory until others follow. On a quiet day they are never listed.',
    patch: (parts) => {
      const waiting = new Set<Pet>();
      return {
        insert: (store, pet) => {
          waiting.add(pet);
          if (waiting.size === 10) waiting.clear();
          return parts.insert(store, pet);
        },
        arrange: (store) => parts.arrange(store).filter((pet) => !waiting.has(pet)),
      };
    },
    witness: async (ask) => {
      const created = await post(ask);
      await pause(100);
      return created.status === 201 && !(await listed(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'saga-compensates-an-unknown-category',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'get.success',
    summary:
      'A saga asks the catalogue whether the category exists, a quarter of a second after the client got 201 and could read the animal; if not, it compensates with PetWithdrawn.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const known = store.animals.some(({ createdAt, categoryId }) => createdAt === 0 && categoryId === pet.categoryId);
        if (!known) setTimeout(() => removePet(store, pet), 250).unref();
        return parts.insert(store, pet);
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { categoryId: 424_242 });
      await pause(600);
      return await isGone(ask, created);
    },
  },
  {
    name: 'rebuilt-view-misses-what-came-meanwhile',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Every fifty events the read model is rebuilt next to the old one, and swapped in. What the old one was given while the rebuild ran (the 31st to 33rd event) is visible before the swap, and gone after it.',
    patch: (parts) => {
      let events = 0;
      const meanwhile: Pet[] = [];
      const gone = new Set<Pet>();
      return {
        insert: (store, pet) => {
          events += 1;
          const turn = events % 50;
          if (turn > 30 && turn < 34) meanwhile.push(pet);
          if (turn === 34) for (const missed of meanwhile.splice(0)) gone.add(missed);
          return parts.insert(store, pet);
        },
        ...withoutLost(parts, (pet) => gone.has(pet)),
      };
    },
    witness: async (ask) => await isGone(ask, (await postEach(ask, 34))[31]),
  },

  // Snapshots and projections that show something else.
  {
    name: 'snapshot-lacks-the-category',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'get.agrees-with-list',
    summary:
      'The aggregate is snapshotted every 30 events. The snapshot class has no getter for the category, so Jackson leaves it out: animals that are loaded from a snapshot have category 0. The list is another projection.',
    patch: (parts) => {
      const recent: Pet[] = [];
      const snapshotted = new Set<bigint>();
      return {
        insert: (store, pet) => {
          recent.push(pet);
          if (recent.length === 30) for (const { id } of recent.splice(0)) snapshotted.add(id);
          return parts.insert(store, pet);
        },
        petRecord: (pet, place) => parts.petRecord(place === 'get' && snapshotted.has(pet.id) ? { ...pet, categoryId: 0n } : pet, place),
      };
    },
    witness: async (ask) => {
      const [first] = await postEach(ask, 30);
      return first !== undefined && (await readBack(ask, first)).text.includes('"categoryId":0');
    },
  },

  // Queries.
  {
    name: 'filtered-search-has-the-default-size',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.status-filter',
    summary:
      'The query with a status is built by another method, which sets size only if limit was given. Elasticsearch then returns ten hits: with twelve animals for sale, two are missing.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === undefined || call.query.has('limit') ? query : { ...query, limit: 10 }, call),
    }),
    witness: async (ask) => {
      await postEach(ask, 9, { status: 'sold' });
      return recordsOf(await listed(ask, '?status=sold')).length === 10;
    },
  },

  // Commands and their replies.
  {
    name: 'replies-are-taken-in-order',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Commands go through RabbitMQ, with one reply queue for the process. Who waits longest gets the next reply; the correlation id is never compared. Of two workers one is slower: two clients at once get the animal of each other.',
    patch: (parts) => {
      const waiting: ((reply: Reply) => void)[] = [];
      let commands = 0;
      const work = async (context: Context, milliseconds: number): Promise<Reply> => {
        await pause(milliseconds);
        return await parts.createPet(context);
      };
      return {
        createPet: (context) => {
          commands += 1;
          const reply = work(context, commands % 2 === 1 ? 25 : 1);
          return new Promise((done, failed) => {
            waiting.push(done);
            reply.then(
              (made) => waiting.shift()?.(made),
              (error: Error) => {
                waiting.splice(waiting.indexOf(done), 1);
                failed(error);
              },
            );
          });
        },
      };
    },
    witness: async (ask) => (await postTogether(ask, 6)).some(({ text }, index) => !text.includes(`"Waldo${index}"`)),
  },
  {
    name: 'full-queue-skips-the-domain-check',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.success',
    summary:
      'With four commands in the queue the controller no longer waits for the verdict of the aggregate: it checks the form only, and answers 201. The consumer drops a status that it does not know.',
    patch: (parts) => {
      let queued = 0;
      return {
        createPet: async (context) => {
          queued += 1;
          try {
            await pause(20);
            const hurried = queued >= 4;
            return await parts.createPet(
              hurried ? withParts(context, { readStatus: (value) => (isStatus(value) ? value : undefined) }) : context,
            );
          } finally {
            queued -= 1;
          }
        },
      };
    },
    witness: async (ask) => (await postTogether(ask, 12, { status: 'lost' })).some(({ status }) => status === 201),
  },

  // Keys.
  {
    name: 'refused-commands-are-in-the-journal',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'Every command is journaled on receipt, before the interceptor that checks the key. Each twelfth creation the unprocessed commands are replayed from the journal, without interceptors: the animals of refused clients appear.',
    patch: (parts) => {
      const journal: Context[] = [];
      let created = 0;
      return {
        handle: async (context) => {
          const reply = await parts.handle(context);
          if (context.call.operation !== 'createPet') return reply;
          if (reply.status === 401) {
            const bytes = await context.call.body();
            journal.push({ ...context, call: { ...context.call, body: () => Promise.resolve(bytes) } });
          }
          if (reply.status === 201) created += 1;
          if (reply.status === 201 && created % 12 === 0) for (const command of journal.splice(0)) await parts.createPet(command);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const body = JSON.stringify({ name: 'Intruder', categoryId: 1 });
      const refused = await ask({ method: 'POST', path: '/pets', noKey: true, body });
      const before = await listed(ask);
      await postEach(ask, 12);
      return refused.status === 401 && !before.text.includes('Intruder') && (await listed(ask)).text.includes('Intruder');
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'index-refreshes-after-a-while',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'The list is a search in OpenSearch, which shows a document only after the next refresh, here 600 ms later. getPet reads by id, which is in real time.',
    patch: (parts) => {
      const unrefreshed = lagging(() => 600);
      return { arrange: (store) => parts.arrange(store).filter((pet) => !unrefreshed(pet)) };
    },
    witness: async (ask) => {
      const created = await post(ask);
      return !(await listed(ask)).text.includes('Waldo') && (await readBack(ask, created)).status === 200;
    },
  },
  {
    name: 'partitions-have-their-own-pace',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    summary:
      'Two partitions, two consumers: animals with an even id are readable 700 ms after their creation, others after 40 ms, so that a later animal is visible before an earlier one.',
    patch: (parts) =>
      withoutLost(
        parts,
        lagging(({ id }) => (id % 2n === 0n ? 700 : 40)),
      ),
    witness: async (ask) => {
      const statuses: number[] = [];
      for (const created of await postEach(ask, 2)) statuses.push((await readBack(ask, created)).status);
      return statuses.includes(404);
    },
  },
  {
    name: 'ids-are-hashes-of-the-stream',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The aggregate is a stream with a name; the id is the first 64 bits of the hash of that name: any sign, beyond 2^53, in no order.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return createHash('sha256').update(`pet-${store.lastId}`).digest().readBigInt64BE();
      },
    }),
    witness: async (ask) => /"id":-?\d{17,}/.test((await listed(ask)).text),
  },
  {
    name: 'replicas-sort-in-their-own-way',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'The search has no sort, and each replica of the shard has its own order of segments: every second list is the other way round, and so a short page has other animals.',
    patch: (parts) => {
      let lists = 0;
      return {
        arrange: (store) => {
          lists += 1;
          return lists % 2 === 0 ? parts.arrange(store).toReversed() : parts.arrange(store);
        },
      };
    },
    witness: async (ask) => {
      const first = await listed(ask);
      return first.text !== (await listed(ask)).text;
    },
  },
  {
    name: 'view-keeps-twenty-five',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary:
      'Lists are materialized views that hold 25 animals for each filter (a sorted set of Redis, trimmed); a higher limit is accepted, and gets no more.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 25) }, call) }),
    witness: async (ask) => {
      await postEach(ask, 20);
      return recordsOf(await listed(ask)).length === 25;
    },
  },
  {
    name: 'status-comes-with-a-later-event',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'Status is set by StatusChanged. An animal that was created without one has had no such event: its record has no status, and no filter keeps it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask)).text.includes('status'),
  },
  {
    name: 'unavailable-while-the-view-is-swapped',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Now and then (the 40th and the 200th list) the read model is being swapped: that request gets 503 with Retry-After: 1, and the next one is served.',
    patch: (parts) => {
      let lists = 0;
      return {
        listPets: (context) => {
          lists += 1;
          if (lists !== 40 && lists !== 200) return parts.listPets(context);
          return problemReply(context, new Problem(503, 'view_rebuilding', 'The read model is being swapped', { 'retry-after': '1' }));
        },
      };
    },
    witness: async (ask) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 41; turn += 1) statuses.push((await listed(ask)).status);
      return statuses.indexOf(503) === 39 && statuses[40] === 200;
    },
  },
  {
    name: 'search-takes-any-query',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Queries go to the index as they are: a status that no animal has gives no hits, limit=0 is a search of size 0, more than 100 is 100, other texts are ignored. An id that is no int64 is simply not there: 404.',
    patch: (parts) => ({
      listPets: (context) => {
        const texts = context.call.query.getAll('status');
        return parts.parseStatus(texts) instanceof Problem ? jsonReply(context, 200, []) : parts.listPets(context);
      },
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        if (!(limit instanceof Problem)) return limit;
        const text = texts[0] ?? '';
        return /^\d+$/.test(text) ? Math.min(Number(text), 100) : 20;
      },
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound() : id;
      },
    }),
    witness: async (ask) => (await listed(ask, '?limit=0')).text === '[]' && (await ask({ path: '/pets/rex' })).status === 404,
  },
  {
    name: 'category-must-be-in-the-catalogue',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'The command handler has a local copy of the catalogue, fed by its events. A valid body with a category that is not in it is rejected with 422 and an Error body.',
    patch: (parts) => ({
      createPet: (context) => {
        const known = new Set(context.store.animals.filter(({ createdAt }) => createdAt === 0).map(({ categoryId }) => categoryId));
        return parts.createPet(
          creationCheck(context, parts, ({ categoryId }) =>
            known.has(categoryId) ? undefined : new Problem(422, 'unknown_category', 'The category does not exist'),
          ),
        );
      },
    }),
    witness: async (ask) => (await post(ask, { categoryId: 424_242 })).status === 422,
  },
  {
    name: 'names-are-reserved',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A set of reserved names makes them unique across aggregates. A second animal of the same name is 409 with an Error body; a rejected creation reserves nothing.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          creationCheck(context, parts, ({ name }) =>
            context.store.animals.some((pet) => pet.name === name) ? new Problem(409, 'name_reserved', 'The name is taken') : undefined,
          ),
        ),
    }),
    witness: async (ask) => (await post(ask)).status === 201 && (await post(ask)).status === 409,
  },
  {
    name: 'registered-schema-is-closed',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The JSON schema in the registry has additionalProperties: false, so that it can evolve: a body with any member beyond the three is 400, a client-supplied id too. So is a request body that is not sent as application/json.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        /^application\/json\b/i.test(call.headers['content-type'] ?? '')
          ? parts.readBody(bytes, call)
          : new Problem(400, 'unsupported_format', 'No serializer is registered for this media type'),
      readNewPet: (body, current) => {
        const newPet = parts.readNewPet(body, current);
        const known = ['name', 'categoryId', 'status'];
        const closed = newPet instanceof Problem || Object.keys(Object(body)).every((name) => known.includes(name));
        return closed ? newPet : new Problem(400, 'schema_violation', 'The schema pet-value does not allow other members');
      },
    }),
    witness: async (ask) => (await post(ask, { nickname: 'Wal' })).status === 400,
  },
  {
    name: 'bridge-writes-ascii-json',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'A bridge from messages to JSON escapes everything beyond ASCII, and slashes; members are in the reverse order, and the type is Application/JSON;charset="utf-8".',
    patch: (parts) => ({
      petRecord: (pet, place) => Object.fromEntries(Object.entries(parts.petRecord(pet, place)).reverse()),
      encode: (value) =>
        textOf(parts.encode(value))
          .replaceAll('/', '\\/')
          .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON;charset="utf-8"' }),
    }),
    witness: async (ask) => (await post(ask, { name: 'é/🐶' })).text.includes('\\u00E9\\/\\uD83D\\uDC36'),
  },
  {
    name: 'position-of-the-log-is-a-cursor',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'The list is read from the log, newest animal first. A Link header with rel="next" points to the page after the last id shown.',
    patch: (parts) => ({
      arrange: (store) => parts.arrange(store).toReversed(),
      listPets: async (context) => {
        const { query } = context.call;
        const last: Pet[] = [];
        const reply = await parts.listPets(
          withParts(context, {
            page: (animals, { limit }) => {
              const start = query.has('after') ? animals.findIndex(({ id }) => String(id) === query.get('after')) + 1 : 0;
              if (start + limit < animals.length) last.push(...animals.slice(start + limit - 1, start + limit));
              return animals.slice(start, start + limit);
            },
          }),
        );
        const [shown] = last;
        if (shown === undefined) return reply;
        const next = new URLSearchParams(query);
        next.set('after', String(shown.id));
        return { ...reply, headers: { ...reply.headers, link: `<?${next}>; rel="next"` } };
      },
    }),
    witness: async (ask) => {
      const first = await listed(ask, '?limit=3');
      const { link = '' } = first.headers;
      const target = /<(\?[^>]*)>/.exec(link)?.[1] ?? '';
      return target !== '' && recordsOf(await listed(ask, target)).every(({ id }) => !first.text.includes(`"id":${String(id)},`));
    },
  },
  {
    name: 'message-must-fit-the-queue',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'A message of Azure Queue Storage holds 48 KiB before Base64. A larger body of createPet is 413 with an Error body.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength > 48 * 1024
          ? new Problem(413, 'message_too_large', 'The command does not fit into a message')
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, { name: 'W'.repeat(60_000) })).status === 413,
  },
  {
    name: 'stream-refuses-what-does-not-fit',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The stream has --max-msgs and --discard=new: after 150 creations a valid one is 507 with an Error body and nothing is stored, while invalid ones are 400 as before.',
    patch: (parts) => {
      let created = 0;
      return {
        createPet: (context) =>
          parts.createPet(
            creationCheck(context, parts, () =>
              created < 150 ? undefined : new Problem(507, 'stream_full', 'The maximum number of messages is exceeded'),
            ),
          ),
        insert: (store, pet) => {
          created += 1;
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await postEach(ask, 150);
      return (await post(ask)).status === 507 && (await post(ask, { name: 7 })).status === 400;
    },
  },
];

/** Pet stores that are event-sourced, or have a read side of their own behind queues, streams and search indexes. */
export const eventdriven: readonly Holdout[] = [
  ...faults.map((row): Holdout => ({ ...row, kind: 'fault' })),
  ...variants.map((row): Holdout => ({ ...row, kind: 'variant' })),
];
