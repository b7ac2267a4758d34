import { expect, test } from 'vitest';
import { MOST_WITHOUT_REASON, othersOf, REASONS, staleReasons, withoutReason } from './overlaps.ts';
import type { Result } from './result.ts';

const OTHERS = ['list.success', 'list.unique', 'get.success', 'get.identity'];
const resultOf = (name: string, red: readonly string[]): Result => ({ kind: 'fault', name, red }) as unknown as Result;

test('othersOf leaves out the clause that the fault names, and knows none of a variant', () => {
  expect(othersOf(resultOf('limit-ignored', ['list.limit-maximum', 'list.success']))).toEqual(['list.success']);
  expect(othersOf({ ...resultOf('no-reason-phrase', ['list.success']), kind: 'variant' })).toEqual([]);
});

test('withoutReason finds the faults with more other red clauses than need no reason', () => {
  const [few, many] = [OTHERS.slice(0, MOST_WITHOUT_REASON), OTHERS].map((red) =>
    resultOf('limit-ignored', ['list.limit-maximum', ...red]),
  );
  expect(withoutReason([few, many].filter((one) => one !== undefined))).toEqual([many]);
});

test('staleReasons finds the reasons of faults that break only the clause that they name', () => {
  const [name = ''] = Object.keys(REASONS);
  expect(staleReasons([resultOf(name, [])])).toEqual([name]);
  expect(staleReasons([resultOf(name, OTHERS), resultOf('limit-ignored', [])])).toEqual([]);
});

test('Each reason is a sentence', () => {
  for (const reason of Object.values(REASONS)) expect(reason).toMatch(/^\S.{20,}[^.]$/);
});
