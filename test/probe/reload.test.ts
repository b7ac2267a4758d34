import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConfigSource } from '../../src/probe/config/config-source.ts';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { createMonitor } from '../../src/probe/monitor.ts';
import { iso } from '../../src/probe/text.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { makeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/program.ts';
import { createFakeClock } from './samples.ts';

const MINUTE = 60_000;
const WAIVERS = 'waivers: [{ id: get.not-found, reason: known, expires: 2027-01-31 }]\n';
const CONFIG =
  'schedule: false\ntargets: [{ name: production, baseUrl: "https://localhost/v1", apiKey: file:key, waivers: waivers.yaml, ca: ca.pem }]\n';

/** A volume of a ConfigMap: each publication replaces all files by one change of a link. */
function createVolume(folder: string): (files: Readonly<Record<string, string>>) => void {
  let published = 0;
  return (files) => {
    published += 1;
    const version = `..version_${published}`;
    mkdirSync(join(folder, version));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, version, name), text, { mode: 0o600 });
    symlinkSync(version, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    if (published === 1) for (const name of Object.keys(files)) symlinkSync(join('..data', name), join(folder, name));
  };
}

function setUp() {
  const folder = ownFolder();
  const publish = createVolume(folder);
  const files = {
    'monitor.yaml': CONFIG,
    'waivers.yaml': WAIVERS,
    'ca.pem': makeCertificate({ name: 'localhost' }).cert,
    key: 'an-api-key',
  };
  publish(files);
  const clock = createFakeClock();
  const source = createConfigSource((onFile) =>
    loadConfig(join(folder, 'monitor.yaml'), { environment: {}, clauses, today: new Date(clock.wall()), onFile }),
  );
  const logged: string[] = [];
  const monitor = createMonitor({
    config: source.read(),
    ...{ version: '0', clock },
    log: (message, { level = 'info' } = {}) => logged.push(`${level} ${message}`),
    loadConfig: source.read,
    configChanged: source.hasChanged,
  });
  monitor.start();
  onTestFinished(() => monitor.stop());
  return {
    ...{ folder, files, clock, monitor, logged },
    publish: (changed: Readonly<Record<string, string>>): void => publish({ ...files, ...changed }),
    target: () => monitor.config().targets[0],
    metric: async (name: string): Promise<number> =>
      Number(new RegExp(`^petstore_probe_config_${name} (\\S+)$`, 'm').exec(String(await monitor.metrics()))?.[1]),
  };
}

test('The configuration and each file that it names is read again within a minute after a change, once.', async () => {
  const { clock, publish, target, logged, monitor } = setUp();
  expect(target()?.waivers.map(({ id }) => id)).toEqual(['get.not-found']);
  await clock.advance(10 * MINUTE);
  expect(logged).toEqual([]);
  const more = CONFIG.replace(/\{ name: production(.*)\}\]/, '{ name: production$1}, { name: staging$1}]');
  const cases: readonly (readonly [Readonly<Record<string, string>>, () => void])[] = [
    [{ 'monitor.yaml': more }, () => expect(monitor.config().targets.map(({ name }) => name)).toEqual(['production', 'staging'])],
    [
      { 'waivers.yaml': WAIVERS.replace('get.not-found', 'list.success') },
      () => expect(target()?.waivers.map(({ id }) => id)).toEqual(['list.success']),
    ],
    [{ 'ca.pem': makeCertificate({ name: 'localhost' }).cert }, () => expect(monitor.config().targets).toHaveLength(1)],
    [{ key: 'another-api-key' }, () => expect(monitor.config().secrets()).toEqual(['another-api-key'])],
  ];
  for (const [index, [changed, check]] of cases.entries()) {
    publish(changed);
    await clock.advance(MINUTE);
    check();
    expect(logged).toEqual(Array.from({ length: index + 1 }, () => 'info configuration reloaded'));
    await clock.advance(10 * MINUTE);
    expect(logged).toHaveLength(index + 1);
  }
});

test.for([
  ['the configuration', { 'monitor.yaml': CONFIG.replace('schedule', 'shedule') }, 'shedule: not a field of the configuration'],
  ['the waivers', { 'waivers.yaml': WAIVERS.replace('get.', 'gets.') }, 'gets.not-found'],
  ['the certificates', { 'ca.pem': 'nothing' }, 'cannot read certificates from'],
  ['a secret', { key: '' }, 'is empty'],
] as const)(
  'While %s is invalid, all of the previous configuration stays, and the page and a metric say since when.',
  async ([, changed, problem]) => {
    const { clock, publish, monitor, logged, metric } = setUp();
    const before = monitor.config();
    expect(await metric('waiting_since_timestamp_seconds')).toBe(0);
    // Its other change is valid, and does not come alone.
    publish({ 'waivers.yaml': WAIVERS.replace('get.not-found', 'list.success'), ...changed });
    await clock.advance(MINUTE);
    const since = await metric('waiting_since_timestamp_seconds');
    expect(since * 1_000).toBeGreaterThan(clock.wall() - MINUTE);
    expect(since * 1_000).toBeLessThanOrEqual(clock.wall());
    await clock.advance(30 * MINUTE);
    expect(monitor.config()).toBe(before);
    expect(logged).toEqual([expect.stringMatching(/^error configuration not reloaded: /)]);
    expect(logged[0]).toContain(problem);
    expect(await metric('last_reload_successful')).toBe(0);
    expect(await metric('waiting_since_timestamp_seconds')).toBe(since);
    const [shown] = monitor.view().problems;
    expect(shown).toContain(`a newer configuration has been waiting since ${iso(since * 1_000)}, because it is invalid: `);
    expect(shown).toContain(problem);
    // A signal or a request finds the same.
    expect(monitor.reload()).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    expect(await metric('waiting_since_timestamp_seconds')).toBe(since);

    publish({});
    await clock.advance(MINUTE);
    expect(logged.at(-1)).toBe('info configuration reloaded');
    expect(await metric('last_reload_successful')).toBe(1);
    expect(await metric('waiting_since_timestamp_seconds')).toBe(0);
    expect(monitor.view().problems).toEqual([]);
  },
);

test('What changes at the next start only is said.', async () => {
  const { clock, publish, logged } = setUp();
  publish({ 'monitor.yaml': `concurrentRuns: 10\n${CONFIG}` });
  await clock.advance(MINUTE);
  expect(logged).toEqual(['info configuration reloaded', expect.stringMatching(/^warn .*concurrentRuns.* next start/)]);
});
