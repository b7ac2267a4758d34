import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faults } from '../../../src/reference/faults/index.ts';
import { variants } from '../../../src/reference/variants/index.ts';
import { clauses } from '../../../suites/index.ts';
import { ownFolder } from '../../support/program.ts';
import { defectCalled } from '../grid/defects.ts';
import { createPool } from '../pool.ts';
import { judgeOnly, type Result } from '../result.ts';
import { comparePart } from './compare.ts';
import { MEASURE, type Measuring } from './measure.ts';
import { FROZEN, type Measured, PARTS, type Part, type Rows, readRows, writeRows } from './rows.ts';

/** Of all lines in this folder. It changes only if the suite from before the rewrite is measured again. */
const DIGEST = '0e3726ba26747ecfaa95ded3ff19a9d3031f82908c198ec52a34ee98ad993051';

test('Nobody has changed what was frozen', () => {
  const files = readdirSync(FROZEN)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  expect(files).toEqual([...PARTS, 'grid'].map((part) => `${part}.jsonl`).sort());
  expect(hash('sha256', files.map((name) => `${name}\n${readFileSync(join(FROZEN, name), 'utf8')}`).join(''))).toBe(DIGEST);
});

test('What was judged then is still there to be judged', () => {
  const missing = (part: 'faults' | 'variants' | 'only' | 'only-faults' | 'used-store', names: readonly string[]): readonly string[] =>
    (readRows(FROZEN, part) ?? []).map(({ name }) => name).filter((name) => !names.includes(name));
  const faultNames = faults.map(({ name }) => name);
  expect(missing('faults', faultNames)).toEqual([]);
  expect(missing('only-faults', faultNames)).toEqual([]);
  expect(missing('used-store', faultNames)).toEqual([]);
  expect(
    missing(
      'variants',
      variants.map(({ name }) => name),
    ),
  ).toEqual([]);
  expect(
    missing(
      'only',
      clauses.map(({ id }) => id),
    ),
  ).toEqual([]);
  const combined = (readRows(FROZEN, 'combinations') ?? []).flatMap(({ name }) => name.split('+'));
  expect(combined.filter((name) => !faultNames.includes(name))).toEqual([]);
  for (const { name } of readRows(FROZEN, 'grid-defects') ?? []) expect(defectCalled(name).name).toBe(name);
});

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

const NOTHING = {
  parts: {},
  notes: {},
  departures: [],
  causes: [],
  when: '',
  requestsUntilFound: 1,
  requests: 9,
  created: 0,
  milliseconds: 1,
};

function resultOf(kind: Result['kind'], name: string, changes: Partial<Result>): Result {
  return { ...NOTHING, kind, name, red: [], advised: [], exitCode: 0, headline: '', lines: 30, failAlone: [], ...changes };
}

function measuring(results: readonly Result[]): Measuring {
  return { pool: createPool(1), results, sets: 1, times: 1, note: () => undefined };
}

describe('of the results of a whole proof', () => {
  test('a fault has the clauses that it turns red, and the one that finds it by itself', async () => {
    const whole = resultOf('fault', 'limit-ignored', { red: ['list.limit-maximum'] });
    const alone = resultOf('fault', 'list-one-of-a-name', { failAlone: ['list.complete/same-names'] });
    expect(await MEASURE.faults(measuring([whole, alone]))).toEqual([
      { name: 'limit-ignored', clause: 'list.limit-maximum', red: ['list.limit-maximum'], advised: [] },
      { name: 'list-one-of-a-name', clause: 'list.complete', red: ['list.complete'], advised: [] },
    ]);
  });

  test('a variant that ends with another exit code is red', async () => {
    const results = [resultOf('variant', 'latency-400-ms', {}), resultOf('variant', 'slow-creation', { exitCode: 1 })];
    expect((await MEASURE.variants(measuring(results))).map(({ red }) => red)).toEqual([[], ['exit code 1']]);
  });

  test('lines of reports are counted by chapter', async () => {
    const results = [resultOf('fault', 'limit-ignored', { lines: 40 }), resultOf('fault', 'get-answers-array', { lines: 20 })];
    expect(await MEASURE.lines(measuring(results))).toContainEqual({ name: 'list', faults: 1, median: 40, most: 40 });
  });
});

test('A clause by itself finds its fault, and sends little', async () => {
  expect(await judgeOnly('list.limit-maximum', ['limit-ignored'])).toMatchObject({ red: true });
  const { red, requests } = await judgeOnly('list.status-accepted', []);
  expect(red).toBe(false);
  expect(requests).toBeGreaterThan(0);
  expect(requests).toBeLessThan(50);
});

test('Rows are written one per line, in an order that does not depend on when they were measured', () => {
  const folder = ownFolder();
  const rows = ['b', 'a'].map((name) => ({ name, right: true }));
  writeRows(folder, 'used-store', rows);
  expect(readRows(folder, 'used-store')).toEqual(rows.toReversed());
  expect(readRows(folder, 'hostile')).toBeUndefined();
});
