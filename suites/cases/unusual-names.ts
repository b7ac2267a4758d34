import type { NewPetInput } from '../../src/schema/pet.ts';
import type { PetStatus } from '../../src/wire/exchange.ts';

/** A name outside the plain domain, made from a plain one that is unique in the run. */
export type UnusualName = { readonly what: string; name(plain: string): string };

const behind = (what: string, tail: string): UnusualName => ({ what, name: (plain) => `${plain}${tail}` });

const around = (what: string, front: string, tail = ''): UnusualName => ({ what, name: (plain) => `${front}${plain}${tail}` });

/** Characters that are lost, folded, escaped twice or cut off somewhere between a parser, a column and a serialiser. */
export const CHARACTER_NAMES: readonly UnusualName[] = [
  behind('a space in the middle', ' the second'),
  around('a space in front', ' '),
  behind('a space behind', ' '),
  behind('two spaces in the middle', '  twice'),
  behind('a tab', '\ttab'),
  behind('a line feed', '\nline'),
  behind('CR LF', '\r\nline'),
  behind('control characters', '\u0001\u0008\u001f\u007f\u0085'),
  behind('quotes, straight and curly', ` "double" 'single' \`back\` “curly” ‘curly’ «guillemets»`),
  around('quotes around it', '"', '"'),
  behind('backslashes', ' \\ \\\\ \\n \\u0041 C:\\pets'),
  behind('slashes and dots', ' ../..//etc'),
  behind('HTML', ' <b>&amp;</b> &lt; <script>alert(1)</script>'),
  behind('SQL', "'; DROP TABLE pets; --"),
  behind('percent signs', ' 100% %20 %41 %s %n %00'),
  behind('percent-encoded letters', '%20%41%c3%a9'),
  behind('a tab at the end', '\t'),
  behind('a line feed at the end', '\n'),
  around('plus signs, also in front', '+', ' 1+1'),
  around('an equals sign in front, as of a formula', '=1+'),
  around('a minus sign in front', '-'),
  around('an at sign in front', '@'),
  around('a byte order mark in front', '\ufeff'),
  around('a combining accent in front', '\u0301'),
  behind('template marks', ' ${7*7} {{7*7}} #{7} $& $1'),
  behind('accents, combining', ' Zoe\u0308 e\u0301'),
  behind('sharp s, final sigma, dotless i, ligatures, full-width letters', ' ß ς ı İ ﬁ Ⅳ ½ Ｒｅｘ'),
  behind('Chinese, Japanese, Korean, Arabic and Hebrew', ' 小猫 ねこ 고양이 قطة חתול'),
  behind('direction marks', ' \u200eltr\u202ertl\u202c\u2066\u2069'),
  behind('zero-width characters', ' a\u200bb\u200cc\u200dd\u2060e\ufeff'),
  behind(
    'a family of emoji joined by ZWJ, flags, skin tones, variation selectors',
    ' 👨\u200d👩\u200d👧\u200d👦 🇩🇪 👍🏽 ❤\ufe0f 1\ufe0f\u20e3',
  ),
  behind('characters of the last planes, a flag of tag characters', ' 𝔘 𠜎 🏴\u{e0067}\u{e0062}\u{e007f} \u{10fffd}'),
  behind('U+FFFD and non-characters', ' \ufffd \ufdd0 \ufffe \uffff'),
  behind('no-break space, soft hyphen, line and paragraph separator', '\u00a0a\u00adb\u2028c\u2029d'),
  behind('names of members of objects', ' constructor __proto__ toString'),
];

/** A name of exactly so many characters. */
function long(length: number): UnusualName {
  return { what: `${length} letters`, name: (plain) => plain.padEnd(length, 'x') };
}

function filled(what: string, character: string, count: number): UnusualName {
  return { what, name: (plain) => `${plain}${character.repeat(count)}` };
}

/** Lengths at which columns and buffers end, and one step beyond. */
export const LONG_NAMES: readonly UnusualName[] = [
  ...[21, 33, 51, 64, 65, 100, 101, 129, 255, 256, 4096].map(long),
  filled('240 letters of two bytes', 'é', 220),
  filled('80 emoji of four bytes', '😀', 80),
];

/** One of each kind that a filter, an index or a join has lost: created while there is room to see that. */
export const FIRST_NAMES: readonly (UnusualName & { readonly status: PetStatus })[] = [
  { ...behind('accents, precomposed', ' Zoë Ünïcode'), status: 'pending' },
  { ...behind('U+0000', '\u0000nul'), status: 'pending' },
  { ...behind('an emoji', ' 😀'), status: 'sold' },
  { ...long(257), status: 'pending' },
  { what: 'an empty name', name: () => '', status: 'pending' },
];

/** The last one is longer than what comes in one piece, so that one of its characters is divided. */
export const VERY_LONG_NAMES: readonly UnusualName[] = [
  ...[16_384, 65_536].map(long),
  filled('30,000 characters of three bytes', '€', 30_000),
];

/**
 * Names that are special as a whole, so that no prefix can stand in front: a run leaves one animal of each at most. Digits come from
 * the plain name, so that a service where names are unique does not meet them twice.
 */
export const BARE_NAMES: readonly UnusualName[] = [
  { what: 'a name of one space', name: () => ' ' },
  { what: 'the name null', name: () => 'null' },
  { what: 'the name undefined', name: () => 'undefined' },
  { what: 'a name of digits', name: digitsOf },
  { what: 'a name of digits with zeros in front', name: (plain) => `00${digitsOf(plain)}` },
  { what: 'a name that looks like a number with an exponent', name: (plain) => `${digitsOf(plain)}e5` },
  // Some JSON libraries take such a text for a date and write it in another spelling.
  { what: 'a name that is a point in time', name: () => '2026-11-21T00:00:00Z' },
  { what: 'a name that looks like an object', name: () => '{}' },
  { what: 'the name constructor', name: () => 'constructor' },
  { what: 'the name __proto__', name: () => '__proto__' },
];

/** Digits that follow from the plain name. */
function digitsOf(plain: string): string {
  let value = 7;
  for (const letter of plain) value = (value * 31 + (letter.codePointAt(0) ?? 0)) % 899_999;
  return String(100_000 + value);
}

/** A NewPet with an unusual name. */
export function withName(plain: NewPetInput, { name }: UnusualName): NewPetInput {
  return { ...plain, name: name(plain.name) };
}
