import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import {
  type Call,
  type Context,
  jsonReply,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withoutHeaders,
} from '../../src/reference/core/parts.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { lengthOf, plainPet, post } from './witness.ts';

/** A counter that says so at every n-th call. */
function everyNth(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0;
  };
}

/** The value of a header as one text; empty if it was not sent. */
const headerOf = (call: Call, name: string): string => String(call.headers[name] ?? '');

/** The same request, with a body that has been read already. */
const withBody = (context: Context, bytes: Uint8Array): Context => ({
  ...context,
  call: { ...context.call, body: async () => bytes },
});

/** The path of the target, without its query. */
const pathOf = ({ target }: Call): string => target.replace(/\?.*$/, '');

/** Whether the client offers to decode gzip. */
const offersGzip = (call: Call): boolean => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/.test(headerOf(call, 'accept-encoding'));

/** The media ranges of an Accept header, without their parameters. */
const mediaRanges = (call: Call): string[] =>
  headerOf(call, 'accept')
    .split(',')
    .map((range) => range.replace(/;.*$/, '').trim().toLowerCase())
    .filter((range) => range !== '');

/** Numbers connections in the order in which they first send a request. */
function numberConnections(): (call: Call) => number {
  const numbers = new WeakMap<object, number>();
  let last = 0;
  return ({ connection }) => {
    const known = numbers.get(connection);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(connection, last);
    return last;
  };
}

/** Whether the runtime knows what to do with that language. */
function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== '';
  } catch {
    return false;
  }
}

/** A strong entity tag of a body. */
const entityTag = (body: string | Uint8Array): string => `"${createHash('sha256').update(body).digest('hex').slice(0, 24)}"`;

/** What characters outside ASCII are in a JSON text without them. */
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const inTurn = async <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await one(index));
  return results;
};
const together = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const typeOf = ({ headers }: HttpResponse): string => headers['content-type'] ?? '';
const listWith = (ask: Ask, headers: Readonly<Record<string, string>>): Promise<HttpResponse> => ask({ path: '/pets', headers });

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'entity-tag-never-recomputed',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'To save hashing, the ETag of a list is kept by its target and never dropped. A client that revalidates its list after a creation is told 304: nothing is new.',
    patch: (parts) => {
      const tags = new Map<string, string>();
      return {
        listPets: async (context) => {
          const { call } = context;
          const reply = await parts.listPets(context);
          if (reply.status !== 200) return reply;
          const tag = tags.get(call.target) ?? entityTag(reply.body);
          tags.set(call.target, tag);
          const headers = { ...reply.headers, etag: tag };
          return headerOf(call, 'if-none-match') === tag
            ? { status: 304, headers: withoutHeaders(headers, ['content-type']), body: '' }
            : { ...reply, headers };
        },
      };
    },
    witness: async (ask) => {
      const tag = (await ask({ path: LONG_PAGE })).headers['etag'] ?? '"none"';
      await post(ask);
      return (await ask({ path: LONG_PAGE, headers: { 'If-None-Match': tag } })).status === 304;
    },
  },
  {
    name: 'coalesced-by-path-alone',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Concurrent lists share one run of the query. Its key is the path, which the router had stripped of the query: whoever asks meanwhile gets the list of somebody else, with that limit and that status.',
    patch: (parts) => {
      const running = new Map<string, Promise<Reply>>();
      return {
        listPets: (context) => {
          const key = pathOf(context.call);
          const shared = running.get(key);
          if (shared !== undefined) return shared;
          const own = pause(3)
            .then(() => parts.listPets(context))
            .finally(() => running.delete(key));
          running.set(key, own);
          return own;
        },
      };
    },
    witness: async (ask) => {
      const lists = await together(6, (index) => ask({ path: `/pets?limit=${index + 1}` }));
      return lists.some((list, index) => lengthOf(list) !== index + 1);
    },
  },
  {
    name: 'lockout-of-everybody-behind-the-proxy',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.valid-key',
    summary:
      'After twelve wrong credentials in a row an address is locked out for its next three requests. The address is that of the load balancer, so valid keys are refused with 401 as well.',
    patch: (parts) => {
      let failures = 0;
      let locked = 0;
      return {
        authenticate: (call, apiKey) => {
          if (locked > 0) {
            locked -= 1;
            return unauthorized('Too many attempts');
          }
          const rejection = parts.authenticate(call, apiKey);
          failures = rejection === undefined ? 0 : failures + 1;
          if (failures === 12) [failures, locked] = [0, 3];
          return rejection;
        },
      };
    },
    witness: async (ask) => {
      await inTurn(12, () => ask({ path: '/pets', noKey: true }));
      return (await ask({ path: '/pets' })).status === 401;
    },
  },
  {
    name: 'request-body-in-a-module-variable',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The parser puts the body into a "current request" of its module, and an asynchronous quota check follows. If another creation is parsed meanwhile, both store the later body.',
    patch: (parts) => {
      let current: Uint8Array = new Uint8Array();
      return {
        createPet: async (context) => {
          const bytes = await context.call.body();
          if (bytes instanceof Problem) return problemReply(context, bytes);
          current = bytes;
          await pause(2);
          return parts.createPet(withBody(context, current));
        },
      };
    },
    witness: async (ask) => {
      const created = await together(8, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
      return created.some(({ text }, index) => !text.includes(`"Waldo ${index}"`));
    },
  },
  {
    name: 'log-redaction-edits-the-request',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The logger masks what looks like a card number, 13 to 19 digits, before it writes the body of a request. It does so in place, so the handler stores the mask: chip numbers in names are lost.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' ? name.replace(/\d{13,19}/g, '[REDACTED]') : name;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Chip 276098106123456', categoryId: 1 })).text.includes('REDACTED'),
  },
  {
    name: 'cors-throws-for-unlisted-origins',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'The callback of the CORS middleware passes an Error for origins that are not on the list, as its manual shows. That is a 500 for any client that sends Origin, with a valid key too.',
    patch: (parts) => ({
      handle: (context) => {
        const origin = headerOf(context.call, 'origin');
        return origin === '' || origin === 'https://shop.example'
          ? parts.handle(context)
          : problemReply(context, new Problem(500, 'internal_error', 'Not allowed by CORS'));
      },
    }),
    witness: async (ask) => (await listWith(ask, { Origin: 'https://example.org' })).status === 500,
  },
  {
    name: 'error-handler-fails-for-any-language',
    sentence: '`404` with an Error body when the animal does not exist',
    clause: 'errors.no-server-error',
    summary:
      'Messages of errors are translated into the first language of Accept-Language. The asterisk, which several HTTP clients send by default, is no locale: the handler throws, and a 404 becomes a 500.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const tag = (headerOf(context.call, 'accept-language').split(/[,;]/)[0] ?? '').trim();
        return reply.status < 400 || tag === '' || isLocale(tag)
          ? reply
          : problemReply(context, new Problem(500, 'internal_error', 'Incorrect locale information provided'));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999', headers: { 'Accept-Language': '*' } })).status === 500,
  },
  {
    name: 'breaker-opened-by-mistakes-of-clients',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'The circuit breaker counts every status from 400 on as a failure. After five in a row the next list is its fallback, an empty one, until a success closes it.',
    patch: (parts) => {
      let failures = 0;
      return {
        dispatch: async (context) => {
          const reply = await parts.dispatch(context);
          failures = reply.status >= 400 ? failures + 1 : 0;
          return reply;
        },
        listPets: (context) => (failures >= 5 ? jsonReply(context, 200, []) : parts.listPets(context)),
      };
    },
    witness: async (ask) => {
      await inTurn(5, () => ask({ path: '/pets/999999' }));
      return (await ask({ path: '/pets' })).text === '[]';
    },
  },
  {
    name: 'connection-cut-at-its-sixtieth-request',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'errors.answers',
    summary:
      'To rebalance clients, the server ends connections after 60 requests. It does so before the last response is written, and without Connection: close; browsers repeat a GET silently.',
    patch: (parts) => {
      const served = new WeakMap<object, number>();
      return {
        send: (reply, outgoing, call) => {
          const count = (served.get(call.connection) ?? 0) + 1;
          served.set(call.connection, count);
          if (count < 60) return parts.send(reply, outgoing, call);
          outgoing.destroy();
          return undefined;
        },
      };
    },
    witness: (ask) =>
      inTurn(60, () => ask({ path: '/pets/1' })).then(
        () => false,
        () => true,
      ),
  },
  {
    name: 'slash-redirect-with-a-page',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'A middleware for canonical URLs redirects paths with a slash at the end, from before the interface had its own server. The 301 has a page of HTML as its body.',
    patch: (parts) => ({
      handle: (context) => {
        const path = pathOf(context.call);
        if (!/\/pets(?:\/[^/]+)?\/$/.test(path)) return parts.handle(context);
        const location = `${path.slice(0, -1)}${context.call.target.slice(path.length)}`;
        return {
          status: 301,
          headers: { 'content-type': 'text/html; charset=utf-8', location },
          body: '<!DOCTYPE html><html><head><title>Redirecting</title></head><body><pre>Redirecting</pre></body></html>',
        };
      },
    }),
    witness: async (ask) => typeOf(await ask({ path: '/pets/' })).startsWith('text/html'),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'gzip-for-those-who-offer-it',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Every body, errors included, is compressed if the client offers gzip, with Content-Encoding and Vary.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const headers = { ...reply.headers, vary: 'Accept-Encoding' };
        return offersGzip(context.call)
          ? { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }
          : { ...reply, headers };
      },
    }),
    witness: async (ask) => (await listWith(ask, { 'Accept-Encoding': 'gzip' })).headers['content-encoding'] === 'gzip',
  },
  {
    name: 'conditional-requests-of-hashed-bodies',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'Successful reads have a strong ETag of their body, and If-None-Match with the same one is answered with 304, without a body.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call } = context;
        const reply = await parts.handle(context);
        if (call.method !== 'GET' || reply.status !== 200) return reply;
        const etag = entityTag(reply.body);
        const headers = { ...reply.headers, etag, 'cache-control': 'private, no-cache' };
        const known = headerOf(call, 'if-none-match').split(',');
        return known.some((tag) => tag.trim().replace(/^W\//, '') === etag)
          ? { status: 304, headers: withoutHeaders(headers, ['content-type']), body: '' }
          : { ...reply, headers };
      },
      send: (reply, outgoing, call) => {
        if (reply.status !== 304) return parts.send(reply, outgoing, call);
        outgoing.writeHead(304, reply.headers);
        outgoing.end();
        return undefined;
      },
    }),
    witness: async (ask) => {
      const tag = (await ask({ path: '/pets/1' })).headers['etag'] ?? '"none"';
      return (await ask({ path: '/pets/1', headers: { 'If-None-Match': tag } })).status === 304;
    },
  },
  {
    name: 'cookies-that-mean-nothing',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The load balancer sets a cookie for its routing with every response, even with a 401. No request is accepted for it.',
    patch: (parts) => {
      const numberOf = numberConnections();
      return {
        headers: (given, reply, call) => ({
          ...parts.headers(given, reply, call),
          'set-cookie': `route=node-${numberOf(call) % 3}; Path=/; HttpOnly`,
        }),
      };
    },
    witness: async (ask) => {
      const refused = await ask({ path: '/pets', noKey: true });
      return refused.status === 401 && String(refused.headers['set-cookie'] ?? '').startsWith('route=');
    },
  },
  {
    name: 'creations-throttled-after-thirty',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'Of creations with a valid key every thirtieth is 429 with an Error body, Retry-After: 0, and RateLimit headers. Nothing is stored.',
    patch: (parts) => {
      const isThrottled = everyNth(30);
      const headers = { 'retry-after': '0', 'ratelimit-limit': '29', 'ratelimit-remaining': '0', 'ratelimit-reset': '0' };
      return {
        createPet: async (context) => {
          if (!isThrottled()) return await parts.createPet(context);
          await context.call.body();
          return problemReply(context, new Problem(429, 'rate_limited', 'Too many creations', headers));
        },
      };
    },
    witness: async (ask) => {
      const created = await inTurn(30, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
      return created[29]?.status === 429 && lengthOf(await ask({ path: LONG_PAGE })) === 37;
    },
  },
  {
    name: 'idempotency-key-used-once',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'A second creation with the Idempotency-Key of a successful one is 409 with an Error body, whatever its body is.',
    patch: (parts) => {
      const used = new Set<string>();
      return {
        createPet: async (context) => {
          const key = headerOf(context.call, 'idempotency-key');
          if (key === '') return await parts.createPet(context);
          const refused = problemReply(context, new Problem(409, 'idempotency_key_reused', 'The Idempotency-Key was used before'));
          const bytes = await context.call.body();
          if (bytes instanceof Problem) return problemReply(context, bytes);
          if (used.has(key)) return refused;
          used.add(key);
          const reply = await parts.createPet(withBody(context, bytes));
          if (reply.status !== 201) used.delete(key);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const headers = { 'Idempotency-Key': 'a3f1' };
      await post(ask, plainPet, headers);
      return (await post(ask, plainPet, headers)).status === 409;
    },
  },
  {
    name: 'not-acceptable-without-json',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'After authentication, a client whose Accept has no room for application/json gets 406, with an Error as application/json.',
    patch: (parts) => ({
      dispatch: (context) => {
        const ranges = mediaRanges(context.call);
        const hasRoom = ranges.length === 0 || ranges.some((range) => ['*/*', 'application/*', 'application/json'].includes(range));
        return hasRoom
          ? parts.dispatch(context)
          : problemReply(context, new Problem(406, 'not_acceptable', 'Only application/json is available'));
      },
    }),
    witness: async (ask) => {
      const refused = await listWith(ask, { Accept: 'text/html' });
      return refused.status === 406 && typeOf(refused) === 'application/json';
    },
  },
  {
    name: 'media-type-checked-before-the-body',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'A creation in another media type than application/json, in another charset than UTF-8, or with a Content-Encoding is 415 with an Error body, before its body is looked at.',
    patch: (parts) => ({
      createPet: async (context) => {
        const { call } = context;
        const isJson = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(headerOf(call, 'content-type'));
        if (isJson && /^(?:identity)?$/i.test(headerOf(call, 'content-encoding'))) return await parts.createPet(context);
        await call.body();
        return problemReply(
          context,
          new Problem(415, 'unsupported_media_type', 'Send application/json in UTF-8', { accept: 'application/json' }),
        );
      },
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'slashes-at-the-end-ignored',
    sentence: '- Method and path: `GET /pets`',
    summary: 'The router drops a slash at the end of a path, behind authentication: /pets/ is the list, and /pets/1/ the animal.',
    patch: (parts) => ({
      dispatch: (context) => parts.dispatch({ ...context, call: respelled(context.call, dropLastSlash) ?? context.call }),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets/?limit=3' })) === 3,
  },
  {
    name: 'method-not-allowed-with-its-list',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'Other methods on known paths are 405 with Allow and an Error body, but only with a valid key.',
    patch: (parts) => ({
      dispatch: (context) => {
        const { call } = context;
        const allow = /\/v1\/pets$/.test(pathOf(call)) ? 'GET, POST' : /\/v1\/pets\/[^/]+$/.test(pathOf(call)) ? 'GET' : undefined;
        return call.operation !== 'unknown' || allow === undefined
          ? parts.dispatch(context)
          : problemReply(context, new Problem(405, 'method_not_allowed', `Allowed: ${allow}`, { allow }));
      },
    }),
    witness: async (ask) => (await ask({ method: 'POST', path: '/pets/1', body: '{}' })).headers['allow'] === 'GET',
  },
  {
    name: 'headers-of-every-middleware',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Each layer leaves its headers: a request id, timings, CORS with the origin sent back, security headers, Vary: *, and a media type with a quoted charset in capitals.',
    patch: (parts) => {
      let requests = 0;
      return {
        headers: (given, reply, call) => {
          requests += 1;
          const origin = headerOf(call, 'origin');
          return {
            ...parts.headers(given, reply, call),
            'content-type': 'Application/JSON; Charset="UTF-8"',
            'x-request-id': `request-${requests}`,
            'server-timing': 'auth;dur=0.1, handler;dur=0.4',
            'cache-control': 'no-store',
            vary: '*',
            'x-content-type-options': 'nosniff',
            'strict-transport-security': 'max-age=0',
            ...(origin === '' ? {} : { 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' }),
          };
        },
      };
    },
    witness: async (ask) => (await listWith(ask, { Origin: 'null' })).headers['access-control-allow-origin'] === 'null',
  },
  {
    name: 'responses-in-chunks-with-a-trailer',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Responses are streamed in chunks of seven bytes, without Content-Length, and end with a trailer that has their digest.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
        outgoing.writeHead(reply.status, { ...reply.headers, trailer: 'X-Digest' });
        for (let start = 0; start < bytes.length; start += 7) outgoing.write(bytes.subarray(start, start + 7));
        outgoing.addTrailers({ 'X-Digest': entityTag(bytes) });
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets' });
      return list.headers['transfer-encoding'] === 'chunked' && list.headers['trailer'] === 'X-Digest' && lengthOf(list) === 8;
    },
  },
  {
    name: 'connection-closed-after-every-error',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The error handler trusts no connection on which something was wrong: every error has Connection: close, after its body.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(reply.status >= 400 ? { connection: 'close' } : {}) }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).headers['connection'] === 'close',
  },
  {
    name: 'flag-on-limits-out-of-bounds',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A flag is tried on every second list with a limit out of bounds: one is moved to the nearest bound, the next refused with 400.',
    patch: (parts) => {
      const isRefused = everyNth(2);
      return {
        parseLimit: (texts) => {
          const [text = ''] = texts;
          const isOutside = texts.length === 1 && /^-?\d{1,9}$/.test(text) && (Number(text) < 1 || Number(text) > 100);
          if (!isOutside || isRefused()) return parts.parseLimit(texts);
          return Number(text) < 1 ? 1 : 100;
        },
      };
    },
    witness: async (ask) => {
      const lists = await inTurn(4, () => ask({ path: '/pets?limit=0' }));
      return lists.map(({ status }) => status).join() === '200,400,200,400';
    },
  },
  {
    name: 'json-in-ascii-with-escapes',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'For an old proxy the last middleware escapes all that is not ASCII, slashes, and angle brackets, and ends each body with blank lines. To a JSON parser nothing is different.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (typeof reply.body !== 'string') return reply;
        const escaped = reply.body.replace(/[^\n -~]|[<>&]/g, escapeUnit).replaceAll('/', '\\/');
        return { ...reply, body: `${escaped}\r\n\r\n` };
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Zoë </b>', categoryId: 1 });
      return created.text.includes('Zo\\u00eb \\u003c\\/b\\u003e') && JSON.parse(created.text).name === 'Zoë </b>';
    },
  },
];

/** Stacks of middleware: what happens by order, header, connection, or the request before. */
export const middleware: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
