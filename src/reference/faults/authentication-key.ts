import { bearerToken, sameKey } from '../core/base.ts';
import type { Call, Operation, Parts } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, writing } from './fault.ts';
import { every, isProblem } from './helpers.ts';

const clause = 'auth.wrong-key';

/** Lets a token in that is not quite the key. */
function alsoAccept(parts: Parts, accepts: (token: string, key: string, call: Call) => boolean): Partial<Parts> {
  return {
    authenticate: (call, key) => {
      const token = bearerToken(call.headers.authorization);
      return token !== undefined && accepts(token, key, call) ? undefined : parts.authenticate(call, key);
    },
  };
}

function wrongKeyOn(operation: Operation): (parts: Parts) => Partial<Parts> {
  return (parts) => alsoAccept(parts, (_token, _key, call) => call.operation === operation);
}

/** Keys that are compared carelessly. */
export const authenticationKeyFaults: readonly Fault[] = [
  fault('any-bearer-token-accepted', clause, 'Any bearer token is let in: only the scheme is looked at.', (parts) =>
    alsoAccept(parts, () => true),
  ),
  fault('key-prefix-accepted', clause, 'A beginning of the key is let in: key.startsWith(token).', (parts) =>
    alsoAccept(parts, (token, key) => key.startsWith(token)),
  ),
  fault('key-with-more-behind-accepted', clause, 'The key with more behind it is let in: token.startsWith(key).', (parts) =>
    alsoAccept(parts, (token, key) => token.startsWith(key)),
  ),
  fault('key-inside-token-accepted', clause, 'Any token that contains the key is let in.', (parts) =>
    alsoAccept(parts, (token, key) => token.includes(key)),
  ),
  fault('key-substring-accepted', clause, 'Any piece of the key is let in: the key list is one text searched by includes.', (parts) =>
    alsoAccept(parts, (token, key) => key.includes(token)),
  ),
  fault('key-letter-case-ignored', clause, 'Keys are compared without letter case, as the database collation does.', (parts) =>
    alsoAccept(parts, (token, key) => token.toLowerCase() === key.toLowerCase()),
  ),
  fault('key-length-only-compared', clause, 'A constant-time comparison that stops after comparing the lengths.', (parts) =>
    alsoAccept(parts, (token, key) => token.length === key.length),
  ),
  fault('key-last-character-ignored', clause, 'The comparison loop ends one character before the end of the key.', (parts) =>
    alsoAccept(parts, (token, key) => key.length > 1 && token.startsWith(key.slice(0, -1))),
  ),
  fault('key-first-eight-compared', clause, 'Only the first eight characters of the key are stored and compared.', (parts) =>
    alsoAccept(parts, (token, key) => token.length >= 8 && token.slice(0, 8) === key.slice(0, 8)),
  ),
  fault('key-compared-by-like', clause, 'The key is looked up by LIKE: underscores stand for any character.', (parts) =>
    alsoAccept(
      parts,
      (token, key) => token.length === key.length && [...token].every((letter, at) => letter === '_' || letter === key[at]),
    ),
  ),
  fault('key-percent-decoded', clause, 'The token is percent-decoded as if it came from a form.', (parts) =>
    alsoAccept(parts, (token, key) => /^(?:%[0-9a-f]{2}|[\w.~-])+$/i.test(token) && decodeURIComponent(token) === key),
  ),
  fault('key-wildcard-accepted', clause, 'The key is looked up by a pattern: a wildcard finds it.', (parts) =>
    alsoAccept(parts, (token) => ['%', '*'].includes(token)),
  ),
  fault('key-format-only-checked', clause, 'Any token that looks like a key (16 or more word characters) is let in.', (parts) =>
    alsoAccept(parts, (token) => /^[\w.-]{16,}$/.test(token)),
  ),
  fault('forged-jwt-accepted', clause, 'A JSON Web Token is decoded and its signature is not verified.', (parts) =>
    alsoAccept(parts, (token) => /^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]*$/.test(token)),
  ),
  fault('long-token-accepted', clause, 'A token of over 200 characters overflows the buffer that it is compared in.', (parts) =>
    alsoAccept(parts, (token) => token.length > 200),
  ),
  fault('key-dash-and-underscore-alike', clause, 'Keys are decoded from base64url and base64 alike: - and _ are the same.', (parts) =>
    alsoAccept(parts, (token, key) => token.replaceAll('_', '-') === key.replaceAll('_', '-')),
  ),
  fault('key-punctuation-ignored', clause, 'Punctuation is stripped from keys before they are compared.', (parts) =>
    alsoAccept(parts, (token, key) => token.replace(/[^a-z0-9]/gi, '') === key.replace(/[^a-z0-9]/gi, '')),
  ),
  fault('lower-case-scheme-skips-comparison', clause, 'Behind the word bearer in lower case any token is let in.', (parts) => ({
    authenticate: (call, key) => (/^bearer \S/.test(call.headers.authorization ?? '') ? undefined : parts.authenticate(call, key)),
  })),
  fault('key-split-at-comma', clause, 'The header is split at commas, and the first part is the key.', (parts) =>
    alsoAccept(parts, (token, key) => token.split(',')[0] === key),
  ),
  fault('key-padding-ignored', clause, 'Equals signs behind the key are ignored as padding.', (parts) =>
    alsoAccept(parts, (token, key) => token.replace(/=+$/, '') === key),
  ),
  fault('empty-token-accepted', clause, 'A bearer header without a token is let in.', (parts) => ({
    authenticate: (call, key) => (/^bearer\s*$/i.test(call.headers.authorization ?? '') ? undefined : parts.authenticate(call, key)),
  })),
  fault('wrong-key-accepted-on-list', clause, 'listPets only looks whether a bearer token is there.', wrongKeyOn('listPets')),
  fault('wrong-key-accepted-on-get', clause, 'getPet only looks whether a bearer token is there.', wrongKeyOn('getPet')),
  fault('wrong-key-accepted-on-create', clause, 'createPet only looks whether a bearer token is there.', wrongKeyOn('createPet'), writing),
  fault(
    'wrong-key-sometimes-accepted',
    clause,
    'The key service times out at every fourth wrong key, and the check fails open.',
    (parts) => {
      const timesOut = every(4);
      return alsoAccept(parts, (token, key) => !sameKey(token, key) && timesOut());
    },
  ),
  fault('wrong-key-forbidden', clause, 'A wrong key is answered 403 instead of 401.', (parts) => ({
    authenticate: (call, key) => {
      const refusal = parts.authenticate(call, key);
      const wrong = isProblem(refusal) && bearerToken(call.headers.authorization) !== undefined;
      return wrong ? new Problem(403, 'forbidden', 'The API key is not valid') : refusal;
    },
  })),
];
