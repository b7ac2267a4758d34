import { sameKey } from '../../core/base.ts';
import type { Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { faultsOf } from '../fault.ts';
import { crash } from '../helpers/requests.ts';

/** Finds the key in an Authorization header with a scheme other than bearer. */
function alsoFind(find: (value: string) => string | undefined): Patch {
  return (parts) => ({
    authenticate: (call, key) => {
      const found = find(call.headers.authorization ?? '');
      return found !== undefined && sameKey(found, key) ? undefined : parts.authenticate(call, key);
    },
  });
}

function basicParts(value: string): readonly string[] {
  const encoded = /^basic +(\S+)$/i.exec(value)?.[1];
  return encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString().split(':');
}

/** Schemes other than bearer that are accepted, or crash. */
export const authWrongScheme = faultsOf('auth.wrong-scheme', {
  'bare-key-accepted': [
    'The key without a scheme is accepted: the word Bearer is only stripped when present.',
    alsoFind((value) => value.replace(/^bearer /i, '')),
  ],
  'any-scheme-accepted': ['The word before the key is ignored: header.split(" ")[1].', alsoFind((value) => value.split(' ')[1])],
  'scheme-beginning-with-bearer-accepted': [
    'The scheme need only begin with Bearer: header.match(/^bearer\\w* /).',
    alsoFind((value) => /^bearer\w* +(\S+)$/i.exec(value)?.[1]),
  ],
  'token-scheme-accepted': [
    "Token <key>, the framework's default, is accepted too.",
    alsoFind((value) => /^token +(\S+)$/i.exec(value)?.[1]),
  ],
  'basic-scheme-with-key-accepted': ['Basic <key> is accepted.', alsoFind((value) => /^basic +(\S+)$/i.exec(value)?.[1])],
  'basic-password-accepted': ['HTTP Basic with the key as password is accepted.', alsoFind((value) => basicParts(value)[1])],
  'basic-user-accepted': ['HTTP Basic with the key as username is accepted.', alsoFind((value) => basicParts(value)[0])],
  'wrong-scheme-crashes': [
    'A header of another scheme crashes the server: 500 instead of 401.',
    (parts) => ({
      authenticate: (call, key) =>
        /^(?!bearer\b)\S+ \S/i.test(call.headers.authorization ?? '') ? crash() : parts.authenticate(call, key),
    }),
  ],
  'wrong-scheme-bad-request': [
    'A header of another scheme returns 400 instead of 401.',
    (parts) => ({
      authenticate: (call, key) =>
        /^(?!bearer\b)\S/i.test(call.headers.authorization ?? '')
          ? new Problem(400, 'bad_authorization', 'The Authorization header is malformed')
          : parts.authenticate(call, key),
    }),
  ],
});
