// What is sent in place of the API key, in blocks by what the document says about it.

import { createHmac } from 'node:crypto';
import type fc from 'fast-check';
import { EDITS, edits } from '../../src/arbitraries/near-credentials.ts';
import type { CredentialPart, MakeInput, Member, Packing, Table, Value } from '../../src/session/vector.ts';
import { COMMON_PLACES, type KeyPlace, RARER_PLACES } from '../../src/wire/key-places.ts';
import { reversed, swapAlike, swapCase } from '../../src/wire/key-spellings.ts';
import { type About, block } from './block.ts';

const READ: About = { effect: 'read', since: '2.0' };
const NEAR: About = { effect: 'read', nearMiss: true, since: '2.0' };
/** The API key in a place other than the Authorization header. */
const INTRUSIVE: About = { effect: 'intrusive', since: '2.0' };

const authorization = (value: string): CredentialPart => ({ headers: [['authorization', value]] });
const bearer = (token: string): CredentialPart => authorization(`Bearer ${token}`);

/** Accepted. */
export const VALID = block(READ, { valid: ({ apiKey }) => bearer(apiKey) });

/** 401: nothing that is a credential. */
export const MISSING = block<string, CredentialPart>(READ, {
  none: () => ({ headers: [] }),
  'empty header': () => authorization(''),
  'cookies of the service': ({ cookies }) => ({ headers: cookies.length === 0 ? [] : [['cookie', cookies.join('; ')]] }),
});

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const KINDS = [LOWER, LOWER.toUpperCase(), '0123456789'] as const;
const ANY = KINDS.join('');

/** A different character of the same kind. */
function otherThan(character: string, random: () => number): string {
  const others = [...(KINDS.find((kind) => kind.includes(character)) ?? ANY)].filter((one) => one !== character);
  return others[Math.floor(random() * others.length)] ?? 'x';
}

const letters = (count: number, random: () => number): string => Array.from({ length: count }, () => otherThan('', random)).join('');

/** A token with the key's length and punctuation that differs in every letter and digit, or in every character if the key has none. */
function tokenLike({ apiKey, random }: MakeInput): string {
  const plain = /[a-z0-9]/i;
  const isPunctuated = plain.test(apiKey);
  return [...apiKey].map((one) => (isPunctuated && !plain.test(one) ? one : otherThan(one, random))).join('');
}

function jsonWebToken(algorithm: string, sign: (text: string) => string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: algorithm, typ: 'JWT' })}.${part({ sub: 'admin', scope: '*', exp: 4_102_444_800 })}`;
  return `${text}.${sign(text)}`;
}

/** 401: a bearer token that owes nothing to the key but its format. */
export const UNRELATED = block(READ, {
  'like the key': (making) => bearer(tokenLike(making)),
  '40 letters and digits': ({ random }) => bearer(letters(40, random)),
  '400 letters and digits': ({ random }) => bearer(letters(400, random)),
  'token with a random signature': ({ random }) => bearer(jsonWebToken('HS256', () => letters(43, random))),
  'token without a signature': () => bearer(jsonWebToken('none', () => '')),
  'token signed with "secret"': () =>
    bearer(jsonWebToken('HS256', (text) => createHmac('sha256', 'secret').update(text).digest('base64url'))),
  underscores: ({ apiKey }) => bearer('_'.repeat(apiKey.length)),
  undefined: () => bearer('undefined'),
  null: () => bearer('null'),
  'scheme alone': () => authorization('Bearer'),
  'scheme and a space': () => authorization('Bearer '),
  'bearer and a random token': ({ random }) => authorization(`bearer ${letters(40, random)}`),
  'BEARER and a random token': ({ random }) => authorization(`BEARER ${letters(40, random)}`),
});

function replaceAt(key: string, at: number, random: () => number): string {
  return key.slice(0, at) + otherThan(key.charAt(at), random) + key.slice(at + 1);
}

/** Characters that variants of base64 exchange. */
const EXCHANGED: Readonly<Record<string, string>> = { '-': '_', _: '-', '+': '-', '/': '_' };

/** 401: the key with something changed. For some keys there is nothing to change: they are then what they are. */
export const NEAR_MISSES = block(NEAR, {
  'first half': ({ apiKey }) => bearer(apiKey.slice(0, Math.ceil(apiKey.length / 2))),
  'without the last character': ({ apiKey }) => bearer(apiKey.slice(0, -1)),
  'without the first character': ({ apiKey }) => bearer(apiKey.slice(1)),
  'one more at the end': ({ apiKey }) => bearer(`${apiKey}x`),
  'one more at the start': ({ apiKey }) => bearer(`x${apiKey}`),
  'letter case swapped': ({ apiKey }) => bearer(swapCase(apiKey)),
  repeated: ({ apiKey }) => bearer(apiKey + apiKey),
  'last character changed': ({ apiKey, random }) => bearer(replaceAt(apiKey, apiKey.length - 1, random)),
  'first character changed': ({ apiKey, random }) => bearer(replaceAt(apiKey, 0, random)),
  'middle character changed': ({ apiKey, random }) => bearer(replaceAt(apiKey, Math.floor(apiKey.length / 2), random)),
  'in base64': ({ apiKey }) => bearer(Buffer.from(apiKey).toString('base64')),
  'without punctuation': ({ apiKey }) => bearer(apiKey.replace(/[^a-z0-9]/gi, '')),
  reversed: ({ apiKey }) => bearer(reversed(apiKey)),
  'letters and digits that look alike swapped': ({ apiKey }) => bearer(swapAlike(apiKey)),
  '- and _ swapped': ({ apiKey }) => bearer(apiKey.replace(/[-_+/]/g, (one) => EXCHANGED[one] ?? one)),
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** 401: the key under another scheme, or none. */
export const OTHER_SCHEMES = block(READ, {
  'Basic user name': ({ apiKey }) => authorization(`Basic ${base64(`${apiKey}:`)}`),
  'Basic password': ({ apiKey }) => authorization(`Basic ${base64(`api:${apiKey}`)}`),
  'Basic password without a user name': ({ apiKey }) => authorization(`Basic ${base64(`:${apiKey}`)}`),
  Basic: ({ apiKey }) => authorization(`Basic ${apiKey}`),
  Token: ({ apiKey }) => authorization(`Token ${apiKey}`),
  ApiKey: ({ apiKey }) => authorization(`ApiKey ${apiKey}`),
  Digest: ({ apiKey }) => authorization(`Digest ${apiKey}`),
  BearerToken: ({ apiKey }) => authorization(`BearerToken ${apiKey}`),
  'no scheme': ({ apiKey }) => authorization(apiKey),
});

/** Open: RFC 9110 ignores the letter case of a scheme, the document writes Bearer. */
export const SCHEME_CASES = block(READ, {
  bearer: ({ apiKey }) => authorization(`bearer ${apiKey}`),
  BEARER: ({ apiKey }) => authorization(`BEARER ${apiKey}`),
});

const percentEncoded = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Never accepted, with 401 or with 400: not of the form `Bearer <API_KEY>`, but with the key in it. */
export const MALFORMED_SCHEMES = block(READ, {
  'scheme with a colon': ({ apiKey }) => authorization(`Bearer: ${apiKey}`),
  'scheme without a space': ({ apiKey }) => authorization(`Bearer${apiKey}`),
});

/** The same, where the token is what is wrong. */
export const MALFORMED_TOKENS = block(READ, {
  'another word after': ({ apiKey }) => bearer(`${apiKey} extra`),
  'scheme twice': ({ apiKey }) => bearer(`Bearer ${apiKey}`),
  'comma and another word': ({ apiKey }) => bearer(`${apiKey},extra`),
  'equals sign at the end': ({ apiKey }) => bearer(`${apiKey}=`),
  'in quotes': ({ apiKey }) => bearer(`"${apiKey}"`),
  'percent-encoded': ({ apiKey }) => bearer(percentEncoded(apiKey)),
  // As many characters as the key, but more bytes; and a character that collations ignore.
  'accented last letter': ({ apiKey }) => bearer(`${apiKey.slice(0, -1)}\u00e9`),
  'soft hyphen': ({ apiKey }) => bearer(`${apiKey.slice(0, 2)}\u00ad${apiKey.slice(2)}`),
});

/** Never accepted, with 401 or with 400: no key, and no token either. */
export const NO_TOKENS = block(READ, {
  // Bytes of ISO 8859-1, as fetch sends them: some languages transcode them to ASCII letters.
  'letters beyond ASCII': () => bearer('\u00fc\u00df\u00e9\u00ff'),
  'percent sign': () => bearer('%'),
  asterisk: () => bearer('*'),
});

/** 401, or 431: a token that is larger than the room that many servers have for all headers. */
export const LARGE_TOKENS = block(READ, { '8,000 letters': () => bearer('x'.repeat(8_000)) });

function keyAt({ kind, name, bearer: isBearer }: KeyPlace): (making: MakeInput) => CredentialPart {
  return ({ apiKey }) => {
    const encoded = `${name}=${encodeURIComponent(apiKey)}`;
    switch (kind) {
      case 'query parameter':
        return { headers: [], query: encoded };
      case 'cookie':
        return { headers: [['cookie', encoded]] };
      default:
        return { headers: [[name, isBearer === true ? `Bearer ${apiKey}` : apiKey]] };
    }
  };
}

const placed = (places: readonly KeyPlace[]): Readonly<Record<string, (making: MakeInput) => CredentialPart>> =>
  Object.fromEntries(places.map((place) => [`${place.kind} ${place.name}`, keyAt(place)]));

/** 401: the key anywhere but in the Authorization header: where services look for it, and where few do. */
export const COMMON_ELSEWHERE = block(INTRUSIVE, placed(COMMON_PLACES));
export const RARER_ELSEWHERE = block(INTRUSIVE, placed(RARER_PLACES.flat()));

const KEY_MEMBERS = ['api_key', 'apiKey', 'access_token'];

/** 401: the key among the members of a body. */
export const IN_BODY = block(INTRUSIVE, {
  'in the body': ({ apiKey }) => ({
    headers: [],
    members: KEY_MEMBERS.map((name): Member => [JSON.stringify(name), JSON.stringify(apiKey)]),
  }),
});

/** `=without 3`: a drawn edit, whose place is taken modulo the length of the key: a row does not know the key. */
function drawnCredential(drawn: string | number): Value<CredentialPart> {
  const [name = '', place = '0', character = 'x'] = String(drawn).split(' ');
  const edit = Object.entries(EDITS).find(([one]) => one === name)?.[1];
  if (edit === undefined) throw new Error(`composing a request: there is no edit "${name}" of the API key`);
  return { ...NEAR, make: ({ apiKey }) => bearer(edit(apiKey, Number(place) % Math.max(1, apiKey.length), character)) };
}

const LONGEST_KEY = 64;

/** One edit of the key. */
export const drawnCredentials = (): fc.Arbitrary<string> => edits(LONGEST_KEY).map((parts) => `=${parts.join(' ')}`);

/** The key at all places of all of them. */
const PACKING: Packing<CredentialPart> = {
  join: (parts) => ({
    headers: parts.flatMap(({ headers }) => headers),
    query: parts.flatMap(({ query = [] }) => query).join('&'),
    members: parts.flatMap(({ members = [] }) => members),
  }),
  takes: ({ headers, query = '' }) => [
    ...headers.map(([name, value]) => (name === 'cookie' ? `cookie ${value}` : name)),
    ...query.split('&').filter((pair) => pair !== ''),
  ],
};

export const CREDENTIALS: Table<CredentialPart> = {
  usual: 'valid',
  packing: PACKING,
  values: {
    ...VALID,
    ...MISSING,
    ...UNRELATED,
    ...NEAR_MISSES,
    ...OTHER_SCHEMES,
    ...SCHEME_CASES,
    ...MALFORMED_SCHEMES,
    ...MALFORMED_TOKENS,
    ...NO_TOKENS,
    ...LARGE_TOKENS,
    ...COMMON_ELSEWHERE,
    ...RARER_ELSEWHERE,
    ...IN_BODY,
  },
  drawn: drawnCredential,
};
