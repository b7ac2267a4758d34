import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** With `--import`: at its end, a process writes what all of its threads have used to the file that GAUGE names. */
export type Used = { readonly cpuMilliseconds: number; readonly peakMegabytes: number };

const file = process.env['GAUGE'];
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const used: Used = { cpuMilliseconds: (userCPUTime + systemCPUTime) / 1_000, peakMegabytes: maxRSS / 1_024 };
    writeFileSync(file, JSON.stringify(used));
  });
}
