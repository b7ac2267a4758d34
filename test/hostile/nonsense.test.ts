import { describe, expect, test } from 'vitest';
import { judgeNonsense, NONSENSE } from './nonsense.ts';

describe('a server that returns the same nonsense for everything', () => {
  test.each(NONSENSE)('passes nothing when it is %s', async (_name, handler) => {
    const { clauses, conclusion } = await judgeNonsense(handler);
    const judged = clauses.flatMap(({ id, verdict, note, musts }) => [{ id, verdict, note }, ...musts.map((must) => ({ id, ...must }))]);
    const passed = judged.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed');
    expect(passed.map(({ id, note }) => `${id}: ${note}`)).toEqual([]);
    expect(conclusion.exitCode, conclusion.headline).toBe(1);
  });
});
