import { describe, expect, test } from 'vitest';
import { complaints, runAgainst } from './attack-run.ts';
import { attacks } from './index.ts';

test('attacks have names of their own', () => {
  expect(attacks.length).toBeGreaterThan(50);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

// `npm run hostile` prints them as a table, with time and memory.
describe.concurrent('the gate', () => {
  test.each(attacks)('stands a server that $does', { timeout: 90_000 }, async (attack) => {
    const ended = await runAgainst(attack);
    expect(complaints(attack, ended), ended.output).toEqual([]);
  });
});
