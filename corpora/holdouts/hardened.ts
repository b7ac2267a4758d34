import { createHash, randomBytes, randomInt } from 'node:crypto';
import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken, sameKey } from '../../src/reference/core/base.ts';
import { isObject, member } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, type NewPet, type Pet } from '../../src/reference/core/store.ts';
import type { Ask, Asking, Holdout, HttpResponse } from './holdout.ts';
import { around, withCall } from './patches.ts';
import { plainPet, post, textOf } from './witness.ts';

/** A credential check that sees the bearer token; without one it is the usual 401. */
const tokenCheck =
  (check: (token: string, apiKey: string) => Problem | undefined): Patch =>
  () => ({
    authenticate: (call, apiKey) => {
      const token = bearerToken(call.headers.authorization);
      return token === undefined ? unauthorized() : check(token, apiKey);
    },
  });

/** A check of an authenticated creation before it is handled: it sees the bytes, and what they mean if they are a NewPet. */
const beforeCreation =
  (
    make: () => (context: Context, bytes: Uint8Array, newPet: NewPet | Problem) => Problem | undefined | Promise<Problem | undefined>,
  ): Patch =>
  (parts) => {
    const check = make();
    return {
      createPet: async (context) => {
        const bytes = await context.call.body();
        if (bytes instanceof Problem) return problemReply(context, bytes);
        const body = context.parts.readBody(bytes, context.call);
        const newPet = body instanceof Problem ? body : context.parts.readNewPet(body, context.parts);
        const problem = await check(context, bytes, newPet);
        return problem === undefined
          ? parts.createPet(withCall(context, { body: () => Promise.resolve(bytes) }))
          : problemReply(context, problem);
      },
    };
  };

/** Animals that reads do not find, although they are stored. */
const unlisted =
  (hidden: (pet: Pet) => boolean): Patch =>
  (parts) => ({ arrange: (store) => parts.arrange(store).filter((pet) => !hidden(pet)) });
const unreadable =
  (hidden: (pet: Pet) => boolean): Patch =>
  (parts) => ({
    find: (store, id) => {
      const pet = parts.find(store, id);
      return pet === undefined || hidden(pet) ? undefined : pet;
    },
  });

const page = (status: number, html: string): Reply => ({ status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html });
const broken = (message: string): Problem => new Problem(500, 'internal_error', message);

/** Whether the braces of a message template are balanced. */
function isTemplate(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0 || depth > 1) return false;
  }
  return depth === 0;
}

/** Whether an object of the JSON text has two members of one name. */
function repeatsMember(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\]]/gs)) {
    const names = open.at(-1);
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const name = String(JSON.parse(token.slice(0, -1)));
      if (names?.has(name) === true) return true;
      names?.add(name);
    }
  }
  return false;
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ item }) => item);
}

// What witnesses share.
const idOfPet = ({ text }: HttpResponse): bigint => BigInt(/"id":\s*(-?\d+)/.exec(text)?.[1] ?? '0');
const idsOfPets = ({ text }: HttpResponse): readonly bigint[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id]) => BigInt(id ?? '0'));
const nameOf = ({ text }: HttpResponse): string => (JSON.parse(text) as { readonly name: string }).name;
const read = (ask: Ask, id: bigint): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const bearing = (authorization: string, path = '/pets'): Asking => ({ path, noKey: true, headers: { Authorization: authorization } });
const together = (ask: Ask, count: number, asking: (index: number) => Asking): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(asking(index))));

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Keys.
  {
    name: 'constant-time-compare-cancels-itself-out',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The compare that replaced == accumulates with diff ^= a[i] ^ b[i] where it takes |=: differences cancel out, and any rearrangement of the characters of the key is let in.',
    patch: tokenCheck((token, apiKey) => {
      let difference = token.length ^ apiKey.length;
      for (let at = 0; at < apiKey.length; at += 1) difference ^= token.charCodeAt(at) ^ apiKey.charCodeAt(at);
      return difference === 0 ? undefined : unauthorized();
    }),
    witness: async (ask) => (await ask(bearing(`Bearer ${[...KEY].reverse().join('')}`))).status === 200,
  },
  {
    name: 'one-argon-run-for-keys-of-one-prefix',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'Argon2 takes a while, so verifications that run at the same time are joined by singleflight, by the public prefix of the key as that may be kept in memory: a wrong key with the prefix, sent while the right one is verified, shares its result, and the other way around.',
    patch: around(() => {
      const flights = new Map<string, Promise<boolean>>();
      const verify = async (prefix: string, token: string, apiKey: string): Promise<boolean> => {
        await pause(25);
        flights.delete(prefix);
        return sameKey(token, apiKey);
      };
      return async (context, next) => {
        const token = bearerToken(context.call.headers.authorization);
        if (token === undefined) return next(context);
        const prefix = token.slice(0, 8);
        const flight = flights.get(prefix) ?? verify(prefix, token, context.apiKey);
        flights.set(prefix, flight);
        const known = await flight;
        return next(withParts(context, { authenticate: () => (known ? undefined : unauthorized()) }));
      };
    }),
    witness: async (ask) => {
      for (let turn = 0; turn < 5; turn += 1) {
        const [right, wrong] = await Promise.all([ask({ path: '/pets' }), ask(bearing(`Bearer ${KEY}x`))]);
        if (right.status === wrong.status) return true;
      }
      return false;
    },
  },
  {
    name: 'nginx-map-without-a-caret',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.wrong-scheme',
    summary:
      'The keys moved into an nginx map on $http_authorization with the pattern "~Bearer KEY$": nothing ties it to the beginning, and a credential of another scheme that ends so is let in.',
    patch: () => ({
      authenticate: (call, apiKey) => (call.headers.authorization?.endsWith(`Bearer ${apiKey}`) === true ? undefined : unauthorized()),
    }),
    witness: async (ask) => (await ask(bearing(`Basic Bearer ${KEY}`))).status === 200,
  },
  {
    name: 'bcrypt-five-refuses-to-cut',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'Keys are stored as bcrypt hashes. Since version 5.0 the Python package raises ValueError for more than 72 bytes, which it used to cut off: a long wrong key is answered 500.',
    patch: tokenCheck((token, apiKey) => {
      if (Buffer.byteLength(token, 'latin1') > 72) return broken('password cannot be longer than 72 bytes');
      return sameKey(token, apiKey) ? undefined : unauthorized();
    }),
    witness: async (ask) => (await ask(bearing(`Bearer ${'k'.repeat(100)}`))).status === 500,
  },

  // Validation.
  {
    name: 'required-members-from-the-prototype',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'The whitelist copies the body with _.merge({}, body) of an old lodash, and a member called __proto__ becomes the prototype. The validator asks for body.name and finds it there, in an object without a name.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const inherited = isObject(body) ? member(body, '__proto__') : undefined;
        if (!isObject(body) || inherited === undefined || !isObject(inherited)) return parts.readNewPet(body, current);
        return parts.readNewPet({ ...inherited, ...body }, current);
      },
    }),
    witness: async (ask) => (await post(ask, '{"__proto__":{"name":"Waldo","categoryId":1}}')).status === 201,
  },
  {
    name: 'control-bytes-stripped-before-parsing',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary:
      'Against log injection a filter removes every byte below 0x20 from the request before anybody sees it, and thereby repairs what is not JSON: a raw line feed within a string.',
    patch: (parts) => ({ readBody: (bytes, call) => parts.readBody(Uint8Array.from(bytes.filter((byte) => byte >= 0x20)), call) }),
    witness: async (ask) => (await post(ask, '{"name":"Wal\ndo","categoryId":1}')).status === 201,
  },
  {
    name: 'hibernate-interpolates-a-rejected-value',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.no-server-error',
    summary:
      'The constraint on status calls buildConstraintViolationWithTemplate("unknown status " + value). Hibernate Validator reads the text as a template: a brace without its partner is a MessageDescriptorFormatException, and 500.',
    patch: (parts) => ({
      readStatus: (value) => {
        const status = parts.readStatus(value);
        return status instanceof Problem && typeof value === 'string' && !isTemplate(value)
          ? broken('HV000168: malformed message')
          : status;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: '{sold' })).status === 500,
  },
  {
    name: 'ajv-errors-read-after-an-await',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'A compiled Ajv function keeps its errors on itself, one list for the process. Since an audit record is awaited between validate(body) and if (validate.errors), two creations at once share the verdict of the later one.',
    patch: beforeCreation(() => {
      let errors: Problem | undefined;
      return async (_context, _bytes, newPet) => {
        errors = newPet instanceof Problem ? newPet : undefined;
        await pause(15);
        if (errors !== undefined) return errors;
        return newPet instanceof Problem ? broken('null value violates a not-null constraint') : undefined;
      };
    }),
    witness: async (ask) => {
      const [good, bad] = await Promise.all([post(ask, plainPet), post(ask, { name: 'Waldo' })]);
      return good.status !== 201 || bad.status !== 400;
    },
  },
  {
    name: 'charset-guard-answers-without-an-error',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'Against UTF-7 and UTF-16 smuggling a servlet filter calls response.sendError(415) for every charset but UTF-8. It runs before the exception handlers: the container answers with its own HTML page.',
    patch: (parts) => ({
      createPet: (context) => {
        const charset = /charset="?([^";]+)/i.exec(context.call.headers['content-type'] ?? '')?.[1];
        return charset === undefined || charset.toLowerCase() === 'utf-8'
          ? parts.createPet(context)
          : page(415, '<!doctype html><title>HTTP Status 415 - Unsupported Media Type</title>');
      },
    }),
    witness: async (ask) => {
      const headers = { 'Content-Type': 'application/json; charset=iso-8859-1' };
      const refused = await ask({ method: 'POST', path: '/pets', body: JSON.stringify(plainPet), headers });
      return refused.status === 415 && refused.text.startsWith('<!doctype');
    },
  },

  // What stands before the service.
  {
    name: 'refused-body-stays-in-the-connection',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'A body over 64 KiB is refused as soon as the limit is reached, on a connection that is kept: the rest of it is read as the next request, which the HTTP parser answers with its 400 page.',
    patch: (parts) => {
      const soiled = new WeakSet<object>();
      const limited = beforeCreation(() => ({ call: { connection } }, bytes) => {
        if (bytes.byteLength <= 65_536) return undefined;
        soiled.add(connection);
        return new Problem(413, 'too_large', 'The body is too large');
      });
      return {
        ...limited(parts),
        handle: (context) => (soiled.delete(context.call.connection) ? page(400, '<h1>Bad Request</h1>') : parts.handle(context)),
      };
    },
    witness: async (ask) => {
      const large = await post(ask, { name: 'w'.repeat(100_000), categoryId: 1 });
      return large.status === 413 && (await ask({ path: '/pets' })).status === 400;
    },
  },
  {
    name: 'load-shedding-forgets-the-query',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Instead of 429 the limiter serves the last good list once more than four lists are in progress. The cache has one entry a route, as its key was made from the path: the answer to another query.',
    patch: (parts) => {
      let running = 0;
      let last: Reply | undefined;
      return {
        listPets: async (context) => {
          if (running >= 4 && last !== undefined) return last;
          running += 1;
          try {
            await pause(10);
            const reply = await parts.listPets(context);
            if (reply.status === 200) last = reply;
            return reply;
          } finally {
            running -= 1;
          }
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=available' });
      return (await together(ask, 16, () => ({ path: '/pets?status=sold' }))).some(({ text }) => text.includes('"available"'));
    },
  },

  // Replays, robots, and spies.
  {
    name: 'request-id-names-the-answer',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The replay filter takes a request with a known X-Request-Id for the same request sent again, and returns the stored answer. It never compares the method and path, and proxies give all calls of one page view the same id.',
    patch: (parts) => {
      const answers = new Map<string, Reply>();
      return {
        dispatch: async (context) => {
          const id = context.call.headers['x-request-id'];
          const known = typeof id === 'string' ? answers.get(id) : undefined;
          if (known !== undefined) return known;
          const reply = await parts.dispatch(context);
          if (typeof id === 'string' && reply.status < 300) answers.set(id, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const headers = { 'X-Request-Id': 'c0ffee' };
      const [first, second] = idsOfPets(await ask({ path: '/pets?limit=2' }));
      await ask({ path: `/pets/${first}`, headers });
      return idOfPet(await ask({ path: `/pets/${second}`, headers })) === first;
    },
  },
  {
    name: 'spam-is-hidden-from-lists-only',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.success',
    summary:
      'Names with six equal characters in a row are gibberish for the spam filter. Its author is not told (shadow ban): the animal is created and can be read by its id, but no list ever shows it.',
    patch: unlisted(({ name }) => /(.)\1{5}/su.test(name)),
    witness: async (ask) => {
      const id = idOfPet(await post(ask, { name: 'Waldooooooo', categoryId: 1 }));
      return (await read(ask, id)).status === 200 && !idsOfPets(await ask({ path: '/pets?limit=100' })).includes(id);
    },
  },
  {
    name: 'canary-record-for-those-who-take-all',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.agrees-with-list',
    summary:
      'To recognize leaked data, a page of 90 or more that is not full ends with a decoy made up by the export filter. It is in no table: reading it answers 404.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const shown = parts.page(animals, query, call);
        const decoy: Pet = { id: 7_730_941_132n, name: 'Biscuit', categoryId: 1n, status: query.status ?? 'available', createdAt: 0 };
        return query.limit >= 90 && shown.length < query.limit ? [...shown, decoy] : shown;
      },
    }),
    witness: async (ask) => {
      const last = idsOfPets(await ask({ path: '/pets?limit=100' })).at(-1);
      return last !== undefined && (await read(ask, last)).status === 404;
    },
  },

  // Data at rest, and what leaves the house.
  {
    name: 'token-vault-folds-case',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'create.answer',
    summary:
      'Names are personal data and lie in a vault, as tokens made from the name in lower case so that searches find them. The first spelling under a token is the one that all later animals of that name are shown with.',
    patch: (parts) => {
      const vault = new Map<string, string>();
      return {
        insert: async (store, pet) => {
          const token = pet.name.toLowerCase();
          const name = vault.get(token) ?? pet.name;
          vault.set(token, name);
          if (name === pet.name) return await parts.insert(store, pet);
          addPet(store, { ...pet, name });
          return pet;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo', categoryId: 1 });
      const id = idOfPet(await post(ask, { name: 'WALDO', categoryId: 1 }));
      return nameOf(await read(ask, id)) === 'Waldo';
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'padding-against-breach',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'So that the length of a compressed response tells nothing (BREACH), each body ends with a random number of spaces, which JSON allows.',
    patch: (parts) => ({ encode: (value) => `${textOf(parts.encode(value))}${' '.repeat(randomInt(1, 65))}` }),
    witness: async (ask) => (await ask({ path: '/pets' })).text.endsWith(' '),
  },
  {
    name: 'ids-from-a-permutation-of-int64',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The counter goes through a secret permutation of all 64-bit numbers: ids have no order, half of them are negative, and most have 19 digits.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        const mixed = BigInt.asUintN(64, store.lastId * 0x9e3779b97f4a7c15n);
        return BigInt.asIntN(64, BigInt.asUintN(64, (mixed ^ (mixed >> 29n)) * 0xbf58476d1ce4e5b9n) ^ 0x5deece66d1234567n);
      },
    }),
    witness: async (ask) => {
      const ids = idsOfPets(await ask({ path: '/pets' }));
      return ids.some((id) => id < 0n) && ids.some((id) => id > 2n ** 53n);
    },
  },
  {
    name: 'pages-of-at-most-twenty-five',
    sentence: 'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
    summary:
      'Against scraping, a page has at most 25 animals, the newest, whatever limit up to 100 was asked for; every limit is accepted.',
    seedAnimals: 40,
    patch: (parts) => ({
      arrange: (store) => parts.arrange(store).toReversed(),
      page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 25) }, call),
    }),
    witness: async (ask) => idsOfPets(await ask({ path: '/pets?limit=100' })).length === 25,
  },
  {
    name: 'lists-shuffled-each-time',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'The position in a list must not tell when an animal was added: every response has an order of its own, and so a page is a sample.',
    patch: (parts) => ({ arrange: (store) => shuffled(parts.arrange(store)) }),
    witness: async (ask) => {
      const lists = await together(ask, 8, () => ({ path: '/pets' }));
      return new Set(lists.map((list) => idsOfPets(list).join())).size > 1;
    },
  },
  {
    name: 'joi-takes-safe-numbers-only',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'Joi rejects integers beyond 2^53 - 1 as unsafe, with 400, before they lose a digit. There is no category with such a number.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        const unsafe = typeof category === 'bigint' && (category > 2n ** 53n - 1n || category < 1n - 2n ** 53n);
        return unsafe ? invalid('"categoryId" must be a safe number', 'number.unsafe') : category;
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":9007199254740993}')).status === 400,
  },
  {
    name: 'names-of-mixed-scripts-are-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A check for confusables (UTS 39, as ICU’s SpoofChecker does it) refuses a name that mixes Latin letters with Cyrillic or Greek ones.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const mixed = typeof name === 'string' && /\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name);
        return mixed ? invalid('name mixes scripts', 'confusable_name') : name;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'W\u0430ldo', categoryId: 1 })).status === 400,
  },
  {
    name: 'repeated-members-are-refused',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    summary:
      'The firewall and the service might read different values where a member is there twice, so STRICT_DUPLICATE_DETECTION answers 400.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        const repeated = !(body instanceof Problem) && repeatsMember(Buffer.from(bytes).toString('utf8'));
        return repeated ? invalid('A member appears twice', 'duplicate_member') : body;
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Rex","name":"Waldo","categoryId":1}')).status === 400,
  },
  {
    name: 'errors-tell-nothing-but-a-reference',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Error bodies hide the reason: one message for all, and a code that is the random reference of a line in the log, different each time.',
    patch: () => ({
      errorRecord: ({ status }) => ({
        status,
        message: 'The request was refused.',
        code: `REF-${randomBytes(6).toString('hex')}`,
        help: null,
      }),
    }),
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets', noKey: true }), await ask({ path: '/pets', noKey: true })];
      return first.status === 401 && first.text !== second.text;
    },
  },
  {
    name: 'queries-outside-the-schema-are-forbidden',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A firewall with a positive model refuses what the schema of the query does not allow (bounds, enum, unknown parameters) with 403 and an Error body.',
    patch: (parts) => {
      const forbidden = () => new Problem(403, 'policy_violation', 'The query is not in the schema');
      return {
        parseLimit: (texts) => {
          const limit = parts.parseLimit(texts);
          return limit instanceof Problem ? forbidden() : limit;
        },
        parseStatus: (texts) => {
          const status = parts.parseStatus(texts);
          return status instanceof Problem ? forbidden() : status;
        },
        listPets: (context) =>
          [...context.call.query.keys()].every((name) => name === 'limit' || name === 'status')
            ? parts.listPets(context)
            : problemReply(context, forbidden()),
      };
    },
    witness: async (ask) => (await ask({ path: '/pets?limit=101' })).status === 403,
  },
  {
    name: 'headers-of-a-hardening-guide',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'All headers of the OWASP list are there, on errors too, and the media type has a charset and capital letters.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'Application/JSON; charset="UTF-8"',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'geolocation=(), camera=()',
        'clear-site-data': '"cache"',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-security-policy'] !== undefined,
  },
  {
    name: 'markup-and-beyond-ascii-escaped',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Whatever HTML or an old parser could take wrong (<, >, &, the apostrophe, the slash, all beyond ASCII) is a \\u escape in the JSON text: the same values.',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(/[<>&'/\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo & Zo\u00eb', categoryId: 1 });
      return created.text.includes('\\u0026') && created.text.includes('\\u00eb') && nameOf(created) === 'Waldo & Zo\u00eb';
    },
  },
  {
    name: 'same-bytes-twice-are-a-conflict',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Replay protection without a nonce: a creation with exactly the bytes of an accepted one gets 409 and an Error body for a minute.',
    patch: (parts) => {
      const accepted = new Map<string, number>();
      const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
      return beforeCreation(() => (_context, bytes, newPet) => {
        const digest = digestOf(bytes);
        const before = accepted.get(digest);
        if (newPet instanceof Problem) return undefined;
        if (before !== undefined && Date.now() - before < 60_000) return new Problem(409, 'replayed', 'This request was sent before');
        accepted.set(digest, Date.now());
        return undefined;
      })(parts);
    },
    witness: async (ask) => {
      const [first, second] = [await post(ask, plainPet), await post(ask, plainPet)];
      return first.status === 201 && second.status === 409;
    },
  },
  {
    name: 'scheme-letter-by-letter',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    summary: 'The credential is read by a strict grammar: Bearer with a capital letter, one space, the key. Everything else is 401.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        /^Bearer \S+$/.test(call.headers.authorization ?? '') ? parts.authenticate(call, apiKey) : unauthorized(),
    }),
    witness: async (ask) => (await ask(bearing(`bearer ${KEY}`))).status === 401,
  },
  {
    name: 'new-animals-wait-for-the-scanner',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    summary: 'Each new record is scanned for malicious content first: for 400 ms after its creation neither lists nor reads show it.',
    patch: (parts) => {
      const waiting = ({ createdAt }: Pet): boolean => Date.now() - createdAt < 400;
      return { ...unlisted(waiting)(parts), ...unreadable(waiting)(parts) };
    },
    witness: async (ask) => {
      const id = idOfPet(await post(ask, plainPet));
      const early = await read(ask, id);
      await pause(600);
      return early.status === 404 && (await read(ask, id)).status === 200;
    },
  },
  {
    name: 'key-is-scoped-to-known-categories',
    sentence: 'How keys are issued, their lifetime and their scopes: not shown.',
    summary:
      'A key may add animals to the categories of its shop only, which are those that have animals: another one is refused with 422 and an Error body.',
    patch: beforeCreation(() => ({ store }, _bytes, newPet) => {
      if (newPet instanceof Problem || store.animals.some(({ categoryId }) => categoryId === newPet.categoryId)) return undefined;
      return new Problem(422, 'category_out_of_scope', 'The key has no access to this category');
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 987_654_321 })).status === 422,
  },
];

/** Services after a hardening: what protection broke, and what it may change without breaking anything. */
export const hardened: readonly Holdout[] = [
  ...faults.map((row): Holdout => ({ ...row, kind: 'fault' })),
  ...variants.map((row): Holdout => ({ ...row, kind: 'variant' })),
];
