import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { FORBIDDEN } from './forbidden.ts';
import { proseIn } from './prose-in.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', '.env.example', 'docs/*.md'];
// Phrases by which frameworks are recognized are theirs.
const FOREIGN: ReadonlySet<string> = new Set(['can not parse ']);
const PART_ID = /`[a-z]+\.[a-z0-9-]+\/[a-z0-9-]+`/g;
const SOURCES = ['suites/**/*.ts', 'src/**/*.ts'];

function forbiddenIn(text: string): readonly string[] {
  return FORBIDDEN.flatMap(({ turn, instead }) => {
    const found = turn.exec(text)?.[0];
    return found === undefined ? [] : [`"${found}" (${instead}) in: ${text}`];
  });
}

const sources = globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts', 'src/reference/**'] }).sort();
const documents = globSync(DOCUMENTS, { cwd: ROOT }).sort();

describe('the words', () => {
  test.each(sources)('of %s are plain US English', (file) => {
    expect(
      proseIn(readFileSync(join(ROOT, file), 'utf8'))
        .filter((text) => !FOREIGN.has(text))
        .flatMap(forbiddenIn),
    ).toEqual([]);
  });

  test.each(documents)('of %s are plain US English', (file) => {
    // Ids of parts are public names, and stay.
    const lines = readFileSync(join(ROOT, file), 'utf8').replaceAll(PART_ID, '').split('\n');
    expect(lines.flatMap(forbiddenIn)).toEqual([]);
  });

  test('of the faults and variants of the reference server are plain US English', () => {
    expect([...faults, ...variants].flatMap(({ name, summary }) => forbiddenIn(summary).map((found) => `${name}: ${found}`))).toEqual([]);
  });

  test('occur in most files', () => {
    const found = sources.filter((file) => proseIn(readFileSync(join(ROOT, file), 'utf8')).length > 0);
    expect(found.length).toBeGreaterThan(200);
    expect(documents.length).toBeGreaterThan(3);
  });
});
