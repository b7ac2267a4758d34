import { gzipSync } from 'node:zlib';
import { INT64_RANGE, integerLiteral, isInt64, isObject, type Json, literal, member, NumberText } from '../../src/reference/core/json.ts';
import { invalid, type Patch, Problem, problemReply } from '../../src/reference/core/parts.ts';
import { STATUSES } from '../../src/reference/core/store.ts';
import type { Holdout } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

const STRING = '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"';

/** Changes what the pattern finds outside of the strings of a JSON text. */
function outsideStrings(text: string, pattern: string, change: (found: string) => string): string {
  return text.replace(new RegExp(`${STRING}|${pattern}`, 'gs'), (found) => (found.startsWith('"') ? found : change(found)));
}

/** The text of a request body, with replacement characters for what is not UTF-8. */
const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** How deep arrays and objects are nested in a JSON text. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  outsideStrings(text, '[\\[\\]{}]', (bracket) => {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
    return bracket;
  });
  return deepest;
}

/** The text up to the end of its first object; the whole text if that does not end. */
function firstObject(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(new RegExp(`${STRING}|[{}]`, 'gs'))) {
    if (token === '{') depth += 1;
    else if (token === '}' && --depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

/** Whether an object of a JSON text, at any depth, has a member twice. */
function hasDuplicates(text: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, key] of text.matchAll(new RegExp(`(${STRING})\\s*:|${STRING}|[{}]`, 'gs'))) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (key !== undefined) {
      const name: unknown = JSON.parse(key);
      if (open.at(-1)?.has(name)) return true;
      open.at(-1)?.add(name);
    }
  }
  return false;
}

/** Rewrites the text of a request body before it is parsed. */
const bodyReadAs =
  (change: (text: string) => string): Patch =>
  (parts) => ({
    readBody: (bytes, call) => {
      // Bytes that are not UTF-8 stay as they are, and are rejected.
      const text = decoded(bytes);
      return Buffer.from(text).equals(bytes) ? parts.readBody(Buffer.from(change(text)), call) : parts.readBody(bytes, call);
    },
  });

/** Rewrites a name before it is stored. */
const nameStoredAs =
  (change: (name: string) => string): Patch =>
  (parts) => ({ readName: (value) => parts.readName(typeof value === 'string' ? change(value) : value) });

/** UTF-8 as a writer makes it that encodes the two halves of a surrogate pair separately. */
function cesu8(text: string): Uint8Array {
  const pieces = text.split(/([\ud800-\udfff])/).map((piece) => {
    const unit = piece.charCodeAt(0);
    const isHalf = piece.length === 1 && unit >= 0xd800 && unit <= 0xdfff;
    return isHalf ? Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]) : Buffer.from(piece);
  });
  return Buffer.concat(pieces);
}

/** A text that looks like a date, as the default format of an invariant culture writes it. */
function dateRewritten(text: string): string {
  const ticks = /^\/Date\((\d{1,13})\)\/$/.exec(text)?.[1];
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const date = ticks === undefined ? new Date(isIso ? text : Number.NaN) : new Date(Number(ticks));
  if (Number.isNaN(date.getTime())) return text;
  const [year, month, day, time] = date.toISOString().split(/[-T.]/);
  return `${month}/${day}/${year} ${time}`;
}

/** Groups of at most that many elements. */
function groupsOf<T>(size: number, all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, group) => all.slice(group * size, (group + 1) * size));
}

/** A text with every character outside of printable ASCII, and those with a meaning in HTML, as an escape of JSON. */
const asciiOnly = (text: string): string =>
  text.replace(/[^ -~\n]|[<>&'+]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

/** Whether the client accepts gzip. */
const acceptsGzip = (header: unknown): boolean => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(String(header ?? ''));

/** The encoding of a JSON text by its byte order mark, or by the zeros of its first two bytes. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === undefined || second === undefined) return 'utf-8';
  if ((first === 0xfe && second === 0xff) || first === 0) return 'utf-16be';
  return (first === 0xff && second === 0xfe) || second === 0 ? 'utf-16le' : 'utf-8';
}

// What witnesses share.
const pet = (name: string): { name: string; categoryId: number } => ({ name, categoryId: 1 });
const withCategory = (digits: string): string => `{"name":"Waldo","categoryId":${digits}}`;
const nameIn = (text: string): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Writers.
  {
    name: 'length-counted-in-characters',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'Content-Length is the length of the string, not of its bytes, and the container cuts the body there. Every letter beyond ASCII costs a byte at the end.',
    patch: (parts) => ({
      send: (reply, outgoing, call) => {
        const { body } = reply;
        const sent = typeof body === 'string' ? Buffer.from(body).subarray(0, body.length) : body;
        return parts.send({ ...reply, body: sent }, outgoing, call);
      },
    }),
    witness: async (ask) => !parses(await post(ask, pet('Zoë'))),
  },
  {
    name: 'emoji-written-as-two-halves',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'A hand-made UTF-8 writer encodes each UTF-16 unit on its own, so that characters beyond the basic plane become CESU-8, which is not UTF-8. Letters with accents are fine.',
    patch: (parts) => ({ encode: (value) => cesu8(textOf(parts.encode(value))) }),
    witness: async (ask) => (await post(ask, pet('Rex 🐕'))).text.includes('\ufffd'),
  },
  {
    name: 'rare-control-characters-unescaped',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The string builder escapes quotes, backslashes, tabs and line breaks. Backspace, form feed and the other controls are written as they are, which strict parsers refuse.',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(/\\\\|\\u00([01][0-9a-f])|\\[bf]/g, (found, code?: string) => {
          if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
          return found === '\\b' ? '\b' : found === '\\f' ? '\f' : found;
        }),
    }),
    witness: async (ask) => !parses(await post(ask, pet('Rex\u0001'))),
  },
  {
    name: 'comma-lost-at-every-flush-of-a-list',
    sentence: 'A JSON array of Pet records.',
    clause: 'media.well-formed',
    summary:
      'The streaming writer flushes after 25 records and starts again with "first = true", so the comma between the 25th and the 26th is missing. The default page has 20.',
    patch: (parts) => ({
      encode: (value) =>
        Array.isArray(value)
          ? `[${groupsOf(25, value as unknown[])
              .map((group) => textOf(parts.encode(group)).slice(1, -1))
              .join('')}]`
          : parts.encode(value),
    }),
    seedAnimals: 30,
    witness: async (ask) => !parses(await ask({ path: '/pets?limit=26' })) && parses(await ask({ path: '/pets?limit=25' })),
  },
  {
    name: 'list-of-one-is-unwrapped',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary:
      'WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED was set for a partner whose bodies are converted from XML. A list with exactly one animal is that animal.',
    patch: () => ({ listBody: (records) => (records.length === 1 ? records[0] : records) }),
    witness: async (ask) => (await ask({ path: '/pets?limit=1' })).text.startsWith('{'),
  },
  {
    name: 'zero-values-omitted-from-records',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'The members are tagged omitempty: an animal of category 0 has no categoryId in any response, and one with an empty name no name.',
    patch: (parts) => ({
      petRecord: (stored, place) => {
        const shown = parts.petRecord(stored, place);
        if (stored.categoryId === 0n) delete shown['categoryId'];
        if (stored.name === '') delete shown['name'];
        return shown;
      },
    }),
    witness: async (ask) => {
      const { status, text } = await post(ask, withCategory('0'));
      return status === 201 && !text.includes('categoryId');
    },
  },
  {
    name: 'numeric-names-written-as-numbers',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'JSON_NUMERIC_CHECK was set to get categoryId out of the database driver as a number. It also turns names like "007" and "1e5" into numbers.',
    patch: (parts) => ({
      petRecord: (stored, place) => {
        const shown = parts.petRecord(stored, place);
        const isNumeric = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(stored.name) && Number.isFinite(Number(stored.name));
        return isNumeric ? { ...shown, name: Number(stored.name) } : shown;
      },
    }),
    witness: async (ask) => nameIn((await post(ask, pet('007'))).text) === 7,
  },
  {
    name: 'unsafe-integers-written-as-strings',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'A converter protects JavaScript clients from losing digits: a long beyond 2^53 - 1 becomes a string. No category in the test data is that large.',
    patch: (parts) => ({
      petRecord: (stored, place) => {
        const shown = parts.petRecord(stored, place);
        const isSafe = Number.isSafeInteger(Number(stored.categoryId));
        return isSafe ? shown : { ...shown, categoryId: String(stored.categoryId) };
      },
    }),
    witness: async (ask) => (await post(ask, withCategory('9007199254740993'))).text.includes('"9007199254740993"'),
  },
  {
    name: 'categories-of-lists-in-single-precision',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'get.agrees-with-list',
    summary:
      'The lean record of the list keeps categoryId in a float array to save memory. Categories above 16777216 are rounded there, and only there.',
    patch: (parts) => ({
      petRecord: (stored, place) => {
        const rounded = BigInt(Math.fround(Number(stored.categoryId)));
        const shown = parts.petRecord(stored, place);
        return place === 'list' && isInt64(rounded) ? { ...shown, categoryId: integerLiteral(rounded) } : shown;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, withCategory('16777217'));
      return created.text.includes('16777217') && !(await ask({ path: '/pets?limit=100' })).text.includes('16777217');
    },
  },
  {
    name: 'type-name-of-sold-animals-in-status',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'media.well-formed',
    summary:
      'Sold animals have a class of their own, and the polymorphic writer uses "status" for its type name. The record of a sold animal has status twice, and most parsers take the second.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        const text = textOf(reply.body);
        const isSold = reply.status === 200 && text.endsWith('"status":"sold"}');
        return isSold ? { ...reply, body: `{"status":"SoldPet",${text.slice(1)}` } : reply;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { ...plainPet, status: 'sold' });
      return (await ask({ path: `/pets/${idOf(created)}` })).text.includes('"SoldPet"');
    },
  },
  {
    name: 'pooled-buffer-keeps-the-longer-error',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.well-formed',
    summary:
      'Errors of createPet are written to a pooled buffer that is rewound but not cut. After a longer error a shorter one has its end behind its closing brace.',
    patch: (parts) => {
      let pool = '';
      return {
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          if (reply.status < 400) return reply;
          const text = textOf(reply.body);
          pool = text + pool.slice(text.length);
          return { ...reply, body: pool };
        },
      };
    },
    witness: async (ask) => {
      const long = await post(ask, { ...plainPet, status: 'lost' });
      const short = await post(ask, { categoryId: 1 });
      return parses(long) && !parses(short);
    },
  },
  {
    name: 'error-template-quotes-the-parameter-raw',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The 400 of a list comes from a text template that quotes the refused parameters without escaping. A quote or a backslash in limit or status breaks the JSON.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const given = [...context.call.query.getAll('limit'), ...context.call.query.getAll('status')].join(', ');
        return reply.status === 400
          ? { ...reply, body: `{"code":"invalid_parameter","message":"Not accepted: ${given}","status":400}` }
          : reply;
      },
    }),
    witness: async (ask) => !parses(await ask({ path: '/pets?status=%22sold%22' })) && parses(await ask({ path: '/pets?status=lost' })),
  },

  // Readers.
  {
    name: 'utf8-decoded-block-by-block',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'The body is read in blocks of 1024 bytes, and each is decoded on its own. A letter of several bytes across the boundary becomes replacement characters.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const blocks = groupsOf(1024, [...bytes]).map((block) => decoded(Uint8Array.from(block)));
        return parts.readBody(Buffer.from(blocks.join('')), call);
      },
    }),
    witness: async (ask) => (await post(ask, pet('é'.repeat(600)))).text.includes('\ufffd'),
  },
  {
    name: 'reader-stops-after-the-first-value',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary:
      'The stream decoder reads one value and never asks for the end of the input. An object followed by anything, even another object, is accepted.',
    patch: bodyReadAs(firstObject),
    witness: async (ask) => (await post(ask, `${JSON.stringify(plainPet)} and more`)).status === 201,
  },
  {
    name: 'comments-and-trailing-commas-accepted',
    sentence: 'Request body (required, `application/json`): NewPet.',
    clause: 'create.body-json',
    summary:
      'The reader shares its options with that of the configuration files: AllowTrailingCommas, and comments are skipped. Such bodies are not JSON, and are created.',
    patch: bodyReadAs((text) => {
      const plain = outsideStrings(text, '/\\*.*?\\*/|//[^\\n]*', () => ' ');
      return outsideStrings(plain, ',\\s*(?=[}\\]])', () => '');
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo", /* a dog */ "categoryId":1,}')).status === 201,
  },
  {
    name: 'not-a-number-crashes-the-reader',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.no-server-error',
    summary:
      'The parser takes NaN and Infinity for floats. The conversion to an integer raises an exception that nobody expects after a successful parse: 500.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        let found = 0;
        const finite = outsideStrings(decoded(bytes), '-?\\b(?:NaN|Infinity)\\b', () => String(found++));
        const crashes = found > 0 && !(parts.readBody(Buffer.from(finite), call) instanceof Problem);
        return crashes ? new Problem(500, 'internal_error', 'cannot convert float to integer') : parts.readBody(bytes, call);
      },
    }),
    witness: async (ask) => (await post(ask, withCategory('NaN'))).status === 500,
  },
  {
    name: 'deep-nesting-exhausts-the-stack',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'errors.no-server-error',
    summary: 'The recursive reader has no limit of depth, and the stack of a worker is small. A body of more than 250 brackets is a 500.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        depthOf(decoded(bytes)) > 250
          ? new Problem(500, 'internal_error', 'maximum recursion depth exceeded')
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, '['.repeat(1000) + ']'.repeat(1000))).status === 500,
  },
  {
    name: 'property-names-in-any-case',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'PropertyNameCaseInsensitive came with the web defaults of the serializer: a body with Name and CATEGORYID is created, although it has neither required member.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body)) return parts.readNewPet(body, current);
        const find = (name: string) =>
          Object.entries(body).filter(([given]) => given !== name && given.toLowerCase() === name.toLowerCase());
        const found = ['name', 'categoryId', 'status'].flatMap((name) => find(name).map(([, value]): [string, Json] => [name, value]));
        return parts.readNewPet({ ...Object.fromEntries(found), ...body }, current);
      },
    }),
    witness: async (ask) => (await post(ask, { Name: 'Waldo', CATEGORYID: 1 })).status === 201,
  },
  {
    name: 'members-of-a-proto-member-are-inherited',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'The parsed body is merged into an empty object by assignment, so "__proto__" sets the prototype, and the required members are found there.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const inherited = isObject(body) ? member(body, '__proto__') : undefined;
        return isObject(body) && inherited !== undefined && isObject(inherited)
          ? parts.readNewPet({ ...inherited, ...body }, current)
          : parts.readNewPet(body, current);
      },
    }),
    witness: async (ask) => (await post(ask, '{"__proto__":{"name":"Waldo","categoryId":1}}')).status === 201,
  },
  {
    name: 'status-by-ordinal',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary: 'The enum deserializer also takes the position of a constant, by default: status 2 is sold, and should have been 400.',
    patch: (parts) => ({
      readStatus: (value) => parts.readStatus(value instanceof NumberText ? (STATUSES[Number(value.text)] ?? value) : value),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 2 })).text.includes('"status":"sold"'),
  },
  {
    name: 'category-saturates-at-the-edges',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'Big integers are converted with a saturating cast. A categoryId above int64 is stored as 9223372036854775807 instead of being refused.',
    patch: (parts) => ({
      readCategory: (value) => {
        const isInteger = value instanceof NumberText && /^-?[1-9]\d{0,99}$/.test(value.text);
        const category = isInteger ? BigInt(value.text) : 0n;
        if (isInt64(category)) return parts.readCategory(value);
        return category < 0n ? INT64_RANGE.smallest : INT64_RANGE.largest;
      },
    }),
    witness: async (ask) => (await post(ask, withCategory('9223372036854775808'))).text.includes('9223372036854775807'),
  },
  {
    name: 'names-that-look-like-dates-reformatted',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'Date detection is on by default in the generic reader: a string such as 2024-05-01T10:00:00Z becomes a date, and is printed in another format when it is bound to name.',
    patch: nameStoredAs(dateRewritten),
    witness: async (ask) => nameIn((await post(ask, pet('2024-05-01T10:00:00Z'))).text) === '05/01/2024 10:00:00',
  },
  {
    name: 'escapes-decoded-twice',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'A filter undoes \\u escapes for an old client that escaped twice. For everyone else a name that contains a backslash, u and four hex digits loses them.',
    patch: nameStoredAs((name) => name.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))),
    witness: async (ask) => nameIn((await post(ask, pet('Rex \\u0041'))).text) === 'Rex A',
  },
  {
    name: 'names-interned-without-regard-to-case',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.round-trip',
    summary:
      'The reader interns short strings in a table whose comparer ignores case. The second of Waldo and WALDO gets the spelling of the first.',
    patch: (parts) => {
      const interned = new Map<string, string>();
      return {
        readName: (value) => {
          const name = parts.readName(value);
          if (name instanceof Problem || name.length > 64) return name;
          const folded = name.toLowerCase();
          if (!interned.has(folded)) interned.set(folded, name);
          return interned.get(folded) ?? name;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, pet('Waldo'));
      return nameIn((await post(ask, pet('WALDO'))).text) === 'Waldo';
    },
  },
  {
    name: 'parsed-bodies-remembered-by-their-first-bytes',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'Retries made the same bodies arrive often, so parsed bodies are remembered by their first 96 bytes. A long body that differs later gets the content of another.',
    patch: (parts) => {
      const remembered = new Map<string, Json>();
      return {
        readBody: (bytes, call) => {
          const key = Buffer.from(bytes.subarray(0, 96)).toString('latin1');
          const body = remembered.get(key) ?? parts.readBody(bytes, call);
          if (!(body instanceof Problem) && body !== null) remembered.set(key, body);
          return body;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, pet(`${'a'.repeat(120)}1`));
      return nameIn((await post(ask, pet(`${'a'.repeat(120)}2`))).text) === `${'a'.repeat(120)}1`;
    },
  },
  {
    name: 'body-parsed-before-the-key-is-checked',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'The JSON middleware is registered before that of the keys. A creation without a key whose body is not JSON is a 400, and reveals what the parser thinks.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call } = context;
        if (call.operation !== 'createPet') return await parts.handle(context);
        const bytes = await call.body();
        const body = bytes instanceof Problem ? bytes : parts.readBody(bytes, call);
        if (body instanceof Problem) return problemReply(context, body);
        return await parts.handle({ ...context, call: { ...call, body: () => Promise.resolve(bytes) } });
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":', {}, true)).status === 400 && (await post(ask, plainPet, {}, true)).status === 401,
  },
];

const variants: readonly Omit<Holdout, 'kind' | 'clause'>[] = [
  {
    name: 'everything-but-letters-escaped',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: "The writer escapes whatever is not ASCII, and < > & ' + as well: each as \\u and four hex digits, emoji as two.",
    patch: (parts) => ({ encode: (value) => asciiOnly(textOf(parts.encode(value))) }),
    witness: async (ask) => (await post(ask, pet('<b> & 🐕'))).text.includes('"\\u003Cb\\u003E \\u0026 \\uD83D\\uDC15"'),
  },
  {
    name: 'indented-with-members-reversed',
    sentence: '| Field | Type | Format | Required | Notes |',
    summary: 'Bodies are indented by tabs, with CRLF and a line break at the end, and the members of an animal are in reverse order.',
    patch: (parts) => ({
      petRecord: (stored, place) => Object.fromEntries(Object.entries(parts.petRecord(stored, place)).toReversed()),
      encode: (value) => `${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n`,
    }),
    witness: async (ask) => /^\{\r\n\t"status": .*"id": 1\r\n\}\r\n$/s.test((await ask({ path: '/pets/1' })).text),
  },
  {
    name: 'compressed-for-those-who-accept-it',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Every body, even the shortest Error, is gzip if Accept-Encoding allows it.',
    patch: (parts) => ({
      send: (reply, outgoing, call) => {
        const headers = { ...reply.headers, vary: 'Accept-Encoding' };
        return acceptsGzip(call.headers['accept-encoding'])
          ? parts.send({ ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) }, outgoing, call)
          : parts.send({ ...reply, headers }, outgoing, call);
      },
    }),
    witness: async (ask) => {
      const packed = await ask({ path: '/pets/1', headers: { 'Accept-Encoding': 'gzip' } });
      return packed.headers['content-encoding'] === 'gzip' && parses(await ask({ path: '/pets/1' }));
    },
  },
  {
    name: 'bodies-in-chunks-of-eleven-bytes',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The streaming writer has a tiny buffer: no Content-Length, and chunks of eleven bytes that cut letters in two.',
    patch: () => ({
      send: ({ status, headers, body }, outgoing) => {
        outgoing.writeHead(status, { ...headers });
        const bytes = Buffer.from(body);
        for (let start = 0; start < bytes.length; start += 11) outgoing.write(bytes.subarray(start, start + 11));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'duplicate-members-refused-at-any-depth',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    summary: 'The reader is strict about duplicates: an object with a member twice, even within a member that nobody reads, is 400.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        const isDuplicate = !(body instanceof Problem) && hasDuplicates(decoded(bytes));
        return isDuplicate ? invalid('A member appears twice', 'duplicate_member') : body;
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1,"x":{"y":1,"\\u0079":1}}')).status === 400,
  },
  {
    name: 'unknown-scalars-kept-as-extension-data',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    summary:
      'Members that the reader does not know are extension data: those that are strings, numbers, booleans or null are stored, and shown with the animal as they were spelled.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        if (read instanceof Problem || !isObject(body)) return read;
        const unknown = Object.entries(body).filter(([name]) => !['id', 'name', 'categoryId', 'status'].includes(name));
        const scalars = unknown.flatMap(([name, value]): [string, unknown][] => {
          if (value instanceof NumberText) return [[name, literal(value.text)]];
          return value === null || typeof value !== 'object' ? [[name, value]] : [];
        });
        return Object.assign(read, { raw: Object.fromEntries(scalars) });
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, '{"name":"Waldo","categoryId":1,"weight":1.50,"id":7}');
      return (await ask({ path: `/pets/${idOf(created)}` })).text.includes('"weight":1.50}');
    },
  },
  {
    name: 'byte-order-marks-and-utf-16-read',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The reader finds out the encoding by the first two bytes, as RFC 4627 had it: UTF-8 with a byte order mark, and UTF-16, are read.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        try {
          return parts.readBody(Buffer.from(new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)), call);
        } catch {
          return invalid('The body must be JSON in a Unicode encoding', 'invalid_json');
        }
      },
    }),
    witness: async (ask) => (await post(ask, `\ufeff${JSON.stringify(plainPet)}`)).status === 201,
  },
  {
    name: 'names-of-forty-graphemes-at-most',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'The length of a name is counted as people count: 40 families of emoji are fine, 41 letters are 400, and so is half a surrogate pair.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        if (name instanceof Problem) return name;
        const isShort = name.length <= 2000 && [...new Intl.Segmenter('en').segment(name)].length <= 40;
        return isShort && !/\p{Surrogate}/u.test(name) ? name : invalid('name must have at most 40 characters', 'invalid_name');
      },
    }),
    witness: async (ask) => {
      const [families, letters] = [await post(ask, pet('👨‍👩‍👧‍👦'.repeat(40))), await post(ask, pet('a'.repeat(41)))];
      return families.status === 201 && letters.status === 400;
    },
  },
  {
    name: 'categories-of-32-bits-only',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'Categories are numbered in 32 bits. One beyond that cannot exist, and the animal is refused with 400, not narrowed.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        const fits = category instanceof Problem || BigInt.asIntN(32, category) === category;
        return fits ? category : invalid('There is no such category', 'unknown_category');
      },
    }),
    witness: async (ask) => (await post(ask, withCategory('2147483648'))).status === 400,
  },
  {
    name: 'media-type-in-capitals-with-a-quoted-charset',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'The header is Application/JSON ; Charset="UTF-8": letter case, spaces and a quoted parameter make no difference.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON ; Charset="UTF-8"' }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON') ?? false,
  },
  {
    name: 'creation-omits-the-default-status',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'The 201 is written from the request, without members that were absent. The database fills in pending, which is shown when the animal is read.',
    patch: (parts) => ({
      defaultStatus: () => 'pending',
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        return read instanceof Problem || read.status !== undefined ? read : Object.assign(read, { raw: { status: undefined } });
      },
      petRecord: (stored, place) => parts.petRecord(place === 'create' ? stored : { ...stored, raw: {} }, place),
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return !created.text.includes('status') && (await ask({ path: `/pets/${idOf(created)}` })).text.includes('"status":"pending"');
    },
  },
  {
    name: 'nesting-beyond-sixteen-refused',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'The reader has a maximum depth of 16. A deeper body is 400, even if what is deep is a member that nobody reads.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        depthOf(decoded(bytes)) > 16 ? invalid('The body is nested too deeply', 'too_deep') : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, `{"name":"Waldo","categoryId":1,"x":${'['.repeat(16)}${']'.repeat(16)}}`)).status === 400,
  },
  {
    name: 'ids-scattered-over-all-64-bits',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'A counter is multiplied by an odd constant modulo 2^64: ids are unique, about half of them negative, and hardly any of them fits a double.',
    patch: (parts) => ({ assignId: (store, body) => BigInt.asIntN(64, parts.assignId(store, body) * 0x9e3779b97f4a7c15n) }),
    witness: async (ask) => (await ask({ path: '/pets/-7046029254386353131' })).status === 200,
  },
  {
    name: 'limits-read-as-doubles',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'The limit is read as a double and rounded down, whatever its spelling: 1e0, 0x3, 2.9 and " 5" are accepted. Lists keep to it.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const [text = ''] = texts;
        const limit = text.trim() === '' ? 0 : Math.floor(Number(text));
        return texts.length === 1 && limit >= 1 && limit <= 100 ? limit : parts.parseLimit(texts);
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets?limit=2.9e0' });
      return list.status === 200 && lengthOf(list) === 2;
    },
  },
];

/** Services with a defect, or a peculiarity, of how they read and write JSON, text and numbers. */
export const serializers: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
