// What else a body has than its three members, how it is spelled, and what is not a NewPet at all.

import fc from 'fast-check';
import type { BodyTexts, Member, MembersPart, Packing, Table, Value } from '../../src/session/vector.ts';
import { type About, block, drawnValues, literals } from './block.ts';

const WRITE: About = { effect: 'write', since: '2.0' };

type Texts = Omit<BodyTexts, 'object'>;
type Members = (texts: Texts) => MembersPart;

const after =
  (...members: readonly Member[]): Members =>
  () => ({ after: members });

export const NO_MEMBERS = literals<'none', Members>(WRITE, { none: () => ({}) });

const DEPTH = 100;

/** Open: members that the document does not show. */
export const UNKNOWN_MEMBERS = literals<string, Members>(WRITE, {
  color: after(['"color"', '"brown"']),
  // The same member: a store that derives a type from the first value must not fail at the second.
  'color that is an object': after(['"color"', '{"name":"x","pets":[1,2]}']),
  Name: after(['"Name"', '"other"']),
  category_id: after(['"category_id"', '987654']),
  // As records of other models have it: a mapper may flatten category.id into categoryId.
  category: after(['"category"', '{"id":987653,"name":"dogs"}']),
  'nested 100 levels deep': after(['"deep"', '['.repeat(DEPTH) + ']'.repeat(DEPTH)]),
  'property __proto__': after(['"__proto__"', '{"status":"sold"}']),
  constructor: after(['"constructor"', '{"prototype":{"status":"sold"}}']),
  'toString and hasOwnProperty': after(['"toString"', '"x"'], ['"hasOwnProperty"', '1']),
});

/** Open: more than common parsers of bodies read by default (100 kB). */
export const LONG_MEMBERS = literals<string, Members>(WRITE, {
  'filler of 128 kB': after(['"filler"', JSON.stringify('x'.repeat(128 * 1024))]),
});

/** Unknown members that may stand next to a mistake. */
export const EMPTY_MEMBERS = literals<string, Members>(
  WRITE,
  Object.fromEntries(
    ['id2', 'Name', 'constructor', 'toString', 'tags', 'photoUrls', 'category'].map((name) => [
      `empty ${name}`,
      after([JSON.stringify(name), '[]']),
    ]),
  ),
);

/** Rejected or ignored, never adopted: an id of the client's. */
export const CLIENT_IDS = block<string, Members>(WRITE, {
  'id of an animal': ({ knownIds }) => after(['"id"', String(knownIds[0] ?? 1n)]),
  'id, 31 bits': ({ random }) => after(['"id"', String(1_000_000_000 + Math.floor(random() * 1_100_000_000))]),
  'id, 63 bits': ({ random }) => after(['"id"', String(farId(random))]),
  'id, negative': ({ random }) => after(['"id"', String(-farId(random))]),
  'id 0': () => after(['"id"', '0']),
  ID: ({ random }) => after(['"ID"', String(farId(random))]),
  petId: ({ random }) => after(['"petId"', String(farId(random))]),
  'id null': () => after(['"id"', 'null']),
  'id of digits': ({ random }) => after(['"id"', JSON.stringify(String(farId(random)))]),
  'id beyond int64': () => after(['"id"', String(2n ** 63n)]),
  'id that is a word': () => after(['"id"', '"new"']),
});

/** In the upper half of int64, which no service that counts up has reached. */
function farId(random: () => number): bigint {
  const part = (): bigint => BigInt(Math.floor(random() * 2 ** 30));
  return 2n ** 62n + part() * 2n ** 30n + part();
}

/** Open: a member twice (RFC 8259, section 4). `status` twice takes a row with that status. */
export const REPEATED_MEMBERS = literals<string, Members>(WRITE, {
  // With another first letter: a different name, but not that of another animal.
  'name twice': ({ name }) => ({ after: [['"name"', name.replace(/^"./, '"X')]] }),
  'sold after the status': after(['"status"', '"sold"']),
  'lost after the status': after(['"status"', '"lost"']),
});

/** For rows without a name: it is where only a lenient mapper finds it. */
export const NAMES_ELSEWHERE = literals<string, Members>(WRITE, {
  'Name alone': ({ name }) => ({ after: [['"Name"', name]] }),
  title: ({ name }) => ({ after: [['"title"', name]] }),
  'name and a space': ({ name }) => ({ before: [['"name "', name]] }),
  'name with a zero-width space': ({ name }) => ({ before: [['"na\u200bme"', name]] }),
  'constructor and toString': after(['"constructor"', '"x"'], ['"toString"', '"x"']),
  'name in __proto__': ({ name }) => ({ after: [['"__proto__"', `{"name":${name}}`]] }),
  'NAME and CategoryID': ({ name, categoryId }) => ({
    after: [
      ['"NAME"', name],
      ['"CategoryID"', categoryId],
    ],
  }),
  'NewPet in pet': ({ name, categoryId }) => ({ after: [['"pet"', `{"name":${name},"categoryId":${categoryId}}`]] }),
});

/** For rows without a categoryId. */
export const CATEGORIES_ELSEWHERE = literals<string, Members>(WRITE, {
  'category object': ({ categoryId }) => ({ after: [['"category"', `{"id":${categoryId}}`]] }),
  CategoryID: ({ categoryId }) => ({ after: [['"CategoryID"', categoryId]] }),
  'category alone': ({ categoryId }) => ({ after: [['"category"', categoryId]] }),
  'a space and categoryId': ({ categoryId }) => ({ after: [['" categoryId"', categoryId]] }),
  'category_id alone': ({ categoryId }) => ({ after: [['"category_id"', categoryId]] }),
  'categoryId in __proto__': ({ categoryId }) => ({ after: [['"__proto__"', `{"categoryId":${categoryId}}`]] }),
});

/** Values in which lenient parsers differ, in a member that a service need not read: it may skip it unread. */
const NO_VALUES: Readonly<Record<string, string>> = {
  // Python's json accepts these two.
  'NaN and minus Infinity': '[NaN,-Infinity]',
  'number with a leading zero': '012',
  'number that ends in an exponent': '[1e]',
  'number that ends in a decimal point': '-2.',
  'minus sign without a number': '-',
  'number with an underscore': '1_000',
  'number with a suffix': '1f',
  Infinity: 'Infinity',
  'literal in capitals': 'True',
  'literal that is cut off': 'nul',
  'empty item': '[1,,2]',
  'comma after the last item': '["",]',
  'comma before the first item': '[,1]',
  'colon in an array': '["x":1]',
  'member without a colon': '{"a" "b"}',
  'member without a value': '{"a":}',
  'name of a member that is a number': '{1:1}',
  'array that ends as an object': '["a"}',
  'hexadecimal escape': '"\\x41"',
  'escape that is cut off': '"\\u00A"',
  'escaped single quote': '"it\\\'s"',
  'text over two lines': '"one\ntwo"',
};

/** 400 (create.body-json). */
export const NO_JSON_MEMBERS = literals<string, Members>(
  WRITE,
  Object.fromEntries(Object.entries(NO_VALUES).map(([name, value]) => [name, after(['"note"', value])])),
);

const PACKING: Packing<Members> = {
  join: (all) => (texts) => ({
    before: all.flatMap((members) => members(texts).before ?? []),
    after: all.flatMap((members) => members(texts).after ?? []),
  }),
  takes(members) {
    const { before = [], after: behind = [] } = members({ name: '"x"', categoryId: '1' });
    return [...before, ...behind].map(([name]) => name);
  },
};

export const MEMBERS: Table<Members> = {
  usual: 'none',
  packing: PACKING,
  values: {
    ...NO_MEMBERS,
    ...UNKNOWN_MEMBERS,
    ...LONG_MEMBERS,
    ...EMPTY_MEMBERS,
    ...CLIENT_IDS,
    ...REPEATED_MEMBERS,
    ...NAMES_ELSEWHERE,
    ...CATEGORIES_ELSEWHERE,
    ...NO_JSON_MEMBERS,
  },
};

/** The same object in other forms (RFC 8259, sections 2, 4 and 7). */
export const ORDER: Table<(members: readonly Member[]) => readonly Member[]> = {
  usual: 'name first',
  values: literals(WRITE, {
    'name first': (all: readonly Member[]) => all,
    reversed: (all: readonly Member[]) => all.toReversed(),
    'first member last': (all: readonly Member[]) => [...all.slice(1), ...all.slice(0, 1)],
  }),
};

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** With hexadecimal digits in capital and small letters in turn. */
function escapeBeyondAscii(text: string): string {
  let isCapital = false;
  return text.replace(/[\u0080-\uffff]/g, (unit) => {
    isCapital = !isCapital;
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isCapital ? digits.toUpperCase() : digits}`;
  });
}

const firstLetter = (text: string): string => text.replace(/^"([A-Za-z])/, (_match, letter: string) => `"${escaped(letter)}`);

export const ESCAPES: Table<(member: Member) => Member> = {
  usual: 'none',
  values: literals(WRITE, {
    none: (member: Member) => member,
    'first letter of values': ([name, value]: Member): Member => [name, firstLetter(value)],
    'first letter of names': ([name, value]: Member): Member => [firstLetter(name), value],
    'beyond ASCII': ([name, value]: Member): Member => [name, escapeBeyondAscii(value)],
    // RFC 8259, section 7: some serializers escape every slash.
    slashes: ([name, value]: Member): Member => [name, value.replaceAll('/', '\\/')],
  }),
};

/** Seven bodies of this size on one connection are more than 8 KiB. */
const PADDED = 1_280;
/** Gateways inspect the first 8 KB of a body. */
const FAR = 9_000;

const tight = (members: readonly Member[]): string => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`;

export const SPACE: Table<(members: readonly Member[]) => string> = {
  usual: 'none',
  values: literals<string, (members: readonly Member[]) => string>(WRITE, {
    none: tight,
    'after each token': (members: readonly Member[]) => `{\r\n${members.map(([name, value]) => `\t${name} : ${value}`).join(' ,\n')}\n}\n`,
    'one space before the body': (members: readonly Member[]) => ` ${tight(members)}`,
    ...Object.fromEntries(
      Object.entries({ spaces: ' ', tabs: '\t', 'line feeds': '\n' }).map(([name, space]) => [
        name,
        (members: readonly Member[]) => `{${members.map((member) => `${space}${member.join(`:${space}`)}`).join(',')}${space}}`,
      ]),
    ),
    'before the body': (members: readonly Member[]) => tight(members).padStart(PADDED),
    'after the body': (members: readonly Member[]) => tight(members).padEnd(PADDED),
    'before the last member': (members: readonly Member[]) =>
      `{${members.map(([name, value], at) => `${at === members.length - 1 ? ' '.repeat(FAR) : ''}${name}:${value}`).join(',')}}`,
  }),
};

type Shape = (texts: BodyTexts) => string | Uint8Array | undefined;

export const OBJECTS = literals<'object', Shape>(WRITE, { object: ({ object }) => object });

const through = (text: string, piece: string): string => text.slice(0, text.indexOf(piece) + piece.length);
/** The object with something more inside the quotes of its name, in front of the closing one. */
const inName = ({ object, name }: BodyTexts, more: string): string => object.replace(name, () => `${name.slice(0, -1)}${more}"`);
/** The object with a character three letters before the end of its name. */
const nearEnd = ({ object, name }: BodyTexts, character: string): string =>
  object.replace(name, () => `${name.slice(0, -3)}${character}${name.slice(-3)}`);
const unquoted = (text: string): string => text.replace(/^"|"$/g, '');

/** 400 (create.body-json): no body, or nothing but space. */
export const NO_BODIES = literals<string, Shape>(WRITE, { 'no body': () => undefined, spaces: () => '   ' });

/** 400 (create.body-json): the start of a body. */
export const CUT_BODIES = literals<string, Shape>(WRITE, {
  'cut after the opening brace': () => '{',
  'cut after the first colon': ({ object }) => through(object, '"name":'),
  'cut in the name': ({ object, name }) => through(object, name.slice(0, -4)),
  'cut after the name': ({ object, name }) => through(object, name),
  'cut after the second colon': ({ object }) => through(object, '"categoryId":'),
  'without the closing brace': ({ object }) => object.slice(0, -1),
  'cut after 12 characters': ({ object }) => object.slice(0, 12),
});

/** 400 (create.body-json): something before or after the JSON. */
export const TRAILING_BODIES = literals<string, Shape>(WRITE, {
  'word after': ({ object }) => `${object} x`,
  'second closing brace': ({ object }) => `${object}}`,
  'U+0000 after': ({ object }) => `${object}\0`,
  'two documents': ({ object }) => object + object,
  'two documents on two lines': ({ object }) => `${object}\n{}`,
  'word before': ({ object }) => `x ${object}`,
  "prefix )]}'": ({ object }) => `)]}'\n${object}`,
});

/** 400 (create.body-json): what a JavaScript or JSON5 parser would accept. */
export const LENIENT_BODIES = literals<string, Shape>(WRITE, {
  'comma before the closing brace': ({ object }) => object.replace(/\}$/, ',}'),
  'members without a comma': ({ object }) => object.replaceAll(',"', ' "'),
  'single quotes': ({ object }) => object.replaceAll('"', "'"),
  'names without quotes': ({ object }) => object.replace(/"(\w+)":/g, '$1:'),
  comment: ({ object }) => object.replace('{', '{/* a comment */'),
  'comment after': ({ object }) => `${object} // a comment`,
  'invalid escape in the name': (texts) => inName(texts, '\\q'),
  'U+0001 in the name': (texts) => inName(texts, '\u0001'),
  'equals sign for a colon': ({ object }) => object.replace('":', '"='),
  'tab in the name': (texts) => nearEnd(texts, '\t'),
  'line feed in the name': (texts) => nearEnd(texts, '\n'),
});

/** 400 (create.body-json): other formats. */
export const FOREIGN_BODIES = literals<string, Shape>(WRITE, {
  word: () => 'hello',
  'letters beyond ASCII': () => 'γάτα 猫',
  'U+0000': () => '\u0000',
  'form data': ({ name, categoryId }) => `name=${unquoted(name)}&categoryId=${categoryId}`,
  XML: ({ name, categoryId }) => `<pet><name>${unquoted(name)}</name><categoryId>${categoryId}</categoryId></pet>`,
  YAML: ({ name, categoryId }) => `name: ${unquoted(name)}\ncategoryId: ${categoryId}\n`,
});

/** Deeper than the stack of a recursive parser. */
const DEEPER = 2_000;

/** 400 (create.body-object). */
export const NO_OBJECTS = literals<string, Shape>(WRITE, {
  'empty array': () => '[]',
  'array with a NewPet': ({ object }) => `[${object}]`,
  'array in an array': ({ object }) => `[[${object}]]`,
  '2,000 nested arrays': () => '['.repeat(DEEPER) + ']'.repeat(DEEPER),
  'array with two NewPets': ({ object, name }) => `[${object},${object.replace(name, () => `${name.slice(0, -2)}z"`)}]`,
  'array of the values': ({ name, categoryId }) => `[${name},${categoryId},"sold"]`,
  string: () => '"x"',
  'string with a NewPet': ({ object }) => JSON.stringify(object),
  '1': () => '1',
  true: () => 'true',
  null: () => 'null',
});

/** Open: text that is not well-formed UTF-8 (RFC 8259, section 8.1). */
function bytesInName(texts: BodyTexts, bytes: readonly number[]): Uint8Array {
  const [front = '', back = ''] = inName(texts, '\u0000').split('\u0000');
  return Buffer.concat([Buffer.from(front), Buffer.from(bytes), Buffer.from(back)]);
}

export const DAMAGED_TEXTS = literals<string, Shape>(WRITE, {
  'half a surrogate pair': (texts) => inName(texts, '\\ud800'),
  'surrogates in the wrong order': (texts) => inName(texts, '\\udc00\\ud800'),
  'byte that is not UTF-8': (texts) => bytesInName(texts, [0xff]),
  'overlong encoding': (texts) => bytesInName(texts, [0xc0, 0xaf]),
  'surrogate in UTF-8': (texts) => bytesInName(texts, [0xed, 0xa0, 0x80]),
  'Latin-1': (texts) => bytesInName(texts, [0xe9]),
  'byte order mark': ({ object }) => `\ufeff${object}`,
  'UTF-16': ({ object }) => Buffer.from(`\ufeff${object}`, 'utf16le'),
});

const THOUSAND = 1_000;

/**
 * `shape: '=cut 613'`, `'=without 250'`, `'=letter 990'`: cut at, without, or with a letter before, that thousandth of its structure.
 * `shape: '=json 42'`: that instead.
 */
function drawnShape(drawn: string | number): Value<Shape> {
  const [edit, share, ...rest] = String(drawn).split(' ');
  if (edit === 'json') return { ...WRITE, make: () => () => [share, ...rest].join(' ') };
  const at = (length: number): number => Math.min(length - 1, Math.floor((Number(share) / THOUSAND) * length));
  const shape: Shape = ({ object }) => {
    if (edit === 'cut') return object.slice(0, Math.max(1, at(object.length)));
    const marks = [...object.matchAll(/[{}:,]/g)].map((match) => match.index);
    const mark = marks[at(marks.length)] ?? 0;
    return edit === 'without' ? object.slice(0, mark) + object.slice(mark + 1) : `${object.slice(0, mark)}x${object.slice(mark)}`;
  };
  return { ...WRITE, make: () => shape };
}

/** Bodies that are not JSON: cut off, without one of their structural characters, or with a letter where none is allowed. */
export const drawnBrokenBodies = (): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('cut', 'without', 'letter'), fc.nat({ max: THOUSAND - 1 })).map(([edit, share]) => `=${edit} ${share}`);

/** JSON that is not an object. */
export const drawnNoObjects = (): fc.Arbitrary<string> =>
  drawnValues()
    .filter((json) => !json.startsWith('={'))
    .map((json) => `=json ${json.slice(1)}`);

export const SHAPE: Table<Shape> = {
  usual: 'object',
  values: {
    ...OBJECTS,
    ...NO_BODIES,
    ...CUT_BODIES,
    ...TRAILING_BODIES,
    ...LENIENT_BODIES,
    ...FOREIGN_BODIES,
    ...NO_OBJECTS,
    ...DAMAGED_TEXTS,
  },
  drawn: drawnShape,
};

const same = (texts: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries(texts.map((text) => [text, text]));

/** The Content-Type. Letter case and white space are free (RFC 9110, section 8.3.1). */
export const JSON_TYPES = literals<string, string | undefined>(WRITE, same(['application/json', 'Application/JSON']));

/** Open for what is a NewPet otherwise; what is none is invalid all the same. */
export const JSON_TYPES_WITH_CHARSET = literals<string, string | undefined>(
  WRITE,
  same(['application/json; charset=utf-8', 'application/json; charset=iso-8859-1']),
);

/** Open, whatever the body is. */
export const OTHER_TYPES = literals<string, string | undefined>(WRITE, {
  none: undefined,
  empty: '',
  ...same(['application/vnd.api+json', 'text/plain', 'application/x-www-form-urlencoded']),
});

export const TYPE: Table<string | undefined> = {
  usual: 'application/json',
  values: { ...JSON_TYPES, ...JSON_TYPES_WITH_CHARSET, ...OTHER_TYPES },
};

export const FRAMING: Table<'length' | 'chunked' | 'divided'> = {
  usual: 'length',
  values: literals(WRITE, { length: 'length' as const, divided: 'divided' as const, chunked: 'chunked' as const }),
};
