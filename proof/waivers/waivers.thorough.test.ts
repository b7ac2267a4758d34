import { afterAll, describe, expect, test } from 'vitest';
import { createPool } from '../pool.ts';
import { isOfWaivers, misfitsOf, waiversFor } from './waived-faults.ts';

/** Faults of all chapters; `npm run prove:waivers` goes through a hundred. */
const WHOLE = ['limit-plus-one', 'key-in-query-token-accepted', 'create-sold-becomes-pending', 'error-status-missing', 'comments-accepted'];
const SWIFT = [
  'authentication-missing',
  'list-misses-newest',
  'limit-at-least-20',
  'list-ids-in-doubles',
  'empty-body-length-required',
  'wrong-scheme-crashes',
  'filter-drops-first-match',
];

const pool = createPool();
afterAll(() => pool.close());

describe('the waivers that one run writes', () => {
  test.concurrent.each([...WHOLE.map((name) => [name, false] as const), ...SWIFT.map((name) => [name, true] as const)])(
    'fit other seeds, other depths, and smoke: %s',
    async (fault, swift) => {
      const found = await pool.ask({ kind: 'waive', fault, swift });
      for (const [name, run] of Object.entries(found.runs)) if (name.startsWith('seed')) expect(waiversFor(run).length).toBeGreaterThan(0);
      expect(misfitsOf(found).filter(isOfWaivers)).toEqual([]);
    },
  );
});
