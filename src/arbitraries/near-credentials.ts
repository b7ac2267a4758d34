import fc from 'fast-check';
import type { Credential } from '../session/client/api.ts';
import { hasRoom, reversed } from '../wire/key-spellings.ts';

/** One edit of the API key, as data, so that a failure can be shrunk and described. */
type Mutation =
  | { readonly kind: 'without' | 'twice' | 'other-case' | 'swapped'; readonly at: number }
  | { readonly kind: 'replaced' | 'inserted'; readonly at: number; readonly character: string }
  | { readonly kind: 'cut' | 'from'; readonly at: number }
  | { readonly kind: 'reversed' | 'doubled' };

// token68 without `=`: characters that no server has to trim, split at, or unescape.
const CHARACTERS = [...'abcxyzABCXYZ0189-._~+/'];

/** The mutated key, which may equal the key. */
function mutate(key: string, mutation: Mutation): string {
  const at = 'at' in mutation ? mutation.at : 0;
  const [before, here, after] = [key.slice(0, at), key.charAt(at), key.slice(at + 1)];
  switch (mutation.kind) {
    case 'reversed':
      return reversed(key);
    case 'doubled':
      return key + key;
    case 'without':
      return before + after;
    case 'twice':
      return before + here + here + after;
    case 'other-case':
      return before + (here === here.toUpperCase() ? here.toLowerCase() : here.toUpperCase()) + after;
    case 'swapped':
      return before + after.slice(0, 1) + here + after.slice(1);
    case 'replaced':
      return before + mutation.character + after;
    case 'inserted':
      return before + mutation.character + here + after;
    case 'cut':
      return before;
    case 'from':
      return here + after;
    default:
      return mutation satisfies never;
  }
}

const WORDS: Record<Mutation['kind'], string> = {
  without: 'the API key without one character',
  twice: 'the API key with one character doubled',
  'other-case': 'the API key with one letter in the other case',
  swapped: 'the API key with two adjacent characters swapped',
  replaced: 'the API key with one character replaced',
  inserted: 'the API key with one character inserted',
  cut: 'a prefix of the API key',
  from: 'a suffix of the API key',
  reversed: 'the API key reversed',
  doubled: 'the API key sent twice',
};

function mutations(length: number): fc.Arbitrary<Mutation> {
  const at = fc.nat({ max: Math.max(0, length - 1) });
  const placed = (...kinds: ('without' | 'twice' | 'other-case' | 'swapped' | 'cut' | 'from')[]): fc.Arbitrary<Mutation> =>
    fc.record({ kind: fc.constantFrom(...kinds), at });
  const withCharacter = fc.record({
    kind: fc.constantFrom('replaced' as const, 'inserted' as const),
    at: fc.nat({ max: length }),
    character: fc.constantFrom(...CHARACTERS),
  });
  return fc.oneof(
    placed('without', 'twice', 'other-case', 'swapped', 'cut', 'from'),
    withCharacter,
    fc.record({ kind: fc.constantFrom('reversed' as const, 'doubled' as const) }),
  );
}

/**
 * Bearer credentials one edit away from the API key: each must get 401. Tokens are visible ASCII without separators, so that no reading of
 * the header turns them into the API key.
 */
export function nearCredentials(apiKey: string): fc.Arbitrary<Credential> {
  return mutations(apiKey.length)
    .map((mutation) => ({ token: mutate(apiKey, mutation), note: WORDS[mutation.kind] }))
    .filter(({ token }) => token !== apiKey && token !== '' && hasRoom(token, apiKey))
    .map(({ token, note }) => ({ note, standing: 'refused', headers: [['authorization', `Bearer ${token}`]] }));
}
