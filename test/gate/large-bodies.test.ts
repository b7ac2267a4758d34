import { expect, test } from 'vitest';
import { judgeServer } from '../../src/library/judge.ts';
import { KEY, serve } from './judged-service.ts';

test.each([
  ['pet-with-photo', 'the body is larger than 2097152 bytes'],
  ['pet-with-many-tags', 'the body exceeds a limit of the suite: it has more than 50000 members and items'],
])('a conforming service whose bodies exceed what a run keeps or reads is not accused: %s', async (variant, reason) => {
  const { conclusion, animals, clauses, notices } = await judgeServer(await serve({ variants: [variant] }), { apiKey: KEY, seed: 7 });
  expect(conclusion.exitCode).toBe(0);
  expect(animals.created.length).toBeGreaterThan(30);
  expect(clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(notices.join('\n')).toContain(`are not judged: ${reason}`);
});
