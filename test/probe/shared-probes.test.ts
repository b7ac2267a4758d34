import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSharedProbes } from '../../src/probe/schedule.ts';
import type { SmokeResult } from '../../src/probe/smoke.ts';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder } from '../support/own-folder.ts';
import { createFakeClock } from './fake-clock.ts';
import { KEY } from './keys.ts';
import { startMonitor, until } from './running-monitor.ts';
import { sampleOf } from './sample-of.ts';

function setUp(most = 100) {
  const clock = createFakeClock();
  const probes = createSharedProbes({ clock, most: () => most });
  const started: { resolve: (result: SmokeResult) => void; reject: (error: Error) => void }[] = [];
  const ask = (deadline: number, target = 'production', module?: string) =>
    probes.run({ target, module, deadline }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<SmokeResult>();
      started.push({ resolve, reject });
      return promise;
    });
  return { clock, probes, ask, started };
}

const RESULT: SmokeResult = { sample: sampleOf({}), run: undefined };

describe('createSharedProbes', () => {
  test('Requests with the same time share a run, and so does a later one with as much.', async () => {
    const { clock, ask, started } = setUp();
    const first = ask(10_000);
    expect(ask(10_000)).toBe(first);
    await clock.advance(3_000);
    expect(ask(10_000)).toBe(first);
    started[0]?.resolve(RESULT);
    expect(await first).toBe(RESULT);
    expect(ask(10_000)).not.toBe(first);
    expect(started).toHaveLength(2);
  });

  test('A request by another module gets a separate run, and the limit per target stays the same.', () => {
    const { ask, started } = setUp();
    const first = ask(10_000, 'production', 'quick');
    expect(ask(10_000, 'production', 'quick')).toBe(first);
    expect(ask(10_000)).not.toBe(first);
    ask(10_000, 'production', 'lists');
    ask(10_000, 'production', 'reads');
    expect(ask(10_000, 'production', 'all')).toBeUndefined();
    expect(started).toHaveLength(4);
  });

  test('A request with more time than the run has gets a separate one.', () => {
    const { ask, started } = setUp();
    expect(ask(25_000)).not.toBe(ask(500));
    expect(started).toHaveLength(2);
  });

  test('A request with less time than the run may still take gets a separate one, and shares it as soon as it ends in time.', async () => {
    const { clock, ask, started } = setUp();
    const patient = ask(25_000);
    expect(ask(500)).not.toBe(patient);
    await clock.advance(24_600);
    expect(ask(500)).toBe(patient);
    expect(started).toHaveLength(2);
  });

  test('A target has four runs at a time at most, all targets together as many as are allowed, and each that ends makes room.', async () => {
    const { ask, started } = setUp(5);
    for (const deadline of [1_000, 2_000, 3_000, 4_000]) expect(ask(deadline)).toBeDefined();
    expect(ask(5_000)).toBeUndefined();
    expect(ask(1_000, 'staging')).toBeDefined();
    expect(ask(1_000, 'test')).toBeUndefined();
    started[0]?.resolve(RESULT);
    await until('there is room', () => ask(1_000, 'test') !== undefined);
  });
});

/** A conforming service that takes a fifth of a second for each response. */
async function startSlow(): Promise<string> {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 12 });
  const server = createServer((socket) => {
    const through = connect(reference.port, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('error', () => through.destroy()).on('close', () => through.destroy());
    socket.on('data', (data) => void setTimeout(() => through.write(data), 200));
    through.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    await reference.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('/probe: a scraper with a short timeout causes no failure for one with a longer timeout.', async () => {
  const monitor = await startMonitor(
    `server: { port: 0 }\nschedule: false\ntargets:\n  - { name: slow, baseUrl: "${await startSlow()}", apiKey: env:KEY }\n`,
    ownFolder(),
  );
  const scrape = async (seconds: string): Promise<{ success: string | undefined; milliseconds: number }> => {
    const begin = performance.now();
    const headers = { 'x-prometheus-scrape-timeout-seconds': seconds };
    const text = await (await fetch(`${monitor.url}/probe?target=slow`, { headers })).text();
    return { success: /^probe_success (\d)$/m.exec(text)?.[1], milliseconds: performance.now() - begin };
  };
  const [impatient, patient, other, late] = await Promise.all([scrape('0.5'), scrape('25'), scrape('25'), scrape('0.5')]);
  expect([impatient.success, patient.success, other.success, late.success]).toEqual(['0', '1', '1', '0']);
  expect(late.milliseconds).toBeLessThan(patient.milliseconds);
});
