import { expect, test } from 'vitest';
import { clauses } from '../../suites/index.ts';
import { judgeReference } from '../prove/judge-reference.ts';

/** One of each status, one without, and one to find a category that the service accepts. */
const FIRST_ANIMALS = 5;

test('checks of the step first-page pass on a conforming service and create no animals but the first', async () => {
  const judged = clauses.map((clause) => ({
    ...clause,
    checks: clause.checks.filter(({ step }) => step === 'first-page'),
    invariants: [],
  }));
  const { created, records } = await judgeReference({ seedAnimals: 3 }, { judged });
  expect(records.map(({ id }) => id)).toContain('list.complete/created');
  expect(records.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
  expect(created).toBe(FIRST_ANIMALS);
});
