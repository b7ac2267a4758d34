// `npm run prove:waits [-- --from FILE]`: which clauses each part was seen to wait for, over all faults of a pass. What a part needs, as it is.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Result } from './result.ts';

const { values } = parseArgs({ options: { from: { type: 'string', default: 'reports/proof/results.jsonl' } } });

const results = readFileSync(values.from, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Result)
  .filter(({ kind }) => kind === 'fault');

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
