import { describe, expect, test } from 'vitest';
import { oneOfEach } from '../prove/spread.ts';
import { needs } from '../support/tool.ts';
import { complaints, runAgainst } from './attack-run.ts';
import { attacks } from './index.ts';

test('attacks have unique names', () => {
  expect(attacks.length).toBeGreaterThan(50);
  expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
});

// A sample that runs in minutes at each change; `npm run hostile` runs all of them, as a table with time and memory.
const EVERY_ATTACK = 5;
const someAttacks = oneOfEach(attacks, EVERY_ATTACK);

describe('the gate', () => {
  test.for(someAttacks)('stands a server that $does', async (attack, context) => {
    needs(context, ...(attack.needs ?? []));
    const ended = await runAgainst(attack);
    expect(complaints(attack, ended), ended.output).toEqual([]);
  });
});
