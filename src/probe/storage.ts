import { join } from 'node:path';
import { openAlertLedger } from './alerts/ledger.ts';
import type { Clock } from './clock.ts';
import type { MonitorConfig } from './config/config.ts';
import { lockFolder } from './data-folder.ts';
import { NO_HISTORY, openHistory } from './history.ts';

const ROLLUP_DAYS = 400;

/** In memory if the monitor has no folder. */
export type MonitorStorage = {
  readonly history: ReturnType<typeof openHistory>;
  readonly ledger: ReturnType<typeof openAlertLedger>;
  close(): void;
};

export type StorageOptions = {
  readonly data: MonitorConfig['data'];
  readonly clock: Clock;
  readonly onProblem: (problem: string) => void;
};

/** Locks the data folder for this process, and opens the history of runs and the ledger of alerts. Throws FolderInUseError. */
export function openStorage({ data, clock, onProblem }: StorageOptions): MonitorStorage {
  const now = (): number => clock.wall();
  const unlock = data === undefined ? undefined : lockFolder(data.folder, onProblem);
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
  const ledger = openAlertLedger({ file: data === undefined ? undefined : join(data.folder, 'alerts.db'), now, onProblem });
  return {
    history,
    ledger,
    close() {
      history.close();
      ledger.close();
      unlock?.();
    },
  };
}
