import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Dispatcher } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { type Client, type ClientOptions, createClient } from './client.ts';
import type { Exchange, Outgoing } from './exchange.ts';
import { DIRECT } from './route.ts';

const REQUEST: Outgoing = {
  method: 'GET',
  path: '/pets',
  query: '',
  headers: [],
  body: undefined,
};
const POST: Outgoing = { ...REQUEST, method: 'POST', body: '{}' };

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

type Served = { readonly client: Client; readonly requests: () => number };
type Respond = (response: ServerResponse, number: number, socket: Socket) => void;

/** Responds to each request once its body has arrived. */
function serve(respond: Respond, options: Partial<ClientOptions> = {}): Promise<Served> {
  return serveEarly(
    (request, response, number) => void request.resume().on('end', () => respond(response, number, request.socket)),
    options,
  );
}

/** Responds to each request as soon as its headers have arrived. */
async function serveEarly(
  respond: (request: IncomingMessage, response: ServerResponse, number: number) => void,
  options: Partial<ClientOptions> = {},
): Promise<Served> {
  let count = 0;
  const server: Server = createServer((request, response) => {
    count += 1;
    respond(request, response, count);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  const client = createClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    concurrency: 4,
    timeout: 20_000,
    rate: 0,
    maxBody: 100_000,
    ...DIRECT,
    headers: [],
    ...options,
  });
  cleanups.push(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { client, requests: () => count };
}

function failureOf({ outcome }: Exchange): string {
  return outcome.kind === 'failed' ? `${outcome.failure.reason}: ${outcome.failure.message}` : `answered ${outcome.answer.status}`;
}

const list = (response: ServerResponse): void => void response.setHeader('content-type', 'application/json').end('[]');

describe('createClient', () => {
  test('returns a complete response with headers in lower case, each as often as it was sent', async () => {
    const { client } = await serve((response) => {
      response.setHeader('X-Twice', ['a', 'b']);
      list(response);
    });
    const { outcome } = await client.send(REQUEST);
    expect(outcome).toMatchObject({ kind: 'answered', answer: { status: 200, text: '[]', json: { ok: true, value: [] } } });
    const headers = outcome.kind === 'answered' ? outcome.answer.headers : [];
    expect(headers.filter(([name]) => name === 'x-twice')).toEqual([
      ['x-twice', 'a'],
      ['x-twice', 'b'],
    ]);
  });

  test('applies the deadline up to the last byte of the body and says how much of the response was received', async () => {
    const { client } = await serve(
      (response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('[1,');
      },
      { timeout: 400 },
    );
    expect(failureOf(await client.send(REQUEST))).toBe(
      'timeout: the response was not complete within 400 ms: a 200 and 3 bytes of its body',
    );
  });

  test('names a silent service', async () => {
    const { client } = await serve(() => undefined, { timeout: 400 });
    expect(failureOf(await client.send(REQUEST))).toBe('timeout: connected, but no response within 400 ms');
  });

  test('says that the deadline passed while this process was blocked, for a GET after a second attempt', async () => {
    const { client, requests } = await serve(
      () => {
        const begin = performance.now();
        while (performance.now() - begin < 600);
      },
      { timeout: 400 },
    );
    const heldUp = { outcome: { kind: 'failed', failure: { reason: 'timeout', heldUp: true } } };
    expect(await client.send(POST)).toMatchObject(heldUp);
    expect(requests()).toBe(1);
    expect(await client.send(REQUEST)).toMatchObject(heldUp);
    expect(requests()).toBe(3);
  });

  test('rejects a body beyond the limit, plain or decoded', async () => {
    const { client } = await serve((response, number) => {
      if (number === 1) response.end('x'.repeat(100_001));
      else response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(100_001)));
    });
    for (let count = 0; count < 2; count += 1)
      expect(failureOf(await client.send(REQUEST))).toBe('too_large: the body is larger than 100000 bytes');
  });

  test('decodes gzip, also in layers and in headers of their own', async () => {
    const { client } = await serve((response) => response.setHeader('content-encoding', ['gzip', 'gzip']).end(gzipSync(gzipSync('[1]'))));
    expect((await client.send(REQUEST)).outcome).toMatchObject({ kind: 'answered', answer: { text: '[1]', size: 3 } });
  });

  test.each([[' 2 '], ['2  '], ['\t2\t'], [' \t 2 \t ']])(
    'reads a response with white space around the values of its fields (%j)',
    async (length) => {
      const { client } = await serve((_response, _number, socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json \t\r\nContent-Length:${length}\r\n\r\n[]`);
      });
      const { outcome } = await client.send(REQUEST);
      const headers = [
        ['content-type', 'application/json'],
        ['content-length', '2'],
      ];
      expect(outcome).toMatchObject({ kind: 'answered', answer: { status: 200, text: '[]', headers } });
      expect((await client.send(POST)).outcome).toMatchObject({ answer: { text: '[]' } });
    },
  );

  test('does not accept a body that is shorter than Content-Length says', async () => {
    const { client } = await serve((_response, _number, socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3 \r\n\r\n[]'));
    expect(failureOf(await client.send(REQUEST))).toMatch(/^protocol: the connection was closed after 2 bytes of the body of a 200/);
  });

  test.each([{ chunked: true }, { divided: true }])('reads an early rejection of a body before it writes the rest (%o)', async (how) => {
    const { client } = await serveEarly(({ socket }) => {
      socket.end('HTTP/1.1 411 Length Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      socket.destroySoon();
      // The client, in this process, is blocked until the rest of the body is due.
      setImmediate(() => {
        const begin = performance.now();
        while (performance.now() - begin < 60);
      });
    });
    expect((await client.send({ ...POST, body: '{"name":"Rex"}', ...how })).outcome).toMatchObject({ answer: { status: 411 } });
  });

  test('follows no redirect', async () => {
    const { client, requests } = await serve((response) => response.writeHead(302, { location: '/v1/pets' }).end());
    expect((await client.send(REQUEST)).outcome).toMatchObject({ answer: { status: 302 } });
    expect(requests()).toBe(1);
  });

  test('repeats a read once if a kept-alive connection turns out to be closed, and records that', async () => {
    const used = new WeakSet<Socket>();
    const { client } = await serve((response, _number, socket) => {
      if (used.has(socket)) socket.destroy();
      else list(response);
      used.add(socket);
    });
    const connection = client.connect();
    await client.send(REQUEST, { connection });
    expect(await client.send(REQUEST, { connection })).toMatchObject({ retried: true, outcome: { kind: 'answered' } });
  });

  test('records the connection of a response, and its position on it', async () => {
    const { client } = await serve(list);
    const placeOf = ({ outcome }: Exchange) => (outcome.kind === 'answered' ? outcome.answer.connection : undefined);
    const connection = client.connect();
    const first = placeOf(await client.send(REQUEST, { connection }));
    const second = placeOf(await client.send(REQUEST, { connection }));
    const other = placeOf(await client.send(REQUEST));
    expect([first?.turn, second?.turn, other?.turn]).toEqual([1, 2, 1]);
    expect(second?.id).toBe(first?.id);
    expect(other?.id).not.toBe(first?.id);
  });

  test('keeps a connection that the service keeps for two seconds', async () => {
    const { client } = await serve((response) =>
      response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=2' }).end('[]'),
    );
    const connection = client.connect();
    const turns = [];
    for (let sent = 0; sent < 2; sent += 1) {
      const { outcome } = await client.send(REQUEST, { connection });
      turns.push(outcome.kind === 'answered' ? outcome.answer.connection?.turn : undefined);
    }
    expect(turns).toEqual([1, 2]);
  });

  test('repeats nothing on a fresh connection, in the middle of a response, or after a POST', async () => {
    const fresh = await serve((_response, _number, socket) => socket.resetAndDestroy());
    expect(failureOf(await fresh.client.send(REQUEST))).toMatch(/^protocol: the connection was closed without a byte of a response/);
    expect(fresh.requests()).toBe(1);
    const begun = await serve((response, number, socket) => {
      if (number === 1) list(response);
      else socket.write('HTTP/1.1 200 OK\r\nX-', () => socket.resetAndDestroy());
    });
    const connection = begun.client.connect();
    await begun.client.send(REQUEST, { connection });
    expect(await begun.client.send(REQUEST, { connection })).toMatchObject({ retried: false, outcome: { kind: 'failed' } });
    const posted = await serve((response, number, socket) => (number === 2 ? socket.destroy() : list(response)));
    await posted.client.send(REQUEST);
    expect(await posted.client.send(POST)).toMatchObject({ retried: false, outcome: { kind: 'failed', failure: { stale: false } } });
    expect(posted.requests()).toBe(2);
    const kept = await serve((response, number, socket) => (number === 2 ? socket.destroy() : list(response)));
    const single = kept.client.connect();
    await kept.client.send(POST, { connection: single });
    expect(await kept.client.send(POST, { connection: single })).toMatchObject({ outcome: { kind: 'failed', failure: { stale: true } } });
    expect(kept.requests()).toBe(2);
  });

  test('repeats each GET that was lost on a kept connection which the service reset while it was idle', async () => {
    const { client } = await serve((response, _number, socket) => {
      list(response);
      response.once('finish', () => setTimeout(() => socket.resetAndDestroy(), 5));
    });
    const outcomes = new Map<string, number>();
    let retried = 0;
    // Some requests are sent before the reset arrives, some after it, and some at the same moment: repeats until enough have been lost.
    for (let sent = 0; retried < 20 && sent < 2_000; sent += 1) {
      const exchange = await client.send(REQUEST);
      const what = exchange.outcome.kind === 'failed' ? exchange.outcome.failure.message : String(exchange.outcome.answer.status);
      outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
      if (exchange.retried) retried += 1;
      const due = performance.now() + 4 + (sent % 20) / 10;
      while (performance.now() < due) if (due - performance.now() > 2) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect([...outcomes.keys()]).toEqual(['200']);
    expect(retried).toBeGreaterThan(0);
  });

  test.each([429, 503])('waits and repeats the request when %i says when', async (status) => {
    const { client } = await serve((response, number) =>
      number < 3 ? response.writeHead(status, { 'retry-after': '0' }).end() : list(response),
    );
    expect(await client.send(REQUEST)).toMatchObject({ postponed: 2, outcome: { answer: { status: 200 } } });
    expect(client.waited()).toBeGreaterThan(50);
  });

  test('learns a rate from 429, but not if the request may be repeated at once', async () => {
    for (const [wait, status, learns] of [
      ['0', 429, false],
      ['1', 503, false],
      ['1', 429, true],
    ] as const) {
      const { client } = await serve((response, number) =>
        number === 2 ? response.writeHead(status, { 'retry-after': wait }).end() : list(response),
      );
      for (let sent = 0; sent < 3; sent += 1) await client.send(REQUEST);
      expect(client.allowedRate() !== undefined).toBe(learns);
    }
  });

  test('sends a request with `once` only once, whatever the response asks for', async () => {
    const { client, requests } = await serve((response) => response.writeHead(429, { 'retry-after': '0' }).end());
    expect(await client.send(POST, { once: true })).toMatchObject({ postponed: 0, outcome: { answer: { status: 429 } } });
    expect(requests()).toBe(1);
  });

  test('does not wait for an hour, nor for a 503 that does not say when', async () => {
    const { client, requests } = await serve((response, number) =>
      response.writeHead(number === 1 ? 429 : 503, number === 1 ? { 'retry-after': '3600' } : {}).end(),
    );
    expect(await client.send(REQUEST)).toMatchObject({ postponed: 0, outcome: { answer: { status: 429 } } });
    expect(await client.send(REQUEST)).toMatchObject({ postponed: 0, outcome: { answer: { status: 503 } } });
    expect(requests()).toBe(2);
  });

  test('keeps to a rate', async () => {
    const { client } = await serve(list, { rate: 50 });
    const begin = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => client.send(REQUEST)));
    expect(performance.now() - begin).toBeGreaterThan(95);
  });

  test('has no more requests in flight than allowed', async () => {
    let under = 0;
    let most = 0;
    const { client } = await serve((response) => {
      under += 1;
      most = Math.max(most, under);
      setImmediate(() => {
        under -= 1;
        list(response);
      });
    });
    await Promise.all(Array.from({ length: 40 }, () => client.send(REQUEST)));
    expect(most).toBeLessThanOrEqual(4);
  });

  test.each([
    { concurrency: 8, most: 40 },
    { concurrency: 4, most: 4 },
  ])('has at most $most requests under way where $concurrency are allowed and responses take 0.4 s', async ({ concurrency, most }) => {
    const held: ServerResponse[] = [];
    let seen = 0;
    const respondToAll = (): void => {
      seen = Math.max(seen, held.length);
      for (const response of held.splice(0)) list(response);
    };
    const { client, requests } = await serve(
      (response, number) => {
        held.push(response);
        // However slow the machine is: all get their responses a while after the last request.
        if (number === 1 || number === 1 + most || number === most + 3) setTimeout(respondToAll, 400);
      },
      { concurrency },
    );
    await client.send(REQUEST);
    expect(client.isFar()).toBe(true);
    await Promise.all(Array.from({ length: most + 2 }, () => client.send(REQUEST)));
    expect(seen).toBe(most);
    expect(requests()).toBe(most + 3);
  });

  test('calls admit when it is the turn of a request, and sends nothing that it rejects', async () => {
    const { client, requests } = await serve(list);
    const reject = () => {
      throw new Error('closed');
    };
    await expect(client.send(REQUEST, { admit: reject })).rejects.toThrow('closed');
    expect(requests()).toBe(0);
  });

  test('throws what the caller did wrong instead of blaming the service', async () => {
    const { client } = await serve(list);
    await expect(client.send({ ...REQUEST, headers: [['authorization', 'a\nb']] })).rejects.toThrow(/invalid/i);
  });

  test('throws an error of our own, and names what this machine lacks', async () => {
    const { client } = await serve(list);
    class Broken extends Dispatcher {
      readonly error: Error;
      constructor(error: Error) {
        super();
        this.error = error;
      }
      override dispatch(): boolean {
        throw this.error;
      }
    }
    const own = new Broken(new TypeError('our own mistake'));
    await expect(client.send(REQUEST, { connection: own })).rejects.toThrow('our own mistake');
    const full = new Broken(Object.assign(new Error('connect EMFILE 127.0.0.1:80'), { code: 'EMFILE', syscall: 'connect' }));
    await expect(client.send(REQUEST, { connection: full })).rejects.toThrow(/^this process may open no more connections.*\(EMFILE\)$/);
  });

  test('says what is wrong with the length of a response', async () => {
    const lengthOf = async (head: string) => {
      const { client } = await serve((_response, _number, socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n[]`));
      return failureOf(await client.send(REQUEST));
    };
    const invalid = 'protocol: the response is not valid HTTP: it has';
    expect(await lengthOf('Content-Length: 2\r\ncontent-length: 2')).toBe(`${invalid} Content-Length twice, with the same value`);
    expect(await lengthOf('Content-Length: 2\r\nContent-Length: 3')).toBe(`${invalid} Content-Length twice, with different values`);
    expect(await lengthOf('Content-Length: 2\r\nTransfer-Encoding: chunked')).toBe(`${invalid} both Content-Length and Transfer-Encoding`);
  });

  test('names a host that does not resolve and a port that refuses connections', async () => {
    const nowhere = await serve(list, { baseUrl: 'http://no-such-host.invalid/v1' });
    expect(failureOf(await nowhere.client.send(REQUEST))).toMatch(/^dns: the host name does not resolve/);
    const rejected = await serve(list, { baseUrl: 'http://127.0.0.1:9/v1' });
    expect(failureOf(await rejected.client.send(REQUEST))).toMatch(/^connect: no connection/);
  });
});
