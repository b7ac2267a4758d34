import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Halt } from '../clause/halt.ts';
import { type ReferenceServer, startReference } from '../reference/server.ts';
import type { Exchange } from '../wire/exchange.ts';
import { UnreachableError } from '../wire/meant-service.ts';
import { DIRECT } from '../wire/route.ts';
import { type OpenSession, openSession } from './open-session.ts';
import type { SessionOptions } from './session.ts';

const KEY = 'session-test-key-0123456789';
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(baseUrl: string, options: Partial<SessionOptions> = {}): Promise<OpenSession> {
  const opened = await openSession({
    ...{
      baseUrl,
      apiKey: KEY,
      readOnly: false,
      intrusive: true,
      maxCreates: 150,
      runTag: 'tests',
      leftoverIds: [],
      categoryIds: [],
    },
    ...{ depth: 'quick', seed: 1, timeBudget: 10_000, now: new Date('2026-11-21'), concurrency: 8, timeout: 20_000 },
    ...{ consistencyWindow: 300, waitForReady: 0, rate: 0, maxBody: 1_000_000, ...DIRECT, headers: [] },
    ...options,
  });
  cleanups.push(() => opened.session.close());
  return opened;
}

async function reference(options: Partial<Parameters<typeof startReference>[0]> = {}): Promise<ReferenceServer> {
  const server = await startReference({ apiKey: KEY, ...options });
  cleanups.push(() => server.close());
  return server;
}

/** What halted a check, or undefined. */
async function haltOf(work: Promise<unknown>): Promise<Halt['unsent'] | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Halt) return error.unsent;
    throw error;
  }
}

describe('a session', () => {
  test('makes its fixtures from an empty store, and records every animal that it created', async () => {
    const { session, start, summary } = await open((await reference({ seedAnimals: 0 })).baseUrl);
    await start();
    const existing = await session.fixtures.existing();
    expect((await session.fixtures.withStatus('sold')).status).toBe('sold');
    expect(await session.fixtures.many()).toBeGreaterThan(100);
    expect(session.knowledge.credible).toBe(true);
    expect(session.knowledge.seen.has(String(await session.fixtures.absentId()))).toBe(false);
    const { created, ambiguous } = summary().animals;
    expect(created.map(({ id }) => id)).toContain(String(existing.id));
    expect(new Set(created.map(({ id }) => id)).size).toBe(created.length);
    expect(created.every(({ name }) => name.startsWith('Conformance'))).toBe(true);
    expect(ambiguous).toEqual([]);
  });

  test('creates nothing in a read-only run, and says what an empty store lacks', async () => {
    const { session, start, summary } = await open((await reference({ seedAnimals: 0 })).baseUrl, { readOnly: true });
    await start();
    expect(await haltOf(session.fixtures.existing())).toMatchObject({
      kind: 'inconclusive',
      missing: expect.stringContaining('read-only'),
    });
    expect(await haltOf(session.api.create({ value: {} }, { domain: 'invalid' }))).toMatchObject({ kind: 'inconclusive' });
    expect(summary().operations.find(({ operation }) => operation === 'createPet')?.requests).toBe(0);
  });

  test('keeps to the write budget, even with concurrent creations', async () => {
    const { session, start, summary } = await open((await reference()).baseUrl, { maxCreates: 5, categoryIds: [1n] });
    await start();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => haltOf(session.fixtures.create())));
    // A quarter, here one, is kept for bodies that must be rejected.
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(4);
    expect(summary().animals.created).toHaveLength(4);
  });

  test('does not begin to fill a store if the budget has no room for it', async () => {
    const { session, start, summary } = await open((await reference()).baseUrl, { maxCreates: 20 });
    await start();
    expect(await haltOf(session.fixtures.many())).toMatchObject({ missing: expect.stringContaining('--max-creates') });
    expect(summary().animals.created.length).toBeLessThan(5);
  });

  test('waits for readiness beyond five refused connections, and calls what stays away unreachable', async () => {
    const { start } = await open('http://127.0.0.1:9/v1', { waitForReady: 1_600 });
    const begin = performance.now();
    await expect(start()).rejects.toThrow(UnreachableError);
    expect(performance.now() - begin).toBeGreaterThan(1_500);
  });

  test('stops sending after five failures in a row, including what was already waiting for its turn', async () => {
    let requests = 0;
    const server = createServer((request) => {
      requests += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    cleanups.push(() => new Promise((resolve) => void server.close(() => resolve())));
    const { session } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, { concurrency: 2 });
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => haltOf(session.api.list())));
    expect(outcomes.at(-1)).toMatchObject({
      missing: expect.stringMatching(/requests of this kind got no complete response|transport failures in a row/),
      kind: 'stopped',
    });
    expect(requests).toBeLessThan(10);
  });

  test('waits for a service that was restarted, and names the restart', async () => {
    const first = await reference();
    const { session, start, summary } = await open(first.baseUrl, { concurrency: 1 });
    await start();
    await first.close();
    for (let count = 0; count < 5; count += 1) await session.api.list({ limit: count + 1 });
    const pending = session.api.list();
    const second = await startReference({ apiKey: KEY, port: first.port });
    cleanups.push(() => second.close());
    expect((await pending).outcome.kind).toBe('answered');
    expect(summary().notices.join()).toContain('it was restarted');
  });

  test('hides the key in any spelling that the service returns', async () => {
    const { redactText } = await open('http://127.0.0.1:9/v1');
    expect(redactText(`token ${KEY} and ${Buffer.from(KEY).toString('base64')}`)).not.toContain(KEY.slice(0, 8));
  });
});

test.for([
  ['fewer cases of a property in a run of the gate', false],
  ['all of them in a run of few requests, which their number bounds', true],
] as const)('a slow service gets %s', async ([, frugal]) => {
  const server = createServer((_request, response) => void setTimeout(() => response.writeHead(200).end('[]'), 60));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => void server.close());
  const { port } = server.address() as AddressInfo;
  const { session } = await open(`http://127.0.0.1:${port}/v1`, { depth: 'standard', frugal });
  for (let sent = 0; sent < 5; sent += 1) await session.api.list();
  expect(session.cases(100) === 100).toBe(frugal);
});

test('polls once more after a first response that took longer than the consistency window, and as often as told', async () => {
  const { session } = await open((await reference({ variants: ['latency-400-ms'] })).baseUrl);
  const counts = [];
  for (const least of [1, 5]) {
    let asked = 0;
    const ask = (): Promise<Exchange> => {
      asked += 1;
      return session.api.list();
    };
    await session.poll(ask, () => false, least);
    counts.push(asked);
  }
  expect(counts).toEqual([2, 5]);
});
