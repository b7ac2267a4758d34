import { sameKey } from '../core/base.ts';
import type { Parts } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault } from './fault.ts';
import { crash } from './helpers.ts';

const clause = 'auth.wrong-scheme';

/** Finds the key in an Authorization header that is not a bearer one. */
function alsoFind(parts: Parts, find: (value: string) => string | undefined): Partial<Parts> {
  return {
    authenticate: (call, key) => {
      const found = find(call.headers.authorization ?? '');
      return found !== undefined && sameKey(found, key) ? undefined : parts.authenticate(call, key);
    },
  };
}

function basicParts(value: string): readonly string[] {
  const encoded = /^basic +(\S+)$/i.exec(value)?.[1];
  return encoded === undefined ? [] : Buffer.from(encoded, 'base64').toString().split(':');
}

/** Schemes other than bearer that get in. */
export const authenticationSchemeFaults: readonly Fault[] = [
  fault('bare-key-accepted', clause, 'The key without a scheme is let in: the word Bearer is only stripped when there.', (parts) =>
    alsoFind(parts, (value) => value.replace(/^bearer /i, '')),
  ),
  fault('any-scheme-accepted', clause, 'The word before the key is not looked at: header.split(" ")[1].', (parts) =>
    alsoFind(parts, (value) => value.split(' ')[1]),
  ),
  fault('scheme-beginning-with-bearer-accepted', clause, 'The scheme need only begin with Bearer: header.match(/^bearer\\w* /).', (parts) =>
    alsoFind(parts, (value) => /^bearer\w* +(\S+)$/i.exec(value)?.[1]),
  ),
  fault('token-scheme-accepted', clause, 'Token <key> is let in as well, as the framework has it by default.', (parts) =>
    alsoFind(parts, (value) => /^token +(\S+)$/i.exec(value)?.[1]),
  ),
  fault('basic-scheme-with-key-accepted', clause, 'Basic <key> is let in.', (parts) =>
    alsoFind(parts, (value) => /^basic +(\S+)$/i.exec(value)?.[1]),
  ),
  fault('basic-password-accepted', clause, 'HTTP basic with the key as password is let in.', (parts) =>
    alsoFind(parts, (value) => basicParts(value)[1]),
  ),
  fault('basic-user-accepted', clause, 'HTTP basic with the key as user name is let in.', (parts) =>
    alsoFind(parts, (value) => basicParts(value)[0]),
  ),
  fault('wrong-scheme-crashes', clause, 'A header of another scheme crashes the server: 500 instead of 401.', (parts) => ({
    authenticate: (call, key) => (/^(?!bearer\b)\S+ \S/i.test(call.headers.authorization ?? '') ? crash() : parts.authenticate(call, key)),
  })),
  fault('wrong-scheme-bad-request', clause, 'A header of another scheme is answered 400 instead of 401.', (parts) => ({
    authenticate: (call, key) =>
      /^(?!bearer\b)\S/i.test(call.headers.authorization ?? '')
        ? new Problem(400, 'bad_authorization', 'The Authorization header is malformed')
        : parts.authenticate(call, key),
  })),
];
