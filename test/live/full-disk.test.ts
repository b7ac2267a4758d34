import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, type TestContext, test } from 'vitest';
import { HABITS, startChanging } from '../probe/changing-service.ts';
import {
  end,
  FAILURES,
  integrity,
  type RunningMonitor,
  startMonitor,
  startReceiver,
  startTarget,
  storedMonitor,
  until,
} from '../probe/running-monitor.ts';
import { ownFolder } from '../support/program.ts';
import { mountNamespace, needs, PRLIMIT } from '../support/tool.ts';

type SmallDisk = {
  /** The command prefix that starts the monitor. */
  readonly wrap: readonly string[];
  /** The data folder as seen from the test. */
  data(monitor: RunningMonitor): string;
  fill(monitor: RunningMonitor): void;
  empty(monitor: RunningMonitor): void;
  /** SQLite's message when the disk is full. */
  readonly complaint: RegExp;
};

/** A file system of two megabytes that only the monitor sees: it disappears with its process. */
function smallFileSystem(folder: string, namespace: readonly string[]): SmallDisk {
  const data = ({ pid }: RunningMonitor): string => join(`/proc/${pid}/root`, folder, 'data');
  return {
    wrap: [...namespace, 'sh', '-c', `mount -t tmpfs -o size=2m tmpfs '${join(folder, 'data')}' && exec "$@"`, 'sh'],
    data,
    fill(monitor) {
      // To the last byte: dd writes as much as fits.
      spawnSync('dd', ['if=/dev/zero', `of=${join(data(monitor), 'ballast')}`, 'bs=1k']);
    },
    empty: (monitor) => rmSync(join(data(monitor), 'ballast')),
    complaint: /database or disk is full/,
  };
}

/** From now on, no file of the monitor may grow beyond that size. */
function setRoom({ pid }: RunningMonitor, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

/** If nothing may be mounted: no file of the monitor may grow beyond a few bytes, which SQLite notices in the same places. */
function smallFiles(folder: string): SmallDisk {
  return {
    wrap: [],
    data: () => join(folder, 'data'),
    fill: (monitor) => setRoom(monitor, '16'),
    empty: (monitor) => setRoom(monitor, 'unlimited'),
    complaint: /disk I\/O error|database or disk is full/,
  };
}

/** A disk that can be filled, by a method that the machine allows; skips the test if it allows none. */
function smallDisk(folder: string, context: TestContext): SmallDisk {
  const namespace = mountNamespace();
  if (namespace !== undefined) return smallFileSystem(folder, namespace);
  needs(context, PRLIMIT);
  return smallFiles(folder);
}

/** The files of a monitor at one moment, under a path that SQLite can follow. */
function snapshot(monitor: RunningMonitor, data: string, copy: string): void {
  monitor.child.kill('SIGSTOP');
  cpSync(data, copy, { recursive: true });
  monitor.child.kill('SIGCONT');
}

/** Runs on the page of a target. */
const MOST_SHOWN = 20;
const RUNS = 'petstore_probe_checks_total{target="production",check="smoke"}';

test('On a full disk, runs, metrics, and alerts continue, the page says so, and with room again everything is written.', async (context) => {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const disk = smallDisk(folder, context);
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(storedMonitor(target.baseUrl, receiver.url), folder, disk.wrap);
  const details = monitor.output;
  // The runs on the page are read from the file, not from memory.
  const kept = async (): Promise<number> =>
    Number(/aria-label="Last (\d+) runs/.exec(await (await fetch(`${monitor.url}/?target=production`)).text())?.[1] ?? 0);
  const metric = async (series: string): Promise<number> => (await monitor.metric(series)) ?? Number.NaN;
  await until('runs are on file', async () => (await kept()) > 0, { details });
  expect(await metric(FAILURES)).toBe(0);

  disk.fill(monitor);
  await until('failed writings are counted', async () => (await metric(FAILURES)) > 0, { details });
  const before = await metric(RUNS);
  target.set('gone');
  await until('the alert goes out', () => receiver.messages.some(({ body }) => body.includes('"firing"')), { details });
  await until('runs go on', async () => (await metric(RUNS)) >= before + 3, { details });
  expect(await kept()).toBeLessThanOrEqual(before);
  expect(await (await fetch(monitor.url)).text()).toMatch(disk.complaint);
  expect((await monitor.status()).problems.join('\n')).toMatch(disk.complaint);

  disk.empty(monitor);
  target.set('well');
  await until('what was kept meanwhile is on file, too', async () => (await kept()) >= Math.min(MOST_SHOWN, await metric(RUNS)) - 3, {
    details,
  });
  await until('the end is told', () => receiver.messages.some(({ body }) => body.includes('"resolved"')), { details });
  // Later ones don't matter: on a busy machine runs end late.
  expect(receiver.messages.map(({ id }) => id.split('/').at(-1))).toEqual(['firing', 'resolved']);
  await until('no writing fails any more', async () => {
    const [failures, runs] = [await metric(FAILURES), await metric(RUNS)];
    await until('another run', async () => (await metric(RUNS)) > runs, { details });
    return (await metric(FAILURES)) === failures;
  });
  const copy = join(folder, 'copy');
  snapshot(monitor, disk.data(monitor), copy);
  for (const name of ['history.db', 'alerts.db']) expect(integrity(join(copy, name))).toBe('ok');
});

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
  [...monitor.output().matchAll(/ target=production msg=("change: .*")$/gm)]
    .map(([, message = '']) => String(JSON.parse(message)))
    .filter((message) => message.includes(' 2 '));

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
