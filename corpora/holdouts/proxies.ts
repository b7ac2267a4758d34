import { gzipSync } from 'node:zlib';
import { atPath, dropLastSlash, mergeSlashes, resolveDots, respelled } from '../../src/reference/core/incoming.ts';
import { INT64_RANGE, isInt64, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  invalid,
  notFound,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

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

/** Whether the credential of the request is valid. */
const isAdmitted = ({ parts, call, apiKey }: Context): boolean => parts.authenticate(call, apiKey) === undefined;

/** An error page as proxies write it. */
const htmlPage = (status: number, title: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr></body></html>`,
});

/** Whether a gateway caches what the operation returns. */
const isRead = ({ operation }: Call): boolean => operation === 'listPets' || operation === 'getPet';

/** The nearest int64 to a double. */
function nearestInt64(value: number): bigint {
  const { smallest, largest } = INT64_RANGE;
  if (value >= Number(largest)) return largest;
  return value <= Number(smallest) ? smallest : BigInt(Math.round(value));
}

const SESSION = 'GATEWAYSESSION=4f1c2a9b77';
const PRIVATE_ADDRESS = /^(?:10\.|127\.|192\.168\.)/;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

// What witnesses share.
const LONG_PAGE = '/pets?limit=100';
const MANY = 40;
const repeat = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
const anyIs = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);
const read = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const withoutKey = (ask: Ask, path = '/pets', headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> =>
  ask({ path, headers, noKey: true });
const otherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Authentication at the edge.
  {
    name: 'key-looked-up-in-a-map-of-nginx',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary: 'The keys are a map of nginx, whose string matching ignores letter case: the key in capitals is a valid key, too.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const [, scheme = '', token = ''] = /^(\S+) +(\S+)$/.exec(headerOf(call, 'authorization')) ?? [];
        const isInMap = token.toLowerCase() === apiKey.toLowerCase();
        return parts.authenticate(isInMap ? { ...call, headers: { ...call.headers, authorization: `${scheme} ${apiKey}` } } : call, apiKey);
      },
    }),
    witness: async (ask) => (await withoutKey(ask, '/pets', { Authorization: `Bearer ${otherCase(KEY)}` })).status === 200,
  },
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
    name: 'affinity-cookie-is-a-session',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary:
      'The gateway sets a cookie for sticky sessions and remembers under it that the client was authenticated. Afterwards the cookie alone suffices.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (headerOf(call, 'cookie').includes(SESSION) ? undefined : parts.authenticate(call, apiKey)),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status === 401 ? {} : { 'set-cookie': `${SESSION}; Path=/; HttpOnly` }),
      }),
    }),
    witness: async (ask) => {
      const [cookie = ''] = String((await ask({ path: '/pets' })).headers['set-cookie'] ?? '').split(';');
      return cookie !== '' && (await withoutKey(ask, '/pets/1', { Cookie: cookie })).status === 200;
    },
  },
  {
    name: 'schema-checked-before-the-authorizer',
    sentence: '| 401 | Credential missing or invalid | listPets, createPet, getPet |',
    clause: 'auth.precedence',
    summary:
      'The gateway validates bodies against the schema in an earlier phase than it calls the authorizer: without a key, a faulty body is 400.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call } = context;
        if (call.operation !== 'createPet' || isAdmitted(context)) return await parts.handle(context);
        const bytes = await call.body();
        const body = bytes instanceof Problem ? bytes : context.parts.readBody(bytes, call);
        const pet = body instanceof Problem ? body : context.parts.readNewPet(body, context.parts);
        return problemReply(context, pet instanceof Problem ? pet : unauthorized());
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo' }, {}, true)).status === 400,
  },
  {
    name: 'traffic-mirrored-before-authentication',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'Creations are mirrored to the new cluster, with the credential of the gateway, before the key is checked. Both clusters share the database: the client gets 401, and the animal exists.',
    patch: (parts) => ({
      handle: async (context) => {
        if (context.call.operation !== 'createPet' || isAdmitted(context)) return await parts.handle(context);
        await context.parts.dispatch(context);
        return problemReply(context, unauthorized());
      },
    }),
    witness: async (ask) => {
      const before = lengthOf(await ask({ path: LONG_PAGE }));
      const refused = await post(ask, plainPet, {}, true);
      return refused.status === 401 && lengthOf(await ask({ path: LONG_PAGE })) > before;
    },
  },
  // Lists.
  {
    name: 'cache-key-knows-limit-only',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'The content delivery network was told which parameters belong to its cache key when there was one, limit. Lists that differ in their status share an entry until the next creation.',
    patch: (parts) => {
      const kept = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.getAll('limit').join();
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
      await ask({ path: '/pets?limit=50' });
      return (await ask({ path: '/pets?limit=50&status=sold' })).text.includes('"available"');
    },
  },
  {
    name: 'rewrite-keeps-the-first-parameter',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.filter-with-limit',
    summary:
      'A rewrite sends lists by status to the replica, with a pattern that captures the value of status up to the ampersand. A limit after it is lost; before it, the pattern does not match and all is well.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, /\?status=[^&]*&/.test(call.target) ? { ...query, limit: 20 } : query, call),
    }),
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?status=available&limit=1' })) > 1 &&
      lengthOf(await ask({ path: '/pets?limit=1&status=available' })) === 1,
  },
  {
    name: 'edge-function-filters-the-page',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'The service behind the gateway has no filter, so an edge function removes the other animals from the page that the service returned.',
    patch: (parts) => ({
      matches: () => true,
      page: (animals, query, call) =>
        parts.page(animals, query, call).filter((pet) => query.status === undefined || parts.matches(pet, query.status)),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=sold&limit=2' })) === 0,
  },
  {
    name: 'xml-translation-unwraps-a-single-animal',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary:
      'The gateway translates from a service that writes XML. One element is not distinguishable from a list of one, so a list of one animal becomes the animal.',
    patch: (parts) => ({
      listBody: (records) => {
        const [first, ...others] = records;
        return first !== undefined && others.length === 0 ? first : parts.listBody(records);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=1' })).text.startsWith('{'),
  },
  // Creations.
  {
    name: 'body-rewritten-with-fourteen-digits',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'A request transformer in Lua adds a member to the body, for which it decodes and encodes it: cjson keeps 14 significant digits of a number.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return category instanceof Problem ? category : nearestInt64(Number(Number(category).toPrecision(14)));
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":123456789012345678}');
      return created.status === 201 && !created.text.includes('123456789012345678');
    },
  },
  {
    name: 'schema-validator-coerces-digits',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-type',
    summary:
      'The validation plugin of the gateway was set to coerce types for the sake of query parameters. It does so in bodies, too: a category in quotes passes as a number.',
    patch: (parts) => ({
      readCategory: (value) => parts.readCategory(typeof value === 'string' && /^-?\d+$/.test(value) ? new NumberText(value) : value),
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: '1' })).status === 201,
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
  {
    name: 'creation-retried-by-the-balancer',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'create.independent',
    summary:
      'proxy_next_upstream includes timeout and non_idempotent. Every twelfth creation is slow in its first instance and is sent to the next: the client gets one animal, the store gets two.',
    patch: (parts) => {
      const isSlow = everyNth(12);
      return {
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          return isSlow() ? await parts.insert(store, { ...pet, id: parts.assignId(store, null) }) : shown;
        },
      };
    },
    witness: async (ask) => {
      const before = lengthOf(await ask({ path: LONG_PAGE }));
      await repeat(12, () => post(ask));
      return lengthOf(await ask({ path: LONG_PAGE })) === before + 13;
    },
  },
  {
    name: 'chunked-body-lost-in-the-function-adapter',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'media.any-client',
    summary:
      'The adapter from HTTP to the event of a function reads as many bytes as Content-Length says, and none without it. A valid animal in a chunked request is 400.',
    patch: (parts) => ({
      readBody: (bytes, call) => parts.readBody(call.headers['content-length'] === undefined ? new Uint8Array() : bytes, call),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Transfer-Encoding': 'chunked' })).status === 400,
  },
  // Reads and identifiers.
  {
    name: 'transcoder-with-ids-of-32-bits',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'The gateway transcodes to a remote procedure call whose message has an int32. An id beyond it loses its upper bits and finds another animal.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return typeof id === 'bigint' ? BigInt.asIntN(32, id) : id;
      },
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets/4294967297' })) === 1n,
  },
  {
    name: 'negative-cache-outlives-the-creation',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'Against scanners the cache keeps every 404 for an hour. Who asks for the next id before it is assigned makes that animal unreadable.',
    patch: (parts) => {
      const missing = new Set<string>();
      return {
        getPet: async (context) => {
          const { petId } = context.call;
          if (missing.has(petId)) return problemReply(context, notFound());
          const reply = await parts.getPet(context);
          if (reply.status === 404) missing.add(petId);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const next = idOf(await post(ask)) + 1n;
      await ask({ path: `/pets/${next}` });
      const created = await post(ask);
      return idOf(created) === next && (await read(ask, created)).status === 404;
    },
  },
  {
    name: 'every-second-read-from-a-lagging-replica',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Reads of single animals alternate between two instances. The second one receives an animal together with the next one, so it answers 404 for the newest.',
    patch: (parts) => {
      const isSecond = everyNth(2);
      return {
        find: (store, id) => {
          const newest = store.animals.at(-1);
          const isBehind = newest?.id === id && newest.createdAt !== 0 && isSecond();
          return isBehind ? undefined : parts.find(store, id);
        },
      };
    },
    witness: async (ask) => {
      const created = await post(ask);
      return anyIs(await repeat(2, () => read(ask, created)), 404);
    },
  },
  {
    name: 'instances-with-sequences-of-their-own',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'The service was scaled to two instances. Each counts ids in its memory from the highest one that it found at its start, and the balancer alternates.',
    patch: (parts) => {
      const last: bigint[] = [];
      let turn = 0;
      return {
        assignId: (store, body) => {
          // Imported animals have no body: they were there before the second instance.
          if (body === null) return parts.assignId(store, body);
          const id = (last[turn] ?? store.lastId) + 1n;
          last[turn] = id;
          turn = 1 - turn;
          return id;
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await post(ask), await post(ask)];
      return idOf(first) === idOf(second);
    },
  },
  // Deprecation.
  {
    name: 'sunset-policy-with-day-and-month-exchanged',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary: 'The deprecation policy of the gateway was configured with 05/12/2030, which it reads as 12 May.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const headers = parts.headers(given, reply, call);
        return call.operation === 'getPet' ? { ...headers, sunset: new Date(Date.UTC(2030, 4, 12)).toUTCString() } : headers;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset'] === 'Sun, 12 May 2030 00:00:00 GMT',
  },
  {
    name: 'brownout-of-the-deprecated-route',
    sentence: '`GET /pets/{petId}` is deprecated, with removal on 5 December 2030.',
    clause: 'deprecation.still-works',
    summary: 'To find the last users of the deprecated route, the gateway answers every thirtieth read with 410, years before the removal.',
    patch: (parts) => {
      const isBrownout = everyNth(30);
      return {
        getPet: (context) =>
          isBrownout() ? problemReply(context, new Problem(410, 'gone', 'This operation is deprecated')) : parts.getPet(context),
      };
    },
    witness: async (ask) => anyIs(await repeat(30, () => ask({ path: '/pets/1' })), 410),
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
    name: 'status-of-the-upstream-in-the-body',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'The service behind answers 422 to a body that is JSON with invalid values. The gateway maps the status line to the documented 400, and leaves the body alone.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const { code, message, status } = problem;
        const isMapped = call.operation === 'createPet' && status === 400 && code !== 'invalid_json';
        return isMapped ? { code, message, status: 422 } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Waldo' });
      return refused.status === 400 && refused.text.includes('422');
    },
  },
  {
    name: 'local-rate-limit-in-plain-text',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'errors.infrastructure-errors',
    summary: 'The rate limit of the sidecar answers every 150th request with 429 and the text local_rate_limited.',
    patch: (parts) => {
      const isLimited = everyNth(150);
      return {
        handle: (context) =>
          isLimited() ? { status: 429, headers: { 'content-type': 'text/plain' }, body: 'local_rate_limited' } : parts.handle(context),
      };
    },
    witness: async (ask) =>
      (await repeat(150, () => ask({ path: '/pets' }))).some(({ status, text }) => status === 429 && text === 'local_rate_limited'),
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
  // Media types and clients.
  {
    name: 'mapping-template-escapes-apostrophes',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The mapping template for responses passes texts through escapeJavaScript, which puts a backslash before an apostrophe. JSON has no such escape: one such name spoils each list that shows it.',
    patch: (parts) => ({ encode: (value) => textOf(parts.encode(value)).replaceAll("'", "\\'") }),
    witness: async (ask) => {
      await post(ask, { name: "Rock 'n' Roll", categoryId: 1 });
      return !parses(await ask({ path: LONG_PAGE }));
    },
  },
  {
    name: 'translated-to-xml-on-request',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'A translation policy meant for another product is active on all: a client that prefers XML, as browsers do, gets XML for reads.',
    patch: (parts) => ({
      dispatch: async (context) => {
        const reply = await parts.dispatch(context);
        const [preferred = ''] = headerOf(context.call, 'accept')
          .split(',')
          .filter((range) => /json|xml/.test(range));
        if (reply.status !== 200 || !preferred.includes('xml')) return reply;
        const escaped = textOf(reply.body).replace(/[&<>]/g, (mark) => ENTITIES[mark] ?? mark);
        return { ...reply, headers: { ...reply.headers, 'content-type': 'application/xml' }, body: `<response>${escaped}</response>` };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Accept: 'application/xml, */*' } })).text.startsWith('<'),
  },
  {
    name: 'original-url-of-the-client-believed',
    sentence: 'Method and path: `GET /pets`',
    clause: 'media.any-client',
    summary:
      'The service behind the gateway routes by X-Original-URL, since the gateway rewrites paths. The gateway sets the header only if it is missing, so a client that sends one gets another resource.',
    patch: (parts) => ({
      handle: (context) => {
        const original = headerOf(context.call, 'x-original-url').replace(/^\/v1|\?.*$/g, '');
        return parts.handle(original === '' ? context : { ...context, call: atPath(context.call, original) });
      },
    }),
    witness: async (ask) => !(await ask({ path: '/pets', headers: { 'X-Original-URL': '/v1/pets/1' } })).text.startsWith('['),
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
