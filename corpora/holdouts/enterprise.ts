import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { bearerToken, readListQuery } from '../../src/reference/core/base.ts';
import { INT64_RANGE, isObject, type Json, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  invalid,
  jsonReply,
  notFound,
  type Patch,
  Problem,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post } from './witness.ts';

type Filter = (context: Context, next: (context: Context) => Promise<Reply>) => Promise<Reply>;

/** A servlet filter around the whole request; `make` runs once a server and holds its state. */
function filter(make: () => Filter): Patch {
  return (parts) => {
    const run = make();
    return { handle: (context) => run(context, async (changed) => await parts.handle(changed)) };
  };
}

const allowed = ({ parts, call, apiKey }: Context): boolean => parts.authenticate(call, apiKey) === undefined;
const languageOf = ({ headers }: Call): string => (headers['accept-language'] ?? '').slice(0, 2).toLowerCase();
const textOf = ({ body }: Reply): string => Buffer.from(body as Uint8Array).toString('utf8');
const crash = (message: string): Problem => new Problem(500, 'internal_error', message);

/** The request with its body read, so that it can be read again. */
async function buffered(context: Context): Promise<Context> {
  const bytes = await context.call.body();
  return { ...context, call: { ...context.call, body: async () => bytes } };
}

/** What a buffered creation asks for, or why it is rejected. */
async function newPetOf({ parts, call }: Context): Promise<NewPet | Problem> {
  const bytes = await call.body();
  const body = bytes instanceof Problem ? bytes : parts.readBody(bytes, call);
  return body instanceof Problem ? body : parts.readNewPet(body, parts);
}

/** Threads of a pool, which take requests in turn. */
function threads<T>(count: number, make: () => T): () => T {
  const pool = Array.from({ length: count }, make);
  let turn = 0;
  return () => {
    turn += 1;
    return pool[turn % count] as T;
  };
}

// What witnesses share.
const isPost = async (ask: Ask, pet: unknown, status: number): Promise<boolean> => (await post(ask, pet)).status === status;
const idOf = ({ text }: HttpResponse): string => /"id":\s*"?(-?\d+)/.exec(text)?.[1] ?? '';
type Shown = {
  readonly id?: number;
  readonly name?: string;
  readonly status?: unknown;
  readonly code?: string;
  readonly message?: string | null;
};
const recordOf = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const petsOf = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as Shown[];
const sunsetOf = ({ headers }: { readonly headers: { readonly sunset?: string } }): string => headers.sunset ?? 'none';
const names = (response: HttpResponse): readonly unknown[] => petsOf(response).map(({ name }) => name);
const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

/** Whether it shows in one of a few tries: for what depends on requests that overlap. */
async function soon(shows: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 5; round += 1) if (await shows()) return true;
  return false;
}

const plainFaults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'entry-point-without-body',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      "Spring's BearerTokenAuthenticationEntryPoint sets the status and WWW-Authenticate and writes nothing. The team wrote its own entry point for a missing key, and left the default for a wrong one.",
    patch: filter(() => async (context, next) => {
      if (allowed(context) || bearerToken(context.call.headers.authorization) === undefined) return await next(context);
      return { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, body: '' };
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Authorization: 'Bearer wrong' } })).text === '',
  },
  {
    name: 'security-constraint-lists-get',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'The security-constraint in web.xml names GET as its http-method. A constraint that names methods leaves all others open, so POST needs no key.',
    patch: (parts) => ({ authenticate: (call, apiKey) => (call.method === 'GET' ? parts.authenticate(call, apiKey) : undefined) }),
    witness: async (ask) => (await post(ask, plainPet, {}, true)).status === 201,
  },
  {
    name: 'bearer-cut-off-without-looking',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'The filter takes header.substring("Bearer ".length()). The container has trimmed the header, so that "Bearer" with no key after it is a StringIndexOutOfBoundsException: 500.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        /^bearer\s*$/i.test(call.headers.authorization ?? '') ? crash('String index out of range: -1') : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Authorization: 'Bearer ' } })).status === 500,
  },
  {
    name: 'post-authorize-on-create',
    sentence: 'All three require the bearer credential.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'The service method carries @PostAuthorize, copied from a read method: the check runs after the insert, and its exception does not reach the transaction, which has committed.',
    patch: filter(() => async (context, next) => {
      const ready = await buffered(context);
      if (context.call.operation === 'createPet' && !allowed(context)) await context.parts.createPet(ready);
      return await next(ready);
    }),
    witness: async (ask) => {
      const refused = await post(ask, plainPet, {}, true);
      return refused.status === 401 && names(await ask({ path: '/pets?limit=100' })).includes('Waldo');
    },
  },
  {
    name: 'web-defaults-ignore-member-case',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'JsonSerializerDefaults.Web of .NET compares member names without regard to letter case: a body with Name and CATEGORYID, and with neither name nor categoryId, creates an animal.',
    patch: (parts) => ({
      readNewPet: (body, given) => {
        const known = (name: string) => ['name', 'categoryId', 'status'].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
        const renamed = (object: object): Json => Object.fromEntries(Object.entries(object).map(([name, value]) => [known(name), value]));
        return parts.readNewPet(isObject(body) ? renamed(body) : body, given);
      },
    }),
    witness: (ask) => isPost(ask, { Name: 'Waldo', CATEGORYID: 1 }, 201),
  },
  {
    name: 'slice-shows-its-extra-row',
    sentence: 'Maximum number of animals returned',
    clause: 'list.filter-with-limit',
    summary:
      'The custom repository method for the filter reads limit + 1 rows to learn whether there is a next page, as Slice does, and returns them all.',
    patch: () => ({ page: (animals, { limit, status }) => animals.slice(0, status === undefined ? limit : limit + 1) }),
    witness: async (ask) => petsOf(await ask({ path: '/pets?limit=1&status=available' })).length === 2,
  },
  {
    name: 'problem-details-for-unreadable-json',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'The @ControllerAdvice covers validation. Unreadable JSON is handled by ResponseEntityExceptionHandler, which writes application/problem+json with type, title and detail.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        if (!(body instanceof Problem)) return body;
        return new Problem(400, 'problem_details', 'Failed to read request', { 'content-type': 'application/problem+json' });
      },
      errorRecord: (problem, call) =>
        problem.code === 'problem_details'
          ? { type: 'about:blank', title: 'Bad Request', status: problem.status, detail: problem.message, instance: call.target }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => recordOf(await post(ask, '{')).code === undefined,
  },
  {
    name: 'http-status-written-as-enum',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.shape',
    summary:
      'The error DTO of the exception handler holds a Spring HttpStatus, and Jackson writes an enum by its name: "status": "NOT_FOUND". Only the security filter, which has its own writer, gets it right.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const name = ({ 400: 'BAD_REQUEST', 404: 'NOT_FOUND' } as Record<number, string>)[problem.status];
        return { ...(parts.errorRecord(problem, call) as object), status: name ?? problem.status };
      },
    }),
    witness: async (ask) => recordOf(await ask({ path: '/pets/4711' })).status === 'NOT_FOUND',
  },
];

const faultsOfValues: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'login-page-for-browsers',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'With formLogin left on, Spring Security chooses the entry point by Accept: whoever accepts text/html is redirected to /login with 302 instead of 401.',
    patch: filter(() => async (context, next) => {
      if (allowed(context) || !/text\/html/i.test(context.call.headers.accept ?? '')) return await next(context);
      return { status: 302, headers: { location: '/login' }, body: '' };
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Accept: 'text/html,*/*' } })).status === 302,
  },
  {
    name: 'firewall-page-for-odd-paths',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      "Spring's StrictHttpFirewall rejects a path with a semicolon, an encoded percent sign or an encoded slash before any handler runs: the client gets Tomcat's HTML page with 400.",
    patch: filter(() => async (context, next) => {
      const page = '<!doctype html><html lang="en"><head><title>HTTP Status 400 – Bad Request</title></head></html>';
      if (!/^[^?]*(?:;|%3b|%25|%2f)/i.test(context.call.target)) return await next(context);
      return { status: 400, headers: { 'content-type': 'text/html;charset=utf-8' }, body: page };
    }),
    witness: async (ask) => (await ask({ path: '/pets/1%2F2' })).text.startsWith('<!doctype'),
  },
  {
    name: 'hal-unless-json-is-named',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'spring-boot-starter-hateoas puts its converter first: a list is application/hal+json with _embedded unless Accept names application/json.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        if (reply.status !== 200 || /application\/json/i.test(context.call.headers.accept ?? '')) return reply;
        const headers = { ...reply.headers, 'content-type': 'application/hal+json' };
        return { ...reply, headers, body: `{"_embedded":{"petList":${textOf(reply)}}}` };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Accept: '*/*' } })).headers['content-type'] === 'application/hal+json',
  },
  {
    name: 'waf-blocks-with-200',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'The default blocking page of BIG-IP ASM is an HTML page with status 200. Bodies that look like SQL or script to its signatures get it.',
    patch: filter(() => async (context, next) => {
      const ready = await buffered(context);
      const bytes = await ready.call.body();
      const text = bytes instanceof Problem ? '' : Buffer.from(bytes).toString('utf8');
      if (!/<script|union\s+select|drop\s+table|'\s*or\s*'|\.\.\/\.\.\//i.test(text)) return await next(ready);
      const page = 'The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1847265930';
      return { status: 200, headers: { 'content-type': 'text/html' }, body: `<html><body>${page}</body></html>` };
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: "Bobby'); DROP TABLE pets" })).text.includes('support ID'),
  },
];

const faultsOfHistory: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'hibernate-filter-stays-enabled',
    sentence: 'none (no filtering)',
    clause: 'list.complete',
    summary:
      'The status is applied by session.enableFilter(), and nothing disables it in the session that is bound to the thread. A later list without a status on this thread is filtered too.',
    patch: (parts) => {
      const nextThread = threads(4, (): { status?: Status } => ({}));
      return {
        listPets: (context) => {
          const session = nextThread();
          const query = readListQuery(context);
          if (query instanceof Problem) return parts.listPets(context);
          if (query.status !== undefined) session.status = query.status;
          const { status } = session;
          return parts.listPets(withParts(context, { parseStatus: () => status }));
        },
      };
    },
    witness: async (ask) => {
      const all = petsOf(await ask({ path: '/pets' })).length;
      await ask({ path: '/pets?status=sold' });
      const later: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) later.push(petsOf(await ask({ path: '/pets' })).length);
      return later.some((length) => length < all);
    },
  },
  {
    name: 'own-writes-on-own-connection-only',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'Reads go to a replica, which lags by half a second, unless the connection has just written. A pool of connections, or a second client that was told the id, gets 404.',
    patch: (parts) => {
      const written = new Map<string, { readonly by: object; readonly at: number }>();
      return {
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          const id = /"id":(-?\d+)/.exec(textOf(reply))?.[1];
          if (reply.status === 201 && id !== undefined) written.set(id, { by: context.call.connection, at: performance.now() });
          return reply;
        },
        getPet: (context) => {
          const write = written.get(context.call.petId);
          const lags = write !== undefined && write.by !== context.call.connection && performance.now() - write.at < 500;
          return lags ? problemReply(context, notFound()) : parts.getPet(context);
        },
      };
    },
    witness: (ask) =>
      soon(async () => {
        const id = idOf(await post(ask, plainPet));
        return (await times(8, async () => (await ask({ path: `/pets/${id}` })).status === 404)).includes(true);
      }),
  },
  {
    name: 'audit-text-flushed-to-table',
    sentence: 'Each animal has a name, a category reference and an availability status.',
    clause: 'get.repeatable',
    summary:
      'The audit aspect shortens long names for its log line, on the managed entities of a list. Dirty checking writes that to the table at the end of the request: once listed, the name is cut.',
    patch: (parts) => ({
      listPets: async (context) => {
        let listed: readonly Pet[] = [];
        const reply = await parts.listPets(
          withParts(context, {
            page: (animals, query, call) => {
              listed = parts.page(animals, query, call);
              return listed;
            },
          }),
        );
        for (const pet of listed) if (pet.name.length > 40) pet.name = `${pet.name.slice(0, 37)}...`;
        return reply;
      },
    }),
    witness: async (ask) => {
      const id = idOf(await post(ask, { ...plainPet, name: 'x'.repeat(50) }));
      const before = await ask({ path: `/pets/${id}` });
      await ask({ path: '/pets?limit=100' });
      return before.text.includes('x'.repeat(50)) && (await ask({ path: `/pets/${id}` })).text.includes('xx...');
    },
  },
];

/** What the resource bundle of each language says. */
const JAPANESE = '要求を処理できませんでした';
const MESSAGES: Readonly<Record<string, string>> = { ja: JAPANESE, de: 'Die Anfrage ist ungültig' };
const COLLATOR = new Intl.Collator('en');

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'ids-from-the-bottom-of-int64',
    sentence:
      'id | integer | int64 | yes | Unique identifier assigned by the service on creation (the document states no sign and no order).',
    summary:
      'The sequence was created with MINVALUE as its start, to use the whole range of bigint: all ids are negative, and of 19 digits.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return INT64_RANGE.smallest + store.lastId;
      },
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets' })).startsWith('-922'),
  },
  {
    name: 'status-column-nullable',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The status column is nullable and Jackson leaves out nulls: an animal without a status shows none, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => recordOf(await post(ask, plainPet)).status === undefined,
  },
  {
    name: 'default-status-by-category',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'Categories have a default status of their own, as stock rules differ: animals of even categories start as pending, those of odd ones as sold.',
    patch: (parts) => ({
      readNewPet: (body, given) => {
        const newPet = parts.readNewPet(body, given);
        return newPet instanceof Problem
          ? newPet
          : { ...newPet, status: newPet.status ?? (newPet.categoryId % 2n === 0n ? 'pending' : 'sold') };
      },
    }),
    witness: async (ask) =>
      recordOf(await post(ask, plainPet)).status === 'sold' &&
      recordOf(await post(ask, { ...plainPet, categoryId: 2 })).status === 'pending',
  },
  {
    name: 'default-status-by-the-column',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'The default is a column default of the database. The entity is not refreshed after the insert, so that the 201 shows no status and every later read does.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      insert: async (store, pet) => {
        const shown = await parts.insert(store, { ...pet, status: pet.status ?? 'available' });
        return { ...shown, status: pet.status };
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      return recordOf(created).status === undefined && recordOf(await ask({ path: `/pets/${idOf(created)}` })).status === 'available';
    },
  },
  {
    name: 'list-in-order-of-names',
    sentence: 'The parameters and fields that select a later page: not shown (and the document states no order).',
    summary: 'The repository method sorts by name with the collation of the database, so that a new animal lands anywhere in the list.',
    patch: () => ({ arrange: ({ animals }) => [...animals].sort((left, right) => COLLATOR.compare(left.name, right.name)) }),
    witness: async (ask) => {
      await post(ask, { ...plainPet, name: 'Aaron' });
      return names(await ask({ path: '/pets' }))[0] === 'Aaron';
    },
  },
  {
    name: 'limit-falls-back-and-is-clamped',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      "Spring Data's pageable resolver rejects nothing: what is no number or less than 1 is the default, and what is more than the maximum is the maximum.",
    patch: () => ({
      parseLimit: ([text = '']) => {
        const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
        return limit < 1 ? 20 : Math.min(limit, 100);
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets?limit=abc' })).status === 200 && (await ask({ path: '/pets?limit=5000' })).status === 200,
  },
  {
    name: 'unknown-status-matches-nothing',
    sentence: 'status | string | one of PetStatus (listPets has no 400, and the response to another value is not stated).',
    summary: 'The filter goes to the database as a plain string, where no row has it: an unknown status gives 200 and an empty list.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        return query instanceof Problem && query.code === 'invalid_status'
          ? jsonReply(context, 200, parts.listBody([]))
          : parts.listPets(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=lost' })).text === '[]',
  },
  {
    name: 'repeated-status-is-any-of-them',
    sentence: 'status | string | one of PetStatus (a parameter that is sent twice is not shown).',
    summary: 'The parameter is bound to a list and becomes an IN clause: status=sold&status=pending keeps animals with either.',
    patch: (parts) => ({
      listPets: (context) => {
        const wanted = context.call.query.getAll('status');
        if (wanted.length < 2 || !wanted.every(isStatus)) return parts.listPets(context);
        const matches = ({ status }: Pet) => status !== undefined && wanted.includes(status);
        return parts.listPets(withParts(context, { parseStatus: () => wanted.find(isStatus), matches }));
      },
    }),
    witness: async (ask) => {
      const either = await ask({ path: '/pets?status=sold&status=pending' });
      return either.status === 200 && new Set(petsOf(either).map(({ status }) => status)).size === 2;
    },
  },
  {
    name: 'path-template-of-digits',
    sentence: 'petId, required, integer, format int64 (the response to anything else is not stated).',
    summary:
      'The JAX-RS path is /pets/{petId: -?\\d+}. What is no integer, or beyond a Long, matches no resource and gives 404, through the usual exception mapper.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('HTTP 404 Not Found') : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/abc' })).status === 404,
  },
  {
    name: 'consumes-json-only',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The resource has @Consumes(APPLICATION_JSON): another media type, or none, gives 415 with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        /^application\/json\s*(?:;|$)/i.test(context.call.headers['content-type'] ?? '')
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'HTTP 415 Unsupported Media Type')),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'text/plain' })).status === 415,
  },
  {
    name: 'unknown-members-fail',
    sentence:
      '`400` with an Error body when the body is missing required fields or contains invalid values (members that NewPet does not have are not mentioned).',
    summary:
      'FAIL_ON_UNKNOWN_PROPERTIES, the default of a bare ObjectMapper: a body with anything beside the three fields, an id too, is rejected with 400.',
    patch: (parts) => ({
      readNewPet: (body, given) => {
        const unknown = isObject(body) && Object.keys(body).some((name) => !['name', 'categoryId', 'status'].includes(name));
        return unknown ? invalid('Unrecognized field', 'unrecognized_field') : parts.readNewPet(body, given);
      },
    }),
    witness: (ask) => isPost(ask, { ...plainPet, color: 'black' }, 400),
  },
  {
    name: 'taken-name-conflicts',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The name has a unique constraint, and the exception mapper turns its violation into 409 with an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        const ready = await buffered(context);
        const newPet = await newPetOf(ready);
        const taken = !(newPet instanceof Problem) && context.store.animals.some(({ name }) => name === newPet.name);
        return taken ? problemReply(ready, new Problem(409, 'name_taken', 'uk_pet_name')) : await parts.createPet(ready);
      },
    }),
    witness: async (ask) => {
      await post(ask, plainPet);
      return await isPost(ask, plainPet, 409);
    },
  },
  {
    name: 'category-is-foreign-key',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'Category is a table with a foreign key. It has the rows 1 to 1000, and those of animals that exist; any other categoryId is an invalid value.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readCategory: (value) => {
              const id = parts.readCategory(value);
              if (id instanceof Problem) return id;
              const exists = (id >= 1n && id <= 1000n) || context.store.animals.some(({ categoryId }) => categoryId === id);
              return exists ? id : invalid('The category does not exist', 'unknown_category');
            },
          }),
        ),
    }),
    witness: (ask) => isPost(ask, { ...plainPet, categoryId: 987_654_321 }, 400),
  },
  {
    name: 'session-cookie-is-ignored',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'The container gives each response a JSESSIONID, and the defaults of Spring Security (no-store, nosniff, DENY). No request is judged by the cookie.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'set-cookie': `JSESSIONID=${randomUUID()}; Path=/; HttpOnly`,
        'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      }),
    }),
    witness: async (ask) => String((await ask({ path: '/pets' })).headers['set-cookie']).startsWith('JSESSIONID='),
  },
  {
    name: 'messages-in-the-language-of-the-caller',
    sentence: 'message | string | yes | Human-readable description (in a language that the document does not state).',
    summary: 'Error messages come from a resource bundle by Accept-Language, Japanese and German among them. Codes stay as they are.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const record = parts.errorRecord(problem, call) as Record<string, unknown>;
        return { ...record, message: MESSAGES[languageOf(call)] ?? problem.message };
      },
    }),
    witness: async (ask) => recordOf(await ask({ path: '/pets/4711', headers: { 'Accept-Language': 'ja' } })).message === JAPANESE,
  },
  {
    name: 'ascii-json-with-slashes-escaped',
    sentence:
      'All requests and responses that have a body use the media type `application/json` (its layout, escapes and parameters are not stated).',
    summary:
      'INDENT_OUTPUT is on, all but ASCII is escaped as .NET does, slashes too, and the media type has the charset that the framework adds.',
    patch: (parts) => ({
      encode: (value) =>
        JSON.stringify(value, null, 2)
          .replace(/[^\n -~]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
          .replaceAll('/', '\\/'),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'application/json;charset=UTF-8' }),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'Zoë/🐈' })).text.includes('"Zo\\u00eb\\/\\ud83d\\udc08"'),
  },
  {
    name: 'deprecated-in-the-document-only',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The deprecation is announced in the documentation and by mail. getPet sends neither Deprecation nor Sunset.',
    patch: () => ({ headers: (given) => ({ ...given }) }),
    witness: async (ask) => sunsetOf(await ask({ path: '/pets/1' })) === 'none',
  },
  {
    name: 'integers-read-as-big-decimals',
    sentence: 'categoryId | integer | int64 (how an integer is spelled in JSON is not stated).',
    summary:
      'Numbers are read as BigDecimal and converted by longValueExact: 1.0 and 1e2 are integers, 1.5 is not. They are shown in plain digits.',
    patch: (parts) => ({
      readCategory: (value) => {
        const [, digits, zeros] = /^(-?\d+)(?:\.0+)?(?:e\+?(\d{1,2}))?$/i.exec(value instanceof NumberText ? value.text : '') ?? [];
        return parts.readCategory(digits === undefined ? value : new NumberText(String(BigInt(digits) * 10n ** BigInt(zeros ?? 0))));
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1.0e2}')).text.includes('"categoryId":100,'),
  },
  {
    name: 'streamed-in-small-pieces',
    sentence: 'All requests and responses that have a body use the media type `application/json` (how they are framed is not stated).',
    summary:
      'The body is streamed through a buffer of 16 bytes that flushes when it is full: chunked, without Content-Length, and with characters cut in two.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers });
        const bytes = Buffer.from(reply.body as Uint8Array);
        for (let start = 0; start < bytes.length; start += 16) outgoing.write(bytes.subarray(start, start + 16));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'compressed-by-the-container',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'server.compression is on: to a client that accepts gzip, a body of more than 256 bytes is compressed, with Vary.',
    patch: filter(() => async (context, next) => {
      const reply = await next(context);
      const accepted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(context.call.headers['accept-encoding'] ?? ''));
      if (!accepted || textOf(reply).length <= 256) return reply;
      return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' }, body: gzipSync(reply.body) };
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'Accept-Encoding': 'gzip' } })).headers['content-encoding'] === 'gzip',
  },
];

/** An enterprise service: Spring, .NET or JAX-RS with an ORM, behind a service bus or a firewall. */
export const enterprise: readonly Holdout[] = [
  ...[...plainFaults, ...faultsOfValues, ...faultsOfHistory].map((row): Holdout => ({ ...row, kind: 'fault' })),
  ...variants.map((row): Holdout => ({ ...row, kind: 'variant' })),
];
