import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, Server as HttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { runProgram } from '../support/program.ts';

const env = { PETSTORE_API_KEY: 'k-transport-Zx81mPq' };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    if (server instanceof HttpServer) server.closeAllConnections();
    server.close();
  }
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** Both commands say in one sentence why there is no response, without naming a library. */
test.each(['run', 'smoke'])('%s names what is wrong with the connection to the service', async (command) => {
  const silent = await portOf(createServer((socket) => socket.on('error', () => undefined).resume()));
  const plain = await portOf(
    createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    ),
  );
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    [
      `http://127.0.0.1:${silent}/v1`,
      ['--timeout', '500'],
      `no response from 127.0.0.1 port ${silent}: connected, but no response within 500 ms`,
    ],
    [
      `https://127.0.0.1:${plain}/v1`,
      [],
      `no response from 127.0.0.1 port ${plain}: the port speaks plain HTTP, not TLS; did you mean http:// instead of https://?`,
    ],
    [
      'http://127.0.0.1:1/v1',
      ['--proxy', 'http://u:PASSWORD@127.0.0.1:2'],
      'cannot reach 127.0.0.1 port 1: no connection to the proxy 127.0.0.1:2: nothing listens there (ECONNREFUSED)',
    ],
    ['http://127.0.0.1:1/v1', ['--proxy', 'nowhere.invalid:3128'], 'the host name of the proxy nowhere.invalid:3128 does not resolve (E'],
  ];
  for (const [baseUrl, args, words] of cases) {
    const { code, stdout, stderr } = await runProgram([command, '--base-url', baseUrl, ...args], { env });
    expect(stdout.replace(/\s+/g, ' ')).toContain(words);
    expect(stdout + stderr).not.toMatch(/PASSWORD|openssl|\n {4}at /);
    expect(code).toBe(3);
  }
});

/** A proxy that asks for a login, whatever it is sent. */
const askingProxy = createHttpServer((_request, response) => response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('login')).on(
  'connect',
  (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
);

/** A service that reads a request and then sends this. */
const sending = (bytes: string): Server =>
  createServer((socket) => socket.on('error', () => undefined).on('data', () => socket.write(bytes)));

type Case = { readonly baseUrl: string; readonly args?: readonly string[]; readonly code: 1 | 3; readonly words: string };

/** Every command names the party that ends the connections, in words of our own, with the same exit code. */
test.each(['run', 'smoke', 'doctor'])('%s blames who ends a connection before a response, and nobody else', async (command) => {
  const certificate = makeCertificate({ name: 'localhost' });
  const folder = mkdtempSync(join(tmpdir(), 'transport-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, certificate.cert);
  const tls = (options: object): Promise<number> =>
    portOf(
      createTlsServer({ ...certificate, ...options }, (_request, response) => response.end('[]')).on('tlsClientError', () => undefined),
    );
  const wantsCertificate = await tls({ requestCert: true, rejectUnauthorized: true });
  const wantsCertificateEarly = await tls({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' });
  const plain = await tls({});
  const proxy = await portOf(askingProxy);
  const drops = await portOf(createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.destroy())));
  const twice = await portOf(sending('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n[]'));
  const cases: readonly Case[] = [
    {
      baseUrl: `https://localhost:${wantsCertificate}/v1`,
      args: ['--ca', ca],
      code: 3,
      words: 'the service asks for a client certificate',
    },
    {
      baseUrl: `https://localhost:${wantsCertificateEarly}/v1`,
      args: ['--ca', ca],
      code: 3,
      words: 'the service asks for a client certificate',
    },
    { baseUrl: `https://localhost:${plain}/v1`, code: 3, words: 'name the file of its CA with --ca' },
    { baseUrl: `http://localhost:${plain}/v1`, code: 3, words: 'expects TLS, and the base address says http' },
    {
      baseUrl: 'http://pets.test/v1',
      args: ['--proxy', `http://127.0.0.1:${proxy}`],
      code: 3,
      words: `the proxy 127.0.0.1:${proxy} asks for a login`,
    },
    {
      baseUrl: 'https://pets.test/v1',
      args: ['--proxy', `http://127.0.0.1:${proxy}`],
      code: 3,
      words: `the proxy 127.0.0.1:${proxy} asks for a login`,
    },
    { baseUrl: `http://127.0.0.1:${drops}/v1`, code: 3, words: 'the connection was closed without a byte of a response' },
    { baseUrl: `http://127.0.0.1:${twice}/v1`, code: 1, words: 'it has Content-Length twice, with the same value' },
  ];
  for (const { baseUrl, args = [], code, words } of cases) {
    const { code: ended, stdout, stderr } = await runProgram([command, '--base-url', baseUrl, ...args], { env });
    expect(stdout.replace(/\s+/g, ' ')).toContain(words);
    expect(stdout + stderr).not.toMatch(/openssl|SSL routines|other side closed|does not match content-length|use-system-ca|\n {4}at /i);
    expect([baseUrl, ended]).toEqual([baseUrl, code]);
  }
});
