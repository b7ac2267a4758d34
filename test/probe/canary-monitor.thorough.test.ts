import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCreationLedger } from '../../src/probe/canary/ledger.ts';
import { hashOf } from '../../src/probe/schedule.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { type OnPost, rowsOf, type Service, startService } from './canary-world.ts';
import { end, type RunningMonitor, startMonitor, until } from './running-monitor.ts';
import { createFakeClock, KEY } from './samples.ts';

const DAY = 86_400_000;
/** Milliseconds; four fifths of it are the deadline of a run, of which the canary needs six seconds. */
const INTERVAL = 20_000;

/** A name whose beat comes soon after a start, once the process has had time to load. */
function promptName(): string {
  for (let index = 0; ; index += 1) {
    const phase = hashOf(`target-${index}`) % INTERVAL;
    if (phase > 6_000 && phase < 7_500) return `target-${index}`;
  }
}
const NAME = promptName();

/** A monitor's folder whose ledger has a creation from two days ago, so that the next one is due at once. */
function seasonedFolder(): { folder: string; ledger: string } {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const ledger = join(folder, 'data', 'canary.db');
  const clock = createFakeClock(Date.now() - 2 * DAY);
  const books = openCreationLedger({ file: ledger, clock, onProblem: () => undefined, onAbandoned: () => undefined });
  const sent = { name: 'probeOldaaaaaaaaaaaa', categoryId: 1n };
  const budget = { perDay: 24, lifetime: 30, categoryId: undefined };
  const reserved = books.reserve({ target: NAME, baseUrl: 'http://elsewhere/v1', sent }, budget);
  if (reserved.ok) books.settle(reserved.number, { state: 'refused' });
  books.close();
  return { folder, ledger };
}

const configOf = ({ baseUrl }: Service, head = ''): string =>
  `${head}server: { port: 0 }\ndata: { folder: data }\ntargets:\n  - name: ${NAME}\n    baseUrl: "${baseUrl}"\n    apiKey: env:KEY\n    interval: ${INTERVAL / 1_000}s\n    latencyLimit: 10s\n    writes: { perDay: 24, lifetime: 30 }\n`;

const series = (name: string): string => `petstore_probe_${name}{target="${NAME}"}`;
const runs = (monitor: RunningMonitor) => monitor.metric(`petstore_probe_checks_total{target="${NAME}",check="smoke"}`);

describe('a monitor with a canary', () => {
  test('It creates an animal, and metrics, API and page say how many and what is left.', async () => {
    const { promise: opens, resolve: open } = Promise.withResolvers<void>();
    const service = await startService({ opens });
    const { folder, ledger } = seasonedFolder();
    const monitor = await startMonitor(configOf(service), folder);
    expect(await monitor.metric(series('pets_created_total'))).toBe(0);
    expect(await monitor.metric(series('creates_ambiguous_total'))).toBe(0);
    expect(await monitor.metric(series('write_budget_remaining'))).toBe(29);
    open();
    await until('a run', async () => ((await runs(monitor)) ?? 0) > 0, { details: monitor.output });
    expect(await monitor.metric(series('pets_created_total'))).toBe(1);
    expect(await monitor.metric(series('write_budget_remaining'))).toBe(28);
    expect(await monitor.metric(`petstore_probe_http_responses_total{target="${NAME}",operation="createPet",code="201"}`)).toBe(1);
    const writes = { perDay: 24, lifetime: 30, left: 28, created: 1, ambiguous: 0, refused: 1, today: 1 };
    await until('the status', async () => JSON.stringify(await monitor.status()).includes('"created":1'));
    expect((await monitor.status()).targets[0]).toMatchObject({ health: 'up', writes });
    const page = await (await fetch(`${monitor.url}/?public`)).text();
    expect(page).toContain('<dt>Animals created</dt><dd>1, 1 refused</dd>');
    expect(page).toContain('<dt>May still be created</dt><dd>23 today, 28 of 30 in all</dd>');
    expect(rowsOf(ledger).map(({ state }) => state)).toEqual(['refused', 'created']);
    expect(service.posts).toHaveLength(1);
    expect(monitor.output()).not.toContain(KEY);
  });

  test('Killed in the middle of a POST, it finds the intent at the next start, counts it, and does not send it again.', async () => {
    const hang: OnPost = () => true;
    const service = await startService({ onPost: hang });
    const { folder, ledger } = seasonedFolder();
    const first = await startMonitor(configOf(service), folder);
    await until('a POST', () => service.posts.length > 0, { details: first.output });
    await end(first.child, 'SIGKILL');
    expect(rowsOf(ledger).map(({ state }) => state)).toEqual(['refused', 'intent']);
    const second = await startMonitor(configOf(service), folder);
    expect(rowsOf(ledger).map(({ state }) => state)).toEqual(['refused', 'ambiguous']);
    expect(await second.metric(series('creates_ambiguous_total'))).toBe(1);
    expect(await second.metric(series('write_budget_remaining'))).toBe(28);
    await until('a run', async () => ((await runs(second)) ?? 0) > 0, { details: second.output });
    expect(await second.health()).toBe('up');
    expect(service.posts).toHaveLength(1);
  });

  test('/probe never writes, however long a creation has been due.', async () => {
    const service = await startService();
    const { folder, ledger } = seasonedFolder();
    const monitor = await startMonitor(configOf(service, 'schedule: false\n'), folder);
    for (let scrape = 0; scrape < 3; scrape += 1) {
      const response = await (await fetch(`${monitor.url}/probe?target=${NAME}`)).text();
      expect(response).toContain('probe_success 1');
    }
    expect(service.posts).toEqual([]);
    expect(rowsOf(ledger)).toHaveLength(1);
  });

  test('A ledger that cannot be opened is a problem of the probe: nothing is created, and the target is read.', async () => {
    const service = await startService();
    const folder = ownFolder();
    mkdirSync(join(folder, 'data', 'canary.db'), { recursive: true });
    const monitor = await startMonitor(configOf(service), folder);
    await until('a run', async () => ((await runs(monitor)) ?? 0) > 0, { details: monitor.output });
    expect(await monitor.health()).toBe('up');
    expect(await monitor.metric('petstore_probe_history_write_failures_total')).toBeGreaterThan(0);
    expect(await monitor.metric(series('write_budget_remaining'))).toBe(0);
    expect((await monitor.status()).problems.join()).toContain('nothing is created');
    expect(await (await fetch(`${monitor.url}/`)).text()).toContain('The probe itself has a problem');
    expect(service.posts).toEqual([]);
  });

  test('--check-config says in words what will be created.', async () => {
    const folder = ownFolder();
    const file = join(folder, 'monitor.yaml');
    writeFileSync(file, configOf({ baseUrl: 'https://petstore.example/v1', posts: [], reads: [] }));
    const { code, stdout } = await runProgram(['monitor', '--check-config', '--config', file], { env: { KEY } });
    expect(stdout).toContain(`${NAME} creates at most 24 animals a day and 30 in all`);
    expect(code).toBe(0);
  });
});
