import { gzipSync } from 'node:zlib';
import { isObject, type Json, literal, NumberText } from '../../src/reference/core/json.ts';
import { invalid, type Patch, Problem } from '../../src/reference/core/parts.ts';
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
    name: 'escapes-decoded-twice',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'A filter undoes \\u escapes for an old client that escaped twice. For everyone else a name that contains a backslash, u and four hex digits loses them.',
    patch: nameStoredAs((name) => name.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))),
    witness: async (ask) => nameIn((await post(ask, pet('Rex \\u0041'))).text) === 'Rex A',
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
