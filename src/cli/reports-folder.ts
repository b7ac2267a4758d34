import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RunRecord } from '../clause/run-record.ts';
import { REPORT_FILES } from '../report/formats.ts';
import { makeFolder } from '../report/write-reports.ts';
import { codeOf, messageOf } from '../wire/wording.ts';
import { soundEnvironment } from './environment.ts';
import { type Flags, UsageError, variableOf } from './option-spec.ts';
import { judgeOptions } from './options.ts';
import { printError } from './output.ts';
import type { RunConfiguration } from './target.ts';

/** Throws unless files can be created in a folder: permissions say too little about /sys, /proc, and read-only disks. */
function tryToWrite(folder: string): void {
  const trial = join(folder, `.petstore-conformance-${randomUUID()}.tmp`);
  writeFileSync(trial, '', { flag: 'wx' });
  rmSync(trial);
}

/** Rejects folders in which reports and waivers can't be written, before anything is sent to the service. */
export function checkFolders({ reports, reporter, waivers, updateWaivers }: RunConfiguration): void {
  if (reporter.some((name) => name !== 'terminal')) {
    try {
      makeFolder(reports);
      if (!statSync(reports).isDirectory()) throw new Error('it is not a folder');
      tryToWrite(reports);
    } catch (error) {
      throw new UsageError(`cannot write reports to "${reports}": ${messageOf(error)}; choose another folder with --reports`);
    }
  }
  if (!updateWaivers || waivers === undefined) return;
  try {
    tryToWrite(dirname(waivers));
  } catch (error) {
    throw new UsageError(`cannot write waivers to "${waivers}": ${messageOf(error)}; choose another file with --waivers`);
  }
}

/** The suffix of an earlier report from the next run on. */
export const PREVIOUS = '.previous';

/**
 * Moves the files of an earlier run away, whatever reporters this run has: a CI system that always publishes reports must not publish
 * yesterday's. Files that the run itself reads stay. Throws UsageError if one can't be moved.
 */
export function setAsideReports(folder: string, { except }: { readonly except: readonly (string | undefined)[] }): void {
  const kept = new Set(except.flatMap((file) => (file === undefined ? [] : [resolve(file)])));
  for (const file of Object.values(REPORT_FILES).flat()) {
    const path = join(folder, file);
    if (kept.has(resolve(path))) continue;
    try {
      renameSync(path, `${path}${PREVIOUS}`);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) continue;
      throw new UsageError(`cannot move the report ${path} of an earlier run: ${messageOf(error)}; remove it`);
    }
  }
}

/** The same if a run ends before it began, for the folder in which it would have written, if that is known. Reports what can't be moved. */
export function setAsideUnusedReports(options: Flags): void {
  const environment = soundEnvironment(options);
  const textOf = (name: 'reports' | 'waivers' | 'baseline'): string | undefined => {
    const given = options[name];
    return typeof given === 'string' ? given : environment[variableOf(judgeOptions[name])] || undefined;
  };
  try {
    setAsideReports(textOf('reports') ?? judgeOptions.reports.fallback, { except: [textOf('waivers'), textOf('baseline')] });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    printError(`warning: ${error.message}`);
  }
}

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
