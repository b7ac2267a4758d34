// The name in the body of a creation, as JSON text, in blocks by what the document says about it.

import fc from 'fast-check';
import { unusualTails } from '../../src/arbitraries/valid-requests.ts';
import { plainNameOf } from '../../src/session/compose.ts';
import type { MakeInput, Packing, Table, Value } from '../../src/session/vector.ts';
import { type About, block, drawnValues, literals } from './block.ts';

const WRITE: About = { effect: 'write', since: '2.0' };

const quoted = JSON.stringify;

type Make = (making: MakeInput) => string | undefined;

const behind =
  (tail: string): Make =>
  ({ plainName }) =>
    quoted(`${plainName}${tail}`);
const around =
  (front: string, tail = ''): Make =>
  ({ plainName }) =>
    quoted(`${front}${plainName}${tail}`);
/** Between signs that parsers, templates and spreadsheets read as syntax at the start or the end, and that others cut off. */
const between = (front: string, tail: string, back = front): Make => around(front, `${tail}${back}`);

/** 201: ASCII letters, at most 20 of them, which no other animal has. */
export const PLAIN_NAMES = block(WRITE, { plain: ({ plainName }) => quoted(plainName) });

/** 201 with the name as sent, or 400: characters that get lost, folded, escaped twice, or cut off somewhere. */
export const CHARACTER_NAMES = block(WRITE, {
  'space and caret': around(' ', '^'),
  'control characters': around('\u0001', '\u0008\u001f\u007f\u0085'),
  'in quotes': around('"', '"'),
  'byte order mark': around('\ufeff'),
  'leading combining accent': around('\u0301'),
  'emoji and chat markup': around(
    '😀',
    ' 👨\u200d👩\u200d👧\u200d👦 🇩🇪 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 :dog: :heart: :) <3 **a** _b_ ~~c~~ [d](e) [b]f[/b]',
  ),
  tabs: around('_', '\ttab\t'),
  'line ends': around('~', '\r\nline\nline\n'),
  'Hebrew and Arabic': around('שלום ', ' مرحبا'),
  'accent and Japanese': around('É', ' 表'),
  quotes: between("'", ` "double" 'single' \`back\` “curly” ‘curly’ «guillemets»`),
  backslashes: between('(', ' \\ \\\\ \\n \\u0041 C:\\pets', ')'),
  'every sign of ASCII': between('[', ' ../..//etc Smith, Jo; Who? .Net: 50 %! a@b #1 (x) [y] {z} <w> ~^_|*&$=+- ~0~1', ']'),
  'HTML and XML': between('{', ' <b>&amp;</b> &lt; <script>alert(1)</script> <!DOCTYPE a [<!ENTITY b "c">]>&b;', '}'),
  SQL: between('<', "'; DROP TABLE pets; --", '>'),
  'percent signs': between('*', ' 100% %20 %41 %s %n %00'),
  'percent-encoded letters': between('/', '%20%41%c3%a9'),
  'templates, shell, and LDAP': between('%', ' ${7*7} {{7*7}} #{7} $& $1 | id; `id` && $(id) *)(uid=*'),
  'dozens of combining accents': between('\\', ` Zoe\u0308 e\u0301 Z${'\u0300\u0316\u0489'.repeat(12)}`),
  'letters that folding changes': between('$', ' ß ς ı İ ﬁ Ⅳ ½ ＜Ｒｅｘ＞'),
  'letters of the world': between('&', ' 小猫 許功蓋 能ソ ねこ 고양이 قطة חתול बिल्ली பூனை แมว'),
  'direction marks': between('#', ' \u200eltr\u202ertl\u202c\u2066\u2069'),
  'zero-width characters': between(':', ' a\u200bb\u200cc\u200dd\u2060e\ufeff\u3164f\u115fg'),
  'tag sequence': between(';', ' 𝔘 𠜎 🏴\u{e0067}\u{e0062}\u{e007f} \u{10fffd}'),
  'beyond the BMP': behind(' 𝔘 😀'),
  noncharacters: between(',', ' \ufffd \ufdd0 \ufffe \uffff', '`'),
  'unusual spaces': between('.', '  twice\u00a0a\u00adb\u2028c\u2029d'),
  // Parsers that read many bytes at once may lose a backslash at the edge of a block: 72 bytes of escapes, and 72 one byte later.
  'dozens of escapes': between('?', ` ${'\n"\\\t'.repeat(9)}x${'\n"\\\t'.repeat(9)}`),
  'mojibake, a secret, and long numbers': between(
    '@',
    ' MÃ¼ller 4f9a8c0b7d2e6f1a5c3b9e8d7f6a0b1c2d3e4f50 4111111111111111 +12025550143 276098102345678',
    '!',
  ),
  'properties of JavaScript objects': between('-', ' constructor __proto__ toString', ' '),
  'precomposed accents': behind(' Zoë Ünïcode ñú'),
  'U+0000': behind('\u0000nul'),
  'one emoji': behind(' 😀'),
  'words of all statuses': behind(' available, pending, sold'),
});

const long =
  (length: number): Make =>
  ({ plainName }) =>
    quoted(plainName.padEnd(length, 'x'));

const LENGTHS = [21, 33, 51, 64, 65, 100, 101, 129, 255, 256, 257, 4_096] as const;
const VERY_LONG = [16_384, 65_536] as const;

const byLength = (lengths: readonly number[]): Readonly<Record<string, Make>> =>
  Object.fromEntries(lengths.map((length) => [`${length} letters`, long(length)]));

/** 201 with the name as sent, or 400, or 413: common limits of columns and buffers, and one more than each. */
export const LONG_NAMES = block(WRITE, {
  ...byLength(LENGTHS),
  '220 two-byte letters': between('=1+', 'é'.repeat(220), '|'),
  '80 emoji': between('+', '😀'.repeat(80), '='),
  ...byLength(VERY_LONG),
  // Longer than one network read, so that one of its characters is split.
  '30,000 three-byte characters': behind('€'.repeat(30_000)),
});

/** Digits that follow from the plain name, so that a service that requires unique names does not see them twice. */
function digitsOf({ plainName }: MakeInput): string {
  const value = [...plainName].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 899_999, 7);
  return String(100_000 + value);
}

/** 201 with the name as sent, or 400: special as a whole, without a prefix. A run leaves at most one animal with each. */
export const BARE_NAMES = block(WRITE, {
  empty: () => quoted(''),
  space: () => quoted(' '),
  A: () => quoted('A'),
  null: () => quoted('null'),
  undefined: () => quoted('undefined'),
  digits: (making) => quoted(digitsOf(making)),
  'digits after zeros': (making) => quoted(`00${digitsOf(making)}`),
  'number with an exponent': (making) => quoted(`${digitsOf(making)}e5`),
  // Some JSON libraries parse such a string as a date and format it differently.
  timestamp: () => quoted('2026-11-21T00:00:00Z'),
  'JSON object': () => quoted('{}'),
  constructor: () => quoted('constructor'),
  'property __proto__': () => quoted('__proto__'),
  'id of an animal': ({ knownIds }) => quoted(String(knownIds[0] ?? 1n)),
});

/** What the next two blocks are derived from: the plain name of the first row. */
const shared = ({ runTag, letterCase }: MakeInput): string => plainNameOf({ runTag, letterCase, rowNumber: 0 });

/** Plain as any other; but whether a name may be there twice, also where letter case is ignored, is open. */
export const NAMESAKES = block(WRITE, {
  namesake: (making) => quoted(shared(making)),
  'namesake in capitals': (making) => quoted(`${shared(making).slice(0, -3)}${shared(making).slice(-3).toUpperCase()}`),
});

/** 201 with the name as sent, or 400: what a lenient collation treats as equal. */
export const ALIKE_NAMES = block(WRITE, {
  'namesake with a combining accent': (making) => quoted(`${shared(making)}\u0301`),
  'alike, no accent': (making) => quoted(`${shared(making)} Zoe`),
  'alike, accent': (making) => quoted(`${shared(making)} Zo\u00eb`),
  'alike, combining accent': (making) => quoted(`${shared(making)} Zoe\u0308`),
  'alike, zero-width space': (making) => quoted(`${shared(making)} Zoe\u200b`),
  'alike, one emoji': (making) => quoted(`${shared(making)} Zoe\u{1f600}`),
  'alike, another emoji': (making) => quoted(`${shared(making)} Zoe\u{1f389}`),
});

/** 400 (create.name-required). */
export const MISSING_NAMES = literals<'missing' | 'JSON null', string | undefined>(WRITE, { missing: undefined, 'JSON null': 'null' });

/** 400 (create.name-type). */
export const WRONG_NAMES = block(WRITE, {
  '42': () => '42',
  '1': () => '1',
  '1.5': () => '1.5',
  true: () => 'true',
  false: () => 'false',
  'empty array': () => '[]',
  'array with the name': ({ plainName }) => `[${quoted(plainName)}]`,
  'empty object': () => '{}',
  'object with the name': ({ plainName }) => `{"name":${quoted(plainName)}}`,
});

/**
 * `name: 12` is the plain name of row 12. Of a drawn text, `=>" Zoe"` comes behind the plain name of this row, `=<"~"` in front of it, and
 * `=letters 64` is the plain name with so many letters, and `=42` is the JSON itself.
 */
function drawnName(drawn: string | number): Value<string | undefined> {
  if (typeof drawn === 'number')
    return { ...WRITE, make: ({ runTag, letterCase }) => quoted(plainNameOf({ runTag, letterCase, rowNumber: drawn })) };
  const [place, json] = [drawn.slice(0, 1), drawn.slice(1)];
  if (place === '>') return { ...WRITE, make: behind(String(JSON.parse(json))) };
  if (place === '<') return { ...WRITE, make: around(String(JSON.parse(json))) };
  const [, letters] = /^letters (\d+)$/.exec(drawn) ?? [];
  if (letters !== undefined) return { ...WRITE, make: long(Number(letters)) };
  return { ...WRITE, make: () => drawn };
}

/** Anything behind a plain name, or in front of it. */
export const drawnNames = (): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom('>', '<'), unusualTails()).map(([place, text]) => `=${place}${quoted(text)}`);

/** JSON that is not a string. */
export const drawnWrongNames = (): fc.Arbitrary<string> => drawnValues().filter((json) => !/^=(?:"|null)/.test(json));

/**
 * One plain name with all fronts before it and all tails behind it, in reverse, so that the first of them has both ends of the name; and as long as the
 * longest of the lengths.
 */
const PACKING: Packing<string | undefined> = {
  join(texts, { plainName }) {
    const names = texts.map((text) => String(JSON.parse(text ?? '""')));
    const odd = names.find((name) => !name.includes(plainName));
    if (odd !== undefined) throw new Error(`composing a request: the name ${quoted(odd)} is special as a whole`);
    const isLength = (name: string): boolean => name === plainName.padEnd(name.length, 'x');
    const ends = names.filter((name) => !isLength(name)).map((name) => name.split(plainName));
    const front = ends.map(([start = '']) => start).join('');
    const back = ends.map(([, ...rest]) => rest.join(plainName)).toReversed();
    const length = Math.max(...names.filter(isLength).map((name) => name.length), 0);
    return quoted(`${`${front}${plainName}`.padEnd(length - back.join('').length, 'x')}${back.join('')}`);
  },
  // What is decoded where all of it can be is not decoded next to a sign that can't.
  takes: (text = '') => (text.includes('%') ? ['the percent sign'] : []),
};

export const NAMES: Table<string | undefined> = {
  usual: 'plain',
  packing: PACKING,
  values: {
    ...PLAIN_NAMES,
    ...CHARACTER_NAMES,
    ...LONG_NAMES,
    ...BARE_NAMES,
    ...NAMESAKES,
    ...ALIKE_NAMES,
    ...MISSING_NAMES,
    ...WRONG_NAMES,
  },
  drawn: drawnName,
};
