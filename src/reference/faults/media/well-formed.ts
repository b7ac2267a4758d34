import { brotliCompressSync, gzipSync } from 'node:zlib';
import { FEW, faultsOf, LARGE_STORE, WRITES } from '../fault.ts';
import { isCreated, isError, isGood, isListed, isRead, rewriteIf, rewriteText } from '../helpers/replies.ts';
import { header } from '../helpers/requests.ts';
import { onWire, type Wire } from '../helpers/wire.ts';

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
