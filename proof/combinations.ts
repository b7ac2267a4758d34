import type { Pool } from './pool.ts';
import type { Result } from './result.ts';
import { numberOf } from './spread.ts';
import { BUDGETS, limited, type Verdicts } from './tables.ts';

/** The clause that a fault breaks, and all that are broken when it is alone. */
export type Known = { readonly clause: string; readonly broken: readonly string[] };

/** A fault that the combined server has and the run did not tell. */
export type Missed = {
  readonly fault: string;
  readonly clause: string;
  /** The verdict on its clause. */
  readonly note: string;
  /** What the clause waits for, or came to, and the companions that break that. */
  readonly masks: readonly { readonly because: string; readonly faults: readonly string[] }[];
};

type Combination = {
  readonly name: string;
  /** Faults that the run on all of them should find, and did or did not. */
  readonly found: readonly string[];
  readonly missed: readonly Missed[];
  /** Faults that do not show on the combined server, or whose clause a companion breaks as well. */
  readonly excluded: readonly string[];
  /** Red clauses that none of the faults breaks alone. */
  readonly consequences: readonly string[];
  readonly red: number;
  readonly undecided: number;
};

/** Seeded sets of faults: the same seed draws the same ones, and another fault changes only the sets that it gets into. */
export function drawSets(names: readonly string[], { size, sets, seed }: { size: number; sets: number; seed: number }): string[][] {
  return Array.from({ length: sets }, (_unused, index) =>
    names
      .map((name) => ({ name, place: numberOf(`${seed} ${index} ${name}`) }))
      .sort((a, b) => a.place - b.place)
      .slice(0, size)
      .map(({ name }) => name),
  );
}

function missedOf(
  fault: string,
  { clauses }: Result,
  { known, companions }: { known: Known; companions: ReadonlyMap<string, Known> },
): Missed {
  const { verdict = 'not judged', waitsFor } = clauses[known.clause] ?? {};
  const breaking = (clause: string) => [...companions].filter(([, { broken }]) => broken.includes(clause)).map(([name]) => name);
  return {
    fault,
    clause: known.clause,
    note: waitsFor === undefined ? verdict : `waits for ${waitsFor}`,
    masks: [
      waitsFor === undefined
        ? { because: verdict, faults: [...companions.keys()] }
        : { because: `waits for ${waitsFor}`, faults: breaking(waitsFor) },
    ],
  };
}

/** Judges one server with several faults and compares with what each of them breaks alone. */
export async function judgeCombination(pool: Pool, faults: readonly string[], alone: ReadonlyMap<string, Known>): Promise<Combination> {
  const of = (fault: string): Known => {
    const one = alone.get(fault);
    if (one === undefined) throw new Error(`prove --combine: ${fault} was not judged alone`);
    return one;
  };
  const companionsOf = (fault: string) => new Map(faults.filter((other) => other !== fault).map((other) => [other, of(other)]));
  const candidates = faults.filter((fault) => {
    const { clause, broken } = of(fault);
    return broken.includes(clause) && ![...companionsOf(fault).values()].some((other) => other.broken.includes(clause));
  });
  const name = faults.join('+');
  const [result, counted] = await Promise.all([
    pool.ask({ kind: 'judge', subject: { kind: 'combination', name, faults } }),
    pool.ask({ kind: 'shows', faults, of: candidates }),
  ]);
  const red = [...result.red, ...result.advised];
  const missed = counted.filter((fault) => !red.includes(of(fault).clause));
  const known = new Set(faults.flatMap((fault) => of(fault).broken));
  return {
    name,
    found: counted.filter((fault) => !missed.includes(fault)),
    missed: missed.map((fault) => missedOf(fault, result, { known: of(fault), companions: companionsOf(fault) })),
    excluded: faults.filter((fault) => !counted.includes(fault)),
    consequences: red.filter((clause) => !known.has(clause)),
    red: red.length,
    undecided: Object.values(result.situations).filter(({ verdict }) => verdict === 'inconclusive').length,
  };
}

const MOST_MASKS = 25;

/** What was missed by what, most often first: the missed clause, what it waits for, and the faults that break that. */
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
      if (missed > 0) console.log('\nWhat masks what: times, the clause that was missed, what it came to, the companions that break that');
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
