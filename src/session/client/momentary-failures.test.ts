import { afterEach, describe, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { type ReferenceServer, startReference } from '../../reference/server.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type OpenSession, openSession } from '../open-session.ts';
import { statusOf } from '../read-exchange.ts';

describe('momentary failures', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  /** A session with that service, and every exchange that it has recorded. */
  async function serve(fault: NonNullable<Parameters<typeof startReference>[0]['faults']>[number]) {
    const reference: ReferenceServer = await startReference({ apiKey: KEY, seedAnimals: 3, faults: [fault] });
    closers.push(() => reference.close());
    const open: OpenSession = await openSession(sessionOptions(reference.baseUrl));
    closers.push(() => open.session.close());
    const recorded: Exchange[] = [];
    open.recorder.onExchange((exchange) => recorded.push(exchange));
    await open.start();
    return { ...open, recorded };
  }

  const times = <Result>(count: number, ask: () => Promise<Result>): Promise<Result[]> => Promise.all(Array.from({ length: count }, ask));

  test('a key that is rejected among concurrent requests is accepted when they are sent again, fewer at a time; each rejection is recorded', async () => {
    const { session, recorded } = await serve('right-key-refused-concurrently');
    const responses = await times(40, () => session.api.list());
    expect(new Set(responses.map(statusOf))).toEqual(new Set([200]));
    const rejected = recorded.filter((exchange) => statusOf(exchange) === 401);
    expect(rejected.length).toBeGreaterThan(0);
    expect(responses.some(({ firstTry }) => firstTry !== undefined && rejected.some(({ number }) => number === firstTry.number))).toBe(
      true,
    );
    const before = recorded.length;
    await times(40, () => session.api.list());
    // By now it is known how many requests the service accepts at a time.
    expect(recorded.slice(before).filter((exchange) => statusOf(exchange) === 401).length).toBeLessThan(rejected.length);
    const together = await times(8, () => session.api.list({}, { atOnce: true, once: true }));
    expect(together.map(statusOf)).toContain(401);
  });

  test('a creation for which the key was rejected for a moment is sent again, and counted once', async () => {
    const { session, recorded, summary } = await serve('right-key-refused-now-and-then');
    const body = { value: { name: 'Rex', categoryId: 1 } };
    const made = await times(30, () => session.api.create(body, { domain: 'plain' }));
    expect(new Set(made.map(statusOf))).toEqual(new Set([201]));
    expect(recorded.some((exchange) => exchange.request.method === 'POST' && statusOf(exchange) === 401)).toBe(true);
    expect(summary().animals.created).toHaveLength(30);
  });

  test('a list that is intermittently cut off is requested again', async () => {
    const { session, recorded, summary } = await serve('cuts-every-12th-list');
    const responses = await times(30, () => session.api.list());
    expect(new Set(responses.map(statusOf))).toEqual(new Set([200]));
    const cut = recorded.filter(({ outcome }) => outcome.kind === 'failed').length;
    expect(cut).toBeGreaterThan(1);
    // The notice also appears when only a few clauses are selected.
    expect(summary().notices).toContain(
      `Requests sent again because the service intermittently rejected the API key or broke off a response: ${cut}`,
    );
  });

  test('what is rejected each time is sent again a few times in the run, and no more', async () => {
    const { session, recorded } = await serve('right-key-refused-with-filter');
    await times(5, () => session.api.list());
    await times(40, () => session.api.list({ status: 'sold' }));
    // Never accepted with a filter: the failure is not momentary.
    expect(recorded.filter((exchange) => statusOf(exchange) === 401)).toHaveLength(40);
  });
});
