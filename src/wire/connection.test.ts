import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { makeCertificate } from '../../test/support/certificate.ts';
import { ownFolder } from '../../test/support/program.ts';
import { isStaleConnection, secureContextOf, sharedLookup, skipInterimResponses, wasNeverSent } from './connection.ts';

const ask = (name: string): Promise<unknown> =>
  new Promise((resolve) => sharedLookup(name, { all: true }, (error, addresses) => resolve(error?.code ?? addresses)));

describe('sharedLookup', () => {
  test('Concurrent lookups of a name get the same result, and so do later ones.', async () => {
    const [first, second] = await Promise.all([ask('localhost'), ask('localhost')]);
    expect(first).toEqual(expect.arrayContaining([expect.objectContaining({ address: '127.0.0.1' })]));
    expect(second).toBe(first);
    expect(await ask('localhost')).toEqual(first);
  });

  test('An error is passed to each of them.', async () => {
    const codes = await Promise.all([ask('service.invalid'), ask('service.invalid')]);
    expect(codes[0]).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)$/);
    expect(codes[1]).toBe(codes[0]);
  });
});

type Request = { readonly body?: unknown };

/** A request that fails as undici reports it: on a socket that had read this many bytes before it, and this many when it fails. */
function fail(code: string, { body = null, before, after }: Request & { readonly before: number; readonly after: number }): Error {
  const [request, socket] = [{ body }, { bytesRead: before }];
  const error = Object.assign(new Error(code), { code });
  channel('undici:client:sendHeaders').publish({ request, socket });
  socket.bytesRead = after;
  channel('undici:request:error').publish({ request, error });
  return error;
}

test('a kept connection that is closed before any byte of the response is stale', () => {
  expect(isStaleConnection(fail('UND_ERR_SOCKET', { before: 90, after: 90 }))).toBe(true);
  expect(isStaleConnection(fail('UND_ERR_SOCKET', { before: 90, after: 91 }))).toBe(false);
  expect(isStaleConnection(fail('UND_ERR_SOCKET', { before: 0, after: 0 }))).toBe(false);
});

test('what the kernel did not accept was never sent', () => {
  expect(wasNeverSent(fail('EPIPE', { before: 0, after: 0 }))).toBe(true);
  expect(wasNeverSent(fail('EPIPE', { before: 0, after: 0, body: Buffer.from('{"name":"Rex"}') }))).toBe(true);
});

test('a request that waited for a kept-alive connection that was reset was never sent; one that waited for a new connection says something about the service', () => {
  const [waiting, connecting] = ['read ECONNRESET', 'reset before secure TLS connection'].map((text) =>
    Object.assign(new Error(text), { code: 'ECONNRESET' }),
  );
  channel('undici:client:connectError').publish({ error: connecting });
  for (const error of [waiting, connecting]) channel('undici:request:error').publish({ request: {}, error });
  expect([isStaleConnection(waiting), wasNeverSent(waiting)]).toEqual([true, true]);
  expect([isStaleConnection(connecting), wasNeverSent(connecting)]).toEqual([false, false]);
});

test.each<[string, string, Parameters<typeof fail>[1]]>([
  ['reset by the service', 'ECONNRESET', { before: 0, after: 0 }],
  ['closed once a response had begun', 'EPIPE', { before: 0, after: 12 }],
  ['with a body larger than one write', 'EPIPE', { before: 0, after: 0, body: Buffer.alloc(70_000) }],
  ['with a body in parts', 'EPIPE', { before: 0, after: 0, body: { pipe: () => undefined } }],
])('a request that was %s may have been seen by the service', (_what, code, how) => {
  expect(wasNeverSent(fail(code, how))).toBe(false);
});

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n';

/** Everything that is read from a connection on which these pieces arrive one by one. */
async function readAll(pieces: readonly string[]): Promise<string> {
  const socket = new PassThrough();
  const arrive = socket.write.bind(socket);
  skipInterimResponses(socket);
  let text = '';
  for (const piece of pieces) {
    arrive(piece);
    await new Promise((resolve) => setImmediate(resolve));
    for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) text += chunk.toString();
  }
  return text;
}

describe('a connection', () => {
  test.each([
    ['none', FINAL, FINAL],
    ['100', CONTINUE + FINAL, FINAL],
    ['100 without a reason', `HTTP/1.1 100\r\n\r\n${FINAL}`, FINAL],
    ['many of several kinds', CONTINUE + HINTS + HINTS + CONTINUE + FINAL, FINAL],
    ['101, which is final', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['garbage that is shorter than a status line', '\0\x01\r\n\r\n', '\0\x01\r\n\r\n'],
    ['garbage, which is for the parser', 'HTTP/9 100 what is this', 'HTTP/9 100 what is this'],
    ['a body that looks like one', `${FINAL}${CONTINUE}`, `${FINAL}${CONTINUE}`],
  ])('is read without its interim responses: %s', async (_name, wire, wanted) => {
    expect(await readAll([wire])).toBe(wanted);
    expect(await readAll([...wire])).toBe(wanted);
    for (let at = 1; at < wire.length; at += 5) expect(await readAll([wire.slice(0, at), wire.slice(at)])).toBe(wanted);
  });

  test('is read with spaces for the tabs at the ends of field lines, and with its body as it is', async () => {
    const head = (space: string): string => `HTTP/1.1 200 OK\r\nX-A: a\tb\r\nContent-Length: 4${space}\r\n\r\n`;
    expect(await readAll([`${head('\t \t')}[1\t\r\n]`])).toBe(`${head('   ')}[1\t\r\n]`);
  });

  test('is read without them again when another request has been sent', () => {
    // Whatever is written into a PassThrough also arrives from it: each write is a request and its response.
    const socket = new PassThrough();
    skipInterimResponses(socket);
    for (const interim of [CONTINUE, HINTS, '']) {
      socket.write(interim + FINAL);
      expect(String(socket.read())).toBe(FINAL);
    }
  });

  test('ends with more than 64 KiB of interim responses', async () => {
    const socket = new PassThrough();
    const arrive = socket.write.bind(socket);
    skipInterimResponses(socket);
    const ended = once(socket, 'error');
    for (let sent = 0; sent <= 64 * 1024; sent += HINTS.length) arrive(HINTS);
    expect(socket.read()).toBe(null);
    expect(await ended).toEqual([expect.objectContaining({ message: expect.stringContaining('interim') })]);
  });

  test('with an endless interim response is left to the parser', async () => {
    const endless = `HTTP/1.1 103 Early Hints\r\nX: ${'a'.repeat(70_000)}`;
    expect(await readAll([endless])).toBe(endless);
  });
});

describe('secureContextOf', () => {
  const [first, second] = [makeCertificate({ name: 'localhost' }).cert, makeCertificate({ name: 'localhost' }).cert];

  test('The certificates of a file are read anew at each connection, and the same ones are one context.', () => {
    const file = join(ownFolder(), 'ca.pem');
    writeFileSync(file, first);
    const context = secureContextOf({ ca: file, cert: undefined, key: undefined });
    expect(secureContextOf({ ca: file, cert: undefined, key: undefined })).toBe(context);
    writeFileSync(file, second);
    expect(secureContextOf({ ca: file, cert: undefined, key: undefined })).not.toBe(context);
    writeFileSync(file, first);
    expect(secureContextOf({ ca: file, cert: undefined, key: undefined })).toBe(context);
  });

  test('A file that is not valid any more leaves what connections trust as it was; one that was never valid throws.', () => {
    const file = join(ownFolder(), 'ca.pem');
    expect(() => secureContextOf({ ca: file, cert: undefined, key: undefined })).toThrow('ENOENT');
    writeFileSync(file, 'nothing');
    expect(() => secureContextOf({ ca: file, cert: undefined, key: undefined })).toThrow();
    writeFileSync(file, first);
    const context = secureContextOf({ ca: file, cert: undefined, key: undefined });
    for (const text of ['', 'nothing', first.slice(0, 100)]) {
      writeFileSync(file, text);
      expect(secureContextOf({ ca: file, cert: undefined, key: undefined })).toBe(context);
    }
    rmSync(file);
    expect(secureContextOf({ ca: file, cert: undefined, key: undefined })).toBe(context);
    writeFileSync(file, second);
    expect(secureContextOf({ ca: file, cert: undefined, key: undefined })).not.toBe(context);
  });
});
