import { join } from 'node:path';
import { AlertStore } from './alerts/alert-store.ts';
import type { Clock } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import { IN_MEMORY, lockFolder } from './data-folder.ts';
import { History } from './history.ts';

/** Bytes of the runs that a monitor without a folder keeps. */
const MOST_IN_MEMORY = 64 * 1024 * 1024;

/** In memory if the monitor has no folder. */
export type MonitorStorage = {
  readonly history: History;
  readonly alertStore: AlertStore;
  /** Notices files that were deleted or replaced while they are in use. */
  lookAfter(): void;
  close(): void;
};

export type StorageOptions = {
  readonly data: MonitorConfig['data'];
  readonly clock: Clock;
  readonly onProblem: (problem: string) => void;
};

/** Locks the data folder for this process, and opens the history of runs and the store of alerts. Throws FolderInUseError. */
export function openStorage({ data, clock, onProblem }: StorageOptions): MonitorStorage {
  const now = (): number => clock.wall();
  const lock = data === undefined ? undefined : lockFolder(data.folder, onProblem);
  const history = new History({
    file: data === undefined ? IN_MEMORY : join(data.folder, 'history.db'),
    maxBytes: data?.maxBytes ?? MOST_IN_MEMORY,
    now,
    onProblem,
  });
  const alertStore = new AlertStore({ file: data === undefined ? undefined : join(data.folder, 'alerts.db'), now, onProblem });
  return {
    history,
    alertStore,
    lookAfter() {
      lock?.lookAfter();
      history.lookAfter();
      alertStore.lookAfter();
    },
    close() {
      history.close();
      alertStore.close();
      lock?.release();
    },
  };
}
