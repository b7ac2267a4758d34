import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { discountOwnFault } from '../../src/probe/own-fault.ts';
import { ownFolder } from '../support/program.ts';
import { expectNoBlame, internal, startMonitor, startTarget, until } from './running-monitor.ts';
import { sampleOf } from './samples.ts';

const late = sampleOf({ verdict: 'fail', reason: 'timeout' });

describe('discountOwnFault', () => {
  test.for([
    ['a timeout while the process stood still is unknown', late, { stall: 1_500, busy: 0.1 }, 'unknown'],
    ['a timeout while the probe was overloaded is unknown', late, { stall: 0, busy: 0.99 }, 'unknown'],
    ['a timeout of a probe at ease is the failure of the target', late, { stall: 200, busy: 0.5 }, 'fail'],
    [
      'a wrong response is one, however busy the probe is',
      sampleOf({ verdict: 'fail', reason: 'schema' }),
      { stall: 5_000, busy: 1 },
      'fail',
    ],
    [
      'a connection that was lost while the process stood still is unknown',
      sampleOf({ verdict: 'fail', reason: 'protocol' }),
      { stall: 1_500, busy: 0.1 },
      'unknown',
    ],
    [
      'a connection that is refused is the failure of the target, however busy the probe is',
      sampleOf({ verdict: 'fail', reason: 'connect' }),
      { stall: 200, busy: 1 },
      'fail',
    ],
    ['slowness of an overloaded probe is not that of the target', sampleOf({ verdict: 'degraded' }), { stall: 0, busy: 1 }, 'unknown'],
  ] as const)('%s.', ([, sample, own, verdict]) => {
    expect(discountOwnFault(sample, own).verdict).toBe(verdict);
  });
});

test('A blocked monitor calls the run unknown; a broken configuration on reload changes nothing, and is reported.', async () => {
  const folder = ownFolder();
  const target = await startTarget();
  const config = `server: { port: 0 }\ntargets:\n  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s }\n`;
  const monitor = await startMonitor(config, folder);
  const details = monitor.output;
  const runs = 'petstore_probe_checks_total{target="production",check="smoke"}';
  // Between two runs: one in progress would be cut off, which is not the probe's fault.
  await until('a run has ended', async () => ((await monitor.metric(runs)) ?? 0) > 0, { details });
  // From here on a run does not end by itself; it is in progress once its first request has arrived.
  target.set('silent');
  await target.waits();
  monitor.child.kill('SIGSTOP');
  const stopped = performance.now();
  await until('the deadline has passed', () => performance.now() - stopped > 5_000);
  target.set('well');
  monitor.child.kill('SIGCONT');
  await until('a run is unknown', async () => (await monitor.metric(internal('production'))) === 1, { details });
  expect((await monitor.status()).problems.join('\n')).toMatch(
    /^this probe was held up or overloaded, so nothing is known about the services of some runs \(last at 20\S+Z\)$/m,
  );
  expect(await monitor.metric('petstore_probe_delayed_runs_total{target="production"}')).toBe(1);

  writeFileSync(join(folder, 'monitor.yaml'), config.replace('interval: 5s', 'interval: soon'));
  monitor.child.kill('SIGHUP');
  const reloaded = (): Promise<number | undefined> => monitor.metric('petstore_probe_config_last_reload_successful');
  await until('the reload has failed', async () => (await reloaded()) === 0, { details });
  const before = (await monitor.metric(runs)) ?? Number.NaN;
  await until('runs go on', async () => ((await monitor.metric(runs)) ?? 0) > before, { details });
  await until('the target is up', async () => (await monitor.health()) === 'up', { details });
  await expectNoBlame(monitor, 'production');
  expect((await monitor.status()).problems.join('\n')).toContain('targets[0].interval');
  expect(await (await fetch(monitor.url)).text()).toContain('a newer configuration has been waiting since 20');
  const rejected = await fetch(`${monitor.url}/-/reload`, { method: 'POST' });
  expect([rejected.status, await rejected.text()]).toEqual([
    400,
    expect.stringContaining(':3: targets[0].interval: expected a number and a unit'),
  ]);

  writeFileSync(join(folder, 'monitor.yaml'), config);
  monitor.child.kill('SIGHUP');
  await until('the reload has succeeded', async () => (await reloaded()) === 1, { details });
  expect(await (await fetch(monitor.url)).text()).not.toContain('a newer configuration');
});
