import { describe, expect, test } from 'vitest';
import { type EndlessPlan, ORDERS } from '../../src/plan/endless-plan.ts';
import { type Row, vectorsOf } from '../../src/plan/row.ts';
import type { Vector } from '../../src/session/vector.ts';
import { entriesOf } from './entries.ts';
import { turnsOf } from './smoke.ts';

const { reads } = turnsOf();
/** A target that leaves budget and interval as they are by default runs so often in a day. */
const [BUDGET, RUNS_OF_DAY] = [20, 1_440];
/** docs/probe.md: each value within two hours, and by `smoke --budget 250` within eight days. */
const [RUNS_OF_TWO_HOURS, DAYS, BUDGET_OF_DAYS] = [120, 8, 250];
/** `/probe` every five minutes, with a budget of 231. */
const MINUTES = Array.from({ length: 12 }, (_unused, run) => 29_676_960 + 5 * run);

type Turn = readonly Row[];

function turnsIn(turns: EndlessPlan, runs: number, budget = BUDGET): readonly Turn[] {
  let cursor = turns.start(5);
  return Array.from({ length: runs }, () => {
    const { rows, next } = turns.take(cursor, { requests: budget, mostOfAnyTurn: budget });
    cursor = next;
    return rows;
  });
}

const namesIn = (named: Vector[keyof Vector] | undefined): readonly string[] => [named ?? []].flat().map(String);
const valuesIn = ({ op, ...dimensions }: Vector): readonly (readonly [dimension: string, value: string])[] =>
  Object.entries(dimensions).flatMap(([dimension, named]) => namesIn(named).map((value) => [`${op} ${dimension}`, value] as const));

/** Each order draws other ids. */
const isDrawn = (value: string): boolean => value.startsWith('=');

/** By dimension, each value that occurs. */
function valuesOf(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const [dimension, value] of rows.flatMap(vectorsOf).flatMap(valuesIn))
    if (!isDrawn(value)) all.set(dimension, (all.get(dimension) ?? new Set()).add(value));
  return all;
}

const EVERY = valuesOf(Array.from({ length: ORDERS }, (_unused, seed) => reads.order(seed)).flat());
const DAY = turnsIn(reads, RUNS_OF_DAY);

/** The most runs in a row without that value. */
function longestWithout(dimension: string, value: string): number {
  let [longest, last] = [0, -1];
  for (const [run, values] of VALUES_OF_DAY.entries()) {
    if (values.get(dimension)?.has(value) !== true) continue;
    longest = Math.max(longest, run - last);
    last = run;
  }
  return Math.max(longest, VALUES_OF_DAY.length - last);
}
const VALUES_OF_DAY = DAY.map(valuesOf);

describe('turns', () => {
  test.each([...EVERY])('meet each value of %s within two hours', (dimension, values) => {
    const late = [...values]
      .map((value) => [value, longestWithout(dimension, value)] as const)
      .filter(([, runs]) => runs > RUNS_OF_TWO_HOURS);
    expect(late).toEqual([]);
  });

  test('are of all dimensions of reads', () => {
    const shared = ['client', 'connection', 'credential', 'fields', 'parameters', 'path'];
    const dimensions = [...shared, 'id']
      .map((one) => `get ${one}`)
      .concat([...shared, 'limit', 'query', 'status'].map((one) => `list ${one}`));
    expect([...EVERY.keys()].toSorted()).toEqual(dimensions.toSorted());
    expect(EVERY.get('list limit')?.size).toBeGreaterThan(100);
  });

  test('meet most pairs of harmless values within a day', () => {
    const { entries, filled, pairs } = entriesOf({ size: 0, rarestStatus: 'sold', known: 24 }, { seed: 1, isThorough: true });
    const isOfReads = (row: Row): boolean => vectorsOf(row).every(({ op }) => op !== 'create');
    for (const row of entries.flatMap(({ rows }) => rows).filter(isOfReads)) filled(row);
    const { met, of } = pairs.count(DAY.flat().flatMap(vectorsOf));
    expect(met / of).toBeGreaterThan(0.85);
  });
});

describe('turns of runs that know nothing of each other', () => {
  const WAYS: readonly (readonly [string, readonly Turn[]])[] = [
    ['a run a day for eight days', Array.from({ length: DAYS }, (_unused, day) => reads.alone(20_780 + day, BUDGET_OF_DAYS))],
    ['a run every five minutes for an hour', MINUTES.map((minute) => reads.alone(minute, 231))],
  ];
  test.each(WAYS)('meet every row: %s', (_title, turns) => {
    const met = new Set(turns.flat());
    expect(reads.order(0).filter((row) => !met.has(row)).length).toBe(0);
  });
});
