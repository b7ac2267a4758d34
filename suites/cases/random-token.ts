import type { Credential } from '../../src/session/client/api.ts';
import { createRandom } from '../../src/session/fixtures/random.ts';
import { rejectedCredential } from './authorization-header.ts';

/** The note of this credential in exchanges. */
export const LIKE_THE_KEY = 'a random token with the length and format of the API key';

const CLASSES = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'] as const;

const LETTERS_AND_DIGITS = CLASSES.join('');

/** A different character of the same kind, so that the token keeps its format. */
export function otherCharacter(character: string, random: () => number): string {
  const kind = CLASSES.find((letters) => letters.includes(character)) ?? LETTERS_AND_DIGITS;
  const others = [...kind].filter((letter) => letter !== character);
  return others[Math.floor(random() * others.length)] ?? 'x';
}

/** A token with the key's length and format that differs in every letter and digit, or in every character if the key has none. */
export function tokenLike(key: string, random: () => number): string {
  const plain = /[a-z0-9]/i;
  const kept = plain.test(key);
  return [...key].map((character) => (kept && !plain.test(character) ? character : otherCharacter(character, random))).join('');
}

/** A token that shares nothing with the key but its format; the same for the same seed. */
export function randomToken(key: string, seed: number): Credential {
  return rejectedCredential(LIKE_THE_KEY, `Bearer ${tokenLike(key, createRandom(seed))}`);
}
