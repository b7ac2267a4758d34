// Rows are filled up with values of other dimensions, so that all pairs of values that may stand together meet (a greedy covering array).

import type { Named, Vector } from '../session/rows.ts';

/** The values that may be filled in, by dimension. None of them may change what a conforming service does. */
export type Fillers = Readonly<Record<string, readonly Named[]>>;

/** In another order, which follows from the numbers. */
export function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}

const USE = 1e-3;
const CHANCE = 1e-4;

/**
 * Fills rows up. A value is chosen by how many pairs it meets that no row before it has met, then by how rarely it was chosen. Values that rows bring
 * along in `partners`, and in the dimensions that are filled, count as pairs too.
 */
export function createFiller(random: () => number) {
  const met = new Set<string>();
  const used = new Map<string, number>();
  const pairOf = (one: string, other: string): string => (one < other ? `${one} & ${other}` : `${other} & ${one}`);

  function fill<Filled extends Vector>(row: Filled, fillers: Fillers, partners: readonly string[] = []): Filled {
    const values = new Map<string, Named>(Object.entries(row));
    const dimensions = Object.keys(fillers);
    const named = (dimension: string): string => `${row.op} ${dimension}=${values.get(dimension)}`;
    const done = [...partners, ...dimensions].filter((dimension) => values.has(dimension)).map(named);
    for (const dimension of shuffle(
      dimensions.filter((one) => !values.has(one)),
      random,
    )) {
      const scored = (fillers[dimension] ?? []).map((value) => {
        const name = `${row.op} ${dimension}=${value}`;
        const gain = done.filter((other) => !met.has(pairOf(name, other))).length;
        return { value, name, score: gain - (used.get(name) ?? 0) * USE + random() * CHANCE };
      });
      const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
      values.set(dimension, best.value);
      used.set(best.name, (used.get(best.name) ?? 0) + 1);
      for (const other of done) met.add(pairOf(best.name, other));
      done.push(best.name);
    }
    return Object.fromEntries(values) as Filled;
  }

  return { fill, pairsMet: () => met.size };
}
