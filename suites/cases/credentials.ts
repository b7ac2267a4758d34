import { createHmac } from 'node:crypto';
import type { Credential } from '../../src/session/client/api.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';

/** Which clause owns a request that is let in with it. */
export type Family = 'missing' | 'wrong-key' | 'wrong-scheme' | 'elsewhere';

/** How the notes of each family begin, so that an exchange tells its family. Notes of properties begin otherwise: wrong-key has them. */
const BEGINNINGS: Readonly<Record<Exclude<Family, 'wrong-key'>, string>> = {
  missing: 'no credential: ',
  'wrong-scheme': 'another scheme: ',
  elsewhere: 'the key elsewhere: ',
};
const LONG_TOKEN = 40;
const VERY_LONG_TOKEN = 400;
/** What is alike in the spellings of base64. */
const EXCHANGED: Readonly<Record<string, string>> = { '-': '_', _: '-', '+': '-', '/': '_' };
const SIGNATURE = 43;
const LIKE_THE_KEY = 'a random token of the length and format of the key';
const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;
const LETTERS_AND_DIGITS = CLASSES.join('');

/** The family that the credential of an exchange belongs to. */
export function familyOf(note: string): Family {
  if (note.startsWith(BEGINNINGS.missing)) return 'missing';
  if (note.startsWith(BEGINNINGS['wrong-scheme'])) return 'wrong-scheme';
  return note.startsWith(BEGINNINGS.elsewhere) ? 'elsewhere' : 'wrong-key';
}

function refused(note: string, authorization: string): Credential {
  return { note, standing: 'refused', headers: [['authorization', authorization]] };
}

export const NO_HEADER: Credential = { note: `${BEGINNINGS.missing}no Authorization header`, standing: 'refused', headers: [] };

/** Nothing that could be a credential; where a request says that it comes from is none. */
export const MISSING: readonly Credential[] = [
  NO_HEADER,
  refused(`${BEGINNINGS.missing}an empty Authorization header`, ''),
  {
    note: `${BEGINNINGS.missing}no Authorization header, as if forwarded from the machine itself`,
    standing: 'refused',
    headers: [
      ['x-forwarded-for', '127.0.0.1'],
      ['x-real-ip', '127.0.0.1'],
    ],
  },
];

/** Another character of the same kind, so that the token keeps its format. */
function otherCharacter(character: string, random: () => number): string {
  const kind = CLASSES.find((letters) => letters.includes(character)) ?? LETTERS_AND_DIGITS;
  const others = [...kind].filter((letter) => letter !== character);
  return others[Math.floor(random() * others.length)] ?? 'x';
}

/** A token of the key's length and format that differs from it wherever there is a letter or digit, or everywhere if there is none. */
function tokenLike(key: string, random: () => number): string {
  const plain = /[a-z0-9]/i;
  const kept = plain.test(key);
  return [...key].map((character) => (kept && !plain.test(character) ? character : otherCharacter(character, random))).join('');
}

function replaceAt(key: string, at: number, random: () => number): string {
  return key.slice(0, at) + otherCharacter(key.charAt(at), random) + key.slice(at + 1);
}

function swapCase(text: string): string {
  return [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
}

/** A token that has nothing to do with the key but its format: the same in each run of a seed. */
export function randomToken(key: string, seed: number): Credential {
  return refused(LIKE_THE_KEY, `Bearer ${tokenLike(key, createRandom(seed))}`);
}

type Signing = { readonly algorithm: string; sign(text: string): string };

/** A JSON Web Token that claims a lot. */
function jsonWebToken({ algorithm, sign }: Signing): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: algorithm, typ: 'JWT' })}.${part({ sub: 'admin', scope: '*', exp: 4_102_444_800 })}`;
  return `${text}.${sign(text)}`;
}

/** Its signature is of random letters. */
function forgedToken(random: () => number): string {
  return jsonWebToken({ algorithm: 'HS256', sign: () => Array.from({ length: SIGNATURE }, () => otherCharacter('', random)).join('') });
}

/** Signed with a secret that everybody knows from examples. */
function tokenOfExamples(): string {
  return jsonWebToken({ algorithm: 'HS256', sign: (text) => createHmac('sha256', 'secret').update(text).digest('base64url') });
}

/** The bounded list of keys that are nearly the right one, and of bearer credentials without a key. */
export function wrongKeys(key: string, seed: number): readonly Credential[] {
  const random = createRandom(seed + 1);
  const last = key.length - 1;
  const long = (length: number): string => Array.from({ length }, () => otherCharacter('', random)).join('');
  const tokens: readonly (readonly [note: string, token: string])[] = [
    [LIKE_THE_KEY, tokenLike(key, createRandom(seed))],
    ['a random token of forty letters and digits', long(LONG_TOKEN)],
    ['a random token of four hundred letters and digits', long(VERY_LONG_TOKEN)],
    ['a JSON Web Token with a signature of random letters', forgedToken(random)],
    ['a JSON Web Token without a signature (alg none)', jsonWebToken({ algorithm: 'none', sign: () => '' })],
    ['a JSON Web Token signed with the word secret', tokenOfExamples()],
    ['the first half of the key', key.slice(0, Math.ceil(key.length / 2))],
    ['the key without its last character', key.slice(0, last)],
    ['the key without its first character', key.slice(1)],
    ['the key and one character more', `${key}x`],
    ['one character more and the key', `x${key}`],
    ['the key with its letter case swapped', swapCase(key)],
    ['the key twice', key + key],
    ['the key with another last character', replaceAt(key, last, random)],
    ['the key with another first character', replaceAt(key, 0, random)],
    ['the key with another character in the middle', replaceAt(key, Math.floor(key.length / 2), random)],
    ['the key in base64', Buffer.from(key).toString('base64')],
    ['the key without its punctuation', key.replace(/[^a-z0-9]/gi, '')],
    ['the key with - and _ exchanged', key.replace(/[-_+/]/g, (character) => EXCHANGED[character] ?? character)],
    ['as many underscores as the key has characters', '_'.repeat(key.length)],
    ['the word undefined', 'undefined'],
    ['the word null', 'null'],
  ];
  // A key of one letter has no half, and one of digits has no letter case.
  const distinct = new Map(
    [...tokens]
      .reverse()
      .filter(([, token]) => token !== '' && token !== key)
      .map(([note, token]) => [token, note]),
  );
  return [
    ...[...distinct].map(([token, note]) => refused(note, `Bearer ${token}`)),
    refused('the word Bearer alone', 'Bearer'),
    refused('the word Bearer and a space', 'Bearer '),
    ...['bearer', 'BEARER'].map((word) => refused(`a random token behind the word ${word}`, `${word} ${long(LONG_TOKEN)}`)),
  ];
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** The right key under another scheme than bearer, or under none. */
export function wrongSchemes(key: string): readonly Credential[] {
  const rows: readonly (readonly [note: string, value: string])[] = [
    ['Basic with the key as user name', `Basic ${base64(`${key}:`)}`],
    ['Basic with the key as password', `Basic ${base64(`api:${key}`)}`],
    ['Basic with the key as password without a user name', `Basic ${base64(`:${key}`)}`],
    ['Basic and the key', `Basic ${key}`],
    ['Token and the key', `Token ${key}`],
    ['ApiKey and the key', `ApiKey ${key}`],
    ['Digest and the key', `Digest ${key}`],
    ['BearerToken and the key', `BearerToken ${key}`],
    ['the key without a scheme', key],
  ];
  return rows.map(([note, value]) => refused(BEGINNINGS['wrong-scheme'] + note, value));
}

/** Where services look for keys beside the usual places: each of these lists goes along with one request. */
const QUERY_PARAMETERS = ['access_token', 'api_key', 'apiKey', 'key'];
const OTHER_PARAMETERS = [
  'apikey',
  'api-key',
  'x-api-key',
  'token',
  'auth',
  'auth_token',
  'authToken',
  'bearer',
  'bearer_token',
  'authorization',
];
const OTHER_HEADERS = ['apikey', 'api-key', 'api_key', 'x-access-token', 'x-token', 'token', 'x-session-token'];
const BEARER_HEADERS = ['authentication', 'x-authorization', 'x-forwarded-authorization', 'x-original-authorization'];
const COOKIES = ['token', 'access_token', 'auth_token', 'jwt', 'session', 'Authorization'];

function inQuery(names: readonly string[], key: string): string {
  return names.map((name) => `${name}=${encodeURIComponent(key)}`).join('&');
}

/** The right key anywhere but in the Authorization header. */
export function elsewhere(key: string): readonly Credential[] {
  const none = { standing: 'refused', headers: [] } as const;
  const note = (text: string): string => BEGINNINGS.elsewhere + text;
  const cookies = COOKIES.map((name) => `${name}=${encodeURIComponent(key)}`).join('; ');
  const headers: readonly (readonly [name: string, value: string])[] = [
    ['x-api-key', key],
    ['x-auth-token', key],
    ['cookie', `api_key=${encodeURIComponent(key)}`],
    ['proxy-authorization', `Bearer ${key}`],
  ];
  return [
    ...QUERY_PARAMETERS.map((name) => ({ ...none, note: note(`in the query parameter ${name}`), query: inQuery([name], key) })),
    ...headers.map(([name, value]) => ({ ...none, note: note(`in the header ${name}`), headers: [[name, value] as const] })),
    {
      ...none,
      note: note(`in each of the query parameters ${OTHER_PARAMETERS.join(', ')}`),
      query: inQuery(OTHER_PARAMETERS, key),
    },
    {
      ...none,
      note: note(`in each of the headers ${[...OTHER_HEADERS, ...BEARER_HEADERS].join(', ')}`),
      headers: [...OTHER_HEADERS.map((name) => [name, key] as const), ...BEARER_HEADERS.map((name) => [name, `Bearer ${key}`] as const)],
    },
    { ...none, note: note(`in each of the cookies ${COOKIES.join(', ')}`), headers: [['cookie', cookies]] },
  ];
}

/** No Authorization header, but the cookies that answers to the right key have set. */
export function cookieCredential(cookies: readonly string[]): Credential {
  return {
    note: `${BEGINNINGS.elsewhere}behind the cookies that the service has set`,
    standing: 'refused',
    headers: [['cookie', cookies.join('; ')]],
  };
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/**
 * The right key, or a wildcard, in a header that is not of the form `Bearer <API_KEY>`. The document lets none of them in; whether such a header is
 * a wrong credential (401) or a malformed request (400, RFC 6750, section 3.1) it does not say.
 */
export function malformed(key: string): readonly Credential[] {
  const rows: readonly (readonly [note: string, value: string])[] = [
    ['Bearer, the key and another word', `Bearer ${key} extra`],
    ['Bearer twice and the key', `Bearer Bearer ${key}`],
    ['Bearer with a colon and the key', `Bearer: ${key}`],
    ['Bearer and the key without a space', `Bearer${key}`],
    ['Bearer, the key and a comma with another word', `Bearer ${key},extra`],
    ['Bearer, the key and an equals sign', `Bearer ${key}=`],
    ['Bearer and the key in quotes', `Bearer "${key}"`],
    ['Bearer and the key percent-encoded', `Bearer ${percentEncoded(key)}`],
    // Bytes of ISO 8859-1, as fetch sends them: some languages trim the first, and some transcode the second to what ASCII has.
    ['Bearer, the key and a no-break space', `Bearer ${key}\u00a0`],
    ['Bearer and letters that are not ASCII', 'Bearer \u00fc\u00df\u00e9\u00ff'],
    ['Bearer and eight thousand letters', `Bearer ${'x'.repeat(8_000)}`],
    ['Bearer and a per cent sign', 'Bearer %'],
    ['Bearer and an asterisk', 'Bearer *'],
  ];
  return rows.map(([note, value]) => ({ ...refused(note, value), standing: 'open' }));
}
