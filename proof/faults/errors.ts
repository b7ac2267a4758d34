import { gzipSync, zstdCompressSync } from 'node:zlib';
import { isObject, type Json, NumberText } from '../../src/reference/core/json.ts';
import { type Call, type Context, type Patch, Problem, pause, problemReply, type Reply } from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, type Store } from '../../src/reference/core/store.ts';
import { EMPTY_STORE, FEW, faultsOf, LARGE_STORE, shipped, WRITES } from './fault.ts';
import { onId } from './patches/animals.ts';
import { digits, invalidBodies, lenientCategory, lenientName, oddNumber, rebind } from './patches/creations.ts';
import {
  crash,
  crashIf,
  everyNth,
  header,
  isProblem,
  onEveryNth,
  onWire,
  plainBody,
  rewriteIf,
  shape,
  shapeOf,
  type Wire,
} from './patches/exchanges.ts';

const isRejectedCreation = ({ operation }: Call, { status }: Reply): boolean => operation === 'createPet' && status === 400;
const isMissingAnimal = ({ operation }: Call, { status }: Reply): boolean => operation === 'getPet' && status === 404;

/** Writes every nth reply that meets the condition to the connection in another way. */
function onWireEveryNth(nth: number, condition: (call: Call, reply: Reply) => boolean, wire: Wire): Patch {
  return onEveryNth(nth, (isTurn) => onWire((call, reply) => condition(call, reply) && isTurn(), wire));
}

const drop: Wire = (_reply, outgoing) => {
  outgoing.socket?.destroy();
};

const hang: Wire = () => undefined;

/** Announces more than it sends, then closes. */
const tooShort: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) + 10 });
  outgoing.write(reply.body, () => outgoing.socket?.destroy());
};

/** A chunked body without its last chunk. */
const cutChunks: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers });
  outgoing.write(reply.body.slice(0, Math.ceil(reply.body.length / 2)), () => outgoing.socket?.destroy());
};

const garbage: Wire = (_reply, outgoing) => {
  outgoing.socket?.end('ERR internal protocol 3\n\n');
};

/** The headers are sent, the body never is. */
const stall: Wire = (reply, outgoing) => {
  outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) });
  outgoing.flushHeaders();
};

/** Responses that are missing, or incomplete. */
export const errorsAnswers = faultsOf('errors.answers', {
  'drops-on-missing-animal': ['A missing animal closes the connection without a response.', onWire(isMissingAnimal, drop)],
  'decoded-body-announced-as-gzip': [
    'The proxy decodes bodies and leaves Content-Encoding: gzip in place.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'accept-encoding').includes('gzip'),
      ({ headers }) => ({ headers: { ...headers, 'content-encoding': 'gzip' } }),
    ),
  ],
  'zstd-announced-by-suffix': [
    'Zstandard bodies have Content-Encoding: zst, the file extension, instead of zstd.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'accept-encoding') === 'zstd',
      ({ headers, body }) => ({ headers: { ...headers, 'content-encoding': 'zst' }, body: zstdCompressSync(body) }),
    ),
  ],
  'gzip-announced-twice': [
    'Content-Encoding is gzip, gzip, but the second layer does not compress.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'accept-encoding') === 'gzip',
      ({ headers, body }) => ({ headers: { ...headers, 'content-encoding': 'gzip, gzip' }, body: gzipSync(body) }),
    ),
  ],
  'drops-on-create': [
    'A creation is stored, then the connection is closed without a response.',
    onWire(({ operation }, { status }) => operation === 'createPet' && status === 201, drop),
    WRITES,
  ],
  'drops-on-bad-body': ['A rejected body closes the connection.', onWire(isRejectedCreation, drop), WRITES],
  'drops-on-wrong-key': ['A wrong key closes the connection.', onWire((_call, { status }) => status === 401, drop)],
  'drops-on-limit-100': ['limit=100 kills the worker.', onWire(({ query }) => query.get('limit') === '100', drop)],
  'hangs-on-limit-1': ['limit=1 never gets a response.', onWire(({ query }) => query.get('limit') === '1', hang)],
  'hangs-on-pending': ['status=pending never gets a response.', onWire(({ query }) => query.get('status') === 'pending', hang)],
  'hangs-on-missing-animal': ['A missing animal never gets a response.', onWire(isMissingAnimal, hang)],
  'hangs-on-empty-body': [
    'A POST without a body never gets a response: the server waits for one.',
    onWire(
      ({ operation, headers }) =>
        operation === 'createPet' && (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined,
      hang,
    ),
    WRITES,
  ],
  'stalls-on-sold': ['status=sold sends the headers and never the body.', onWire(({ query }) => query.get('status') === 'sold', stall)],
  'list-cut-off': [
    'The Content-Length of lists is larger than the body.',
    onWire(({ operation }, { status }) => operation === 'listPets' && status === 200, tooShort),
  ],
  'chunks-cut-off': [
    'Long lists are streamed, and the stream breaks in the middle.',
    onWire(({ operation }, { body }) => operation === 'listPets' && body.length > 4000, cutChunks),
    LARGE_STORE,
  ],
  'garbage-on-missing-animal': ['A missing animal gets a raw response of the cache, which is not HTTP.', onWire(isMissingAnimal, garbage)],
  'drops-every-15th-creation': [
    'Every fifteenth creation closes the connection.',
    onWireEveryNth(15, ({ operation }) => operation === 'createPet', drop),
    WRITES,
  ],
  'drops-every-20th-request': ['Every twentieth request closes the connection.', onWireEveryNth(20, () => true, drop)],
  'cuts-every-12th-list': [
    'Every twelfth list breaks off in the middle.',
    onWireEveryNth(12, ({ operation }) => operation === 'listPets', cutChunks),
  ],
  'hangs-every-30th-request': ['Every thirtieth request never gets a response.', onWireEveryNth(30, () => true, hang)],
});

const RETRY = { 'retry-after': '0' };
const EVERY = 47;

function problem(context: Context, status: number): Reply {
  return problemReply(context, new Problem(status, 'later', 'Come back later', RETRY));
}

/** A proxy or gateway asks every nth request to retry later, in its own format. */
function inFront(reply: (context: Context) => Reply): Patch {
  return (parts) => {
    const isTurn = everyNth(EVERY);
    return { handle: (context) => (isTurn() ? reply(context) : parts.handle(context)) };
  };
}

function page(status: number, type: string, body: string): Patch {
  return inFront((context) => {
    const { headers, ...reply } = problem(context, status);
    return { ...reply, headers: { ...headers, 'content-type': type }, body };
  });
}

/** Errors of proxies and gateways that are not an Error body. */
export const errorsInfrastructureErrors = faultsOf('errors.infrastructure-errors', {
  'rate-limit-in-html': [
    "The gateway's rate limit returns 429 as an HTML page.",
    page(429, 'text/html', '<html><h1>Too Many Requests</h1></html>'),
  ],
  'rate-limit-in-plain-text': ["The gateway's rate limit returns 429 as plain text.", page(429, 'text/plain', 'Too Many Requests')],
  'rate-limit-without-body': ['The 429 of the gateway has no body.', page(429, 'application/json', '')],
  'unavailable-in-html': [
    'While the service restarts, the load balancer returns its own page: 503 in HTML, with Retry-After.',
    page(503, 'text/html', '<html><h1>503 Service Temporarily Unavailable</h1></html>'),
  ],
  'rate-limit-in-words-of-the-gateway': [
    'The 429 of the gateway is JSON with only a message.',
    page(429, 'application/json', '{"message":"Too Many Requests"}'),
  ],
  'rate-limit-says-503': [
    'The gateway writes status 503 into the Error of its 429.',
    page(429, 'application/json', '{"code":"busy","message":"Too Many Requests","status":503}'),
  ],
});

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
  'announced-coding-crashes': [
    'A middleware inflates bodies by their Content-Encoding, and what zlib throws at another body is caught nowhere.',
    crashIf(({ call }) => call.headers['content-encoding'] === 'gzip'),
    WRITES,
  ],
  'missing-user-agent-crashes-creation': [
    'The audit row of a creation needs a User-Agent, which the table does not allow to be null.',
    crashIf(({ call }) => call.operation === 'createPet' && call.headers['user-agent'] === undefined),
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
  'null-body-crashes': shipped('null-body-crashes', WRITES),
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

/** Error bodies that are not an Error. */
export const errorsShape = faultsOf('errors.shape', {
  'error-status-as-text': ['status is a string.', shape((record) => ({ ...record, status: String(record.status) }))],
  'error-code-as-number': ['code is a number.', shape((record) => ({ ...record, code: record.status }))],
  'error-code-missing': ['code is omitted.', shape((record) => ({ ...record, code: undefined }))],
  'error-code-null': ['code is null.', shape((record) => ({ ...record, code: null }))],
  'error-message-missing': ['message is omitted.', shape((record) => ({ ...record, message: undefined }))],
  'error-message-null': ['message is null.', shape((record) => ({ ...record, message: null }))],
  'error-message-as-array': ['message is an array of messages.', shape((record) => ({ ...record, message: [record.message] }))],
  'error-message-as-object': ['message is an object of translations.', shape((record) => ({ ...record, message: { en: record.message } }))],
  'error-status-missing': ['status is omitted.', shape((record) => ({ ...record, status: undefined }))],
  'error-nested': ['The Error is inside {"error": …}.', shape((record) => ({ error: record }))],
  'error-in-array': ['The Error is inside {"errors": […]}.', shape((record) => ({ errors: [record] }))],
  'error-as-text': ['The body is the message as a JSON string.', shape((record) => record.message)],
  'error-as-problem-details': [
    'The body is RFC 9457: type, title, detail, status.',
    shape((record) => ({ type: 'about:blank', title: record.message, status: record.status })),
  ],
  'error-capitalised-members': [
    'Members are Code, Message, Status.',
    shape((record) => ({ Code: record.code, Message: record.message, Status: record.status })),
  ],
  'unauthorized-without-code': ['The 401 of the gateway has only a message.', shapeOf(401, ({ message }) => ({ message }))],
  'error-without-user-agent-brief': [
    'The gateway takes a client without a User-Agent for a crawler, which gets no more than the message.',
    (parts) => ({
      errorRecord: (problem, call) => (header(call, 'user-agent') === '' ? { message: problem.message } : parts.errorRecord(problem, call)),
    }),
  ],
  'unauthorized-empty-object': ['The 401 has the body {}.', shapeOf(401, () => ({}))],
  'not-found-without-status': ['The 404 has no status.', shapeOf(404, (record) => ({ ...record, status: undefined }))],
  'not-found-null': ['The 404 has the body null.', shapeOf(404, () => null)],
  'bad-request-message-as-array': [
    'The 400 has an array of messages, one per field.',
    shapeOf(400, (record) => ({ ...record, message: [record.message] })),
    WRITES,
  ],
  'bad-request-without-code': ['The 400 has no code.', shapeOf(400, (record) => ({ ...record, code: undefined })), WRITES],
  'bad-request-code-as-number': ['The 400 has a number as code.', shapeOf(400, (record) => ({ ...record, code: 1001 })), WRITES],
  'unauthorized-without-body': ['The 401 has no body.', plainBody(401, '', 'application/json')],
  'not-found-without-body': ['The 404 has no body.', plainBody(404, '', 'application/json')],
  'bad-request-without-body': ['The 400 has no body.', plainBody(400, '', 'application/json'), WRITES],
});

/** Errors whose status differs from that of the response. */
export const errorsStatusAgrees = faultsOf('errors.status-agrees', {
  'error-status-zero': ['status is always 0.', shape((record) => ({ ...record, status: 0 }))],
  'error-status-always-500': ['status is always 500.', shape((record) => ({ ...record, status: 500 }))],
  'error-status-always-400': ['status is always 400.', shape((record) => ({ ...record, status: 400 }))],
  'error-status-always-200': ['status is always 200.', shape((record) => ({ ...record, status: 200 }))],
  'error-status-times-hundred': [
    'status is an internal code such as 40101.',
    shape((record) => ({ ...record, status: Number(record.status) * 100 + 1 })),
  ],
  'unauthorized-says-403': ['The 401 says status 403.', shapeOf(401, (record) => ({ ...record, status: 403 }))],
  'not-found-says-400': ['The 404 says status 400.', shapeOf(404, (record) => ({ ...record, status: 400 }))],
  'bad-request-says-422': ['The 400 says status 422.', shapeOf(400, (record) => ({ ...record, status: 422 })), WRITES],
  'bad-request-after-401-status': [
    'The Error object is shared: each error shows the status of the previous one.',
    () => {
      let before = 401;
      return {
        errorRecord: ({ code, message, status }) => {
          const shown = before;
          before = status;
          return { code, message, status: shown };
        },
      };
    },
  ],
});
