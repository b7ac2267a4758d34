import { readListQuery } from '../../src/reference/core/base.ts';
import { isInt64, isObject, type Json, literal, NumberText } from '../../src/reference/core/json.ts';
import { invalid, Problem, pause, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { addPet, type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** A parsed value as JSON.stringify writes it, with the digits of its numbers. */
function writable(value: Json): unknown {
  if (value instanceof NumberText) return literal(value.text);
  if (Array.isArray(value)) return value.map(writable);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writable(item)])) : value;
}

/** Every UTF-16 code unit of the strings in a JSON text as an escape. */
const escaped = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, (token) => {
    const characters = String(JSON.parse(token)).split('');
    return `"${characters.map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  });

// What witnesses share.
type Shown = {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
  readonly message?: string;
};
const recordOf = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const recordsOf = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as readonly Shown[];
const listed = async (ask: Ask, query = '?limit=100'): Promise<readonly Shown[]> => recordsOf(await ask({ path: `/pets${query}` }));
const namesIn = async (ask: Ask, query?: string): Promise<readonly string[]> => (await listed(ask, query)).map(({ name }) => name);
const postAll = (ask: Ask, count: number, status?: Status) =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { name: `Waldo${'abcdefgh'[index % 8]}`, categoryId: 1, status })));

/** Creates an animal, and lists until the response is there: what these lists showed. */
async function listedMeanwhile(ask: Ask): Promise<string> {
  let done = false;
  let shown = '';
  const created = post(ask, plainPet).then(() => {
    done = true;
  });
  while (!done) shown += (await ask({ path: '/pets?limit=100' })).text;
  await created;
  return shown;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Lists: pages and counts.
  {
    name: 'extra-row-popped-from-an-exact-page',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.complete',
    summary:
      'The query asks for limit + 1 rows to learn if there are more, and drops the last one if (rows.length >= limit) instead of >. Where exactly twenty animals match, the default page shows nineteen.',
    seedAnimals: 19,
    patch: () => ({
      page: (animals, { limit }) => {
        const rows = animals.slice(0, limit + 1);
        if (rows.length >= limit) rows.pop();
        return rows;
      },
    }),
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && (await listed(ask, '')).length === 19,
  },
  {
    name: 'limit-written-into-the-filter-memo',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.filter-complete',
    summary:
      'optionsFor(status) memoizes one object { status, limit: 20 } for each status, and the handler writes the limit of the request into it. The next list with that status and without a limit has the limit of an earlier client.',
    patch: (parts) => {
      const memos = new Map<Status, { limit: number }>();
      return {
        page: (animals, query, call) => {
          if (query.status === undefined) return parts.page(animals, query, call);
          const memo = memos.get(query.status) ?? { limit: 20 };
          memos.set(query.status, memo);
          if (call.query.has('limit')) memo.limit = query.limit;
          return parts.page(animals, { ...query, limit: memo.limit }, call);
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=available&limit=1' });
      return (await listed(ask, '?status=available')).length === 1;
    },
  },
  {
    name: 'count-skipped-by-an-early-return',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'Lists read as many rows as the cached count says. save() begins with if (!body.status) return insertWithDefault(body), above the line that increments the count: the newest animals fall out of every list, one for each that was created without a status.',
    patch: (parts) => {
      let uncounted = 0;
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (!(read instanceof Problem) && read.status === undefined) uncounted += 1;
          return read;
        },
        arrange: (store) => {
          const all = parts.arrange(store);
          return all.slice(0, all.length - uncounted);
        },
      };
    },
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && !(await namesIn(ask)).includes('Waldo'),
  },
  {
    name: 'page-size-compared-with-total-as-text',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'const size = params.limit > total ? total : params.limit, where both are text: one from the query, one from a COUNT(*) that the driver returns as a string. "2" is greater than "12", so that limit=2 returns all twelve.',
    seedAnimals: 12,
    patch: (parts) => ({
      page: (animals, query, call) => {
        const total = animals.length;
        const capped = call.query.has('limit') && String(query.limit) > String(total);
        return parts.page(animals, capped ? { ...query, limit: total } : query, call);
      },
    }),
    witness: async (ask) => (await listed(ask, '?limit=2')).length === 12,
  },
  {
    name: 'join-doubles-removed-by-name',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'A join with categories returned some rows twice, and they were made unique with new Map(rows.map((row) => [row.name, row])). Two animals of the same name, both created with 201, are one in the list.',
    patch: (parts) => ({ arrange: (store) => [...new Map(parts.arrange(store).map((pet) => [pet.name, pet])).values()] }),
    witness: async (ask) => {
      const created = [await post(ask, plainPet), await post(ask, plainPet)];
      return created.every(({ status }) => status === 201) && (await namesIn(ask)).filter((name) => name === 'Waldo').length === 1;
    },
  },

  // Lists: at the same time as something else.
  {
    name: 'filter-kept-in-a-module-variable',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'let filter; at the top of the module is set by the handler and read by the row mapper, after the await of the query. Two lists at once, and both have the filter of the second.',
    patch: (parts) => {
      let filter: Status | undefined;
      return {
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return parts.listPets(context);
          filter = query.status;
          await pause(8);
          const late = filter;
          return parts.listPets(withParts(context, { parseStatus: () => late }));
        },
      };
    },
    witness: async (ask) => {
      const [sold = [], pending = []] = await Promise.all([listed(ask, '?status=sold'), listed(ask, '?status=pending')]);
      return sold[0]?.status === pending[0]?.status;
    },
  },
  {
    name: 'list-cache-cleared-before-the-write',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'createPet calls cache.clear() and then awaits the INSERT. A list in between fills the cache with the old rows, which stay until the next creation.',
    patch: (parts) => {
      let cached: readonly Pet[] | undefined;
      return {
        arrange: (store) => {
          cached ??= [...parts.arrange(store)];
          return cached;
        },
        insert: async (store, pet) => {
          cached = undefined;
          await pause(15);
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await listedMeanwhile(ask);
      return !(await namesIn(ask)).includes('Waldo');
    },
  },
  {
    name: 'lock-released-between-two-statements',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'save() inserts a row with an empty status under the table lock, releases it in a finally, and updates the status in a second statement behind it. Whoever lists meanwhile sees "status": "".',
    patch: () => ({
      insert: async (store, pet) => {
        const half: Pet = { ...pet, status: undefined, raw: { status: '' } };
        addPet(store, half);
        await pause(15);
        store.animals[store.animals.indexOf(half)] = pet;
        store.byId.set(pet.id, pet);
        return pet;
      },
    }),
    witness: async (ask) => (await listedMeanwhile(ask)).includes('"status":""'),
  },
  {
    name: 'flushed-queue-shortened-on-the-way',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'get.durable',
    summary:
      'Creations are written in groups: for (const pet of queue) { write(pet); queue.splice(queue.indexOf(pet), 1); } skips every other one. All callers of the group get 201; what was skipped waits for the next group.',
    patch: (parts) => {
      const queue: Pet[] = [];
      let flush: Promise<void> | undefined;
      return {
        insert: async (store, pet) => {
          queue.push(pet);
          flush ??= pause(10).then(async () => {
            flush = undefined;
            for (const waiting of queue) {
              await parts.insert(store, waiting);
              queue.splice(queue.indexOf(waiting), 1);
            }
          });
          await flush;
          return pet;
        },
      };
    },
    witness: async (ask) => {
      const created = await postAll(ask, 6);
      return created.every(({ status }) => status === 201) && (await listed(ask)).length < 8 + 6;
    },
  },

  // Bodies that are refused, or should be.
  {
    name: 'translation-of-a-renamed-message',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary:
      'Messages come from a file for each language of Accept-Language. The key pet_missing was renamed to not_found in the English file only: in German the 404 has no message, as JSON.stringify leaves undefined out.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404 && /^de\b/i.test(call.headers['accept-language'] ?? '')
          ? { code: problem.code, status: problem.status }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) =>
      recordOf(await ask({ path: '/pets/999999', headers: { 'Accept-Language': 'de-DE,de;q=0.9' } })).message === undefined,
  },

  // Bodies that are taken.
  {
    name: 'zeros-trimmed-as-behind-a-point',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.answer',
    summary:
      "formatNumber() was made for prices and removes /\\.?0+$/, so that 1.50 is 1.5. It is now used for every number column: category 10 is shown as 1, and 1200 as 12. Ids don't pass through it.",
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const trimmed = String(pet.categoryId).replace(/\.?0+$/, '');
        return { ...parts.petRecord(pet, place), categoryId: literal(trimmed === '' ? '0' : trimmed) };
      },
    }),
    witness: async (ask) => recordOf(await post(ask, { ...plainPet, categoryId: 10 })).categoryId === 1,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'rows-reversed-in-place',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'animals.reverse() was meant to show the newest first, and reverses the live array: lists alternate between newest first and oldest first. No order is promised.',
    patch: (parts) => {
      let newestFirst = false;
      return {
        arrange: (store) => {
          newestFirst = !newestFirst;
          return newestFirst ? [...parts.arrange(store)].reverse() : parts.arrange(store);
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await listed(ask), await listed(ask)];
      return first[0]?.id !== second[0]?.id;
    },
  },
  {
    name: 'default-status-takes-turns',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'The constructor takes STATUSES[counter++ % 3] where no status is given, left from demo data. Each animal keeps the one it got, in every response.',
    patch: () => {
      let turn = 0;
      return {
        defaultStatus: () => {
          turn += 1;
          return STATUSES[turn % STATUSES.length];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await post(ask, plainPet), await post(ask, plainPet)];
      return recordOf(first).status !== recordOf(second).status;
    },
  },
  {
    name: 'negative-limit-counts-from-the-end',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'limit is an integer and goes into slice(0, limit) unchecked: 0 is an empty list, -1 all animals but the last, and 150 is one page of 150. Inside the bounds it does what it should.',
    patch: (parts) => ({
      parseLimit: (texts) => (texts.length === 1 && /^-?\d{1,6}$/.test(texts[0] ?? '') ? Number(texts[0]) : parts.parseLimit(texts)),
    }),
    witness: async (ask) => (await listed(ask, '?limit=-1')).length === 7,
  },
  {
    name: 'parseint-takes-the-digits-in-front',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary: 'parseInt reads what looks like an integer in front: /pets/1abc, /pets/01, /pets/+1 and /pets/1.5 all show animal 1.',
    patch: (parts) => ({
      parseId: (text) => {
        const digits = /^\s*([+-]?\d{1,19})(?!\d)/.exec(text)?.[1];
        return digits !== undefined && isInt64(BigInt(digits)) ? BigInt(digits) : parts.parseId(text);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/1abc' })).status === 200,
  },
  {
    name: 'ids-of-a-lehmer-generator',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary:
      'Ids should not reveal how many animals were sold: the counter became id * 48271 % 2147483647, which visits each number once, in no visible order.',
    patch: () => ({
      assignId: (store) => {
        store.lastId = ((store.lastId === 0n ? 1n : store.lastId) * 48271n) % 2147483647n;
        return store.lastId;
      },
    }),
    witness: async (ask) => recordOf(await post(ask, plainPet)).id > 1000,
  },
  {
    name: 'large-limits-rounded-down-to-tens',
    sentence: 'Maximum number of animals returned',
    summary:
      'Integer division for the page cache: above 20, a limit of 29 is taken as 20, and 99 as 90, so that fewer pages are kept. Limit is a maximum, and the rest is paging.',
    seedAnimals: 30,
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.limit > 20 ? { ...query, limit: Math.floor(query.limit / 10) * 10 } : query, call),
    }),
    witness: async (ask) => (await listed(ask, '?limit=29')).length === 20,
  },
  {
    name: 'every-letter-as-an-escape',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The helper that should escape what is not ASCII has its condition inverted, and escapes letters, member names included. To a JSON parser it is the same text.',
    patch: (parts) => ({ encode: (value) => escaped(textOf(parts.encode(value))) }),
    witness: async (ask) => {
      const reply = await ask({ path: '/pets/1' });
      return !reply.text.includes('name') && recordOf(reply).name.length > 0;
    },
  },
  {
    name: 'media-type-in-capitals-and-quotes',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The header was typed as Application/JSON ;Charset="UTF-8": type and parameter names have no letter case, and values may be quoted.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON ;Charset="UTF-8"' }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON ;') === true,
  },
  {
    name: 'index-of-the-list-not-awaited',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary: 'createPet does not await the search index that lists read: an animal is readable at once, and listed 700 ms later.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ createdAt }) => createdAt + 700 <= Date.now()) }),
    witness: async (ask) => {
      await post(ask, plainPet);
      const early = await namesIn(ask);
      await pause(800);
      return !early.includes('Waldo') && (await namesIn(ask)).includes('Waldo');
    },
  },
  {
    name: 'letters-from-capital-a-to-small-z',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      '/^[A-z]{1,20}$/ was to allow letters, and also allows the six characters between Z and a. Spaces, digits, dots and other scripts are a 400; which characters a name may have is not shown.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return name instanceof Problem || /^[A-z]{1,20}$/.test(name) ? name : invalid('name must have 1 to 20 letters', 'invalid_name');
      },
    }),
    witness: async (ask) =>
      (await post(ask, { ...plainPet, name: 'Rex 2' })).status === 400 && (await post(ask, { ...plainPet, name: 'Rex^' })).status === 201,
  },
  {
    name: 'name-taken-in-any-letter-case',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A name that another animal has is a 409 with an Error body, compared with toLowerCase() on both sides. It is looked at last, so that an invalid body is a 400 even with a taken name.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const read = parts.readNewPet(body, current);
              if (read instanceof Problem) return read;
              const taken = context.store.animals.some(({ name }) => name.toLowerCase() === read.name.toLowerCase());
              return taken ? new Problem(409, 'name_taken', 'Another animal has this name') : read;
            },
          }),
        ),
    }),
    witness: async (ask) => {
      await post(ask, plainPet);
      return (await post(ask, { ...plainPet, name: 'wALDO' })).status === 409;
    },
  },
  {
    name: 'whole-body-spread-under-the-record',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'return { ...body, ...pet } with the two in the right order by luck: members that nobody knows come back in every response, nested ones too, and id, name, categoryId and status are those of the record.',
    patch: (parts) => {
      const extras = new WeakMap<Pet, Readonly<Record<string, unknown>>>();
      return {
        createPet: (context) => {
          let sent: Readonly<Record<string, unknown>> = {};
          return parts.createPet(
            withParts(context, {
              readNewPet: (body, current) => {
                sent = isObject(body) ? Object.fromEntries(Object.entries(body).map(([key, value]) => [key, writable(value)])) : {};
                return parts.readNewPet(body, current);
              },
              insert: (store, pet) => {
                extras.set(pet, sent);
                return parts.insert(store, pet);
              },
            }),
          );
        },
        petRecord: (pet, place) => ({ ...extras.get(pet), ...parts.petRecord(pet, place) }),
      };
    },
    witness: async (ask) => {
      const { id } = recordOf(await post(ask, { ...plainPet, id: 5000, tag: { colors: ['red', 1.5] } }));
      return id !== 5000 && (await ask({ path: `/pets/${id}` })).text.includes('"tag":{"colors":["red",1.5]}');
    },
  },
  {
    name: 'error-texts-with-quotes-and-new-lines',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'code and message are swapped for the texts of an exception: a code with quotes, a backslash and a snail, and a message of two lines with a stack frame that has braces. Both are strings, and properly escaped.',
    patch: () => ({
      errorRecord: ({ code, message, status }) => ({
        status,
        code: `PetStore\\Errors\\"${code}" 🐌`,
        message: `${message}\n\tat Object.<anonymous> ({"code": ${status + 1}})`,
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('🐌'),
  },
  {
    name: 'responses-in-pieces-of-seven-bytes',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'A hand-made stream writes every response in pieces of seven bytes, without a Content-Length: pieces end inside of numbers, escapes and characters.',
    patch: () => ({
      send: ({ status, headers, body }, outgoing) => {
        const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
        outgoing.writeHead(status, headers);
        for (let at = 0; at < bytes.length; at += 7) outgoing.write(bytes.subarray(at, at + 7));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'each-sixtieth-read-must-wait',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'A connection of the pool is recycled after sixty reads, and the one who meets it gets 503 with Retry-After: 1 and an Error body. Creations have a pool of their own.',
    patch: (parts) => {
      let reads = 0;
      return {
        dispatch: (context) => {
          if (context.call.method !== 'GET') return parts.dispatch(context);
          reads += 1;
          const busy = new Problem(503, 'busy', 'Try again in a second', { 'retry-after': '1' });
          return reads % 60 === 0 ? problemReply(context, busy) : parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 60; turn += 1) statuses.push((await ask({ path: '/pets/1' })).status);
      return statuses[58] === 200 && statuses[59] === 503;
    },
  },
];

export const slips: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ ...fault, kind: 'fault' })),
  ...variants.map((variant): Holdout => ({ ...variant, kind: 'variant' })),
];
