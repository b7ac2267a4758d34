import type { NewPetInput } from '../../src/session/pet.ts';

/** A name outside the plain domain, made from a plain one that is unique in the run. */
export type UnusualName = { readonly what: string; name(plain: string): string };

const behind = (what: string, tail: string): UnusualName => ({ what, name: (plain) => `${plain}${tail}` });

/** Characters that are lost, folded, escaped twice or cut off somewhere between a parser, a column and a serialiser. */
export const CHARACTER_NAMES: readonly UnusualName[] = [
  behind('a space in the middle', ' the second'),
  { what: 'a space in front', name: (plain) => ` ${plain}` },
  behind('a space behind', ' '),
  behind('two spaces in the middle', '  twice'),
  behind('a tab', '\ttab'),
  behind('a line feed', '\nline'),
  behind('CR LF', '\r\nline'),
  behind('U+0000', '\u0000nul'),
  behind('control characters', '\u0001\u0008\u001f\u007f\u0085'),
  behind('quotes', ` "double" 'single' \`back\``),
  behind('backslashes', ' \\ \\\\ \\n \\u0041 C:\\pets'),
  behind('slashes and dots', ' ../..//etc'),
  behind('HTML', ' <b>&amp;</b> &lt; <script>alert(1)</script>'),
  behind('SQL', "'; DROP TABLE pets; --"),
  behind('percent signs', ' 100% %20 %41 %s %n %00'),
  behind('plus signs', ' 1+1'),
  behind('template marks', ' ${7*7} {{7*7}} #{7} $& $1'),
  behind('accents, precomposed', ' Zoë Ünïcode'),
  behind('accents, combining', ' Zoe\u0308 e\u0301'),
  behind('sharp s, dotless i, ligatures, full-width letters', ' ß ı İ ﬁ Ⅳ ½ Ｒｅｘ'),
  behind('Chinese, Japanese, Korean, Arabic and Hebrew', ' 小猫 ねこ 고양이 قطة חתול'),
  behind('direction marks', ' \u200eltr\u202ertl\u202c\u2066\u2069'),
  behind('zero-width characters', ' a\u200bb\u200cc\u200dd\u2060e\ufeff'),
  behind('an emoji', ' 😀'),
  behind('a family of emoji joined by ZWJ, flags and skin tones', ' 👨\u200d👩\u200d👧\u200d👦 🇩🇪 👍🏽'),
  behind('characters of the last planes', ' 𝔘 𠜎 \u{10fffd}'),
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
  ...[21, 33, 51, 64, 65, 100, 101, 129, 255, 256, 257, 4096].map(long),
  filled('240 letters of two bytes', 'é', 220),
  filled('80 emoji of four bytes', '😀', 80),
];

export const VERY_LONG_NAMES: readonly UnusualName[] = [16_384, 65_536].map(long);

/**
 * Names that are special as a whole, so that no prefix can stand in front: a run leaves one animal of each at most. Digits come from
 * the plain name, so that a service where names are unique does not meet them twice.
 */
export const BARE_NAMES: readonly UnusualName[] = [
  { what: 'an empty name', name: () => '' },
  { what: 'a name of one space', name: () => ' ' },
  { what: 'the name null', name: () => 'null' },
  { what: 'the name undefined', name: () => 'undefined' },
  { what: 'a name of digits', name: digitsOf },
  { what: 'a name of digits with zeros in front', name: (plain) => `00${digitsOf(plain)}` },
  { what: 'a name that looks like a number with an exponent', name: (plain) => `${digitsOf(plain)}e5` },
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
