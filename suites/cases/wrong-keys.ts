import { createHmac } from 'node:crypto';
import type { Credential } from '../../src/session/client/api.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';
import { rejectedCredential } from './authorization-header.ts';
import { LIKE_THE_KEY, otherCharacter, tokenLike } from './random-token.ts';

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

/** A JSON Web Token that claims every scope. */
function jsonWebToken({ algorithm, sign }: Signing): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: algorithm, typ: 'JWT' })}.${part({ sub: 'admin', scope: '*', exp: 4_102_444_800 })}`;
  return `${text}.${sign(text)}`;
}

/** A token with a random signature. */
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
    ['the API key with - and _ swapped', key.replace(/[-_+/]/g, (character) => EXCHANGED[character] ?? character)],
    ['as many underscores as the API key has characters', '_'.repeat(key.length)],
    ['the token "undefined"', 'undefined'],
    ['the token "null"', 'null'],
  ];
  // A key of one letter has no half, and a key of digits has no letter case.
  const distinct = new Map(
    [...tokens]
      .reverse()
      .filter(([, token]) => token !== '' && token !== key)
      .map(([note, token]) => [token, note]),
  );
  return [
    ...[...distinct].map(([token, note]) => rejectedCredential(note, `Bearer ${token}`)),
    rejectedCredential('"Bearer" without a token', 'Bearer'),
    rejectedCredential('"Bearer" and a trailing space', 'Bearer '),
    ...['bearer', 'BEARER'].map((word) => rejectedCredential(`a random token under the scheme "${word}"`, `${word} ${long(LONG_TOKEN)}`)),
  ];
}
