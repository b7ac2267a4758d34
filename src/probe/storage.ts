import { join } from 'node:path';
import { openAlertLedger } from './alerts/ledger.ts';
import { createCanary } from './canary/canary.ts';
import type { Clock } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import { lockFolder } from './data-folder.ts';
import { NO_HISTORY, openHistory } from './history.ts';
import type { createMetrics } from './metrics/metrics.ts';

const ROLLUP_DAYS = 400;

/** The storage of a monitor, on disk, or in memory if it has no folder. */
export type MonitorStorage = {
  readonly history: ReturnType<typeof openHistory>;
  readonly ledger: ReturnType<typeof openAlertLedger>;
  readonly canary: ReturnType<typeof createCanary>;
  close(): void;
};

export type StorageOptions = {
  readonly data: MonitorConfig['data'];
  readonly clock: Clock;
  /** The storage has failed. */
  readonly onProblem: (problem: string) => void;
  /** Reports other problems that the operator should read. */
  readonly note: (problem: string) => void;
  readonly onSettled: ReturnType<typeof createMetrics>['settled'];
};

/**
 * Locks the data folder for this process, and opens the history of runs, the ledger of alerts, and that of created animals. Throws
 * FolderInUseError.
 */
export function openStorage({ data, clock, onProblem, note, onSettled }: StorageOptions): MonitorStorage {
  const now = (): number => clock.wall();
  const unlock = data === undefined ? undefined : lockFolder(data.folder, onProblem);
  const file = (name: string): string | undefined => (data === undefined ? undefined : join(data.folder, name));
  const history =
    data === undefined
      ? NO_HISTORY
      : openHistory({
          file: join(data.folder, 'history.db'),
          rawDays: data.rawDays,
          rollupDays: ROLLUP_DAYS,
          maxBytes: data.maxBytes,
          now,
          onProblem,
        });
  const ledger = openAlertLedger({ file: file('alerts.db'), now, onProblem });
  const canary = createCanary({ file: file('canary.db'), clock, onProblem, note, onSettled });
  return {
    history,
    ledger,
    canary,
    close() {
      history.close();
      canary.close();
      ledger.close();
      unlock?.();
    },
  };
}
