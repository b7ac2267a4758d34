import type { NewPetInput } from '../../src/schema/pet.ts';
import type { PetStatus } from '../../src/wire/exchange.ts';

/** A name outside the plain domain, derived from a plain one that is unique in the run. `what` completes "POST /pets with …". */
export type UnusualName = {
  readonly what: string;
  name(plain: string): string;
  /** Respells the JSON text of a body with the name, without changing its meaning. */
  readonly spelling?: (text: string) => string;
  /** The same name without what it begins and ends with, for a service that rejects that. */
  readonly within?: UnusualName;
};

const behind = (what: string, tail: string): UnusualName => ({ what: `a name with ${what}`, name: (plain) => `${plain}${tail}` });

const around = (what: string, front: string, tail = ''): UnusualName => ({
  what: `a name with ${what}`,
  name: (plain) => `${front}${plain}${tail}`,
});

/**
 * A name that begins and ends with signs that parsers, templates, and spreadsheets read as syntax there, and that others cut off. Most signs of
 * ASCII are at the start of one of the names below, and most at the end of one.
 */
function between(front: string, back: string, within: UnusualName): UnusualName {
  const edges = front === back ? `between two of ${front}` : `between ${front} and ${back === ' ' ? 'a space' : back}`;
  return { ...within, what: `${within.what}, ${edges}`, name: (plain) => `${front}${within.name(plain)}${back}`, within };
}

/** Each character that is not ASCII as an escape, with its hexadecimal digits in capital and small letters in turn (RFC 8259, section 7). */
function escapeUnicode(text: string): string {
  let isCapital = false;
  return text.replace(/[\u0080-\uffff]/g, (unit) => {
    isCapital = !isCapital;
    const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${isCapital ? digits.toUpperCase() : digits}`;
  });
}

/** Characters that get lost, folded, escaped twice, or cut off somewhere between a parser, a column, and a serializer. */
export const CHARACTER_NAMES: readonly UnusualName[] = [
  around('a leading space and a trailing caret', ' ', '^'),
  around('control characters, one of them leading', '\u0001', '\u0008\u001f\u007f\u0085'),
  around('surrounding quotes', '"', '"'),
  around('a leading byte order mark', '\ufeff'),
  around('a leading combining accent', '\u0301'),
  around(
    'emoji, one of them leading, joined by ZWJ, flags, skin tones, and variation selectors; and what stands for emoji and markup in chats',
    '😀',
    ' 👨\u200d👩\u200d👧\u200d👦 🇩🇪 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 :dog: :heart: :) <3 **a** _b_ ~~c~~ [d](e) [b]f[/b]',
  ),
  around('a leading underscore, and tabs, one of them trailing', '_', '\ttab\t'),
  around('a leading tilde, a CRLF, and line feeds, one of them trailing', '~', '\r\nline\nline\n'),
  around('a leading Hebrew word and a trailing Arabic one', 'שלום ', ' مرحبا'),
  around('a leading accented letter and a trailing Japanese one', 'É', ' 表'),
  between("'", "'", behind('straight and curly quotes', ` "double" 'single' \`back\` “curly” ‘curly’ «guillemets»`)),
  between('(', ')', behind('backslashes', ' \\ \\\\ \\n \\u0041 C:\\pets')),
  between('[', ']', {
    ...behind(
      'slashes, dots, and every other printable sign of ASCII',
      ' ../..//etc Smith, Jo; Who? .Net: 50 %! a@b #1 (x) [y] {z} <w> ~^_|*&$=+- ~0~1',
    ),
    // RFC 8259, section 7: some serializers escape every slash.
    spelling: (text) => text.replaceAll('/', '\\/'),
  }),
  between(
    '{',
    '}',
    behind('HTML, and XML with an entity', ' <b>&amp;</b> &lt; <script>alert(1)</script> <!DOCTYPE a [<!ENTITY b "c">]>&b;'),
  ),
  between('<', '>', behind('SQL', "'; DROP TABLE pets; --")),
  between('*', '*', behind('percent signs', ' 100% %20 %41 %s %n %00')),
  between('/', '/', behind('percent-encoded letters', '%20%41%c3%a9')),
  between('%', '%', behind('template, shell, and LDAP syntax', ' ${7*7} {{7*7}} #{7} $& $1 | id; `id` && $(id) *)(uid=*')),
  between('\\', '\\', behind('combining accents, dozens of them on one letter', ` Zoe\u0308 e\u0301 Z${'\u0300\u0316\u0489'.repeat(12)}`)),
  between('$', '$', behind('sharp s, final sigma, dotless i, ligatures, and full-width letters and brackets', ' ß ς ı İ ﬁ Ⅳ ½ ＜Ｒｅｘ＞')),
  between(
    '&',
    '&',
    behind(
      'Chinese, Japanese, Korean, Arabic, Hebrew, Hindi, Tamil, and Thai letters',
      ' 小猫 許功蓋 能ソ ねこ 고양이 قطة חתול बिल्ली பூனை แมว',
    ),
  ),
  between('#', '#', behind('direction marks', ' \u200eltr\u202ertl\u202c\u2066\u2069')),
  between(':', ':', behind('zero-width characters and Hangul fillers', ' a\u200bb\u200cc\u200dd\u2060e\ufeff\u3164f\u115fg')),
  between(';', ';', behind('characters outside the BMP and a tag sequence', ' 𝔘 𠜎 🏴\u{e0067}\u{e0062}\u{e007f} \u{10fffd}')),
  // As two escapes each.
  { ...behind('characters outside the BMP, escaped', ' 𝔘 😀'), spelling: escapeUnicode },
  between(',', '`', behind('U+FFFD and noncharacters', ' \ufffd \ufdd0 \ufffe \uffff')),
  between(
    '.',
    '.',
    behind(
      'two spaces in a row, a no-break space, a soft hyphen, and line and paragraph separators',
      '  twice\u00a0a\u00adb\u2028c\u2029d',
    ),
  ),
  // Parsers that read many bytes at once may lose a backslash at the edge of a block: 72 bytes of escapes, and 72 one byte later.
  between('?', '?', behind('dozens of escapes in a row', ` ${'\n"\\\t'.repeat(9)}x${'\n"\\\t'.repeat(9)}`)),
  between(
    '@',
    '!',
    behind(
      'UTF-8 that was read as Latin-1, forty letters and digits in a row, like a secret, and the numbers of a card, a phone, and a microchip',
      ' MÃ¼ller 4f9a8c0b7d2e6f1a5c3b9e8d7f6a0b1c2d3e4f50 4111111111111111 +12025550143 276098102345678',
    ),
  ),
  between('-', ' ', behind('property names of JavaScript objects', ' constructor __proto__ toString')),
];

function long(length: number): UnusualName {
  return { what: `a name of ${length} letters`, name: (plain) => plain.padEnd(length, 'x') };
}

function filled(what: string, character: string, count: number): UnusualName {
  return { what: `a name with ${what}`, name: (plain) => `${plain}${character.repeat(count)}` };
}

/** Common limits of columns and buffers, and one more than each. */
export const LONG_NAMES: readonly UnusualName[] = [
  ...[21, 33, 51, 64, 65, 100, 101, 129, 255, 256, 4096].map(long),
  between('=1+', '|', filled('220 two-byte letters', 'é', 220)),
  between('+', '=', filled('80 four-byte emoji', '😀', 80)),
];

/** One of each kind that filters, indexes, or joins tend to lose: created while the lists still have room to show them. */
export const FIRST_NAMES: readonly (UnusualName & { readonly status: PetStatus })[] = [
  { ...behind('precomposed accents, escaped in capital and small digits', ' Zoë Ünïcode ñú'), spelling: escapeUnicode, status: 'pending' },
  { ...behind('U+0000', '\u0000nul'), status: 'pending' },
  { ...behind('an emoji', ' 😀'), status: 'sold' },
  // A search for a status in all fields finds it under each.
  { ...behind('the words of all statuses', ' available, pending, sold'), status: 'pending' },
  { ...long(257), status: 'pending' },
  { what: 'an empty name', name: () => '', status: 'pending' },
];

/** Names that a lenient collation treats as equal: all derived from one plain name. */
export const ALIKE_NAMES: readonly UnusualName[] = [
  behind('no accent', ' Zoe'),
  behind('an accent', ' Zo\u00eb'),
  behind('a combining accent', ' Zoe\u0308'),
  behind('a zero-width space', ' Zoe\u200b'),
  behind('one emoji', ' Zoe\u{1f600}'),
  behind('another emoji', ' Zoe\u{1f389}'),
];

/** The last one is longer than one network read, so that one of its characters is split. */
export const VERY_LONG_NAMES: readonly UnusualName[] = [...[16_384, 65_536].map(long), filled('30,000 three-byte characters', '€', 30_000)];

/**
 * Names that are special as a whole and can't carry a prefix: a run leaves at most one animal with each. Digits are derived from the plain
 * name, so that a service that requires unique names does not see them twice.
 */
export const BARE_NAMES: readonly UnusualName[] = [
  { what: 'a name that is a single space', name: () => ' ' },
  // Codes of a status have one letter.
  { what: 'the name "A"', name: () => 'A' },
  { what: 'the name "null"', name: () => 'null' },
  { what: 'the name "undefined"', name: () => 'undefined' },
  { what: 'a name of digits only', name: digitsOf },
  { what: 'a name of digits with leading zeros', name: (plain) => `00${digitsOf(plain)}` },
  { what: 'a name that looks like a number with an exponent', name: (plain) => `${digitsOf(plain)}e5` },
  // Some JSON libraries parse such a string as a date and format it differently.
  { what: 'a name that is an ISO 8601 timestamp', name: () => '2026-11-21T00:00:00Z' },
  { what: 'a name that looks like a JSON object', name: () => '{}' },
  { what: 'the name "constructor"', name: () => 'constructor' },
  { what: 'the name "__proto__"', name: () => '__proto__' },
];

function digitsOf(plain: string): string {
  let value = 7;
  for (const letter of plain) value = (value * 31 + (letter.codePointAt(0) ?? 0)) % 899_999;
  return String(100_000 + value);
}

export function withName(plain: NewPetInput, { name }: UnusualName): NewPetInput {
  return { ...plain, name: name(plain.name) };
}
