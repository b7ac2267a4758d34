import { expect, test } from 'vitest';
import { ownFolder } from '../../support/program.ts';
import { differenceOf, figuresOf } from './compare.ts';
import { freeze, frozenHash, type Line, type Measured, readFrozen } from './results.ts';

/** Of `test/prove/frozen/data`, as it was frozen before the core was rebuilt: whatever is measured later is compared with these bytes. */
const FROZEN = 'b6d8bef899b6d17645a197730cf5314f19816e19d88c8214e57f7e1249ab4225';

test('What was frozen has not changed', () => {
  expect(frozenHash()).toBe(FROZEN);
});

const head = {
  ...{ stage: 'registry', core: 'c', commit: 'a', at: '2026-11-28T12:00:00.000Z', load: 0, cores: 2, node: '24', seed: 1 },
  ...{ tasks: 3, of: 1 },
};
const line = (task: string, red: readonly string[], more: Readonly<Record<string, unknown>> = {}): Line => ({
  ...{ task, milliseconds: 1, red, advised: [], alone: [], when: '', exitCode: red.length === 0 ? 0 : 1, undecided: 0 },
  ...more,
});
const found = line('fault limit-ignored', ['list.limit-maximum', 'list.success']);
const missed = line('fault limit-plus-one', []);
const alone = line('fault limit-plus-one', [], { alone: ['list.limit-maximum'] });
const green = line('variant no-reason-phrase', []);
const measured = (...lines: readonly Line[]): Measured => ({ head, lines });

test('freeze writes the same bytes for the same results, whatever their order, and readFrozen reads them', () => {
  const [one, other] = [ownFolder(), ownFolder()];
  freeze([measured(found, green)], { a: 1 }, one);
  freeze([measured(green, found)], { a: 1 }, other);
  expect(frozenHash(one)).toBe(frozenHash(other));
  expect(readFrozen('registry', one)).toEqual(measured(found, green));
  expect(readFrozen('grid', one)).toBeUndefined();
  freeze([measured(found)], { a: 1 }, other);
  expect(frozenHash(one)).not.toBe(frozenHash(other));
});

test('figuresOf counts named faults, other red clauses, and green variants, and leaves out what broke', () => {
  const broken: Line = { task: 'fault filter-ignored', milliseconds: 1, broke: 'why' };
  expect(figuresOf('registry', measured(found, alone, green, broken))).toMatchObject({
    ...{ 'faults named': 2, 'faults named, of': 2, 'faults named by the clause alone only': 1 },
    ...{ 'other red clauses a fault': 0.5, 'variants green': 1, 'variants green, of': 1 },
  });
  expect(figuresOf('registry', undefined)).toEqual({});
});

test('differenceOf tells what is lost, what is won, and what is only different', () => {
  const more = line('fault limit-ignored', ['list.limit-maximum']);
  expect(differenceOf('registry', [found, alone, green], [more, missed, green])).toEqual({
    ...{ lost: ['fault limit-plus-one'], won: [], other: ['fault limit-ignored'] },
  });
  expect(differenceOf('registry', [missed], [alone])).toEqual({ lost: [], won: ['fault limit-plus-one'], other: [] });
  // Times and requests differ from run to run.
  expect(differenceOf('registry', [green], [{ ...green, milliseconds: 9, requests: 7 }])).toEqual({ lost: [], won: [], other: [] });
});
