import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ownFolder } from '../own-folder.ts';
import { end, isSigned, type RunningMonitor, startMonitor, startReceiver, startTarget, until } from './live.ts';

const RUNS = 'petstore_probe_checks_total{target="production",check="smoke"}';
const FAILURES = 'petstore_probe_history_write_failures_total';

function config(baseUrl: string, webhook: string): string {
  return `server: { port: 0 }
data: { folder: data }
webhooks:
  - { name: on-call, url: "${webhook}", secret: env:SECRET }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 1s, latencyLimit: 10s }
`;
}

/** What the history on file holds: the number of single runs. */
function runsOnFile(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM sample').get()?.['n']);
  } finally {
    database.close();
  }
}

function integrity(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } finally {
    database.close();
  }
}

type SmallDisk = {
  /** What the monitor is started with. */
  readonly wrap: readonly string[];
  /** The data folder as it is seen from here. */
  data(monitor: RunningMonitor): string;
  fill(monitor: RunningMonitor): void;
  empty(monitor: RunningMonitor): void;
  /** What SQLite says when it is full. */
  readonly complaint: RegExp;
};

/** A file system of two megabytes that only the monitor sees: it is gone together with its process. */
function smallFileSystem(folder: string, namespace: readonly string[]): SmallDisk {
  const data = ({ pid }: RunningMonitor): string => join(`/proc/${pid}/root`, folder, 'data');
  return {
    wrap: [...namespace, 'sh', '-c', `mount -t tmpfs -o size=2m tmpfs '${join(folder, 'data')}' && exec "$@"`, 'sh'],
    data,
    fill(monitor) {
      // To the last byte: dd writes as much as there is room for.
      spawnSync('dd', ['if=/dev/zero', `of=${join(data(monitor), 'ballast')}`, 'bs=1k']);
    },
    empty: (monitor) => rmSync(join(data(monitor), 'ballast')),
    complaint: /database or disk is full/,
  };
}

/** Where nothing may be mounted: no file of the monitor may grow beyond a few bytes, which SQLite meets at the same places. */
function smallFiles(folder: string): SmallDisk {
  const limit = (monitor: RunningMonitor, bytes: string): void =>
    void execFileSync('prlimit', ['--pid', String(monitor.pid), `--fsize=${bytes}:`]);
  return {
    wrap: [],
    data: () => join(folder, 'data'),
    fill: (monitor) => limit(monitor, '16'),
    empty: (monitor) => limit(monitor, 'unlimited'),
    complaint: /disk I\/O error|database or disk is full/,
  };
}

/** As root, or as somebody who may be root in a namespace of his own. */
const NAMESPACES = [
  ['unshare', '--mount'],
  ['unshare', '--user', '--map-root-user', '--mount'],
] as const;

function smallDisk(folder: string): SmallDisk {
  const mount = ['mount', '-t', 'tmpfs', 'tmpfs', folder];
  const namespace = NAMESPACES.find(([command, ...flags]) => spawnSync(command, [...flags, ...mount]).status === 0);
  return namespace === undefined ? smallFiles(folder) : smallFileSystem(folder, namespace);
}

/** The files of a monitor as they are in one moment, under a path that SQLite can follow. */
function snapshot(monitor: RunningMonitor, data: string, copy: string): void {
  monitor.child.kill('SIGSTOP');
  cpSync(data, copy, { recursive: true });
  monitor.child.kill('SIGCONT');
}

test('On a full disk runs, metrics and alerts go on, the page says so, and with room again everything is written.', {
  timeout: 120_000,
}, async () => {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const disk = smallDisk(folder);
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(config(target.baseUrl, receiver.url), folder, disk.wrap);
  const tell = monitor.output;
  // What the page sums up is read from the file, not from memory.
  const kept = async (): Promise<number> => (await monitor.status()).targets[0]?.day.runs ?? 0;
  const metric = async (series: string): Promise<number> => (await monitor.metric(series)) ?? Number.NaN;
  await until('runs are on file', async () => (await kept()) > 0, { tell });
  expect(await metric(FAILURES)).toBe(0);

  disk.fill(monitor);
  await until('failed writings are counted', async () => (await metric(FAILURES)) > 0, { tell });
  const before = await metric(RUNS);
  target.set('gone');
  await until('the alert goes out', () => receiver.messages.some(({ body }) => body.includes('"firing"')), { tell });
  await until('runs go on', async () => (await metric(RUNS)) >= before + 3, { tell });
  expect(await kept()).toBeLessThanOrEqual(before);
  expect(await (await fetch(monitor.url)).text()).toMatch(disk.complaint);
  expect((await monitor.status()).problems.join('\n')).toMatch(disk.complaint);

  disk.empty(monitor);
  target.set('well');
  await until('what was kept meanwhile is on file, too', async () => (await kept()) >= (await metric(RUNS)) - 3, { tell });
  await until('the end is told', () => receiver.messages.some(({ body }) => body.includes('"resolved"')), { tell });
  await until('no writing fails any more', async () => {
    const [failures, runs] = [await metric(FAILURES), await metric(RUNS)];
    await until('another run', async () => (await metric(RUNS)) > runs, { tell });
    return (await metric(FAILURES)) === failures;
  });
  const copy = join(folder, 'copy');
  snapshot(monitor, disk.data(monitor), copy);
  for (const name of ['history.db', 'alerts.db']) expect(integrity(join(copy, name))).toBe('ok');
  expect(receiver.messages.map(({ id }) => id.split('/').at(-1))).toEqual(['firing', 'resolved']);
});

test('Killed again and again, it loses no alert, sends none with another id, and keeps its files sound; a damaged one is set aside.', {
  timeout: 120_000,
}, async () => {
  const folder = ownFolder();
  const data = join(folder, 'data');
  // The first message arrives, and its sender is gone before it hears of it.
  const { promise: killed, resolve } = Promise.withResolvers<number>();
  const receiver = await startReceiver((number) => (number === 0 ? killed : 204));
  const target = await startTarget();
  const yaml = config(target.baseUrl, receiver.url);
  const kill = async (monitor: RunningMonitor): Promise<void> => {
    await end(monitor.child, 'SIGKILL');
    for (const name of ['history.db', 'alerts.db']) expect(integrity(join(data, name))).toBe('ok');
  };
  const told = (status: string): boolean => receiver.messages.some(({ body, taken }) => taken && body.includes(`"${status}"`));

  // Killed while the event is under way: it is on file, and owed.
  target.set('gone');
  const first = await startMonitor(yaml, folder);
  await until('the event arrives', () => receiver.arrived() > 0, { tell: first.output });
  expect(await first.health()).toBe('down');
  await kill(first);
  resolve(204);
  const runs = runsOnFile(join(data, 'history.db'));

  // The next one knows it at once, delivers, and is killed between the failures and the end of the incident.
  const second = await startMonitor(yaml, folder);
  expect(await second.health()).toBe('down');
  await until('firing was taken', () => told('firing'), { tell: second.output });
  await until('runs are on file', () => runsOnFile(join(data, 'history.db')) > runs, { tell: second.output });
  await kill(second);

  target.set('well');
  writeFileSync(join(data, 'history.db'), `SQLite format 3\0${'\x07'.repeat(8_000)}`, 'latin1');
  const third = await startMonitor(yaml, folder);
  expect(readdirSync(data).filter((one) => one.startsWith('history.db.damaged-'))).toHaveLength(1);
  expect((await third.status()).problems.join('\n')).toContain('set aside as');
  expect(await third.metric(FAILURES)).toBe(1);
  expect(await third.health()).toBe('down');
  await until('resolved was taken', () => told('resolved'), { tell: third.output });
  await kill(third);

  expect(receiver.messages.every(isSigned)).toBe(true);
  const taken = receiver.messages.filter((one) => one.taken).map(({ id }) => id);
  const [firing = '', resolved = ''] = [...new Set(taken)];
  // Two events and no third, of the same incident; the first arrived once more, under its own id.
  expect(new Set(receiver.messages.map(({ id }) => id))).toEqual(new Set([firing, resolved]));
  expect(firing.replace(/firing$/, 'resolved')).toBe(resolved);
  expect(receiver.messages.filter(({ id }) => id === firing).length).toBeGreaterThanOrEqual(2);
  // A kill between an answer and the note of it may double an event; there was one kill after each.
  expect(taken.length).toBeLessThanOrEqual(4);
});
