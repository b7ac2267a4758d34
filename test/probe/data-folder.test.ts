import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';
import { KEY } from './keys.ts';
import { loadText } from './load-text.ts';
import { end, startMonitor, startTarget, until } from './running-monitor.ts';

const config = (baseUrl: string, folder = 'data'): string => `server: { port: 0 }
data: { folder: ${folder} }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 10s, writes: { perDay: 1, lifetime: 1 } }
`;

test('A second monitor on one data folder ends with 2 and says so; a killed one leaves nothing that prevents the next start.', async () => {
  const folder = ownFolder();
  const { baseUrl } = await startTarget();
  const first = await startMonitor(config(baseUrl), folder);
  const second = await runProgram(['monitor', '--config', join(folder, 'monitor.yaml')], { env: { KEY } });
  expect(second).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `error: the data folder ${join(folder, 'data')} is in use by another monitor; stop that one, or give this one a data.folder of its own\n`,
  });
  // Checking the configuration does not disturb the running monitor, and neither does a monitor with another folder.
  const checked = await runProgram(['monitor', '--check-config', '--config', join(folder, 'monitor.yaml')], { env: { KEY } });
  expect(checked.code).toBe(0);
  const other = await startMonitor(config(baseUrl), ownFolder());
  await end(other.child, 'SIGTERM');
  expect(other.child.exitCode).toBe(0);

  await end(first.child, 'SIGKILL');
  const third = await startMonitor(config(baseUrl), folder);
  expect((await third.status()).problems).toEqual([]);
  await end(third.child, 'SIGTERM');
  const fourth = await startMonitor(config(baseUrl), folder);
  expect((await fourth.status()).problems).toEqual([]);
});

test('Only its owner can read what a monitor stores on disk.', async () => {
  const folder = ownFolder();
  const { baseUrl } = await startTarget();
  const monitor = await startMonitor(config(baseUrl), folder, ['sh', '-c', 'umask 000 && exec "$@"', 'sh']);
  const data = join(folder, 'data');
  const wanted = ['alerts.db', 'canary.db', 'history.db', 'history.db-wal', 'monitor.lock'];
  await until('all files are there', () => wanted.every((name) => readdirSync(data).includes(name)), { details: monitor.output });
  const modes = [data, ...readdirSync(data).map((name) => join(data, name))].map((path) => [
    path,
    (statSync(path).mode & 0o777).toString(8),
  ]);
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([[data, '700']]);
});

test('A data folder that others can enter causes a warning, and is left unchanged.', () => {
  const data = join(ownFolder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'mine'), '');
  const text = `data: { folder: "${data}" }\ntargets:\n  - { name: a, baseUrl: "https://x/v1", apiKey: env:KEY }\n`;
  chmodSync(data, 0o750);
  expect(loadText(text).warnings).toBe(
    `FILE:1: data.folder: other users can access ${data}, which holds data from the services; "chmod 700 ${data}" makes it private`,
  );
  chmodSync(data, 0o700);
  expect(loadText(text).warnings).toBe('');
  expect(loadText(text.replace(data, join(data, 'none'))).warnings).toBe('');
});
