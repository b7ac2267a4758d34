import { expect, test } from 'vitest';
import { createNames } from './names.ts';

test('createNames gives ASCII letters, at most twenty, the prefix in front, never twice when case is ignored', () => {
  const next = createNames({ prefix: 'conformance', tag: 'abcde' });
  const names = Array.from({ length: 2_000 }, next);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^conformance[A-Za-z]{1,9}$/);
});
