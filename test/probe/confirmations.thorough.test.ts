import { expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { startMonitor, startTarget, until } from './running-monitor.ts';

test('A probe that is blocked during a confirmation confirms nothing, and the target is not blamed for it.', async () => {
  const target = await startTarget();
  const monitor = await startMonitor(
    `server: { port: 0 }
targets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 30s, deadline: 6s, latencyLimit: 10s, downAfter: 2 of 2 }]
`,
    ownFolder(),
  );
  const details = monitor.output;
  const last = async () => (await monitor.status()).targets[0]?.lastRun;
  await until('a run has passed', async () => (await last())?.verdict === 'pass', { details });
  target.set('gone');
  await until('a run has failed', async () => (await last())?.verdict === 'fail', { details });
  // From here on a run does not end by itself; the next one confirms the failure.
  target.set('silent');
  await target.waits();
  monitor.child.kill('SIGSTOP');
  const stopped = performance.now();
  await until('the deadline of the confirmation has passed', () => performance.now() - stopped > 7_000);
  target.set('well');
  monitor.child.kill('SIGCONT');
  await until('the confirmation is over', async () => (await last())?.confirms === true, { details });
  expect(await last()).toMatchObject({ verdict: 'unknown', reason: 'internal', confirms: true });
  expect(await monitor.metric('petstore_probe_confirmations_total{target="production"}')).toBe(1);
  expect(await monitor.metric('petstore_probe_delayed_runs_total{target="production"}')).toBe(1);
  expect(await monitor.metric('petstore_probe_target_down{target="production"}')).toBe(0);
  await until('the target is up', async () => (await monitor.health()) === 'up', { details });
  expect((await monitor.status()).alerts).toEqual([]);
});
