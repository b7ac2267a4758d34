// The API key, and what is almost the API key, as words of a POSIX shell: a report never holds the key, and its command lines still send it.

import { variableOfHeader } from './extra-headers.ts';
import { reversed, swapAlike } from './key-spellings.ts';
import { REDACTED } from './redact.ts';

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A character that `tr` takes for itself, so often that nobody reads it. */
const REPETITION = /([\w[\]{}(). ])\1{199,}/g;

/** A text as a word of a shell, in which printf and tr write long repetitions of a character. */
export function shellText(text: string): string {
  const pieces = [...text.matchAll(REPETITION)].map(({ 0: { length }, 1: character = '', index }) => ({ length, character, index }));
  const ends = [0, ...pieces.map(({ index, length }) => index + length)];
  const words = [...pieces, undefined].flatMap((piece, at) => {
    const before = text.slice(ends[at], piece?.index);
    const own = before === '' ? [] : [shellQuote(before)];
    return piece === undefined ? own : [...own, `"$(printf %0${piece.length}d 0 | tr 0 '${piece.character}')"`];
  });
  return words.length === 0 ? shellQuote(text) : words.join('');
}

const KEY = '${PETSTORE_API_KEY}';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const swapCase = (letter: string): string => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
const piped = (text: string, pipeline: string): string => `$(printf %s "${text}" | ${pipeline})`;

const BASE64 = String.raw`base64 | tr -d '\n'`;
/** What a credential may hold in place of the key, and the expansion that makes it from the key. */
const SPELLINGS: readonly (readonly [spell: (key: string) => string, expansion: string])[] = [
  [(key) => key, KEY],
  ...['', 'api:'].map((user) => [(key: string) => base64(`${user}${key}`), piped(`${user}${KEY}`, BASE64)] as const),
  [(key) => base64(`:${key}`), piped(`:${KEY}`, BASE64)],
  [(key) => base64(`${key}:`), piped(`${KEY}:`, BASE64)],
  [(key) => key.replace(/[a-z]/gi, swapCase), piped(KEY, `tr 'A-Za-z' 'a-zA-Z'`)],
  [(key) => key.replace(/[^a-z0-9]/gi, ''), piped(KEY, `tr -cd 'A-Za-z0-9'`)],
  [reversed, piped(KEY, 'rev')],
  [swapAlike, piped(KEY, `tr '0OoIl1Z2S5B8' 'O0011l2Z5S8B'`)],
  [(key) => key.replace(/[-_+/]/g, (one) => (one === '-' || one === '/' ? '_' : '-')), piped(KEY, String.raw`tr '/_+-' '_\055\055_'`)],
  [
    (key) => [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    piped(KEY, String.raw`od -An -v -tx1 | tr -d '\n' | tr ' ' '%'`),
  ],
];

type Piece = string | { readonly expansion: string };

const withoutEnd = (count: number): Piece => ({ expansion: `\${PETSTORE_API_KEY%${'?'.repeat(count)}}` });
const withoutBeginning = (count: number): Piece => ({ expansion: `\${PETSTORE_API_KEY#${'?'.repeat(count)}}` });

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** The pieces of a text that holds another spelling of the key, or a token that begins or ends as the key does; undefined for any other. */
function piecesOf(text: string, key: string, isShown: (text: string) => boolean): readonly Piece[] | undefined {
  for (const [spell, expansion] of SPELLINGS) {
    const spelled = spell(key);
    const around = spelled === '' ? [] : text.split(spelled);
    if (around.length > 1 && around.every(isShown)) return around.flatMap((one, index) => (index === 0 ? [one] : [{ expansion }, one]));
  }
  const from = text.lastIndexOf(' ') + 1;
  const token = text.slice(from);
  const begins = commonLength(token, key);
  const ends = Math.min(commonLength(reversed(token), reversed(key)), Math.min(token.length, key.length) - begins);
  const around = [text.slice(0, from), token.slice(begins, token.length - ends)] as const;
  if (begins + ends === 0 || !around.every(isShown)) return undefined;
  const beginning = begins === 0 ? [] : [withoutEnd(key.length - begins)];
  return [around[0], ...beginning, around[1], ...(ends === 0 ? [] : [withoutBeginning(key.length - ends)])];
}

/** What has no meaning within double quotes of a shell. */
const WORDS = /^[\w\t .,:;=/+-]*$/;

function wordOf(pieces: readonly Piece[]): string {
  const isPlain = pieces.every((one) => typeof one !== 'string' || WORDS.test(one));
  const parts = pieces.map((one, index) => {
    if (typeof one === 'string') return isPlain ? one : one === '' ? '' : shellQuote(one);
    const next = pieces[index + 1];
    const expansion = one.expansion === KEY && !(typeof next === 'string' && /^\w/.test(next)) ? '$PETSTORE_API_KEY' : one.expansion;
    return isPlain ? expansion : `"${expansion}"`;
  });
  return isPlain ? `"${parts.join('')}"` : parts.join('');
}

const unmasked = (shown: string): string =>
  wordOf(shown.split(REDACTED).flatMap((text, index) => (index === 0 ? [text] : [{ expansion: KEY }, text])));

/**
 * The text as a word of a shell that sends what was sent, as far as the variable with the API key can express that.
 *
 * @param isShown whether a report shows that text as it is
 */
export function keyedWord(
  shown: string,
  { sent, apiKey, isShown }: { readonly sent: string; readonly apiKey: string; readonly isShown: (text: string) => boolean },
): string {
  if (!shown.includes(REDACTED) || apiKey === '') return shellText(shown);
  const pieces = piecesOf(sent, apiKey, isShown);
  return pieces === undefined ? shellQuote(shown) : wordOf(pieces);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const EXPANSION = [
  String.raw`\$PETSTORE_API_KEY`,
  String.raw`\$\{PETSTORE_API_KEY[%#]\?+\}`,
  String.raw`\$\(printf %0\d+d 0 \| tr 0 '[^'\\]'\)`,
  ...SPELLINGS.map(([, one]) => escaped(one)),
].join('|');
/** The words that `keyedWord` writes: whatever stands in them, a shell runs nothing but what makes a credential of the key, or repeats a character. */
const WORD = String.raw`(?:"(?:[\w\t .,:;=/+-]|${EXPANSION})*"|'[^']*'|\\')+`;
const HEADER = new RegExp(`(?<= -H )${WORD}(?= )`, 'g');
const NAME = /^['"]([\w-]+)[:;]/;

/** An extra header as a word of a shell: its value comes from a variable, as that of the key does. */
export function extraWord(name: string): string {
  const expansion = `$${variableOfHeader(name)}`;
  return WORDS.test(name) ? `"${name}: ${expansion}"` : `${shellQuote(`${name}: `)}"${expansion}"`;
}

/** The names of the extra headers of a command line from a file. */
export function extraAgain(curl: string): readonly string[] {
  return [...curl.matchAll(/(?<= -H )"([\w-]+): \$(HEADER_[A-Z0-9_]+)"(?= )/g)].flatMap(([, name = '', variable]) =>
    variableOfHeader(name) === variable ? [name] : [],
  );
}

/** The names of the headers of a command line as they were sent, each with its word. */
export function headerWords(curl: string): ReadonlyMap<string, { readonly name: string; readonly word: string }> {
  return new Map(
    [...curl.matchAll(HEADER)].flatMap(([word]) => {
      const name = NAME.exec(word)?.[1];
      return name === undefined ? [] : [[name.toLowerCase(), { name, word }] as const];
    }),
  );
}

/** The text as the command line of a file has it: with the API key in place of the masks if that is what it sends, or else as it is. */
export function wordAgain(shown: string, curl: string): string {
  const keyed = shown.includes(REDACTED) ? unmasked(shown) : '';
  return keyed !== '' && curl.includes(` ${keyed}`) ? keyed : shellText(shown);
}
