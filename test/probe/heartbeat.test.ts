import { describe, expect, test } from 'vitest';
import { createHeartbeat, faultOf } from '../../src/probe/heartbeat.ts';
import { ownFolder } from '../support/program.ts';
import { loadText } from './load-text.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { createFakeClock } from './samples.ts';

const SECOND = 1_000;

describe('createHeartbeat', () => {
  test('It beats at its interval while all works, and sooner again after a failure; what is wrong is told, and not the address.', async () => {
    let [status, fault]: [number, string | undefined] = [200, undefined];
    const receiver = await startReceiver(() => status);
    const clock = createFakeClock();
    const [sent, failed]: [number[], string[]] = [[], []];
    const beat = createHeartbeat({
      clock,
      heartbeat: () => ({ url: () => `${receiver.url}0b9c4d2e`, proxyFor: () => undefined, every: 60 * SECOND }),
      fault: () => fault,
      onSent: () => sent.push(clock.monotonic() / SECOND),
      onFailed: (problem) => failed.push(`${clock.monotonic() / SECOND} ${problem}`),
    });
    const run = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        await beat();
        await clock.advance(SECOND);
      }
    };
    await run(121);
    expect(sent).toEqual([0, 60, 120]);
    expect(receiver.messages.map(({ path }) => path)).toEqual(['/0b9c4d2e', '/0b9c4d2e', '/0b9c4d2e']);
    status = 503;
    await run(75);
    fault = 'no run has ended for 400 s';
    await run(9);
    fault = undefined;
    status = 200;
    await run(10);
    expect(failed).toEqual([
      '180 the receiver of the heartbeat returned 503',
      '190 the receiver of the heartbeat returned 503',
      '200 no heartbeat is sent: no run has ended for 400 s',
    ]);
    expect(sent).toEqual([0, 60, 120, 210]);
  });

  test('Without one in the configuration nothing is sent.', async () => {
    const beat = createHeartbeat({
      clock: createFakeClock(),
      heartbeat: () => undefined,
      fault: () => expect.fail(),
      onSent: () => expect.fail(),
      onFailed: () => expect.fail(),
    });
    await expect(beat()).resolves.toBeUndefined();
  });
});

test('The work of a monitor is not done if no run ends, or if no receiver accepts an alert for a quarter of an hour.', async () => {
  const clock = createFakeClock();
  await clock.advance(3_600 * SECOND);
  const works = {
    clock,
    interval: 60 * SECOND,
    lastRun: clock.monotonic() - 300 * SECOND,
    oldestAlert: clock.wall() - 800 * SECOND,
    unacceptedFor: 0,
  };
  expect(faultOf(works)).toBeUndefined();
  expect(faultOf({ ...works, lastRun: clock.monotonic() - 400 * SECOND })).toBe('no run has ended for 400 s');
  expect(faultOf({ ...works, lastRun: clock.monotonic() - 400 * SECOND, interval: undefined })).toBeUndefined();
  for (const oldestAlert of [clock.wall() - 1_000 * SECOND, clock.wall() + 1_000 * SECOND])
    expect(faultOf({ ...works, oldestAlert })).toBe('no receiver has accepted an alert for 17 min');
  expect(faultOf({ ...works, unacceptedFor: 1_000 * SECOND })).toBe('no receiver has accepted an alert for 17 min');
});

test('heartbeat in the file has an address and a time, a minute by default, and a mistake in it is named.', () => {
  const withIt = (entry: string): string =>
    `heartbeat: ${entry}\ntargets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n`;
  const environment = { KEY: 'an-api-key', HEART: 'https://hc.example/0b9c4d2e-4711' };
  const { config, problems } = loadText(withIt('{ url: env:HEART }'), environment);
  expect(problems).toBe('');
  expect([config?.heartbeat?.url(), config?.heartbeat?.every]).toEqual(['https://hc.example/0b9c4d2e-4711', 60 * SECOND]);
  expect(config?.addressParts()).toEqual(['0b9c4d2e-4711']);
  expect(loadText(withIt('{ url: "https://hc.example/#x", every: soon }'), environment).problems.split('\n')).toEqual([
    'FILE:1: heartbeat.every: expected a number and a unit: 500ms, 30s, 5m, 1h, received "soon"',
  ]);
  expect(loadText(withIt('{ url: "https://hc.example/#x" }'), environment).problems).toBe(
    'FILE:1: heartbeat.url: the value has a fragment, which is never sent; remove everything from "#" on',
  );
});

test('A monitor sends its heartbeat while it works, also where nothing is scheduled.', async () => {
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(
    `server: { port: 0 }
schedule: false
heartbeat: { url: "${receiver.url}0b9c4d2e", every: 1s }
targets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY }]
`,
    ownFolder(),
  );
  await until('it beats', () => receiver.messages.length >= 3, { details: monitor.output });
  expect(await monitor.metric('petstore_probe_heartbeats_total')).toBeGreaterThanOrEqual(2);
  expect(monitor.output()).not.toContain('0b9c4d2e');
});
