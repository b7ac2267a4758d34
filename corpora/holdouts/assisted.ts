import { randomUUID } from 'node:crypto';
import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken, readListQuery } from '../../src/reference/core/base.ts';
import type { Json } from '../../src/reference/core/json.ts';
import { type Context, invalid, type Patch, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { NewPet, Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

const serverError = (message: string): Problem => new Problem(500, 'internal_error', message);

/** A creation whose body has been read once: `ready` is the same request, to be passed on. */
type Creation = { readonly ready: Context; readonly json?: Json; readonly found: NewPet | Problem };

/** Reads and validates what a creation asks for, and stores nothing. */
async function readCreation(context: Context): Promise<Creation> {
  const { parts, call } = context;
  const bytes = await call.body();
  const ready = { ...context, call: { ...call, body: () => Promise.resolve(bytes) } };
  if (bytes instanceof Problem) return { ready, found: bytes };
  const json = parts.readBody(bytes, call);
  return json instanceof Problem ? { ready, found: json } : { ready, json, found: parts.readNewPet(json, parts) };
}

/** Changes the response of createPet, once everything is done. */
const afterCreation =
  (change: (reply: Reply, context: Context) => Reply): Patch =>
  (parts) => ({ createPet: async (context) => change(await parts.createPet(context), context) });

/** The name that a Pet record shows. */
const nameIn = ({ body }: Reply): string => (JSON.parse(textOf(body)) as { name: string }).name;

// What witnesses share.
const nameOf = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { name?: unknown }).name;
const at = (ask: Ask, path: string): Promise<HttpResponse> => ask({ path });

/** As many requests, all at once. */
const together = (count: number, request: (index: number) => Promise<HttpResponse>): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => request(index)));

/** As many requests, one after another. */
async function inTurn(count: number, request: (index: number) => Promise<HttpResponse>): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await request(index));
  return responses;
}

const anyWith = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Validation and error mapping.
  {
    name: 'redirects-back-to-the-form',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.name-required',
    summary:
      'Laravel renders a ValidationException as JSON only for expectsJson(). Without an Accept header that names JSON, a rejected creation is answered as a form is: 302 to the page before, in HTML. The tests use postJson(), which sends Accept.',
    patch: afterCreation((reply, { call }) =>
      reply.status !== 400 || /[/+]json/.test(call.headers.accept ?? '')
        ? reply
        : {
            status: 302,
            headers: { location: '/', 'content-type': 'text/html; charset=UTF-8' },
            body: '<!DOCTYPE html><html><head><meta http-equiv="refresh" content="0;url=\'/\'"></head><body>Redirecting to <a href="/">/</a>.</body></html>',
          },
    ),
    witness: async (ask) => (await post(ask, {})).status === 302,
  },
  {
    name: 'translated-catalogue-lacks-a-message',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary:
      'Express: message: catalogues[language][code]. The German and the French catalogue were made when there was only "unauthorized"; for every other code the message is undefined, and JSON leaves the member out. A language without a catalogue falls back to English.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const { code, status } = problem;
        const translated = /^(?:de|fr)\b/.test(call.headers['accept-language'] ?? '');
        return translated && code !== 'unauthorized' ? { code, status } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => {
      const missing = await ask({ path: '/pets/999999', headers: { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8' } });
      return missing.status === 404 && !missing.text.includes('"message"');
    },
  },

  // Names.
  {
    name: 'audit-text-formatted-twice',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'errors.no-server-error',
    summary:
      'FastAPI: the audit line is f"created {pet.name} by {{user}}".format(user=...): braces in a name are taken for fields of the second format. KeyError, 500; the animal is committed already.',
    patch: afterCreation((reply, context) =>
      reply.status === 201 && /[{}]/.test(nameIn(reply)) ? problemReply(context, serverError('KeyError')) : reply,
    ),
    witness: async (ask) => (await post(ask, { name: 'Rex {the} dog', categoryId: 1 })).status === 500,
  },
  {
    name: 'commit-after-the-response',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'FastAPI: the session commits in the exit code of a dependency with yield, which runs after the response was sent. A name that is longer than VARCHAR(255) fails there: the client has its 201, and the animal was never stored.',
    patch: (parts) => ({ insert: (store, pet) => (pet.name.length > 255 ? pet : parts.insert(store, pet)) }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'w'.repeat(300), categoryId: 1 });
      return created.status === 201 && (await at(ask, `/pets/${idOf(created)}`)).status === 404;
    },
  },

  // Deprecation.
  {
    name: 'brownouts-of-the-deprecated-operation',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.still-works',
    summary:
      'To wake up clients before the removal, a middleware answers each fortieth call of the deprecated operation with 410, years ahead of the date.',
    patch: (parts) => {
      let calls = 0;
      return {
        getPet: (context) => {
          calls += 1;
          return calls % 40 === 0 ? problemReply(context, new Problem(410, 'brownout', 'Use GET /pets')) : parts.getPet(context);
        },
      };
    },
    witness: async (ask) => anyWith(await inTurn(40, () => at(ask, '/pets/1')), 410),
  },

  // Lists.
  {
    name: 'limit-remembered-per-user',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-default',
    summary:
      'Laravel: $limit = $request->integer("limit", cache("per_page:$user->id", 20)), and then cache(["per_page:$user->id" => $limit]): the preference of the admin pages came along. Without a limit, the last one counts.',
    patch: (parts) => {
      let remembered = 20;
      return {
        parseLimit: (texts) => {
          const limit = texts.length === 0 ? remembered : parts.parseLimit(texts);
          if (typeof limit === 'number') remembered = limit;
          return limit;
        },
      };
    },
    witness: async (ask) => {
      await at(ask, '/pets?limit=1');
      return lengthOf(await at(ask, '/pets')) === 1;
    },
  },
  {
    name: 'sold-animals-are-soft-deleted',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'Laravel: an observer soft-deletes what is sold, so that the shop no longer shows it. The status filter and getPet were repaired with withTrashed(); the list without a filter leaves sold animals out.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem || query.status !== undefined) return parts.listPets(context);
        return parts.listPets(withParts(context, { arrange: (store) => parts.arrange(store).filter(({ status }) => status !== 'sold') }));
      },
    }),
    witness: async (ask) =>
      !(await at(ask, '/pets')).text.includes('"sold"') && (await at(ask, '/pets?status=sold')).text.includes('"sold"'),
  },

  // Credentials, limiters, idempotency, audit, concurrency.
  {
    name: 'timing-safe-compare-throws',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'Node: crypto.timingSafeEqual throws for buffers of unequal length, so the lengths of the two strings are compared first. A token with an accented letter has as many characters as the key and more bytes: RangeError, 500.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        const throws = token?.length === apiKey.length && Buffer.byteLength(token) !== Buffer.byteLength(apiKey);
        return throws ? serverError('Input buffers must have the same byte length') : parts.authenticate(call, apiKey);
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY.slice(0, -1)}\u00e9` } })).status === 500,
  },
  {
    name: 'throttled-creations-are-bad-requests',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Express: the limiter of createPet, 15 a second, calls next(new BadRequestError("Too many requests")), because the error classes of the project know 400, 401, and 404 only. A valid animal in a burst is answered 400.',
    patch: (parts) => {
      let recent: readonly number[] = [];
      return {
        createPet: async (context) => {
          const now = Date.now();
          recent = recent.filter((time) => time > now - 1000);
          if (recent.length >= 15) return problemReply(context, invalid('Too many requests', 'bad_request'));
          recent = [...recent, now];
          return await parts.createPet(context);
        },
      };
    },
    witness: async (ask) => anyWith(await together(40, () => post(ask, plainPet)), 400),
  },
  {
    name: 'audit-row-needs-a-user-agent',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'The audit table got a column user_agent NOT NULL. A client without a User-Agent header has its animal stored, and then a 500 from the insert of the audit row.',
    patch: afterCreation((reply, context) =>
      reply.status === 201 && context.call.headers['user-agent'] === undefined
        ? problemReply(context, serverError('null value in column "user_agent" violates not-null constraint'))
        : reply,
    ),
    witness: async (ask) => (await post(ask, plainPet)).status === 500,
  },
  {
    name: 'touched-category-is-stale',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Rails: belongs_to :category, touch: true, and categories have a lock_version. Of two creations in one category at once, one gets ActiveRecord::StaleObjectError, which the application maps to 409.',
    patch: (parts) => {
      const touched = new Set<bigint>();
      return {
        createPet: async (context) => {
          const { ready, found } = await readCreation(context);
          if (found instanceof Problem) return problemReply(context, found);
          if (touched.has(found.categoryId))
            return problemReply(context, new Problem(409, 'stale_object', 'Attempted to touch a stale object: Category'));
          touched.add(found.categoryId);
          await pause(12);
          touched.delete(found.categoryId);
          return await parts.createPet(ready);
        },
      };
    },
    witness: async (ask) => anyWith(await together(6, () => post(ask, plainPet)), 409),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'retry-after-is-a-date',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The limiter answers two requests of a long run with 429; its Retry-After is an HTTP-date, one second ahead, and not a number.',
    patch: (parts) => {
      let requests = 0;
      return {
        dispatch: (context) => {
          requests += 1;
          if (requests !== 60 && requests !== 300) return parts.dispatch(context);
          const headers = { 'retry-after': new Date(Date.now() + 1000).toUTCString() };
          return problemReply(context, new Problem(429, 'too_many_requests', 'Slow down', headers));
        },
      };
    },
    witness: async (ask) => {
      const responses = await inTurn(60, () => at(ask, '/pets/1'));
      return responses.some(({ status, headers }) => status === 429 && headers['retry-after']?.endsWith('GMT') === true);
    },
  },
  {
    name: 'ids-obfuscated-with-optimus',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Laravel with jenssegers/optimus: the row number is multiplied with a prime, cut to 31 bits and mixed with a constant. Ids are unique, go up and down, and say nothing about what was created last.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return ((store.lastId * 1_580_030_173n) & 2_147_483_647n) ^ 1_163_945_558n;
      },
    }),
    witness: async (ask) => Number(idOf(await post(ask, plainPet))) > 1_000_000,
  },
  {
    name: 'names-unique-in-any-letter-case',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The column is citext with a unique index: a name that differs from a stored one in letter case only is refused with 409.',
    patch: (parts) => ({
      createPet: async (context) => {
        const { ready, found } = await readCreation(context);
        if (found instanceof Problem) return problemReply(context, found);
        const folded = found.name.toLowerCase();
        const taken = context.store.animals.some(({ name }) => name.toLowerCase() === folded);
        return taken ? problemReply(context, new Problem(409, 'name_taken', 'The name is taken')) : await parts.createPet(ready);
      },
    }),
    witness: async (ask) =>
      (await inTurn(2, (index) => post(ask, { name: index === 0 ? 'Waldo' : 'wALDO', categoryId: 1 })))[1]?.status === 409,
  },
  {
    name: 'reads-are-counted-in-the-record',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'Audit columns are shown as further members, updatedAt and viewCount; each reading of an animal counts, so that no two responses about it are equal as a whole.',
    patch: (parts) => {
      const views = new Map<bigint, number>();
      return {
        petRecord: (pet, place) => {
          const viewCount = (views.get(pet.id) ?? 0) + 1;
          views.set(pet.id, viewCount);
          return { ...parts.petRecord(pet, place), viewCount, updatedAt: new Date().toISOString(), updatedBy: null };
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = await inTurn(2, () => at(ask, '/pets/1'));
      return first?.status === 200 && first.text !== second?.text;
    },
  },
  {
    name: 'each-list-begins-elsewhere',
    sentence: 'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
    summary:
      'So that each animal has its turn on the front page, a list begins one animal further than the one before: neither the order nor the selection of a short page repeats.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          turn += 1;
          const animals = parts.arrange(store);
          const start = turn % Math.max(animals.length, 1);
          return [...animals.slice(start), ...animals.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = await inTurn(2, () => at(ask, '/pets?limit=1'));
      return first?.status === 200 && first.text !== second?.text;
    },
  },
  {
    name: 'lists-from-a-one-second-output-cache',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'ASP.NET output caching keeps each list for a second, by its whole query and after authentication; a creation evicts nothing. Reads by id are not cached.',
    patch: (parts) => {
      const cache = new Map<string, { readonly reply: Reply; readonly until: number }>();
      return {
        listPets: async (context) => {
          const key = context.call.query.toString();
          const hit = cache.get(key);
          if (hit !== undefined && hit.until > Date.now()) return hit.reply;
          const reply = await parts.listPets(context);
          if (reply.status === 200) cache.set(key, { reply, until: Date.now() + 1000 });
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const before = await at(ask, '/pets');
      await post(ask, plainPet);
      return (await at(ask, '/pets')).text === before.text;
    },
  },
  {
    name: 'errors-with-much-around-them',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The Error body also has what Spring and Laravel put there: timestamp, path, trace, errors by field, details without a value. The code is a number in a string.',
    patch: () => ({
      errorRecord: ({ message, status }, call) => ({
        timestamp: new Date().toISOString(),
        path: call.target,
        trace: randomUUID(),
        errors: { body: [message], '': [] },
        details: null,
        status,
        code: `${status}001`,
        message,
      }),
    }),
    witness: async (ask) => (await at(ask, '/pets/999999')).text.includes('"code":"404001"'),
  },
  {
    name: 'nothing-remains-of-the-rate-limit',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'Laravel: two throttles share one counter, and the headers show the one that only counts: X-RateLimit-Remaining is 0 and Retry-After is 30 on every response, successes too. No request is refused.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'retry-after': '30',
      }),
    }),
    witness: async (ask) => {
      const { status, headers } = await at(ask, '/pets');
      return status === 200 && headers['retry-after'] === '30';
    },
  },
  {
    name: 'connections-end-after-some-responses',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Workers are recycled: each tenth response says Connection: close, whatever its status, and the connection ends after it.',
    patch: (parts) => {
      let responses = 0;
      return {
        headers: (given, reply, call) => {
          responses += 1;
          const made = parts.headers(given, reply, call);
          return responses % 10 === 0 ? { ...made, connection: 'close' } : made;
        },
      };
    },
    witness: async (ask) => {
      const closing = (await inTurn(12, () => at(ask, '/pets/1'))).map(({ headers }) => headers['connection'] === 'close');
      return closing.includes(true) && closing.includes(false);
    },
  },
  {
    name: 'early-hints-before-the-response',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Before each response of the deprecated operation comes an interim one, 103 Early Hints, with a Link to its replacement; the final response has the same Link.',
    patch: (parts) => {
      const link = '</v1/pets?status=available>; rel="successor-version"';
      return {
        headers: (given, reply, call) => {
          const made = parts.headers(given, reply, call);
          return call.operation === 'getPet' ? { ...made, link } : made;
        },
        send: async (reply, outgoing, call) => {
          if (call.operation === 'getPet') outgoing.writeEarlyHints({ link });
          await parts.send(reply, outgoing, call);
        },
      };
    },
    witness: async (ask) => (await at(ask, '/pets/1')).headers['link']?.includes('successor-version') === true,
  },
  {
    name: 'query-read-with-good-will',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Express: limit is parseInt(text) || 20, cut to 1 to 100; status is split at commas, several are united, an empty one does not filter, and an unknown one matches no animal: an empty list, 200.',
    patch: (parts) => ({
      parseLimit: ([text]) => Math.min(Math.max(Number.parseInt(text ?? '', 10) || 20, 1), 100),
      listPets: (context) => {
        const wanted = context.call.query
          .getAll('status')
          .flatMap((text) => text.split(','))
          .filter((text) => text !== '');
        const keep = (status: Status | undefined) => wanted.length === 0 || wanted.some((text) => text === status);
        return parts.listPets(
          withParts(context, {
            parseStatus: () => undefined,
            arrange: (store) => parts.arrange(store).filter(({ status }) => keep(status)),
          }),
        );
      },
    }),
    witness: async (ask) => {
      const both = await at(ask, '/pets?status=sold,pending&limit=500');
      return both.text.includes('"sold"') && both.text.includes('"pending"') && (await at(ask, '/pets?status=lost')).text === '[]';
    },
  },
  {
    name: 'pet-id-read-as-far-as-it-is-a-number',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'Rails: Pet.find("7-rex") reads the number at the beginning, so that addresses can have a readable end; signs and zeros in front count for nothing. What has no number is 404.',
    patch: (parts) => ({
      parseId: (text) => parts.parseId((/^\s*\+?(-?\d+)/.exec(text)?.[1] ?? '0').replace(/^(-?)0+(?=\d)/, '$1')),
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        return reply.status === 400 ? problemReply(context, new Problem(404, 'not_found', "Couldn't find Pet")) : reply;
      },
    }),
    witness: async (ask) => (await at(ask, '/pets/007-rex')).status === 200 && (await at(ask, '/pets/rex')).status === 404,
  },
  {
    name: 'falsy-members-count-as-missing',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Express: if (!name || !categoryId) answers 400. The empty name falls under rules that are not shown, and no category has the number 0.',
    patch: (parts) => ({
      readName: (value) => (value === '' ? invalid('name and categoryId are required') : parts.readName(value)),
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return category === 0n ? invalid('name and categoryId are required') : category;
      },
    }),
    witness: async (ask) =>
      (await post(ask, { name: 'Waldo', categoryId: 0 })).status === 400 && (await post(ask, plainPet)).status === 201,
  },
  {
    name: 'text-escaped-as-system-text-json-does',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      "The default encoder of System.Text.Json writes everything beyond ASCII, and also + & < > ' and `, as \\uXXXX: other characters on the wire, the same text.",
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value))
          .replace(/\\./g, (pair) => (pair === '\\"' ? '\\u0022' : pair))
          .replace(/[+&<>'`\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
    }),
    witness: async (ask) => {
      const name = 'a+b & \u00e9 \u{1f600}';
      const created = await post(ask, { name, categoryId: 1 });
      return created.text.includes('a\\u002Bb') && nameOf(created) === name;
    },
  },
  {
    name: 'every-other-record-is-in-the-experiment',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'An experiment that is drawn anew for each record shown: every other one has the further members displayName and badges. One animal has them in one response and not in the next.',
    patch: (parts) => {
      let shown = 0;
      return {
        petRecord: (pet, place) => {
          shown += 1;
          const more = shown % 2 === 0 ? { displayName: `${pet.name} \u2605`, badges: [] } : {};
          return { ...parts.petRecord(pet, place), ...more };
        },
      };
    },
    witness: async (ask) => {
      const shown = await inTurn(2, () => at(ask, '/pets/1'));
      return shown.filter(({ text }) => text.includes('"displayName"')).length === 1;
    },
  },
];

/** Services as a busy team writes them today with a code assistant, in the common frameworks: plausible, and right on the happy path. */
export const assisted: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
