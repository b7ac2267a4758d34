import { gzipSync } from 'node:zlib';
import { readListQuery } from '../../src/reference/core/base.ts';
import { isObject, type Json, member } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string): Patch =>
  (parts) => ({ encode: (value) => change(textOf(parts.encode(value))) });

/** True at every nth call. */
function everyNth(n: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % n === 0;
  };
}

/** The same request with its body read, so that it can be processed again; the Problem if it is too large. */
async function buffered(context: Context): Promise<{ readonly context: Context; readonly bytes: Uint8Array | Problem }> {
  const bytes = await context.call.body();
  return { context: { ...context, call: { ...context.call, body: () => Promise.resolve(bytes) } }, bytes };
}

/** The object without one member. */
function without(body: { readonly [member: string]: Json }, name: string): Json {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

/** All values of a request header. */
const headerTexts = ({ headers }: Call, name: string): readonly string[] => [headers[name] ?? []].flat();

const acceptsGzip = (call: Call): boolean => headerTexts(call, 'accept-encoding').some((text) => /\bgzip\b(?!;\s*q=0)/i.test(text));

/** The reply with its body in gzip, that many times, under one Content-Encoding. */
function gzipped(reply: Reply, times: number): Reply {
  const body = Array.from({ length: times }).reduce<string | Uint8Array>((bytes) => gzipSync(bytes), reply.body);
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, body };
}

// What witnesses share.
const headerOf = ({ headers }: HttpResponse, name: string): string | undefined => headers[name];
type Shown = { readonly id: number; readonly name: string; readonly status?: string };
const shown = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const listed = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as Shown[];
const named = (response: HttpResponse, name: string): number => listed(response).filter((pet) => pet.name === name).length;
const many = (ask: Ask, count: number, path: string, noKey = false): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, () => ask({ path, noKey })));
/** The responses to the same request, one after another. */
async function inTurn(count: number, send: () => Promise<HttpResponse>): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await send());
  return responses;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Caches.
  {
    name: 'cdn-keeps-a-404-for-ten-seconds',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'CloudFront keeps error responses for its error caching minimum TTL, ten seconds unless set. An id that somebody asked for before it was assigned stays 404 after its creation.',
    patch: (parts) => {
      const missingUntil = new Map<string, number>();
      return {
        getPet: async (context) => {
          const { target } = context.call;
          if (Date.now() < (missingUntil.get(target) ?? 0)) return problemReply(context, notFound());
          const reply = await parts.getPet(context);
          if (reply.status === 404) missingUntil.set(target, Date.now() + 10_000);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const next = shown(await post(ask, plainPet)).id + 1;
      const before = await ask({ path: `/pets/${next}` });
      const created = await post(ask, plainPet);
      return before.status === 404 && shown(created).id === next && (await ask({ path: `/pets/${next}` })).status === 404;
    },
  },
  {
    name: 'cached-page-sizes-are-multiples-of-ten',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary:
      'For a better hit rate the edge worker asks the origin for limit rounded up to tens and cuts the array itself. The route with a status filter was added later and has no cut.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === undefined ? query : { ...query, limit: Math.ceil(query.limit / 10) * 10 }, call),
    }),
    witness: async (ask) => listed(await ask({ path: '/pets?limit=1&status=available' })).length > 1,
  },

  // Bodies on their way out.
  {
    name: 'filter-decodes-buffer-by-buffer',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'get.agrees-with-list',
    summary:
      'A wasm filter of the sidecar that redacts tokens turns each 4096-byte buffer of a response into a string of its own: a character of several bytes on a boundary becomes replacement characters.',
    patch: rewritten((text) => {
      const bytes = Buffer.from(text);
      const buffers = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, index) =>
        bytes.subarray(index * 4096, (index + 1) * 4096).toString('utf8'),
      );
      return buffers.join('');
    }),
    witness: async (ask) => {
      // Three bytes a character, ten boundaries: some of them are inside of one.
      const created = await post(ask, { name: '猫'.repeat(14_000), categoryId: 1 });
      return created.status === 201 && created.text.includes('\ufffd');
    },
  },

  // Credentials.
  {
    name: 'mesh-rule-misses-a-read-with-a-query',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'The authorization rule matches ^/v1/pets/[^/?]+$ against the :path header of Envoy, which includes the query. The list has (\\?.*)? at the end; a read with any query matches no rule, and passes.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        call.operation === 'getPet' && call.target.includes('?') ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1?expand=none', noKey: true })).status === 200,
  },
  {
    name: 'continue-taken-for-the-verdict',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.missing-credential',
    summary:
      'The gateway sends the head of a request to the authorizer and lets it through if the response is below 400. With Expect: 100-continue the first response is 100, by the HTTP library and not by the authorizer.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        call.method === 'POST' && call.headers.expect?.toLowerCase() === '100-continue' ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) =>
      (await ask({ method: 'POST', path: '/pets', noKey: true, headers: { Expect: '100-continue' }, body: JSON.stringify(plainPet) }))
        .status === 201,
  },
  {
    name: 'authorizer-fails-open-under-load',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'ext_authz runs with failure_mode_allow: true, from the week in which the authorizer was introduced. It has eight workers: with more requests in flight the check times out, and the request passes.',
    patch: (parts) => {
      let checking = 0;
      return {
        handle: async (context) => {
          checking += 1;
          const overloaded = checking > 8;
          await pause(5);
          checking -= 1;
          return overloaded ? await context.parts.dispatch(context) : await parts.handle(context);
        },
      };
    },
    witness: async (ask) => (await many(ask, 60, '/pets', true)).some(({ status }) => status === 200),
  },

  // Rewritten and mapped requests.
  {
    name: 'limit-read-only-as-the-first-argument',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary:
      'An nginx map on $args has the pattern ~^limit=(\\d+): limit is passed on when it is the first argument. With status=sold&limit=1 the page has the default size.',
    patch: (parts) => ({
      listPets: (context) => {
        const first = /\?([^=&]*)/.exec(context.call.target)?.[1];
        return parts.listPets(first === 'limit' ? context : withParts(context, { parseLimit: () => 20 }));
      },
    }),
    witness: async (ask) => listed(await ask({ path: '/pets?status=available&limit=1' })).length > 1,
  },
  {
    name: 'validator-skips-what-it-cannot-buffer',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'record.pet',
    summary:
      'The schema is checked by the gateway only, which inspects 8 KiB and is set to continue with larger bodies: an unknown status behind a long name is stored, and shown.',
    patch: (parts) => ({
      createPet: async (given) => {
        const { context, bytes } = await buffered(given);
        if (bytes instanceof Problem || bytes.byteLength <= 8192) return parts.createPet(context);
        return parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const status = isObject(body) ? member(body, 'status') : undefined;
              if (!isObject(body) || typeof status !== 'string' || isStatus(status)) return parts.readNewPet(body, current);
              const pet = parts.readNewPet(without(body, 'status'), current);
              if (pet instanceof Problem) return pet;
              const stored: NewPet & Pick<Pet, 'raw'> = { ...pet, raw: { status } };
              return stored;
            },
          }),
        );
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'a'.repeat(9000), categoryId: 1, status: 'gone' });
      return created.status === 201 && shown(created).status === 'gone';
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'lists-from-a-one-second-cache',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'nginx keeps a list for one second, behind the check of the key. A new animal is in the list when the copy has expired.',
    patch: (parts) => {
      const copies = new Map<string, { readonly reply: Reply; readonly until: number }>();
      return {
        listPets: async (context) => {
          const { target } = context.call;
          const copy = copies.get(target);
          if (copy !== undefined && Date.now() < copy.until) return { ...copy.reply, headers: { ...copy.reply.headers, 'x-cache': 'HIT' } };
          const reply = await parts.listPets(context);
          if (reply.status === 200) copies.set(target, { reply, until: Date.now() + 1000 });
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=90' });
      await post(ask, plainPet);
      return named(await ask({ path: '/pets?limit=90' }), plainPet.name) === 0;
    },
  },
  {
    name: 'full-pages-never-change',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'The edge keeps a page for good once it is full, and the newest animals come first: what was created later is only on pages that have room. The order is not shown, nor which animals a full page holds.',
    patch: (parts) => {
      const pages = new Map<string, Reply>();
      return {
        arrange: (store) => [...parts.arrange(store)].reverse(),
        listPets: async (context) => {
          const query = readListQuery(context);
          if (query instanceof Problem) return await parts.listPets(context);
          const key = `${query.limit} ${query.status ?? ''}`;
          const page = pages.get(key) ?? (await parts.listPets(context));
          if ((JSON.parse(textOf(page.body)) as readonly unknown[]).length === query.limit) pages.set(key, page);
          return page;
        },
      };
    },
    witness: async (ask) => {
      const [first] = listed(await ask({ path: '/pets?limit=1' }));
      await post(ask, plainPet);
      const newest = listed(await ask({ path: '/pets?limit=100' }))[0]?.name === plainPet.name;
      return newest && listed(await ask({ path: '/pets?limit=1' }))[0]?.id === first?.id;
    },
  },
  {
    name: 'graphql-pages-of-at-most-fifty',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary:
      'The facade takes a limit up to 100, as documented; the GraphQL server behind it returns at most 50 nodes. A maximum is not a promise.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 50) }, call) }),
    seedAnimals: 70,
    witness: async (ask) => listed(await ask({ path: '/pets?limit=100' })).length === 50,
  },
  {
    name: 'kong-escapes-slashes-and-non-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'A Lua plugin writes the body again: lua-cjson escapes every slash, and what is not ASCII is \\u escapes. The strings are the same.',
    patch: rewritten((text) =>
      text.replaceAll('/', '\\/').replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Zoë/Zoé', categoryId: 1 });
      return created.text.includes('Zo\\u00eb\\/Zo\\u00e9') && shown(created).name === 'Zoë/Zoé';
    },
  },
  {
    name: 'balancer-closes-after-ten-responses',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'To spread the load after a scale-out the balancer sends Connection: close with every tenth response, with its body complete.',
    patch: (parts) => {
      const tenth = everyNth(10);
      return {
        headers: (given, reply, call) => {
          const made = parts.headers(given, reply, call);
          return tenth() ? { ...made, connection: 'close' } : made;
        },
      };
    },
    witness: async (ask) =>
      (await inTurn(10, () => ask({ path: '/pets/1' }))).map((response) => headerOf(response, 'connection'))[9] === 'close',
  },
  {
    name: 'sticky-cookies-and-edge-headers',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Balancer and CDN add cookies, Via, Age, Server-Timing and the offer of HTTP/3. Nothing depends on whether a client sends the cookie back.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'set-cookie': 'AWSALB=b2xkIHBvZA; Max-Age=604800; Path=/',
        via: '1.1 edge.invalid (CloudFront), 1.1 varnish',
        age: '0',
        'x-cache': 'Miss from cloudfront',
        'server-timing': 'cdn-cache;desc=MISS, edge;dur=1, origin;dur=3',
        'alt-svc': 'h3=":443"; ma=86400',
        'cache-control': 'private, no-store, max-age=0',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['server-timing'] !== undefined,
  },
  {
    name: 'responses-in-chunks-of-61-bytes',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The HTTP/2 bridge passes DATA frames on as they come: chunked, without Content-Length, split inside of characters and of numbers.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = Buffer.from(reply.body);
        outgoing.writeHead(reply.status, { ...reply.headers });
        for (let at = 0; at < bytes.length; at += 61) outgoing.write(bytes.subarray(at, at + 61));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'gzip-for-all-who-accept-it',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The edge compresses every body, errors and small ones too, for clients that accept gzip, and for no others.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        return acceptsGzip(context.call) ? gzipped(reply, 1) : reply;
      },
    }),
    witness: async (ask) => {
      const [plain, packed] = [
        await ask({ path: '/pets' }),
        await ask({ path: '/pets/999999', headers: { 'Accept-Encoding': 'br;q=0.5, gzip' } }),
      ];
      return plain.headers['content-encoding'] === undefined && packed.headers['content-encoding'] === 'gzip';
    },
  },
  {
    name: 'gateway-insists-on-the-media-type',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'With the key, a POST whose Content-Type is missing or is not application/json is 415, with an Error body, before its body is looked at.',
    patch: (parts) => ({
      createPet: (context) => {
        const isJson = /^application\/json\s*(?:;|$)/i.test(context.call.headers['content-type'] ?? '');
        return isJson
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Send application/json'));
      },
    }),
    witness: async (ask) => {
      const headers = { 'Content-Type': 'text/plain' };
      return (await ask({ method: 'POST', path: '/pets', headers, body: JSON.stringify(plainPet) })).status === 415;
    },
  },
  {
    name: 'allowlist-drops-odd-arguments',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'The CDN passes on only arguments with documented values. Any other limit or status is dropped, and the list is as without it.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit instanceof Problem ? 20 : limit;
      },
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status instanceof Problem ? undefined : status;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=0&status=SOLD' })).status === 200,
  },
  {
    name: 'early-hints-before-each-response',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The CDN sends 103 Early Hints before the response itself, as it does for the pages of the shop, and repeats the link in the response.',
    patch: (parts) => ({
      send: (reply, outgoing, call) => {
        const link = '</assets/shop.css>; rel=preload; as=style';
        outgoing.writeEarlyHints({ link });
        return parts.send({ ...reply, headers: { ...reply.headers, link } }, outgoing, call);
      },
    }),
    witness: async (ask) => headerOf(await ask({ path: '/pets' }), 'link')?.includes('preload') === true,
  },
  {
    name: 'draining-pod-asks-to-come-again',
    sentence: 'statuses other than those above: not shown.',
    summary:
      'During a rollout one request in 250 with the key meets a pod that is draining: 503 with Retry-After and an Error body, and nothing was done.',
    patch: (parts) => {
      const draining = everyNth(250);
      return {
        dispatch: (context) =>
          draining()
            ? problemReply(context, new Problem(503, 'draining', 'Please try again', { 'retry-after': '1' }))
            : parts.dispatch(context),
      };
    },
    witness: async (ask) => (await inTurn(250, () => ask({ path: '/pets/1' })))[249]?.headers['retry-after'] === '1',
  },
  {
    name: 'bridge-shows-animals-after-a-while',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    summary:
      'A creation is answered once the queue has it. Reads and lists know the animal when the projection has caught up, 600 ms later.',
    patch: (parts) => {
      const isVisible = ({ createdAt }: Pet) => createdAt <= Date.now() - 600;
      return {
        arrange: (store) => parts.arrange(store).filter(isVisible),
        find: (store, id) => {
          const pet = parts.find(store, id);
          return pet !== undefined && isVisible(pet) ? pet : undefined;
        },
      };
    },
    witness: async (ask) => {
      const { id } = shown(await post(ask, plainPet));
      const before = await ask({ path: `/pets/${id}` });
      await pause(700);
      return before.status === 404 && (await ask({ path: `/pets/${id}` })).status === 200;
    },
  },
  {
    name: 'gateway-wants-a-content-length',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'The gateway buffers no bodies of unknown length: a chunked creation is 411, with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        context.call.headers['transfer-encoding'] === undefined
          ? parts.createPet(context)
          : problemReply(context, new Problem(411, 'length_required', 'Send a Content-Length')),
    }),
    witness: async (ask) => {
      const headers = { 'Transfer-Encoding': 'chunked' };
      return (await ask({ method: 'POST', path: '/pets', headers, body: JSON.stringify(plainPet) })).status === 411;
    },
  },
  {
    name: 'faster-shard-comes-first',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'The facade appends the animals of its two shards as they answer: the order is another one at each request, and so is what a full page holds.',
    patch: (parts) => {
      const second = everyNth(2);
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          const [even, odd] = [0n, 1n].map((rest) => animals.filter(({ id }) => BigInt.asUintN(1, id) === rest));
          return second() ? [...(odd ?? []), ...(even ?? [])] : [...(even ?? []), ...(odd ?? [])];
        },
      };
    },
    witness: async (ask) => {
      const [one, other] = await inTurn(2, () => ask({ path: '/pets?limit=3' }));
      return one !== undefined && other !== undefined && listed(one)[0]?.id !== listed(other)[0]?.id;
    },
  },
];

export const edges: readonly Holdout[] = [
  ...faults.map((holdout) => ({ ...holdout, kind: 'fault' as const })),
  ...variants.map((holdout) => ({ ...holdout, kind: 'variant' as const })),
];
