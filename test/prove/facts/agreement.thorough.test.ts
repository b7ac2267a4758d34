import { expect, test } from 'vitest';
import { agreementOn } from './agreement.ts';

test.each([
  ['the reference server', {}],
  ['a service that takes few animals', { variants: ['quota-of-30-forbids'] }],
  ['a service whose animals have category 0', { faults: ['list-category-zero'] }],
])('each request to %s is what its sender declared, but for explained differences', async (_what, server) => {
  const { exchanges, equal, explained, unexplained } = await agreementOn(server);
  expect(unexplained).toEqual([]);
  expect(exchanges).toBeGreaterThan(1_000);
  expect(equal + explained.values().reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(exchanges);
});
