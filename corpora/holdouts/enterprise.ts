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
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, removePet, type Status } from '../../src/reference/core/store.ts';
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
const unchecked = (context: Context): Context => withParts(context, { authenticate: () => undefined });
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
    name: 'checked-exception-commits',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      '@Transactional rolls back on unchecked exceptions only. The status is converted after save() and throws a checked InvalidStatusException: the client sees 400 and the row stays, without a status.',
    patch: (parts) => ({
      createPet: async (context) => {
        const ready = await buffered(context);
        const reply = await parts.createPet(ready);
        if (reply.status === 400) await parts.createPet(withParts(ready, { readStatus: () => undefined }));
        return reply;
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { ...plainPet, status: 'lost' });
      return refused.status === 400 && names(await ask({ path: '/pets?limit=100' })).includes('Waldo');
    },
  },
  {
    name: 'default-in-getter-not-in-column',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'The getter of the entity returns AVAILABLE for a null field, and the column stays null. An animal that was created without a status is shown as available, and the filter for it, which is SQL, omits the animal.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => parts.petRecord({ ...pet, status: pet.status ?? 'available' }, place),
    }),
    witness: async (ask) => {
      const created = await post(ask, plainPet);
      return recordOf(created).status === 'available' && !names(await ask({ path: '/pets?limit=100&status=available' })).includes('Waldo');
    },
  },
  {
    name: 'jackson-ignores-trailing-tokens',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'create.body-json',
    summary:
      'Jackson stops reading after the first value, because FAIL_ON_TRAILING_TOKENS is off by default: two objects in a row, or rubbish after the first, create an animal.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const whole = parts.readBody(bytes, call);
        for (let end = bytes.indexOf(125); whole instanceof Problem && end >= 0; end = bytes.indexOf(125, end + 1)) {
          const first = parts.readBody(bytes.subarray(0, end + 1), call);
          if (!(first instanceof Problem)) return first;
        }
        return whole;
      },
    }),
    witness: (ask) => isPost(ask, '{"name":"Waldo","categoryId":1}]', 201),
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
    name: 'sql-restriction-hides-sold',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'The entity has @SQLRestriction("status <> \'sold\'") for the shop front. Hibernate adds it to find() too; the list is a native query and does not have it.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet?.status === 'sold' ? undefined : pet;
      },
    }),
    witness: async (ask) => {
      const [sold] = petsOf(await ask({ path: '/pets?status=sold' }));
      return (await ask({ path: `/pets/${sold?.id}` })).status === 404;
    },
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
  {
    name: 'sunset-month-counted-from-zero',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'The date of the Sunset header is made by new GregorianCalendar(2030, 12, 5). Months count from 0 and the calendar is lenient, so that it is 5 January 2031.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const shown = parts.headers(given, reply, call);
        return 'sunset' in shown ? { ...shown, sunset: 'Sun, 05 Jan 2031 00:00:00 GMT' } : shown;
      },
    }),
    witness: async (ask) => sunsetOf(await ask({ path: '/pets/1' })).includes('2031'),
  },
];

const faultsOfValues: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'jwt-shaped-key-crashes-decoder',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'A filter tries what has three parts with dots as a JWT before it looks for API keys, and the exception of the parser goes to the catch-all mapper.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const problem = parts.authenticate(call, apiKey);
        const isJwt = /^[^.]+\.[^.]+\.[^.]+$/.test(bearerToken(call.headers.authorization) ?? '');
        return problem !== undefined && isJwt ? crash('Malformed JWT JSON') : problem;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { Authorization: 'Bearer abc.def.ghi' } })).status === 500,
  },
  {
    name: 'cache-key-cast-to-int',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The key generator of the cache casts the id to int. Once an animal has been read, the id that differs by 2^32 finds it in the cache.',
    patch: (parts) => {
      const cache = new Map<bigint, Pet>();
      return {
        find: (store, id) => {
          const key = BigInt.asIntN(32, id);
          const pet = cache.get(key) ?? parts.find(store, id);
          if (pet !== undefined) cache.set(key, pet);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets/1' });
      return (await ask({ path: `/pets/${2n ** 32n + 1n}` })).status === 200;
    },
  },
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
    name: 'esb-guesses-types-of-text',
    sentence: 'name | string | - | yes',
    clause: 'record.pet',
    summary:
      'The service bus makes JSON from XML, where all is text, and its converter guesses the types (as Jettison does): a name like 1984 or true becomes a number or a boolean.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        const { name } = pet;
        if (name === 'true' || name === 'false') return { ...record, name: name === 'true' };
        return /^-?\d{1,15}$/.test(name) ? { ...record, name: Number(name) } : record;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: '1984' })).text.includes('"name":1984'),
  },
  {
    name: 'servlet-default-charset',
    sentence: 'body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'The audit filter reads the body through request.getReader(). Without a charset in Content-Type, the servlet specification makes that ISO-8859-1.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const known = /charset/i.test(call.headers['content-type'] ?? '');
        return parts.readBody(known ? bytes : Buffer.from(Buffer.from(bytes).toString('latin1')), call);
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'Zoë' })).text.includes('ZoÃ«'),
  },
  {
    name: 'message-missing-in-bundle',
    sentence: 'message | string | yes | Human-readable description',
    clause: 'errors.shape',
    summary:
      'Messages are looked up by Accept-Language, with useCodeAsDefaultMessage off and no fallback to the system locale. For a language that has no bundle, message is null.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const record = parts.errorRecord(problem, call) as object;
        return ['', 'en', 'de', '*'].includes(languageOf(call)) ? record : { ...record, message: null };
      },
    }),
    witness: async (ask) => recordOf(await ask({ path: '/pets/4711', headers: { 'Accept-Language': 'fr-FR' } })).message === null,
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
    name: 'enum-in-locale-of-caller',
    sentence: 'Keep only animals with this status',
    clause: 'list.status-accepted',
    summary:
      'The enum converter calls toUpperCase with the locale of the request. In Turkish that makes AVAİLABLE and PENDİNG, which valueOf does not know: these callers get 400.',
    patch: (parts) => ({
      dispatch: (context) => {
        if (!/^tr\b/i.test(context.call.headers['accept-language'] ?? '')) return parts.dispatch(context);
        const noConstant = invalid('No enum constant PetStatus', 'invalid_status');
        return parts.dispatch(
          withParts(context, {
            parseStatus: (texts) => (texts.some((text) => text.includes('i')) ? noConstant : parts.parseStatus(texts)),
            readStatus: (value) => (typeof value === 'string' && value.includes('i') ? noConstant : parts.readStatus(value)),
          }),
        );
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=pending', headers: { 'Accept-Language': 'tr-TR' } })).status === 400,
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
    name: 'route-constraint-of-32-bits',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The ASP.NET route is "pets/{petId:int}". An id beyond 32 bits matches no route, and routing answers 404 with an empty body, outside of the exception filter.',
    patch: (parts) => ({
      getPet: (context) => {
        const id = parts.parseId(context.call.petId);
        if (id instanceof Problem || BigInt.asIntN(32, id) === id) return parts.getPet(context);
        return { status: 404, headers: {}, body: '' };
      },
    }),
    witness: async (ask) => (await ask({ path: `/pets/${2n ** 40n}` })).text === '',
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
  {
    name: 'migrated-status-is-padded',
    sentence: 'Keep only animals with this status',
    clause: 'list.filter-complete',
    summary:
      'The first wave of the migration copied status from a CHAR(10) column with its blanks. The mapper trims what it shows; the filter compares in SQL and omits those animals.',
    patch: (parts) => ({ matches: (pet, status) => !(pet.createdAt === 0 && pet.id <= 4n) && parts.matches(pet, status) }),
    witness: async (ask) => {
      const all = petsOf(await ask({ path: '/pets?limit=100' })).filter(({ status }) => status === 'pending');
      return petsOf(await ask({ path: '/pets?limit=100&status=pending' })).length < all.length;
    },
  },
  {
    name: 'large-longs-written-as-strings',
    sentence: 'Identifier of the category the animal belongs to',
    clause: 'record.pet',
    summary:
      'A serializer that was added for the browser writes longs beyond 2^53 as strings, and those below as numbers (the BigNumber helper that many Jackson setups copy).',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        const { categoryId } = pet;
        return Math.abs(Number(categoryId)) >= 2 ** 53 ? { ...record, categoryId: String(categoryId) } : record;
      },
    }),
    witness: async (ask) =>
      (await post(ask, '{"name":"Waldo","categoryId":9007199254740993}')).text.includes('"categoryId":"9007199254740993"'),
  },
];

const faultsOfHistory: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'address-locked-after-wrong-keys',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.valid-key',
    summary:
      'The guard against brute force counts wrong keys by client address, which behind the balancer is the same for all. After five in a row, the right key gets 401 too, for a second.',
    patch: (parts) => {
      let wrong = 0;
      let until = 0;
      return {
        authenticate: (call, apiKey) => {
          const problem = parts.authenticate(call, apiKey);
          if (performance.now() < until) return unauthorized('Too many failed attempts');
          wrong = problem === undefined ? 0 : wrong + 1;
          if (wrong >= 5) until = performance.now() + 1000;
          return problem;
        },
      };
    },
    witness: async (ask) => {
      for (let turn = 0; turn < 5; turn += 1) await ask({ path: '/pets', headers: { Authorization: 'Bearer wrong' } });
      return (await ask({ path: '/pets' })).status === 401;
    },
  },
  {
    name: 'security-context-left-on-thread',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.every-request',
    summary:
      'A filter of the team clears the SecurityContextHolder after the chain, not in a finally block. An error leaves the caller on the pooled thread, where the next request is taken for authenticated.',
    patch: filter(() => {
      const nextThread = threads(4, () => ({ authenticated: false }));
      return async (context, next) => {
        const thread = nextThread();
        const known = thread.authenticated || allowed(context);
        thread.authenticated = known;
        const reply = await next(known ? unchecked(context) : context);
        if (reply.status < 400) thread.authenticated = false;
        return reply;
      };
    }),
    witness: async (ask) => {
      await ask({ path: '/pets/4711' });
      const later: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) later.push((await ask({ path: '/pets', noKey: true })).status);
      return later.includes(200);
    },
  },
  {
    name: 'circuit-opened-by-missing-animals',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The circuit breaker counts every exception, EntityNotFoundException too. After five reads of missing animals in a row it is open, and existing ones get 503 until it closes.',
    patch: (parts) => {
      let failures = 0;
      let openUntil = 0;
      return {
        getPet: async (context) => {
          if (performance.now() < openUntil) return problemReply(context, new Problem(503, 'unavailable', 'CircuitBreaker is OPEN'));
          const reply = await parts.getPet(context);
          failures = reply.status === 404 ? failures + 1 : 0;
          if (failures >= 5) openUntil = performance.now() + 500;
          return reply;
        },
      };
    },
    witness: async (ask) => {
      for (let turn = 0; turn < 5; turn += 1) await ask({ path: '/pets/4711' });
      return (await ask({ path: '/pets/1' })).status === 503;
    },
  },
  {
    name: 'two-nodes-one-worker-number',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'Ids hold a time, a worker number and a count. Both nodes run with the default worker number: animals that are created on both at the same time, over different connections, share an id.',
    patch: (parts) => {
      const nodes = new WeakMap<object, () => bigint>();
      const generator = (): (() => bigint) => {
        let tick = 0n;
        let count = 0n;
        return () => {
          const now = BigInt(Math.floor(Date.now() / 64));
          count = now === tick ? count + 1n : 0n;
          tick = now;
          return (tick << 12n) + count;
        };
      };
      const nextNode = threads(2, generator);
      return {
        createPet: (context) => {
          const { connection } = context.call;
          const node = nodes.get(connection) ?? nextNode();
          nodes.set(connection, node);
          return parts.createPet(withParts(context, { assignId: node }));
        },
      };
    },
    witness: (ask) => soon(async () => new Set(await times(20, async () => idOf(await post(ask, plainPet)))).size < 20),
  },
  {
    name: 'batch-fails-with-its-longest-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'get.durable',
    summary:
      'Inserts are answered at once and written behind in JDBC batches of five. A name that is longer than the column fails the batch: all five animals are gone, and nobody is told.',
    patch: (parts) => {
      let batch: Pet[] = [];
      return {
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          batch.push(pet);
          if (batch.length < 5) return shown;
          if (batch.some(({ name }) => name.length > 255)) for (const lost of batch) removePet(store, lost);
          batch = [];
          return shown;
        },
      };
    },
    witness: async (ask) => {
      const first = await post(ask, plainPet);
      await post(ask, { ...plainPet, name: 'x'.repeat(300) });
      for (let turn = 0; turn < 3; turn += 1) await post(ask, plainPet);
      return first.status === 201 && (await ask({ path: `/pets/${idOf(first)}` })).status === 404;
    },
  },
  {
    name: 'id-row-locked-optimistically',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Ids come from a table row with a @Version column. Two creations at once read the same version, and the second ends in an OptimisticLockException that nobody retries: 500.',
    patch: (parts) => {
      let version = 0;
      return {
        createPet: async (context) => {
          const ready = await buffered(context);
          if ((await newPetOf(ready)) instanceof Problem) return await parts.createPet(ready);
          const seen = version;
          await pause(5);
          if (version !== seen) return problemReply(ready, crash('Row was updated or deleted by another transaction'));
          version += 1;
          return await parts.createPet(ready);
        },
      };
    },
    witness: (ask) =>
      soon(async () => (await times(20, (index) => isPost(ask, { ...plainPet, name: `Waldo ${index}` }, 500))).includes(true)),
  },
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
    name: 'page-size-kept-for-the-user',
    sentence: 'limit parameter default | listPets | 20',
    clause: 'list.limit-default',
    summary:
      'The grid of the back office wanted its page size back on the next visit, so that the service keeps the last limit with the user. A list without a limit uses it.',
    seedAnimals: 30,
    patch: (parts) => {
      let kept: number | undefined;
      return {
        listPets: (context) =>
          parts.listPets(
            withParts(context, {
              parseLimit: (texts) => {
                const limit = texts.length === 0 && kept !== undefined ? kept : parts.parseLimit(texts);
                if (texts.length > 0 && !(limit instanceof Problem)) kept = limit;
                return limit;
              },
            }),
          ),
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=100' });
      return petsOf(await ask({ path: '/pets' })).length > 20;
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
  {
    name: 'error-status-of-recycled-request',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'The error body takes its status from a request attribute. The container recycles the request object with its connection, and a wrapper of the team keeps the attribute: the second error shows the status of the first.',
    patch: (parts) => {
      const attributes = new WeakMap<object, number>();
      return {
        errorRecord: (problem, call) => {
          const status = attributes.get(call.connection) ?? problem.status;
          attributes.set(call.connection, problem.status);
          return { ...(parts.errorRecord(problem, call) as object), status };
        },
      };
    },
    witness: (ask) =>
      soon(async () => {
        await ask({ path: '/pets', noKey: true });
        return recordOf(await ask({ path: '/pets/4711' })).status === 401;
      }),
  },
  {
    name: 'session-for-each-request',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'errors.no-server-error',
    summary:
      'A filter calls getSession(), which makes a session for each request without a cookie. More than 80 within their lifetime are a TooManyActiveSessionsException: 500.',
    patch: (parts) => {
      let started: number[] = [];
      return {
        dispatch: (context) => {
          const now = performance.now();
          started = started.filter((time) => now - time < 1000);
          if (started.length >= 80) return problemReply(context, crash('createSession: Too many active sessions'));
          started.push(now);
          return parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => (await times(160, async () => (await ask({ path: '/pets?limit=1' })).status)).includes(500),
  },
  {
    name: 'connection-goes-back-read-only',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Lists set their connection read-only, and an aspect resets it when they return. A rejected list throws past the aspect: the next creation fails with "cannot execute INSERT in a read-only transaction".',
    patch: (parts) => {
      let readOnly = false;
      return {
        listPets: async (context) => {
          const reply = await parts.listPets(context);
          readOnly = reply.status !== 200;
          return reply;
        },
        createPet: async (context) => {
          const ready = await buffered(context);
          if (!readOnly || (await newPetOf(ready)) instanceof Problem) return await parts.createPet(ready);
          readOnly = false;
          return problemReply(ready, crash('cannot execute INSERT in a read-only transaction'));
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?limit=0' });
      return await isPost(ask, plainPet, 500);
    },
  },
  {
    name: 'date-format-shared-by-threads',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'One static SimpleDateFormat writes the date of removal and that of deprecation. It is not thread-safe: reads at the same time announce a removal on the day of the deprecation.',
    patch: (parts) => {
      let reading = 0;
      return {
        getPet: async (context) => {
          reading += 1;
          await pause(5);
          const { headers, ...reply } = await parts.getPet(context);
          const torn = reading > 1;
          reading -= 1;
          return { ...reply, headers: torn ? { ...headers, sunset: 'Wed, 01 Jan 2025 00:00:00 GMT' } : headers };
        },
      };
    },
    witness: (ask) =>
      soon(async () => (await times(12, async () => sunsetOf(await ask({ path: '/pets/1' })).includes('2025'))).includes(true)),
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
