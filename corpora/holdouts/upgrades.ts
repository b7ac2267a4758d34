import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import { INT64_RANGE, isObject, parseInteger } from '../../src/reference/core/json.ts';
import { invalid, notFound, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

/** A text as an accent-insensitive and case-insensitive collation compares it. */
const collated = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ +$/, '');
const read = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const postAndRead = async (ask: Ask, pet: unknown): Promise<HttpResponse> => read(ask, await post(ask, pet));
const isRefused = async (asked: Promise<HttpResponse>, status = 400): Promise<boolean> => (await asked).status === status;
const isShown = (asked: Promise<HttpResponse>): Promise<boolean> => isRefused(asked, 200);

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'status-default-of-the-column-differs',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.status-optional',
    summary:
      'The default status was in code, and a migration gave the column a default too, another one. The new ORM leaves undefined members out of its INSERT: the 201 shows available from the entity, and every later read pending from the row.',
    patch: (parts) => ({
      createPet: (context) => {
        let isDefault = false;
        return parts.createPet(
          withParts(context, {
            defaultStatus: () => {
              isDefault = true;
              return parts.defaultStatus();
            },
            insert: async (store, pet) => {
              await parts.insert(store, isDefault ? { ...pet, status: 'pending' } : pet);
              return pet;
            },
          }),
        );
      },
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return created.text.includes('"available"') && (await read(ask, created)).text.includes('"pending"');
    },
  },
  {
    name: 'list-cache-keyed-by-status-alone',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'An in-process cache for lists, emptied at every creation. Its key was made from the filter object, to which limit did not belong: the second list is as long as the first one was.',
    patch: (parts) => {
      const kept = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.get('status') ?? '';
          const hit = kept.get(key);
          if (hit !== undefined) return hit;
          const reply = await parts.listPets(context);
          if (reply.status === 200) kept.set(key, reply);
          return reply;
        },
        insert: (store, pet) => {
          kept.clear();
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=5' });
      return lengthOf(await ask({ path: '/pets?limit=2' })) === 5;
    },
  },
  {
    name: 'batched-reads-answered-in-row-order',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'Reads of the same moment are collected to one SELECT ... WHERE id IN (...). Its rows come by id, without those that do not exist, and are handed out by position: concurrent readers get animals of one another.',
    patch: (parts) => {
      let open: { readonly ids: bigint[]; readonly rows: Promise<Pet[]> } | undefined;
      return {
        getPet: async (context) => {
          const id = parts.parseId(context.call.petId);
          if (id instanceof Problem) return await parts.getPet(context);
          if (open === undefined) {
            const ids: bigint[] = [];
            const rows = pause(5).then(() => {
              open = undefined;
              const found = ids.flatMap((each) => parts.find(context.store, each) ?? []);
              return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
            });
            open = { ids, rows };
          }
          const { ids, rows } = open;
          const place = ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1;
          const row = (await rows)[place];
          return await parts.getPet(withParts(context, { find: () => row }));
        },
      };
    },
    witness: async (ask) => {
      const asked = [7, 3, 5, 2, 6, 1, 8, 4];
      const shown = await Promise.all(asked.map((id) => ask({ path: `/pets/${id}` })));
      return shown.some((response, index) => idOf(response) !== BigInt(asked[index] ?? 0));
    },
  },
  {
    name: 'categories-of-the-new-service-answer-202',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'The monolith was split. A half rolled out flag, by the parity of the category, sends creations of even categories to the new service, which takes them as commands: 202 with the animal.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        const isEven = /"categoryId":-?\d*[02468][,}]/.test(textOf(reply.body));
        return reply.status === 201 && isEven ? { ...reply, status: 202 } : reply;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 2 })).status === 202,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'ids-of-a-snowflake-generator',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'With the second data center came a generator of ids: they have 19 digits, in steps of 4096.',
    patch: (parts) => ({ assignId: (store, body) => 7_200_000_000_000_000_001n + parts.assignId(store, body) * 4096n }),
    witness: async (ask) => idOf(await post(ask)) > INT64_RANGE.largest / 2n,
  },
  {
    name: 'newest-first-since-the-new-index',
    sentence: 'The operation is described as returning a paginated list.',
    summary: 'The new index is descending, and there is no ORDER BY: the list begins with the newest animal.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).toReversed() }),
    witness: async (ask) => idOf(await ask({ path: '/pets' })) === 8n,
  },
  {
    name: 'limit-clamped-by-the-paging-library',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A paging library replaced the validation: limits below 1 are 1, and those above 100 are 100. What is no integer is the default.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const read = parts.parseLimit(texts);
        if (!(read instanceof Problem)) return read;
        const [text = ''] = texts;
        return /^-?\d+$/.test(text) ? Math.min(100, Math.max(1, Number(text))) : 20;
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=-3' })) === 1,
  },
  {
    name: 'malformed-ids-are-not-found',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The route has a pattern now, so an id that is no int64 has no route: 404 instead of 400. Codes are texts like PET-404.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('No route matches') : id;
      },
      errorRecord: ({ message, status }) => ({ status, message, code: `PET-${status}`, errors: [{ title: message }] }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/abc' })).text.includes('"PET-404"'),
  },
  {
    name: 'keyset-paging-in-a-link-header',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'Keyset paging: a full page names the next one in a Link header, with the last id as the parameter after.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const after = parseInteger(call.query.get('after') ?? '');
        return parts.page(after === undefined ? animals : animals.filter(({ id }) => id > after), query, call);
      },
      listPets: async (context) => {
        const { query } = context.call;
        const reply = await parts.listPets(context);
        const limit = parts.parseLimit(query.getAll('limit'));
        const ids = reply.status === 200 ? [...textOf(reply.body).matchAll(/"id":(-?\d+),/g)].map(([, id = '']) => id) : [];
        const last = ids.at(-1);
        if (last === undefined || ids.length !== limit) return reply;
        const next = new URLSearchParams(query);
        next.set('after', last);
        return { ...reply, headers: { ...reply.headers, link: `<pets?${next}>; rel="next"` } };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=3' })).headers['link'] === '<pets?limit=3&after=3>; rel="next"',
  },
  {
    name: 'status-column-made-nullable',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The column lost its default and became nullable. Animals created without a status have none, and no filter finds them.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const shown = await postAndRead(ask, plainPet);
      return shown.status === 200 && !shown.text.includes('"status"');
    },
  },
  {
    name: 'unique-index-with-a-collation',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A unique index was added to the name, under a collation that ignores case and accents: a name that is taken is 409.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const asked = parts.readNewPet(body, current);
              if (asked instanceof Problem) return asked;
              const isTwin = context.store.animals.some(({ name }) => collated(name) === collated(asked.name));
              return isTwin ? new Problem(409, 'duplicate_key', 'An animal has this name') : asked;
            },
          }),
        ),
    }),
    witness: (ask) => isRefused(post(ask, { name: 'RÉX', categoryId: 1 }), 409),
  },
  {
    name: 'unknown-members-forbidden-by-the-mapper',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary: 'The new major version of the mapper fails on members that the DTO does not declare: 400, for an id as well.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const extra = isObject(body) ? Object.keys(body).find((key) => !['name', 'categoryId', 'status'].includes(key)) : undefined;
        return extra === undefined ? parts.readNewPet(body, current) : invalid('The body has an unknown property', 'unknown_property');
      },
    }),
    witness: (ask) => isRefused(post(ask, { ...plainPet, color: 'red' })),
  },
  {
    name: 'media-type-checked-since-the-upgrade',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The upgraded framework reads a body as application/json, whatever its parameters, or without a type; every other type is 415.',
    patch: (parts) => ({
      createPet: (context) =>
        /^application\/json\s*(?:;|$)/i.test(context.call.headers['content-type'] ?? 'application/json')
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'The body must be application/json')),
    }),
    witness: (ask) => isRefused(post(ask, plainPet, { 'Content-Type': 'text/plain' }), 415),
  },
  {
    name: 'ascii-and-indented-in-python',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'A rewrite in Python writes JSON over several lines, and every character beyond ASCII as an escape sequence.',
    patch: () => ({
      encode: (value) =>
        `${JSON.stringify(value, null, 4).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).text.includes('    "name": "Zo\\u00eb"'),
  },
  {
    name: 'bodies-streamed-in-small-pieces',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Serialization became a stream: bodies have no Content-Length, and come in chunks that split characters.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = Buffer.from(reply.body);
        outgoing.writeHead(reply.status, reply.headers);
        for (let start = 0; start < bytes.length; start += 61) outgoing.write(bytes.subarray(start, start + 61));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'slash-at-the-end-matches',
    sentence: 'All paths are relative to {base_url}.',
    summary: 'The router of the new framework treats /pets/ as /pets, and /pets/1/ as /pets/1.',
    patch: (parts) => ({
      handle: (context) => parts.handle({ ...context, call: respelled(context.call, dropLastSlash) ?? context.call }),
    }),
    witness: (ask) => isShown(ask({ path: '/pets/1/' })),
  },
  {
    name: 'media-type-in-capitals-with-parameters',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The gateway that took over the headers writes the media type in its own way: capitals, a quoted charset, and a profile.',
    patch: (parts) => ({
      headers: (given, reply, call) =>
        parts.headers({ ...given, 'content-type': 'Application/JSON; Charset="utf-8"; profile="urn:pets:1"' }, reply, call),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON;') === true,
  },
  {
    name: 'foreign-key-on-the-category',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'The column became a foreign key. A category to which no animal belongs yet does not exist: 400.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readCategory: (value) => {
              const category = parts.readCategory(value);
              if (category instanceof Problem) return category;
              const exists = context.store.animals.some(({ categoryId }) => categoryId === category);
              return exists ? category : invalid('There is no such category', 'foreign_key');
            },
          }),
        ),
    }),
    witness: (ask) => isRefused(post(ask, { name: 'Waldo', categoryId: 987_654 })),
  },
];

/** Services after an upgrade, a migration, or a refactoring. */
export const upgrades: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
