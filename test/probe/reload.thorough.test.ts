import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { startMonitor, startTarget, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

test('A monitor follows a ConfigMap that changes, and its log is JSON from the first line on if the file says so.', async () => {
  const folder = ownFolder();
  const target = await startTarget();
  const targetsOf = (names: readonly string[]): string =>
    `targets: [${names.map((name) => `{ name: ${name}, baseUrl: "${target.baseUrl}", apiKey: env:KEY }`).join(', ')}]\n`;
  const publish = (version: string, text: string): void => {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'targets'), text);
    symlinkSync(version, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  const head = 'server: { port: 0 }\nschedule: false\nlog: json\n';
  publish('..1', head + targetsOf(['production']));
  symlinkSync('..data/targets', join(folder, 'monitor.yaml'));
  const monitor = await startMonitor(undefined, folder);
  const details = monitor.output;
  const names = async (): Promise<string[]> => (await monitor.status()).targets.map(({ name }) => name);
  expect(await names()).toEqual(['production']);

  publish('..2', head + targetsOf(['production', 'staging']));
  const changed = performance.now();
  await until('the second target is there', async () => (await names()).length === 2, { details });
  expect(performance.now() - changed).toBeLessThan(60_000);

  publish('..3', `${head}targets: []\n`);
  await until('the page says that a newer one waits', async () => (await monitor.status()).problems.length > 0, { details });
  expect((await monitor.status()).problems[0]).toMatch(/^a newer configuration has been waiting since 20\S+Z, because it is invalid: /);
  expect(await names()).toEqual(['production', 'staging']);

  const lines = monitor.output().trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Readonly<Record<string, string>>);
  expect(entries.map(({ level, msg = '' }) => `${level} ${msg.split(/[:;]/)[0]}`)).toEqual([
    'info monitoring 1 target',
    'info configuration reloaded',
    'error configuration not reloaded',
  ]);
  expect(monitor.output()).not.toContain(KEY);
});
