import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../own-folder.ts';
import { type RunningMonitor, startMonitor, startTarget, until } from './live.ts';

/** A loopback address of which nothing else on this machine knows. */
const NAMESERVER = '127.53.0.53';

const internal = (target: string): string => `petstore_probe_check_failures_total{target="${target}",check="smoke",reason="internal"}`;

/** What nobody may say of a target when the fault is the probe's own. */
async function expectNoBlame(monitor: RunningMonitor, target: string): Promise<void> {
  expect((await monitor.status()).alerts).toEqual([]);
  const metrics = (await monitor.metrics()).split('\n');
  const blames = metrics.filter(
    (line) => line.startsWith(`petstore_probe_check_failures_total{target="${target}"`) && !line.endsWith(' 0'),
  );
  expect(blames.map((line) => line.replace(/ \d+$/, ''))).toEqual([internal(target)]);
}

test('Without any DNS, a target with a name is unknown and not down, others are up; a silent server and none at all are the same.', {
  timeout: 120_000,
}, async () => {
  const folder = ownFolder();
  const target = await startTarget();
  const silent = createSocket('udp4');
  let asked = 0;
  silent.on('message', () => (asked += 1));
  await new Promise<void>((resolve, reject) => {
    silent.once('error', (cause) => reject(new Error('port 53 of loopback is needed: run the tests as root', { cause })));
    silent.bind(53, NAMESERVER, resolve);
  });
  let open = true;
  const close = (): void => {
    if (open) silent.close();
    open = false;
  };
  onTestFinished(close);
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${NAMESERVER}\n`);
  const namespace = spawnSync('unshare', ['--mount', 'true']).status === 0 ? [] : ['--user', '--map-root-user'];
  const bind = `mount --bind '${join(folder, 'resolv.conf')}' /etc/resolv.conf && exec "$@"`;
  const monitor = await startMonitor(
    `server: { port: 0 }
defaults: { interval: 2s, latencyLimit: 10s }
targets:
  - { name: named, baseUrl: "http://petstore.example.com/v1", apiKey: env:KEY, interval: 1s }
  - { name: numbered, baseUrl: "${target.baseUrl}", apiKey: env:KEY }
`,
    folder,
    ['unshare', ...namespace, '--mount', 'sh', '-c', bind, 'sh'],
  );
  const tell = monitor.output;
  await until('two runs are unknown', async () => ((await monitor.metric(internal('named'))) ?? 0) >= 2, { tell });
  expect(asked).toBeGreaterThan(0);
  const before = (await monitor.metric(internal('named'))) ?? 0;
  close();
  await until('two more are', async () => ((await monitor.metric(internal('named'))) ?? 0) >= before + 2, { tell });
  expect(await monitor.health('named')).toBe('unknown');
  await until('the other is up', async () => (await monitor.health('numbered')) === 'up', { tell });
  await expectNoBlame(monitor, 'named');
  expect(await (await fetch(monitor.url)).text()).toContain('no name resolves on this machine');
  const probed = await (await fetch(`${monitor.url}/probe?target=named`)).text();
  expect(probed).toContain('\npetstore_probe_unknown 1\n');
});

test('A monitor that stood still calls the run unknown; a configuration that is broken on reload changes nothing, and is told of.', {
  timeout: 120_000,
}, async () => {
  const folder = ownFolder();
  const target = await startTarget();
  const config = `server: { port: 0 }\ntargets:\n  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 3s, latencyLimit: 10s }\n`;
  const monitor = await startMonitor(config, folder);
  const tell = monitor.output;
  // From here on a run does not end by itself; it is under way when its first request has come.
  target.set('silent');
  await until('a run waits for its answer', () => target.waiting() > 0, { tell });
  monitor.child.kill('SIGSTOP');
  const stopped = performance.now();
  await until('the deadline has passed', () => performance.now() - stopped > 3_000);
  target.set('well');
  monitor.child.kill('SIGCONT');
  await until('a run is unknown', async () => (await monitor.metric(internal('production'))) === 1, { tell });
  expect((await monitor.status()).problems.join('\n')).toContain('this probe was held up for');

  writeFileSync(join(folder, 'monitor.yaml'), config.replace('interval: 3s', 'interval: soon'));
  monitor.child.kill('SIGHUP');
  const reloaded = (): Promise<number | undefined> => monitor.metric('petstore_probe_config_last_reload_successful');
  await until('the reload has failed', async () => (await reloaded()) === 0, { tell });
  const runs = 'petstore_probe_checks_total{target="production",check="smoke"}';
  const before = (await monitor.metric(runs)) ?? Number.NaN;
  await until('runs go on', async () => ((await monitor.metric(runs)) ?? 0) > before, { tell });
  await until('the target is up', async () => (await monitor.health()) === 'up', { tell });
  await expectNoBlame(monitor, 'production');
  expect((await monitor.status()).problems.join('\n')).toContain('targets[0].interval');
  expect(await (await fetch(monitor.url)).text()).toContain('the configuration was not reloaded');
  const refused = await fetch(`${monitor.url}/-/reload`, { method: 'POST' });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining(':3: targets[0].interval: expected a number and a unit'),
  ]);

  writeFileSync(join(folder, 'monitor.yaml'), config);
  monitor.child.kill('SIGHUP');
  await until('the reload has succeeded', async () => (await reloaded()) === 1, { tell });
  expect(await (await fetch(monitor.url)).text()).not.toContain('the configuration was not reloaded');
});
