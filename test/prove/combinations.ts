import fc from 'fast-check';
import type { Pool } from './pool.ts';
import type { Result } from './result.ts';

export type Combination = {
  readonly faults: readonly string[];
  /** Faults that the run on all of them should find, and did or did not. */
  readonly found: readonly string[];
  readonly missed: readonly { readonly fault: string; readonly clause: string; readonly note: string }[];
  /** Faults that do not show on the combined server, or whose clause a companion breaks as well. */
  readonly excluded: readonly string[];
  /** Red clauses that none of the faults breaks alone. */
  readonly consequences: readonly string[];
  readonly red: number;
  readonly result: Result;
};

type Known = { readonly clause: string; readonly alone: Result };

/** Seeded sets of faults: the same seed draws the same sets. */
export function drawSets(names: readonly string[], { size, sets, seed }: { size: number; sets: number; seed: number }): string[][] {
  return fc.sample(fc.shuffledSubarray([...names], { minLength: size, maxLength: size }), { numRuns: sets, seed });
}

const brokenBy = ({ alone }: Known): readonly string[] => [...alone.red, ...alone.advised];

/** Judges one server with several faults and compares with what each of them breaks alone. */
export async function judgeCombination(pool: Pool, faults: readonly string[], known: ReadonlyMap<string, Known>): Promise<Combination> {
  const of = (fault: string): Known => {
    const one = known.get(fault);
    if (one === undefined) throw new Error(`prove --combine: ${fault} was not judged alone`);
    return one;
  };
  const companions = (fault: string): readonly string[] =>
    faults.filter((other) => other !== fault).flatMap((other) => brokenBy(of(other)));
  const candidates = faults.filter(
    (fault) => brokenBy(of(fault)).includes(of(fault).clause) && !companions(fault).includes(of(fault).clause),
  );
  const [result, reproductions] = await Promise.all([
    pool.ask({ kind: 'judge', subject: { kind: 'combination', name: faults.join('+'), faults } }),
    pool.ask({ kind: 'reproduce', faults, of: candidates.map((fault) => ({ fault, clause: of(fault).clause })) }),
  ]);
  const red = [...result.red, ...result.advised];
  const counted = candidates.filter((fault) => reproductions.some((one) => one.fault === fault && one.shows));
  const missed = counted.filter((fault) => !red.includes(of(fault).clause));
  const noteOf = (clause: string): string =>
    Object.entries(result.parts)
      .filter(([id]) => id.startsWith(`${clause}/`))
      .map(([id, { verdict, waitsFor }]) => `${id.slice(clause.length + 1)} ${waitsFor ?? verdict}`)
      .join(', ');
  const alone = new Set(faults.flatMap((fault) => brokenBy(of(fault))));
  return {
    faults,
    found: counted.filter((fault) => !missed.includes(fault)),
    missed: missed.map((fault) => ({ fault, clause: of(fault).clause, note: noteOf(of(fault).clause) })),
    excluded: faults.filter((fault) => !counted.includes(fault)),
    consequences: red.filter((clause) => !alone.has(clause)),
    red: red.length,
    result,
  };
}
