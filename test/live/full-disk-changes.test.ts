import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { HABITS, startChanging } from '../probe/changing-service.ts';
import { end, type RunningMonitor, startMonitor, until } from '../probe/running-monitor.ts';
import { FAILURES, integrity } from '../probe/stored-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { needs, PRLIMIT } from '../support/tool.ts';
import { setRoom, smallDisk, snapshot } from './small-disk.ts';

const RENAMED = 'animal 2 has another name: "Renamed"; before: ';
const REUSED = 'id 2 is another animal: "Other" in category 4711; before: ';

type Shown = { readonly changes: readonly { readonly summary: string }[] };

const watching = (baseUrl: string): string => `server: { port: 0 }
data: { folder: data }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 1s, latencyLimit: 10s, budget: 0 }
`;

/** The changes of the animal that a monitor shows, newest first. */
async function shown({ url }: RunningMonitor): Promise<readonly string[]> {
  const { changes } = (await (await fetch(`${url}/api/status`)).json()) as Shown;
  return changes.map(({ summary }) => summary).filter((summary) => summary.includes(' 2 '));
}

/** The same in a sound file, and how that animal was last seen. */
function stored(folder: string): { readonly changes: readonly string[]; readonly fact: string } {
  const file = join(folder, 'history.db');
  expect(integrity(file)).toBe('ok');
  const database = new DatabaseSync(file);
  try {
    const rows = database.prepare('SELECT json FROM change WHERE json LIKE \'%"animal"%\' ORDER BY id DESC').all();
    const fact = database.prepare("SELECT json FROM fact WHERE key = 'animal 2'").get();
    return { changes: rows.map((row) => String(row['json'])), fact: String(fact?.['json']) };
  } finally {
    database.close();
  }
}

/** The changes of the animal that a monitor has reported, oldest first. */
const told = (monitor: RunningMonitor): readonly string[] =>
  monitor
    .output()
    .split('\n')
    .filter((line) => line.includes('change: production: ') && line.includes(' 2 '));

const linesWith = (text: string, output: string): number => output.split('\n').filter((line) => line.includes(text)).length;

test('On a full disk, changes are detected, reported, and shown with those in the file, which stay; with room again they are in the file too.', async (context) => {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const disk = smallDisk(folder, context);
  const service = await startChanging();
  const monitor = await startMonitor(watching(service.baseUrl), folder, disk.wrap);
  const details = monitor.output;
  const failures = async (): Promise<number> => (await monitor.metric(FAILURES)) ?? Number.NaN;
  let copies = 0;
  const onDisk = (): ReturnType<typeof stored> => {
    const copy = join(folder, `copy-${copies++}`);
    snapshot(monitor, disk.data(monitor), copy);
    return stored(copy);
  };
  await until('the target is known', async () => (await monitor.health()) === 'up', { details });
  service.behave(HABITS.renames);
  await until('the first change is on file', () => onDisk().changes.length === 1, { details });
  expect(await failures()).toBe(0);

  disk.fill(monitor);
  await until('a writing fails', async () => (await failures()) > 0, { details });
  service.behave(HABITS.reusesId);
  await until('the second change is shown', async () => (await shown(monitor)).length === 2, { details });
  expect(await shown(monitor)).toEqual([expect.stringContaining(REUSED), expect.stringContaining(RENAMED)]);
  const before = await failures();
  await until('writings fail again and again', async () => (await failures()) >= before + 3, { details });
  expect(onDisk()).toEqual({ changes: [expect.stringContaining('Renamed')], fact: expect.stringContaining('Renamed') });
  expect(linesWith(`writing to ${join(folder, 'data', 'history.db')} failed: `, monitor.output())).toBe(1);
  expect(told(monitor)).toEqual([expect.stringContaining(RENAMED), expect.stringContaining(REUSED)]);

  disk.empty(monitor);
  await until('both changes are on file', () => onDisk().changes.length === 2, { details });
  expect(onDisk().changes[0]).toContain('Other');
  expect(onDisk().fact).toContain('Other');
  expect(told(monitor)).toHaveLength(2);
});

test('A monitor that starts on a full disk overwrites nothing, and with room again reports what changed since the last one.', async (context) => {
  needs(context, PRLIMIT);
  const folder = ownFolder();
  const data = join(folder, 'data');
  const service = await startChanging();
  const first = await startMonitor(watching(service.baseUrl), folder);
  await until('the target is known', async () => (await first.health()) === 'up', { details: first.output });
  service.behave(HABITS.renames);
  await until('a change is shown', async () => (await shown(first)).length === 1, { details: first.output });
  await end(first.child, 'SIGTERM');
  service.behave(HABITS.reusesId);

  const second = await startMonitor(watching(service.baseUrl), folder, ['prlimit', '--fsize=16:', '--']);
  const { output: details } = second;
  const runs = async (): Promise<number> => (await second.metric('petstore_probe_checks_total{target="production",check="smoke"}')) ?? 0;
  await until('runs go on', async () => (await runs()) >= 3, { details });
  expect(await second.metric(FAILURES)).toBeGreaterThan(0);
  expect((await second.status()).problems.join('\n')).toContain(join(data, 'history.db'));
  expect(stored(data)).toEqual({ changes: [expect.stringContaining('Renamed')], fact: expect.stringContaining('Renamed') });

  setRoom(second, 'unlimited');
  await until('the change since then is shown', async () => (await shown(second)).length === 2, { details });
  expect(await shown(second)).toEqual([expect.stringContaining(REUSED), expect.stringContaining(RENAMED)]);
  expect(told(second)).toHaveLength(1);
  await end(second.child, 'SIGTERM');
  expect(stored(data)).toMatchObject({ changes: [expect.stringContaining('Other'), expect.stringContaining('Renamed')] });
});
