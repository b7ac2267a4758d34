import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectNoBlame, internal } from '../probe/expect-no-blame.ts';
import { startMonitor, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { MOUNTS, mountNamespace, needs, PORT_53 } from '../support/tool.ts';

/** A loopback address that nothing else on this machine uses. */
const NAMESERVER = '127.53.0.53';

test('Without any DNS, a target with a name is unknown and not down, and others are up, whether the DNS server is silent or missing.', async (context) => {
  needs(context, MOUNTS, PORT_53);
  const folder = ownFolder();
  const target = await startTarget();
  const silent = createSocket('udp4');
  let asked = 0;
  silent.on('message', () => (asked += 1));
  await new Promise<void>((resolve, reject) => {
    silent.once('error', reject);
    silent.bind(53, NAMESERVER, resolve);
  });
  let open = true;
  const close = (): void => {
    if (open) silent.close();
    open = false;
  };
  onTestFinished(close);
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${NAMESERVER}\n`);
  const bind = `mount --bind '${join(folder, 'resolv.conf')}' /etc/resolv.conf && exec "$@"`;
  const monitor = await startMonitor(
    `server: { port: 0 }
defaults: { interval: 10s, latencyLimit: 10s }
targets:
  - { name: named, baseUrl: "http://petstore.example.com/v1", apiKey: env:KEY, interval: 1s }
  - { name: numbered, baseUrl: "${target.baseUrl}", apiKey: env:KEY }
`,
    folder,
    [...(mountNamespace() ?? []), 'sh', '-c', bind, 'sh'],
  );
  const details = monitor.output;
  await until('two runs are unknown', async () => ((await monitor.metric(internal('named'))) ?? 0) >= 2, { details });
  expect(asked).toBeGreaterThan(0);
  const before = (await monitor.metric(internal('named'))) ?? 0;
  close();
  await until('two more are', async () => ((await monitor.metric(internal('named'))) ?? 0) >= before + 2, { details });
  expect(await monitor.health('named')).toBe('unknown');
  await until('the other is up', async () => (await monitor.health('numbered')) === 'up', { details });
  await expectNoBlame(monitor, 'named');
  expect(await (await fetch(monitor.url)).text()).toContain('no host name resolves on this machine');
  const probed = await (await fetch(`${monitor.url}/probe?target=named`)).text();
  expect(probed).toContain('\npetstore_probe_unknown 1\n');
});
