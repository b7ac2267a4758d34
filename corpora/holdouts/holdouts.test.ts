import { expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { holdouts } from './corpora.ts';
import { askAt, startHoldout } from './holdout.ts';

test('Each hold-out has a unique name, and faults name a clause.', () => {
  expect(new Set(holdouts.map(({ name }) => name)).size).toBe(holdouts.length);
  const ids = clauses.map(({ id }): string => id);
  for (const { kind, clause } of holdouts) expect(kind === 'variant' || ids.includes(clause ?? '')).toBe(true);
});

test.each(holdouts.map((holdout) => ({ ...holdout, holdout })))(
  '$name shows on its server, and not on the conforming one',
  async ({ holdout }) => {
    for (const [conforming, shown] of [
      [false, true],
      [true, false],
    ] as const) {
      const server = await startHoldout(holdout, conforming);
      expect(await holdout.witness(askAt(server.baseUrl))).toBe(shown);
      await server.close();
    }
  },
);
