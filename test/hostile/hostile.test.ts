import { describe, expect, test } from 'vitest';
import { complaints, runAgainst } from './attack-run.ts';
import { attacks } from './index.ts';

/** One of each family here; `npm run hostile` runs them all and prints the table. */
const SAMPLE = [
  'accepts-and-never-answers',
  'hangs-in-the-middle-of-the-run',
  'endless-informational-answers',
  'gigabyte-body',
  'gzip-bomb-nested',
  'chunked-cut-off',
  'deep-in-a-valid-animal',
  'million-zeros',
  'many-empty-items',
  'redirects-to-itself',
  'drops-every-tenth-request',
  'closes-every-second-use',
  'tls-other-name',
];

describe('attacks', () => {
  test('have names of their own', () => {
    expect(new Set(attacks.map(({ name }) => name)).size).toBe(attacks.length);
    expect(attacks.map(({ name }) => name)).toEqual(expect.arrayContaining(SAMPLE));
  });
});

describe('the gate', () => {
  test.each(attacks.filter(({ name }) => SAMPLE.includes(name)))('stands a server that $does', { timeout: 60_000 }, async (attack) => {
    const ended = await runAgainst(attack);
    expect(complaints(attack, ended), ended.output).toEqual([]);
  });
});
