import { gzipSync } from 'node:zlib';
import { type Attack, type Credential, conformingUntil, message, nowAndThen } from '../attacker.ts';

const JSON_TYPE = 'Content-Type: application/json\r\n';
const CHUNKED = `HTTP/1.1 200 OK\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n`;
/** Replaces characters that a field name can't contain (RFC 9110, section 5.6.2). */
const token = (text: string): string => text.replace(/[^\w!#$%&'*+.^`|~-]/g, '-');
const error = (text: string): string => JSON.stringify({ code: 'denied', message: text, status: 500 });
const asError = (text: string, headers = JSON_TYPE): Buffer => message('500 Oops', error(text), headers);

const unicode = (key: string): string => Array.from(key, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const percent = (key: string): string => Array.from(Buffer.from(key), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const entities = (key: string): string => Array.from(key, (unit) => `&#${unit.charCodeAt(0)};`).join('');
const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Additional members of an animal: the key in halves in separate members, in a name, and as two names of one member. */
const members = ({ key }: Credential): string => {
  const [name, half, rest] = [key, key.slice(0, 17), key.slice(17)].map((text) => JSON.stringify(text));
  return `[{"id":1,"name":"rex","categoryId":1,"status":"sold",${name}:1,${name}:2,${half}:${rest},"tags":[${half},${rest}]}]`;
};

/** Servers that return the key in unusual ways; `test/secrets` has the obvious ones. */
export const echoes: readonly Attack[] = [
  {
    name: 'key-in-early-hints',
    does: 'conforms, and has the key in the 103 before each response (within its rights: nothing shows them)',
    exits: [0],
    names: /conformant/i,
    start: () =>
      conformingUntil(({ socket, headers }, genuine) => {
        const key = headers['authorization'] ?? 'none';
        socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </?${encodeURIComponent(key)}>; rel=preload\r\nX-Debug: ${key}\r\n\r\n`);
        genuine();
      }),
  },
  {
    name: 'key-around-the-body',
    does: 'has the key in trailers, chunk extensions, cookies, realm, ETag, charset and header names',
    exits: [1],
    names: /\[key\]/,
    start: nowAndThen(
      ({ key }) => `${CHUNKED}Trailer: X-Debug\r\n\r\n2\r\n[]\r\n0\r\nX-Debug: ${key}\r\n${token(key)}: 1\r\n\r\n`,
      ({ key }) => `${CHUNKED}\r\n2;token=${key.replaceAll('"', '')}\r\n[{\r\n0;${token(key)}\r\n\r\n`,
      ({ key }) => message('500 Oops', '{}', `${JSON_TYPE}Set-Cookie: ${token(key)}=${key}; Path=/\r\nSet-Cookie: a=${key}\r\n`),
      ({ key }) =>
        message('401 No', '{}', `${JSON_TYPE}WWW-Authenticate: Bearer realm="${key.replaceAll('"', '\\"')}"\r\nETag: W/"${key}"\r\n`),
      ({ key }) => message('200 OK', '[{}]', `Content-Type: application/json; charset=${key}\r\n${token(key)}: ${key}\r\n`),
      ({ header }) => message(`500 ${header}`, '', `Retry-After: ${header}\r\nLocation: /${header}\r\n`),
    ),
  },
  {
    name: 'key-in-escapes',
    does: 'spells every character of the key as an escape of JSON, of URLs and of HTML, and of one within the other',
    exits: [1],
    names: /\[key\]/,
    start: nowAndThen(
      ({ key }) => message('500 Oops', `{"code":"${unicode(key)}","message":"${unicode(percent(key))}","status":500}`),
      ({ key }) => asError(`${percent(key)} ${percent(percent(key))} ${entities(key)} ${entities(entities(key).slice(0, 1500))}`),
      ({ key }) => message('500 Oops', unicode(entities(key)), 'Content-Type: text/plain\r\n'),
      ({ key }) =>
        message('302 Found', '', `Location: /?next=${encodeURIComponent(encodeURIComponent(key))}\r\nX-Key: ${percent(key)}\r\n`),
    ),
  },
  {
    name: 'key-in-members',
    does: 'names members after the key and its halves, twice in one object',
    exits: [1],
    names: /\[key\]/,
    start: nowAndThen(
      (credential) => message('200 OK', members(credential)),
      ({ key }) => message('200 OK', JSON.stringify([{ id: 1, name: 'rex', categoryId: 1, [pointer(key)]: { [key]: key } }])),
      ({ key }) => message('500 Oops', JSON.stringify({ [key]: { [key]: 1 }, code: key, message: [key], status: key })),
      ({ key }) => message('200 OK', `[{"id":1,"name":${JSON.stringify(key)},"categoryId":${JSON.stringify(key)}} ${key}`),
    ),
  },
  {
    name: 'key-beyond-the-cut',
    does: 'has the key where long texts are cut, in megabytes, in gzip and in broken gzip',
    exits: [1],
    names: /./,
    start: nowAndThen(
      ({ key }) => asError(`${'x'.repeat(3_950)}${key.repeat(4)}`),
      ({ key }) => asError(`${'x'.repeat(110)}${key.repeat(20)}${'y'.repeat(500_000)}${key}`),
      ({ key }) => message('500 Oops', gzipSync(error(key)), `${JSON_TYPE}Content-Encoding: gzip\r\n`),
      ({ key }) => message('500 Oops', key, `${JSON_TYPE}Content-Encoding: gzip\r\n`),
      ({ key }) => message('500 Oops', '[]', `${JSON_TYPE}Content-Encoding: ${token(key)}\r\n`),
      ({ key }) => message('500 Oops', Buffer.concat([Buffer.from(key, 'utf16le'), Buffer.from(`\xff${key}`, 'latin1')])),
    ),
  },
];
