import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { type RunningMonitor, startMonitor, startReceiver, startTarget, until } from '../probe/running-monitor.ts';
import { FAILURES, integrity, storedMonitor } from '../probe/stored-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { mountNamespace, needs, PRLIMIT } from '../support/tool.ts';

const RUNS = 'petstore_probe_checks_total{target="production",check="smoke"}';

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

function smallDisk(folder: string, context: TestContext): SmallDisk {
  const namespace = mountNamespace();
  if (namespace !== undefined) return smallFileSystem(folder, namespace);
  needs(context, PRLIMIT);
  return smallFiles(folder);
}

/** The files of a monitor as they are in one moment, under a path that SQLite can follow. */
function snapshot(monitor: RunningMonitor, data: string, copy: string): void {
  monitor.child.kill('SIGSTOP');
  cpSync(data, copy, { recursive: true });
  monitor.child.kill('SIGCONT');
}

test('On a full disk runs, metrics and alerts go on, the page says so, and with room again everything is written.', {
  timeout: 120_000,
}, async (context) => {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const disk = smallDisk(folder, context);
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(storedMonitor(target.baseUrl, receiver.url), folder, disk.wrap);
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
