import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { RunningMonitor } from '../probe/running-monitor.ts';
import { mountNamespace, needs, PRLIMIT } from '../support/tool.ts';

export type SmallDisk = {
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
export function setRoom({ pid }: RunningMonitor, bytes: string): void {
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
export function smallDisk(folder: string, context: TestContext): SmallDisk {
  const namespace = mountNamespace();
  if (namespace !== undefined) return smallFileSystem(folder, namespace);
  needs(context, PRLIMIT);
  return smallFiles(folder);
}

/** The files of a monitor at one moment, under a path that SQLite can follow. */
export function snapshot(monitor: RunningMonitor, data: string, copy: string): void {
  monitor.child.kill('SIGSTOP');
  cpSync(data, copy, { recursive: true });
  monitor.child.kill('SIGCONT');
}
