// `npm run prove:waits [-- --from FILE]`: which clauses each part was seen to wait for, over all faults of a pass,
// and what checks declare in `given` that was never seen: a need or a clause that can perhaps be left out.
import { type Given, isNeed, waitsForOf } from '../../src/clause/needs.ts';
import { clauses } from '../../suites/index.ts';
import { readCommandLine } from '../support/command-line.ts';
import { readOrLeave } from './result-file.ts';

const USAGE = `Usage: npm run prove:waits -- [--from FILE]

Which clauses each part was seen to wait for, and which of the declared ones never.

  --from FILE   the results of "npm run prove" (default: reports/proof/results.jsonl)`;
const { values } = readCommandLine({ usage: USAGE, options: { from: { type: 'string', default: 'reports/proof/results.jsonl' } } });

const results = readOrLeave(values.from).filter(({ kind }) => kind === 'fault');

/** For each part, how many faults left it undecided, by the clause that it waited for or else by whose doing it was. */
const waits = new Map<string, Map<string, number>>();
for (const { parts } of results) {
  for (const [id, { verdict, why = '', waitsFor = why }] of Object.entries(parts)) {
    if (verdict !== 'inconclusive') continue;
    const counts = waits.get(id) ?? new Map<string, number>();
    waits.set(id, counts.set(waitsFor, (counts.get(waitsFor) ?? 0) + 1));
  }
}

const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

console.log(`| part | undecided on, of ${results.length} faults | waits for |\n|---|---|---|`);
for (const [id, counts] of [...waits].sort(([, a], [, b]) => total(b) - total(a))) {
  const causes = [...counts].sort(([, a], [, b]) => b - a).map(([cause, count]) => `${cause} ${count}`);
  console.log(`| ${id} | ${total(counts)} | ${causes.join(', ')} |`);
}

const SERVICE: readonly string[] = waitsForOf(['service']);

/** What a check declares though it was never seen to wait for it; every need includes the service, which says nothing of the rest. */
function unseen(id: string, given: readonly Given[]): readonly Given[] {
  const seen = [...(waits.get(id)?.keys() ?? [])].filter((clause) => !SERVICE.includes(clause));
  return given.filter((one) => (!isNeed(one) || one !== 'service') && !waitsForOf([one]).some((clause) => seen.includes(clause)));
}

console.log('\n| check | declares, never seen |\n|---|---|');
for (const { id, given } of clauses.flatMap(({ checks }) => checks)) {
  const never = unseen(id, given);
  if (never.length > 0) console.log(`| ${id} | ${never.join(', ')} |`);
}
