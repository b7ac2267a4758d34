import { BUDGETS } from './budgets.ts';
import type { Combination } from './combinations.ts';
import { limited, type Verdicts } from './tables.ts';

const MOST_MASKS = 25;

/** What was missed by what, most often first: the missed clause, what its parts wait for, and the faults that break that. */
function masksOf(all: readonly Combination[]): readonly string[] {
  const rows = new Map<string, { times: number; clause: string; because: string; faults: Set<string> }>();
  for (const { clause, masks } of all.flatMap(({ missed }) => missed))
    for (const { because, faults } of masks) {
      const key = `${clause} ${because}`;
      const row = rows.get(key) ?? { times: 0, clause, because, faults: new Set<string>() };
      for (const fault of faults) row.faults.add(fault);
      rows.set(key, { ...row, times: row.times + 1 });
    }
  return [...rows.values()]
    .sort((a, b) => b.times - a.times)
    .slice(0, MOST_MASKS)
    .map(
      ({ times, clause, because, faults }) =>
        `  ${String(times).padStart(3)}  ${clause.padEnd(28)} ${because.padEnd(36)} ${[...faults].join(', ')}`,
    );
}

/** Shows combined servers as they are judged, what masks what, and how much is still found. */
export function combinationTable(size: number) {
  return {
    show({ found, missed, excluded, consequences, undecided, name }: Combination) {
      const gaps = missed.map(({ fault, clause, note }) => `\n       missed ${fault} (${clause}): ${note}`).join('');
      const more = consequences.length === 0 ? '' : `\n       consequences ${consequences.join(' ')}`;
      console.log(
        `${missed.length === 0 ? 'ok  ' : 'GAP '} ${found.length} of ${found.length + missed.length} found, ${excluded.length} left out, ${undecided} undecided  ${name}${gaps}${more}`,
      );
    },
    end(all: readonly Combination[]): Verdicts {
      const found = all.reduce((sum, one) => sum + one.found.length, 0);
      const missed = all.reduce((sum, one) => sum + one.missed.length, 0);
      const consequences = all.reduce((sum, one) => sum + one.consequences.length, 0);
      const red = all.reduce((sum, one) => sum + one.red, 0);
      const recall = found / Math.max(1, found + missed);
      if (missed > 0)
        console.log('\nWhat masks what: times, the clause that was missed, what its parts came to, the companions behind that');
      for (const line of masksOf(all)) console.log(line);
      const least = BUDGETS.recall[size] ?? 0;
      console.log(
        `\n${recall >= least ? 'ok  ' : 'LESS'} ${found} of ${found + missed} faults found beside ${size - 1} others: ${(recall * 100).toFixed(1)} % (at least ${least * 100} %)`,
      );
      const share = limited('consequences among red clauses, percent', (100 * consequences) / Math.max(1, red), BUDGETS.consequences);
      console.log(share.line);
      const failed = (recall >= least ? 0 : 1) + (share.holds ? 0 : 1);
      return { passed: 2 - failed, failed };
    },
  };
}
