import { describe, expect, test } from 'vitest';
import { comparePart } from './compare.ts';
import type { Measured, Part, Rows } from './rows.ts';

/** Labels of the findings that do not hold for one part, given its rows before and now. */
function less<Each extends Part>(part: Each, before: readonly Rows[Each][], now: readonly Rows[Each][]): readonly string[] | undefined {
  const measured = (rows: readonly Rows[Each][]): Measured => ({ [part]: rows });
  return comparePart(part, measured(before), measured(now))
    ?.filter(({ holds }) => !holds)
    .map(({ label }) => label.trim());
}

const fault = (name: string, clause: string, ...others: string[]): Rows['faults'] => ({
  name,
  clause,
  red: [clause, ...others],
  advised: [],
});
const FAULTS = [fault('a', 'list.unique'), fault('b', 'get.success', 'get.durable')];

describe('faults', () => {
  test('hold when nothing has changed', () => {
    expect(less('faults', FAULTS, FAULTS)).toEqual([]);
  });

  test('are lost when their clause is not red', () => {
    expect(less('faults', FAULTS, [{ ...fault('a', 'list.unique'), red: ['list.success'] }, fault('b', 'get.success')])).toEqual([
      'faults lost',
    ]);
  });

  test('may have another clause, under which they are red', () => {
    const [finding] = (
      comparePart('faults', { faults: FAULTS }, { faults: [fault('a', 'list.success'), FAULTS[1] ?? fault('b', 'x.y')] }) ?? []
    ).filter(({ label }) => label === 'faults with another clause');
    expect(finding).toMatchObject({ now: '1', holds: true, details: ['a: list.unique -> list.success'] });
  });

  test('may not be left out', () => {
    expect(less('faults', FAULTS, FAULTS.slice(1))).toEqual(['faults not judged']);
  });

  test('may not turn more other clauses red, except a few that depend on timing', () => {
    expect(less('faults', FAULTS, [fault('a', 'list.unique', 'x.1', 'x.2'), FAULTS[1] ?? fault('b', 'x.y')])).toEqual([]);
    expect(less('faults', FAULTS, [fault('a', 'list.unique', 'x.1', 'x.2', 'x.3'), FAULTS[1] ?? fault('b', 'x.y')])).toEqual(['of list']);
  });
});

test('No variant is red', () => {
  const green = { name: 'v', red: [] };
  expect(less('variants', [green], [green])).toEqual([]);
  expect(less('variant-seeds', [green], [{ ...green, red: ['list.unique'] }])).toEqual(['variants red, of 1']);
});

describe('combinations', () => {
  const set = { name: 'a+b', size: 2, found: ['a', 'b'], missed: [], consequences: [], red: 2 };

  test('may not find less', () => {
    expect(less('combinations', [set], [set])).toEqual([]);
    expect(less('combinations', [set], [{ ...set, found: ['a'], missed: ['b'] }])).toEqual(['found beside 1 others (1 sets)']);
  });

  test('are compared on sets that both have', () => {
    expect(less('combinations', [set, { ...set, name: 'c+d' }], [set])).toEqual([]);
  });
});

describe('--only', () => {
  test('may send twenty more', () => {
    const clause = { name: 'list.unique', requests: 10, created: 0 };
    expect(less('only', [clause], [{ ...clause, requests: 30 }])).toEqual([]);
    expect(less('only', [clause], [{ ...clause, requests: 31 }])).toEqual(['clauses for which --only sends over 20 more']);
  });

  test('finds what it found each time', () => {
    const steady = { name: 'a', clause: 'list.unique', found: 3, of: 3 };
    const race = { name: 'b', clause: 'list.unique', found: 2, of: 3 };
    const once = { found: 0, of: 1 };
    expect(less('only-faults', [steady, race], [steady, { ...race, ...once }])).toEqual([]);
    expect(less('only-faults', [steady, race], [{ ...steady, ...once }, race])).toEqual(['of these lost']);
  });
});

test('A standard run may send 3,200 requests and create 250 animals', () => {
  const run = { name: 'seed 1', requests: 2_200, created: 223, red: [], undecided: [] };
  expect(less('runs', [run], [{ ...run, requests: 3_200, created: 250 }])).toEqual([]);
  expect(less('runs', [run], [{ ...run, requests: 3_201, created: 251 }])).toEqual([
    'requests of a standard run, seed 1',
    'animals, seed 1',
  ]);
});

test('What withstood an attack, or was judged correctly, still does', () => {
  expect(less('hostile', [{ name: 'a', stood: true }], [{ name: 'a', stood: false }])).toEqual(['attacks not stood']);
  expect(less('used-store', [{ name: 'a', right: true }], [])).toEqual(['used stores not judged']);
});

test('Nothing passes on nonsense, and what is red may move', () => {
  const before = { name: '200 {}', passed: [], red: ['record.pets'] };
  expect(less('nonsense', [before], [{ ...before, red: ['list.success'] }])).toEqual([]);
  expect(less('nonsense', [before], [{ ...before, passed: ['list.unique/every-list'] }])).toEqual(['parts that pass on nonsense']);
});

test('A third-party server keeps its red clauses', () => {
  const before = { name: 'hono', red: ['errors.shape'], causes: ['errors-by-framework'] };
  expect(less('third-party', [before], [{ ...before, red: ['errors.shape', 'media.json'] }])).toEqual([]);
  expect(less('third-party', [before], [{ ...before, red: [] }])).toEqual(['third-party: red clauses lost']);
});

test('As many defects of the grid are found, even if different ones', () => {
  const found = { name: 'list: is empty (always)', red: ['list.complete'] };
  const missed = { name: 'get: returns 404 (every 40th)', red: [] };
  expect(
    less(
      'grid-defects',
      [found, missed],
      [
        { ...found, red: [] },
        { ...missed, red: ['get.success'] },
      ],
    ),
  ).toEqual([]);
  expect(less('grid-defects', [found, missed], [{ ...found, red: [] }, missed])).toEqual(['grid: found of the frozen drawing']);
});

test('What was not measured has no figure', () => {
  expect(comparePart('faults', { faults: FAULTS }, {})).toBeUndefined();
});
