import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Call, type Context, type Patch, Problem, type Reply, withoutHeaders } from '../../src/reference/core/parts.ts';
import { EMPTY_STORE, FEW, faultsOf, LARGE_STORE, WRITES } from './fault.ts';
import {
  type Condition,
  header,
  isCreated,
  isEmptyList,
  isError,
  isGood,
  isListed,
  isRead,
  isReplyTo,
  isUnauthorized,
  onEveryNth,
  onWire,
  plainBody,
  reject,
  rewriteIf,
  rewriteText,
  type Wire,
} from './patches/exchanges.ts';

function forbidIf(condition: (call: Call) => boolean) {
  return reject(({ call }) => (condition(call) ? new Problem(403, 'forbidden', 'This client is not welcome') : undefined));
}

/** Clients that are rejected, or served differently, because of what they are. */
export const mediaAnyClient = faultsOf('media.any-client', {
  'user-agent-missing-forbidden': [
    'The firewall forbids requests without a User-Agent.',
    forbidIf((call) => header(call, 'user-agent') === ''),
  ],
  'curl-forbidden': ['The firewall treats curl as an attack.', forbidIf((call) => header(call, 'user-agent').startsWith('curl/'))],
  'browser-sent-to-login': [
    'Browsers are redirected to the login page.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'user-agent').startsWith('Mozilla/'),
      () => ({ status: 302, headers: { location: '/login' }, body: '' }),
    ),
  ],
  'wildcard-subtype-not-acceptable': [
    'application/* does not match any type that the framework writes: 406.',
    reject((context) =>
      header(context.call, 'accept') === 'application/*' ? new Problem(406, 'not_acceptable', 'Accept application/json') : undefined,
    ),
  ],
  'forwarded-host-rejected': [
    'X-Forwarded-Host is trusted as the host, and unlisted hosts return 400.',
    reject(({ call }) =>
      header(call, 'x-forwarded-host') === '' ? undefined : new Problem(400, 'disallowed_host', 'The host is not allowed'),
    ),
  ],
  'overridden-method-honored': [
    'X-HTTP-Method-Override turns any request into one of another method.',
    rewriteIf(
      (_reply, { call }) => header(call, 'x-http-method-override') === 'OPTIONS',
      () => ({ status: 204, headers: { allow: 'GET, POST' }, body: '' }),
    ),
    FEW,
  ],
  'plain-proxy-redirected': [
    'X-Forwarded-Proto is trusted from any client, and http is sent to https.',
    rewriteIf(
      (_reply, { call }) => header(call, 'x-forwarded-proto') === 'http',
      () => ({ status: 301, headers: { location: 'https://pets.example/v1/pets' }, body: '' }),
    ),
    FEW,
  ],
  'tenant-of-forwarded-user': [
    'X-Forwarded-User selects the tenant: others see an empty store.',
    rewriteIf(
      (reply, { call }) => reply.status === 200 && header(call, 'x-forwarded-user') !== '',
      () => ({ body: '[]' }),
    ),
    FEW,
  ],
  'chunked-body-needs-length': [
    'The proxy requires a Content-Length: a chunked body returns 411.',
    reject(({ call }) =>
      header(call, 'transfer-encoding') === 'chunked' ? new Problem(411, 'length_required', 'Content-Length is missing') : undefined,
    ),
    WRITES,
  ],
});

const BROWSER = /text\/html/;

function accepted({ call }: Context): string {
  return call.headers.accept ?? '';
}

function contentType(condition: Condition, value: string): Patch {
  return rewriteIf(condition, ({ headers }) => ({ headers: { ...headers, 'content-type': value } }));
}

function noContentType(condition: Condition): Patch {
  return rewriteIf(condition, ({ headers }) => ({ headers: withoutHeaders(headers, ['content-type']) }));
}

/** Bodies of another media type, for all clients or for some. */
export const mediaJson = faultsOf('media.json', {
  'create-answers-ok-text': [
    'The 201 body is the word Created as plain text.',
    rewriteIf(isCreated, ({ headers }) => ({ body: 'Created', headers: { ...headers, 'content-type': 'text/plain' } })),
    WRITES,
  ],
  'redirect-of-refused-for-any': [
    'A client that accepts anything counts as a browser: a rejected body redirects back to the form.',
    rewriteIf(
      (reply, context) => isReplyTo('createPet', 400)(reply, context) && accepted(context) === '*/*',
      () => ({ status: 302, headers: { location: '/' }, body: '' }),
    ),
    WRITES,
  ],
  'unauthorized-plain-text': ['The 401 is the word Unauthorized.', plainBody(401, 'Unauthorized', 'text/plain')],
  'unauthorized-html': [
    'The 401 is an HTML page of the proxy.',
    plainBody(401, '<html><body><h1>401 Authorization Required</h1></body></html>', 'text/html'),
  ],
  'not-found-plain-text': ['The 404 is the text of the framework.', plainBody(404, '404 Not Found', 'text/plain; charset=UTF-8')],
  'not-found-html': ['The 404 is an HTML page.', plainBody(404, '<!DOCTYPE html><pre>Cannot GET /v1/pets</pre>', 'text/html')],
  'bad-request-plain-text': ['The 400 is plain text.', plainBody(400, 'Bad Request', 'text/plain'), WRITES],
  'bad-request-html': ['The 400 is an HTML page.', plainBody(400, '<html><body>Bad Request</body></html>', 'text/html'), WRITES],
  'content-type-missing': ['No response has a Content-Type.', noContentType(() => true)],
  'content-type-missing-on-errors': ['Errors have no Content-Type.', noContentType(isError)],
  'content-type-html': ["Every response is text/html, the language's default.", contentType(() => true, 'text/html; charset=UTF-8')],
  'content-type-plain-on-list': ['Lists are text/plain.', contentType(isListed, 'text/plain')],
  'content-type-text-json': ['Responses are text/json.', contentType(isGood, 'text/json')],
  'content-type-octet-stream-on-get': ['getPet is application/octet-stream.', contentType(isRead, 'application/octet-stream'), FEW],
  'content-type-javascript-on-list': ['Lists are application/javascript.', contentType(isListed, 'application/javascript')],
  'content-type-plain-on-create': ['The 201 is text/plain.', contentType(isCreated, 'text/plain'), WRITES],
  'content-type-missing-on-create': ['The 201 has no Content-Type.', noContentType(isCreated), WRITES],
  'content-type-problem-json': ['Errors are application/problem+json.', contentType(isError, 'application/problem+json')],
  'content-type-vendor': ['Responses are application/vnd.petstore+json.', contentType(isGood, 'application/vnd.petstore+json')],
  'content-type-html-on-401': ['The 401 is JSON under text/html.', contentType(isUnauthorized, 'text/html')],
  'content-type-html-on-404': ['The 404 is JSON under text/html.', contentType((reply) => reply.status === 404, 'text/html')],
  'content-type-plain-on-400': ['The 400 is JSON under text/plain.', contentType((reply) => reply.status === 400, 'text/plain'), WRITES],
  'content-type-missing-on-empty-list': ['An empty list has no Content-Type.', noContentType(isEmptyList), EMPTY_STORE],
  'content-type-wrong-with-filter': [
    'Filtered lists come from the search engine as application/x-ndjson.',
    contentType((reply, context) => isListed(reply, context) && context.call.query.has('status'), 'application/x-ndjson'),
  ],
  'content-type-sometimes-html': ['Every sixth response is text/html.', onEveryNth(6, (isTurn) => contentType(isTurn, 'text/html'))],
  'html-page-with-200': [
    'Lists are an HTML page of the single-page application.',
    rewriteIf(isListed, ({ headers }) => ({
      headers: { ...headers, 'content-type': 'text/html' },
      body: '<!doctype html><div id="app"></div>',
    })),
  ],
  'html-for-browsers': [
    'The framework returns a page to clients that accept text/html.',
    rewriteIf(
      (_reply, context) => BROWSER.test(accepted(context)),
      ({ headers, body }) => ({ headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: `<pre>${body}</pre>` }),
    ),
  ],
  'html-errors-for-browsers': [
    'Errors are pages for clients that accept text/html.',
    rewriteIf(
      (reply, context) => isError(reply, context) && BROWSER.test(accepted(context)),
      ({ headers, status }) => ({ headers: { ...headers, 'content-type': 'text/html' }, body: `<h1>${status}</h1>` }),
    ),
  ],
  'xml-for-any': [
    'The XML mapper comes first: XML for clients that accept anything.',
    rewriteIf(
      (_reply, context) => accepted(context) === '*/*',
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/xml' }, body: '<pets/>' }),
    ),
  ],
  'html-for-browser-user-agent': [
    'The framework returns a page to any client that calls itself Mozilla.',
    rewriteIf(
      (_reply, { call }) => header(call, 'user-agent').startsWith('Mozilla/'),
      ({ headers, body }) => ({ headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: `<pre>${body}</pre>` }),
    ),
  ],
  'text-for-curl': [
    'curl gets a table as plain text.',
    rewriteIf(
      (reply, context) => isListed(reply, context) && header(context.call, 'user-agent').startsWith('curl/'),
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' }, body: 'ID  NAME\n 1  Rex\n' }),
    ),
  ],
  'weights-of-accept-ignored': [
    'Accept is split at commas, and a type with a weight matches nothing: 406.',
    reject((context) => (/json;q=/.test(accepted(context)) ? new Problem(406, 'not_acceptable', 'Accept application/json') : undefined)),
  ],
  'not-acceptable-without-accept': [
    'A request without Accept returns 406.',
    reject((context) => (accepted(context) === '' ? new Problem(406, 'not_acceptable', 'Accept is missing') : undefined)),
  ],
  'only-json-acceptable': [
    'Accept is compared as a string: anything but application/json returns 406.',
    reject((context) =>
      ['', 'application/json'].includes(accepted(context)) ? undefined : new Problem(406, 'not_acceptable', 'Accept application/json'),
    ),
  ],
});

/** Framed by Node in chunks, whatever else the header names. */
function codedAs(codings: string): Wire {
  return ({ status, headers, body }, outgoing) => {
    outgoing.writeHead(status, { ...headers, 'transfer-encoding': codings });
    outgoing.end(body);
  };
}

/** Responses that lenient clients read and strict ones reject. */
export const mediaTransport = faultsOf('media.transport', {
  'list-chunked-twice': [
    'The list handler sets Transfer-Encoding itself, in addition to the HTTP library.',
    onWire((call) => call.operation === 'listPets', codedAs('chunked, chunked')),
  ],
  'coding-of-own': [
    'Responses to reads have a made-up transfer coding.',
    onWire((call) => call.operation === 'getPet', codedAs('cow, chunked')),
  ],
  'weight-of-gzip-ignored': [
    'The middleware looks for the word gzip in Accept-Encoding, and finds it in gzip;q=0, too.',
    rewriteIf(
      (_reply, { call }) => header(call, 'accept-encoding').includes('gzip'),
      ({ headers, body }) => ({ headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) }),
    ),
  ],
  'cache-without-vary': [
    'A cache keeps the list with its headers, compressed if its first client accepted gzip, and ignores Accept-Encoding.',
    (parts) => {
      const kept = new Map<string, Reply>();
      return {
        createPet: (context) => {
          kept.clear();
          return parts.createPet(context);
        },
        listPets: async (context) => {
          const { target } = context.call;
          const known = kept.get(target);
          if (known !== undefined) return known;
          const reply = await parts.listPets(context);
          if (reply.status !== 200 || !header(context.call, 'accept-encoding').includes('gzip')) return reply;
          const coded = { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };
          kept.set(target, coded);
          return coded;
        },
      };
    },
  ],
});

/** Announces less than it sends: the client sees a cut-off body, and garbage before the next response. */
const tooLong: Wire = (reply, outgoing) => {
  const { socket } = outgoing;
  const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = Math.max(0, Buffer.byteLength(reply.body) - 5);
  socket?.write(`HTTP/1.1 ${reply.status} OK\r\n${lines.join('')}content-length: ${length}\r\n\r\n`);
  socket?.write(reply.body, () => socket.destroy());
};

/** Bodies that are not strict JSON. */
export const mediaWellFormed = faultsOf('media.well-formed', {
  'read-longer-than-announced': [
    'The Content-Length of getPet counts characters, minus five, instead of bytes.',
    onWire(({ operation }, { status }) => operation === 'getPet' && status === 200, tooLong),
    FEW,
  ],
  'body-with-bom': [
    'Bodies begin with a byte order mark.',
    rewriteText(
      () => true,
      (text) => `\ufeff${text}`,
    ),
  ],
  'body-with-bom-on-list': ['Lists begin with a byte order mark.', rewriteText(isListed, (text) => `\ufeff${text}`)],
  'body-with-trailing-comma': [
    'Lists end in a comma.',
    rewriteText(isListed, (text) => (text === '[]' ? text : text.replace(/]$/, ',]'))),
    FEW,
  ],
  'body-with-nan': ['A missing rating is written as NaN.', rewriteText(isRead, (text) => text.replace(/}$/, ',"rating":NaN}')), FEW],
  'body-with-single-quotes': [
    "Bodies are printed in the language's own syntax: single quotes.",
    rewriteText(isGood, (text) => text.replaceAll('"', "'")),
    FEW,
  ],
  'body-with-none': [
    "Lists are printed in the language's own syntax: None.",
    rewriteText(isListed, (text) => text.replaceAll('"available"', 'None')),
    FEW,
  ],
  'body-with-duplicate-members': [
    'The name is written twice, the second time empty.',
    rewriteText(isRead, (text) => text.replace(/}$/, ',"name":""}')),
    FEW,
  ],
  'body-with-duplicate-ids-on-create': [
    'The 201 has the id twice, the second time 0.',
    rewriteText(isCreated, (text) => text.replace(/}$/, ',"id":0}')),
    WRITES,
  ],
  'body-as-jsonp': ['Lists are wrapped in callback(…).', rewriteText(isListed, (text) => `callback(${text})`)],
  'body-with-prefix': ["Lists begin with )]}', a guard against JSON hijacking.", rewriteText(isListed, (text) => `)]}',\n${text}`)],
  'body-with-debug-output': ['A debug line follows the body.', rewriteText(isRead, (text) => `${text}\nquery took 3 ms`), FEW],
  'body-with-warning': [
    'A warning of the interpreter precedes the body.',
    rewriteText(isListed, (text) => `Warning: undefined index limit\n${text}`),
  ],
  'body-twice': ['The 201 body is written twice.', rewriteText(isCreated, (text) => text + text), WRITES],
  'body-as-lines': [
    'Lists have one animal per line, without brackets.',
    rewriteText(isListed, (text) => text.slice(1, -1).replaceAll('},{', '}\n{')),
    FEW,
  ],
  'body-in-utf16': ['Errors are UTF-16.', rewriteText(isError, (text) => Buffer.from(text, 'utf16le'))],
  'body-in-latin1': ['Bodies are Latin-1.', rewriteText(isGood, (text) => Buffer.from(text, 'latin1')), WRITES],
  'body-with-raw-newlines': [
    'Control characters in names are not escaped.',
    rewriteText(isGood, (text) => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t')),
    WRITES,
  ],
  'body-with-raw-quotes': [
    'Quotes in names are not escaped: the JSON is assembled by hand.',
    rewriteText(isGood, (text) => text.replaceAll('\\"', '"')),
    WRITES,
  ],
  'body-cut-at-2048': ['Bodies are truncated to 2048 bytes.', rewriteText(isGood, (text) => text.slice(0, 2048)), LARGE_STORE],
  'body-with-comment': ['Lists end in a comment.', rewriteText(isListed, (text) => `${text}/* cached */`)],
  'body-cut-on-error': ['The last byte of errors is missing.', rewriteText(isError, (text) => text.slice(0, -1))],
  'brotli-as-text': [
    'The proxy compresses with Brotli and forgets to say so.',
    rewriteIf(
      (reply, context) => isListed(reply, context) && header(context.call, 'accept-encoding') === 'br',
      ({ body }) => ({ body: brotliCompressSync(body) }),
    ),
  ],
  'cache-mixes-codings': [
    'A cache keeps the compressed list by its URL, without its headers.',
    (parts) => {
      const kept = new Map<string, Uint8Array>();
      return {
        handle: async (context) => {
          const reply = await parts.handle(context);
          const { target } = context.call;
          if (!isListed(reply, context)) return reply;
          const body = kept.get(target);
          if (body !== undefined) return { ...reply, body };
          if (!header(context.call, 'accept-encoding').includes('gzip')) return reply;
          const coded = gzipSync(reply.body);
          kept.set(target, coded);
          return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: coded };
        },
      };
    },
  ],
  'gzip-as-text': [
    'Compressed lists lose their Content-Encoding on the way.',
    rewriteIf(
      (reply, context) => isListed(reply, context) && (context.call.headers['accept-encoding'] ?? '').includes('gzip'),
      ({ body }) => ({ body: gzipSync(body) }),
    ),
  ],
});
