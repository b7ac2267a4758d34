import { describe, expect, it } from 'vitest';
import { type Choice, CONSENTS, type Consent, type StoreState } from '../../src/plan/choose.ts';
import type { EndlessPlan } from '../../src/plan/endless-plan.ts';
import { type Row, vectorsOf } from '../../src/plan/row.ts';
import type { ComposeContext, Sent, Vector } from '../../src/session/vector.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { clauses } from '../clauses/index.ts';
import { compose } from '../tables/tables.ts';
import { ROW_EFFECTS } from './effects.ts';
import { OPENING, planOf } from './index.ts';
import { SMOKE_OPENING, smokeRows, turnsOf } from './smoke.ts';

const KEY = 'pk-7Hq2XvR9sLmT4wZa';
const STORES: readonly StoreState[] = [0, 7, 150].flatMap((size) =>
  PET_STATUSES.map((rarestStatus) => ({ size, rarestStatus, known: Math.min(size, 100) })),
);
const SEEDS = [1, 20_261_128];
const EVERYTHING = {
  consents: new Set(CONSENTS),
  isThorough: true,
  requests: Number.POSITIVE_INFINITY,
  creations: Number.POSITIVE_INFINITY,
};
const NO_CONSENT: Choice = { ...EVERYTHING, consents: new Set<Consent>() };

const contextOf = (rowNumber: number): ComposeContext => ({
  ...{ apiKey: KEY, seed: 3, rowNumber, runTag: 'plan', categoryId: 4n, cookies: ['session=1'] },
  knownIds: [11n, 12n, -13n, 2n ** 62n],
});

const rowsOf = (choice: Choice, found: StoreState, seed: number): readonly Row[] =>
  planOf(found, { ...choice, seed }).phases.flatMap(({ rows }) => rows);
const vectorsIn = (rows: readonly Row[]): readonly Vector[] => rows.flatMap(vectorsOf);
const composed = (vectors: readonly Vector[]): readonly Sent[] => vectors.map((vector, index) => compose(vector, contextOf(index + 1)));

/** What is sent besides the Authorization header. */
const outside = ({ target, headers, body }: Sent): string =>
  [
    target,
    ...headers.filter(([name]) => name.toLowerCase() !== 'authorization').map(([, value]) => value),
    Buffer.from(body ?? []).toString('latin1'),
  ].join('\n');

const { reads: TURNS, nearMisses: NEAR_MISSES } = turnsOf();
/** As a target has it by default. */
const LIMITS = { requests: 20, mostOfAnyTurn: 20 };
const DAY_OF_RUNS = 1_440;

/** The turns of so many runs. */
function turnsIn(turns: EndlessPlan, runs: number): readonly (readonly Row[])[] {
  let cursor = turns.start(5);
  return Array.from({ length: runs }, () => {
    const { rows, next } = turns.take(cursor, LIMITS);
    cursor = next;
    return rows;
  });
}

const FOUND: StoreState = { size: 30, rarestStatus: 'sold', known: 30, firstOf: { available: 0, sold: 4 } };
const SMOKE = [...SMOKE_OPENING, ...vectorsIn(smokeRows(FOUND))];

describe('the plan', () => {
  it.each(STORES)('composes every row, at $size animals with few $rarestStatus', (found) => {
    for (const seed of SEEDS) {
      const vectors = vectorsIn(rowsOf(EVERYTHING, found, seed));
      expect(composed(vectors).length).toBe(vectors.length);
    }
  });

  it.each(STORES.slice(2, 4))('composes every row of each clause alone, at $size animals', (found) => {
    for (const { id } of clauses) {
      const vectors = vectorsIn(rowsOf({ ...EVERYTHING, isThorough: false, clauses: new Set([id]) }, found, 1));
      expect(composed(vectors).length).toBe(vectors.length);
    }
  });

  it('is the same rows for the same seed and findings, and others for another seed', () => {
    for (const found of STORES.slice(0, 4)) {
      expect(rowsOf(EVERYTHING, found, 1)).toEqual(rowsOf(EVERYTHING, found, 1));
      expect(rowsOf(EVERYTHING, found, 1)).not.toEqual(rowsOf(EVERYTHING, found, 2));
    }
  });

  it('fills each row that it chose before, and no other', () => {
    const { phases, pairsIn } = planOf({ size: 7, rarestStatus: 'sold', known: 7 }, { ...EVERYTHING, isThorough: false, seed: 1 });
    const { met, of } = pairsIn(vectorsIn(phases.flatMap(({ rows }) => rows)));
    expect(met).toBeGreaterThan(of * 0.6);
    expect(pairsIn([])).toEqual({ met: 0, of });
  });
});

describe('a choice without consent', () => {
  const NONE: readonly (readonly [string, readonly Vector[]])[] = [
    ['the opening', OPENING],
    ['a smoke run', SMOKE],
    ['a day of turns', vectorsIn(turnsIn(TURNS, DAY_OF_RUNS).flat())],
    ...STORES.map((found): readonly [string, readonly Vector[]] => [
      `a read-only run, ${found.size} animals, ${found.rarestStatus}`,
      vectorsIn(rowsOf(NO_CONSENT, found, 1)),
    ]),
  ];

  it.each(NONE)('sends no creation, and the API key in Authorization only: %s', (_title, vectors) => {
    expect(vectors.length).toBeGreaterThan(10);
    for (const sent of composed(vectors)) {
      expect(sent.method).toBe('GET');
      expect(outside(sent)).not.toContain(KEY);
    }
  });

  it('sends eighteen requests in a smoke run', () => {
    expect(SMOKE.length).toBe(18);
  });

  it('sends no near miss of the API key', () => {
    for (const [, vectors] of NONE) expect(vectors.filter((vector) => ROW_EFFECTS.consentsOf(vector).includes('near miss'))).toEqual([]);
  });

  it('says of each row that it leaves out what is missing', () => {
    const { leftOut } = planOf({ size: 7, rarestStatus: 'sold', known: 7 }, { ...NO_CONSENT, seed: 1 });
    expect(leftOut.filter(({ vector }) => vector.op === 'create').every(({ missing }) => missing.includes('--read-only'))).toBe(true);
    expect(new Set(leftOut.map(({ missing }) => missing)).size).toBe(3);
  });

  it('sends near misses in turns of their own, and nothing else that takes consent', () => {
    const vectors = vectorsIn(turnsIn(NEAR_MISSES, 20).flat());
    expect(vectors.length).toBeGreaterThan(50);
    for (const vector of vectors) expect(ROW_EFFECTS.consentsOf(vector)).toEqual(['near miss']);
  });
});

describe('bounds', () => {
  const found: StoreState = { size: 7, rarestStatus: 'sold', known: 7 };
  const sizeOf = (choice: Choice): { readonly requests: number; readonly creations: number } => {
    const vectors = vectorsIn(rowsOf(choice, found, 1));
    const creations = vectors.filter(ROW_EFFECTS.creates).length;
    return { creations, requests: vectors.length };
  };

  it.each([20, 60, 100])('keep creations within %d', (creations) => {
    expect(sizeOf({ ...EVERYTHING, creations }).creations).toBeLessThanOrEqual(creations);
    expect(sizeOf({ ...EVERYTHING, creations }).creations).toBeGreaterThan(creations / 2);
  });

  it.each([100, 400, 1_000])('keep requests within %d', (requests) => {
    expect(sizeOf({ ...EVERYTHING, requests }).requests).toBeLessThanOrEqual(requests);
    expect(sizeOf({ ...EVERYTHING, requests }).requests).toBeGreaterThan(requests / 2);
  });

  it('always leave room for the end of the run', () => {
    const rows = rowsOf({ ...EVERYTHING, requests: 5 }, found, 1);
    expect(rows).toEqual(expect.arrayContaining([{ op: 'list' }, { op: 'get', id: 0 }, { op: 'list', credential: 'none' }]));
  });
});
