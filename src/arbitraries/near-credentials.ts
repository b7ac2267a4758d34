// Tokens one edit away from the API key.

import fc from 'fast-check';
import { hasRoom, reversed, swapCase } from '../wire/key-spellings.ts';

/** One edit of a key, at a place, with a character for those that need one. */
export const EDITS = {
  without: (key, at) => key.slice(0, at) + key.slice(at + 1),
  twice: (key, at) => key.slice(0, at + 1) + key.slice(at),
  case: (key, at) => key.slice(0, at) + swapCase(key.charAt(at)) + key.slice(at + 1),
  swapped: (key, at) => key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2),
  replaced: (key, at, character) => key.slice(0, at) + character + key.slice(at + 1),
  inserted: (key, at, character) => key.slice(0, at) + character + key.slice(at),
  prefix: (key, at) => key.slice(0, at),
  suffix: (key, at) => key.slice(at),
} as const satisfies Readonly<Record<string, (key: string, at: number, character: string) => string>>;
export type EditName = keyof typeof EDITS;
export type Edit = readonly [name: EditName, at: number] | readonly [name: EditName, at: number, character: string];

// token68 without `=`: characters that no server has to trim, split at, or unescape.
const CHARACTERS = [...'abcxyzABCXYZ0189-._~+/'];

/** Edits of keys of at most so many characters. */
export function edits(longest: number): fc.Arbitrary<Edit> {
  const at = fc.nat({ max: Math.max(0, longest - 1) });
  const placeOnly = fc.tuple(fc.constantFrom('without', 'twice', 'case', 'swapped', 'prefix', 'suffix'), at);
  const withCharacter = fc.tuple(fc.constantFrom('replaced', 'inserted'), at, fc.constantFrom(...CHARACTERS));
  return fc.oneof(placeOnly, withCharacter);
}

const WORDS: Readonly<Record<EditName, string>> = {
  without: 'the API key without one character',
  twice: 'the API key with one character doubled',
  case: 'the API key with one letter in the other case',
  swapped: 'the API key with two adjacent characters swapped',
  replaced: 'the API key with one character replaced',
  inserted: 'the API key with one character inserted',
  prefix: 'a prefix of the API key',
  suffix: 'a suffix of the API key',
};

/** What is sent in place of the API key, in words that do not contain it, and as header fields. */
export type NearCredential = { readonly note: string; readonly headers: readonly (readonly [name: string, value: string])[] };

/**
 * Bearer credentials one edit away from the API key: each must get 401. Tokens are visible ASCII without separators, so that no reading of
 * the header turns them into the API key.
 */
export function nearCredentials(apiKey: string): fc.Arbitrary<NearCredential> {
  const whole = fc.constantFrom(
    { note: 'the API key reversed', token: reversed(apiKey) },
    { note: 'the API key sent twice', token: apiKey + apiKey },
  );
  const edited = edits(apiKey.length).map(([name, at, character = 'x']) => ({
    note: WORDS[name],
    token: EDITS[name](apiKey, at, character),
  }));
  return fc
    .oneof({ arbitrary: edited, weight: 4 }, whole)
    .filter(({ token }) => token !== apiKey && token !== '' && hasRoom(token, apiKey))
    .map(({ token, note }) => ({ note, headers: [['authorization', `Bearer ${token}`]] }));
}
