// Runs the plan of rows against the service at an address, alone in its process, and prints what it has cost.

import { runRows } from '../../../src/judge/rows-run.ts';
import { DIRECT } from '../../../src/wire/route.ts';
import { SUITE } from '../../../suites/plan/index.ts';
import { leave, readCommandLine } from '../../support/command-line.ts';

const { words } = readCommandLine({ usage: 'Usage: node test/prove/rows/run.ts URL KEY [SEED]', words: 3 });
const [baseUrl, apiKey, seed = '20261121'] = words;
if (baseUrl === undefined || apiKey === undefined) leave('an address and the API key are needed; --help shows the usage');
const begin = performance.now();
const started = process.cpuUsage();
// Those of the proof would load the other core, too.
const options = {
  ...{ baseUrl, apiKey, readOnly: false, intrusive: true, maxCreates: 250, runTag: 'cost', leftoverIds: [], categoryIds: [] },
  ...{ depth: 'standard' as const, seed: Number(seed), timeBudget: 60_000, now: new Date(), concurrency: 8, timeout: 10_000 },
  ...{ consistencyWindow: 2_000, waitForReady: 0, rate: 0, maxBody: 16 * 1024 * 1024, ...DIRECT, headers: [] },
};
const { verdicts, requests, created, phases } = await runRows({ ...SUITE, options });
const [whole, run] = [process.cpuUsage(), process.cpuUsage(started)];
console.log(
  JSON.stringify({
    requests,
    created,
    whole: Math.round(performance.now()),
    run: Math.round(performance.now() - begin),
    cpuMilliseconds: Math.round((whole.user + whole.system) / 1_000),
    cpuOfRun: Math.round((run.user + run.system) / 1_000),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
    failed: verdicts.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause.id),
    phases: phases.map(({ title, from, requests: count }) => `${title}: ${count} from ${Math.round(from)} ms`),
  }),
);
