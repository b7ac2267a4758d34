import { createHmac } from 'node:crypto';
import { bearerToken, sameKey } from '../../core/base.ts';
import type { Call, Operation, Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { crash, isProblem } from '../helpers/requests.ts';

/** Accepts a token that is not quite the key. */
function alsoAccept(accepts: (token: string, key: string, call: Call) => boolean): Patch {
  return (parts) => ({
    authenticate: (call, key) => {
      const token = bearerToken(call.headers.authorization);
      return token !== undefined && accepts(token, key, call) ? undefined : parts.authenticate(call, key);
    },
  });
}

/** Accepts an Authorization header by its form. */
function acceptHeader(pattern: RegExp): Patch {
  return (parts) => ({
    authenticate: (call, key) => (pattern.test(call.headers.authorization ?? '') ? undefined : parts.authenticate(call, key)),
  });
}

function wrongKeyOn(operation: Operation): Patch {
  return alsoAccept((_token, _key, call) => call.operation === operation);
}

/** Keys that are compared carelessly. */
export const authWrongKey = faultsOf('auth.wrong-key', {
  'any-bearer-token-accepted': ['Any bearer token is accepted: only the scheme is checked.', alsoAccept(() => true)],
  'key-prefix-accepted': ['A prefix of the key is accepted: key.startsWith(token).', alsoAccept((token, key) => key.startsWith(token))],
  'key-with-more-behind-accepted': [
    'The key followed by more characters is accepted: token.startsWith(key).',
    alsoAccept((token, key) => token.startsWith(key)),
  ],
  'key-inside-token-accepted': ['Any token that contains the key is accepted.', alsoAccept((token, key) => token.includes(key))],
  'key-substring-accepted': [
    'Any substring of the key is accepted: the key list is one string searched with includes.',
    alsoAccept((token, key) => key.includes(token)),
  ],
  'key-letter-case-ignored': [
    'Keys are compared case-insensitively, as the database collation does.',
    alsoAccept((token, key) => token.toLowerCase() === key.toLowerCase()),
  ],
  'key-length-only-compared': [
    'A constant-time comparison stops after comparing the lengths.',
    alsoAccept((token, key) => token.length === key.length),
  ],
  'key-last-character-ignored': [
    'The comparison loop ends one character before the end of the key.',
    alsoAccept((token, key) => key.length > 1 && token.startsWith(key.slice(0, -1))),
  ],
  'key-first-eight-compared': [
    'Only the first eight characters of the key are stored and compared.',
    alsoAccept((token, key) => token.length >= 8 && token.slice(0, 8) === key.slice(0, 8)),
  ],
  'key-compared-by-like': [
    'The key is looked up with LIKE: an underscore matches any character.',
    alsoAccept((token, key) => token.length === key.length && [...token].every((letter, at) => letter === '_' || letter === key[at])),
  ],
  'key-percent-decoded': [
    'The token is percent-decoded as if it came from a form.',
    alsoAccept((token, key) => /^(?:%[0-9a-f]{2}|[\w.~-])+$/i.test(token) && decodeURIComponent(token) === key),
  ],
  'key-wildcard-accepted': ['The key is looked up by a pattern: a wildcard finds it.', alsoAccept((token) => ['%', '*'].includes(token))],
  'key-format-only-checked': [
    'Any token that looks like a key (16 or more word characters) is accepted.',
    alsoAccept((token) => /^[\w.-]{16,}$/.test(token)),
  ],
  'forged-jwt-accepted': [
    'A JSON Web Token is decoded, and its signature is not verified.',
    alsoAccept((token) => /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*$/.test(token)),
  ],
  'unsigned-jwt-accepted': [
    'The algorithm that a JSON Web Token names is trusted, including none.',
    alsoAccept((token) => {
      const [head = '', , signature] = token.split('.');
      return signature === '' && /"alg":"none"/i.test(Buffer.from(head, 'base64url').toString());
    }),
  ],
  'jwt-of-examples-accepted': [
    'JSON Web Tokens are still signed with the secret from the example.',
    alsoAccept((token) => {
      const [head, body, signature] = token.split('.');
      return signature === createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url');
    }),
  ],
  'token-outside-ascii-accepted': [
    'A token that is not ASCII cannot be decoded, and the check is skipped.',
    acceptHeader(/^Bearer .*[\u0080-\u00ff]/),
  ],
  'token-outside-ascii-crashes': [
    'A token that is not ASCII cannot be decoded, and nobody catches that: 500.',
    (parts) => ({
      authenticate: (call, key) => (/[\u0080-\u00ff]/.test(call.headers.authorization ?? '') ? crash() : parts.authenticate(call, key)),
    }),
  ],
  'token-beyond-buffer-accepted': [
    'A token of over four thousand characters does not fit into the key cache, which lets it pass.',
    alsoAccept((token) => token.length > 4_000),
  ],
  'long-token-accepted': ['A token of over 200 characters overflows the comparison buffer.', alsoAccept((token) => token.length > 200)],
  'key-dash-and-underscore-alike': [
    'Keys are decoded from base64url and base64 alike: - and _ are equal.',
    alsoAccept((token, key) => token.replaceAll('_', '-') === key.replaceAll('_', '-')),
  ],
  'key-punctuation-ignored': [
    'Punctuation is stripped from keys before they are compared.',
    alsoAccept((token, key) => token.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, '')),
  ],
  'lower-case-scheme-skips-comparison': ['When the scheme is bearer in lower case, any token is accepted.', acceptHeader(/^bearer \S/)],
  'key-split-at-comma': [
    'The header is split at commas, and the first part is the key.',
    alsoAccept((token, key) => token.split(',')[0] === key),
  ],
  'key-padding-ignored': [
    'Equals signs after the key are ignored as padding.',
    alsoAccept((token, key) => token.replace(/=+$/, '') === key),
  ],
  'empty-token-accepted': ['A bearer header without a token is accepted.', acceptHeader(/^bearer\s*$/i)],
  'wrong-key-accepted-on-list': ['listPets only checks that a bearer token is there.', wrongKeyOn('listPets')],
  'wrong-key-accepted-on-get': ['getPet only checks that a bearer token is there.', wrongKeyOn('getPet')],
  'wrong-key-accepted-on-create': ['createPet only checks that a bearer token is there.', wrongKeyOn('createPet'), WRITES],
  'wrong-key-sometimes-accepted': [
    'On every fourth wrong key the key service times out, and the check fails open.',
    onEveryNth(4, (timesOut) => alsoAccept((token, key) => !sameKey(token, key) && timesOut())),
  ],
  'wrong-key-forbidden': [
    'A wrong key returns 403 instead of 401.',
    (parts) => ({
      authenticate: (call, key) => {
        const rejection = parts.authenticate(call, key);
        const wrong = isProblem(rejection) && bearerToken(call.headers.authorization) !== undefined;
        return wrong ? new Problem(403, 'forbidden', 'The API key is not valid') : rejection;
      },
    }),
  ],
});
