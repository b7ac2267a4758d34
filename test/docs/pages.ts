// Pages of the documentation: where they are, their blocks, and tables in them.

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** The pages for readers and contributors. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'AGENTS.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }).toSorted(),
];

/** A fenced block: its language is empty if the fence names none. */
export type CodeBlock = { readonly page: string; readonly line: number; readonly language: string; readonly text: string };

export function readPage(page: string): string {
  return readFileSync(fileURLToPath(new URL(page, ROOT)), 'utf8');
}

/** The fenced blocks of a page, in order. */
export function codeBlocks(page: string): readonly CodeBlock[] {
  const text = readPage(page);
  return [...text.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: block = '', index }) => ({
    ...{ page, language, text: block },
    line: text.slice(0, index).split('\n').length,
  }));
}

/** A table in Biome's format. */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const [head = [], ...body] = rows;
  const widths = head.map((_name, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line)];
}
