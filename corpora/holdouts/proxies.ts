import { gzipSync } from 'node:zlib';
import { dropLastSlash, mergeSlashes, resolveDots, respelled } from '../../src/reference/core/incoming.ts';
import { isInt64 } from '../../src/reference/core/json.ts';
import { type Call, invalid, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import { type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { lengthOf, parses, plainPet, post } from './witness.ts';

/** A counter that says so at every n-th call. */
function everyNth(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0;
  };
}

/** A header of the request as one text; empty if it was not sent. */
const headerOf = ({ headers }: Call, name: string): string => String(headers[name] ?? '');

/** An error page as proxies write it. */
const htmlPage = (status: number, title: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr></body></html>`,
});

/** Whether a gateway caches what the operation returns. */
const isRead = ({ operation }: Call): boolean => operation === 'listPets' || operation === 'getPet';
const PRIVATE_ADDRESS = /^(?:10\.|127\.|192\.168\.)/;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const MANY = 40;
const repeat = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const anyIs = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const withoutKey = (ask: Ask, path = '/pets', headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> =>
  ask({ path, headers, noKey: true });

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'private-forwarded-address-needs-no-key',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'Monitoring inside the network is exempt: satisfy any, allow 10.0.0.0/8. With real_ip_header and every proxy trusted, the address is whatever X-Forwarded-For says first.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        PRIVATE_ADDRESS.test(headerOf(call, 'x-forwarded-for')) ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await withoutKey(ask, '/pets', { 'X-Forwarded-For': '10.1.2.3' })).status === 200,
  },
  {
    name: 'cache-in-front-of-authentication',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.every-request',
    summary:
      'A cache was put in front of the gateway that checks keys, and caches in spite of Authorization. It is purged at every creation, so data are fresh; but a hit is for everyone.',
    patch: (parts) => {
      const kept = new Map<string, Reply>();
      return {
        handle: async (context) => {
          const { call } = context;
          const hit = isRead(call) ? kept.get(call.target) : undefined;
          if (hit !== undefined) return hit;
          const reply = await parts.handle(context);
          if (reply.status === 201) kept.clear();
          if (reply.status === 200) kept.set(call.target, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const before = await withoutKey(ask, '/pets?limit=7');
      await ask({ path: '/pets?limit=7' });
      return before.status === 401 && (await withoutKey(ask, '/pets?limit=7')).status === 200;
    },
  },
  {
    name: 'authorizer-policy-cached-for-one-method',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.valid-key',
    summary:
      'The authorizer function allows the method it was called for, and the gateway caches its policy by key. After each renewal of the policy, the next requests for another operation are forbidden.',
    patch: (parts) => {
      const isRenewed = everyNth(MANY);
      let allowed: string = '';
      let remaining = 0;
      return {
        dispatch: async (context) => {
          const { operation } = context.call;
          if (remaining > 0) {
            remaining -= 1;
            if (operation !== allowed) return problemReply(context, new Problem(403, 'access_denied', 'The policy denies this method'));
          } else if (isRenewed()) {
            allowed = operation;
            remaining = 3;
          }
          return await parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      await repeat(MANY, () => ask({ path: '/pets' }));
      return (await ask({ path: '/pets/1' })).status === 403;
    },
  },
  {
    name: 'canary-without-the-auth-plugin',
    sentence: 'All three require the bearer credential.',
    clause: 'auth.missing-credential',
    summary: 'The authentication plugin is attached to the stable upstream. The canary, which gets every seventh request, has none.',
    patch: (parts) => {
      const isCanary = everyNth(7);
      return { authenticate: (call, apiKey) => (isCanary() ? undefined : parts.authenticate(call, apiKey)) };
    },
    witness: async (ask) => anyIs(await repeat(7, () => withoutKey(ask)), 200),
  },
  {
    name: 'charset-parameter-skips-validation',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'The validation policy is attached to the media type application/json, compared as a text. With a charset parameter nothing matches, and the service behind relies on the gateway for the enumeration.',
    patch: (parts) => ({
      createPet: (context) => {
        const isValidated = !headerOf(context.call, 'content-type').includes(';');
        return parts.createPet(
          isValidated
            ? context
            : withParts(context, { readStatus: (value) => (typeof value === 'string' ? (value as Status) : parts.readStatus(value)) }),
        );
      },
    }),
    witness: async (ask) =>
      (await post(ask, { ...plainPet, status: 'frozen' }, { 'Content-Type': 'application/json; charset=utf-8' })).status === 201,
  },
  {
    name: 'firewall-escapes-names',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.round-trip',
    summary: 'The sanitizer of the web application firewall replaces five characters by HTML entities in every text of a request.',
    patch: (parts) => ({
      readName: (value) => parts.readName(typeof value === 'string' ? value.replace(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark) : value),
    }),
    witness: async (ask) => nameIn(await post(ask, { name: 'Tom & Jerry', categoryId: 1 })) === 'Tom &amp; Jerry',
  },
  {
    name: 'concurrent-creations-collapsed',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'Request collapsing was switched on for the route, with a key of host and path. Whoever creates while another creation is under way gets the answer of the other, and nothing is stored.',
    patch: (parts) => {
      let flight: Promise<Reply> | undefined;
      return {
        createPet: async (context) => {
          if (flight !== undefined) {
            const shared = flight;
            await context.call.body();
            return await shared;
          }
          flight = (async () => {
            const reply = await parts.createPet(context);
            await pause(4);
            return reply;
          })();
          try {
            return await flight;
          } finally {
            flight = undefined;
          }
        },
      };
    },
    witness: async (ask) => {
      const created = await repeat(8, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
      return created.some((response, index) => nameIn(response) !== `Waldo ${index}`);
    },
  },
  // Errors.
  {
    name: 'firewall-page-for-suspicious-names',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary: 'A rule of the web application firewall blocks texts that look like SQL or scripts, with the page that it shows to browsers.',
    patch: (parts) => ({
      createPet: async (context) => {
        let isBlocked = false;
        const reply = await parts.createPet(
          withParts(context, {
            readName: (value) => {
              isBlocked = typeof value === 'string' && /<script|'\s*or\s|drop table|union select|';|--/i.test(value);
              return isBlocked ? invalid('The name is not acceptable') : parts.readName(value);
            },
          }),
        );
        return isBlocked ? htmlPage(403, 'Request blocked') : reply;
      },
    }),
    witness: async (ask) => !parses(await post(ask, { name: "Robert'); DROP TABLE pets; --", categoryId: 1 })),
  },
  {
    name: 'missing-animal-is-the-page-of-the-app',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The gateway also serves the web shop, where error_page 404 =200 /index.html makes deep links work. The line is in the block of the server, and so a missing animal is 200 with the start page.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        return reply.status === 404 ? htmlPage(200, 'Pet shop') : reply;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).status === 200,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'paths-normalized-before-routing',
    sentence: 'All paths are relative to {base_url}.',
    summary:
      'The gateway merges slashes, resolves dots and drops a slash at the end, so /pets/ and //pets/./1 are served like the plain paths.',
    patch: (parts) => ({
      handle: (context) =>
        parts.handle({ ...context, call: respelled(context.call, mergeSlashes, resolveDots, dropLastSlash) ?? context.call }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/' })).status === 200 && (await ask({ path: '//pets//1' })).status === 200,
  },
  {
    name: 'bodies-of-two-kilobytes-at-most',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'The gateway buffers at most 2 KB of a body: more is 413 with an Error, after which the connection is closed.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength > 2048
          ? new Problem(413, 'payload_too_large', 'The gateway accepts 2048 bytes', { connection: 'close' })
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, { name: 'x'.repeat(3000), categoryId: 1 })).status === 413,
  },
  {
    name: 'undeclared-parameters-refused',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The validation policy of the gateway allows declared parameters only, each once: anything else is 400, on every operation.',
    patch: (parts) => ({
      dispatch: (context) => {
        const { operation, query } = context.call;
        const declared = operation === 'listPets' ? ['limit', 'status'] : [];
        const isUndeclared = [...query.keys()].some((name) => !declared.includes(name));
        return isUndeclared ? problemReply(context, invalid('An undeclared parameter', 'undeclared_parameter')) : parts.dispatch(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?page=2' })).status === 400,
  },
  {
    name: 'other-media-types-refused-at-the-edge',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'A creation in any other media type, or without one, is 415 with an Error and an Accept-Post header.',
    patch: (parts) => ({
      createPet: (context) =>
        /^application\/json\s*(?:;|$)/i.test(headerOf(context.call, 'content-type'))
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Send JSON', { 'accept-post': 'application/json' })),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'compressed-whenever-accepted',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Every response to a client that lists gzip is compressed, errors and short ones included, with Content-Encoding and Vary.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        const headers = { ...reply.headers, vary: 'Accept-Encoding' };
        const accepts = /(?:^|,)\s*gzip\s*(?:,|$)/i.test(headerOf(context.call, 'accept-encoding'));
        return accepts
          ? { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }
          : { ...reply, headers };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/999999', headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'] === 'gzip',
  },
  {
    name: 'headers-of-a-chain-of-proxies',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Each proxy on the way leaves its mark: Via, X-Cache, Age, Server-Timing, RateLimit and a sticky cookie that grants nothing and changes with every response.',
    patch: (parts) => {
      let turn = 0;
      return {
        headers: (given, reply, call) => {
          turn += 1;
          return {
            ...parts.headers(given, reply, call),
            ...{ via: '1.1 edge, 1.1 gateway, 1.1 mesh', 'x-cache': 'MISS, MISS', age: '0', 'server-timing': 'edge;dur=1, origin;dur=0' },
            ...{ 'ratelimit-limit': '100000', 'ratelimit-remaining': String(99_999 - turn), 'cache-control': 'private, no-store' },
            'set-cookie': `INSTANCE=i-${turn}; Path=/; SameSite=Lax`,
          };
        },
      };
    },
    witness: async (ask) => String((await ask({ path: '/pets' })).headers['via']).includes('mesh'),
  },
  {
    name: 'errors-with-the-fields-of-the-gateway',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Codes are dotted names with the status, the message has several lines, and the gateway adds fault, details and the id of the request.',
    patch: () => {
      let turn = 0;
      return {
        errorRecord: ({ code, message, status }) => {
          turn += 1;
          const details = [{ policy: 'PetStore-v1', faultString: message }];
          return {
            fault: { name: code },
            status,
            code: `gateway.${status}.${code}`,
            message: `${message}\nSee details.`,
            details,
            requestId: turn,
          };
        },
      };
    },
    witness: async (ask) => (await withoutKey(ask)).text.includes('gateway.401.'),
  },
  {
    name: 'lists-merged-shard-by-shard',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'The gateway asks three shards and concatenates their answers: animals are ordered by the remainder of their id, and within a shard from new to old.',
    patch: (parts) => ({
      arrange: (store) => {
        const shardOf = ({ id }: Pet): bigint => BigInt.asUintN(64, id) % 3n;
        const animals = parts.arrange(store).toReversed();
        return [2n, 0n, 1n].flatMap((shard) => animals.filter((pet) => shardOf(pet) === shard));
      },
    }),
    witness: async (ask) => {
      const ids = [...(await ask({ path: '/pets' })).text.matchAll(/"id":(\d+)/g)].map(([, id]) => id).join();
      return ids === '8,5,2,6,3,7,4,1';
    },
  },
  {
    name: 'ids-with-the-number-of-the-instance',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Four instances share one store. The upper bits of an id are the instance that assigned it, so ids leap between quarters of int64, two of them negative.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const count = parts.assignId(store, body);
        return BigInt.asIntN(64, ((count % 4n) << 62n) | count);
      },
    }),
    witness: async (ask) => (await ask({ path: LONG_PAGE })).text.includes('"id":-'),
  },
  {
    name: 'limits-repaired-at-the-edge',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'The gateway rewrites the query before the service sees it: limits beyond the bounds become the nearest bound, anything else becomes the default, and of several the last counts.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const last = texts.at(-1);
        if (last === undefined || !/^-?\d+$/.test(last)) return parts.parseLimit([]);
        return Math.min(100, Math.max(1, Number(last)));
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets?limit=5000' })).status === 200 && lengthOf(await ask({ path: '/pets?limit=7&limit=-3' })) === 1,
  },
  {
    name: 'default-status-differs-by-instance',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'Instances of four versions take turns: without a status an animal is available, pending or sold, or has none, and stays so.',
    patch: () => {
      let turn = 0;
      return {
        defaultStatus: () => {
          turn += 1;
          return STATUSES[turn % 4];
        },
      };
    },
    witness: async (ask) => {
      const created = await repeat(4, () => post(ask));
      return new Set(created.map(({ text }) => /"status":"(\w+)"/.exec(text)?.[1])).size === 4;
    },
  },
  {
    name: 'only-digits-are-routed',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The route of the gateway has the pattern of an int64. Whatever does not match it has no route, which is 404 with an Error that names the path.',
    patch: (parts) => ({
      getPet: (context) => {
        const { petId } = context.call;
        const isRouted = /^-?\d{1,19}$/.test(petId) && isInt64(BigInt(petId));
        return isRouted ? parts.getPet(context) : problemReply(context, new Problem(404, 'no_route', `No route for ${petId}`));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/rex' })).status === 404,
  },
  {
    name: 'json-rewritten-in-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The response transformer writes indented JSON in which all characters beyond ASCII, and slashes, are escaped. The media type is spelled Application/JSON;charset="utf-8".',
    patch: (parts) => ({
      encode: (value) =>
        `\r\n${JSON.stringify(value, null, '\t')
          .replaceAll('/', '\\/')
          .replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\r\n`,
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'Application/JSON;charset="utf-8"',
      }),
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).text.includes('Zo\\u00eb'),
  },
  {
    name: 'responses-streamed-in-small-chunks',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The gateway does not buffer: responses are chunked, without Content-Length, in up to 30 pieces of 97 bytes or more, which may split a character.',
    patch: () => ({
      send: async (reply, outgoing) => {
        outgoing.writeHead(reply.status, reply.headers);
        const bytes = Buffer.from(reply.body);
        const size = Math.max(97, Math.ceil(bytes.length / 30));
        for (let from = 0; from < bytes.length; from += size) {
          outgoing.write(bytes.subarray(from, from + size));
          await pause(0);
        }
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
];

/** Services behind a gateway: authentication at the edge, caches, rewrites, transformations, balancers and their error pages. */
export const proxies: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
