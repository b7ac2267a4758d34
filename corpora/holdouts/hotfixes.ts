import { gzipSync } from 'node:zlib';
import { INT64_RANGE, isInt64, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { parses, plainPet, post, textOf } from './witness.ts';

/** A counter that says so at every n-th call. */
function everyNth(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0;
  };
}

/** Rewrites a name before it is stored. */
const nameStoredAs =
  (change: (name: string) => string): Patch =>
  (parts) => ({ readName: (value) => parts.readName(typeof value === 'string' ? change(value) : value) });

/** A cast from double to long, as Java has it: without fraction, and at most the edges. */
function castToInt64(value: number): bigint {
  const { smallest, largest } = INT64_RANGE;
  if (value >= Number(largest)) return largest;
  return value <= Number(smallest) ? smallest : BigInt(Math.trunc(value));
}

/** The value of a JSON number if it is an integer, whatever its spelling. */
function exactInteger(text: string): bigint | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (whole === '' || text.length > 400 || Math.abs(shift) > 400) return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const power = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % power !== 0n) return undefined;
  const size = shift < 0 ? digits / power : digits * power;
  return sign === '-' ? -size : size;
}

/** The own members of a BigNumber of bignumber.js: what a deep copy without its prototype leaves for JSON. */
function bigNumberMembers(value: bigint): Record<string, unknown> {
  const digits = (value < 0n ? -value : value).toString();
  const first = ((digits.length - 1) % 14) + 1;
  const groups = [digits.slice(0, first), ...(digits.slice(first).match(/\d{14}/g) ?? [])];
  return { s: value < 0n ? -1 : 1, e: digits.length - 1, c: groups.map(Number) };
}

/** How deep arrays and objects are nested in a JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text.replace(/"(?:[^"\\]|\\.)*"/gs, '')) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}

/** Keeps successful replies to lists by their target. */
function listCache(): { readonly kept: Map<string, Reply>; list(context: Context, make: () => Promise<Reply>): Promise<Reply> } {
  const kept = new Map<string, Reply>();
  return {
    kept,
    list: async ({ call }, make) => {
      const hit = kept.get(call.target);
      if (hit !== undefined) return hit;
      const made = await make();
      if (made.status === 200) kept.set(call.target, made);
      return made;
    },
  };
}

const KEY_OF_IDS = 0x5bd1e995n;

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const idIn = ({ text }: HttpResponse): string => /"id":(-?\d+)/.exec(text)?.[1] ?? '';
const countIn = ({ text }: HttpResponse): number => (JSON.parse(text) as unknown[]).length;
const repeat = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const postMany = (ask: Ask, count: number): Promise<HttpResponse[]> =>
  repeat(count, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
const readAll = (ask: Ask, created: readonly HttpResponse[]): Promise<HttpResponse[]> =>
  Promise.all(created.map((response) => ask({ path: `/pets/${idIn(response)}` })));
const anyIs = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const differsFrom = async (ask: Ask, name: string): Promise<boolean> => {
  const created = await post(ask, { name, categoryId: 1 });
  return created.status === 201 && nameIn(created) !== name;
};

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Credentials.
  {
    name: 'double-bearer-of-swagger-forgiven',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.wrong-key',
    summary:
      'Users paste "Bearer KEY" into the Authorize field of Swagger UI, which adds its own Bearer. Instead of answering the tickets, support got a shim that drops the first of two.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const authorization = call.headers.authorization?.replace(/^bearer +(?=bearer +)/i, '');
        return parts.authenticate({ ...call, headers: { ...call.headers, authorization } }, apiKey);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer Bearer ${KEY}` } })).status === 200,
  },
  {
    name: 'key-cache-emptied-before-the-reload',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.valid-key',
    summary:
      'After an incident with a revoked key the key cache is refreshed every 60 requests: clear() and then await load(). Whoever arrives between the two has an unknown key.',
    patch: (parts) => {
      const isDue = everyNth(60);
      let loaded = true;
      return {
        authenticate: (call, apiKey) => (loaded ? parts.authenticate(call, apiKey) : unauthorized()),
        handle: async (context) => {
          if (isDue()) {
            loaded = false;
            await pause(20);
            loaded = true;
          }
          return await parts.handle(context);
        },
      };
    },
    witness: async (ask) => anyIs(await repeat(150, () => ask({ path: '/pets' })), 401),
  },
  {
    name: 'unread-body-after-401-spoils-the-next',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'A patch against floods answers 401 as soon as the head has been read, and keeps the connection. The unread body of the POST is then parsed as the next request line: 400 and a page of the HTTP layer, to a client that did nothing wrong.',
    patch: (parts) => {
      const unread = new WeakSet<object>();
      return {
        handle: async (context) => {
          const { connection, operation, headers } = context.call;
          if (unread.delete(connection)) {
            const body = '<html><body><h1>400 Bad Request</h1></body></html>';
            return { status: 400, headers: { 'content-type': 'text/html', connection: 'close' }, body };
          }
          const reply = await parts.handle(context);
          if (reply.status === 401 && operation === 'createPet' && Number(headers['content-length'] ?? 0) > 0) unread.add(connection);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ method: 'POST', path: '/pets', noKey: true, body: JSON.stringify(plainPet) });
      return (await ask({ path: '/pets' })).status === 400;
    },
  },

  // Lists.
  {
    name: 'health-check-told-by-missing-agent',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.any-client',
    summary:
      'Health checks of the load balancer listed the whole shop every second. They have no User-Agent, so that a hotfix answers requests without one with 200 and [] before the database is asked.',
    patch: (parts) => ({
      listPets: (context) =>
        context.call.headers['user-agent'] === undefined ? jsonReply(context, 200, context.parts.listBody([])) : parts.listPets(context),
    }),
    witness: async (ask) => {
      const [bare, named] = [await ask({ path: '/pets' }), await ask({ path: '/pets', headers: { 'User-Agent': 'shop/1.0' } })];
      return bare.text === '[]' && named.text !== '[]';
    },
  },
  {
    name: 'list-cache-cleared-before-the-commit',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The list is cached until the next creation, which clears the cache first and commits afterwards. A list between the two puts the old state back, and nothing removes it.',
    patch: (parts) => {
      const cache = listCache();
      return {
        listPets: (context) => cache.list(context, async () => await parts.listPets(context)),
        insert: async (store, pet) => {
          cache.kept.clear();
          await pause(40);
          return await parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      const created = post(ask, { name: 'Waldo', categoryId: 1 });
      for (let round = 0; round < 8; round += 1) {
        await pause(4);
        await ask({ path: LONG_PAGE });
      }
      await created;
      return !(await ask({ path: LONG_PAGE })).text.includes('Waldo');
    },
  },
  {
    name: 'single-flight-by-path-alone',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Against a stampede on the list, group.Do(r.URL.Path, ...) of golang.org/x/sync/singleflight shares one query among all that wait. URL.Path has no query string: lists at the same time get the filter and the limit of the first.',
    patch: (parts) => {
      let flying: Promise<Reply> | undefined;
      const fly = async (context: Context): Promise<Reply> => {
        await pause(8);
        flying = undefined;
        return await parts.listPets(context);
      };
      return {
        listPets: (context) => {
          flying ??= fly(context);
          return flying;
        },
      };
    },
    witness: async (ask) => {
      const lists = await repeat(6, (index) => ask({ path: `/pets?status=${index % 2 === 0 ? 'sold' : 'pending'}` }));
      return lists.some(({ text }, index) => text.includes(index % 2 === 0 ? '"pending"' : '"sold"'));
    },
  },
  {
    name: 'any-query-turns-the-default-limit-off',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-default',
    summary:
      'When the toggle explicit-paging was removed, its test became "has the request a query string": with a filter, or only a cache buster, a missing limit is the maximum.',
    patch: (parts) => ({
      listPets: (context) =>
        parts.listPets(
          context.call.target.includes('?')
            ? withParts(context, { parseLimit: (texts) => (texts.length === 0 ? 100 : parts.parseLimit(texts)) })
            : context,
        ),
    }),
    seedAnimals: 90,
    witness: async (ask) => countIn(await ask({ path: '/pets' })) === 20 && countIn(await ask({ path: '/pets?status=sold' })) > 20,
  },
  {
    name: 'gzip-copy-of-the-list-for-everyone',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.transport',
    summary:
      'To save CPU the compressed list is kept for a second. The key of that cache is the target, without Accept-Encoding, and Content-Encoding is set by the code that a hit skips: a client without gzip gets the bytes of gzip as JSON.',
    patch: (parts) => {
      const copies = new Map<string, { readonly reply: Reply; readonly at: number }>();
      return {
        listPets: async (context) => {
          const { target, headers } = context.call;
          const copy = copies.get(target);
          const takesGzip = /\bgzip\b(?!\s*;\s*q=0)/.test(String(headers['accept-encoding'] ?? ''));
          if (!takesGzip && copy !== undefined && Date.now() - copy.at < 1000) return copy.reply;
          const reply = await parts.listPets(context);
          if (!takesGzip || reply.status !== 200) return reply;
          const packed = { ...reply, body: gzipSync(reply.body) };
          copies.set(target, { reply: packed, at: Date.now() });
          return { ...packed, headers: { ...reply.headers, 'content-encoding': 'gzip' } };
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await ask({ path: '/pets' });
      return plain.headers['content-encoding'] === undefined && !parses(plain);
    },
  },
  {
    name: 'xssi-prefix-unless-json-is-asked-for',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      "A pentest report asked for protection against JSON hijacking. As in Gerrit, arrays begin with the line )]}' unless Accept names application/json: clients with */* or without Accept can't parse the list.",
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const guarded = reply.status === 200 && context.call.headers.accept?.includes('application/json') !== true;
        return guarded ? { ...reply, body: `)]}'\n${textOf(reply.body)}` } : reply;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).text.startsWith(")]}'"),
  },
  {
    name: 'long-pages-with-slim-records',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'record.pet',
    summary:
      'A time-out of the back office was repaired by a lean projection for pages of more than 50 rows: id, name and status, because the table on its screen shows no more.',
    patch: (parts) => ({
      listBody: (records) =>
        parts.listBody(
          records.length <= 50
            ? records
            : records.map((record) => Object.fromEntries(Object.entries(record as object).filter(([name]) => name !== 'categoryId'))),
        ),
    }),
    seedAnimals: 60,
    witness: async (ask) => !(await ask({ path: LONG_PAGE })).text.includes('categoryId'),
  },
  {
    name: 'early-return-leaves-a-snapshot-open',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'Validation of limit moved below the begin of the transaction, and its early return skips the rollback. The next request that gets this one of three pooled connections still reads from the old snapshot (REPEATABLE READ), then closes it.',
    patch: (parts) => {
      const snapshots = new Map<number, readonly Pet[]>();
      let turn = 0;
      return {
        dispatch: async (context) => {
          turn = (turn + 1) % 3;
          const slot = turn;
          const old = snapshots.get(slot);
          snapshots.delete(slot);
          const reply = await parts.dispatch(
            old === undefined
              ? context
              : withParts(context, { arrange: () => old, find: (_store, id) => old.find((pet) => pet.id === id) }),
          );
          if (context.call.operation === 'listPets' && reply.status === 400) snapshots.set(slot, old ?? [...context.store.animals]);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=0' });
      await post(ask, { name: 'Waldo', categoryId: 1 });
      const lists = [await ask({ path: LONG_PAGE }), await ask({ path: LONG_PAGE }), await ask({ path: LONG_PAGE })];
      return lists.some(({ text }) => !text.includes('Waldo'));
    },
  },
  {
    name: 'deep-copy-takes-bignumber-apart',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'json-bigint reads integers of more than 15 digits as BigNumber. A review asked the list for defensive copies; structuredClone drops the prototype and with it toJSON: the category is {"s":1,"e":18,"c":[...]}, in lists only.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'list' && pet.categoryId.toString().length > 15
          ? { ...record, categoryId: bigNumberMembers(pet.categoryId) }
          : record;
      },
    }),
    witness: async (ask) => {
      await post(ask, '{"name":"Waldo","categoryId":9223372036854775807}');
      return (await ask({ path: LONG_PAGE })).text.includes('"c":[92233,72036854775807]');
    },
  },

  // Creations: values.
  {
    name: 'zero-width-joiners-taken-for-spoofing',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'Two sellers had names that looked the same. The fix removes everything of \\p{Cf} before it stores: the joiners of family emoji and of Persian words go with the spoofs, and the answer is 201.',
    patch: nameStoredAs((name) => name.replace(/\p{Cf}/gu, '')),
    witness: (ask) => differsFrom(ask, 'Rex \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'),
  },
  {
    name: 'unicode-flag-of-the-linter-splits-emoji',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'Output is ASCII for an old client: each UTF-16 unit became \\uXXXX. ESLint require-unicode-regexp made it /[^ -~]/gu with codePointAt: an emoji is now \\u1f600, which is a Greek letter and a zero.',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(
          /[^ -~]/gu,
          (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
        ),
    }),
    witness: (ask) => differsFrom(ask, 'Rex \u{1f600}'),
  },
  {
    name: 'incident-log-reads-unsized-bodies',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'media.transport',
    summary:
      'Logging of payloads was added in an incident. The Go middleware copies a body for the log and puts r.ContentLength bytes of it back: for a chunked request that is -1, nothing is put back, and a valid animal is 400.',
    patch: (parts) => ({
      readBody: (bytes, call) => parts.readBody(call.headers['transfer-encoding'] === undefined ? bytes : new Uint8Array(), call),
    }),
    witness: async (ask) => {
      const body = JSON.stringify(plainPet);
      return (await ask({ method: 'POST', path: '/pets', headers: { 'Transfer-Encoding': 'chunked' }, body })).status === 400;
    },
  },
  {
    name: 'log-redaction-changes-the-record',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'get.durable',
    summary:
      'Since an audit, the logger masks e-mail addresses in what it is given. It is given the record itself, after the response has been sent: 201 shows the name, every later read shows [redacted].',
    patch: (parts) => ({
      insert: async (store, pet) => {
        await parts.insert(store, { ...pet, name: pet.name.replace(/[^\s@]+@[^\s@]+/g, '[redacted]') });
        return pet;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'rex@example.com', categoryId: 1 });
      return created.text.includes('rex@') && !(await ask({ path: `/pets/${idIn(created)}` })).text.includes('rex@');
    },
  },
  {
    name: 'exponents-of-r-cast-from-double',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'jsonlite of R writes 100000 as 1e+05, which was a 400. The shim reads a number with an exponent as (long) Double.parseDouble(text): 1e19 is accepted as the largest int64, and 15e-1 as 1.',
    patch: (parts) => ({
      readCategory: (value) =>
        value instanceof NumberText && /e/i.test(value.text) ? castToInt64(Number(value.text)) : parts.readCategory(value),
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1e19}')).text.includes('9223372036854775807'),
  },
  {
    name: 'nesting-guard-throws-past-the-handler',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.no-server-error',
    summary:
      'A security patch refuses bodies nested deeper than 32. NestingTooDeepException does not extend the parse exception that the error handler maps to 400: it ends in the last resort, 500.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        depthOf(Buffer.from(bytes).toString('latin1')) > 32
          ? new Problem(500, 'internal_error', 'An unexpected error occurred')
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, `{"name":"Waldo","categoryId":1,"tags":${'['.repeat(40)}${']'.repeat(40)}}`)).status === 500,
  },
  {
    name: 'two-violations-make-message-a-list',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary:
      'After the upgrade of NestJS, message was an array, and the tests failed. They are green with messages.length === 1 ? messages[0] : messages; each of them sends one mistake at a time.',
    patch: (parts) => {
      const several = new WeakMap<Problem, readonly string[]>();
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (!(read instanceof Problem) || !isObject(body)) return read;
          const fields = [
            current.readName(member(body, 'name')),
            current.readCategory(member(body, 'categoryId')),
            current.readStatus(member(body, 'status')),
          ];
          const messages = fields.filter((field) => field instanceof Problem).map(({ message }) => message);
          if (messages.length > 1) several.set(read, messages);
          return read;
        },
        errorRecord: (problem, call) => {
          const messages = several.get(problem);
          return messages === undefined
            ? parts.errorRecord(problem, call)
            : { code: problem.code, message: messages, status: problem.status };
        },
      };
    },
    witness: async (ask) => (await post(ask, {})).text.includes('"message":['),
  },

  // Creations: sequence and concurrency.
  {
    name: 'rejected-draft-completes-the-next-body',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'To relieve the garbage collector, each connection has one form object that bodies are bound to. It is reset at the end of the handler; the new early return after validation leaves it filled, and the next body completes it.',
    patch: (parts) => {
      const drafts = new WeakMap<object, { readonly [member: string]: Json }>();
      return {
        createPet: (context) => {
          const { connection } = context.call;
          const readNewPet: typeof parts.readNewPet = (body, current) => {
            if (!isObject(body)) return parts.readNewPet(body, current);
            const draft = { ...drafts.get(connection), ...body };
            const read = parts.readNewPet(draft, current);
            if (read instanceof Problem) drafts.set(connection, draft);
            else drafts.delete(connection);
            return read;
          };
          return parts.createPet(withParts(context, { readNewPet }));
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo' });
      return (await post(ask, { categoryId: 1 })).status === 201;
    },
  },
  {
    name: 'double-click-guard-ignores-the-status',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Users clicked twice. For a second, a creation with the same name and category now returns the animal of the first click; that the form also has a status was forgotten: 201 says sold to who asked for pending.',
    patch: (parts) => {
      const recent = new Map<string, { readonly pet: Pet; readonly at: number }>();
      return {
        insert: async (store, pet) => {
          const form = `${pet.categoryId} ${pet.name}`;
          const first = recent.get(form);
          if (first !== undefined && Date.now() - first.at < 1000) return first.pet;
          const stored = await parts.insert(store, pet);
          recent.set(form, { pet: stored, at: Date.now() });
          return stored;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { ...plainPet, status: 'sold' });
      return (await post(ask, { ...plainPet, status: 'pending' })).text.includes('"sold"');
    },
  },
  {
    name: 'try-lock-of-the-category-conflicts',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'A deadlock was repaired with pg_try_advisory_xact_lock(category_id), which does not wait: of two creations in one category at the same time, the second is answered 409.',
    patch: (parts) => {
      const locked = new Set<bigint>();
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (read instanceof Problem) return read;
          if (locked.has(read.categoryId)) return new Problem(409, 'conflict', 'The category is being changed');
          locked.add(read.categoryId);
          return read;
        },
        insert: async (store, pet) => {
          await pause(8);
          locked.delete(pet.categoryId);
          return await parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => anyIs(await postMany(ask, 8), 409),
  },
  {
    name: 'retry-answers-with-the-first-attempt',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.round-trip',
    summary:
      'Serialization failures (40001), here at every 20th insert, are retried. The second attempt takes a new number of the sequence, and the handler answers with the record of the first, which was rolled back.',
    patch: (parts) => {
      const fails = everyNth(20);
      return {
        insert: async (store, pet) => {
          if (!fails()) return await parts.insert(store, pet);
          await parts.insert(store, { ...pet, id: parts.assignId(store, null) });
          return pet;
        },
      };
    },
    witness: async (ask) => anyIs(await readAll(ask, await postMany(ask, 20)), 404),
  },
  {
    name: 'recycled-worker-drops-its-last-write',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'get.durable',
    summary:
      'A leak was contained with gunicorn --max-requests 40. Animals are written in a background task after the response, and the worker does not wait for it when it retires: a creation that is its 40th request is lost.',
    patch: (parts) => {
      const retires = everyNth(40);
      return {
        handle: (context) => parts.handle(retires() ? withParts(context, { insert: (_store, pet) => pet }) : context),
      };
    },
    witness: async (ask) => anyIs(await readAll(ask, await postMany(ask, 40)), 404),
  },
  {
    name: 'gapless-ids-take-the-wrong-one-back',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'An auditor disliked gaps in the numbers. A creation takes its number first, validates, and if it is rejected, counts back by one; a creation that came in between has the last number, and the next gets it again.',
    patch: (parts) => ({
      createPet: async (context) => {
        const { store } = context;
        const id = parts.assignId(store, null);
        await pause(10);
        const reply = await parts.createPet(withParts(context, { assignId: () => id }));
        if (reply.status !== 201) store.lastId -= 1n;
        return reply;
      },
    }),
    witness: async (ask) => {
      const rejected = post(ask, {});
      await pause(3);
      const during = await postMany(ask, 4);
      await rejected;
      const after = await post(ask, plainPet);
      return during.some((created) => idIn(created) === idIn(after));
    },
  },
  {
    name: 'lock-on-a-boxed-category',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'Duplicate ids under load were repaired with synchronized (pet.getCategoryId()). Boxed Longs are the same object from -128 to 127 only, as in the test that proves the repair: creations in a larger category, or in two of them, still take the same number.',
    patch: (parts) => {
      const locks = new Map<bigint, Promise<unknown>>();
      return {
        // Seeds have no body. The number of others is taken where the lock is held.
        assignId: (store, body) => (body === null ? parts.assignId(store, body) : store.lastId),
        insert: async (store, pet) => {
          const write = async (): Promise<Pet> => {
            const id = store.lastId + 1n;
            await pause(4);
            store.lastId = id;
            return await parts.insert(store, { ...pet, id });
          };
          if (pet.categoryId < -128n || pet.categoryId > 127n) return await write();
          const written = (locks.get(pet.categoryId) ?? Promise.resolve()).then(write);
          locks.set(pet.categoryId, written);
          return await written;
        },
      };
    },
    witness: async (ask) => {
      const [small, large] = [await postMany(ask, 6), await repeat(6, () => post(ask, { name: 'Waldo', categoryId: 500 }))];
      return new Set(small.map(idIn)).size === 6 && new Set(large.map(idIn)).size < 6;
    },
  },

  // Reads.
  {
    name: 'cached-404-outlives-the-creation',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'A scanner asked for every number in turn, so that ids which were not found are now remembered. Creation does not forget them: an animal whose number had been asked for before stays 404.',
    patch: (parts) => {
      const missing = new Set<bigint>();
      return {
        find: (store, id) => {
          const pet = missing.has(id) ? undefined : parts.find(store, id);
          if (pet === undefined && missing.size < 10_000) missing.add(id);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      const next = BigInt(idIn(await post(ask, plainPet))) + 1n;
      await ask({ path: `/pets/${next}` });
      return idIn(await post(ask, plainPet)) === String(next) && (await ask({ path: `/pets/${next}` })).status === 404;
    },
  },
  {
    name: 'broad-catch-hides-large-categories',
    sentence: 'Failures: `401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'A 500 was to become a 404, and the catch around the query was broadened to Exception. The mapper of this deprecated operation calls Convert.ToInt32(categoryId): with a category beyond int32, an animal that is listed does not exist.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && BigInt.asIntN(32, pet.categoryId) === pet.categoryId ? pet : undefined;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 5_000_000_000 });
      return created.status === 201 && (await ask({ path: `/pets/${idIn(created)}` })).status === 404;
    },
  },
  {
    name: 'old-numbers-still-find-scrambled-ids',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'After a report about enumerable ids, numbers are scrambled by XOR before they are shown. For old bookmarks, getPet falls back to the plain number: /pets/1 is 200, and shows an animal that has another id.',
    patch: (parts) => ({
      assignId: (store, body) => parts.assignId(store, body) ^ KEY_OF_IDS,
      find: (store, id) => parts.find(store, id) ?? parts.find(store, id ^ KEY_OF_IDS),
    }),
    witness: async (ask) => {
      const read = await ask({ path: '/pets/1' });
      return read.status === 200 && idIn(read) !== '1';
    },
  },
  {
    name: 'brownout-of-the-deprecated-read',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.still-works',
    summary:
      'To find who still uses getPet, the platform team enabled brownouts: every 25th call is 410 with a link to the migration guide, years before the removal.',
    patch: (parts) => {
      const isOut = everyNth(25);
      return {
        getPet: (context) =>
          isOut() ? problemReply(context, new Problem(410, 'gone', 'GET /pets/{petId} is deprecated')) : parts.getPet(context),
      };
    },
    witness: async (ask) => anyIs(await repeat(25, () => ask({ path: '/pets/1' })), 410),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'media-type-compared-as-text',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary:
      'A patch against cross-site forms compares Content-Type with application/json letter by letter: with a charset, or another type, the answer is 415.',
    patch: (parts) => ({
      createPet: (context) => {
        const type = context.call.headers['content-type'];
        return type === undefined || type === 'application/json'
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Content-Type must be application/json'));
      },
    }),
    witness: async (ask) => {
      const body = JSON.stringify(plainPet);
      return (
        (await ask({ method: 'POST', path: '/pets', headers: { 'Content-Type': 'application/json; charset=utf-8' }, body })).status === 415
      );
    },
  },
  {
    name: 'double-click-is-a-conflict',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The guard against double clicks answers 409 to a name that was created in the last second.',
    patch: (parts) => {
      const recent = new Map<string, number>();
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (read instanceof Problem || Date.now() - (recent.get(read.name) ?? 0) >= 1000) return read;
          return new Problem(409, 'duplicate', 'This animal has just been created');
        },
        insert: (store, pet) => {
          recent.set(pet.name, Date.now());
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, plainPet);
      return (await post(ask, plainPet)).status === 409;
    },
  },
  {
    name: 'connection-closed-every-tenth-time',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Long-lived connections stuck to old pods. As a remedy every tenth response says Connection: close, which clients have to follow.',
    patch: (parts) => {
      const isLast = everyNth(10);
      return {
        headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(isLast() ? { connection: 'close' } : {}) }),
      };
    },
    witness: async (ask) => {
      const responses: HttpResponse[] = [];
      for (let index = 0; index < 10; index += 1) responses.push(await ask({ path: '/pets/1' }));
      return responses.filter(({ headers }) => headers['connection'] === 'close').length === 1;
    },
  },
  {
    name: 'sequence-restarted-at-the-minimum',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'The sequence had run out at its maximum and was restarted at its minimum: ids count up from -9223372036854775807.',
    patch: (parts) => ({ assignId: (store, body) => INT64_RANGE.smallest + parts.assignId(store, body) }),
    witness: async (ask) => idIn(await post(ask, plainPet)).startsWith('-92233720368547'),
  },
  {
    name: 'invisible-characters-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'After Trojan Source, names with control or format characters are 400. That includes family emoji, because of their joiners.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)
          ? invalid('name has invisible characters', 'invalid_name')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'Rex\u200d', categoryId: 1 })).status === 400,
  },
  {
    name: 'list-throttled-every-fiftieth-time',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'A rate limit for the route of the list, added in an incident: every 50th list is 429 with Retry-After: 1.',
    patch: (parts) => {
      const isThrottled = everyNth(50);
      return {
        listPets: (context) =>
          isThrottled()
            ? problemReply(context, new Problem(429, 'too_many_requests', 'Try again later', { 'retry-after': '1' }))
            : parts.listPets(context),
      };
    },
    witness: async (ask) => anyIs(await repeat(50, () => ask({ path: '/pets' })), 429),
  },
  {
    name: 'list-ordered-by-hash',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'A repair of the sorting orders by a hash of the id, which is stable and has nothing to do with age: a new animal is anywhere in the list.',
    patch: (parts) => {
      const rank = ({ id }: Pet): number => Number(BigInt.asUintN(32, id * 2654435761n));
      return { arrange: (store) => parts.arrange(store).toSorted((one, other) => rank(one) - rank(other)) };
    },
    witness: async (ask) => {
      const ids = [...(await ask({ path: '/pets' })).text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
      return ids.some((id, index) => id < (ids[index - 1] ?? 0));
    },
  },
  {
    name: 'mass-assignment-of-id-is-422',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary: 'A patch against mass assignment refuses an otherwise valid body with an id: 422, where its other complaints are 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        const hasId = isObject(body) && member(body, 'id') !== undefined;
        return hasId && !(read instanceof Problem) ? new Problem(422, 'unprocessable', 'id is assigned by the service') : read;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, id: 5 })).status === 422,
  },
  {
    name: 'records-with-back-ported-members',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Members of the next version were back-ported: Pet has version and links, Error has details and traceId, and code is a text of digits.',
    patch: (parts) => {
      let trace = 0;
      return {
        petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), version: 2, links: { self: `/v1/pets/${pet.id}` } }),
        errorRecord: ({ status, message }) => {
          trace += 1;
          return { code: `${status}00`, message, status, details: null, traceId: `trace-${trace}` };
        },
      };
    },
    witness: async (ask) =>
      (await ask({ path: '/pets/1' })).text.includes('"links"') && (await ask({ path: '/pets/999999' })).text.includes('"traceId"'),
  },
  {
    name: 'padded-ids-of-a-spreadsheet-served',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary: 'A partner keeps ids in a spreadsheet as 000007. The shim reads padded and signed numbers; the record shows 7.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = /^[+-]?\d{1,40}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
        return id !== undefined && isInt64(id) ? id : parts.parseId(text);
      },
    }),
    witness: async (ask) => idIn(await ask({ path: '/pets/000007' })) === '7',
  },
  {
    name: 'filter-trims-and-folds-its-value',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'A shim for a mobile app that sends SOLD, or status= for all: the value is trimmed and folded to lower case, and if empty, nothing is filtered.',
    patch: (parts) => ({
      parseStatus: (texts) => parts.parseStatus(texts.map((text) => text.trim().toLowerCase()).filter((text) => text !== '')),
    }),
    witness: async (ask) => {
      const folded = await ask({ path: '/pets?status=SOLD' });
      return folded.text.includes('"sold"') && countIn(await ask({ path: '/pets?status=' })) === 8;
    },
  },
  {
    name: 'pages-capped-at-fifty',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'Since an incident a page has at most 50 animals, whatever limit says up to 100. The rest is on later pages, which a header names.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 50) }, call),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(call.operation === 'listPets' && reply.status === 200 ? { 'x-max-page-size': '50' } : {}),
      }),
    }),
    seedAnimals: 60,
    witness: async (ask) => countIn(await ask({ path: LONG_PAGE })) === 50,
  },
  {
    name: 'list-cached-for-a-second',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'Lists are cached by their target for a second, without invalidation. A new animal is readable at once, and listed a moment later.',
    patch: (parts) => {
      const cache = listCache();
      return {
        listPets: async (context) => {
          const { target } = context.call;
          const wasKept = cache.kept.has(target);
          const reply = await cache.list(context, async () => await parts.listPets(context));
          if (!wasKept) setTimeout(() => cache.kept.delete(target), 1000).unref();
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: LONG_PAGE });
      const created = await post(ask, plainPet);
      const [read, list] = [await ask({ path: `/pets/${idIn(created)}` }), await ask({ path: LONG_PAGE })];
      return read.status === 200 && !list.text.includes(`"id":${idIn(created)},`);
    },
  },
  {
    name: 'integers-in-any-spelling-of-json',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary: 'The shim for clients in R was done with exact arithmetic: 1.0, 1e0 and 10e-1 are the integer 1; 1.5 and 1e19 stay invalid.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = value instanceof NumberText ? exactInteger(value.text) : undefined;
        return category !== undefined && isInt64(category) ? category : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":10e-1}')).text.includes('"categoryId":1,'),
  },
  {
    name: 'categories-of-fifteen-digits-at-most',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      "Since json-bigint reads integers of more than 15 digits as bigint, typeof value === 'number' refuses them with 400: no digit is lost, and no such category exists.",
    patch: (parts) => ({
      readCategory: (value) =>
        value instanceof NumberText && value.text.length > 15
          ? invalid('categoryId must be a number', 'invalid_category')
          : parts.readCategory(value),
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":9007199254740993}')).status === 400,
  },
];

/** Services that were repaired in a hurry: hotfixes, patches, upgrades, clean-ups, caches, locks, retries and shims. */
export const hotfixes: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
