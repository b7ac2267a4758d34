// Rows are filled up with values of other dimensions, so that all pairs of values that may stand together meet (a greedy covering array).

import type { RowOperation, ValueName, Vector } from '../session/vector.ts';

/** The values that may be filled in, by dimension. None of them may change what a conforming service does. */
export type Fillers = Readonly<Record<string, readonly ValueName[]>>;

/** In another order, which follows from the numbers. */
export function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}

const USE = 1e-3;
const CHANCE = 1e-4;

/** Numbers for values and for pairs of them: some hundred thousand are compared. */
function createNumbering() {
  const values = new Map<string, number>();
  return {
    ofValue(op: string, dimension: string, value: ValueName): number {
      const name = `${op} ${dimension}=${value}`;
      const number = values.get(name) ?? values.size;
      values.set(name, number);
      return number;
    },
    ofPair: (one: number, other: number): number => Math.min(one, other) * MOST_VALUES + Math.max(one, other),
  };
}

const MOST_VALUES = 2 ** 20;

/**
 * Fills rows up. A value is chosen by how many pairs it meets that no row before it has met, then by how rarely it was chosen. Values that rows bring
 * along in `partners`, and in the dimensions that are filled, count as pairs too.
 */
export function createFiller(random: () => number) {
  const met = new Set<number>();
  const used = new Map<number, number>();
  const { ofValue, ofPair } = createNumbering();

  function fill<Filled extends Vector>(row: Filled, fillers: Fillers, partners: readonly string[] = []): Filled {
    const values = new Map<string, ValueName>(Object.entries(row));
    const dimensions = Object.keys(fillers);
    const done = [...partners, ...dimensions].flatMap((dimension) => {
      const value = values.get(dimension);
      return value === undefined ? [] : [ofValue(row.op, dimension, value)];
    });
    for (const dimension of shuffle(
      dimensions.filter((one) => !values.has(one)),
      random,
    )) {
      const scored = (fillers[dimension] ?? []).map((value) => {
        const number = ofValue(row.op, dimension, value);
        const gain = done.reduce((sum, other) => (met.has(ofPair(number, other)) ? sum : sum + 1), 0);
        return { value, number, score: gain - (used.get(number) ?? 0) * USE + random() * CHANCE };
      });
      const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
      values.set(dimension, best.value);
      used.set(best.number, (used.get(best.number) ?? 0) + 1);
      for (const other of done) met.add(ofPair(best.number, other));
      done.push(best.number);
    }
    return Object.fromEntries(values) as Filled;
  }

  return { fill };
}

/** How many pairs of harmless values have met in one request, of how many that may stand together. */
export type PairsMet = { readonly met: number; readonly of: number };

/** Counts pairs of harmless values: those of two dimensions with which rows of the same operation are filled. */
export function createPairCount() {
  const possible = new Set<number>();
  const known = { list: new Set<Fillers>(), get: new Set<Fillers>(), create: new Set<Fillers>() };
  const { ofValue, ofPair } = createNumbering();
  return {
    mayStandTogether(op: RowOperation, fillers: Fillers): void {
      if (known[op].has(fillers)) return;
      known[op].add(fillers);
      const dimensions = Object.entries(fillers).map(([dimension, values]) => values.map((value) => ofValue(op, dimension, value)));
      for (const [index, values] of dimensions.entries())
        for (const others of dimensions.slice(index + 1))
          for (const one of values) for (const other of others) possible.add(ofPair(one, other));
    },
    count(vectors: Iterable<Vector>): PairsMet {
      const met = new Set<number>();
      for (const { op, ...row } of vectors) {
        const values = Object.entries(row).map(([dimension, value]) => ofValue(op, dimension, value));
        for (const [index, one] of values.entries())
          for (const other of values.slice(index + 1)) if (possible.has(ofPair(one, other))) met.add(ofPair(one, other));
      }
      return { met: met.size, of: possible.size };
    },
  };
}
