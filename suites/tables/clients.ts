// Who sends a request: headers besides Authorization and Content-Type, in blocks by what a service may do about them.

import { valueNamed } from '../../src/session/compose.ts';
import type { ClientPart, ConnectionUse, Header, Packing, Table, Value } from '../../src/session/vector.ts';
import { TRACE_HEADERS } from '../../src/wire/redacted-exchange.ts';
import { type About, block, literals } from './block.ts';

const READ: About = { effect: 'read', since: '2.0' };
const WRITE: About = { effect: 'write', since: '2.0' };

const headers = (...all: readonly Header[]): ClientPart => ({ headers: all });

/** Changes nothing: what HTTP clients, browsers, libraries and tracing add. */
export const USUAL_CLIENTS = literals(READ, {
  usual: {},
  'gzip, deflate, or br': headers(['accept-encoding', 'gzip, deflate, br']),
  gzip: headers(['accept-encoding', 'gzip']),
  deflate: headers(['accept-encoding', 'deflate']),
  br: headers(['accept-encoding', 'br']),
  zstd: headers(['accept-encoding', 'zstd']),
  identity: headers(['accept-encoding', 'identity']),
  'codings with weights': headers(['accept-encoding', 'zstd;q=0.9, br;q=1.0, gzip;q=0']),
  German: headers(['accept-language', 'de-DE,de;q=0.9,en;q=0.5']),
  Arabic: headers(['accept-language', 'ar']),
  Turkish: headers(['accept-language', 'tr-TR']),
  Japanese: headers(['accept-language', 'ja']),
  Hindi: headers(['accept-language', 'hi-IN']),
  Russian: headers(['accept-language', 'ru,uk;q=0.8']),
  'any language, not tracked': headers(['accept-language', '*'], ['dnt', '1']),
  'no cache': headers(['cache-control', 'no-cache']),
  'entity tag of another': headers(['if-none-match', '"none-of-yours"']),
  'modified since 2000': headers(['if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT']),
  python: headers(['user-agent', 'python-requests/2.32.3']),
  'User-Agent of a browser': headers([
    'user-agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  ]),
  curl: headers(['user-agent', 'curl/8.14.1']),
  'request and correlation ids': headers(
    ['x-request-id', '7f1c9d62-0b64-4b39-9d34-5a0f1c2e8b17'],
    ['x-correlation-id', 'a1d5c3f0-5b0e-4f6a-9a77-3d2f9c1b6e44'],
  ),
  'one trace': headers(
    ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    ['x-correlation-id', '4bf92f35-77b3-4da6-a3ce-929d0e0e4736'],
  ),
  'browser that saves data': headers(['save-data', 'on'], ['ect', '2g'], ['viewport-width', '360'], ['sec-ch-ua-mobile', '?1']),
  trailers: headers(['te', 'trailers']),
  // Where only a lenient framework looks for parameters.
  'parameters in headers and cookies': headers(
    ['limit', '1'],
    ['status', 'sold'],
    ['x-limit', '1'],
    ['x-status', 'sold'],
    ['cookie', 'limit=1; status=sold'],
  ),
  'cookies of other services': headers(['cookie', 'theme=dark; _ga=GA1.2.3']),
});

/** Changes nothing but what negotiates the content: rejections that are no 400 may be of that. */
export const ACCEPTING_CLIENTS = literals<string, ClientPart>(READ, {
  'no Accept': { without: ['accept'] },
  'any media type': headers(['accept', '*/*']),
  'JSON, text, or anything': headers(['accept', 'application/json, text/plain, */*']),
  'JSON in other letter case': headers(['accept', 'Application/JSON']),
  'JSON and anything, compressed': headers(['accept', 'application/json, text/plain, */*'], ['accept-encoding', 'gzip, deflate, br']),
  browser: headers(
    ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['accept-language', 'de-DE,de;q=0.9,en;q=0.5'],
    ['accept-encoding', 'gzip, deflate, br'],
  ),
  'JSON with a weight': headers(['accept', 'application/json;q=0.5, */*;q=0.1']),
  'JSON and events': headers(['accept', 'application/json, text/event-stream']),
  'XML before JSON': headers(['accept', 'application/xml, application/json;q=0.9']),
  'CSV before JSON': headers(['accept', 'text/csv, application/json;q=0.9']),
  'JSON:API before JSON': headers(['accept', 'application/vnd.api+json, application/json;q=0.9']),
  'YAML before JSON': headers(['accept', 'application/yaml, application/json;q=0.9']),
});

const hex = (count: number, random: () => number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('');

/** Changes nothing either: made anew for each row. */
export const OWN_CLIENTS = block(READ, {
  traced: ({ random }) => headers(['traceparent', `00-${hex(32, random)}-${hex(16, random)}-01`]),
  // For requests that show what a service carries over from one client to the next.
  'client of its own': ({ random }) => headers(['user-agent', `petstore-conformance-${hex(8, random)}`]),
});

/** With the key, they change nothing. Without it, they are what a service may trust in its place. */
export const TRUSTED_CLIENTS = literals(READ, {
  'kube-probe': headers(['user-agent', 'kube-probe/1.30']),
  'ELB health check': headers(['user-agent', 'ELB-HealthChecker/2.0']),
  'Google health check': headers(['user-agent', 'GoogleHC/1.0']),
  script: headers(['x-requested-with', 'XMLHttpRequest']),
});

/** The same for one that not every service takes with a GET. */
export const TRUSTED_WRITERS = literals(READ, {
  'script with a Content-Type': headers(['x-requested-with', 'XMLHttpRequest'], ['content-type', 'application/json']),
});

/** A claim about the address is not a credential (401 without the key), and preconditions come last (RFC 9110, section 13.2.1). */
export const CLAIMS = literals(READ, {
  'local address': headers(['x-forwarded-for', '127.0.0.1'], ['x-real-ip', '127.0.0.1']),
  'any entity tag': headers(['if-none-match', '*']),
});

/** A service may reject them with an Error body, until it has accepted them. */
export const UNUSUAL_CLIENTS = literals(READ, {
  'no User-Agent': { without: ['user-agent'] },
  'empty User-Agent': headers(['user-agent', '']),
  Java: headers(['user-agent', 'Java/1.8.0_292']),
  OkHttp: headers(['user-agent', 'okhttp/4.12.0']),
  Go: headers(['user-agent', 'Go-http-client/1.1']),
  'Internet Explorer': headers(['user-agent', 'Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; rv:11.0) like Gecko']),
  'any application type': headers(['accept', 'application/*']),
  'another origin': headers(['origin', 'https://shop.example']),
  'second origin': headers(['origin', 'https://www.example.org'], ['referer', 'https://www.example.org/pets?page=2']),
  'Latin-1 preferred': headers(['accept-charset', 'iso-8859-1,*;q=0.5']),
});

const LOCAL = '127.0.0.1';
const USER = 'admin';

const each = (value: string, names: readonly string[]): readonly Header[] => names.map((name) => [name, value]);

const PATH_HEADERS = [
  ...['x-original-url', 'x-original-uri', 'x-original-path', 'x-rewrite-url'],
  ...['x-forwarded-uri', 'x-forwarded-path', 'x-forwarded-prefix', 'x-envoy-original-path'],
];
const METHOD_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override', 'x-forwarded-method', 'x-original-method'];

/** Only rules that name them judge the response: headers that forward, override, or claim to have authenticated. */
export const UNDOCUMENTED_CLIENTS = literals(READ, {
  'local client': headers(
    ['forwarded', `for=${LOCAL};host=localhost;proto=https`],
    ...each('localhost', ['x-forwarded-host', 'x-forwarded-server']),
    ...each(LOCAL, ['x-client-ip', 'client-ip', 'true-client-ip', 'cf-connecting-ip', 'x-cluster-client-ip', 'x-originating-ip']),
    ...each(LOCAL, ['x-remote-ip', 'x-remote-addr', 'x-custom-ip-authorization']),
  ),
  'authenticated by a proxy': headers(
    ...each(USER, ['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-webauth-user', 'x-auth-request-user']),
    ...each(USER, ['x-authenticated-user', 'x-authenticated-userid', 'x-consumer-username', 'x-credential-identifier']),
    ...each('1', ['x-user-id', 'x-consumer-id']),
    ...each('SUCCESS', ['x-ssl-client-verify', 'x-client-verify']),
    ...each('true', ['x-internal-request', 'x-envoy-internal']),
  ),
  'path /health': headers(...each('/health', PATH_HEADERS)),
  'method OPTIONS': headers(...each('OPTIONS', METHOD_HEADERS)),
  'method HEAD': headers(...each('HEAD', METHOD_HEADERS)),
  'plain HTTP': headers(
    ...each('http', ['x-forwarded-proto', 'x-forwarded-protocol', 'x-forwarded-scheme', 'x-scheme', 'x-url-scheme']),
    ...each('off', ['x-forwarded-ssl', 'front-end-https']),
    ['x-forwarded-port', '80'],
  ),
  'CORS preflight': headers(
    ['origin', 'http://localhost'],
    ['access-control-request-method', 'GET'],
    ['access-control-request-headers', 'authorization'],
  ),
  'internal request': headers(
    ['x-middleware-subrequest', 'middleware:middleware:middleware:middleware:middleware'],
    ['x-requested-with', 'XMLHttpRequest'],
    ['x-purpose', 'preview'],
    ['sec-fetch-site', 'same-origin'],
    ['sec-fetch-mode', 'cors'],
    ['sec-fetch-dest', 'empty'],
  ),
});

/** Members of a body as headers, as headers that begin with `x-`, and as cookies. */
const asHeaders = (members: readonly Header[]): ClientPart =>
  headers(
    ...members.flatMap(([name, value]): Header[] => [
      [name.toLowerCase(), value],
      [`x-${name.toLowerCase()}`, value],
    ]),
    ['cookie', members.map((pair) => pair.join('=')).join('; ')],
  );

/** Where a mapper may look for fields besides the body. The last two are for rows that lack that member. */
export const FIELD_CLIENTS = block<string, ClientPart>(WRITE, {
  'fields in headers and cookies': () =>
    asHeaders([
      ['name', 'elsewhere'],
      ['categoryId', '987654'],
      ['status', 'sold'],
      ['id', '987654'],
    ]),
  'name in headers and cookies': ({ plainName }) => asHeaders([['name', plainName]]),
  'categoryId in headers and cookies': ({ categoryId }) => asHeaders([['categoryId', String(categoryId)]]),
});

/** Open, whatever the body is: it does not have that coding. */
export const CODED_CLIENTS = literals(WRITE, { 'body announced as gzip': headers(['content-encoding', 'gzip']) });

/** `client: 3`: one that several rows share, and no other. `client: '=2 of browser'`: what that one does to the third of its headers. */
function drawnClient(drawn: string | number): Value<ClientPart> {
  const [, place, name = ''] = /^(\d+) of (.*)$/.exec(String(drawn)) ?? [];
  if (place === undefined) return { ...READ, make: ({ runTag }) => headers(['user-agent', `petstore-conformance-${runTag}-${drawn}`]) };
  const whole = valueNamed(CREATE_CLIENTS, name);
  return {
    ...whole,
    make(making) {
      const { headers: all = [], without = [] } = whole.make(making);
      return {
        headers: all.slice(Number(place), Number(place) + 1),
        without: without.filter((_name, index) => all.length + index === Number(place)),
      };
    },
  };
}

/** All headers of all of them. */
const PACKING: Packing<ClientPart> = {
  join: (parts) => ({ headers: parts.flatMap((part) => part.headers ?? []), without: parts.flatMap(({ without = [] }) => without) }),
  takes: (part) => [...(part.headers ?? []).map(([name]) => name.toLowerCase()), ...(part.without ?? [])],
};

export const CLIENTS: Table<ClientPart> = {
  usual: 'usual',
  packing: PACKING,
  drawn: drawnClient,
  values: {
    ...USUAL_CLIENTS,
    ...ACCEPTING_CLIENTS,
    ...OWN_CLIENTS,
    ...TRUSTED_CLIENTS,
    ...TRUSTED_WRITERS,
    ...CLAIMS,
    ...UNUSUAL_CLIENTS,
    ...UNDOCUMENTED_CLIENTS,
  },
};

export const CREATE_CLIENTS: Table<ClientPart> = { ...CLIENTS, values: { ...CLIENTS.values, ...FIELD_CLIENTS, ...CODED_CLIENTS } };

/** The same header fields in another form, none of which has a meaning (RFC 9110, sections 5.1 and 5.3; RFC 9112, section 5.1). */
export const FIELDS: Table<(headers: readonly Header[]) => readonly Header[]> = {
  usual: 'usual',
  values: literals(READ, {
    usual: (all: readonly Header[]) => all,
    'in reverse order': (all: readonly Header[]) => all.toReversed(),
    // HTTP/1.1 clients write it so; gateways write lower case.
    'Authorization with a capital': (all: readonly Header[]) =>
      all.map(([name, value]): Header => [name === 'authorization' ? 'Authorization' : name, value]),
    'in capitals': (all: readonly Header[]) => all.map(([name, value]): Header => [name.toUpperCase(), value]),
    'with white space': (all: readonly Header[]) => all.map(([name, value]): Header => [name, ` ${value}\t`]),
    // Parsers have tables for sixteen headers or more.
    'after many others': (all: readonly Header[]) => [...TRACE_HEADERS.map((name): Header => [name, 'on']), ...all],
  }),
};

export const CONNECTIONS: Table<ConnectionUse> = {
  usual: 'kept',
  values: literals<ConnectionUse, ConnectionUse>(READ, { kept: 'kept', fresh: 'fresh', young: 'young' }),
};
