import { join } from 'node:path';
import type { RunRecord } from '../clause/run-record.ts';
import { REPORT_FILES } from './reporter-names.ts';

/** Keeps a report of the verdicts so far, in case the run is killed. */
export type Checkpoints = {
  readonly keep: (record: RunRecord) => void;
  /** Resolves once no write is in progress any more. */
  readonly end: () => Promise<void>;
};

/** Writes report.json of a running run, one write at a time, into a folder; nothing if that is undefined. */
export function createCheckpoints(folder: string | undefined): Checkpoints {
  let writing: Promise<void> | undefined;
  let ended = false;
  async function write(path: string, record: RunRecord): Promise<void> {
    const [{ renderJson }, { writeAtomically }] = await Promise.all([
      import('../report/render-json.ts'),
      import('../report/write-reports.ts'),
    ]);
    if (!ended) await writeAtomically(path, renderJson(record));
  }
  return {
    keep(record) {
      if (folder === undefined || ended || writing !== undefined) return;
      // A failed write is reported at the end, with the report itself.
      writing = write(join(folder, REPORT_FILES.json[0]), record)
        .catch(() => undefined)
        .then(() => {
          writing = undefined;
        });
    },
    async end() {
      ended = true;
      await writing;
    },
  };
}
