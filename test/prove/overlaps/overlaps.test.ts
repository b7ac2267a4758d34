import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../../src/reference/faults/index.ts';
import { OVERLAPS } from './red-sets.ts';

describe.each(Object.entries(OVERLAPS))('the overlaps of %s', (clause, overlaps) => {
  const entries = overlaps.flatMap(({ of = [], sometimes = [] }) => [...of, ...sometimes]);

  test('name each fault once, and none that breaks the clause itself', () => {
    expect(entries).toEqual([...new Set(entries)]);
    expect(entries.filter((name) => FAULTS[name].clause === clause)).toEqual([]);
  });

  test('have a reason each, which some fault needs', () => {
    for (const { because, of = [], sometimes = [] } of overlaps) {
      expect(because).toMatch(/^\S.{8,}[^.]$/);
      expect(of.length + sometimes.length).toBeGreaterThan(0);
    }
  });
});
