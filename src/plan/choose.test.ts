import { describe, expect, it } from 'vitest';
import type { Vector } from '../session/vector.ts';
import { type Choice, CONSENTS, type Consent, choose, type RowEffects } from './choose.ts';
import type { Entry } from './row.ts';

const ABOUT: RowEffects = {
  consentsOf: (vector) => (vector.op === 'create' ? ['write'] : vector.credential === 'elsewhere' ? ['intrusive'] : []),
  creates: ({ op }) => op === 'create',
  readsCreatedFor: ['create.round-trip'],
};
const ALL: Choice = { consents: new Set<Consent>(CONSENTS), isThorough: false, requests: 1_000, creations: 1_000 };
const lists = (from: number, to: number): readonly Vector[] =>
  Array.from({ length: to - from + 1 }, (_unused, index) => ({ op: 'list', limit: from + index }));
const creations = (count: number): readonly Vector[] => Array.from({ length: count }, () => ({ op: 'create' }));
const chosen = (entries: readonly Entry[], choice: Partial<Choice>, size = 0) => choose(entries, { ...ALL, ...choice }, { ...ABOUT, size });
const lengths = (entries: readonly Entry[]): readonly number[] => entries.map(({ rows }) => rows.length);

const LIMITS: Entry = { phase: 'a small store', for: ['list.limit-accepted'], rows: lists(1, 10) };
const FILTERS: Entry = { phase: 'a small store', for: ['list.status-filter'], rows: lists(11, 20), least: 3 };
const KEYS: Entry = { phase: 'rejected', for: ['auth.wrong-key'], rows: lists(21, 30) };
const CLOSING: Entry = { phase: 'the end', isInEveryRun: true, rows: [{ op: 'list' }] };
const FILL: Entry = { phase: 'growing', for: ['list.limit-maximum'], fillsTo: 20, rows: creations(20) };

describe('choosing by clause', () => {
  it('takes the entries of the selected clauses, and the end of the run', () => {
    expect(chosen([LIMITS, FILTERS, KEYS, CLOSING], { clauses: new Set(['list.status-filter']) }).entries).toEqual([FILTERS, CLOSING]);
  });

  it('leaves out what only runs of selected clauses need, where all are', () => {
    const alone: Entry = { ...LIMITS, isSelectedOnly: true };
    expect(chosen([alone, FILTERS], {}).entries).toEqual([FILTERS]);
    expect(chosen([alone, FILTERS], { clauses: new Set(['list.limit-accepted']) }).entries).toEqual([alone]);
  });

  it('takes what is deep in thorough runs only', () => {
    const deep: Entry = { ...LIMITS, isThoroughOnly: true };
    expect(chosen([deep], {}).entries).toEqual([]);
    expect(chosen([deep], { isThorough: true }).entries).toEqual([deep]);
  });
});

describe('choosing within a budget of requests', () => {
  it('takes the end of the run, then the first rows of each entry, those of keys last', () => {
    expect(chosen([LIMITS, FILTERS, KEYS, CLOSING], { requests: 5 }).entries.map(({ rows }) => rows)).toEqual([
      [{ op: 'list', limit: 1 }],
      lists(11, 13),
      [{ op: 'list' }],
    ]);
    expect(lengths(chosen([LIMITS, FILTERS, KEYS, CLOSING], { requests: 6 }).entries)).toEqual([1, 3, 1, 1]);
  });

  it('takes the same share of each entry then, and more rows of keys after those', () => {
    expect(lengths(chosen([LIMITS, FILTERS, KEYS], { requests: 13 }).entries)).toEqual([6, 6, 1]);
    expect(lengths(chosen([LIMITS, FILTERS, KEYS], { requests: 23 }).entries)).toEqual([10, 10, 3]);
  });

  it('counts a read of each created animal, and another one at the end', () => {
    const grown: Entry = { phase: 'growing', for: ['create.round-trip'], rows: creations(5) };
    expect(lengths(chosen([grown], { requests: 11 }).entries)).toEqual([3]);
  });

  it('counts no reads where no selected clause is judged by them', () => {
    const { readsCreated, entries } = chosen([{ ...FILL, fillsTo: 8 }], { clauses: new Set(['list.limit-maximum']), requests: 8 });
    expect(readsCreated).toBe(false);
    expect(lengths(entries)).toEqual([8]);
  });

  it('says what it leaves out', () => {
    const { leftOut } = chosen([LIMITS], { requests: 4 });
    expect(leftOut.map(({ vector }) => vector)).toEqual(lists(5, 10));
    expect(new Set(leftOut.map(({ missing }) => missing))).toEqual(new Set(['a request more than this run may send']));
    expect(new Set(leftOut.flatMap((one) => one.for ?? []))).toEqual(new Set(['list.limit-accepted']));
  });
});

describe('choosing within a budget of creations', () => {
  it('fills a store as far as it is missing animals', () => {
    expect(lengths(chosen([FILL], {}, 12).entries)).toEqual([8]);
    expect(chosen([FILL], {}, 20).entries).toEqual([]);
    expect(lengths(chosen([{ phase: 'growing', for: ['create.success'], rows: creations(5) }, FILL], {}, 12).entries)).toEqual([5, 3]);
  });

  it('does not begin to fill a store that it may not fill', () => {
    const { entries, leftOut } = chosen([FILL], { creations: 19 });
    expect(entries).toEqual([]);
    expect(leftOut.length).toBe(20);
  });

  it('takes smaller groups where a large one does not fit', () => {
    const together = (width: number) => ({ how: 'together', rows: creations(width) }) as const;
    const { entries } = chosen([{ phase: 'at the same time', rows: [together(2), together(16), together(4)] }], { creations: 8 });
    expect(entries.map(({ rows }) => rows)).toEqual([[together(2), together(4)]]);
  });
});

describe('choosing with the consent of the user', () => {
  it('leaves out a row that lacks one, and says which', () => {
    const rows: readonly Vector[] = [{ op: 'list' }, { op: 'create' }, { op: 'list', credential: 'elsewhere' }];
    const { entries, leftOut } = chosen([{ phase: 'rejected', rows }], { consents: new Set() });
    expect(entries.map((entry) => entry.rows)).toEqual([[{ op: 'list' }]]);
    expect(leftOut).toEqual([
      { vector: rows[1], missing: expect.stringContaining('--read-only') },
      { vector: rows[2], missing: expect.stringContaining('where it does not belong') },
    ]);
  });
});
