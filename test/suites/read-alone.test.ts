import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Lines of other files in suites/ that a reader of the median clause needs, and of the clause that needs the most. */
const MOST_FOR_MEDIAN = 235;
const MOST_FOR_ANY = 1_375;

const FILES = new Map(globSync('suites/**/*.ts', { cwd: ROOT }).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));

/** The files in suites/ that a file imports, for values or for types. */
function importsOf(path: string): readonly string[] {
  const specifiers = [...(FILES.get(path) ?? '').matchAll(/\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)];
  return specifiers.map(([, from, dynamic]) => join(dirname(path), from ?? dynamic ?? '')).filter((imported) => FILES.has(imported));
}

/** The lines of all files in suites/ that a file needs, directly or through others. */
function linesBeyond(path: string): number {
  const needed = new Set<string>();
  const visit = (one: string): void => {
    for (const imported of importsOf(one)) {
      if (imported === path || needed.has(imported)) continue;
      needed.add(imported);
      visit(imported);
    }
  };
  visit(path);
  return [...needed].reduce((sum, one) => sum + (FILES.get(one) ?? '').trimEnd().split('\n').length, 0);
}

test(`a clause can be read alone: with at most ${MOST_FOR_MEDIAN} further lines in the median, and never more than ${MOST_FOR_ANY}`, () => {
  const clauses = [...FILES.keys()].filter((path) => path.endsWith('.clause.ts'));
  const needed = clauses.map((path) => ({ path, lines: linesBeyond(path) })).toSorted((one, other) => one.lines - other.lines);
  expect(clauses.length).toBeGreaterThan(80);
  expect(needed[Math.floor(needed.length / 2)]?.lines).toBeLessThanOrEqual(MOST_FOR_MEDIAN);
  expect(needed.filter(({ lines }) => lines > MOST_FOR_ANY)).toEqual([]);
  // The measure sees what it should: judge-rows.ts at least, which this clause uses.
  expect(linesBeyond('suites/list/limit-accepted.clause.ts')).toBeGreaterThan(100);
});
