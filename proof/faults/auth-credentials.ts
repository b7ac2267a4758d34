// Credentials that must be rejected and are accepted, or rejected otherwise than with 401.

import { createHmac, randomUUID } from 'node:crypto';
import { bearerToken, sameKey } from '../../src/reference/core/base.ts';
import {
  decodePath,
  dropLastSlash,
  dropParameters,
  dropSuffix,
  foldCase,
  mergeSlashes,
  resolveDots,
  respelled,
  type Spelling,
} from '../../src/reference/core/incoming.ts';
import { type Call, type Operation, type Patch, Problem, type Reply } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import { FEW, faultsOf, shipped, WRITES } from './fault.ts';
import { crash, header, isProblem, isReplyTo, onEveryNth, rewriteIf } from './patches/exchanges.ts';

/** Accepts a request if an authorized one with the same mark came before, among those that are remembered. */
function rememberBy(mark: (call: Call) => object | string, isRemembered: (call: Call) => boolean = () => true): Patch {
  return (parts) => {
    const known = new Set<object | string>();
    return {
      authenticate: (call, key) => {
        const rejection = parts.authenticate(call, key);
        if (rejection === undefined && isRemembered(call)) known.add(mark(call));
        return known.has(mark(call)) ? undefined : rejection;
      },
    };
  };
}

/** Caches 200 replies for two seconds by their target, and ignores who they were for. */
function cache(operation: Operation): Patch {
  return (parts) => {
    const kept = new Map<string, { reply: Reply; until: number }>();
    return {
      handle: async (context) => {
        const { call } = context;
        const hit = kept.get(call.target);
        if (call.operation === operation && hit !== undefined && hit.until > Date.now()) return hit.reply;
        const reply = await parts.handle(context);
        if (reply.status === 200) kept.set(call.target, { reply, until: Date.now() + 2000 });
        return reply;
      },
    };
  };
}

/** Credentials that are remembered too long. */
export const authEveryRequest = faultsOf('auth.every-request', {
  'connection-stays-authenticated': ['The credential is checked once per connection.', rememberBy((call) => call.connection)],
  'connection-authenticated-by-creation': [
    'createPet leaves its session on the connection, and the next request on it is accepted without a valid key.',
    rememberBy(
      (call) => call.connection,
      (call) => call.operation === 'createPet',
    ),
    WRITES,
  ],
  'address-stays-authenticated': [
    'After one valid key, every request from that address and client is accepted.',
    rememberBy((call) => header(call, 'user-agent')),
  ],
  'url-stays-authenticated': [
    'The result of authentication is cached by request target.',
    rememberBy((call) => `${call.method} ${call.target}`),
  ],
  'list-cache-ignores-credential': ['A shared cache serves a list to anyone for two seconds.', cache('listPets')],
  'animal-cache-ignores-credential': ['A shared cache serves an animal to anyone for two seconds.', cache('getPet'), FEW],
});

/** Accepts the key from another place. */
function alsoFrom(find: (call: Call) => string | null | undefined): Patch {
  return (parts) => ({
    authenticate: (call, key) => (sameKey(find(call) ?? '', key) ? undefined : parts.authenticate(call, key)),
  });
}

/** Accepts the key from a query parameter. */
function inQuery(name: string): Patch {
  return alsoFrom(({ query }) => query.get(name));
}

/** Keys that are accepted from elsewhere than the Authorization header. */
export const authHeaderOnly = faultsOf('auth.header-only', {
  'key-in-query-api-key-accepted': ['The key is accepted from the query parameter api_key.', inQuery('api_key')],
  'key-in-query-access-token-accepted': ['The key is accepted from the query parameter access_token.', inQuery('access_token')],
  'key-in-query-token-accepted': ['The key is accepted from the query parameter token.', inQuery('token')],
  'key-in-x-access-token-accepted': [
    'The key is accepted from the header X-Access-Token, which the mobile client sends.',
    alsoFrom((call) => header(call, 'x-access-token')),
  ],
  'key-in-x-forwarded-authorization-accepted': [
    'X-Forwarded-Authorization, supposedly set by the gateway, is accepted in place of Authorization.',
    alsoFrom((call) => header(call, 'x-forwarded-authorization').replace(/^Bearer /, '')),
  ],
  'key-in-token-cookie-accepted': [
    'The key is accepted from the token cookie.',
    alsoFrom((call) => decodeURIComponent(/(?:^|; )token=([^;]*)/.exec(header(call, 'cookie'))?.[1] ?? '')),
  ],
  'session-cookie-accepted': [
    'The framework opens a session after a valid key, and the session cookie alone is accepted.',
    (parts) => {
      const sessions = new Set<string>();
      return {
        authenticate: (call, key) => {
          const id = /session=([\w-]+)/.exec(header(call, 'cookie'))?.[1] ?? '';
          return sessions.has(id) ? undefined : parts.authenticate(call, key);
        },
        headers: (given, reply, call) => {
          const headers = parts.headers(given, reply, call);
          if (reply.status !== 200) return headers;
          const id = randomUUID();
          sessions.add(id);
          return { ...headers, 'set-cookie': `session=${id}; HttpOnly; Path=/` };
        },
      };
    },
  ],
  'key-in-x-api-key-accepted': [
    'The key is accepted from the header X-API-Key, as before the change to bearer.',
    alsoFrom((call) => header(call, 'x-api-key')),
  ],
  'key-in-proxy-authorization-accepted': [
    'The gateway treats Proxy-Authorization as Authorization.',
    alsoFrom((call) => header(call, 'proxy-authorization').replace(/^Bearer /, '')),
  ],
  'key-in-body-accepted': [
    'createPet accepts the key from the api_key member of the body, as the old web form sent it.',
    (parts) => ({
      handle: async (context) => {
        const { call, apiKey } = context;
        if (call.operation !== 'createPet') return parts.handle(context);
        const bytes = await call.body();
        const found = isProblem(bytes) ? undefined : /"api_key":"([^"]*)"/.exec(Buffer.from(bytes).toString())?.[1];
        const again = { ...context, call: { ...call, body: async () => bytes } };
        return sameKey(found ?? '', apiKey) ? parts.dispatch(again) : parts.handle(again);
      },
    }),
    WRITES,
  ],
  'key-in-cookie-accepted': [
    'The key is accepted from any cookie, for the web console.',
    alsoFrom((call) => /=([^;]+)/.exec(header(call, 'cookie'))?.[1]),
  ],
  'key-in-query-accepted-on-get-only': [
    'getPet accepts the key from api_key, for links in emails.',
    alsoFrom((call) => (call.operation === 'getPet' ? call.query.get('api_key') : '')),
  ],
});

/** Accepts requests without an Authorization header if the condition holds. */
function acceptWithoutKey(condition: (call: Call) => boolean): Patch {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined && condition(call) ? undefined : parts.authenticate(call, key)),
  });
}

/** Accepts requests without an Authorization header because of a header that any client can send. */
function trust(name: string, isTrusted: (value: string) => boolean = (value) => value !== ''): Patch {
  return acceptWithoutKey((call) => isTrusted(header(call, name)));
}

/** Shows animals that meet the condition to anyone. */
function showWithoutKey(condition: (pet: Pet) => boolean): Patch {
  return (parts) => ({
    handle: (context) => {
      const { call, store } = context;
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      const pet = typeof id === 'bigint' ? parts.find(store, id) : undefined;
      const isOpen = pet !== undefined && condition(pet) && call.headers.authorization === undefined;
      return isOpen ? parts.dispatch(context) : parts.handle(context);
    },
  });
}

/** Authentication compares paths as they are sent; the router undoes their spelling first. */
function acceptSpelling(...undo: readonly Spelling[]): Patch {
  return (parts) => ({
    handle: (context) => {
      const call = respelled(context.call, ...undo);
      return call === undefined ? parts.handle(context) : parts.dispatch({ ...context, call });
    },
  });
}

/** Accepts animals without a status from anyone. */
const acceptInbox: Patch = (parts) => ({
  handle: async (context) => {
    const { call } = context;
    if (call.operation !== 'createPet' || call.headers.authorization !== undefined) return parts.handle(context);
    const bytes = await call.body();
    const hasStatus = isProblem(bytes) || Buffer.from(bytes).includes('"status"');
    const again = { ...context, call: { ...call, body: async () => bytes } };
    return hasStatus ? parts.handle(again) : parts.dispatch(again);
  },
});

/** Rejects a missing header with a status other than 401. */
function rejectMissing(problem: (call: Call) => Problem | undefined): Patch {
  return (parts) => ({
    authenticate: (call, key) => (call.headers.authorization === undefined ? problem(call) : undefined) ?? parts.authenticate(call, key),
  });
}

/** Requests without a credential that do not return 401. */
export const authMissingCredential = faultsOf('auth.missing-credential', {
  'authentication-missing': shipped('authentication-missing'),
  'authentication-missing-on-list': ['listPets was left public.', acceptWithoutKey((call) => call.operation === 'listPets')],
  'authentication-missing-on-get': ['getPet was left public.', acceptWithoutKey((call) => call.operation === 'getPet')],
  'authentication-missing-on-create': [
    'createPet lacks the authentication middleware.',
    acceptWithoutKey((call) => call.operation === 'createPet'),
    WRITES,
  ],
  'authentication-missing-with-query': [
    'The middleware matches the exact path only: a query string bypasses it.',
    acceptWithoutKey((call) => call.target.includes('?')),
  ],
  'authentication-missing-with-status-filter': [
    'The cached search by status responds before the credential is checked.',
    acceptWithoutKey((call) => call.query.has('status')),
  ],
  'authentication-missing-with-limit-20': [
    'The first page, limit=20, comes from a public cache.',
    acceptWithoutKey((call) => call.query.get('limit') === '20' && !call.query.has('status')),
  ],
  'authentication-missing-on-sold': [
    'Sold animals are in a public archive: getPet shows them to anyone.',
    showWithoutKey((pet) => pet.status === 'sold'),
    { seedAnimals: 30 },
  ],
  'authentication-missing-on-created': [
    'For ten seconds getPet shows a new animal to anyone, so that the form can link to it.',
    showWithoutKey((pet) => Date.now() - pet.createdAt < 10_000),
    WRITES,
  ],
  'authentication-missing-on-create-without-status': ['Animals without a status go to a public inbox first.', acceptInbox, WRITES],
  'authentication-missing-from-localhost': [
    'Local requests need no key, and X-Forwarded-For decides which requests are local.',
    trust('x-forwarded-for', (value) => value === '127.0.0.1'),
  ],
  'authentication-missing-on-doubled-slash': [
    'The middleware matches /pets, and the router merges slashes: //pets needs no key.',
    acceptSpelling(mergeSlashes),
  ],
  'authentication-missing-on-trailing-slash': [
    'The middleware matches the exact path, and the router ignores a slash at the end.',
    acceptSpelling(dropLastSlash),
  ],
  'authentication-missing-on-encoded-path': [
    'The gateway checks the raw path, and the service decodes it: /%70ets needs no key.',
    acceptSpelling(decodePath),
  ],
  'authentication-missing-on-doubly-encoded-path': [
    'The security component decodes the path once and the router twice.',
    acceptSpelling(decodePath, decodePath),
  ],
  'authentication-missing-on-path-parameter': [
    'The proxy sees /pets;v=1, and the container strips the parameter.',
    acceptSpelling(dropParameters, dropLastSlash),
  ],
  'authentication-missing-on-dot-segments': [
    'The gateway compares paths before dot segments are resolved.',
    acceptSpelling(resolveDots, dropLastSlash),
  ],
  'authentication-missing-on-capitals': [
    'The router ignores letter case, and the list of protected paths does not.',
    acceptSpelling(foldCase),
  ],
  'authentication-missing-on-json-suffix': ['The suffix .json selects the format after the security pattern.', acceptSpelling(dropSuffix)],
  'authentication-missing-on-create-with-slash': [
    'The protected paths are exact, and a POST to /pets/ creates an animal.',
    (parts) => ({
      handle: (context) => {
        const call = respelled(context.call, dropLastSlash);
        return call?.operation === 'createPet' ? parts.dispatch({ ...context, call }) : parts.handle(context);
      },
    }),
    WRITES,
  ],
  'authentication-missing-on-overridden-method': [
    'Preflight requests need no key, and X-HTTP-Method-Override: OPTIONS counts as one.',
    trust('x-http-method-override', (value) => value === 'OPTIONS'),
  ],
  'authentication-missing-on-preflight': [
    'Any request with Access-Control-Request-Method counts as a preflight request, which needs no key.',
    trust('access-control-request-method'),
  ],
  'authentication-missing-on-original-url': [
    'The check reads the path from X-Original-URL, and /health is public.',
    trust('x-original-url', (value) => value === '/health'),
  ],
  'authentication-missing-on-forwarded-uri': [
    'The forward-auth service reads X-Forwarded-Uri, which clients can send.',
    trust('x-forwarded-uri', (value) => value === '/health'),
  ],
  'authentication-missing-for-remote-user': [
    'A proxy authenticates users, and X-Remote-User is trusted no matter who sends it.',
    trust('x-remote-user'),
  ],
  'authentication-missing-for-forwarded-localhost': [
    'A request with Forwarded: for=127.0.0.1 counts as local.',
    trust('forwarded', (value) => value.includes('for=127.0.0.1')),
  ],
  'authentication-missing-on-inner-requests': [
    'The framework skips its middleware for requests that it marks as its own with x-middleware-subrequest.',
    trust('x-middleware-subrequest', (value) => value.split(':').length >= 5),
  ],
  'authentication-missing-on-create-of-consumer': [
    'createPet trusts X-Consumer-Username, which the gateway sets.',
    acceptWithoutKey((call) => call.operation === 'createPet' && header(call, 'x-consumer-username') !== ''),
    WRITES,
  ],
  'authentication-fails-open': [
    'On every fifth request without a credential the key service times out and the check fails open.',
    onEveryNth(5, acceptWithoutKey),
  ],
  'empty-authorization-accepted': [
    'An Authorization header without a value is accepted.',
    (parts) => ({ authenticate: (call, key) => (call.headers.authorization === '' ? undefined : parts.authenticate(call, key)) }),
  ],
  'missing-credential-forbidden': [
    'A missing credential returns 403 instead of 401.',
    rejectMissing(() => new Problem(403, 'forbidden', 'Authentication is required')),
  ],
  'missing-credential-bad-request': [
    'A missing Authorization header returns 400, as a missing parameter.',
    rejectMissing(() => new Problem(400, 'missing_header', 'The Authorization header is required')),
  ],
  'missing-credential-crashes': ['The header is read without checking that it is there: 500 instead of 401.', rejectMissing(crash)],
  'missing-credential-hides-animal': [
    'getPet without a credential returns 404 to hide what exists.',
    rejectMissing((call) => (call.operation === 'getPet' ? new Problem(404, 'not_found', 'Not found') : undefined)),
  ],
  'anonymous-list-is-empty': [
    'listPets without a credential returns 200 with an empty list.',
    rewriteIf(isReplyTo('listPets', 401), () => ({ status: 200, body: '[]' })),
  ],
  'missing-credential-redirects': [
    'Without a credential the server redirects to its login page (302).',
    rewriteIf(
      (reply, { call }) => reply.status === 401 && call.headers.authorization === undefined,
      (reply) => ({ status: 302, headers: { ...reply.headers, location: '/login' } }),
    ),
  ],
});

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
