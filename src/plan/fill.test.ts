import { describe, expect, it } from 'vitest';
import { createRandom } from '../session/numbers.ts';
import type { Vector } from '../session/vector.ts';
import { createFiller, createPairCount, type Fillers, shuffle } from './fill.ts';

const FILLERS: Fillers = { status: ['none', 'sold', 'pending'], query: ['limit first', 'status first'], connection: ['kept', 'fresh'] };
const fillRows = (count: number, seed: number) => {
  const { fill } = createFiller(createRandom(seed));
  return Array.from({ length: count }, (_unused, index) => fill<Vector & { op: 'list' }>({ op: 'list', limit: index + 1 }, FILLERS));
};

/** Pairs of values of different dimensions among the rows. */
const pairsIn = (rows: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> =>
  new Set(
    rows.flatMap((row) => {
      const values = Object.keys(FILLERS).map((dimension) => `${dimension}=${String(row[dimension])}`);
      return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} & ${other}`));
    }),
  );

describe('filling rows', () => {
  it('lets all pairs of values meet in as few rows as the two longest dimensions have pairs', () => {
    // 3 x 2 + 3 x 2 + 2 x 2 pairs; no array covers them in fewer than 3 x 2 rows.
    expect(pairsIn(fillRows(7, 1)).size).toBe(16);
  });

  it('uses all values of a dimension about as often', () => {
    const uses = Map.groupBy(fillRows(60, 2), ({ status }) => status);
    expect([...uses.values()].map(({ length }) => length)).toEqual(
      [20, 20, 20].map(() => expect.toSatisfy((count: number) => Math.abs(count - 20) <= 2)),
    );
  });

  it('keeps what a row brings along', () => {
    const { fill } = createFiller(createRandom(3));
    expect(fill({ op: 'list', status: 'unknown', limit: 5 }, FILLERS)).toMatchObject({ status: 'unknown', limit: 5 });
  });

  it('gives the same rows for the same seed, and others for another', () => {
    expect(fillRows(20, 4)).toEqual(fillRows(20, 4));
    expect(fillRows(20, 4)).not.toEqual(fillRows(20, 5));
  });
});

describe('counting pairs', () => {
  it('counts those that may stand together, each once, and no other', () => {
    const pairs = createPairCount();
    pairs.mayStandTogether('list', FILLERS);
    pairs.mayStandTogether('list', FILLERS);
    const row: Vector = { op: 'list', status: 'sold', query: 'limit first' };
    expect(pairs.count([row, row, { ...row, client: 'usual' }, { op: 'get', id: 1, client: 'usual' }])).toEqual({ met: 1, of: 16 });
  });
});

describe('shuffling', () => {
  it('keeps each item once', () => {
    const items = Array.from({ length: 50 }, (_unused, index) => index);
    expect(shuffle(items, createRandom(1)).toSorted((a, b) => a - b)).toEqual(items);
    expect(shuffle(items, createRandom(1))).not.toEqual(items);
  });

  it('keeps items that are lists whole', () => {
    expect(shuffle([[1, 2], [3]], createRandom(1)).toSorted()).toEqual([[1, 2], [3]]);
  });
});
