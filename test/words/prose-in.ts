import { parseSync } from '@swc/core';

const PROSE = /[A-Za-z]{2,}[,;:]? [A-Za-z`$]/;

/** The sentences and phrases in a source file: string literals and templates of more than one word, with … for substitutions. */
export function proseIn(source: string): readonly string[] {
  const found: string[] = [];
  visit(parseSync(source, { syntax: 'typescript' }), found);
  return found.filter((text) => PROSE.test(text));
}

function visit(node: unknown, found: string[]): void {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: readonly { cooked?: string }[] };
  if (type === 'StringLiteral' && typeof value === 'string') found.push(value);
  if (type === 'TemplateLiteral' && quasis !== undefined) found.push(quasis.map(({ cooked }) => cooked ?? '').join('…'));
  for (const child of Object.values(node)) visit(child, found);
}

const COMMENT = /^[ \t]*\/\*\*?([\s\S]*?)\*\/|^[ \t]*\/\/(.*)$/gm;

/** The comments of a source file that begin a line, each as one text. */
export function commentsIn(source: string): readonly string[] {
  return [...source.matchAll(COMMENT)].map(([, block, line]) =>
    (block ?? line ?? '')
      .replaceAll(/\n[ \t]*\*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}
