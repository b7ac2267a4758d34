import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import type { RunConfiguration } from './session-options.ts';
import { UsageError } from './usage-error.ts';

/** Refuses a folder that reports can't be written to before anything is sent to the service. */
export function checkReportsFolder({ reports, reporter }: RunConfiguration): void {
  if (reporter.every((name) => name === 'terminal')) return;
  try {
    mkdirSync(reports, { recursive: true });
    if (!statSync(reports).isDirectory()) throw new Error('it is no folder');
    accessSync(reports, constants.W_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot write reports to "${reports}": ${reason}; choose another folder with --reports`);
  }
}
