import { KEY } from '../../proof/judge-reference.ts';
import { bearerToken, sameKey } from '../../src/reference/core/base.ts';
import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import { integerLiteral, isObject, type Json, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import { invalid, type Patch, Problem, pause, problemReply, type Reply, unauthorized } from '../../src/reference/core/parts.ts';
import { addPet, isStatus } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { around, withCall } from './patches.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string): Patch =>
  (parts) => ({ encode: (value) => change(textOf(parts.encode(value))) });

/** The member names of the outermost object of a JSON text, each as often as it appears. */
function outerNames(text: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?|[{}[\]]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && token.endsWith(':')) names.push(String(JSON.parse(token.slice(0, -1))));
  }
  return names;
}

// What witnesses share.
const postAll = (ask: Ask, count: number, name: (index: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { name: name(index), categoryId: 1 })));
const sunsetOf = ({ headers: { sunset } }: HttpResponse): string | undefined => sunset;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Always.
  {
    name: 'scheme-skipped-by-seven-characters',
    sentence: 'Scheme: HTTP bearer.',
    clause: 'auth.wrong-scheme',
    summary: 'The C server takes the key from auth + 7 and never looks at the seven characters: any scheme with six letters is let in.',
    patch: () => ({
      authenticate: (call, apiKey) => (sameKey((call.headers.authorization ?? '').slice(7), apiKey) ? undefined : unauthorized()),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `ApiKey ${KEY}` } })).status === 200,
  },
  {
    name: 'key-compared-for-its-own-length',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary: 'strncmp(token, key, strlen(key)) stops at the end of the key: a token that only begins with it is let in.',
    patch: () => ({
      authenticate: (call, apiKey) => (bearerToken(call.headers.authorization)?.startsWith(apiKey) === true ? undefined : unauthorized()),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY}x` } })).status === 200,
  },
  {
    name: 'key-searched-in-the-whole-head',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary:
      'strcasestr(head, "authorization: bearer ") needs no table of headers, and also finds the end of X-Forwarded-Authorization or Proxy-Authorization.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const at = call.rawHeaders.findIndex((text, index) => index % 2 === 0 && /authorization$/i.test(text));
        return parts.authenticate({ ...call, headers: { ...call.headers, authorization: call.rawHeaders[at + 1] } }, apiKey);
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', noKey: true, headers: { 'X-Forwarded-Authorization': `Bearer ${KEY}` } })).status === 200,
  },
  {
    name: 'php-default-media-type-of-not-found',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'http_response_code(404); exit(json_encode(...)) leaves before the header() call below it, and PHP sends its default, text/html.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const made = parts.headers(given, reply, call);
        return call.operation === 'getPet' && reply.status === 404 ? { ...made, 'content-type': 'text/html; charset=UTF-8' } : made;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).headers['content-type']?.startsWith('text/html') === true,
  },
  {
    name: 'sunset-with-tm-mon-twelve',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary: 'tm_mon counts from 0, and was set to 12 for December: timegm carries it into January 2031, and the header is well-formed.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const made = parts.headers(given, reply, call);
        return call.operation !== 'getPet' ? made : { ...made, sunset: 'Sun, 05 Jan 2031 00:00:00 GMT' };
      },
    }),
    witness: async (ask) => sunsetOf(await ask({ path: '/pets/1' }))?.includes('Jan 2031') === true,
  },
  {
    name: 'limit-below-one-hundred',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary: 'The range check is written as for an array index, limit < MAX_LIMIT, so that the maximum itself is rejected.',
    patch: (parts) => ({ parseLimit: (texts) => (texts[0] === '100' ? invalid('limit out of range') : parts.parseLimit(texts)) }),
    witness: async (ask) => (await ask({ path: '/pets?limit=100' })).status === 400,
  },
  {
    name: 'first-status-of-the-enum-is-no-filter',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary: 'The enum begins at 0 and the loop asks if (filter && pet->status != filter): available, the first, filters nothing.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status === 'available' ? undefined : status;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=available' })).text.includes('"sold"'),
  },
  {
    name: 'go-omitted-status-is-empty-text',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary: 'The struct field has no omitempty: an animal that was created without a status has the zero value of a Go string.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? '' }),
    }),
    witness: async (ask) => (await post(ask, plainPet)).text.includes('"status":""'),
  },

  // For some values.
  {
    name: 'list-prints-categories-with-percent-d',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary: 'The record is printed with %lld, the older loop of the list with %d: lists show the low 32 bits of a large category.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(place === 'list' ? { categoryId: integerLiteral(BigInt.asIntN(32, pet.categoryId)) } : {}),
      }),
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 5_000_000_000 });
      return created.text.includes('5000000000') && !(await ask({ path: '/pets?limit=100' })).text.includes('5000000000');
    },
  },
  {
    name: 'overflow-check-misses-the-last-digit',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-range',
    summary:
      'The digit loop checks value > INT64_MAX / 10 before it multiplies, but not whether the last digit still fits: the integers just beyond int64 wrap around.',
    patch: (parts) => ({
      readCategory: (value) => {
        const integer = value instanceof NumberText ? parseInteger(value.text) : undefined;
        const slips = integer !== undefined && integer / 10n <= 922337203685477580n && integer / 10n >= -922337203685477580n;
        return slips ? BigInt.asIntN(64, integer) : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":9223372036854775808}')).status === 201,
  },
  {
    name: 'table-of-sixteen-headers',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.valid-key',
    summary:
      'The parser keeps the first sixteen headers of a request and skips the rest. Behind as many, as browsers and tracing send them, the key is not seen.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const names = call.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
        return names.indexOf('authorization') < 16 ? parts.authenticate(call, apiKey) : unauthorized();
      },
    }),
    witness: async (ask) => {
      const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`X-Trace-${index}`, 'on']));
      return (await ask({ path: '/pets', noKey: true, headers: { ...many, Authorization: `Bearer ${KEY}` } })).status === 401;
    },
  },

  // After some request, on some connections, and under concurrency.
  {
    name: 'static-authorization-buffer',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.every-request',
    summary:
      'The value of Authorization is copied to a static buffer that is emptied when no request is in progress: a request without a key takes that of another thread.',
    patch: around(() => {
      let buffer: string | undefined;
      let inProgress = 0;
      return async (context, next) => {
        const { headers } = context.call;
        buffer = headers.authorization ?? buffer;
        inProgress += 1;
        await pause(10);
        const reply = await next(withCall(context, { headers: { ...headers, authorization: headers.authorization ?? buffer } }));
        inProgress -= 1;
        if (inProgress === 0) buffer = undefined;
        return reply;
      };
    }),
    witness: async (ask) => {
      const alone = await ask({ path: '/pets', noKey: true });
      const mixed = await Promise.all(Array.from({ length: 24 }, (_, index) => ask({ path: '/pets', noKey: index % 2 === 1 })));
      return alone.status === 401 && mixed.some(({ status }, index) => index % 2 === 1 && status === 200);
    },
  },
  {
    name: 'pooled-struct-not-cleared-after-an-error',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.independent',
    summary:
      'The struct for NewPet comes from a sync.Pool, and only the path of success clears it: after a rejected body, the next one inherits the members that it lacks.',
    patch: (parts) => {
      let left: Record<string, Json> = {};
      return {
        readNewPet: (body, current) => {
          if (!isObject(body)) return parts.readNewPet(body, current);
          const merged = { ...left, ...body };
          const newPet = parts.readNewPet(merged, current);
          const [name, categoryId, status] = [member(merged, 'name'), member(merged, 'categoryId'), member(merged, 'status')];
          left = {};
          const keep = (key: string, value: Json | undefined, bad: boolean) => {
            if (value !== undefined && !bad) left[key] = value;
          };
          if (!(newPet instanceof Problem)) return newPet;
          keep('name', name, parts.readName(name) instanceof Problem);
          keep('categoryId', categoryId, parts.readCategory(categoryId) instanceof Problem);
          keep('status', status, !isStatus(status));
          return newPet;
        },
      };
    },
    witness: async (ask) => {
      const alone = await post(ask, { categoryId: 1 });
      await post(ask, { name: 'Ghost', categoryId: 'one' });
      return alone.status === 400 && (await post(ask, { categoryId: 2 })).text.includes('Ghost');
    },
  },
  {
    name: 'file-rewritten-without-a-lock',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'PHP reads the file of animals, appends one, and writes it back without flock. Of creations at the same time, the last to write wins; all were told 201.',
    patch: () => ({
      insert: async (store, pet) => {
        const read = [...store.animals];
        await pause(10);
        store.animals.splice(0);
        store.byId.clear();
        for (const animal of [...read, pet]) addPet(store, animal);
        return pet;
      },
    }),
    witness: async (ask) => {
      const created = await postAll(ask, 20, (index) => `Pet ${index}`);
      const reads = await Promise.all(created.map((response) => ask({ path: `/pets/${idOf(response)}` })));
      return created.every(({ status }) => status === 201) && reads.some(({ status }) => status === 404);
    },
  },
  {
    name: 'strtok-state-shared-by-threads',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.identity',
    summary:
      'The path is split with strtok, whose state belongs to the process: reads at the same time get the animal of the last one that was split.',
    patch: (parts) => {
      let petId = '';
      return {
        getPet: async (context) => {
          petId = context.call.petId;
          await pause(10);
          return await parts.getPet(withCall(context, { petId }));
        },
      };
    },
    witness: async (ask) => {
      const ids = Array.from({ length: 24 }, (_, index) => BigInt(1 + (index % 8)));
      const reads = await Promise.all(ids.map((id) => ask({ path: `/pets/${id}` })));
      return reads.some((response, index) => response.status === 200 && idOf(response) !== ids[index]);
    },
  },
  {
    name: 'body-of-a-refused-request-left-unread',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'A creation without a key is answered before its body is read, and the connection is kept. What is left of it is taken for the next request line, so that the next request is 400.',
    patch: around(() => {
      const unread = new WeakSet<object>();
      return async (context, next) => {
        const { connection, headers } = context.call;
        if (unread.delete(connection)) return problemReply(context, new Problem(400, 'bad_request', 'Malformed request line'));
        const reply = await next(context);
        if (reply.status === 401 && Number(headers['content-length'] ?? 0) > 0) unread.add(connection);
        return reply;
      };
    }),
    witness: async (ask) => {
      await ask({ method: 'POST', path: '/pets', noKey: true, body: JSON.stringify(plainPet) });
      return (await ask({ path: '/pets' })).status === 400;
    },
  },
  {
    name: 'rust-panic-poisons-the-lock',
    sentence: '`401` with an Error body; `404` with an Error body when the animal does not exist.',
    clause: 'errors.no-server-error',
    summary:
      'The log line slices &name[..20], which panics within a character, while the store is locked. From then on lock().unwrap() panics in every request.',
    patch: (parts) => {
      let poisoned = false;
      const panicked = () => new Problem(500, 'internal_error', 'called Result::unwrap() on an Err value: PoisonError');
      return {
        readName: (value) => {
          if (typeof value === 'string' && ((Buffer.from(value)[20] ?? 0) & 0xc0) === 0x80) poisoned = true;
          return poisoned ? panicked() : parts.readName(value);
        },
        dispatch: (context) => (poisoned ? problemReply(context, panicked()) : parts.dispatch(context)),
      };
    },
    witness: async (ask) => {
      const before = await ask({ path: '/pets' });
      await post(ask, { name: `${'x'.repeat(19)}éé`, categoryId: 1 });
      return before.status === 200 && (await ask({ path: '/pets' })).status === 500;
    },
  },
  {
    name: 'filtered-lists-cached-and-not-dropped',
    sentence: 'Keep only animals with this status',
    clause: 'list.complete',
    summary:
      'Rendered lists are cached by their query. createPet drops the plain ones, and whoever added the filter did not think of that.',
    patch: (parts) => {
      const cache = new Map<string, Reply>();
      return {
        listPets: async (context) => {
          const key = context.call.query.toString();
          const cached = cache.get(key);
          if (cached !== undefined) return cached;
          const reply = await parts.listPets(context);
          if (reply.status === 200 && context.call.query.has('status')) cache.set(key, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const path = '/pets?status=sold&limit=100';
      await ask({ path });
      await post(ask, { ...plainPet, status: 'sold' });
      return !(await ask({ path })).text.includes('Waldo');
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'go-escapes-html-characters',
    sentence:
      'All requests and responses that have a body use the media type `application/json`. (How characters of a string are escaped: not shown.)',
    summary: "Go's json.Encoder writes <, > and & as escapes unless SetEscapeHTML(false) is called.",
    patch: rewritten((text) => text.replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`)),
    witness: async (ask) => (await post(ask, { name: 'Tom & <Jerry>', categoryId: 1 })).text.includes('Tom \\u0026 \\u003cJerry\\u003e'),
  },
  {
    name: 'json-in-lines-that-end-in-crlf',
    sentence: 'All requests and responses that have a body use the media type `application/json`. (Whitespace in it: not shown.)',
    summary: 'Bodies are written in lines by the function that writes headers, which ends each line with CR and LF.',
    patch: () => ({ encode: (value) => `${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n` }),
    witness: async (ask) => (await ask({ path: '/pets' })).text.startsWith('[\r\n'),
  },
  {
    name: 'members-in-reverse-order',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus: id. (The order of members: not shown.)',
    summary: 'The writer prepends members to a linked list and prints it from its head.',
    patch: (parts) => ({
      petRecord: (pet, place) => Object.fromEntries(Object.entries(parts.petRecord(pet, place)).reverse()),
      errorRecord: (problem) => ({ status: problem.status, message: problem.message, code: problem.code }),
    }),
    witness: async (ask) => /"id":1\}$/.test((await ask({ path: '/pets/1' })).text),
  },
  {
    name: 'python-escapes-beyond-ascii',
    sentence:
      'All requests and responses that have a body use the media type `application/json`. (How characters of a string are escaped: not shown.)',
    summary: 'json.dumps has ensure_ascii on by default: every character beyond ASCII is an escape, an emoji is two.',
    patch: rewritten((text) => text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)),
    witness: async (ask) => (await post(ask, { name: 'Zoë 🐈', categoryId: 1 })).text.includes('Zo\\u00eb \\ud83d\\udc08'),
  },
  {
    name: 'one-request-a-connection',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The server forks for each connection and answers one request on it, with Connection: close.',
    patch: (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), connection: 'close' }) }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['connection'] === 'close',
  },
  {
    name: 'chunks-of-sixteen-bytes',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Output goes through a buffer of 16 bytes that is sent as a chunk whenever it is full, also within a character; nobody knows the length beforehand.',
    patch: () => ({
      send: (reply, outgoing) => {
        const bytes = Buffer.from(reply.body);
        outgoing.writeHead(reply.status, reply.headers);
        for (let start = 0; start < bytes.byteLength; start += 16) outgoing.write(bytes.subarray(start, start + 16));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'category-with-a-fraction-of-zeros',
    sentence: '| categoryId | integer | int64 | yes | … (the spelling of an integer: not shown) |',
    summary: 'The number parser takes a fraction as long as its digits are zeros, since scripts in Lua write 3.0 for 3.',
    patch: (parts) => ({
      readCategory: (value) => {
        const whole = value instanceof NumberText ? /^(-?\d+)\.0+$/.exec(value.text)?.[1] : undefined;
        return parts.readCategory(whole === undefined ? value : new NumberText(whole));
      },
    }),
    witness: async (ask) => /"categoryId":3[,}]/.test((await post(ask, '{"name":"Waldo","categoryId":3.00}')).text),
  },
  {
    name: 'ids-count-down-from-minus-one',
    sentence: 'Unique identifier assigned by the service on creation (which int64 values: not shown)',
    summary: 'Ids of this store count down from -1; positive ones are reserved for animals that come from the old system.',
    patch: () => ({
      assignId: (store) => {
        store.lastId -= 1n;
        return store.lastId;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/-1' })).status === 200 && idOf(await post(ask, plainPet)) === -9n,
  },
  {
    name: 'list-from-the-head-of-a-linked-list',
    sentence: 'The operation is described as returning a paginated list. (Its order: not shown.)',
    summary: 'New animals are put at the head of a linked list, so that lists show the newest first.',
    patch: (parts) => ({ arrange: (store) => [...parts.arrange(store)].reverse() }),
    witness: async (ask) => idOf(await ask({ path: '/pets' })) === 8n,
  },
  {
    name: 'status-stays-omitted',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'A null pointer in the struct stands for no status, and the writer leaves the member out. No filter finds the animal.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask, plainPet)).text.includes('status'),
  },
  {
    name: 'limit-clamped-with-min-and-max',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'limit = MIN(MAX(strtol(text), 1), 100), and text without digits is 0.',
    patch: () => ({
      parseLimit: ([text]) => (text === undefined ? 20 : Math.min(Math.max(Number.parseInt(text, 10) || 0, 1), 100)),
    }),
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?limit=0' })) === 1 &&
      lengthOf(await ask({ path: '/pets?limit=many' })) === 1 &&
      lengthOf(await ask({ path: '/pets?limit=1000' })) === 8,
  },
  {
    name: 'sunset-at-the-end-of-the-day',
    sentence: 'scheduled for removal on 5 December 2030. (The time of day, and response headers: not shown.)',
    summary: 'The Sunset header is a string constant that names the last second of the day, and there is no Deprecation header.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const { deprecation, ...made } = parts.headers(given, reply, call);
        return deprecation === undefined ? made : { ...made, sunset: 'Thu, 05 Dec 2030 23:59:59 GMT' };
      },
    }),
    witness: async (ask) => {
      const read = await ask({ path: '/pets/1' });
      return sunsetOf(read)?.includes('23:59:59') === true && !('deprecation' in read.headers);
    },
  },
  {
    name: 'later-pages-with-after',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'A list goes on behind the animal whose id is given as after; anything that is not an id is ignored.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const after = parseInteger(call.query.get('after') ?? '');
        return parts.page(after === undefined ? animals : animals.filter(({ id }) => id > after), query, call);
      },
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets?after=6' })) === 7n,
  },
  {
    name: 'body-with-a-member-twice-refused',
    sentence: '`400` with an Error body when the body … contains invalid values (a member that appears twice: not shown)',
    summary: 'The parser marks each member as seen, and rejects a body in which one of the outermost object is seen twice.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        if (body instanceof Problem || !isObject(body)) return body;
        const names = outerNames(textOf(bytes));
        return new Set(names).size === names.length ? body : invalid('A member appears twice', 'duplicate_member');
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1,"n\\u0061me":"Odlaw"}')).status === 400,
  },
  {
    name: 'body-with-an-unknown-member-refused',
    sentence: 'never supplied by the client (members that NewPet does not have: not shown)',
    summary: 'The parser compares each member with three names, and the last else is an error.',
    patch: (parts) => ({
      readNewPet: (body, current) =>
        isObject(body) && Object.keys(body).some((name) => !['name', 'categoryId', 'status'].includes(name))
          ? invalid('Unknown member', 'unknown_member')
          : parts.readNewPet(body, current),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, id: 77 })).status === 400,
  },
  {
    name: 'petid-read-with-strtoll',
    sentence: 'Path parameter: `petId`, required, integer, format int64 (its spelling: not shown)',
    summary: 'strtoll takes a plus sign and zeros in front, and the server checks only that it read to the end.',
    patch: (parts) => ({ parseId: (text) => parts.parseId(text.replace(/^\+?0*(?=\d)/, '')) }),
    witness: async (ask) => (await ask({ path: '/pets/+007' })).status === 200,
  },
  {
    name: 'name-of-more-than-63-bytes-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The name has to fit char name[64] in UTF-8, and one that does not is rejected with 400.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && Buffer.byteLength(value) > 63 ? invalid('name is too long', 'name_too_long') : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'é'.repeat(32), categoryId: 1 })).status === 400,
  },
  {
    name: 'router-drops-slashes-at-the-end',
    sentence: 'All paths are relative to {base_url}. (Paths other than the three: not shown.)',
    summary: 'The router splits the path at slashes and ignores empty segments at the end: /pets/ is /pets.',
    patch: around(() => (context, next) => next({ ...context, call: respelled(context.call, dropLastSlash) ?? context.call })),
    witness: async (ask) => (await ask({ path: '/pets/' })).status === 200 && (await ask({ path: '/pets/1/' })).status === 200,
  },
  {
    name: 'codes-are-numbers-as-text',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'code is the errno of the C server, printed as text, and message is what strerror says about it.',
    patch: () => ({
      errorRecord: ({ status }) => {
        const [code, message] =
          status === 404 ? ['2', 'No such file or directory'] : status === 401 ? ['13', 'Permission denied'] : ['22', 'Invalid argument'];
        return { code, message, status };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"code":"2"'),
  },
  {
    name: 'scheme-word-letter-by-letter',
    sentence: 'in the form `Authorization: Bearer <API_KEY>` (other letter case of the scheme: not shown)',
    summary: 'strncmp(auth, "Bearer ", 7) takes the scheme as the document writes it, and one space behind it.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        /^Bearer \S+$/.test(call.headers.authorization ?? '') ? parts.authenticate(call, apiKey) : unauthorized(),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `bearer ${KEY}` } })).status === 401,
  },
];

/** Servers without a framework, in C, Go, Rust, Python, and PHP, with parsers and stores of their own. */
export const handwritten: readonly Holdout[] = [
  ...faults.map((row) => ({ ...row, kind: 'fault' as const })),
  ...variants.map((row) => ({ ...row, kind: 'variant' as const })),
];
