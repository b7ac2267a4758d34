import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { internal, startMonitor, startTarget, until } from './running-monitor.ts';

const UNEXPECTED = 'petstore_probe_unexpected_errors_total';

/** Rejects a promise that nobody handles at the first request to a port, and at each SIGUSR2. */
function preload(folder: string, port: string): Readonly<Record<string, string>> {
  const file = join(folder, 'reject.mjs');
  writeFileSync(
    file,
    `import { subscribe } from 'node:diagnostics_channel';
let first = true;
subscribe('undici:request:create', ({ request }) => {
  if (!first || new URL(request.origin).port !== '${port}') return;
  first = false;
  Promise.reject(new Error('nobody handles this'));
});
process.on('SIGUSR2', () => void Promise.reject(new Error('nor this')));
`,
  );
  return { NODE_OPTIONS: `--import=${file}` };
}

test('A rejection that nothing handles makes one run unknown, and ends the monitor of all targets only if such errors repeat.', async () => {
  const folder = ownFolder();
  const [broken, other] = [await startTarget(), await startTarget()];
  const targets = [`{ name: broken, baseUrl: "${broken.baseUrl}" }`, `{ name: other, baseUrl: "${other.baseUrl}" }`];
  const monitor = await startMonitor(
    `server: { port: 0 }\ndefaults: { apiKey: env:KEY, interval: 2s, latencyLimit: 10s }\ntargets: [${targets.join(', ')}]\n`,
    folder,
    [],
    { env: preload(folder, new URL(broken.baseUrl).port) },
  );
  const details = monitor.output;
  await until('a run is unknown', async () => (await monitor.metric(internal('broken'))) === 1, { details });
  expect(await monitor.metric(UNEXPECTED)).toBe(1);
  expect((await monitor.status()).problems.join('\n')).toMatch(/^broken: nobody handles this \(last at 20\S+Z\)$/m);
  await until('both targets are up', async () => (await monitor.health('broken')) === 'up' && (await monitor.health('other')) === 'up', {
    details,
  });
  expect(await monitor.metric(internal('broken'))).toBe(1);
  expect(await monitor.metric(internal('other'))).toBe(0);
  expect(monitor.output()).toMatch(/level=error msg="an unexpected error: Error: nobody handles this\\n +at /);

  const ended = once(monitor.child, 'exit');
  await until('it has ended', () => !monitor.child.kill('SIGUSR2') || monitor.child.exitCode !== null, { details });
  expect(await ended).toEqual([3, null]);
  expect(monitor.output()).toContain('unexpected errors repeat: the monitor ends');
  expect(monitor.output()).toContain('error: the suite itself broke: Error: nor this');
});

test('SIGUSR1, which would open a debugger to all users of the machine, is logged and ignored.', async () => {
  const config = 'server: { port: 0 }\nschedule: false\ntargets: [{ name: any, baseUrl: "http://127.0.0.1:9/v1", apiKey: env:KEY }]\n';
  const monitor = await startMonitor(config, ownFolder(), [], { env: { NODE_OPTIONS: '--inspect-port=0' } });
  monitor.child.kill('SIGUSR1');
  await until('it has an effect', () => /SIGUSR1|Debugger/.test(monitor.output()), { details: monitor.output });
  expect(monitor.output()).toContain('msg="SIGUSR1 is ignored"');
  expect(monitor.output()).not.toContain('Debugger listening');
});
