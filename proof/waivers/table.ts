// `npm run prove:waivers [-- --swift] [NAME...]`: whether the waivers of one run fit others, for every eighth fault or those that are named. An hour of
// one core, of which it takes all; with --swift, whose seeds are judged at depth quick, a quarter of that.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createPool } from '../pool.ts';
import { drawnFaults, type FaultRuns, isOfWaivers, misfitsOf } from './waived-faults.ts';

const names = process.argv.slice(2).filter((word) => word !== '--swift');
const swift = process.argv.includes('--swift');
/** What runs have found is kept, so that misfits can be looked at again without them. */
const OUT = `reports/proof/waivers${swift ? '-swift' : ''}.jsonl`;

const wanted = names.length > 0 ? names : drawnFaults();
const known = new Map<string, FaultRuns>();
if (names.length === 0 && existsSync(OUT)) {
  for (const line of readFileSync(OUT, 'utf8')
    .split('\n')
    .filter((text) => text !== '')) {
    const runs = JSON.parse(line) as FaultRuns;
    known.set(runs.fault, runs);
  }
}
mkdirSync(dirname(OUT), { recursive: true });
const pool = createPool();
async function runsOf(fault: string): Promise<FaultRuns> {
  const kept = known.get(fault);
  if (kept !== undefined) return kept;
  const runs = await pool.ask({ kind: 'waive', fault, swift });
  appendFileSync(OUT, `${JSON.stringify(runs)}\n`);
  return runs;
}

let fit = 0;
for (const one of wanted.map((fault) => ({ fault, runs: runsOf(fault) }))) {
  const { fault } = one;
  const runs = await one.runs;
  const misfits = misfitsOf(runs);
  const isFit = !misfits.some(isOfWaivers);
  if (isFit) fit += 1;
  console.log(`${isFit ? 'ok  ' : 'FAIL'} ${fault}`);
  for (const { kind, from, to, text } of misfits) console.log(`     ${kind}: waivers of ${from} in ${to}: ${text}`);
}
await pool.close();
console.log(`${fit} passed, ${wanted.length - fit} failed`);
process.exitCode = fit === wanted.length ? 0 : 1;
