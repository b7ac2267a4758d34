import { afterAll, describe, expect, test } from 'vitest';
import { createPool } from './pool.ts';
import { judgeThreeTimes } from './used-store.ts';

/** One for each way to store what no Pet may hold; `npm run prove -- --used-store` goes through all faults that store something. */
const STORING = ['category-unbounded', 'any-category-kept', 'missing-category-left-out', 'any-status-kept', 'any-name-kept'];

const pool = createPool();
afterAll(() => pool.close());

describe('a store that a build with a fault has used', () => {
  test.concurrent.each(STORING)('costs the repaired build one warning after %s', async (name) => {
    const { invalid, repaired } = await pool.ask({ kind: 'use-store', fault: name });
    expect(invalid).toBeGreaterThan(0);
    expect(repaired, repaired.notes.join('\n')).toMatchObject({ exitCode: 0, failed: ['record.leftovers'] });
    expect(repaired.notes[0]).toContain(`the store holds ${invalid} animals of earlier runs`);
  });

  test.each<[string, readonly string[], number]>([
    ['conforming, and was empty', [], 0],
    ['conforming, and had a page and a half', [], 30],
    ['broken, and shows it by itself', ['category-unbounded'], 7],
    ['broken where it lists', ['listed-status-empty'], 0],
  ])('is judged alike by three runs when the build is %s', async (_what, names, animals) => {
    const [first, ...others] = (await judgeThreeTimes(names, animals)).map(({ exitCode, failed }) => ({ exitCode, failed }));
    for (const other of others) expect(other).toEqual(first);
  });
});
