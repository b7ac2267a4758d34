// The table of docs/internals/how-judging-works.md says what the timelines do.
import { expect, test } from 'vitest';
import { OWNERS } from '../../src/oracle/shapes.ts';
import { readPage } from './code-blocks.ts';

const SHAPES: Readonly<Record<string, readonly [aspect: keyof typeof OWNERS, shape: keyof (typeof OWNERS)['value']]>> = {
  'existence: in no place': ['existence', 'lost'],
  'existence: never at that request': ['existence', 'missing'],
  'existence: seen, then never again': ['existence', 'gone'],
  'existence: intermittently': ['existence', 'flapping'],
  'value: never right': ['value', 'missing'],
  'value: right, then wrong for good': ['value', 'gone'],
  'value: intermittently': ['value', 'flapping'],
  'value: two places at odds': ['value', 'disagreeing'],
};

test('the page names the clause of each shape in each place', () => {
  const rows = [
    ...readPage('docs/internals/how-judging-works.md').matchAll(/^\| (existence|value) +\| (.+?) +\| (\S+) +\| (\S+) +\| (\S+) +\|$/gm),
  ];
  const said = Object.fromEntries(rows.map(([, what, shape, list, filtered, read]) => [`${what}: ${shape}`, { list, filtered, read }]));
  const done = Object.fromEntries(Object.entries(SHAPES).map(([words, [aspect, shape]]) => [words, OWNERS[aspect][shape]]));
  expect(said).toEqual(done);
});
