import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/probe/clock.ts';
import type { MonitorConfig } from '../../src/probe/config/config.ts';
import { isAuthorized, isOwnHost } from '../../src/probe/http/guard.ts';
import { type ServerLimits, serveMonitor } from '../../src/probe/http/serve-monitor.ts';
import { createMonitor } from '../../src/probe/monitor.ts';
import { resolveTarget } from '../../src/probe/smoke.ts';
import { listening, until } from './running-monitor.ts';

const LIMITS: ServerLimits = { connections: 50, requestsPerConnection: 20, pipelined: 4, headers: 10_000, unread: 10_000 };
const TOKEN = 'a-token-of-24-characters';

type Wishes = { limits?: Partial<ServerLimits>; read?: string; write?: string; publicUrl?: string; targets?: number; baseUrl?: string };

/** A monitor without scheduled runs, served from this process. */
async function serve({
  limits = {},
  read,
  write,
  publicUrl,
  targets = 1,
  baseUrl = 'http://127.0.0.1:9/v1',
}: Wishes = {}): Promise<{ port: number; url: string }> {
  const config: MonitorConfig = {
    server: {
      host: '127.0.0.1',
      port: 0,
      tokens: { read: read === undefined ? undefined : () => read, write: write === undefined ? undefined : () => write },
      publicUrl,
    },
    data: undefined,
    schedule: false,
    concurrentRuns: 10,
    dnsCanary: undefined,
    log: 'logfmt',
    webhooks: [],
    alertmanagers: [],
    heartbeat: undefined,
    maintenance: [],
    modules: new Map(),
    targets: Array.from({ length: targets }, (_unused, index) => resolveTarget({ name: `target-${index}`, baseUrl, apiKey: () => 'key' })),
    warnings: [],
    secrets: () => [],
    addressParts: () => [],
  };
  const log = (): void => undefined;
  const monitor = createMonitor({ config, version: '0', clock: systemClock, log, loadConfig: () => config });
  const server = await serveMonitor(monitor, { ...LIMITS, ...limits });
  monitor.start();
  onTestFinished(async () => {
    await monitor.stop();
    await server.close();
  });
  return { port: Number(new URL(server.url).port), url: server.url };
}

/** The status of a request with any headers: fetch does not send a custom Host. */
async function statusOf(
  port: number,
  path: string,
  options: { method?: string; headers?: Readonly<Record<string, string>> },
): Promise<number> {
  const sent = request({ host: '127.0.0.1', port, path, agent: false, ...options }).end();
  const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

/** What was read from a connection until the other side closed it. */
async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => (text += more));
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
  return text;
}

/** The next request that a server of this process receives, with its side of the connection. */
async function firstRequest(): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const listen = (message: unknown): void => resolve((message as { readonly request: IncomingMessage }).request);
  subscribe('http.server.request.start', listen);
  return promise.finally(() => unsubscribe('http.server.request.start', listen));
}

const GET = 'GET /-/healthy HTTP/1.1\r\nhost: localhost\r\n\r\n';
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('serveMonitor', () => {
  test('A connection whose headers never end is closed in time.', async () => {
    const { port } = await serve({ limits: { headers: 500 } });
    const sockets = ['', 'GET / HTTP/1.1\r\nhost: local'].map((begin) => {
      const socket = open(port);
      socket.write(begin);
      return socket;
    });
    for (const text of await Promise.all(sockets.map(untilClosed))) expect(text).toMatch(/^(?:HTTP\/1\.1 408 .*)?$/s);
  });

  test('One connection too many takes the place of the one that has waited longest without a complete request.', async () => {
    const { port } = await serve({ limits: { connections: 3 } });
    const hold = async (begin: string) => {
      const socket = open(port);
      await once(socket, 'connect');
      socket.write(begin);
      return { socket, closed: untilClosed(socket) };
    };
    const first = await hold('');
    const second = await hold('GET / HTTP/1.1\r\nhost: local');
    const third = await hold('');
    expect(await statusOf(port, '/-/healthy', {})).toBe(200);
    expect(await first.closed).toBe('');
    await hold('');
    expect(await statusOf(port, '/-/healthy', {})).toBe(200);
    expect(await second.closed).toBe('');
    third.socket.write(GET.replace('host', 'connection: close\r\nhost'));
    expect(await third.closed).toContain('healthy');
  });

  test('A connection whose body never ends gives up its place as well.', async () => {
    const { port } = await serve({ limits: { connections: 3 } });
    const held: Socket[] = [];
    while (held.length < 3) {
      const asked = firstRequest();
      held.push(open(port).resume());
      held.at(-1)?.write('POST /-/reload HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{');
      await asked;
    }
    for (let time = 0; time < 3; time += 1) expect(await statusOf(port, '/-/healthy', {})).toBe(200);
    // None of the routes reads a body, so each has its response.
    await until('all are closed', () => held.every(({ closed }) => closed));
  });

  test('A connection that waits for its response keeps its place.', async () => {
    const asked: ServerResponse[] = [];
    const silent = await listening(createServer((_request, response) => void asked.push(response)));
    const { port, url } = await serve({ limits: { connections: 2 }, targets: 2, baseUrl: `http://127.0.0.1:${silent}/v1` });
    const probes = ['target-0', 'target-1'].map((name) => fetch(`${url}/probe?target=${name}`));
    await until('both runs have asked the service', () => asked.length === 2);
    expect(await untilClosed(open(port))).toBe('');
    for (const { socket } of asked) socket?.destroy();
    expect((await Promise.all(probes)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('Pipelined requests get responses up to a number, and then the connection is closed.', async () => {
    const { port } = await serve();
    const few = open(port);
    few.write(GET.repeat(3) + GET.replace('host', 'connection: close\r\nhost'));
    expect(count(await untilClosed(few), 'healthy\n')).toBe(4);
    const many = open(port);
    many.write(GET.repeat(1_000));
    expect(count(await untilClosed(many), 'healthy\n')).toBeLessThanOrEqual(4);
  });

  test('A connection serves a number of requests, and says at the last one that it is closed.', async () => {
    const { port } = await serve({ limits: { requestsPerConnection: 3 } });
    const socket = open(port);
    let text = '';
    socket.setEncoding('latin1').on('data', (more: string) => {
      text += more;
      socket.write(GET);
    });
    socket.write(GET);
    await once(socket, 'close');
    expect(count(text, 'HTTP/1.1 200 OK')).toBe(3);
    expect(count(text, 'Connection: close')).toBeGreaterThanOrEqual(1);
  });

  test('A route of version 2 that is gone says what to do instead, to those who may read.', async () => {
    const { url } = await serve();
    for (const [method, path] of [
      ['GET', '/feed.atom'],
      ['GET', '/badge/target-0.svg'],
      ['POST', '/api/acknowledge'],
      ['POST', '/api/maintenance'],
      ['DELETE', '/api/maintenance/k3x9'],
    ] as const) {
      const response = await fetch(`${url}${path}?target=target-0`, { method });
      expect(response.status).toBe(410);
      expect(await response.text()).toMatch(new RegExp(`^${path} was removed in version 3: .+\\n$`));
    }
    const { url: closed } = await serve({ read: TOKEN });
    expect((await fetch(`${closed}/feed.atom`)).status).toBe(401);
  });

  test('A connection that does not read its response is closed.', async () => {
    const { port } = await serve({ targets: 1_000, limits: { pipelined: 8, unread: 500 } });
    const asked = firstRequest();
    const socket = open(port);
    socket.pause();
    socket.write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(8));
    const { socket: served } = await asked;
    if (!served.closed) await once(served, 'close');
    // What the kernel has accepted can be read; then the connection ends without the rest.
    const text = await untilClosed(socket);
    expect(text.length).toBeLessThan(8 * 3_000_000);
    expect(await statusOf(port, '/-/healthy', {})).toBe(200);
  });
});

describe('the guard', () => {
  test('Without a token only names of this machine and the public one are served; the routes for orchestrators are for all.', async () => {
    const { port } = await serve({ publicUrl: 'https://status.example.com' });
    const status = (host: string, path = '/api/status'): Promise<number> => statusOf(port, path, { headers: { host } });
    for (const host of [
      'localhost',
      'LOCALHOST:9464',
      '127.0.0.1',
      '127.8.9.1:80',
      '[::1]:9464',
      'status.example.com',
      'Status.Example.com:443',
    ])
      expect([host, await status(host)]).toEqual([host, 200]);
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'status.example.com.evil.example', '10.0.0.1'])
      expect([host, await status(host)]).toEqual([host, 403]);
    for (const path of ['/', '/metrics', '/probe?target=target-0', '/badge/target-0.svg', '/nothing'])
      expect([path, await status('evil.example', path)]).toEqual([path, 403]);
    for (const path of ['/-/healthy', '/-/ready']) expect([path, await status('evil.example', path)]).toEqual([path, 200]);
  });

  test('A request that names no host at all is not served.', async () => {
    const { port } = await serve();
    const socket = open(port);
    socket.write('GET /api/status HTTP/1.0\r\n\r\n');
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  test('With a token the name does not matter, the token does, as a bearer token or as a password, and the scheme is read in any case.', async () => {
    const { port } = await serve({ read: TOKEN });
    const status = (authorization: string): Promise<number> =>
      statusOf(port, '/api/status', { headers: { host: 'status.example.com', authorization } });
    const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;
    for (const given of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`, basic(`:${TOKEN}`), basic(`anybody:${TOKEN}`)])
      expect([given, await status(given)]).toEqual([given, 200]);
    const wrong = [basic(TOKEN), basic(`${TOKEN}:`), basic(`anybody:${TOKEN}x`), `Digest ${TOKEN}`];
    for (const given of ['', TOKEN, 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`, ...wrong])
      expect([given, await status(given)]).toEqual([given, 401]);
  });

  test('Who reads cannot write, and who writes can read.', async () => {
    const ask = async (url: string, [method, path]: readonly [string, string], token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(url + path, { method, headers });
      return [response.status, response.headers.get('www-authenticate'), await response.text()] as const;
    };
    const [READ, RELOAD] = [
      ['GET', '/api/status'],
      ['POST', '/-/reload'],
    ] as const;
    const ONLY_READS = [403, null, 'this token only reads: what writes takes that of server.tokens.write\n'];
    const required = (name: string) => [
      401,
      'Bearer',
      `a bearer token, or the same as a password, is required: that of server.tokens.${name}\n`,
    ];

    const { url: both } = await serve({ read: 'the-reader', write: 'the-writer' });
    expect((await ask(both, READ, 'the-reader'))[0]).toBe(200);
    expect((await ask(both, READ, 'the-writer'))[0]).toBe(200);
    expect((await ask(both, RELOAD, 'the-writer'))[0]).toBe(200);
    expect(await ask(both, RELOAD, 'the-reader')).toEqual(ONLY_READS);
    for (const token of [undefined, 'the-stranger']) {
      expect(await ask(both, READ, token)).toEqual(required('read'));
      expect(await ask(both, RELOAD, token)).toEqual(required('write'));
    }
    const page = await fetch(both, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="petstore-probe: the token is the password", charset="UTF-8"',
    ]);
    const { url: readable } = await serve({ read: 'the-reader' });
    expect(await ask(readable, RELOAD, 'the-reader')).toEqual(ONLY_READS);
    expect(await ask(readable, RELOAD)).toEqual(required('write'));
    const { url: open } = await serve({ write: 'the-writer' });
    expect((await ask(open, READ))[0]).toBe(200);
    expect(await ask(open, RELOAD)).toEqual(required('write'));
    expect((await ask(open, RELOAD, 'the-writer'))[0]).toBe(200);
  });

  test('A browser does not reload the configuration, whatever page it shows.', async () => {
    const { port } = await serve();
    const reload = (headers: Readonly<Record<string, string>>): Promise<number> =>
      statusOf(port, '/-/reload', { method: 'POST', headers: { host: 'localhost', ...headers } });
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none']) expect(await reload({ 'sec-fetch-site': site })).toBe(403);
    expect(await reload({ origin: 'null' })).toBe(403);
    expect(await reload({})).toBe(200);
  });

  test('No page of another site starts a run; an address typed by a person does, and so does a scraper.', async () => {
    const { port } = await serve();
    const probe = (headers: Readonly<Record<string, string>>): Promise<number> =>
      statusOf(port, '/probe?target=target-0', { headers: { host: 'localhost', ...headers } });
    for (const site of ['cross-site', 'same-site']) expect(await probe({ 'sec-fetch-site': site })).toBe(403);
    for (const site of ['same-origin', 'none']) expect(await probe({ 'sec-fetch-site': site })).toBe(200);
    expect(await probe({})).toBe(200);
  });

  test('isOwnHost rejects what is not a host, and isAuthorized an empty token.', () => {
    for (const header of [undefined, '', ' ', 'localhost/x@evil', 'a b'])
      expect(isOwnHost(header, undefined)).toBe(header === 'localhost/x@evil');
    expect(isAuthorized('Bearer ', '')).toBe(true);
    expect(isAuthorized(undefined, '')).toBe(false);
  });
});
