import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/probe/clock.ts';
import type { MonitorConfig } from '../../src/probe/config/config.ts';
import { resolveTarget } from '../../src/probe/create-smoke.ts';
import { isAuthorized, isOwnHost } from '../../src/probe/http/guard.ts';
import { type ServerLimits, serveMonitor } from '../../src/probe/http/serve-monitor.ts';
import { createMonitor } from '../../src/probe/monitor.ts';

const LIMITS: ServerLimits = { connections: 50, requestsPerConnection: 20, pipelined: 4, headers: 500, unread: 500 };
const TOKEN = 'a-token-of-24-characters';

type Wishes = { limits?: Partial<ServerLimits>; token?: string; publicUrl?: string; targets?: number };

/** A monitor that runs nothing by itself, served from this process. */
async function serve({ limits = {}, token, publicUrl, targets = 1 }: Wishes = {}): Promise<{ port: number; url: string }> {
  const config: MonitorConfig = {
    server: { host: '127.0.0.1', port: 0, token: token === undefined ? undefined : () => token, publicUrl },
    data: undefined,
    schedule: false,
    concurrentRuns: 10,
    dnsCanary: undefined,
    webhooks: [],
    targets: Array.from({ length: targets }, (_unused, index) =>
      resolveTarget({ name: `target-${index}`, baseUrl: 'http://127.0.0.1:9/v1', apiKey: () => 'key' }),
    ),
    warnings: [],
    secrets: () => [],
  };
  const log = (): void => undefined;
  const monitor = createMonitor({ config, clauses: [], rotating: [], version: '0', clock: systemClock, log, loadConfig: () => config });
  const server = await serveMonitor(monitor, { ...LIMITS, ...limits });
  monitor.start();
  onTestFinished(async () => {
    await monitor.stop();
    await server.close();
  });
  return { port: Number(new URL(server.url).port), url: server.url };
}

/** The status of a response to a request with any headers: fetch does not send a Host of one's own. */
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

async function untilClosed(socket: Socket): Promise<{ text: string; milliseconds: number }> {
  const begin = performance.now();
  let text = '';
  socket.setEncoding('latin1').on('data', (more: string) => (text += more));
  socket.resume();
  if (!socket.closed) await once(socket, 'close');
  return { text, milliseconds: performance.now() - begin };
}

const GET = 'GET /-/healthy HTTP/1.1\r\nhost: localhost\r\n\r\n';
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('serveMonitor', () => {
  test('A connection whose headers do not come to an end is closed in time.', async () => {
    const { port } = await serve();
    const sockets = ['', 'GET / HTTP/1.1\r\nhost: local'].map((begin) => {
      const socket = open(port);
      socket.write(begin);
      return socket;
    });
    for (const ended of await Promise.all(sockets.map(untilClosed))) expect(ended.milliseconds).toBeLessThan(8_000);
  });

  test('More connections than there may be are closed, and one that ends makes room.', async () => {
    const { port, url } = await serve({ limits: { connections: 3, headers: 10_000 } });
    const sockets = [open(port), open(port), open(port)];
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect((await untilClosed(open(port))).text).toBe('');
    sockets[0]?.destroy();
    await expect.poll(async () => statusOf(port, '/-/healthy', {}).catch(() => 0)).toBe(200);
    expect(url).toContain(String(port));
  });

  test('Requests that are sent without waiting are answered up to a number, and then the connection is closed.', async () => {
    const { port } = await serve();
    const few = open(port);
    few.write(GET.repeat(3) + GET.replace('host', 'connection: close\r\nhost'));
    expect(count((await untilClosed(few)).text, 'healthy\n')).toBe(4);
    const many = open(port);
    many.write(GET.repeat(1_000));
    expect(count((await untilClosed(many)).text, 'healthy\n')).toBeLessThanOrEqual(4);
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

  test('A connection that does not read what it asked for is closed.', async () => {
    const { port } = await serve({ targets: 1_000, limits: { pipelined: 8 } });
    const socket = open(port);
    socket.pause();
    socket.write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(8));
    // What the kernel has taken can be read; then comes the end and not the rest.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const { text } = await untilClosed(socket);
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
    expect((await untilClosed(socket)).text).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  test('With a token the name does not matter, the token does, and the scheme is read in any case.', async () => {
    const { port } = await serve({ token: TOKEN });
    const status = (authorization: string): Promise<number> =>
      statusOf(port, '/api/status', { headers: { host: 'status.example.com', authorization } });
    for (const given of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER  ${TOKEN}`])
      expect([given, await status(given)]).toEqual([given, 200]);
    for (const given of ['', TOKEN, 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, `Basic ${TOKEN}`])
      expect([given, await status(given)]).toEqual([given, 401]);
  });

  test('A browser does not reload the configuration, whatever page it shows.', async () => {
    const { port } = await serve();
    const reload = (headers: Readonly<Record<string, string>>): Promise<number> =>
      statusOf(port, '/-/reload', { method: 'POST', headers: { host: 'localhost', ...headers } });
    for (const site of ['cross-site', 'same-site', 'same-origin', 'none']) expect(await reload({ 'sec-fetch-site': site })).toBe(403);
    expect(await reload({ origin: 'null' })).toBe(403);
    expect(await reload({})).toBe(200);
  });

  test('isOwnHost refuses what is no host, and isAuthorized an empty token.', () => {
    for (const header of [undefined, '', ' ', 'localhost/x@evil', 'a b'])
      expect(isOwnHost(header, undefined)).toBe(header === 'localhost/x@evil');
    expect(isAuthorized('Bearer ', '')).toBe(true);
    expect(isAuthorized(undefined, '')).toBe(false);
  });
});
