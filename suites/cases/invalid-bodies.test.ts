import { expect, test } from 'vitest';
import { readJson } from '../../src/wire/json.ts';
import { CUT_BODIES, FOREIGN_BODIES, IGNORED_BODIES, LENIENT_BODIES, TRAILING_BODIES } from './invalid-bodies.ts';

const VALID = { name: 'conformanceRex', categoryId: 7n, status: 'sold' } as const;
const rows = [...CUT_BODIES, ...TRAILING_BODIES, ...LENIENT_BODIES, ...IGNORED_BODIES, ...FOREIGN_BODIES];

test.each(rows)('a body $what is not JSON', ({ body }) => {
  const made = body(VALID);
  const text = 'raw' in made ? made.raw : undefined;
  expect(typeof text).toBe('string');
  expect(readJson(String(text)).ok).toBe(false);
});
