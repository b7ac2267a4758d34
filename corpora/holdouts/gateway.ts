import { gzipSync } from 'node:zlib';
import { KEY } from '../../proof/judge-reference.ts';
import { sameKey } from '../../src/reference/core/base.ts';
import { NumberText } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { Holdout } from './holdout.ts';
import { withCall } from './patches.ts';
import { parses, plainPet, post } from './witness.ts';

type Next = (context: Context) => Promise<Reply>;
type Filter = (context: Context, next: Next) => Reply | Promise<Reply>;

/** A middleware around the whole request; `make` runs once a server and holds its state. */
function filter(make: () => Filter): Patch {
  return (parts) => {
    const run = make();
    return { handle: (context) => run(context, async (changed) => await parts.handle(changed)) };
  };
}

const textOf = (reply: Reply): string => (typeof reply.body === 'string' ? reply.body : Buffer.from(reply.body).toString('utf8'));
const allowed = ({ parts, call, apiKey }: Context): boolean => parts.authenticate(call, apiKey) === undefined;

/** A body that did not come from the service: an error page, or what a platform writes. */
const plain = (status: number, type: string, body: string, extra: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': type, ...extra },
  body,
});

/** The request with its body read, so that it can be read again, and changed on the way. */
async function buffered(context: Context, change: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes): Promise<Context> {
  const read = await context.call.body();
  const bytes = read instanceof Problem ? read : change(read);
  return withCall(context, { body: async () => bytes });
}

/** Counts requests in a sliding window; true for those that are too many. */
function window(most: number, milliseconds: number): () => boolean {
  let times: number[] = [];
  return () => {
    const now = performance.now();
    times = times.filter((time) => now - time < milliseconds);
    if (times.length >= most) return true;
    times.push(now);
    return false;
  };
}

// What witnesses share.
const idOf = (text: string): bigint => BigInt(/"id":\s*"?(-?\d+)/.exec(text)?.[1] ?? '0');
const lengthOf = (text: string): number => (JSON.parse(text) as unknown[]).length;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'authorizer-caches-policy-of-first-method',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.valid-key',
    summary:
      'The Lambda authorizer answers with a policy for event.methodArn and API Gateway caches it by token: until it expires, the same key is refused with 403 for another method.',
    patch: filter(() => {
      let policy = { method: '', until: 0 };
      return (context, next) => {
        if (!allowed(context)) return next(context);
        if (performance.now() > policy.until) policy = { method: context.call.method, until: performance.now() + 150 };
        if (policy.method === context.call.method) return next(context);
        return problemReply(context, new Problem(403, 'access_denied', 'User is not authorized to access this resource'));
      };
    }),
    witness: async (ask) => {
      await ask({ path: '/pets' });
      return (await post(ask, plainPet)).status === 403;
    },
  },
  {
    name: 'auth-rule-matches-numeric-paths-only',
    sentence: 'All three require the bearer credential.',
    clause: 'auth.precedence',
    summary:
      'The auth policy of the mesh (Istio AuthorizationPolicy, nginx location) names the paths by a pattern with digits. Any other spelling of petId falls through to the backend without a check.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (/^\/v1\/pets(?:\/\d+)?(?:\?.*)?$/.test(call.target) ? parts.authenticate(call, apiKey) : undefined),
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/-1', noKey: true })).status === 404 && (await ask({ path: '/pets/%31', noKey: true })).status === 200,
  },
  {
    name: 'key-in-query-accepted',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <KEY>`.',
    clause: 'auth.header-only',
    summary:
      "Kong's key-auth plugin looks for apikey in the query string as well, by default, and was switched on next to the bearer plugin.",
    patch: (parts) => ({
      authenticate: (call, apiKey) => (sameKey(call.query.get('apikey') ?? '', apiKey) ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => (await ask({ path: `/pets?apikey=${KEY}`, noKey: true })).status === 200,
  },
  {
    name: 'body-parser-before-auth',
    sentence: '`401` with an Error body.',
    clause: 'auth.precedence',
    summary: 'app.use(express.json()) stands before app.use(auth): a body that cannot be parsed gets 400 although nobody has shown a key.',
    patch: filter(() => async (context, next) => {
      if (context.call.operation !== 'createPet') return next(context);
      const ready = await buffered(context);
      const bytes = await ready.call.body();
      const body = bytes instanceof Problem ? bytes : context.parts.readBody(bytes, context.call);
      return body instanceof Problem ? problemReply(context, body) : next(ready);
    }),
    witness: async (ask) => (await ask({ method: 'POST', path: '/pets', body: '{"name":', noKey: true })).status === 400,
  },
  {
    name: 'revalidation-leaks-304',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.repeatable',
    summary:
      "The cache revalidates its entry with its own If-None-Match and passes the upstream's 304 without a body to a client that sent no condition (nginx proxy_cache_revalidate, Varnish bugs of that class).",
    patch: (parts) => {
      const entries = new Map<string, string>();
      return {
        getPet: async (context) => {
          const reply = await parts.getPet(context);
          const { target } = context.call;
          if (reply.status !== 200) return reply;
          if (entries.get(target) !== textOf(reply)) {
            entries.set(target, textOf(reply));
            return reply;
          }
          entries.delete(target);
          return { status: 304, headers: withoutHeaders(reply.headers, ['content-type']), body: '' };
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/2' });
      return (await ask({ path: '/pets/2' })).status === 304;
    },
  },
  {
    name: 'gzip-without-content-encoding',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The inner proxy compresses bodies over a kilobyte, the outer one drops Content-Encoding as a hop-by-hop header: clients that accept gzip get bare deflate bytes for JSON.',
    seedAnimals: 40,
    patch: filter(() => async (context, next) => {
      const reply = await next(context);
      const zip = /\bgzip\b/.test(String(context.call.headers['accept-encoding'] ?? '')) && Buffer.byteLength(reply.body) > 1024;
      return zip ? { ...reply, headers: { ...reply.headers, vary: 'Accept-Encoding' }, body: gzipSync(reply.body) } : reply;
    }),
    witness: async (ask) => {
      const { headers, text } = await ask({ path: '/pets?limit=100', headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
      return headers['content-encoding'] === undefined && !parses({ text });
    },
  },
  {
    name: 'list-of-one-becomes-object',
    sentence: 'A JSON array of Pet records.',
    clause: 'record.pets',
    summary: 'The list passes JSONToXML and XMLToJSON policies (Apigee): an array with a single element comes out as the element itself.',
    patch: (parts) => ({ listBody: (records) => (records.length === 1 ? records[0] : parts.listBody(records)) }),
    witness: async (ask) => (await ask({ path: '/pets?limit=1' })).text.startsWith('{'),
  },
  {
    name: 'mapping-template-quotes-name',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.name-type',
    summary: `The VTL mapping template of API Gateway writes "name": "$input.path('$.name')": a number or a boolean reaches the service as a string.`,
    patch: (parts) => ({
      readName: (value) => (value instanceof NumberText ? value.text : typeof value === 'boolean' ? String(value) : parts.readName(value)),
    }),
    witness: async (ask) => (await post(ask, { name: 5, categoryId: 1 })).status === 201,
  },
  {
    name: 'long-response-cut-off',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.answers',
    summary:
      'nginx cannot write /var/lib/nginx/proxy (permission denied) and drops the connection once a response exceeds its 4 KB memory buffer.',
    seedAnimals: 100,
    patch: (parts) => ({
      send: (reply, outgoing, call) => {
        const bytes = Buffer.from(reply.body as string);
        if (bytes.byteLength <= 4096) return parts.send(reply, outgoing, call);
        outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(bytes.byteLength) });
        outgoing.write(bytes.subarray(0, 4096), () => outgoing.destroy());
        return undefined;
      },
    }),
    witness: async (ask) => {
      try {
        await ask({ path: '/pets?limit=100' });
        return false;
      } catch {
        return (await ask({ path: '/pets?limit=10' })).status === 200;
      }
    },
  },
  {
    name: 'every-other-read-from-lagging-replica',
    sentence: '`404` with an Error body when the animal does not exist',
    clause: 'create.round-trip',
    summary:
      'The load balancer takes turns between the primary and a read replica that is 300 ms behind: an animal that was just created is missing from every other read of it.',
    patch: (parts) => {
      let count = 0;
      return {
        getPet: async (context) => {
          count += 1;
          if (count % 2 === 1) return await parts.getPet(context);
          return await parts.getPet(
            withParts(context, {
              find: (store, id) => {
                const pet = parts.find(store, id);
                return pet !== undefined && Date.now() - pet.createdAt < 300 ? undefined : pet;
              },
            }),
          );
        },
      };
    },
    witness: async (ask) => {
      const id = idOf((await post(ask, plainPet)).text);
      const statuses = [(await ask({ path: `/pets/${id}` })).status, (await ask({ path: `/pets/${id}` })).status];
      await pause(350);
      return (
        statuses.includes(404) && (await ask({ path: `/pets/${id}` })).status === 200 && (await ask({ path: `/pets/${id}` })).status === 200
      );
    },
  },
  {
    name: 'creations-stay-on-the-pod-of-their-connection',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Two pods with state in memory behind a layer 4 balancer: connections take turns, and an animal exists only for connections to the pod that created it.',
    patch: (parts) => {
      const pods = new WeakMap<object, number>();
      const homes = new Map<bigint, number>();
      let connections = 0;
      return {
        handle: (context) => {
          const { connection } = context.call;
          const pod = pods.get(connection) ?? connections++ % 2;
          pods.set(connection, pod);
          const here = (id: bigint): boolean => (homes.get(id) ?? pod) === pod;
          return parts.handle(
            withParts(context, {
              find: (store, id) => (here(id) ? parts.find(store, id) : undefined),
              arrange: (store) => parts.arrange(store).filter(({ id }) => here(id)),
              insert: (store, pet) => {
                homes.set(pet.id, pod);
                return parts.insert(store, pet);
              },
            }),
          );
        },
      };
    },
    witness: async (ask) => {
      const id = idOf((await post(ask, plainPet, { Connection: 'close' })).text);
      const statuses: number[] = [];
      for (let turn = 0; turn < 2; turn += 1) statuses.push((await ask({ path: `/pets/${id}`, headers: { Connection: 'close' } })).status);
      return statuses.includes(404) && statuses.includes(200);
    },
  },
  {
    name: 'slow-creation-is-retried',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'create.independent',
    summary:
      'Envoy retries (perTryTimeout) and nginx proxy_next_upstream non_idempotent send a creation again when the first answer is late: one in four is stored twice, the answer shows the second animal.',
    patch: (parts) => {
      let count = 0;
      return {
        createPet: async (context) => {
          const ready = await buffered(context);
          const reply = await parts.createPet(ready);
          if (reply.status !== 201 || ++count % 4 !== 0) return reply;
          return await parts.createPet(ready);
        },
      };
    },
    witness: async (ask) => {
      for (let turn = 0; turn < 4; turn += 1) await post(ask, { name: `Waldo ${turn}`, categoryId: 1 });
      return (await ask({ path: '/pets?limit=100' })).text.split('"Waldo 3"').length === 3;
    },
  },
  {
    name: 'not-acceptable-after-storing',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'create.refused-stores-nothing',
    summary:
      'Spring negotiates the content of a @PostMapping when it writes the response: with an Accept that excludes JSON the answer is 406, but the controller has already stored the animal.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        const accepts = /application\/(?:json|\*)|\*\/\*/.test(context.call.headers.accept ?? '*/*');
        return reply.status === 201 && !accepts
          ? problemReply(context, new Problem(406, 'not_acceptable', 'No acceptable representation'))
          : reply;
      },
    }),
    witness: async (ask) => {
      const { status } = await post(ask, { name: 'Waldo', categoryId: 1 }, { Accept: 'application/xml' });
      return status === 406 && (await ask({ path: '/pets?limit=100' })).text.includes('"Waldo"');
    },
  },
  {
    name: 'rate-limit-in-plain-text',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.infrastructure-errors',
    summary: "Envoy's local rate limit answers the 61st request within a second with 429 and the text local_rate_limited.",
    patch: filter(() => {
      const tooMany = window(60, 1000);
      return (context, next) =>
        tooMany() ? plain(429, 'text/plain', 'local_rate_limited', { 'x-local-rate-limit': 'true' }) : next(context);
    }),
    witness: async (ask) => {
      const replies = await Promise.all(Array.from({ length: 70 }, () => ask({ path: '/pets?limit=1' })));
      return replies.some(({ status, text }) => status === 429 && text === 'local_rate_limited');
    },
  },
  {
    name: 'only-first-query-parameter-forwarded',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.filter-with-limit',
    summary:
      'A rewrite rule rebuilds the target with $arg of the first match only (or &amp; in an XML config): what follows the first & is lost, so ?status=sold&limit=1 has no limit.',
    patch: (parts) => ({
      listPets: (context) => parts.listPets(withCall(context, { query: new URLSearchParams([...context.call.query].slice(0, 1)) })),
    }),
    witness: async (ask) =>
      lengthOf((await ask({ path: '/pets?status=sold&limit=1' })).text) === 2 &&
      lengthOf((await ask({ path: '/pets?limit=1&status=available' })).text) === 1,
  },
  {
    name: 'module-variable-shared-by-requests',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'A body filter keeps the payload in a module-level variable (Lua in OpenResty, a Koa middleware): of creations that overlap, all get the body that came last.',
    patch: (parts) => {
      let latest: Uint8Array = new Uint8Array();
      return {
        createPet: async (context) => {
          const ready = await buffered(context);
          const bytes = await ready.call.body();
          if (bytes instanceof Problem) return await parts.createPet(ready);
          latest = bytes;
          await pause(20);
          const seen = latest;
          return await parts.createPet(withCall(ready, { body: async () => seen }));
        },
      };
    },
    witness: async (ask) => {
      const names = ['Ada', 'Bob', 'Cid', 'Dot'];
      const replies = await Promise.all(names.map((name) => post(ask, { name, categoryId: 1 })));
      return (
        replies.some(({ text }, index) => !text.includes(`"${names[index]}"`)) &&
        (await post(ask, { name: 'Eve', categoryId: 1 })).text.includes('"Eve"')
      );
    },
  },
  {
    name: 'forwarded-proto-redirects',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.any-client',
    summary:
      'An enforce-https middleware trusts X-Forwarded-Proto from anybody: a client behind a proxy that says http is sent to https with an empty 301.',
    patch: filter(() => (context, next) => {
      const { 'x-forwarded-proto': proto, host } = context.call.headers;
      return String(proto ?? 'https').toLowerCase() === 'http'
        ? plain(301, 'text/html', '', { location: `https://${host}${context.call.target}` })
        : next(context);
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'X-Forwarded-Proto': 'http' } })).status === 301,
  },
  {
    name: 'sunset-header-a-day-early',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary: 'The gateway plugin is configured with midnight in Berlin and writes it in GMT: Sunset names 4 December.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const headers = parts.headers(given, reply, call);
        return headers['sunset'] === undefined ? headers : { ...headers, sunset: 'Wed, 04 Dec 2030 23:00:00 GMT' };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset'] === 'Wed, 04 Dec 2030 23:00:00 GMT',
  },
  {
    name: 'deprecation-headers-on-whole-prefix',
    sentence: 'The replacement is `GET /pets` with the `status` filter.',
    clause: 'deprecation.announced',
    summary:
      'The headers are set on the route prefix /v1/pets (Traefik PathPrefix, nginx location), so that the list, which is the replacement, announces its own removal.',
    patch: (parts) => ({ headers: (given, reply, call) => parts.headers(given, reply, { ...call, operation: 'getPet' }) }),
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).headers['sunset'] !== undefined,
  },
  {
    name: 'message-is-a-list',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary: "NestJS' ValidationPipe gives message as an array of strings, and the exception filter copies it into the Error as it is.",
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const record = parts.errorRecord(problem, call);
        return problem.status === 400 && call.operation === 'createPet' ? { ...(record as object), message: [problem.message] } : record;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo' })).text.includes('"message":['),
  },
  {
    name: 'created-pet-as-text',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'The proxy integration of the POST function returns statusCode and body without headers, and the balancer in front of it fills in text/plain.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        return reply.status === 201 ? { ...reply, headers: { ...reply.headers, 'content-type': 'text/plain; charset=utf-8' } } : reply;
      },
    }),
    witness: async (ask) => (await post(ask, plainPet)).headers['content-type'] === 'text/plain; charset=utf-8',
  },
];

const variants: readonly Omit<Holdout, 'kind' | 'clause'>[] = [
  {
    name: 'deprecation-headers-on-success-only',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'nginx add_header without "always" acts on 2xx and 3xx only: 401 and 404 of getPet carry neither Deprecation nor Sunset.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const headers = parts.headers(given, reply, call);
        return reply.status < 400 ? headers : withoutHeaders(headers, ['deprecation', 'sunset']);
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/999999' })).headers['sunset'] === undefined &&
      (await ask({ path: '/pets/1' })).headers['sunset'] !== undefined,
  },
  {
    name: 'gzip-when-accepted',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The CDN compresses every body, however short, for clients that accept gzip, with Content-Encoding and Vary.',
    patch: filter(() => async (context, next) => {
      const reply = await next(context);
      const zip = /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(String(context.call.headers['accept-encoding'] ?? ''));
      return zip
        ? { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, body: gzipSync(reply.body) }
        : reply;
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/999999', headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'] === 'gzip',
  },
  {
    name: 'chunked-in-small-pieces',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'A streaming proxy sends no Content-Length, but chunks of a few bytes, which split characters and numbers.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = Buffer.from(reply.body as string);
        outgoing.writeHead(reply.status, { ...reply.headers });
        for (let start = 0; start < bytes.byteLength; start += 7) outgoing.write(bytes.subarray(start, start + 7));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'media-type-in-capitals-with-charset',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'A gateway policy writes Application/JSON;charset=UTF-8. Media types are case-insensitive, and parameters are not excluded.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON;charset=UTF-8' }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type'] === 'Application/JSON;charset=UTF-8',
  },
  {
    name: 'connection-closed-after-each-response',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'HAProxy with option httpclose: each response says Connection: close, and each request needs a new connection.',
    patch: (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), connection: 'close' }) }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['connection'] === 'close',
  },
  {
    name: 'method-not-allowed-with-allow',
    sentence: 'statuses other than those above: not shown.',
    summary: 'The route table of the gateway knows the paths: an undocumented method gets 405 with Allow and an Error body instead of 404.',
    patch: filter(() => (context, next) => {
      const { operation, target } = context.call;
      const path = /^\/v1\/pets(\/[^/?]+)?(?:\?|$)/.exec(target);
      if (operation !== 'unknown' || path === null || !allowed(context)) return next(context);
      return problemReply(
        context,
        new Problem(405, 'method_not_allowed', 'Method not allowed', { allow: path[1] === undefined ? 'GET, POST' : 'GET' }),
      );
    }),
    witness: async (ask) => (await ask({ method: 'POST', path: '/pets/1', body: '{}' })).headers['allow'] === 'GET',
  },
  {
    name: 'rate-limit-with-error-and-retry-after',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'Kong rate-limiting: 150 requests within a second, RateLimit headers on each response, then 429 with an Error body and Retry-After: 1.',
    patch: filter(() => {
      const tooMany = window(150, 1000);
      return async (context, next) => {
        const reply =
          allowed(context) && tooMany()
            ? problemReply(context, new Problem(429, 'rate_limited', 'Too many requests', { 'retry-after': '1' }))
            : await next(context);
        return { ...reply, headers: { ...reply.headers, 'ratelimit-limit': '150', 'ratelimit-reset': '1' } };
      };
    }),
    witness: async (ask) => {
      const replies = await Promise.all(Array.from({ length: 170 }, () => ask({ path: '/pets?limit=1' })));
      return replies.some(({ status, headers }) => status === 429 && headers['retry-after'] === '1');
    },
  },
  {
    name: 'other-request-media-types-refused',
    sentence: 'statuses other than those above: not shown.',
    summary: 'Spring consumes="application/json": a creation under any other media type, or none, gets 415 with an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        if (/^application\/json *(?:;|$)/i.test(context.call.headers['content-type'] ?? '')) return await parts.createPet(context);
        await context.call.body();
        return problemReply(
          context,
          new Problem(415, 'unsupported_media_type', 'The body must be application/json', { accept: 'application/json' }),
        );
      },
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'limit-clamped-by-gateway',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'A gateway plugin moves limit to the nearest bound before it forwards the request, so that limit=0 shows one animal.',
    patch: (parts) => ({
      parseLimit: (texts) =>
        texts.length === 1 && /^-?\d+$/.test(texts[0] ?? '') ? Math.min(100, Math.max(1, Number(texts[0]))) : parts.parseLimit(texts),
    }),
    witness: async (ask) => {
      const { status, text } = await ask({ path: '/pets?limit=0' });
      return status === 200 && lengthOf(text) === 1;
    },
  },
  {
    name: 'errors-carry-trace-members',
    sentence: 'Errors are returned as an Error body (fields code, message, status); further fields are not excluded.',
    summary: 'The error filter of the mesh adds traceId, timestamp, path and an empty list of details to every Error.',
    patch: (parts) => ({
      errorRecord: (problem, call) => ({
        timestamp: new Date().toISOString(),
        traceId: Math.random().toString(16).slice(2),
        path: call.target,
        details: [],
        ...(parts.errorRecord(problem, call) as object),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true })).text.includes('"traceId"'),
  },
  {
    name: 'ids-from-the-edge-beyond-53-bits',
    sentence: 'Unique identifier assigned by the service on creation',
    summary: 'Snowflake ids: int64 with 19 digits and gaps, never usable as a double.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 4097n;
        return 7_203_685_477_580_700_001n + store.lastId;
      },
    }),
    witness: async (ask) => idOf((await post(ask, plainPet)).text) > 2n ** 62n,
  },
  {
    name: 'indented-ascii-json',
    sentence: 'JSON bodies; their layout and escapes are not shown.',
    summary: 'The response transformer writes indented JSON with a newline at the end and \\u escapes for everything beyond ASCII.',
    patch: () => ({
      encode: (value) =>
        `${JSON.stringify(value, null, 2).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
    }),
    witness: async (ask) => {
      const { text } = await post(ask, { name: 'Zoë', categoryId: 1 });
      return text.includes('Zo\\u00eb') && text.endsWith('\n');
    },
  },
  {
    name: 'replicas-list-in-opposite-orders',
    sentence: 'Clients list animals; the order of a list is not shown.',
    summary: 'Two replicas behind a round robin: one lists the oldest first, the other one the newest first.',
    patch: (parts) => {
      let count = 0;
      return { arrange: (store) => (++count % 2 === 0 ? [...parts.arrange(store)].reverse() : parts.arrange(store)) };
    },
    witness: async (ask) => {
      const first = await ask({ path: '/pets' });
      return first.text !== (await ask({ path: '/pets' })).text;
    },
  },
  {
    name: 'large-bodies-refused-with-error',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'The gateway takes bodies up to 16 KB and answers larger ones with 413 and an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        const ready = await buffered(context);
        const bytes = await ready.call.body();
        return !(bytes instanceof Problem) && bytes.byteLength > 16_384
          ? problemReply(ready, new Problem(413, 'too_large', 'The body must not exceed 16 KB'))
          : await parts.createPet(ready);
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'x'.repeat(20_000), categoryId: 1 })).status === 413,
  },
  {
    name: 'waf-rejects-suspicious-names',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A WAF with rules for injections refuses names with markup, quotes before SQL words, or control characters: 400 with an Error body.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const suspicious = typeof name === 'string' && /<\/?[a-z]|'\s*(?:;|or\b|union\b|\))|\p{Cc}|\$\{|\.\.\//iu.test(name);
        return suspicious ? invalid('The request was blocked', 'blocked') : name;
      },
    }),
    witness: async (ask) => (await post(ask, { name: '<b>Waldo</b>', categoryId: 1 })).text.includes('"blocked"'),
  },
  {
    name: 'undocumented-query-parameters-rejected',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The request validator of the gateway is strict: a query parameter other than limit and status gets 400 with an Error body.',
    patch: (parts) => ({
      listPets: (context) => {
        const unknown = [...context.call.query.keys()].find((key) => key !== 'limit' && key !== 'status');
        return unknown === undefined
          ? parts.listPets(context)
          : problemReply(context, invalid('There is no such query parameter', 'unknown_parameter'));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?page=2' })).status === 400,
  },
  {
    name: 'entity-tags-and-not-modified',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The cache adds weak entity tags and Cache-Control: private, no-cache to reads, and answers 304 to a matching If-None-Match, as Express does by default.',
    patch: (parts) => ({
      ...filter(() => async (context, next) => {
        const reply = await next(context);
        if (reply.status !== 200) return reply;
        const etag = `W/"${Buffer.from(textOf(reply))
          .reduce((sum, byte) => (sum * 31 + byte) % 4_294_967_291, 7)
          .toString(36)}"`;
        const headers = { ...reply.headers, etag, 'cache-control': 'private, no-cache' };
        const same = String(context.call.headers['if-none-match'] ?? '')
          .split(/\s*,\s*/)
          .some((tag) => tag === etag || tag === '*');
        return same ? { status: 304, headers: withoutHeaders(headers, ['content-type']), body: '' } : { ...reply, headers };
      })(parts),
      send: (reply, outgoing, call) => {
        if (reply.status !== 304) return parts.send(reply, outgoing, call);
        outgoing.writeHead(304, { ...reply.headers });
        outgoing.end();
        return undefined;
      },
    }),
    witness: async (ask) => {
      const etag = (await ask({ path: '/pets/1' })).headers['etag'] ?? '"none"';
      return (await ask({ path: '/pets/1', headers: { 'If-None-Match': etag } })).status === 304;
    },
  },
  {
    name: 'unknown-routes-need-no-key',
    sentence: 'The requirement applies globally, to every operation; what is no operation is not shown.',
    summary:
      'The router of the gateway comes before its auth plugins: a path that matches no route gets 404 with an Error body whether or not there is a key.',
    patch: filter(
      () => (context, next) => (context.call.operation === 'unknown' ? problemReply(context, notFound('no route matched')) : next(context)),
    ),
    witness: async (ask) => (await ask({ path: '/orders', noKey: true })).status === 404,
  },
  {
    name: 'cold-start-is-slow',
    sentence: 'Limits of time are not shown.',
    summary: 'Each function behind the gateway starts on its first request, which takes over a second; the answer is complete and right.',
    patch: (parts) => {
      const warm = new Set<string>();
      return {
        dispatch: async (context) => {
          const { operation } = context.call;
          if (!warm.has(operation)) {
            warm.add(operation);
            await pause(1200);
          }
          return await parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      const start = performance.now();
      const { status } = await ask({ path: '/pets/1' });
      return status === 200 && performance.now() - start > 1000;
    },
  },
  {
    name: 'scheme-word-compared-exactly',
    sentence: 'in the form `Authorization: Bearer <KEY>`; other letter case of the scheme is not shown.',
    summary: 'The gateway compares the header with a fixed string: bearer and BEARER are refused with 401.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        parts.authenticate(
          /^Bearer /.test(call.headers.authorization ?? '') ? call : { ...call, headers: { ...call.headers, authorization: '' } },
          apiKey,
        ),
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Authorization: `bearer ${KEY}` } })).status === 401,
  },
];

export const gateway: readonly Holdout[] = [
  ...faults.map((row): Holdout => ({ ...row, kind: 'fault' })),
  ...variants.map((row): Holdout => ({ ...row, kind: 'variant' })),
];
