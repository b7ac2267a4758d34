import { isInt64, isObject, type Json, literal, NumberText } from '../../src/reference/core/json.ts';
import { invalid, notFound, type Patch, Problem, pause, type Reply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { parses, plainPet, post, textOf } from './witness.ts';

/** The body as other bytes. */
const bytesRead =
  (change: (bytes: Buffer) => Buffer): Patch =>
  (parts) => ({ readBody: (bytes, call) => parts.readBody(change(Buffer.from(bytes)), call) });

/** Members in snake case or kebab case are camel case. */
const camelized = (body: { readonly [member: string]: Json }): Json =>
  Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key.replace(/[-_]+(\w)/g, (_, letter: string) => letter.toUpperCase()), value]),
  );

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
const named = (ask: Ask, name: string) => post(ask, { name, categoryId: 1 });

/** Whether a creation shows another name than the one that was sent. */
const showsOtherName = async (ask: Ask, name: string) => {
  const created = await named(ask, name);
  return created.status === 201 && shownBy(created).name !== name;
};

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Names between layers.
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

  // Scanners and serializers of JSON.
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

  // Numbers.
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

  // Queries, filters and messages.
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
