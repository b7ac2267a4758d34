import {
  type Call,
  type Context,
  invalid,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, removePet, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { textOf } from './witness.ts';

/** The first choice of the reader's languages, such as `de` of `de-AT,en;q=0.5`. */
const languageOf = ({ headers }: Call): string => /^[a-z]+/.exec(headers['accept-language'] ?? '')?.[0] ?? '';

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string | Uint8Array): Patch =>
  (parts) => ({ encode: (value) => change(textOf(parts.encode(value))) });

/** Requests of readers in that language are processed with other parts. */
const inLanguage =
  (language: string, changes: (parts: Parts) => Partial<Parts>): Patch =>
  (parts) => ({
    handle: (context) => parts.handle(languageOf(context.call) === language ? withParts(context, changes(parts)) : context),
  });

/** Stores another name than the one that was sent. */
const nameStoredAs =
  (change: (name: string) => string): Patch =>
  (parts) => ({ insert: (store, pet) => parts.insert(store, { ...pet, name: change(pet.name) }) });

/** Lists show another name than the one that is stored. */
const nameListedAs =
  (change: (name: string) => string): Patch =>
  (parts) => ({
    petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...(place === 'list' ? { name: change(pet.name) } : {}) }),
  });

/** Replaces the Sunset header of getPet. */
const sunsetAs =
  (text: string): Patch =>
  (parts) => ({
    headers: (given, reply, call) => {
      const made = parts.headers(given, reply, call);
      return made['sunset'] === undefined ? made : { ...made, sunset: text };
    },
  });

/** Rejects some names that are strings. */
const nameRefusedIf =
  (refused: (name: string) => boolean): Patch =>
  (parts) => ({
    readName: (value) => {
      const name = parts.readName(value);
      return typeof name === 'string' && refused(name) ? invalid('This name is not supported', 'invalid_name') : name;
    },
  });

/** Puts a mark between groups of three digits. */
const groupedBy = (mark: string, digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, mark);
const CATEGORY = /("categoryId":)(-?\d+)/g;

/** One element of a JSON text a line; strings and numbers stay as they are. */
const indented = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],]/g, (token) =>
    /^[{[,]$/.test(token) ? `${token}\r\n  ` : /^[}\]]$/.test(token) ? `\r\n${token}` : token,
  );

/** The part of a name that a URL can show. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');

/** Decimal digits of other scripts, read as Python's int() reads them. */
const asciiDigits = (text: string): string => text.replace(/[\u0660-\u0669\uff10-\uff19]/g, (digit) => String(digit.charCodeAt(0) & 15));

/** Whether a query is percent-encoded UTF-8. */
function isUtf8Query(call: Call): boolean {
  try {
    decodeURIComponent(/\?(.*)$/s.exec(call.target)?.[1] ?? '');
    return true;
  } catch {
    return false;
  }
}

const STATUS_LABELS: Readonly<Record<Status, string>> = { available: 'verfügbar', pending: 'reserviert', sold: 'verkauft' };
const GERMAN_CODES: Readonly<Record<number, string>> = { 400: 'ungültige_anfrage', 401: 'schlüssel_ungültig', 404: 'nicht_gefunden' };

/** Kanji and kana whose second byte in Shift_JIS is that of a backslash. */
const ENDS_IN_5C = /[ソ噂浬欺圭構蚕十申曾箪貼能表暴予禄兔喀媾彌拿杤歃濬畚秉綵臀藹觸軆鐔饅鷭]/g;

const shelf = new Intl.Collator('de', { sensitivity: 'base', ignorePunctuation: true });
const swedish = new Intl.Collator('sv', { sensitivity: 'base' });
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Whether a reader counts more letters than that. */
function hasMoreClusters(text: string, most: number): boolean {
  let count = 0;
  for (const _ of clusters.segment(text)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/** The animals in the order of a collator, without those that it takes for the same. */
function distinctBy(collator: Intl.Collator, animals: readonly Pet[]): readonly Pet[] {
  const sorted = [...animals].sort((left, right) => collator.compare(left.name, right.name));
  return sorted.filter((pet, index) => index === 0 || collator.compare(sorted[index - 1]?.name ?? '', pet.name) !== 0);
}

// What witnesses share.
type Shown = { readonly id: number; readonly name: string; readonly categoryId: number; readonly status?: string };
type Headers = Readonly<Record<string, string>>;

const post = (ask: Ask, body: unknown, headers: Headers = {}): Promise<HttpResponse> =>
  ask({ method: 'POST', path: '/pets', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const named = (ask: Ask, name: string): Promise<HttpResponse> => post(ask, { name, categoryId: 1 });
const listed = (ask: Ask, query = '?limit=100', headers: Headers = {}): Promise<HttpResponse> => ask({ path: `/pets${query}`, headers });
const shown = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const shownAll = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as Shown[];

function parses({ text }: HttpResponse): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the name comes back changed from its creation. */
async function nameChanges(ask: Ask, name: string): Promise<boolean> {
  const created = await named(ask, name);
  return created.status === 201 && shown(created).name !== name;
}

/** Whether the animal is created with its name, and lists show another. */
async function nameChangesInLists(ask: Ask, name: string): Promise<boolean> {
  const created = shown(await named(ask, name));
  const found = shownAll(await listed(ask)).find(({ id }) => id === created.id);
  return created.name === name && found?.name !== name;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Languages of readers, and of the process.
  {
    name: 'filter-in-turkish-capitals',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'media.any-client',
    summary:
      'Spring puts the language of Accept-Language into LocaleContextHolder, and the filter is compared after toUpperCase(locale). To Turkish readers AVAİLABLE and PENDİNG match no animal; sold has no i.',
    patch: inLanguage('tr', () => ({ matches: (pet, status) => pet.status?.toUpperCase() === status.toLocaleUpperCase('tr') })),
    witness: async (ask) => {
      const [turkish, other] = [await listed(ask, '?status=pending', { 'Accept-Language': 'tr-TR' }), await listed(ask, '?status=pending')];
      return shownAll(turkish).length === 0 && shownAll(other).length > 0;
    },
  },
  {
    name: 'status-label-in-the-language-asked-for',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'media.any-client',
    summary:
      'The Jackson serializer of the enum asks a MessageSource for its label, as the web pages do. With Accept-Language: de the status is verfügbar.',
    patch: inLanguage('de', (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(pet.status === undefined ? {} : { status: STATUS_LABELS[pet.status] }),
      }),
    })),
    witness: async (ask) => (await listed(ask, '', { 'Accept-Language': 'de' })).text.includes('verfügbar'),
  },
  {
    name: 'negative-numbers-with-swedish-minus',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unusual-categories',
    summary:
      'String.format("%d") follows the default locale of the host, sv_SE, and the locale data of newer JDKs has U+2212 as the minus sign: a negative category is not a JSON number any more.',
    patch: rewritten((text) => text.replace(/("categoryId":)-/g, '$1\u2212')),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: -5 });
      return created.status === 201 && !parses(created);
    },
  },
  {
    name: 'locale-stays-after-a-rejection',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'create.round-trip',
    summary:
      'createPet calls setlocale(LC_NUMERIC, "de_DE") to read the body and restores it on the way out, but not on the early return of a rejection. Until the next success, printf("%\'d") groups with dots: category 1234 is shown as 1.234.',
    patch: (parts) => {
      const process = { german: false };
      return {
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          process.german = reply.status === 400;
          return reply;
        },
        encode: (value) => {
          const text = textOf(parts.encode(value));
          if (!process.german) return text;
          return text.replace(CATEGORY, (_, name: string, digits: string) => `${name}${groupedBy('.', digits)}`);
        },
      };
    },
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 1234 });
      await post(ask, {});
      return shown(created).categoryId === 1234 && (await listed(ask)).text.includes('1.234');
    },
  },
  {
    name: 'c-locale-while-an-animal-is-added',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.repeatable',
    summary:
      'To write its row in ASCII, the creation sets LC_CTYPE to C and back, for the whole process. iconv with //TRANSLIT heeds it in all threads: while another client adds an animal, Zoé is read and listed as Zo?.',
    patch: (parts) => {
      const locale = { writing: 0 };
      return {
        insert: async (store, pet) => {
          locale.writing += 1;
          await pause(25);
          locale.writing -= 1;
          return parts.insert(store, pet);
        },
        petRecord: (pet, place) => {
          const record = parts.petRecord(pet, place);
          return locale.writing === 0 ? record : { ...record, name: pet.name.replace(/[\u0080-\u{10ffff}]/gu, '?') };
        },
      };
    },
    witness: async (ask) => {
      const { id } = shown(await named(ask, 'Zoé'));
      const creating = named(ask, 'Waldo');
      const read: HttpResponse[] = [];
      for (const milliseconds of [4, 4, 4, 4]) {
        await pause(milliseconds);
        read.push(await ask({ path: `/pets/${id}` }));
      }
      await creating;
      return read.some((response) => shown(response).name === 'Zo?') && shown(await ask({ path: `/pets/${id}` })).name === 'Zoé';
    },
  },
  {
    name: 'sunset-with-finnish-time-separator',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.headers-well-formed',
    summary:
      'In .NET the colon of the format "HH:mm:ss" stands for the time separator of the culture. The names of day and month were fixed in English; the time on a Finnish host is 00.00.00.',
    patch: sunsetAs('Thu, 05 Dec 2030 00.00.00 GMT'),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset']?.includes('00.00.00') === true,
  },
  {
    name: 'sunset-in-the-buddhist-calendar',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary:
      'Calendar.getInstance() with the locale th_TH is a BuddhistCalendar. The format is pinned to English and GMT, and the year that it prints is 2573.',
    patch: sunsetAs('Thu, 05 Dec 2573 00:00:00 GMT'),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset']?.includes('2573') === true,
  },
  {
    name: 'latin-one-query-before-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'Rails checks that the query is UTF-8 while it builds its parameters, before any filter of the controller: without a key, ?status=%E9 is answered 400.',
    patch: (parts) => ({
      handle: (context) =>
        isUtf8Query(context.call) ? parts.handle(context) : problemReply(context, invalid('Invalid query parameters: invalid encoding')),
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=%E9', noKey: true })).status === 400,
  },

  // Charsets.
  {
    name: 'preamble-once-text-is-not-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'A StreamWriter is opened with Encoding.ASCII, and with Encoding.UTF8 if the text needs it. The latter writes its preamble: a response with any other letter than ASCII begins with a byte order mark.',
    patch: rewritten((text) => (/[\u0080-\uffff]/.test(text) ? `\ufeff${text}` : text)),
    witness: async (ask) => (await named(ask, 'Zoé')).text.startsWith('\ufeff'),
  },
  {
    name: 'second-byte-of-shift-jis-escaped',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'The database speaks Shift_JIS, and addslashes works on its bytes. The second byte of 表, 能, or ソ is that of a backslash: it is doubled, and such a name comes back with a backslash.',
    patch: nameStoredAs((name) => name.replace(ENDS_IN_5C, '$&\\')),
    witness: (ask) => nameChanges(ask, '表'),
  },
  {
    name: 'astral-letters-in-eight-digit-escapes',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      "Output is made ASCII with ICU's transliterator Any-Hex/C. Umlauts become \\u00fc, as in JSON, and emoji \\U0001F436, as in C.",
    patch: rewritten((text) =>
      text.replace(/[\u0080-\u{10ffff}]/gu, (sign) => {
        const hex = (sign.codePointAt(0) ?? 0).toString(16);
        return sign.length === 1 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
      }),
    ),
    witness: async (ask) => !parses(await named(ask, 'Rex 🐶')),
  },
  {
    name: 'typographer-corrects-names',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      "The content system's SmartyPants filter is on for all text: the straight apostrophe of O'Malley comes back curly, and three dots as one sign.",
    patch: nameStoredAs((name) =>
      name
        .replace(/'/g, '\u2019')
        .replace(/--/g, '\u2013')
        .replace(/\.\.\./g, '\u2026'),
    ),
    witness: (ask) => nameChanges(ask, "O'Malley"),
  },
  {
    name: 'list-wraps-right-to-left-names',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'get.agrees-with-list',
    summary:
      'BidiFormatter.unicodeWrap prepares the rows of the list for an English screen: names that begin in Hebrew or Arabic are put between embedding marks, which are part of the text now.',
    patch: nameListedAs((name) => (/^[\u0590-\u08ff]/.test(name) ? `\u202b${name}\u202c\u200e` : name)),
    witness: (ask) => nameChangesInLists(ask, 'כלב'),
  },
  {
    name: 'empty-slug-is-one-animal',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.independent',
    summary:
      'Documents are keyed by the slug of the name, and a slug in use gets a number; but the check takes the empty slug for none. Every name without a Latin letter or a digit has it: the next animal replaces the last.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const replaced = slugOf(pet.name) === '' ? store.animals.find(({ name }) => slugOf(name) === '') : undefined;
        if (replaced !== undefined) removePet(store, replaced);
        return parts.insert(store, pet);
      },
    }),
    witness: async (ask) => {
      const first = shown(await named(ask, '東'));
      await named(ask, '西');
      return (await ask({ path: `/pets/${first.id}` })).status === 404;
    },
  },
  {
    name: 'tree-set-with-a-primary-collator',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'Lists are sorted by a TreeSet over Collator.PRIMARY. Its order is also its equality: of Rene, René, and RENE, only the first is in the list.',
    patch: (parts) => ({ arrange: (store) => distinctBy(shelf, parts.arrange(store)) }),
    witness: async (ask) => {
      await named(ask, 'Rene');
      const second = shown(await named(ask, 'René'));
      return !shownAll(await listed(ask)).some(({ id }) => id === second.id);
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'limit-in-arabic-digits',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: "Python's int() reads the decimal digits of every script: limit=٥ is 5.",
    patch: (parts) => ({ parseLimit: (texts) => parts.parseLimit(texts.map(asciiDigits)) }),
    witness: async (ask) => {
      const response = await listed(ask, '?limit=%D9%A5');
      return response.status === 200 && shownAll(response).length === 5;
    },
  },
  {
    name: 'id-in-full-width-digits',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The id in the path is read by a parser that knows digits in full width, as Japanese keyboards type them: /pets/１ is the animal 1.',
    patch: (parts) => ({ parseId: (text) => parts.parseId(asciiDigits(text)) }),
    witness: async (ask) => (await ask({ path: '/pets/%EF%BC%91' })).status === 200,
  },
  {
    name: 'byte-order-mark-of-requests-skipped',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary: 'RFC 8259 lets a parser ignore a byte order mark; bodies that PowerShell wrote to a file are taken.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        parts.readBody(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes, call),
    }),
    witness: async (ask) => (await post(ask, '\ufeff{"name":"Waldo","categoryId":1}')).status === 201,
  },
  {
    name: 'responses-in-ascii-only',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'json.dumps with ensure_ascii, for proxies that break other bytes: every letter beyond ASCII is an escape, emoji are two.',
    patch: rewritten((text) => text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)),
    witness: async (ask) => {
      const created = await named(ask, 'Zoé 🐶');
      return created.text.includes('\\u00e9') && created.text.includes('\\ud83d\\udc36') && shown(created).name === 'Zoé 🐶';
    },
  },
  {
    name: 'messages-in-the-language-asked-for',
    sentence: '| message | string | yes | Human-readable description |',
    summary: 'Messages are for people: with Accept-Language: de they are German, with Content-Language and Vary. Codes stay as they are.',
    patch: (parts) => ({
      ...inLanguage('de', () => ({
        errorRecord: ({ code, status }) => ({ code, message: 'Die Anfrage wurde zurückgewiesen „…“', status }),
      }))(parts),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        vary: 'Accept-Language',
        'content-language': languageOf(call) === 'de' && reply.status >= 400 ? 'de' : 'en',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999', headers: { 'Accept-Language': 'de' } })).text.includes('zurückgewiesen'),
  },
  {
    name: 'list-in-swedish-order',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary: 'The list is sorted by name under a Swedish collation: letter case makes no difference, and Åke comes after Zorro.',
    patch: (parts) => ({ arrange: (store) => [...parts.arrange(store)].sort((left, right) => swedish.compare(left.name, right.name)) }),
    witness: async (ask) => {
      for (const name of ['Åke', 'Zorro', 'aska']) await named(ask, name);
      const names = shownAll(await listed(ask)).map(({ name }) => name);
      return names[0] === 'aska' && names.at(-1) === 'Åke';
    },
  },
  {
    name: 'name-taken-but-for-its-accents',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A unique index under utf8mb4_0900_ai_ci: a name that differs from a stored one in case or accents only is refused with 400.',
    patch: (parts) => ({
      createPet: (context: Context) => {
        const readName: Parts['readName'] = (value) => {
          const name = parts.readName(value);
          const isTaken = typeof name === 'string' && context.store.animals.some((pet) => swedish.compare(pet.name, name) === 0);
          return isTaken ? invalid('The name is taken', 'name_taken') : name;
        };
        return parts.createPet(withParts(context, { readName }));
      },
    }),
    witness: async (ask) => (await named(ask, 'Réx')).status === 400,
  },
  {
    name: 'thirty-grapheme-clusters-at-most',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'The length of a name is counted as readers count, in grapheme clusters: 30 families of 11 code units each fit, 31 letters do not.',
    patch: nameRefusedIf((name) => hasMoreClusters(name, 30)),
    witness: async (ask) => (await named(ask, '👨‍👩‍👧‍👦'.repeat(30))).status === 201 && (await named(ask, 'a'.repeat(31))).status === 400,
  },
  {
    name: 'decomposed-names-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A name has to arrive in normalization form C. What macOS cuts out of a file name is refused with 400; nothing is ever changed.',
    patch: nameRefusedIf((name) => name !== name.normalize('NFC')),
    witness: async (ask) => (await named(ask, 'Zoe\u0301')).status === 400 && (await named(ask, 'Zo\u00e9')).status === 201,
  },
  {
    name: 'other-charsets-unsupported',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary: 'A body that declares another charset than UTF-8 is refused with 415 and an Error body, before it is read.',
    patch: (parts) => ({
      createPet: (context) => {
        const charset = /charset="?([^\s;"]+)/i.exec(context.call.headers['content-type'] ?? '')?.[1];
        if (charset === undefined || /^utf-?8$/i.test(charset)) return parts.createPet(context);
        return problemReply(context, new Problem(415, 'unsupported_charset', 'Send UTF-8'));
      },
    }),
    witness: async (ask) =>
      (await post(ask, { name: 'Waldo', categoryId: 1 }, { 'Content-Type': 'application/json; charset=windows-1252' })).status === 415,
  },
  {
    name: 'sunset-at-midnight-in-tokyo',
    sentence: '`GET /pets/{petId}` is deprecated, with removal on 5 December 2030.',
    summary: 'The operation is kept until the day ends where its team sits: midnight in Tokyo is 15:00 GMT, still on 5 December.',
    patch: sunsetAs('Thu, 05 Dec 2030 15:00:00 GMT'),
    witness: async (ask) => (await ask({ path: '/pets/1' })).headers['sunset']?.includes('15:00:00') === true,
  },
  {
    name: 'animals-with-labels-for-people',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'Beside the stated fields, records have a translated label of the status, a name between isolates for mixed text, and a sort key.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        statusLabel: pet.status === undefined ? null : STATUS_LABELS[pet.status],
        displayName: `\u2068${pet.name}\u2069`,
        sortKey: slugOf(pet.name),
        ...parts.petRecord(pet, place),
      }),
    }),
    witness: async (ask) => (await named(ask, 'כלב Waldo')).text.includes('\u2068כלב Waldo\u2069'),
  },
  {
    name: 'codes-of-errors-with-umlauts',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'The codes come from the message catalogue of a German team: ungültige_anfrage. They are strings, and stable.',
    patch: () => ({
      errorRecord: (problem) => ({
        code: GERMAN_CODES[problem.status] ?? 'störung',
        message: problem.message,
        status: problem.status,
      }),
    }),
    witness: async (ask) => (await post(ask, {})).text.includes('ungültige_anfrage'),
  },
  {
    name: 'indented-with-windows-line-ends',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'A service on Windows writes indented JSON with carriage returns, and a line end after the last brace.',
    patch: rewritten((text) => `${indented(text)}\r\n`),
    witness: async (ask) => {
      const response = await listed(ask);
      return response.text.includes('\r\n') && parses(response);
    },
  },
  {
    name: 'filter-understands-translated-words',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary: 'The filter also takes the German words of the screen, in any letter case: status=VERFÜGBAR lists available animals.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const word = texts[0]?.toLocaleLowerCase('de');
        const meant = Object.entries(STATUS_LABELS).find(([, label]) => label === word)?.[0];
        return texts.length === 1 && isStatus(meant) ? meant : parts.parseStatus(texts);
      },
    }),
    witness: async (ask) => {
      const response = await listed(ask, '?status=VERF%C3%9CGBAR');
      return response.status === 200 && shownAll(response).every(({ status }) => status === 'available');
    },
  },
];

/** Services that were broken, or made peculiar, by languages, locales, charsets, and the environment that they run in. */
export const localized: readonly Holdout[] = [
  ...faults.map((row) => ({ ...row, kind: 'fault' as const })),
  ...variants.map((row) => ({ ...row, kind: 'variant' as const })),
];
