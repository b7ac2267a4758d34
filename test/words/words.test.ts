import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { FORBIDDEN, FORBIDDEN_IN_COMMENTS } from './forbidden.ts';
import { commentsIn, proseIn } from './prose-in.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', '.env.example', 'docs/*.md', 'docs/internals/*.md'];
// Phrases by which frameworks are recognized are theirs.
const FOREIGN: ReadonlySet<string> = new Set(['can not parse ']);
const PART_ID = /`[a-z]+\.[a-z0-9-]+\/[a-z0-9-]+`/g;
const SOURCES = ['suites/**/*.ts', 'src/**/*.ts'];

function forbiddenIn(text: string, phrases = FORBIDDEN): readonly string[] {
  return phrases.flatMap(({ turn, instead }) => {
    const found = turn.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}" (${instead}) in: ${text}`];
  });
}

const sources = globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts', 'src/reference/**'] }).sort();
// The core has words of its own (docs/how-judging-works.md).
const CORE = ['src/oracle/**', 'src/judge/**', 'suites/create/**', 'suites/list/complete*', 'suites/get/durable*', 'test/prove/**'];
const commented = globSync([...SOURCES, 'test/**/*.ts', 'bench/**/*.ts'], { cwd: ROOT, exclude: CORE }).sort();
const documents = globSync(DOCUMENTS, { cwd: ROOT }).sort();

describe('the words', () => {
  test.each(sources)('of %s are plain US English', (file) => {
    expect(
      proseIn(readFileSync(join(ROOT, file), 'utf8'))
        .filter((text) => !FOREIGN.has(text))
        .flatMap((text) => forbiddenIn(text)),
    ).toEqual([]);
  });

  test('of comments are plain US English', () => {
    const found = commented.flatMap((file) =>
      commentsIn(readFileSync(join(ROOT, file), 'utf8')).flatMap((text) =>
        forbiddenIn(text, FORBIDDEN_IN_COMMENTS).map((problem) => `${file}: ${problem}`),
      ),
    );
    expect(found).toEqual([]);
  });

  test.each(documents)('of %s are plain US English', (file) => {
    // Ids of parts are public names, and stay.
    const lines = readFileSync(join(ROOT, file), 'utf8').replaceAll(PART_ID, '').split('\n');
    expect(lines.flatMap((text) => forbiddenIn(text))).toEqual([]);
  });

  test('of the faults and variants of the reference server are plain US English', () => {
    expect([...faults, ...variants].flatMap(({ name, summary }) => forbiddenIn(summary).map((found) => `${name}: ${found}`))).toEqual([]);
  });

  test('are found in strings and templates', () => {
    expect(proseIn("const a = 'two words'; const b = `and so ${a}`; const c = 'one';")).toEqual(['two words', 'and so …']);
    expect(commentsIn('// One.\n/** Two. */\nconst a = 1;')).toHaveLength(2);
    expect(sources).toContain(join('src', 'index.ts'));
    expect(documents).toContain('README.md');
  });
});
