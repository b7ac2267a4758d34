import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { startReference } from '../../proof/server.ts';
import type { VARIANTS } from '../../proof/variants/index.ts';
import { listening, startMonitor, until } from '../probe/running-monitor.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { smokeService } from './judge-service.ts';
import { stoppingAfter, WAYS, type Way } from './stopping.ts';

/** Half of the requests of a smoke run. */
const HALF = 8;
const ways = Object.keys(WAYS) as Way[];

/** A service that stops within the first run of the probe, until the test is over. */
async function stopping(way: Way): Promise<string> {
  const server = await stoppingAfter(HALF, way);
  onTestFinished(() => server.close());
  return server.baseUrl;
}

describe('a service that stops being itself is a success for nobody', () => {
  test.each(ways)('for readers of smoke: %s', async (way) => {
    const pings: string[] = [];
    const heartbeat = createServer((request, response) => {
      pings.push(String(request.url));
      response.end();
    });
    const pingUrl = `http://127.0.0.1:${await listening(heartbeat)}`;
    const cwd = ownFolder();
    const args = ['smoke', '--base-url', await stopping(way), '--timeout', '1000', '--format', 'prometheus', '--textfile', 'a.prom'];
    const { code, stdout, stderr } = await runProgram([...args, '--ping-url', pingUrl], { cwd, env: { PETSTORE_API_KEY: KEY } });
    expect([1, 3], stderr).toContain(code);
    for (const text of [stdout, readFileSync(join(cwd, 'a.prom'), 'utf8')]) {
      expect(text).toContain('petstore_probe_check_success{target="smoke",check="smoke"} 0\n');
    }
    expect(pings.sort()).toEqual(['/fail', '/start']);
  });

  test('who looks at the monitor', async () => {
    const folder = ownFolder();
    writeFileSync(join(folder, 'key'), KEY, { mode: 0o600 });
    const well = await startReference({ apiKey: KEY, seedAnimals: 12 });
    onTestFinished(() => well.close());
    const named = (way: Way): string => way.replaceAll(' ', '-');
    const stopped = await Promise.all(ways.map(async (way) => ({ name: named(way), baseUrl: await stopping(way) })));
    const targets = [...stopped, { name: 'well', baseUrl: `http://127.0.0.1:${well.port}/v1` }];
    const each = { apiKey: `file:${join(folder, 'key')}`, interval: '10s', deadline: '5s', latencyLimit: '10s' };
    const monitor = await startMonitor(
      JSON.stringify({ server: { port: 0 }, data: { folder: 'data' }, targets: targets.map((target) => ({ ...target, ...each })) }),
      folder,
    );
    const { output: details } = monitor;
    await until('what works is up', async () => (await monitor.health('well')) === 'up', { details });
    for (const { name } of stopped) await until(`${name} is down`, async () => (await monitor.health(name)) === 'down', { details });
    const metrics = await monitor.metrics();
    const success = (name: string): string => `petstore_probe_check_success{target="${name}",check="smoke"}`;
    for (const { name } of stopped) expect(metrics).toContain(`${success(name)} 0\n`);
    expect(metrics).toContain(`${success('well')} 1\n`);
  });
});

const BUSY = [
  'rate-limited',
  'rate-limited-with-date',
  'rate-limited-tightly',
  'rate-limited-in-plain-text',
  'rate-limited-before-authentication',
  'two-at-a-time',
  'unavailable-now-and-then',
  'cold-start-unavailable',
  'cold-start-slow',
  'latency-400-ms',
  'replicas-flap',
] as const satisfies readonly (keyof typeof VARIANTS)[];

const SIZED = ['store-of-1', 'store-of-20', 'store-of-101', 'store-of-5000'] as const satisfies readonly (keyof typeof VARIANTS)[];

describe('a service that is slow, limited, cold, tiny or huge is a success of smoke', () => {
  test.each([...BUSY.map((name) => ({ name, store: { seedAnimals: 8 } })), ...SIZED.map((name) => ({ name, store: {} }))])(
    '$name',
    async ({ name, store }) => {
      const server = await startReference({ variants: [name], apiKey: KEY, ...store });
      const run = await smokeService(server.baseUrl, 30_000).finally(() => server.close());
      if (run === undefined) throw new Error('the run did not finish');
      const { exitCode, headline, reasons } = run.conclusion;
      expect({ exitCode, reasons: exitCode === 0 ? [] : reasons }, headline).toEqual({ exitCode: 0, reasons: [] });
    },
  );
});
