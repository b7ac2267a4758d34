import { isObject, type Json, NumberText } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { pause } from '../../core/pause.ts';
import { isStatus, type Pet } from '../../core/pet.ts';
import { Problem } from '../../core/problem.ts';
import { problemReply } from '../../core/replies.ts';
import type { Store } from '../../core/store.ts';
import { EMPTY_STORE, FEW, faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { digits, invalidBodies, lenientCategory, lenientName, oddNumber, rebind } from '../helpers/creations.ts';
import { onId } from '../helpers/reads.ts';
import { crash, crashIf, header, isProblem } from '../helpers/requests.ts';

function crashOnBody(condition: (body: Json) => boolean): Patch {
  return (parts) => ({ readNewPet: (body, all) => (condition(body) ? crash() : parts.readNewPet(body, all)) });
}

function crashOnInsert(condition: (pet: Pet, store: Store) => boolean): Patch {
  return (parts) => ({ insert: (store, pet) => (condition(pet, store) ? crash() : parts.insert(store, pet)) });
}

function crashOnName(condition: (name: string) => boolean): Patch {
  return crashOnInsert(({ name }) => condition(name));
}

function crashOnLimit(condition: (text: string) => boolean): Patch {
  return crashIf(({ call }) => condition(call.operation === 'listPets' ? (call.query.get('limit') ?? '20') : '20'));
}

function depthOf(body: Json): number {
  let depth = 0;
  for (let inner: Json | undefined = body; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
}

/** Requests that crash the server: 500 with an Error body. */
export const errorsNoServerError = faultsOf('errors.no-server-error', {
  'first-after-idle-second-crashes': [
    'The database closes connections that are idle for a second, and the pool notices when it uses one: the next request crashes.',
    (parts) => {
      let last = Number.POSITIVE_INFINITY;
      return {
        dispatch: (context) => {
          const now = performance.now();
          const isIdle = now - last > 1_000;
          last = now;
          return isIdle ? crash() : parts.dispatch(context);
        },
      };
    },
  ],
  'missing-user-agent-crashes': [
    'The log reads the User-Agent without checking that it is there.',
    crashIf(({ call }) => call.headers['user-agent'] === undefined),
  ],
  'chunked-body-crashes': [
    'Content-Length is parsed as a number without checking that it is there.',
    crashIf(({ call }) => call.headers['transfer-encoding'] === 'chunked'),
    WRITES,
  ],
  'listed-animal-crashes-on-read': [
    'Reading an animal that is pending crashes.',
    (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet?.status === 'pending' ? crash() : pet;
      },
    }),
    FEW,
  ],
  'invalid-bodies-crash': ['Every invalid body returns 500: the error handler is missing.', invalidBodies(500), WRITES],
  'status-with-nul-crashes': [
    'U+0000 in a status crashes the database driver.',
    rebind((body) => (String(body['status']).includes('\0') ? crash() : body)),
    WRITES,
  ],
  'not-json-crashes': [
    'A body that is not JSON crashes the parser: 500.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return isProblem(body) && bytes.byteLength > 0 ? crash() : body;
      },
    }),
    WRITES,
  ],
  'empty-body-crashes': [
    'A POST without a body crashes: 500.',
    (parts) => ({ readBody: (bytes, call) => (bytes.byteLength === 0 ? crash() : parts.readBody(bytes, call)) }),
    WRITES,
  ],
  'null-body-crashes': ['The body null crashes the server.', crashOnBody((body) => body === null), WRITES],
  'array-body-crashes': ['An array body crashes the server.', crashOnBody(Array.isArray), WRITES],
  'deep-body-crashes': ['A body of nested arrays overflows the stack of the parser.', crashOnBody((body) => depthOf(body) > 900), WRITES],
  'text-body-crashes': ['A body that is a JSON string crashes the server.', crashOnBody((body) => typeof body === 'string'), WRITES],
  'number-body-crashes': ['A body that is a number crashes the server.', crashOnBody((body) => body instanceof NumberText), WRITES],
  'nested-member-crashes': [
    'An unknown member that holds an object crashes the object mapper.',
    crashOnBody((body) => isObject(body) && Object.values(body).some((value) => isObject(value))),
    WRITES,
  ],
  'prototype-member-crashes': [
    'A member called __proto__ or constructor crashes the server.',
    crashOnBody((body) => isObject(body) && (Object.hasOwn(body, '__proto__') || Object.hasOwn(body, 'constructor'))),
    WRITES,
  ],
  'concurrent-creations-crash': [
    'The file lock of the store is not awaited: a second concurrent creation returns 500.',
    (parts) => {
      let locked = false;
      return {
        insert: async (store, pet) => {
          if (locked) throw new Error('The store is locked');
          locked = true;
          await pause(5);
          locked = false;
          return await parts.insert(store, pet);
        },
      };
    },
    WRITES,
  ],
  'missing-name-crashes': [
    'A body without name crashes in trim().',
    lenientName((value) => (value === undefined ? crash() : undefined)),
    WRITES,
  ],
  'number-name-crashes': [
    'A name that is a number crashes in trim().',
    lenientName((value) => (value instanceof NumberText ? crash() : undefined)),
    WRITES,
  ],
  'large-category-crashes': [
    'A categoryId outside int64 crashes in the database driver.',
    lenientCategory((value) => {
      const id = digits(value);
      return id !== undefined && BigInt.asIntN(64, id) !== id ? crash() : undefined;
    }),
    WRITES,
  ],
  'category-beyond-int32-crashes': [
    'A categoryId beyond 32 bits crashes: the column is INTEGER.',
    lenientCategory((value) => {
      const id = digits(value);
      return id !== undefined && BigInt.asIntN(32, id) !== id && BigInt.asIntN(64, id) === id ? crash() : undefined;
    }),
    WRITES,
  ],
  'fraction-category-crashes': [
    'A categoryId with a fraction crashes in BigInt().',
    lenientCategory((value) => (/\.\d*[1-9]/.test(oddNumber(value) ?? '') ? crash() : undefined)),
    WRITES,
  ],
  'text-category-crashes': [
    'A categoryId that is a string crashes in the database driver.',
    lenientCategory((value) => (typeof value === 'string' ? crash() : undefined)),
    WRITES,
  ],
  'huge-exponent-category-crashes': [
    'categoryId 1e400 becomes Infinity and crashes.',
    lenientCategory((value) => (Number.isFinite(Number(oddNumber(value) ?? 0)) ? undefined : crash())),
    WRITES,
  ],
  'category-of-many-digits-crashes': [
    'A categoryId of more than 4,300 digits crashes: the language does not parse longer integers.',
    lenientCategory((value) => (value instanceof NumberText && value.text.length > 4_300 ? crash() : undefined)),
    WRITES,
  ],
  'unknown-status-crashes': [
    'An unknown status crashes in Enum.valueOf().',
    (parts) => ({ readStatus: (value) => (typeof value === 'string' && !isStatus(value) ? crash() : parts.readStatus(value)) }),
    WRITES,
  ],
  'create-without-status-crashes': [
    'A body without status crashes the server.',
    (parts) => ({ readStatus: (value) => (value === undefined ? crash() : parts.readStatus(value)) }),
    WRITES,
  ],
  'missing-animal-crashes': ['A missing animal crashes: 500.', (parts) => ({ find: (store, id) => parts.find(store, id) ?? crash() })],
  'id-beyond-int32-crashes': ['An id beyond 32 bits crashes.', onId((id) => BigInt.asIntN(32, id) !== id, crash)],
  'id-largest-crashes': ['The largest int64 crashes: the next one is computed.', onId((id) => id === 2n ** 63n - 1n, crash)],
  'id-outside-int64-crashes': [
    'An id outside int64 crashes.',
    (parts) => ({
      parseId: (text) => (/^-?\d{19,}$/.test(text) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text) ? crash() : parts.parseId(text)),
    }),
  ],
  'id-not-a-number-crashes': [
    'A petId that is not a number crashes.',
    (parts) => ({ parseId: (text) => (/^-?\d+$/.test(text) ? parts.parseId(text) : crash()) }),
  ],
  'limit-1-crashes': [
    'limit=1 crashes: a page of one is not an array.',
    (parts) => ({ parseLimit: (texts) => (texts[0] === '1' ? crash() : parts.parseLimit(texts)) }),
  ],
  'quote-in-name-crashes': ['A single quote in the name breaks the SQL statement.', crashOnName((text) => text.includes("'")), WRITES],
  'double-quote-in-name-crashes': [
    'A double quote in the name breaks the query document.',
    crashOnName((text) => text.includes('"')),
    WRITES,
  ],
  'backslash-in-name-crashes': ['A backslash in the name breaks the statement.', crashOnName((text) => text.includes('\\')), WRITES],
  'emoji-in-name-crashes': [
    'The column is three-byte UTF-8: an emoji returns 500.',
    crashOnName((text) => /[\u{10000}-\u{10FFFF}]/u.test(text)),
    WRITES,
  ],
  'nul-in-name-crashes': ['The database rejects U+0000: 500.', crashOnName((text) => text.includes('\0')), WRITES],
  'lone-surrogate-in-name-crashes': ['A lone surrogate cannot be encoded: 500.', crashOnName((text) => !text.isWellFormed()), WRITES],
  'long-name-crashes': ['A name over 255 characters does not fit its column: 500.', crashOnName((text) => text.length > 255), WRITES],
  'very-long-name-crashes': [
    'A name over 4000 characters does not fit its column: 500.',
    crashOnName((text) => text.length > 4000),
    WRITES,
  ],
  'empty-name-crashes': ['An empty name crashes in name[0].toUpperCase().', crashOnName((text) => text === ''), WRITES],
  'format-in-name-crashes': ['The name is used as a format string: %s and %n crash.', crashOnName((text) => /%[sdnx]/.test(text)), WRITES],
  'property-name-crashes': [
    'Names are keys of a plain object: constructor, toString and __proto__ crash.',
    crashOnName((text) => text in {}),
    WRITES,
  ],
  'duplicate-name-crashes': [
    'The unique index on name is not handled: a taken name returns 500.',
    crashOnInsert((pet, { animals }) => animals.some(({ name }) => name === pet.name)),
    WRITES,
  ],
  'negative-category-crashes': [
    'A negative categoryId breaks the unsigned column: 500.',
    crashOnInsert(({ categoryId }) => categoryId < 0n),
    WRITES,
  ],
  'unknown-category-crashes': [
    'A categoryId that does not exist breaks the foreign key: 500.',
    crashOnInsert(({ categoryId }) => categoryId > 1000n || categoryId < 1n),
    WRITES,
  ],
  'limit-not-a-number-crashes': ['limit=abc crashes in the database.', crashOnLimit((limit) => !/^-?\d+(\.\d+)?$/.test(limit))],
  'limit-negative-crashes': ['A negative limit crashes in the database.', crashOnLimit((limit) => limit.startsWith('-'))],
  'limit-zero-crashes': ['limit=0 divides by zero.', crashOnLimit((limit) => limit === '0')],
  'limit-huge-crashes': ['A limit beyond 32 bits crashes.', crashOnLimit((limit) => Number(limit) > 2 ** 31)],
  'limit-repeated-crashes': [
    'limit given twice becomes an array and crashes the server.',
    crashIf(({ call }) => call.query.getAll('limit').length > 1),
  ],
  'status-unknown-crashes': [
    'An unknown status filter crashes in Enum.valueOf().',
    crashIf(({ call }) => !['available', 'pending', 'sold', null].includes(call.query.get('status'))),
  ],
  'lower-case-scheme-crashes': [
    'bearer in lower case is not recognized, and the missing token crashes the server.',
    crashIf(({ call }) => header(call, 'authorization').startsWith('bearer ')),
  ],
  'body-over-100-kb-crashes': [
    'The error handler takes the status of an error for that of the response, and the body parser throws one without: a body of more than 100 kB returns 500.',
    (parts) => ({ readBody: (bytes, call) => (bytes.length > 100_000 ? crash() : parts.readBody(bytes, call)) }),
    WRITES,
  ],
  'undecodable-id-crashes': [
    'The router decodes the path outside of the error handler: a petId that is not UTF-8 returns 500.',
    crashIf(({ call }) => /%(?:FF|C3%28)/.test(call.target)),
  ],
  'quote-in-id-crashes': ['A quote in petId breaks the SQL statement.', crashIf(({ call }) => /'/.test(call.petId))],
  'empty-store-crashes': [
    'A list of an empty store crashes.',
    crashIf(({ call, store }) => call.operation === 'listPets' && store.animals.length === 0),
    EMPTY_STORE,
  ],
  'no-content-type-crashes': [
    'A POST without Content-Type crashes.',
    crashIf(({ call }) => call.operation === 'createPet' && header(call, 'content-type') === ''),
    WRITES,
  ],
  'every-25th-request-crashes': ['Every twenty-fifth request crashes.', onEveryNth(25, crashIf)],
  'every-9th-creation-crashes': [
    'Every ninth creation runs into a deadlock: 500.',
    onEveryNth(9, (isTurn) => crashIf(({ call }) => call.operation === 'createPet' && isTurn())),
    WRITES,
  ],
  'every-8th-read-crashes': [
    'Every eighth read of an animal crashes.',
    onEveryNth(8, (isTurn) => crashIf(({ call }) => call.operation === 'getPet' && isTurn())),
    FEW,
  ],
  'overload-crashes': [
    'More than five concurrent requests exhaust the pool: 500.',
    (parts) => {
      let open = 0;
      return {
        dispatch: async (context) => {
          open += 1;
          try {
            if (open > 5) crash();
            await pause(10);
            return await parts.dispatch(context);
          } finally {
            open -= 1;
          }
        },
      };
    },
  ],
  'create-put-off-for-ever': [
    'The circuit breaker of the store never closes again: creations return 503 with Retry-After.',
    () => ({ createPet: (context) => problemReply(context, new Problem(503, 'unavailable', 'Try again later', { 'retry-after': '1' })) }),
    { ...FEW, writes: true },
  ],
  'status-sold-crashes': [
    'status=sold crashes on the archive table.',
    (parts) => ({ parseStatus: (texts) => (texts[0] === 'sold' ? crash() : parts.parseStatus(texts)) }),
  ],
});
