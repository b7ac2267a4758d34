/** A key with fewer characters may be any word, number, or member name: masking it everywhere would falsify reports. */
const SHORTEST_LONG = 8;

/** Whether the key is masked only where it is used as a credential. */
export function isShortKey(key: string): boolean {
  return key.length > 0 && key.length < SHORTEST_LONG;
}

/** What reports do with a short key, for readers who may not expect it. */
export const SHORT_KEY_WARNING =
  'the API key has fewer than eight characters: reports mask it only where it stands as a credential, and show it elsewhere';

/** Names of headers, parameters, and members that hold a credential. */
const HOLDERS = [
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

const quoteRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * Masks a short key in the value of a header that holds credentials, and in other texts after `Bearer` and after the names of such holders.
 */
export function createShortKeyMask(key: string, mask: string): (text: string, header?: string) => string {
  const word = `(?<![\\w-])${quoteRegExp(key)}(?![\\w-])`;
  const anywhere = new RegExp(word, 'g');
  const asCredential = new RegExp(
    `(\\bBearer\\s+|(?<![a-z])(?:x-)?(?:${HOLDERS})\\\\*["']?\\s*[:=]\\s*\\\\*["']?(?:[a-z]+\\s+)?)${word}`,
    'gi',
  );
  return (text, header = '') =>
    HOLDER.test(header) ? text.replace(anywhere, mask) : text.replace(asCredential, (_hit, before: string) => before + mask);
}
