import { bearerToken } from '../../src/reference/core/base.ts';
import { INT64_RANGE, isInt64, isObject, type Json, literal, NumberText } from '../../src/reference/core/json.ts';
import {
  invalid,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, type Status, type Store } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { parses, plainPet, post, textOf } from './witness.ts';

/** The body as other bytes. */
const bytesRead =
  (change: (bytes: Buffer) => Buffer): Patch =>
  (parts) => ({ readBody: (bytes, call) => parts.readBody(change(Buffer.from(bytes)), call) });

/** The body as another text; a byte is a character. */
const scanned = (change: (latin1: string) => string): Patch =>
  bytesRead((bytes) => Buffer.from(change(bytes.toString('latin1')), 'latin1'));

/** Names as a read shows them, while the response to the creation shows what was sent. */
const nameRead =
  (change: (name: string) => unknown): Patch =>
  (parts) => ({
    petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...(place === 'create' ? {} : { name: change(pet.name) }) }),
  });

/** The same text with its JSON strings left out. */
const outsideStrings = (json: string): string => json.replace(/"(?:[^"\\]|\\.)*"/gs, '');

/** The aliases that the library replaces when it reads a column back. */
const EMOJI_OF_ALIAS: ReadonlyMap<string, string> = new Map([
  ['cat', '\u{1f431}'],
  ['dog', '\u{1f436}'],
  ['fish', '\u{1f41f}'],
  ['heart', '\u2764\ufe0f'],
  ['rabbit', '\u{1f430}'],
  ['smile', '\u{1f604}'],
]);

/** Characters at which Python's str.splitlines() ends a line, and that JSON does not have to escape. */
const PYTHON_LINE_END = /[\u0085\u2028\u2029]/;

const withoutBrokenLines = (pets: readonly Pet[]): readonly Pet[] => pets.filter(({ name }) => !PYTHON_LINE_END.test(name));

/** What an unquoted word is in YAML 1.1. */
function yamlScalar(word: string): unknown {
  if (/^(?:null|~)$/i.test(word)) return null;
  if (/^(?:yes|on|true)$/i.test(word)) return true;
  return /^(?:no|off|false)$/i.test(word) ? false : word;
}

/** A guess of the encoding: one character in UTF-8 is weaker evidence for it than for Latin-1. */
function guessed(bytes: Buffer): Buffer {
  const beyondAscii = [...bytes.toString('utf8')].filter((character) => character > '\x7f');
  return beyondAscii.length === 1 ? Buffer.from(new TextDecoder('windows-1252').decode(bytes), 'utf8') : bytes;
}

/** A hexadecimal number by a scanner that subtracts the code of a small letter. */
const misreadHex = (digits: string): number =>
  [...digits].reduce((value, digit) => value * 16 + (/[A-F]/.test(digit) ? digit.charCodeAt(0) - 87 : Number.parseInt(digit, 16)), 0) &
  0xffff;

/** Whether a text could still become JSON if more of it came. */
function isCutOff(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const message = String(error);
    return message.includes('Unexpected end') || Number(/at position (\d+)/.exec(message)?.[1]) === text.length;
  }
}

/** Members in snake case or kebab case are camel case. */
const camelized = (body: { readonly [member: string]: Json }): Json =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase()), value]),
  );

/** A number of floating point as an integer of 64 bits, as `as i64` in Rust: what does not fit is the nearest bound. */
function saturated(value: number): bigint {
  if (value >= 2 ** 63) return INT64_RANGE.largest;
  return value <= -(2 ** 63) ? INT64_RANGE.smallest : BigInt(value);
}

/** Digits in groups of three, as the German locale has them. */
const grouped = (value: bigint): string => value.toString().replace(/\B(?=(?:\d{3})+$)/g, '.');

/** A binary search by number in an array that is sorted as text. */
function searched(store: Store, id: bigint): Pet | undefined {
  const sorted = store.animals.map((pet) => pet.id).sort((one, other) => (String(one) < String(other) ? -1 : 1));
  let [low, high] = [0, sorted.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = sorted[middle] ?? 0n;
    if (found === id) return store.byId.get(id);
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** The members, beginning with one further back. */
const turned = (record: object, by: number): Record<string, unknown> => {
  const members = Object.entries(record);
  const first = by % Math.max(1, members.length);
  return Object.fromEntries([...members.slice(first), ...members.slice(0, first)]);
};

/** The integer that a JSON number is equal to, whatever its notation. */
function wholeNumber(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (whole === '' || text.length > 400 || Math.abs(shift) > 400) return undefined;
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && digits % scale !== 0n) return undefined;
  const value = shift < 0 ? digits / scale : digits * scale;
  return sign === '-' ? -value : value;
}

/** The text of a body in the encoding that its first bytes declare. */
function unmarked(bytes: Buffer): Buffer {
  const mark = bytes.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return bytes.subarray(3);
  if (mark.startsWith('fffe')) return Buffer.from(new TextDecoder('utf-16le').decode(bytes), 'utf8');
  return mark.startsWith('feff') ? Buffer.from(new TextDecoder('utf-16be').decode(bytes), 'utf8') : bytes;
}

/** Whether a member looks like a misspelled member of NewPet. */
function isSlip(key: string): boolean {
  const members = ['name', 'categoryId', 'status'];
  const letters = key.toLowerCase().replace(/[^a-z]/g, '');
  if (members.includes(key) || letters.length < 3) return false;
  return members.some((member) => member.toLowerCase().startsWith(letters) || letters.startsWith(member.toLowerCase()));
}

/** Whether the text is a nickname as PRECIS prepares it: composed, no invisible characters, no blanks at its ends or twice in a row. */
const isNickname = (text: string): boolean =>
  text !== '' && text === text.normalize('NFKC') && text === text.trim() && !/\p{C}|\p{Zl}|\p{Zp}| {2}/u.test(text);

const JAPANESE: ReadonlyMap<number, string> = new Map([
  [400, 'リクエストに誤りがあります。\n\t「名前」は "文字列" でなければなりません。\\ 400'],
  [401, '認証が必要です。\r\n有効な "API キー" を送ってください。'],
  [404, '見つかりません。\u2028お探しの動物は存在しません 🐾'],
]);

// What witnesses share.
type Shown = { readonly id: number; readonly name: unknown; readonly categoryId: number; readonly status: string };
const shownBy = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const listedBy = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as readonly Shown[];
const listed = async (ask: Ask, query = 'limit=100') => listedBy(await ask({ path: `/pets?${query}` }));
const authorized = async (ask: Ask, authorization: string) =>
  (await ask({ path: '/pets', noKey: true, headers: { Authorization: authorization } })).status === 200;
const named = (ask: Ask, name: string) => post(ask, { name, categoryId: 1 });

/** Whether a creation shows the name that was sent, and a read another one. */
async function readsOtherName(ask: Ask, name: string): Promise<boolean> {
  const created = shownBy(await named(ask, name));
  return created.name === name && shownBy(await ask({ path: `/pets/${created.id}` })).name !== name;
}

/** Whether a creation shows another name than the one that was sent. */
const showsOtherName = async (ask: Ask, name: string) => {
  const created = await named(ask, name);
  return created.status === 201 && shownBy(created).name !== name;
};

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Keys and schemes as text.
  {
    name: 'key-compared-by-culture',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'string.Compare(token, key) == 0 in .NET, like localeCompare in JavaScript, collates: characters without a weight, such as a soft hyphen, do not count, and a key with one in it is let in.',
    patch: () => ({
      authenticate: (call, apiKey) =>
        bearerToken(call.headers.authorization)?.localeCompare(apiKey, 'en') === 0 ? undefined : unauthorized(),
    }),
    witness: (ask) => authorized(ask, `Bearer ${KEY.slice(0, 2)}\u00ad${KEY.slice(2)}`),
  },
  {
    name: 'key-compared-after-base64',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      "Keys are issued as base64url, and so both sides are decoded before timingSafeEqual. Node's decoder skips whatever is not in its alphabet and stops at padding: many texts decode to the bytes of the key.",
    patch: () => ({
      authenticate: (call, apiKey) => {
        const token = Buffer.from(bearerToken(call.headers.authorization) ?? '', 'base64');
        return token.equals(Buffer.from(apiKey, 'base64')) ? undefined : unauthorized();
      },
    }),
    witness: (ask) => authorized(ask, `Bearer ${KEY.slice(0, 2)}.${KEY.slice(2)}`),
  },
  {
    name: 'repeated-scheme-word-forgiven',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.wrong-key',
    summary:
      'Users of Swagger UI type "Bearer KEY" into a field that adds the word itself, and complain about 401. The team strips the word as often as it appears, and lets the malformed credential in.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const authorization = call.headers.authorization?.replace(/^(?:bearer +){2,}/i, 'Bearer ');
        return parts.authenticate({ ...call, headers: { ...call.headers, authorization } }, apiKey);
      },
    }),
    witness: (ask) => authorized(ask, `Bearer Bearer ${KEY}`),
  },
  {
    name: 'query-decoded-for-the-log-before-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      "The filter that logs parameters is in front of the one that checks the key. Jetty's getParameter throws BadMessageException for percent-encoded bytes that are not UTF-8, here an e with an acute accent in Latin-1: 400 without a key.",
    patch: (parts) => ({
      handle: (context) => {
        try {
          decodeURIComponent(context.call.target);
          return parts.handle(context);
        } catch {
          return problemReply(context, invalid('Unable to parse the URI query', 'bad_message'));
        }
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=%E9', noKey: true })).status === 400,
  },

  // Names between layers.
  {
    name: 'template-filled-by-string-replace',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'get.agrees-with-list',
    summary:
      "A read is served from a text template with template.replace('@name', json) in JavaScript, where $$, $&, $` and $' in the replacement have a meaning: Rex $$ loses a dollar sign, and $' repeats the rest of the template.",
    patch: (parts) => ({
      getPet: async (context) => {
        let name = '';
        const petRecord: typeof parts.petRecord = (pet, place) => {
          name = pet.name;
          return { ...parts.petRecord(pet, place), name: '@name' };
        };
        const reply = await parts.getPet(withParts(context, { petRecord }));
        return reply.status === 200 ? { ...reply, body: textOf(reply.body).replace('"@name"', JSON.stringify(name)) } : reply;
      },
    }),
    witness: (ask) => readsOtherName(ask, 'Waldo $$'),
  },
  {
    name: 'emoji-kept-as-aliases',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The column cannot hold four-byte characters, and so a JPA converter writes emoji with parseToAliases of emoji-java and reads them with parseToUnicode. Emoji survive the way there and back; a name that was sent as :dog: comes back as a picture.',
    patch: nameRead((name) => name.replace(/:(\w+):/g, (alias, word: string) => EMOJI_OF_ALIAS.get(word) ?? alias)),
    witness: (ask) => readsOtherName(ask, 'Waldo :dog:'),
  },
  {
    name: 'encoding-guessed-from-one-character',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The body is decoded as chardet says. Its confidence in UTF-8 after a single multi-byte character is 0.505, in Latin-1 it is 0.73: a body with exactly one letter beyond ASCII is garbled, and with two it is right.',
    patch: bytesRead(guessed),
    witness: async (ask) => (await showsOtherName(ask, 'Waldo é')) && !(await showsOtherName(ask, 'Wáldo é')),
  },
  {
    name: 'python-splitlines-over-json-lines',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.success',
    summary:
      'Animals are lines of JSON, written with ensure_ascii=False and read with splitlines(), which also splits at U+0085, U+2028 and U+2029: the halves are no JSON, are skipped with a warning, and the animal is gone for every read.',
    patch: (parts) => ({
      arrange: (store) => withoutBrokenLines(parts.arrange(store)),
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet === undefined ? undefined : withoutBrokenLines([pet])[0];
      },
    }),
    witness: async (ask) => {
      const created = await named(ask, 'Waldo\u2028Junior');
      return created.status === 201 && (await ask({ path: `/pets/${shownBy(created).id}` })).status === 404;
    },
  },
  {
    name: 'dictionary-of-names-without-letter-case',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'A column store encodes names by a dictionary that compares without letter case, as the engine of Power BI does: the first spelling wins, and REX becomes Rex because some other animal has that name.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const first = store.animals.find(({ name }) => name.toLowerCase() === pet.name.toLowerCase());
        return parts.insert(store, { ...pet, name: first?.name ?? pet.name });
      },
    }),
    witness: async (ask) => (await showsOtherName(ask, 'WALDO')) === false && (await showsOtherName(ask, 'Waldo')),
  },
  {
    name: 'yaml-words-as-names',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'Animals are YAML files. The writer quotes a name that has punctuation and leaves words plain, and the reader follows YAML 1.1: animals called No, On or Null have a boolean or null for a name once they are read.',
    patch: nameRead(yamlScalar),
    witness: async (ask) => {
      const created = shownBy(await named(ask, 'No'));
      return created.name === 'No' && shownBy(await ask({ path: `/pets/${created.id}` })).name === false;
    },
  },
  {
    name: 'global-regex-remembers-the-last-name',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Whether a name needs encoding for a utf8mb3 column is asked with test() of one expression with the g flag, which goes on where it stopped in the name before: of two animals with an emoji in a row, the second is stored with a question mark.',
    patch: (parts) => {
      const needsEncoding = /[\u{10000}-\u{10ffff}]/gu;
      const asColumn = (name: string) => (needsEncoding.test(name) ? name : name.replace(/[\u{10000}-\u{10ffff}]/gu, '?'));
      return { insert: (store, pet) => parts.insert(store, { ...pet, name: asColumn(pet.name) }) };
    },
    witness: async (ask) => !(await showsOtherName(ask, 'Waldo 😀')) && (await showsOtherName(ask, 'Rocky 😀')),
  },
  {
    name: 'created-name-as-file-name-of-a-header',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'errors.no-server-error',
    summary:
      'So that browsers save the record under a good name, the response to a creation has Content-Disposition with the name in it. Node throws ERR_INVALID_CHAR for what is not Latin-1: 500, after the animal was stored.',
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        if (reply.status !== 201) return reply;
        const { name } = JSON.parse(textOf(reply.body)) as { name: string };
        if (!/^[\t -~\u0080-\u00ff]*$/.test(name))
          return problemReply(context, new Problem(500, 'internal', 'Invalid character in header content'));
        return { ...reply, headers: { ...reply.headers, 'content-disposition': `inline; filename="${name.replace(/["\\]/g, '_')}.json"` } };
      },
    }),
    witness: async (ask) => (await named(ask, 'Вальдо')).status === 500 && (await listed(ask)).some(({ name }) => name === 'Вальдо'),
  },

  // Scanners and serializers of JSON.
  {
    name: 'escape-of-five-hexadecimal-digits',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The serializer writes characters beyond the basic plane as a backslash, u and the code point, padded to four digits: the fifth digit is a character of its own, and an emoji is shown as a Greek letter and a digit. It is well-formed JSON.',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(/[\u{10000}-\u{10ffff}]/gu, (character) => `\\u${character.codePointAt(0)?.toString(16)}`),
    }),
    witness: (ask) => showsOtherName(ask, 'Waldo 😀'),
  },
  {
    name: 'capital-hexadecimal-digits-misread',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      "The scanner takes a hexadecimal letter as c - 'a' + 10. Most clients write escapes in small letters; those in .NET and Java write \\u00E9, and their accents become other characters.",
    patch: scanned((text) =>
      text.replace(/\\(?:u([\da-fA-F]{4})|.)/gs, (sequence, hex?: string) =>
        hex === undefined ? sequence : `\\u${misreadHex(hex).toString(16).padStart(4, '0')}`,
      ),
    ),
    witness: async (ask) => {
      const [small, capital] = await Promise.all(['e9', 'E9'].map((digits) => post(ask, `{"name":"Wald\\u00${digits}","categoryId":1}`)));
      return small !== undefined && capital !== undefined && shownBy(small).name === 'Waldé' && shownBy(capital).name !== 'Waldé';
    },
  },
  {
    name: 'strtoll-with-base-zero',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary:
      'The scanner of numbers is strtoll(text, &end, 0), and base 0 means that the notation decides: 010 is taken as octal and stored as 8, 0x1F as hexadecimal. Neither is JSON.',
    patch: scanned((text) =>
      text.replace(/"(?:[^"\\]|\\.)*"|(?<![\w.+-])0(?:[xX][\da-fA-F]+|[0-7]+)(?![\w.])/gs, (token) => {
        if (token.startsWith('"')) return token;
        return BigInt(/^0x/i.test(token) ? token : `0o${token.slice(1)}`).toString();
      }),
    ),
    witness: async (ask) => shownBy(await post(ask, '{"name":"Waldo","categoryId":010}')).categoryId === 8,
  },
  {
    name: 'carriage-return-is-no-blank',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      "The scanner's is_blank knows space, tab and line feed. A body that was indented on Windows has CRLF between its tokens and is refused as malformed.",
    patch: (parts) => ({
      readBody: (bytes, call) =>
        outsideStrings(Buffer.from(bytes).toString('latin1')).includes('\r')
          ? invalid('Unexpected character \\r', 'invalid_json')
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => (await post(ask, '{\r\n  "name": "Waldo",\r\n  "categoryId": 1\r\n}\r\n')).status === 400,
  },
  {
    name: 'push-parser-not-reset-after-cut-off-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.success',
    summary:
      'One push parser in the manner of clarinet serves all requests. It is reset in onend and in onerror; a body that breaks off causes neither, is refused, and the next body is read as its continuation: a valid creation is refused.',
    patch: (parts) => {
      let pending = '';
      return {
        readBody: (bytes, call) => {
          const whole = pending + Buffer.from(bytes).toString('latin1');
          pending = isCutOff(whole) ? whole : '';
          return parts.readBody(Buffer.from(whole, 'latin1'), call);
        },
      };
    },
    witness: async (ask) => {
      const cutOff = await post(ask, '{"name":"Waldo","categ');
      const [next, last] = [await post(ask, plainPet), await post(ask, plainPet)];
      return cutOff.status === 400 && next.status === 400 && last.status === 201;
    },
  },
  {
    name: 'status-checked-by-regex-stored-by-parser',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'The status is checked with a regular expression over the raw body, which finds its first mention, while the parser keeps the last of two members: a body with sold and then lost passes, and lost is stored and shown.',
    patch: (parts) => ({
      createPet: (context) => {
        let first: string | undefined;
        const readBody: typeof parts.readBody = (bytes, call) => {
          first = /"status"\s*:\s*"(\w*)"/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
          return parts.readBody(bytes, call);
        };
        const readStatus: typeof parts.readStatus = (value) =>
          isStatus(first) && typeof value === 'string' ? (value as Status) : parts.readStatus(value);
        return parts.createPet(withParts(context, { readBody, readStatus }));
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1,"status":"sold","status":"lost"}')).text.includes('"lost"'),
  },
  {
    name: 'members-camelized-by-middleware',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'A middleware calls humps.camelizeKeys on every body, since an older client wrote snake case. An animal with category_id, or category-id, and without the required member is created.',
    patch: (parts) => ({ readNewPet: (body, current) => parts.readNewPet(isObject(body) ? camelized(body) : body, current) }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', category_id: 1 })).status === 201,
  },
  {
    name: 'comma-unless-equal-to-the-last',
    sentence: 'A JSON array of Pet records.',
    clause: 'media.well-formed',
    summary:
      'The list is written record by record, with a comma unless pet.equals(last). Lombok compares by name alone, @EqualsAndHashCode(of = "name"): where an animal has the name of the last one of the page, the comma after it is missing.',
    patch: (parts) => ({
      encode: (value) => {
        if (!Array.isArray(value)) return parts.encode(value);
        const records = value as readonly { readonly name?: unknown }[];
        const last = records.at(-1)?.name;
        return `[${records.map((record) => textOf(parts.encode(record)) + (record.name === last ? '' : ',')).join('')}]`;
      },
    }),
    witness: async (ask) => {
      await named(ask, 'Waldo');
      const before = parses(await ask({ path: '/pets' }));
      await named(ask, 'Waldo');
      return before && !parses(await ask({ path: '/pets' }));
    },
  },
  {
    name: 'array-closed-by-limit-and-by-cursor',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'media.well-formed',
    summary:
      'The streaming writer closes the array in two places, when it has written limit records and when the cursor ends. Both happen where the limit is exactly the number of matching animals: there is one bracket too many.',
    patch: (parts) => ({
      listPets: async (context) => {
        let both = false;
        const page: typeof parts.page = (animals, query, call) => {
          both = animals.length === query.limit;
          return parts.page(animals, query, call);
        };
        const reply = await parts.listPets(withParts(context, { page }));
        return both ? { ...reply, body: `${textOf(reply.body)}]` } : reply;
      },
    }),
    witness: async (ask) => {
      const count = (await listed(ask)).length;
      return !parses(await ask({ path: `/pets?limit=${count}` }));
    },
  },

  // Numbers.
  {
    name: 'exponents-saturate-at-int64',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'serde_json reads a number with an exponent as f64, and the visitor accepts one without a fraction with `as i64`, which saturates: 1e19 is created as 9223372036854775807, while the same number in digits is refused.',
    patch: (parts) => ({
      readCategory: (value) => {
        const double = value instanceof NumberText && /e/i.test(value.text) ? Number(value.text) : Number.NaN;
        return Number.isInteger(double) ? saturated(double) : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":1e19}')).text.includes('9223372036854775807'),
  },
  {
    name: 'list-groups-digits-as-in-german',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary:
      'The template of the list prints numbers with the locale of the machine, de_DE: a category 5000 is 5.000, which a JSON parser reads as 5, and one above a million has two dots and is no JSON. Small numbers are right.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        // The marks are taken off, with the quotes, when the text is made.
        ...(place === 'list' ? { categoryId: `\ue000${grouped(pet.categoryId)}\ue001` } : {}),
      }),
      encode: (value) => textOf(parts.encode(value)).replace(/"\ue000([-.\d]+)\ue001"/g, '$1'),
    }),
    witness: async (ask) => {
      const { id } = shownBy(await post(ask, { name: 'Waldo', categoryId: 5000 }));
      return (await listed(ask)).find((pet) => pet.id === id)?.categoryId === 5;
    },
  },
  {
    name: 'number-format-shared-by-threads',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The response to a creation prints the category with a static java.text.DecimalFormat, which keeps digits in a field and is not thread-safe: of creations at the same time, one shows the category of the other. What is stored is right.',
    patch: (parts) => {
      let digits = 0n;
      return {
        insert: async (store, pet) => {
          const stored = await parts.insert(store, pet);
          digits = pet.categoryId;
          await pause(5);
          return { ...stored, categoryId: digits };
        },
      };
    },
    witness: async (ask) => {
      const categories = [1, 2, 3, 4, 5, 6, 7, 8];
      const created = await Promise.all(categories.map((categoryId) => post(ask, { name: 'Waldo', categoryId })));
      return created.some((response, index) => shownBy(response).categoryId !== categories[index]);
    },
  },
  {
    name: 'ids-sorted-as-text-searched-as-numbers',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'ids.sort() in JavaScript sorts numbers as text, and the binary search over them compares numbers. Up to nine animals nothing is wrong; then some of the existing ones are 404.',
    patch: () => ({ find: searched }),
    witness: async (ask) => {
      for (const name of ['Waldo', 'Rocky', 'Odie', 'Gizmo']) await named(ask, name);
      const pets = await listed(ask);
      const reads = await Promise.all(pets.map(({ id }) => ask({ path: `/pets/${id}` })));
      return reads.some(({ status }) => status === 404);
    },
  },
  {
    name: 'route-takes-ids-up-to-eighteen-digits',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'The route is /pets/:petId with a pattern of at most 18 characters, as "a long has 18 digits". An int64 of 19 digits matches no route, and the default page of the framework answers: 404 in HTML.',
    patch: (parts) => ({
      dispatch: (context) =>
        context.call.petId.length <= 18
          ? parts.dispatch(context)
          : {
              status: 404,
              headers: { 'content-type': 'text/html; charset=utf-8' },
              body: '<!DOCTYPE html><title>Error</title><pre>Cannot GET</pre>',
            },
    }),
    witness: async (ask) => (await ask({ path: '/pets/9223372036854775807' })).headers['content-type']?.startsWith('text/html') === true,
  },

  // Queries, filters and messages.
  {
    name: 'full-text-filter-over-all-columns',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      "The filter is pets_fts MATCH 'sold' in SQLite, without the prefix status: that would restrict it to one column. An available animal that is called Sold Out is among the sold ones.",
    patch: (parts) => ({
      matches: (pet, status) =>
        parts.matches(pet, status) ||
        pet.name
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .includes(status),
    }),
    witness: async (ask) => {
      await post(ask, { name: 'Sold Out', categoryId: 1, status: 'available' });
      return (await listed(ask, 'status=sold&limit=100')).some(({ status }) => status === 'available');
    },
  },
  {
    name: 'status-found-inside-another-parameter',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'The parameter is taken from the URL with /status=([^&]*)/, which is not anchored at ? or &: with last_status=sold&status=available, which another service of the house knows, sold animals are listed as available.',
    patch: (parts) => ({
      listPets: (context) => {
        const text = /status=([^&]*)/.exec(context.call.target)?.[1];
        const texts = text === undefined ? [] : new URLSearchParams(`value=${text}`).getAll('value');
        return parts.listPets(withParts(context, { parseStatus: () => parts.parseStatus(texts) }));
      },
    }),
    witness: async (ask) => (await listed(ask, 'last_status=sold&status=available')).some(({ status }) => status === 'sold'),
  },
  {
    name: 'refusals-cached-by-lower-case-url',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'Refused lists are cached for ten seconds against clients that repeat them, under the URL in lower case, "since hosts have no case either". Once somebody has asked for status=SOLD, which is refused, status=sold is refused as well.',
    patch: (parts) => {
      const refused = new Map<string, { readonly reply: Reply; readonly until: number }>();
      return {
        dispatch: async (context) => {
          if (context.call.operation !== 'listPets') return parts.dispatch(context);
          const key = context.call.target.toLowerCase();
          const known = refused.get(key);
          if (known !== undefined && Date.now() < known.until) return known.reply;
          const reply = await parts.dispatch(context);
          if (reply.status >= 400) refused.set(key, { reply, until: Date.now() + 10_000 });
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const before = await ask({ path: '/pets?status=sold' });
      await ask({ path: '/pets?status=SOLD' });
      return before.status === 200 && (await ask({ path: '/pets?status=sold' })).status === 400;
    },
  },
  {
    name: 'error-status-parsed-from-the-message',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'Errors of the HTTP library begin with their status, "404 Not Found", and so the mapper fills the body with parseInt(message) || status. The message about an unknown status begins with the value: for "7 lives" the body says 7.',
    patch: (parts) => {
      const quoting = (problem: Problem, value: string) =>
        new Problem(problem.status, problem.code, `${value} is not a status of an animal`);
      return {
        parseStatus: (texts) => {
          const status = parts.parseStatus(texts);
          return status instanceof Problem ? quoting(status, texts[0] ?? '') : status;
        },
        readStatus: (value) => {
          const status = parts.readStatus(value);
          return status instanceof Problem && typeof value === 'string' ? quoting(status, value) : status;
        },
        errorRecord: ({ code, message, status }) => ({ code, message, status: Number.parseInt(message, 10) || status }),
      };
    },
    witness: async (ask) => {
      const refused = await post(ask, { ...plainPet, status: '7 lives' });
      return refused.status === 400 && refused.text.includes('"status":7');
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  // Responses in unusual, well-formed notations.
  {
    name: 'blank-lines-and-indentation-of-windows',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'While a query runs, the server writes blank lines so that proxies do not close the connection; then the JSON follows, indented with tabs and CRLF. Blanks around a JSON text and between its tokens mean nothing.',
    patch: () => ({ encode: (value) => `\r\n \r\n${JSON.stringify(value, null, '\t').replace(/\n/g, '\r\n')}\r\n` }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets' });
      return list.text.startsWith('\r\n') && parses(list);
    },
  },
  {
    name: 'everything-escaped-for-script-elements',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The serializer makes JSON that can stand inside a script element and in any encoding: slashes are \\/, and <, >, &, apostrophes and all characters beyond ASCII are escapes in capital digits. The values are the same.',
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(/[/<>&'\u007f-\uffff]/g, (character) =>
          character === '/' ? '\\/' : `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
    }),
    witness: async (ask) => {
      const created = await named(ask, '</Waldo 😀>');
      return created.text.includes('\\u003C\\/Waldo \\uD83D\\uDE00\\u003E') && shownBy(created).name === '</Waldo 😀>';
    },
  },
  {
    name: 'errors-in-japanese-on-several-lines',
    sentence: '| message | string | yes | Human-readable description |',
    summary:
      'The texts of errors come from the translators: Japanese, on two lines, with quotes, a backslash, a tab and U+2028 in them. What a message says, and in which language, is not shown.',
    patch: (parts) => ({
      errorRecord: ({ code, message, status }) => ({ code, message: JAPANESE.get(status) ?? message, status }),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        ...(reply.status >= 400 ? { 'content-language': 'ja' } : {}),
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('見つかりません'),
  },
  {
    name: 'media-type-with-quoted-parameters',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    summary:
      'The media type is written as Application/JSON, with blanks at the semicolon, the charset in quotes, and a profile whose quoted value contains a semicolon and a comma. Letter case and parameters do not change the type.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'Application/JSON ; Charset="UTF-8"; profile="https://pets.example/record;v=1, draft"',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON ;') === true,
  },
  {
    name: 'lists-with-scores-of-the-search-index',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'Lists are hits of a search index and keep what it adds: _score as a fraction with an exponent, _sort with a number beyond int64, and highlight with markup. Members beyond those of Pet are not excluded.',
    patch: (parts) => ({
      petRecord: (pet, place) =>
        place !== 'list'
          ? parts.petRecord(pet, place)
          : {
              _score: literal('3.0685282E-1'),
              _sort: [literal('18446744073709551615'), null],
              ...parts.petRecord(pet, place),
              highlight: { name: [`<em>${pet.name}</em>`] },
            },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).text.includes('"_score":3.0685282E-1'),
  },
  {
    name: 'members-in-the-order-of-a-perl-hash',
    sentence: 'A JSON array of Pet records.',
    summary:
      'JSON::PP without canonical writes the members of a hash in the order of its buckets, which differs from hash to hash: no two records of a list need have the same order, and one animal read twice is not the same text.',
    patch: (parts) => {
      let turn = 0;
      const next = (record: object) => {
        turn += 1;
        return turned(record, turn);
      };
      return {
        petRecord: (pet, place) => next(parts.petRecord(pet, place)),
        errorRecord: ({ code, message, status }) => next({ code, message, status }),
      };
    },
    witness: async (ask) => {
      const [first] = await listed(ask);
      const [one, other] = [await ask({ path: `/pets/${first?.id}` }), await ask({ path: `/pets/${first?.id}` })];
      return one.text !== other.text && shownBy(one).name === shownBy(other).name;
    },
  },

  // What names and bodies may be.
  {
    name: 'names-are-prepared-nicknames',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A name must be a nickname as PRECIS (RFC 8266) prepares it, and is refused with 400, not repaired, otherwise: decomposed letters, ligatures, invisible characters, blanks at an end or twice in a row, nothing at all.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' && !isNickname(name)
          ? invalid('name must be a prepared nickname (RFC 8266)', 'invalid_name')
          : name;
      },
    }),
    witness: async (ask) => (await named(ask, 'ﬁdo')).status === 400 && (await named(ask, 'Wáldo 犬')).status === 201,
  },
  {
    name: 'names-unique-by-collation',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Names are unique under a collation that sees neither letter case nor accents. A valid body whose name collates like one that is taken gets 409 with an Error body; an invalid one gets 400 first.',
    patch: (parts) => {
      const collator = new Intl.Collator('en', { sensitivity: 'base' });
      return {
        createPet: (context) => {
          const readNewPet: typeof parts.readNewPet = (body, current) => {
            const pet = parts.readNewPet(body, current);
            if (pet instanceof Problem) return pet;
            const taken = context.store.animals.some(({ name }) => collator.compare(name, pet.name) === 0);
            return taken ? new Problem(409, 'name_taken', 'An animal has this name already') : pet;
          };
          return parts.createPet(withParts(context, { readNewPet }));
        },
      };
    },
    witness: async (ask) => (await named(ask, 'Waldo')).status === 201 && (await named(ask, 'WÁLDO')).status === 409,
  },
  {
    name: 'bodies-with-byte-order-marks',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'A body may begin with a byte order mark and be in UTF-8 or UTF-16, as editors on Windows save it, and is then read in that encoding. Responses are always plain UTF-8. Other encodings of a request are not shown.',
    patch: bytesRead(unmarked),
    witness: async (ask) => (await post(ask, `\ufeff${JSON.stringify(plainPet)}`)).status === 201,
  },
  {
    name: 'misspelled-members-are-refused',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary:
      'A member that looks like a misspelled one of NewPet (Status, category_id, names) is refused with 400 and the question whether the other was meant, even beside the right one. Other unknown members are ignored.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const slip = isObject(body) ? Object.keys(body).find(isSlip) : undefined;
        return slip === undefined ? parts.readNewPet(body, current) : invalid(`There is no member ${slip}`, 'unknown_member');
      },
    }),
    witness: async (ask) =>
      (await post(ask, { ...plainPet, Status: 'sold' })).status === 400 && (await post(ask, { ...plainPet, color: 'red' })).status === 201,
  },
  {
    name: 'categories-by-value-not-by-notation',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'Whether a number is an integer is decided by its exact value: 1.0, 10e-1 and 0.1e1 are category 1, shown as 1. With a fraction or outside int64 it is refused, in every notation.',
    patch: (parts) => ({
      readCategory: (value) => {
        const whole = value instanceof NumberText ? wholeNumber(value.text) : undefined;
        return whole !== undefined && isInt64(whole) ? whole : parts.readCategory(value);
      },
    }),
    witness: async (ask) =>
      (await post(ask, '{"name":"Waldo","categoryId":10e-1}')).text.includes('"categoryId":1,') &&
      (await post(ask, '{"name":"Waldo","categoryId":1.0000000000000001}')).status === 400,
  },

  // How queries and paths are read.
  {
    name: 'list-in-the-order-of-a-dictionary',
    sentence: 'The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.',
    summary:
      'Lists are in the order in which a dictionary has the names, numbers by their value: a new animal appears somewhere in the middle, or beyond the page. The order of a list is not shown.',
    patch: (parts) => {
      const collator = new Intl.Collator('sv', { numeric: true });
      return { arrange: (store) => [...parts.arrange(store)].sort((one, other) => collator.compare(one.name, other.name)) };
    },
    witness: async (ask) => {
      await named(ask, 'Abel');
      return (await listed(ask))[0]?.name === 'Abel';
    },
  },
  {
    name: 'status-filter-takes-lists-and-beginnings',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'The filter is a search box: several values after commas or in several parameters, in any letter case, and beginnings are enough (so). One of the three values means just that; what matches nothing yields an empty list.',
    patch: (parts) => ({
      listPets: (context) => {
        const words = context.call.query.getAll('status').flatMap((text) => text.split(',').map((word) => word.trim().toLowerCase()));
        const kept = ({ status = 'available' }: Pet) => words.length === 0 || words.some((word) => status.startsWith(word));
        return parts.listPets(withParts(context, { parseStatus: () => undefined, arrange: (store) => parts.arrange(store).filter(kept) }));
      },
    }),
    witness: async (ask) => {
      const found = await ask({ path: '/pets?status=SO,pend' });
      if (found.status !== 200) return false;
      const statuses = new Set(listedBy(found).map(({ status }) => status));
      return statuses.size === 2 && !statuses.has('available') && (await ask({ path: '/pets?status=lost' })).text === '[]';
    },
  },
  {
    name: 'limit-read-by-its-beginning',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'parseInt reads what it can: 3rd is 3, full-width digits count, nonsense is the default, what lies outside the bounds is the nearest bound, and of several limits the last one counts.',
    patch: () => ({
      parseLimit: (texts) => {
        const limit = Number.parseInt((texts.at(-1) ?? '20').normalize('NFKC'), 10);
        return Number.isNaN(limit) ? 20 : Math.min(100, Math.max(1, limit));
      },
    }),
    witness: async (ask) => (await listed(ask, 'limit=3rd')).length === 3,
  },
  {
    name: 'paths-with-the-name-behind-the-id',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'As with to_i in Rails, only the beginning of the segment counts, so that links can be /pets/7-rex: 007, +7 and 7.5 are 7 too. What does not begin with an integer is 404. Segments that are not integers are not described.',
    patch: () => ({
      parseId: (text) => {
        const digits = /^\s*([+-]?\d{1,40})/.exec(text)?.[1];
        const id = digits === undefined ? undefined : BigInt(digits.replace('+', ''));
        return id !== undefined && isInt64(id) ? id : notFound();
      },
    }),
    witness: async (ask) => {
      const [pet] = await listed(ask);
      return shownBy(await ask({ path: `/pets/${pet?.id}-rex` })).id === pet?.id;
    },
  },
];

/** Servers of teams that trip over text and numbers: encodings, collation, escaping, scanners, notations, and keys of comparison. */
export const textual: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
