import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clauses } from '../../suites/index.ts';

const SUITES = join(import.meta.dirname, '..', '..', 'suites');

const files = readdirSync(SUITES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.clause.ts'));

/** What only rules may do: clauses do not wait, halt, or assign blame while they send. */
const OF_JUDGING = [/\/halt\.ts'/, /\/needs\.ts'/, /\.poll\(/];

test.each(files)('%s sends, and judges by rules alone', (file) => {
  const text = readFileSync(join(SUITES, file), 'utf8');
  expect(OF_JUDGING.filter((sign) => sign.test(text)).map(String)).toEqual([]);
});

test('All clauses have rules, except for open questions.', () => {
  expect(clauses.filter(({ level, rules }) => (level === 'open') !== (rules.length === 0)).map(({ id }) => id)).toEqual([]);
});
