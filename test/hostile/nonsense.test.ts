import { describe, expect, test } from 'vitest';
import { judgeNonsense, NONSENSE } from './nonsense.ts';

describe('a server that returns the same nonsense for everything', () => {
  test.each(NONSENSE)('passes nothing when it is %s', async (_name, handler) => {
    const records = await judgeNonsense(handler);
    expect(records.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').map(({ id, note }) => `${id}: ${note}`)).toEqual(
      [],
    );
    expect(records.filter(({ verdict }) => verdict === 'fail')).not.toEqual([]);
  });
});
