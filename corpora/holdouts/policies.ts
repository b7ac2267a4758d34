import { bearerToken } from '../../src/reference/core/base.ts';
import { integerLiteral, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  invalid,
  notFound,
  type Operation,
  type Patch,
  Problem,
  pause,
  problemReply,
  unauthorized,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Asking, Holdout } from './holdout.ts';
import { plainPet, post } from './witness.ts';

/** A rule about animals that are valid by themselves: it may change the animal, or reject it. */
const ruled =
  (rule: (pet: NewPet, context: Context) => NewPet | Problem): Patch =>
  (parts) => ({
    createPet: (context) =>
      parts.createPet(
        withParts(context, {
          readNewPet: (body, current) => {
            const pet = parts.readNewPet(body, current);
            return pet instanceof Problem ? pet : rule(pet, context);
          },
        }),
      ),
  });

/** Takes a status outside the enum as if there were none. */
const anyStatus = (value: Json | undefined): Status | undefined => (isStatus(value) ? value : undefined);

const QUERY: Readonly<Record<Operation, readonly string[]>> = { listPets: ['limit', 'status'], createPet: [], getPet: [], unknown: [] };
const unknownQuery = (call: Call): string | undefined => [...call.query.keys()].find((name) => !QUERY[call.operation].includes(name));

const speaks = ({ headers }: Call): boolean => /^(?:\*|$|(?:en|de|es)\b)/i.test(headers['accept-language'] ?? '');

// What witnesses share.
type Shown = Readonly<Record<string, unknown>>;
const list = async (ask: Ask, query = ''): Promise<readonly Shown[]> => JSON.parse((await ask({ path: `/pets${query}` })).text) as Shown[];
const status = async (ask: Ask, asking: Asking): Promise<number> => (await ask(asking)).status;
const created = async (ask: Ask, body: Parameters<typeof post>[1]): Promise<Shown> => JSON.parse((await post(ask, body)).text) as Shown;
const answered = async (ask: Ask, body: Parameters<typeof post>[1]): Promise<number> => (await post(ask, body)).status;
const withToken = (token: string, path = '/pets'): Asking => ({ path, noKey: true, headers: { Authorization: `Bearer ${token}` } });
const name = (index: number): string => `Waldo${String.fromCharCode(65 + (index % 26), 65 + Math.floor(index / 26))}`;

/** Creates that many animals one after the other; the last response. */
async function fill(ask: Ask, count: number, members: Shown = {}): Promise<Shown> {
  for (let index = 0; index < count - 1; index += 1) await post(ask, { ...plainPet, ...members, name: name(index) });
  return await created(ask, { ...plainPet, ...members, name: name(count) });
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Validation of NewPet.
  {
    name: 'falsy-client-id-passes-the-guard',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.answer',
    summary:
      'if (body.id) delete body.id, and then { id: nextId(), ...body }: every id of a client is dropped but 0, which JavaScript takes for none.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const given = isObject(body) ? member(body, 'id') : undefined;
        return given instanceof NumberText && Number(given.text) === 0 ? 0n : parts.assignId(store, body);
      },
    }),
    witness: async (ask) => (await created(ask, { ...plainPet, id: 0 }))['id'] === 0,
  },
  {
    name: 'schema-looks-at-eight-kilobytes',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.success',
    summary:
      "The schema is enforced by the gateway, which inspects bodies of up to 8 KB and passes larger ones on, as a web application firewall does. The service behind it has only a database's constraints, and none for the status.",
    patch: (parts) => {
      const large = new WeakSet<object>();
      return {
        readBody: (bytes, call) => {
          const body = parts.readBody(bytes, call);
          if (bytes.byteLength > 8192 && !(body instanceof Problem) && isObject(body)) large.add(body);
          return body;
        },
        readNewPet: (body, current) => {
          const unseen = isObject(body) && large.has(body);
          return parts.readNewPet(body, unseen ? { ...current, readStatus: anyStatus } : current);
        },
      };
    },
    witness: async (ask) => (await answered(ask, { ...plainPet, name: 'W'.repeat(9000), status: 'gone' })) === 201,
  },

  // Limits and filters.
  {
    name: 'shortcut-for-one-row-has-no-filter',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary: 'limit=1 takes a path of its own, repository.first(), which was written for the health check and knows no filter.',
    patch: (parts) => ({
      listPets: (context) =>
        parts.listPets(context.call.query.get('limit') === '1' ? withParts(context, { matches: () => true }) : context),
    }),
    witness: async (ask) => (await list(ask, '?status=sold&limit=1'))[0]?.['status'] === 'available',
  },
  {
    name: 'search-index-without-the-tenant',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.agrees-with-list',
    summary:
      "Sold animals are in an index of their own, whose query lacks the tenant's filter: where the page has room it ends with other tenants' animals, which getPet rightly does not find for this key.",
    patch: (parts) => ({
      page: (animals, query, call) => {
        const foreign: readonly Pet[] = [700_001n, 700_002n].map((id) => ({
          id,
          name: 'Nero',
          categoryId: 3n,
          status: 'sold',
          createdAt: 0,
        }));
        const own = parts.page(animals, query, call);
        return query.status === 'sold' ? [...own, ...foreign].slice(0, query.limit) : own;
      },
    }),
    witness: async (ask) => {
      const shown = (await list(ask, '?status=sold')).at(-1)?.['id'];
      return (await status(ask, { path: `/pets/${String(shown)}` })) === 404;
    },
  },

  // Keys and decisions about them.
  {
    name: 'previous-key-is-the-text-undefined',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'For the rotation, two keys are valid: [process.env.API_KEY, `${process.env.PREVIOUS_API_KEY}`]. No rotation is going on, and the second is the text undefined, which is also what a client without configuration sends.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        bearerToken(call.headers.authorization) === 'undefined' ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await status(ask, withToken('undefined'))) === 200,
  },
  {
    name: 'unknown-keys-evict-the-good-one',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.every-request',
    summary:
      'Decisions are kept in an LRU cache of sixteen, refusals too. Once sixteen different wrong keys have come, the good one is out; its lookup is asynchronous, and the request that starts it is refused meanwhile.',
    patch: (parts) => {
      const refused = new Set<string>();
      return {
        authenticate: (call, apiKey) => {
          const problem = parts.authenticate(call, apiKey);
          const token = bearerToken(call.headers.authorization);
          if (problem !== undefined && token !== undefined) refused.add(token);
          if (problem !== undefined || refused.size < 16) return problem;
          refused.clear();
          return unauthorized();
        },
      };
    },
    witness: async (ask) => {
      for (let index = 0; index < 16; index += 1) await ask(withToken(`wrong${index}`));
      const [first, second] = [await status(ask, { path: '/pets' }), await status(ask, { path: '/pets' })];
      return first === 401 && second === 200;
    },
  },
  {
    name: 'policy-route-of-digits-only',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.precedence',
    summary:
      'The authorization policy names its routes, /v1/pets and /v1/pets/[0-9]+, and what no route names is public. /pets/-1 is routed to getPet all the same and answered without a key.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        call.operation === 'getPet' && !/^\d+$/.test(call.petId) ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await status(ask, { path: '/pets/-1', noKey: true })) === 404,
  },
  {
    name: 'decision-cached-by-the-resource',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.missing-credential',
    summary:
      'The policy engine caches what it decided by its input. The credential is stripped from that input, so as not to be in the log: an animal that was read with the key is then shown to anyone.',
    patch: (parts) => {
      const allowed = new Set<string>();
      return {
        authenticate: (call, apiKey) => {
          if (call.operation !== 'getPet') return parts.authenticate(call, apiKey);
          if (allowed.has(call.target)) return undefined;
          const problem = parts.authenticate(call, apiKey);
          if (problem === undefined) allowed.add(call.target);
          return problem;
        },
      };
    },
    witness: async (ask) => {
      const before = await status(ask, { path: '/pets/5', noKey: true });
      await ask({ path: '/pets/5' });
      return before === 401 && (await status(ask, { path: '/pets/5', noKey: true })) === 200;
    },
  },
  {
    name: 'one-key-lookup-for-all-who-wait',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'A good key is cached for fifty requests; anything else is looked up. So that a burst makes one lookup, requests wait for the one under way (pending ??= lookup(token)), whoever it is about: its result is theirs.',
    patch: (parts) => {
      let cached = 0;
      let pending: Promise<Problem | undefined> | undefined;
      return {
        handle: async (context) => {
          const own = parts.authenticate(context.call, context.apiKey);
          if (bearerToken(context.call.headers.authorization) === undefined) return await parts.handle(context);
          if (own === undefined && cached > 0) {
            cached -= 1;
            return await parts.dispatch(context);
          }
          pending ??= pause(15).then(() => {
            pending = undefined;
            if (own === undefined) cached = 50;
            return own;
          });
          const problem = await pending;
          return problem === undefined ? await parts.dispatch(context) : problemReply(context, problem);
        },
      };
    },
    witness: async (ask) => {
      const [good, bad] = await Promise.all([status(ask, { path: '/pets' }), status(ask, withToken('wrong'))]);
      return good === bad;
    },
  },
  {
    name: 'apigee-query-rule-before-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'In the PreFlow of the Apigee proxy, OASValidation comes before VerifyAPIKey: a request with an undeclared query parameter is 400 whether it has a key or not.',
    patch: (parts) => ({
      handle: (context) => {
        const unknown = unknownQuery(context.call);
        return unknown === undefined ? parts.handle(context) : problemReply(context, invalid(`The parameter ${unknown} is not declared`));
      },
    }),
    witness: async (ask) => (await status(ask, { path: '/pets?page=2', noKey: true })) === 400,
  },

  // Errors and audits.
  {
    name: 'spring-message-source-without-french',
    sentence: '| 404 | The requested resource cannot be found | getPet |',
    clause: 'errors.no-server-error',
    summary:
      'messages_en, _de and _es exist, no default bundle does, and setFallbackToSystemLocale is false: for any other Accept-Language, the handler of every error ends in NoSuchMessageException, a 500.',
    patch: (parts) => ({
      errorStatus: (problem, call) => (speaks(call) ? parts.errorStatus(problem, call) : 500),
      errorRecord: (problem, call) =>
        parts.errorRecord(speaks(call) ? problem : new Problem(500, 'internal', `No message found under code ${problem.code}`), call),
    }),
    witness: async (ask) => (await status(ask, { path: '/pets/999999', headers: { 'Accept-Language': 'fr' } })) === 500,
  },

  // Quotas and rules about the stored animals.
  {
    name: 'reservation-quota-frees-the-next',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'A tenant may have 25 reservations. Instead of refusing the next pending animal, the rule engine corrects it: it is created, and available.',
    patch: ruled((pet, { store }) => {
      const reserved = store.animals.filter((other) => other.status === 'pending').length;
      return pet.status === 'pending' && reserved >= 25 ? { ...pet, status: 'available' } : pet;
    }),
    witness: async (ask) => (await fill(ask, 26, { status: 'pending' }))['status'] === 'available',
  },
  {
    name: 'tenant-provisioned-by-the-first-write',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'The schema of a tenant is made when it stores its first animal. Until then, a list with its valid key is 404: unknown tenant, instead of an empty array.',
    seedAnimals: 0,
    patch: (parts) => ({
      listPets: (context) =>
        context.store.animals.length === 0 ? problemReply(context, notFound('Unknown tenant')) : parts.listPets(context),
    }),
    witness: async (ask) => (await status(ask, { path: '/pets' })) === 404,
  },

  // Calendars, flags, and privacy.
  {
    name: 'removal-in-phases-begins-with-sold',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.still-works',
    summary:
      'The deprecation calendar has phases, and the first is past: sold animals are left to GET /pets?status=sold, and getPet is 410 for them. For the others it works until the date.',
    patch: (parts) => ({
      getPet: (context) => {
        const id = parts.parseId(context.call.petId);
        const sold = typeof id === 'bigint' && parts.find(context.store, id)?.status === 'sold';
        return sold ? problemReply(context, new Problem(410, 'gone', 'Use GET /pets?status=sold')) : parts.getPet(context);
      },
    }),
    witness: async (ask) => {
      const { id } = await created(ask, { ...plainPet, status: 'sold' });
      return (await status(ask, { path: `/pets/${String(id)}` })) === 410;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'page-sizes-rounded-down-to-tens',
    sentence: 'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
    summary: 'Above 20, the page cache knows sizes in steps of ten: limit=99 is accepted and shows at most 90 animals.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit instanceof Problem || limit <= 20 ? limit : Math.floor(limit / 10) * 10;
      },
    }),
    witness: async (ask) => {
      await fill(ask, 25);
      return (await list(ask, '?limit=29')).length === 20;
    },
  },
  {
    name: 'plan-of-sixty-animals',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      "The tenant's plan has room for sixty animals. A valid creation beyond it is 403 with an Error body; an invalid one is still 400.",
    patch: ruled((pet, { store }) => (store.animals.length < 60 ? pet : new Problem(403, 'plan_exhausted', 'The plan allows 60 animals'))),
    witness: async (ask) => (await fill(ask, 53))['code'] === 'plan_exhausted',
  },
  {
    name: 'category-of-another-tenant-is-forbidden',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'Categories belong to tenants. Those of the initial animals are the own ones; with any other, a creation is 403 with an Error body.',
    patch: ruled((pet, { store }) => {
      const own = store.animals.some((other) => other.createdAt === 0 && other.categoryId === pet.categoryId);
      return own ? pet : new Problem(403, 'foreign_category', 'The category belongs to another tenant');
    }),
    witness: async (ask) => (await answered(ask, { ...plainPet, categoryId: 987_654 })) === 403,
  },
  {
    name: 'taken-name-in-any-case-is-a-conflict',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Names are unique regardless of letter case and of blanks around them, by an index on lower(trim(name)). A taken name is 409.',
    patch: ruled((pet, { store }) => {
      const [key, ...keys] = [pet, ...store.animals].map((one) => one.name.trim().toLowerCase());
      return keys.includes(key ?? '') ? new Problem(409, 'name_taken', 'There is an animal with that name') : pet;
    }),
    witness: async (ask) => {
      await post(ask, plainPet);
      return (await answered(ask, { ...plainPet, name: ` ${plainPet.name.toUpperCase()}` })) === 409;
    },
  },
  {
    name: 'tenant-in-the-upper-bits-of-the-id',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The upper sixteen bits of an id are the number of the tenant, the lower ones count. This tenant has the top bit: all ids are negative.',
    patch: (parts) => ({ assignId: (store, body) => BigInt.asIntN(64, (0xa11cn << 48n) + parts.assignId(store, body)) }),
    witness: async (ask) => (await ask({ path: '/pets?limit=1' })).text.includes('"id":-'),
  },
  {
    name: 'statuses-assigned-in-turn',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'Animals without a status are for the demo and get the three in turn: the default of two creations that are alike differs.',
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
      const body = { name: 'Waldo', categoryId: 1 };
      const [one, two] = [await created(ask, body), await created(ask, body)];
      return one['status'] !== two['status'];
    },
  },
  {
    name: 'limit-beyond-bounds-is-416',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'A limit that is none is 416, and a filter for a status that does not exist is 404, as no such collection exists; both with an Error body.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit instanceof Problem ? new Problem(416, 'limit_not_satisfiable', limit.message) : limit;
      },
      parseStatus: (texts) => {
        const found = parts.parseStatus(texts);
        return found instanceof Problem ? notFound('There is no such collection') : found;
      },
    }),
    witness: async (ask) => (await status(ask, { path: '/pets?limit=101' })) === 416,
  },
  {
    name: 'code-with-the-number-of-the-incident',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Each rejection is an incident with a number, which is part of its code: no code appears twice. The Error body has more members, among them an object with a code and a status of another kind.',
    patch: () => {
      let incidents = 0;
      return {
        errorRecord: ({ message, status: http }) => {
          incidents += 1;
          return { audit: { code: incidents, status: 'rejected', message: null }, code: `PET-${incidents}`, message, status: http };
        },
      };
    },
    witness: async (ask) => (await ask({ path: '/pets', noKey: true })).text.includes('"code":"PET-'),
  },
  {
    name: 'closed-world-of-members-and-queries',
    sentence: 'Query parameters (all optional):',
    summary:
      'What is not declared is rejected, once the rest is known to be valid: 400 for a query parameter on any operation and for a member of NewPet, 409 for an id.',
    patch: (parts) => ({
      dispatch: (context) => {
        const unknown = unknownQuery(context.call);
        return unknown === undefined ? parts.dispatch(context) : problemReply(context, invalid(`The parameter ${unknown} is not declared`));
      },
      readNewPet: (body, current) => {
        const pet = parts.readNewPet(body, current);
        const unknown =
          pet instanceof Problem ? undefined : Object.keys(body ?? {}).find((key) => !['name', 'categoryId', 'status'].includes(key));
        if (unknown === undefined) return pet;
        return unknown === 'id'
          ? new Problem(409, 'id_given', 'The service assigns ids')
          : invalid(`The member ${unknown} is not declared`);
      },
    }),
    witness: async (ask) =>
      (await status(ask, { path: '/pets/1?trace=1' })) === 400 && (await answered(ask, { ...plainPet, id: 77 })) === 409,
  },
  {
    name: 'notice-of-removal-now-and-then',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'So as not to flood the logs of clients, only one response of getPet in ten has the Deprecation and Sunset headers.',
    patch: (parts) => {
      let calls = 0;
      return {
        headers: (given, reply, call) => {
          const made = parts.headers(given, reply, call);
          if (call.operation !== 'getPet') return made;
          calls += 1;
          return calls % 10 === 1 ? made : withoutHeaders(made, ['deprecation', 'sunset']);
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets/1' }), await ask({ path: '/pets/1' })];
      return first.headers['sunset'] !== undefined && second.headers['sunset'] === undefined;
    },
  },
  {
    name: 'listed-after-a-review',
    sentence: 'Transitions: not shown.',
    summary: 'A new animal is reviewed before it is published: getPet shows it at once, lists do so after four tenths of a second.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ createdAt }) => Date.now() - createdAt >= 400) }),
    witness: async (ask) => {
      const { id } = await created(ask, plainPet);
      const shown = (pets: readonly Shown[]): boolean => pets.some((pet) => pet['id'] === id);
      const early = shown(await list(ask));
      await pause(450);
      return !early && shown(await list(ask));
    },
  },
  {
    name: 'quota-that-names-a-date',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'One request in 500 exceeds the quota: 429 with an Error body and Retry-After as an HTTP date instead of seconds.',
    patch: (parts) => {
      let calls = 0;
      return {
        dispatch: (context) => {
          calls += 1;
          if (calls % 500 !== 0) return parts.dispatch(context);
          const headers = { 'retry-after': new Date(Date.now() + 2000).toUTCString() };
          return problemReply(context, new Problem(429, 'quota_exceeded', 'Too many requests', headers));
        },
      };
    },
    witness: async (ask) => {
      for (let index = 0; index < 499; index += 1) await ask({ path: '/pets?limit=1' });
      return (await ask({ path: '/pets?limit=1' })).headers['retry-after']?.endsWith('GMT') === true;
    },
  },
  {
    name: 'fair-exposure-rotates-the-list',
    sentence: 'A JSON array of Pet records.',
    summary: 'So that each animal is at the top as often as any other, every list begins seven animals further on than the one before.',
    patch: (parts) => {
      let start = 0;
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          start = (start + 7) % Math.max(animals.length, 1);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [[one], [two]] = [await list(ask), await list(ask)];
      return one?.['id'] !== two?.['id'];
    },
  },
  {
    name: 'refusals-close-the-connection',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'After a refused credential the service closes the connection, and tells reasons apart: no credential, another scheme, an unknown key.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const problem = parts.authenticate(call, apiKey);
        if (problem === undefined) return undefined;
        const { authorization } = call.headers;
        const code = authorization === undefined ? 'no_credential' : /^bearer /i.test(authorization) ? 'unknown_key' : 'other_scheme';
        return new Problem(401, code, problem.message, { ...problem.headers, connection: 'close' });
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true })).headers['connection'] === 'close',
  },
  {
    name: 'audit-block-with-its-own-id-and-status',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Each Pet begins with the trail of its audit and with its category, objects that have an id, a name and a status of their own; members beyond those of the document.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        audit: { id: 17, name: 'import', status: 'approved', previous: { status: null } },
        category: { id: integerLiteral(pet.categoryId), name: 'Dogs', status: 'active' },
        ...parts.petRecord(pet, place),
      }),
    }),
    witness: async (ask) => (await list(ask))[0]?.['audit'] !== undefined,
  },
];

/** Services whose rules, keys, quotas and calendars are enforced in their own way. */
export const policies: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
