import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Module state that outlives a run: a variable, or a collection that starts empty or is weak. */
const STATE =
  /^(?:export )?(?:let|var) .*|^(?:export )?const .*= (?:\[\]|\{\}|new (?:Map|Set)(?:<.*>)?\(\)|new Weak(?:Map|Set|Ref)\b.*);?$/gm;

const stateIn = (text: string): readonly string[] => [...text.matchAll(STATE)].map(([line]) => line);

test('no module in suites/ remembers anything from one run to the next', () => {
  const paths = globSync('suites/**/*.ts', { cwd: ROOT });
  expect(paths).toContain(join('suites', 'index.ts'));
  const found = paths.flatMap((path) => stateIn(readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}: ${line}`));
  expect(found).toEqual([]);
});

test.each([
  'let count = 0;',
  'const seen = new WeakMap<Session, number>();',
  'export const names = new Set<string>();',
  'const all: string[] = [];',
])('%s at the top of a module would be found', (line) => {
  expect(stateIn(`import a from './a.ts';\n${line}\n`)).toEqual([line]);
});
