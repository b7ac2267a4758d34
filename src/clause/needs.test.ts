import { expect, test } from 'vitest';
import { isNeed, NEEDS, waitsForOf } from './needs.ts';

test('waitsForOf gives the clauses that answer for the needs, and single ones, each once', () => {
  expect(waitsForOf(['creation', 'list.complete'])).toEqual([...NEEDS.service.clauses, 'create.success', 'list.complete']);
  expect(waitsForOf(['creation', 'created']).filter((id) => id === 'create.success')).toHaveLength(1);
  expect(waitsForOf([])).toEqual([]);
});

test('isNeed tells needs from clauses', () => {
  expect(['pets', 'list.complete', 'acme:list.names'].map((one) => isNeed(one as 'pets'))).toEqual([true, false, false]);
});
