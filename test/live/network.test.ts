import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { expectNoBlame, internal, startMonitor, startTarget, until } from '../probe/running-monitor.ts';
import { ownFolder, runJudged } from '../support/program.ts';
import { MOUNTS, mountNamespace, needs, PORT_53, STRACE } from '../support/tool.ts';

const KEY = 'nw-5tR8wQ2zX6vB';

/** Every internet address that system calls named, and every program that was started, as the kernel saw it. */
function readTrace(file: string): { readonly addresses: readonly string[]; readonly programs: readonly string[] } {
  const trace = readFileSync(file, 'utf8');
  const inet4 = [...trace.matchAll(/sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g)].map(([, port, host]) => `${host}:${port}`);
  const inet6 = [...trace.matchAll(/sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/g)].map(
    ([, port, host]) => `[${host}]:${port}`,
  );
  return {
    addresses: [...new Set([...inet4, ...inet6])],
    programs: [...trace.matchAll(/execve\("([^"]+)".*= 0$/gm)].map(([, program = '']) => program),
  };
}

/** Runs the command under strace, which sees every connection, datagram, and started program of the process and its threads. */
async function traced(args: readonly string[]) {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 7 });
  const file = join(ownFolder(), 'strace');
  const calls = 'trace=connect,bind,sendto,sendmsg,sendmmsg,execve';
  const ended = await runJudged({
    args: [...args, '--base-url', reference.baseUrl],
    apiKey: KEY,
    under: ['strace', '--follow-forks', '--output', file, '--string-limit', '64', '-e', calls],
  });
  await reference.close();
  return { ...ended, ...readTrace(file), target: new URL(reference.baseUrl).host };
}

describe('the network that is reached', () => {
  test.for([
    ['run', ['run', '--depth', 'quick']],
    ['smoke', ['smoke']],
  ] as const)('by %s is the target and nothing else', async ([, args], context) => {
    needs(context, STRACE);
    const { exit, output, addresses, programs, target } = await traced(args);
    expect(exit, output).toBe(0);
    expect(addresses).toEqual([target]);
    expect(programs).toEqual([process.execPath]);
  });
});

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
