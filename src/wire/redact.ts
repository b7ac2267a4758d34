// Texts as reports may show them: the key masked, characters that deceive escaped, the length bounded.

import type { ExtraHeaders } from './extra-headers.ts';
import { createKeyFinder, type KeyRange } from './key-finder.ts';
import { namesOfPlaces } from './key-places.ts';
import { oncePerObject } from './once.ts';

/** A key with fewer characters may be any word, number, or member name: masking it everywhere would falsify reports. */
const SHORTEST_LONG = 8;

/** Whether the key is masked only where it is used as a credential. */
export function isShortKey(key: string): boolean {
  return key.length > 0 && key.length < SHORTEST_LONG;
}

/** What reports do with a short key, for readers who may not expect it. */
export const SHORT_KEY_WARNING =
  'the API key has fewer than eight characters: reports mask it only where it stands as a credential, and show it elsewhere';

const quoteRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const HOLDERS = [
  ...(['query parameter', 'header', 'cookie'] as const).flatMap((kind) => namesOfPlaces(kind)).map(quoteRegExp),
  'api[-_]?key',
  'authorization',
  'authentication',
  '(?:(?:access|auth|bearer|session|x|x-auth|x-access|x-session)[-_]?)?token',
  'auth',
  'bearer',
  'cookie',
  'jwt',
  'key',
  'session',
].join('|');
const HOLDER = new RegExp(`(?:^|[-_])(?:${HOLDERS})$`, 'i');

/**
 * Masks a short key in the value of a header that holds credentials, and in other texts after `Bearer` and after the names of such holders.
 */
function createShortKeyMask(key: string, mask: string): (text: string, header?: string) => string {
  const word = `(?<![\\w-])${quoteRegExp(key)}(?![\\w-])`;
  const anywhere = new RegExp(word, 'g');
  const asCredential = new RegExp(
    `(\\bBearer\\s+|(?<![a-z])(?:x-)?(?:${HOLDERS})\\\\*["']?\\s*[:=]\\s*\\\\*["']?(?:[a-z]+\\s+)?)${word}`,
    'gi',
  );
  return (text, header = '') =>
    HOLDER.test(header) ? text.replace(anywhere, mask) : text.replace(asCredential, (_hit, before: string) => before + mask);
}

const LONGEST_TEXT = 4_000;
/** Redacted beyond the visible part: the key may cross the cut, in its longest spelling. */
const REDACTED_BEYOND_CUT = 2_000;
export const REDACTED = '[key]';
/** In place of other secrets: what stands for the API key is inserted again where a request is repeated. */
const OTHER_REDACTED = '[secret]';

/** Replaces the key, its encodings, and every piece of eight of its characters in a text, or in the value of the named header. */
export type Redactor = (text: string, header?: string) => string;

/** A redactor for one key. An empty key redacts nothing, and a short one is replaced only where it is used as a credential. */
export function createRedactor(key: string, mask = REDACTED): Redactor {
  if (key === '') return (text) => text;
  if (isShortKey(key)) return createShortKeyMask(key, mask);
  const find = createKeyFinder(key);
  // Pieces overlap: marking every hit first and replacing the union leaves no tail of a piece.
  return (text) => {
    const hits = find(text);
    return hits.length === 0 ? text : replaceUnion(text, hits, mask);
  };
}

/**
 * A redactor for a secret that may have words in it, such as a part of an address: it replaces no pieces, only the whole, also
 * percent-encoded. A short one is replaced only where it is used as a credential.
 */
export function createWholeRedactor(secret: string, mask = REDACTED): Redactor {
  if (secret === '' || isShortKey(secret)) return createRedactor(secret, mask);
  const whole = new RegExp([secret, encodeURIComponent(secret.toWellFormed())].map(quoteRegExp).join('|'), 'gi');
  return (text) => text.replace(whole, mask);
}

/** What is no secret of a text: words, and what stands between them. */
const NOT_SECRET = /(?<![\dA-Za-z])(?:[A-Z]{1,15}|[A-Z]?[a-z]{1,15})(?![\dA-Za-z])|[-_./]/g;

/** The parts of a header's value that look random, each at least as long as a key that is masked everywhere. */
export function randomParts([name, value]: ExtraHeaders[number]): readonly string[] {
  const known = name.toLowerCase();
  // Other clients have the same products in theirs.
  if (known === 'user-agent' || known.startsWith('accept')) return [];
  const parts = known === 'cookie' ? value.split(/;\s*/).map((pair) => pair.replace(/^[^=]*=/, '')) : value.split(/\s+/);
  return parts.filter((part) => part.replace(NOT_SECRET, '').length >= SHORTEST_LONG);
}

/**
 * Redactors for an extra header: what looks random is masked like a key, and the whole value as it is, unless the address shows it anyway. A short
 * value, which may be any word, is masked after the name of the header.
 */
function headerRedactors([name, value]: ExtraHeaders[number], baseUrl: string): readonly Redactor[] {
  if (isShortKey(value)) {
    const named = new RegExp(String.raw`((?<![\w-])${quoteRegExp(name)}\\*["']?\s*[:=]\s*\\*["']?)${quoteRegExp(value)}(?![\w-])`, 'gi');
    return [
      (text, header = '') =>
        header.toLowerCase() === name.toLowerCase() && text === value
          ? OTHER_REDACTED
          : text.replace(named, (_hit, before: string) => before + OTHER_REDACTED),
    ];
  }
  const whole = baseUrl.includes(value) ? [] : [createWholeRedactor(value, OTHER_REDACTED)];
  return [...randomParts([name, value]).map((part) => createRedactor(part, OTHER_REDACTED)), ...whole];
}

type Secrets = { readonly apiKey: string; readonly headers: ExtraHeaders; readonly baseUrl: string };

/** A redactor for all secrets of a session: its key, and the values of its extra headers. The same one for the same options: it takes time to make. */
export const sessionRedactor = oncePerObject(({ apiKey, headers, baseUrl }: Secrets): Redactor => {
  const ofKey = createRedactor(apiKey);
  const others = headers.flatMap((header) => headerRedactors(header, baseUrl));
  return others.length === 0 ? ofKey : (text, header) => others.reduce((shown, redact) => redact(shown, header), ofKey(text, header));
});

function replaceUnion(text: string, hits: readonly KeyRange[], mask: string): string {
  let result = '';
  let end = 0;
  let open: [number, number] | undefined;
  const flush = (): void => {
    if (open === undefined) return;
    result += text.slice(end, open[0]) + mask;
    end = open[1];
  };
  for (const [from, to] of hits.toSorted((a, b) => a[0] - b[0])) {
    if (open !== undefined && from <= open[1]) open[1] = Math.max(open[1], to);
    else {
      flush();
      open = [from, to];
    }
  }
  flush();
  return result + text.slice(end);
}

/** Characters that change the direction of a text, and invisible ones that programs read; but not those that join emoji and scripts. */
const INVISIBLE = /[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u200c\u200d\ufe00-\ufe0f]]/gv;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/gu;

/** The JSON spelling: `\u202e`, and two of those for a character beyond U+FFFF. */
export function spell(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const CUT = /… \(\d+ more characters\)$/;

function more(cut: number): string {
  return `… (${cut} more characters)`;
}

/** Whether a text in a report is only the beginning of the original. */
export function isCut(text: string): boolean {
  return CUT.test(text);
}

/** A text made safe to show: control, direction, and invisible characters escaped, lone surrogates replaced, length bounded. */
export function cleanText(text: string, longest = LONGEST_TEXT): string {
  const shown = text.length > longest ? text.slice(0, longest) : text;
  const clean = shown.toWellFormed().replace(CONTROL, spell).replace(INVISIBLE, spell);
  return text.length > longest ? clean + more(text.length - longest) : clean;
}

/** A text of any length as a report may show it: redacted, then cleaned and bounded. */
export function showText(text: string, redact: Redactor, header?: string): string {
  if (text.length <= LONGEST_TEXT + REDACTED_BEYOND_CUT) return cleanText(redact(text, header));
  const begin = cleanText(redact(text.slice(0, LONGEST_TEXT + REDACTED_BEYOND_CUT), header).slice(0, LONGEST_TEXT));
  return begin + more(text.length - LONGEST_TEXT);
}
