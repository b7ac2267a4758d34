// The credentials that a service rejects, in families by the clause that a request breaks if it is accepted with one.

import { createHmac } from 'node:crypto';
import type { Credential } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import { createRandom } from '../../src/session/numbers.ts';
import type { ExtraHeaders } from '../../src/wire/extra-headers.ts';
import { COMMON_PLACES, type Place, RARER_PLACES } from '../../src/wire/key-places.ts';
import { hasRoom, reversed, swapAlike } from '../../src/wire/key-spellings.ts';

function rejectedCredential(note: string, authorization: string): Credential {
  return { note, standing: 'refused', headers: [['authorization', authorization]] };
}

/** The address that a request claims to come from is not a credential. */
export const MISSING: readonly Credential[] = [
  NO_CREDENTIAL,
  rejectedCredential('an empty Authorization header', ''),
  {
    note: 'no Authorization header and X-Forwarded-For: 127.0.0.1',
    standing: 'refused',
    headers: [
      ['x-forwarded-for', '127.0.0.1'],
      ['x-real-ip', '127.0.0.1'],
    ],
  },
  // Preconditions are evaluated last (RFC 9110, section 13.2.1): no 304 comes before the 401.
  {
    note: 'no Authorization header, and If-None-Match: *',
    standing: 'refused',
    headers: [['if-none-match', '*']],
  },
];

export const LIKE_THE_KEY = 'a random token with the length and format of the API key';

const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

const LETTERS_AND_DIGITS = CLASSES.join('');

/** A different character of the same kind, so that the token keeps its format. */
function otherCharacter(character: string, random: () => number): string {
  const kind = CLASSES.find((letters) => letters.includes(character)) ?? LETTERS_AND_DIGITS;
  const others = [...kind].filter((letter) => letter !== character);
  return others[Math.floor(random() * others.length)] ?? 'x';
}

/** A token with the key's length and format that differs in every letter and digit, or in every character if the key has none. */
function tokenLike(key: string, random: () => number): string {
  const plain = /[a-z0-9]/i;
  const kept = plain.test(key);
  return [...key].map((character) => (kept && !plain.test(character) ? character : otherCharacter(character, random))).join('');
}

/** A token that shares nothing with the key but its format; the same for the same seed. */
export function randomToken(key: string, seed: number): Credential {
  return rejectedCredential(LIKE_THE_KEY, `Bearer ${tokenLike(key, createRandom(seed))}`);
}

const LONG_TOKEN = 40;

const VERY_LONG_TOKEN = 400;

/** Characters that variants of base64 exchange. */
const EXCHANGED: Readonly<Record<string, string>> = { '-': '_', _: '-', '+': '-', '/': '_' };

const SIGNATURE = 43;

function replaceAt(key: string, at: number, random: () => number): string {
  return key.slice(0, at) + otherCharacter(key.charAt(at), random) + key.slice(at + 1);
}

function swapCase(text: string): string {
  return [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
}

type Signing = { readonly algorithm: string; sign(text: string): string };

function jsonWebToken({ algorithm, sign }: Signing): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: algorithm, typ: 'JWT' })}.${part({ sub: 'admin', scope: '*', exp: 4_102_444_800 })}`;
  return `${text}.${sign(text)}`;
}

function forgedToken(random: () => number): string {
  return jsonWebToken({ algorithm: 'HS256', sign: () => Array.from({ length: SIGNATURE }, () => otherCharacter('', random)).join('') });
}

/** A token signed with the secret that many examples use. */
function tokenOfExamples(): string {
  return jsonWebToken({ algorithm: 'HS256', sign: (text) => createHmac('sha256', 'secret').update(text).digest('base64url') });
}

/** A bounded list of near misses of the API key, and of bearer credentials without a key. */
export function wrongKeys(key: string, seed: number): readonly Credential[] {
  const random = createRandom(seed + 1);
  const last = key.length - 1;
  const long = (length: number): string => Array.from({ length }, () => otherCharacter('', random)).join('');
  const tokens: readonly (readonly [note: string, token: string])[] = [
    [LIKE_THE_KEY, tokenLike(key, createRandom(seed))],
    ['a random token of 40 letters and digits', long(LONG_TOKEN)],
    ['a random token of 400 letters and digits', long(VERY_LONG_TOKEN)],
    ['a JSON Web Token with a random signature', forgedToken(random)],
    ['a JSON Web Token without a signature (alg none)', jsonWebToken({ algorithm: 'none', sign: () => '' })],
    ['a JSON Web Token signed with the secret "secret"', tokenOfExamples()],
    ['the first half of the API key', key.slice(0, Math.ceil(key.length / 2))],
    ['the API key without its last character', key.slice(0, last)],
    ['the API key without its first character', key.slice(1)],
    ['the API key with one more character at the end', `${key}x`],
    ['the API key with one more character at the start', `x${key}`],
    ['the API key with its letter case swapped', swapCase(key)],
    ['the API key repeated', key + key],
    ['the API key with its last character changed', replaceAt(key, last, random)],
    ['the API key with its first character changed', replaceAt(key, 0, random)],
    ['the API key with a character in the middle changed', replaceAt(key, Math.floor(key.length / 2), random)],
    ['the API key in base64', Buffer.from(key).toString('base64')],
    ['the API key without its punctuation', key.replace(/[^a-z0-9]/gi, '')],
    ['the API key reversed', reversed(key)],
    ['the API key with letters and digits that look alike swapped', swapAlike(key)],
    ['the API key with - and _ swapped', key.replace(/[-_+/]/g, (character) => EXCHANGED[character] ?? character)],
    ['as many underscores as the API key has characters', '_'.repeat(key.length)],
    ['the token "undefined"', 'undefined'],
    ['the token "null"', 'null'],
  ];
  // A key of one letter has no half, and a key of digits has no letter case.
  const distinct = new Map(
    [...tokens]
      .reverse()
      .filter(([, token]) => token !== '' && token !== key && hasRoom(token, key))
      .map(([note, token]) => [token, note]),
  );
  return [
    ...[...distinct].map(([token, note]) => rejectedCredential(note, `Bearer ${token}`)),
    rejectedCredential('"Bearer" without a token', 'Bearer'),
    rejectedCredential('"Bearer" and a trailing space', 'Bearer '),
    ...['bearer', 'BEARER'].map((word) => rejectedCredential(`a random token under the scheme "${word}"`, `${word} ${long(LONG_TOKEN)}`)),
  ];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export function wrongSchemes(key: string): readonly Credential[] {
  const rows: readonly (readonly [note: string, value: string])[] = [
    ['the API key as the Basic user name', `Basic ${base64(`${key}:`)}`],
    ['the API key as the Basic password', `Basic ${base64(`api:${key}`)}`],
    ['the API key as the Basic password without a user name', `Basic ${base64(`:${key}`)}`],
    ['the API key under the scheme Basic', `Basic ${key}`],
    ['the API key under the scheme Token', `Token ${key}`],
    ['the API key under the scheme ApiKey', `ApiKey ${key}`],
    ['the API key under the scheme Digest', `Digest ${key}`],
    ['the API key under the scheme BearerToken', `BearerToken ${key}`],
    ['the API key without a scheme', key],
  ];
  return rows.filter(([, value]) => hasRoom(value, key)).map(([note, value]) => rejectedCredential(note, value));
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * The API key, or a wildcard, in a header that does not have the form `Bearer <API_KEY>`. The document accepts none of them; it does not say whether
 * such a header is a wrong credential (401) or a malformed request (400, RFC 6750, section 3.1).
 */
export function malformed(key: string): readonly Credential[] {
  const rows: readonly (readonly [note: string, value: string])[] = [
    ['"Bearer", the API key, and another word', `Bearer ${key} extra`],
    ['"Bearer" twice and the API key', `Bearer Bearer ${key}`],
    ['"Bearer:" with a colon and the API key', `Bearer: ${key}`],
    ['"Bearer" and the API key without a space', `Bearer${key}`],
    ['"Bearer", the API key, a comma, and another word', `Bearer ${key},extra`],
    ['"Bearer", the API key, and an equals sign', `Bearer ${key}=`],
    ['"Bearer" and the API key in quotes', `Bearer "${key}"`],
    ['"Bearer" and the percent-encoded API key', `Bearer ${percentEncoded(key)}`],
    // Bytes of ISO 8859-1, as fetch sends them: some languages transcode them to ASCII letters.
    ['"Bearer" and letters that are not ASCII', 'Bearer \u00fc\u00df\u00e9\u00ff'],
    // As many characters as the key, but more bytes; and a character that collations ignore.
    ['"Bearer" and the API key with an accented letter for its last character', `Bearer ${key.slice(0, -1)}\u00e9`],
    ['"Bearer" and the API key with a soft hyphen in it', `Bearer ${key.slice(0, 2)}\u00ad${key.slice(2)}`],
    ['"Bearer" and 8,000 letters', `Bearer ${'x'.repeat(8_000)}`],
    ['"Bearer" and a percent sign', 'Bearer %'],
    ['"Bearer" and an asterisk', 'Bearer *'],
  ];
  return rows.map(([note, value]) => ({ ...rejectedCredential(note, value), standing: 'open' }));
}

/**
 * Characters that the places of a request may take. Some gateways return 403 or 404 to a query of more than 2,048 bytes, and the parameters of a list
 * need some; many servers allow 8 KB for all headers.
 */
const ROOM = { 'query parameter': 1_900, header: 3_000, cookie: 3_000 } as const;
/** Requests for places of one kind: of a long key, the rarest places are left out. */
const MOST_REQUESTS = 3;

/** The places in as few groups as have room for the key at each of them; none where a single one has no room. */
function grouped(all: readonly Place[], key: string): readonly (readonly Place[])[] {
  const longest = Math.max(...all.map(({ name }) => name.length)) + 'Bearer '.length + encodeURIComponent(key).length;
  const most = Math.floor(Math.min(...all.map(({ kind }) => ROOM[kind])) / longest);
  if (most === 0) return [];
  const requests = Math.min(MOST_REQUESTS, Math.ceil(all.length / most));
  return Array.from({ length: requests }, (_unused, index) => all.slice(index * most, (index + 1) * most));
}

/** How the notes of a key that is elsewhere begin; which names follow depends on its length. */
const ELSEWHERE = 'the API key in the ';
/** The names that a note lists; of more, it lists the first. */
const LISTED = 10;
const FIRST_LISTED = 3;

/** "query parameters a, b", "cookies d, e, f, and 18 more". */
function inWords(group: readonly Place[]): string {
  const listed = group.length > LISTED ? group.slice(0, FIRST_LISTED) : group;
  const more = group.length > listed.length ? `, and ${group.length - listed.length} more` : '';
  return `${group[0]?.kind}${group.length === 1 ? '' : 's'} ${listed.map(({ name }) => name).join(', ')}${more}`;
}

function keyAt(group: readonly Place[], key: string): Credential {
  const base = { note: `${ELSEWHERE}${inWords(group)}`, standing: 'refused', headers: [] } as const;
  const encoded = group.map(({ name }) => `${name}=${encodeURIComponent(key)}`);
  switch (group[0]?.kind) {
    case 'query parameter':
      return { ...base, query: encoded.join('&') };
    case 'cookie':
      return { ...base, headers: [['cookie', encoded.join('; ')]] };
    default:
      return { ...base, headers: group.map(({ name, bearer }) => [name, bearer === true ? `Bearer ${key}` : key]) };
  }
}

const groupsFor = (key: string): readonly (readonly Place[])[] => [
  ...COMMON_PLACES.flatMap((place) => grouped([place], key)),
  ...RARER_PLACES.flatMap((all) => grouped(all, key)),
];

/** What lies between the suite and the service. */
type Between = { readonly proxy: string | undefined; readonly headers: ExtraHeaders };

/**
 * How many places a request has depends on the length of the key. A proxy keeps Proxy-Authorization for itself, so the service would not
 * see it; nor does it see a request without a header that something in front of it asks for.
 */
export function elsewhere(key: string, { proxy, headers }: Between = { proxy: undefined, headers: [] }): readonly Credential[] {
  const taken = [...headers.map(([name]) => name.toLowerCase()), ...(proxy === undefined ? [] : ['proxy-authorization'])];
  const groups = groupsFor(key).filter((group) => !group.some(({ kind, name }) => kind === 'header' && taken.includes(name)));
  return groups.map((group) => keyAt(group, key));
}

/** A row of `elsewhere` that has several places, as a row for each of them; none for others. */
export function eachPlace({ note }: Credential, key: string): readonly Credential[] {
  const group = groupsFor(key).find((places) => keyAt(places, key).note === note) ?? [];
  return group.length > 1 ? group.map((place) => keyAt([place], key)) : [];
}

export const IN_BODY: Credential = { note: `${ELSEWHERE}body`, standing: 'refused', headers: [] };

const SET_COOKIES = 'the cookies that the service has set';

export function cookieCredential(cookies: readonly string[]): Credential {
  return {
    note: SET_COOKIES,
    standing: 'refused',
    headers: [['cookie', cookies.join('; ')]],
  };
}

/** The clause that a request breaks if it is accepted with the credential. */
export type Family = 'missing' | 'wrong-key' | 'wrong-scheme' | 'elsewhere';

const notesOf = (credentials: readonly Credential[], family: Family): [string, Family][] => credentials.map(({ note }) => [note, family]);

/**
 * An exchange keeps the note of its credential, which for these is the same for every key. Notes of properties are not listed: they belong to
 * wrong-key.
 */
const FAMILIES: ReadonlyMap<string, Family> = new Map([
  ...notesOf(MISSING, 'missing'),
  ...notesOf(wrongSchemes('key'), 'wrong-scheme'),
  ...notesOf([cookieCredential([])], 'elsewhere'),
]);

export function familyOf(note: string): Family {
  return FAMILIES.get(note) ?? (note.startsWith(ELSEWHERE) ? 'elsewhere' : 'wrong-key');
}

/** Headers that only resemble the scheme; other malformed headers resemble the key. */
const MALFORMED_SCHEME = /colon|without a space/;

const MALFORMED: ReadonlyMap<string, Family> = new Map(
  malformed('key').map(({ note }) => [note, MALFORMED_SCHEME.test(note) ? 'wrong-scheme' : 'wrong-key']),
);

export function malformedFamilyOf(note: string): Family | undefined {
  return MALFORMED.get(note);
}
