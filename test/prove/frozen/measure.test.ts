import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../support/own-folder.ts';
import { judgeOnly } from '../only.ts';
import { createPool } from '../pool.ts';
import type { Result } from '../result.ts';
import { MEASURE, type Measuring } from './measure.ts';
import { readRows, writeRows } from './rows.ts';

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
