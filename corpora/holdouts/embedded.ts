import { isObject, type Json } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  withoutHeaders,
} from '../../src/reference/core/parts.ts';
import { addPet, isStatus, type Pet, removePet, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

/** A record as a response shows it. */
type Shown = { readonly id: number; readonly name: string; readonly categoryId: number; readonly status: string };

/** Rewrites a request body before it is parsed; a byte is a character. */
const bodyRead =
  (change: (latin1: string) => string): Patch =>
  (parts) => ({ readBody: (bytes, call) => parts.readBody(Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1'), call) });

/** Adds a header to every response. */
const withHeader =
  (name: string, value: string): Patch =>
  (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), [name]: value }) });

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');
const sumOf = (text: string): number => bytesOf(text).reduce((sum, byte) => sum + byte, 0);
const queryOf = ({ call }: Context): string => /\?(.*)$/s.exec(call.target)?.[1] ?? '';

/** Puts the commas that a lenient tokenizer does not ask for where a member begins. */
function withMissingCommas(text: string): string {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/gs;
  if (text.replace(token, '').trim() !== '') return text;
  const tokens = text.match(token) ?? [];
  const beginsMember = (index: number) => tokens[index]?.startsWith('"') === true && tokens[index + 1] === ':';
  const endsValue = (index: number) => index >= 0 && !['{', '[', ':', ','].includes(tokens[index] ?? '{');
  return tokens.map((part, index) => (beginsMember(index) && endsValue(index - 1) ? `,${part}` : part)).join('');
}

/** The members as strstr finds them: the first quoted occurrence, whatever it is, and what follows the next colon. */
function foundByStrstr(text: string): string {
  const found = ['name', 'categoryId', 'status'].flatMap((name) => {
    const at = text.indexOf(`"${name}"`);
    const colon = at < 0 ? -1 : text.indexOf(':', at + name.length + 2);
    const value = colon < 0 ? undefined : /^\s*("(?:[^"\\]|\\.)*"|[^\s,}\]]+)/s.exec(text.slice(colon + 1))?.[1];
    return value === undefined ? [] : [`"${name}":${value}`];
  });
  return `{${found.join(',')}}`;
}

/** Moves the cells from that place to the left by one, in blocks of eight, the last block first: right only where nothing overlaps. */
function moveLeft(cells: string[], from: number): void {
  const length = cells.length - from;
  for (let block = Math.floor(Math.max(length - 1, 0) / 8) * 8; block >= 0; block -= 8) {
    const copied = cells.slice(from + block, Math.min(from + block + 8, cells.length));
    for (const [index, cell] of copied.entries()) cells[from - 1 + block + index] = cell;
  }
  cells.length -= 1;
}

/** Undoes the simple escapes of the content of a JSON string in its own buffer. Each result is one cell. */
function unescapedInPlace(content: string): string {
  const cells = content.split('');
  for (let at = 0; at < cells.length; at += 1) {
    const escaped = cells[at + 1];
    if (cells[at] === '"') cells[at] = '\\"';
    if (cells[at] !== '\\' || escaped === undefined) continue;
    if (escaped === 'u') at += 5;
    else {
      cells[at] = /["\\/bfnrt]/.test(escaped) ? `\\${escaped}` : escaped;
      moveLeft(cells, at + 2);
    }
  }
  return cells.join('');
}

/** The number of tokens of a JSON value: containers, member names and values. */
function tokensOf(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item: Json) => sum + tokensOf(item), 1);
  return isObject(value) ? Object.values(value).reduce((sum: number, item) => sum + 1 + tokensOf(item), 1) : 1;
}

/** A JSON text with every character of every string as an escape. */
const escapedEverywhere = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"/gs, (string) => {
    const units = (JSON.parse(string) as string).split('');
    return `"${units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
  });

/** Counts per connection. */
function counter(): (connection: object) => number {
  const counts = new WeakMap<object, number>();
  return (connection) => {
    const count = (counts.get(connection) ?? 0) + 1;
    counts.set(connection, count);
    return count;
  };
}

// What witnesses share.
const shownIn = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as readonly Shown[];
const nameIn = ({ text }: HttpResponse): string => (JSON.parse(text) as Shown).name;
const listed = (ask: Ask) => ask({ path: '/pets?limit=100' });
const animal = (name: string, status: Status = 'available') => ({ name, categoryId: 1, status });
async function inTurn<T>(count: number, action: (index: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await action(index));
  return results;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'refusal-takes-back-the-last-record',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'The body is appended to the log while it arrives, the key is compared by a slower secure element, and a refusal truncates the log by one record. If a good creation was appended meanwhile, that one is gone, and the refused one stays.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call, store, apiKey, parts: current } = context;
        const rejection = current.authenticate(call, apiKey);
        if (rejection === undefined || call.operation !== 'createPet') return await parts.handle(context);
        const bytes = await call.body();
        const body = bytes instanceof Problem ? bytes : current.readBody(bytes, call);
        const read = body instanceof Problem ? body : current.readNewPet(body, current);
        if (!(read instanceof Problem)) {
          addPet(store, { ...read, status: read.status ?? 'available', id: current.assignId(store, null), createdAt: Date.now() });
          await pause(40);
          const last = store.animals.at(-1);
          if (last !== undefined) removePet(store, last);
        }
        return problemReply(context, rejection);
      },
    }),
    witness: async (ask) => {
      const refused = ask({ method: 'POST', path: '/pets', noKey: true, body: JSON.stringify(animal('Intruder')) });
      await pause(15);
      await post(ask, plainPet);
      await refused;
      return (await listed(ask)).text.includes('Intruder');
    },
  },

  // Lists.
  {
    name: 'scanf-reads-nine-letters-of-status',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-with-limit',
    summary:
      'The query is read with sscanf: "limit=%d&status=%9s", and if that finds nothing, "status=%9s". In ?status=sold&limit=5 the nine letters are sold&limi, which is no status, and there is no filter and no limit. The other order works.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = queryOf(context);
        if (!/^status=.*&/s.test(query)) return parts.listPets(context);
        const status = query.slice('status='.length).slice(0, 9);
        const read = new URLSearchParams(isStatus(status) ? { status } : {});
        return parts.listPets({ ...context, call: { ...context.call, query: read } });
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=sold&limit=1' })) > 1,
  },
  {
    name: 'tcp-write-without-a-copy',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'tcp_write is called without TCP_WRITE_FLAG_COPY on a static buffer. The first segment leaves at once; what is beyond 1460 bytes waits for an ACK, and by then the next long response may be in the buffer: two long lists at once are mixed.',
    patch: (parts) => {
      const shared = Buffer.alloc(65_536);
      return {
        send: async (reply, outgoing, call) => {
          const body = Buffer.from(reply.body);
          if (body.length <= 1460 || body.length > shared.length) return await parts.send(reply, outgoing, call);
          body.copy(shared);
          outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': String(body.length) });
          outgoing.write(body.subarray(0, 1460));
          await pause(15);
          outgoing.end(Buffer.from(shared.subarray(1460, body.length)));
        },
      };
    },
    witness: async (ask) => {
      await inTurn(60, (index) => post(ask, animal(`Waldo the ${index}`, index % 2 === 0 ? 'sold' : 'available')));
      const paths = ['/pets?limit=100', '/pets?limit=100&status=sold'];
      const alone = await inTurn(2, (index) => ask({ path: paths[index] ?? '' }));
      const together = await Promise.all(paths.map((path) => ask({ path })));
      return together.some(({ text }, index) => text !== alone[index]?.text);
    },
  },
  {
    name: 'jsmn-without-strict-needs-no-commas',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'create.body-json',
    summary:
      'jsmn was compiled without JSMN_STRICT, where a comma is skipped like white space: {"name":"Rex" "categoryId":1} gives the same five tokens, and an animal.',
    patch: bodyRead(withMissingCommas),
    witness: async (ask) => (await post(ask, '{"name":"Waldo" "categoryId":1}')).status === 201,
  },
  {
    name: 'length-byte-for-counted-characters',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'Names have a length byte, and so more than 255 characters are rejected. The check counts characters, the byte counts bytes: 130 letters with accents are 260 bytes, and come back as the first four bytes.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' && [...name].length > 255 ? invalid('name is too long', 'invalid_name') : name;
      },
      insert: (store, pet) => {
        const bytes = bytesOf(pet.name);
        return parts.insert(store, bytes.length <= 255 ? pet : { ...pet, name: bytes.subarray(0, bytes.length & 255).toString('utf8') });
      },
    }),
    witness: async (ask) => nameIn(await post(ask, animal('\u00e9'.repeat(130)))) === '\u00e9\u00e9',
  },
  {
    name: 'strstr-meets-an-animal-called-status',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'Members are found with strstr(body, "\\"status\\""), and the value after the next colon. For an animal whose name is the word status that is the value of name, followed by the colon of categoryId: the status is 1, and the creation is rejected.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        if (body instanceof Problem || !isObject(body)) return body;
        return parts.readBody(Buffer.from(foundByStrstr(Buffer.from(bytes).toString('latin1')), 'latin1'), call);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"status","categoryId":1}')).status === 400,
  },
  {
    name: 'unescape-with-overlapping-memcpy',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'Escapes are undone in place, and the rest is moved to the left with memcpy, which copies here in blocks of eight from the end, as in glibc 2.13. After an escape, a letter is lost and one doubled in every eight; short names survive.',
    patch: bodyRead((text) => text.replace(/"((?:[^"\\]|\\.)*)"/gs, (_, content: string) => `"${unescapedInPlace(content)}"`)),
    witness: async (ask) => {
      const short = await post(ask, animal('A "B" C'));
      const long = await post(ask, animal('The "great" white Waldo'));
      return nameIn(short) === 'A "B" C' && long.status === 201 && nameIn(long) !== 'The "great" white Waldo';
    },
  },
  {
    name: 'record-initialized-when-name-is-seen',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.answer',
    summary:
      'The event parser calls pet_init(), which sets the default status, when it meets name, as in every example of the team name comes first. A client that sorts its members otherwise and sends status first gets the default.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const result = parts.readNewPet(body, current);
        if (result instanceof Problem || !isObject(body)) return result;
        const names = Object.keys(body);
        return names.indexOf('status') < names.indexOf('name') ? { ...result, status: undefined } : result;
      },
    }),
    witness: async (ask) => !(await post(ask, '{"status":"sold","name":"Waldo","categoryId":1}')).text.includes('"sold"'),
  },
  {
    name: 'lwip-has-one-upload-at-a-time',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.independent',
    summary:
      'httpd_post_begin follows the example of lwIP: one static current_connection, and ERR_VAL for everybody else while it is set. A valid creation that comes during another one is answered with 400.',
    patch: (parts) => {
      let busy = false;
      return {
        createPet: async (context) => {
          if (busy) return problemReply(context, invalid('The upload could not be started', 'post_begin'));
          busy = true;
          try {
            const reply = await parts.createPet(context);
            await pause(8);
            return reply;
          } finally {
            busy = false;
          }
        },
      };
    },
    witness: async (ask) => {
      const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => post(ask, animal(`Waldo ${index}`))));
      return answers.some(({ status }) => status === 400);
    },
  },
  {
    name: 'pointer-taken-before-the-vector-grows',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The handler keeps a pointer to the end of the vector, calls push_back, and prints what the pointer shows. Where the vector had to move (at 16, 32, 64 and 128 animals) that is old memory, which still holds the record that was printed before.',
    patch: (parts) => ({
      insert: async (store, pet) => {
        const stale = store.animals.at(-1);
        const moves = [16, 32, 64, 128, 256].includes(store.animals.length);
        const stored = await parts.insert(store, pet);
        return moves && stale !== undefined ? stale : stored;
      },
    }),
    witness: async (ask) => {
      const names = await inTurn(12, async (index) => nameIn(await post(ask, animal(`Waldo ${index}`))));
      return names.some((name, index) => name !== `Waldo ${index}`);
    },
  },

  // Storage.
  {
    name: 'id-counter-saved-every-sixteen',
    sentence: 'Unique identifier assigned by the service on creation',
    clause: 'create.id-assigned',
    summary:
      'To spare the flash, the id counter is saved every sixteen animals. A body that does not fit the heap is answered with 413 and the firmware restarts; the counter goes on from what was saved, without the sixteen in reserve: ids come twice.',
    patch: (parts) => {
      let restarted = false;
      return {
        readBody: (bytes, call) => {
          if (bytes.length <= 8192) return parts.readBody(bytes, call);
          restarted = true;
          return new Problem(413, 'too_large', 'The body does not fit into memory');
        },
        assignId: (store, body) => {
          if (restarted) store.lastId -= store.lastId % 16n;
          restarted = false;
          return parts.assignId(store, body);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, animal('w'.repeat(10_000)));
      return idOf(await post(ask, plainPet)) <= 8n;
    },
  },
  {
    name: 'checksum-looks-like-erased-flash',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'create.round-trip',
    summary:
      'The first byte of a record in the log has the type, 7 for animals, in three bits and a checksum of the name in five. One name in 32 has all ones there: 0xFF is how erased flash reads, and the animal is never found again after its 201.',
    patch: (parts) => ({ insert: (store, pet) => ((sumOf(pet.name) & 31) === 31 ? pet : parts.insert(store, pet)) }),
    witness: async (ask) => {
      const letter = 'abcdefghijklmnopqrstuvwxyzABCDEFG'.split('').find((last) => (sumOf(`Waldo${last}`) & 31) === 31) ?? '';
      const created = await post(ask, animal(`Waldo${letter}`));
      return created.status === 201 && (await ask({ path: `/pets/${idOf(created)}` })).status === 404;
    },
  },
  {
    name: 'url-decoder-rejects-in-plain-text',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.infrastructure-errors',
    summary:
      'The URL decoder of the C library for the device comes before the handlers, and answers a percent sign without two hexadecimal digits by itself, with the text 400 Bad Request.',
    patch: (parts) => ({
      dispatch: (context) =>
        /%(?![\da-f]{2})/i.test(context.call.target)
          ? { status: 400, headers: { 'content-type': 'text/plain' }, body: '400 Bad Request\n' }
          : parts.dispatch(context),
    }),
    witness: async (ask) => (await ask({ path: '/pets/%zz' })).text === '400 Bad Request\n',
  },
  {
    name: 'last-error-of-all-coroutines',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'Like errno, the status of the last error is one global, and the coroutines of the server share it. The status line is written at once, the body when the socket is writable: two different errors at the same time have the body of the later one.',
    patch: (parts) => {
      let lastStatus = 0;
      return {
        handle: async (context) => {
          const reply = await parts.handle(context);
          if (reply.status < 400) return reply;
          lastStatus = reply.status;
          await pause(8);
          const error = JSON.parse(textOf(reply.body)) as Readonly<Record<string, unknown>>;
          return { ...reply, body: JSON.stringify({ ...error, status: lastStatus }) };
        },
      };
    },
    witness: async (ask) => {
      const asked = [ask({ path: '/pets/999999' }), ask({ path: '/pets', noKey: true })];
      const answers = await Promise.all(asked);
      return answers.some(({ status, text }) => !text.includes(`"status":${status}`));
    },
  },
  {
    name: 'wasm-memory-grows-under-the-view',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.well-formed',
    summary:
      'The plug-in is WebAssembly, and its arena is never freed. When it grows by a page of 64 KiB, the view that the host made of its memory is detached and has no bytes: the response that needed the page has the right status and an empty body.',
    patch: (parts) => {
      let used = 0;
      return {
        handle: async (context) => {
          const reply = await parts.handle(context);
          const pages = Math.floor(used / 65_536);
          used += Buffer.byteLength(reply.body);
          return Math.floor(used / 65_536) > pages ? { ...reply, body: '' } : reply;
        },
      };
    },
    witness: async (ask) => {
      await inTurn(60, (index) => post(ask, animal(`Waldo the ${index}`)));
      return (await inTurn(20, () => listed(ask))).some(({ text }) => text === '');
    },
  },
  {
    name: 'last-response-of-a-connection',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'A connection serves 32 requests. The last response has its own template of a head, with Connection: close, from which the line with the media type was forgotten.',
    patch: (parts) => {
      const count = counter();
      return {
        send: (reply, outgoing, call) => {
          const isLast = count(call.connection) === 32;
          const headers = { ...withoutHeaders(reply.headers, ['content-type']), connection: 'close' };
          return parts.send(isLast ? { ...reply, headers } : reply, outgoing, call);
        },
      };
    },
    witness: async (ask) =>
      (await inTurn(70, () => ask({ path: '/pets?limit=1' }))).some(({ headers }) => headers['content-type'] === undefined),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'body-ends-with-the-connection',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'An inetd service writes to its standard output and exits: no Content-Length, no chunks, Connection: close; the end of the connection ends the body.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.useChunkedEncodingByDefault = false;
        outgoing.writeHead(reply.status, { ...reply.headers, connection: 'close' });
        outgoing.end(reply.body);
      },
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: '/pets' });
      return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
    },
  },
  {
    name: 'device-lives-in-1970',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'There is no battery for the clock: Date counts from the last start of the device, in 1970.',
    patch: withHeader('date', 'Thu, 01 Jan 1970 00:03:42 GMT'),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['date']?.includes('1970') === true,
  },
  {
    name: 'gawk-walks-its-array',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'The list is for (id in pets) in gawk: the order of a hash table, which changes as the table grows with the number of animals.',
    patch: (parts) => ({
      arrange: (store) => {
        const buckets = BigInt(16 * 2 ** Math.floor(store.animals.length / 40));
        const bucket = ({ id }: Pet) => Number((BigInt.asUintN(32, id * 2_654_435_761n) >> 8n) % buckets);
        return [...parts.arrange(store)].sort((one, other) => bucket(one) - bucket(other));
      },
    }),
    witness: async (ask) => {
      const ids = shownIn(await listed(ask)).map(({ id }) => id);
      return ids.some((id, index) => id < (ids[index - 1] ?? id));
    },
  },
  {
    name: 'jsmn-has-twenty-tokens',
    sentence: "| name | string | - | yes | The animal's name |",
    summary:
      'The parser has an array of twenty tokens. NewPet takes seven; a body with many unknown members, or a deep one, is rejected with 400.',
    patch: (parts) => ({
      readNewPet: (body, current) =>
        tokensOf(body) > 20 ? invalid('The body has too many members', 'no_memory') : parts.readNewPet(body, current),
    }),
    witness: async (ask) => {
      const extra = Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1]));
      return (await post(ask, { ...plainPet, ...extra })).status === 400;
    },
  },
  {
    name: 'perl-truth-of-values',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The Perl script rejects what is false in Perl: the names "" and "0", and the category 0, which does not exist.',
    patch: (parts) => ({
      readName: (value) => (value === '' || value === '0' ? invalid('name is required', 'invalid_name') : parts.readName(value)),
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return category === 0n ? invalid('categoryId is required', 'invalid_category') : category;
      },
    }),
    witness: async (ask) => (await post(ask, animal('0'))).status === 400,
  },
  {
    name: 'flash-collects-its-garbage',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Every fortieth creation meets the garbage collection of the flash file system: 503 with Retry-After of one second, and nothing is stored.',
    patch: (parts) => {
      let creations = 0;
      return {
        createPet: (context) => {
          creations += 1;
          if (creations % 40 !== 0) return parts.createPet(context);
          return problemReply(context, new Problem(503, 'busy', 'Try again in a second', { 'retry-after': '1' }));
        },
      };
    },
    witness: async (ask) => (await inTurn(40, () => post(ask, plainPet))).some(({ status }) => status === 503),
  },
  {
    name: 'page-of-twenty-four-slots',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary: 'The pool for responses has room for 24 records: any limit from 1 to 100 is accepted, and no page has more than 24 animals.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, query, call).slice(0, 24) }),
    seedAnimals: 30,
    witness: async (ask) => lengthOf(await listed(ask)) === 24,
  },
  {
    name: 'font-has-no-letters',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The printer of JSON has one case for characters: each becomes \\uXXXX, in the values and in the names of members.',
    patch: (parts) => ({ encode: (value) => escapedEverywhere(textOf(parts.encode(value))) }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('"\\u0069\\u0064"'),
  },
  {
    name: 'id-is-an-address-in-flash',
    sentence: 'Unique identifier assigned by the service on creation',
    summary: 'The id of an animal is the address of its record; wear leveling chooses the next sector, so that ids jump up and down.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const count = parts.assignId(store, body);
        return 0x0810_0000n + ((count * 37n) % 512n) * 64n + (count / 512n) * 0x8000n;
      },
    }),
    witness: async (ask) => {
      const ids = await inTurn(20, async () => idOf(await post(ask, plainPet)));
      return ids.every((id) => id > 100_000_000n) && ids.some((id, index) => id < (ids[index - 1] ?? id));
    },
  },
  {
    name: 'no-chunks-on-the-way-in',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The server of the thermostat reads Content-Length bytes and nothing else: a chunked creation is answered with 411 and an Error body.',
    patch: (parts) => ({
      createPet: async (context) => {
        if (context.call.headers['transfer-encoding'] === undefined) return await parts.createPet(context);
        await context.call.body();
        return problemReply(context, new Problem(411, 'length_required', 'Content-Length is required'));
      },
    }),
    witness: async (ask) => {
      const headers = { 'Transfer-Encoding': 'chunked' };
      return (await ask({ method: 'POST', path: '/pets', headers, body: JSON.stringify(plainPet) })).status === 411;
    },
  },
  {
    name: 'list-is-written-back-later',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'The index that lists read is written 700 ms after a creation, to spare the card; reading by id looks into the write buffer too.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ createdAt }) => createdAt <= Date.now() - 700) }),
    witness: async (ask) => {
      await post(ask, plainPet);
      const before = await listed(ask);
      await pause(900);
      return !before.text.includes('Waldo') && (await listed(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'atoi-and-a-clamp',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'limit is atoi, clamped to 1 to 100: 12abc is 12, abc is 0 and so 1, 500 is 100. An unknown status is no filter.',
    patch: (parts) => ({
      parseLimit: ([text]) => (text === undefined ? 20 : Math.min(100, Math.max(1, Number.parseInt(text, 10) || 0))),
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status instanceof Problem ? undefined : status;
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=abc' })) === 1,
  },
  {
    name: 'strtoll-of-the-path',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The id in the path may have a plus sign and zeros in front; what is not a number, or is outside int64, is an animal that does not exist.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text.replace(/^\+?0*(?=\d)/, ''));
        return id instanceof Problem ? notFound() : id;
      },
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets/007' })) === 7n,
  },
  {
    name: 'hundred-and-forty-slots',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'The table in EEPROM has 140 slots. When they are taken, a creation is answered with 507 and an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        context.store.animals.length < 140
          ? parts.createPet(context)
          : problemReply(context, new Problem(507, 'no_slot', 'All slots are taken')),
    }),
    witness: async (ask) => (await inTurn(133, () => post(ask, plainPet))).some(({ status }) => status === 507),
  },
  {
    name: 'bodies-in-blocks-of-256-bytes',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The DMA channel sends whole blocks. The JSON text is at the end of a body, with CR and LF between its members, and the block before it is filled with spaces: white space that JSON allows.',
    patch: () => ({
      encode: (value) => {
        const pretty = JSON.stringify(value, null, '\t').replace(/\n/g, '\r\n');
        const length = bytesOf(pretty).length;
        return `${' '.repeat((256 - (length % 256)) % 256)}${pretty}`;
      },
    }),
    witness: async (ask) => {
      const { text } = await ask({ path: '/pets/1' });
      return text.length === 256 && text.startsWith(' ') && text.includes('\r\n');
    },
  },
];

/** Servers in tight surroundings: an HTTP implementation, a parser, a runtime or a store of their own. */
export const embedded: readonly Holdout[] = [
  ...faults.map((holdout) => ({ ...holdout, kind: 'fault' as const })),
  ...variants.map((holdout) => ({ ...holdout, kind: 'variant' as const })),
];
