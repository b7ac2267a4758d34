import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { describe, expect, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { variants } from '../../proof/variants/index.ts';

/** A phrase that our texts do not use, and what to write instead. */
type Forbidden = { readonly turn: RegExp; readonly instead: string };

const FORBIDDEN: readonly Forbidden[] = [
  { turn: /(?<!\bthere )\b(?:is|are|was|were|be|being) no (?!longer\b|more\b)/i, instead: 'is not a' },
  { turn: /\bbehind\b(?! (?:a|the|your) (?:proxy|proxies|gateway|load balancer|firewall)\b)/i, instead: 'after' },
  { turn: /\bbeside\b/i, instead: 'next to, in addition to' },
  { turn: /\bfor ?ever\b/i, instead: 'permanently, continuously' },
  { turn: /\b(?:what|that|which|answers?|responses?|requests?) (?:came|comes)\b/i, instead: 'received' },
  { turn: /\bmeanwhile\b/i, instead: 'in the meantime' },
  { turn: /\ball the same\b/i, instead: 'anyway' },
  { turn: /\bbelongs? into\b/i, instead: 'belongs in' },
  { turn: /\bas good (?:an?|as)\b/i, instead: 'also accepted' },
  { turn: /\bneed not\b/i, instead: 'does not have to' },
  { turn: /\bin such a way\b/i, instead: 'so' },
  { turn: /\b(?:is|are|was|were|be|been|being) answered\b|\banswered \d/i, instead: 'returned' },
  { turn: /\banswers? (?:with )?\d/i, instead: 'returns' },
  { turn: /\bright key\b/i, instead: 'API key' },
  { turn: /\blets? (?:\w+ )?in\b(?! the)/i, instead: 'accepts' },
  { turn: /\bas far as\b/i, instead: 'if, where' },
  {
    turn: /\b(?:is|are|was|were|be|been|gets?|services?|servers?|it|they|that|which) refused?s?\b|\brefused with\b|\brefusals?\b/i,
    instead: 'rejected',
  },
  { turn: /\bwhole number\b/i, instead: 'integer' },
  { turn: /\bcan not\b/i, instead: 'cannot' },
  { turn: /\bnow and then\b/i, instead: 'intermittently' },
  { turn: /\bother than (?:it|they) should\b|\botherwise than\b/i, instead: 'differently than' },
  { turn: /\bsweeps?\b/i, instead: 'exhaustive checks' },
  { turn: /\bturmoil\b|\bmisfits?\b|\bsightings?\b/i, instead: 'a word that the reader knows' },
  { turn: /\bbehaviour|colour|serialis|normalis|recognis|initialis|summaris|\bcentre\b|\bneighbour/i, instead: 'US spelling' },
  { turn: /\b(?:usual cause|hint)s?\b/i, instead: 'likely cause' },
  { turn: /\bdemand(?:s|ed)?\b/i, instead: 'requires' },
  { turn: /\bmay (?:be )?as well\b/i, instead: 'may also' },
];

/** Phrases that comments do not use either. They are also allowed to name what texts for users avoid, such as a proxy behind another. */
const FORBIDDEN_IN_COMMENTS: readonly Forbidden[] = [
  { turn: /\bunless (?:it |they )?(?:is |are )?(?:said|told) otherwise\b/i, instead: 'by default' },
  { turn: /\b(?:a|one) (?:line|row|block|request|test|suite|case|entry|bar|tile) an? (?!few\b|bit\b)\w+/i, instead: 'one per' },
  { turn: /\b(?:comes?|came) again\b/i, instead: 'recurs' },
  { turn: /\bwhat (?:came|becomes?|became|has become) of\b|\bc[ao]me to something\b/i, instead: 'the result of' },
  { turn: /\b(?:says?|said|tells?|told) (?:nothing |anything |something )?of\b/i, instead: 'about' },
  { turn: /\bso (?:many|much) (?:a|at|per)\b/i, instead: 'this many' },
  { turn: /\b(?:is|be|was) had\b/i, instead: 'exists' },
  { turn: /\bunder way\b/i, instead: 'in flight, running' },
  { turn: /\bhears?\b|\bheard\b/i, instead: 'receives' },
  // Public names stay: `refused` is a value of credentials, and part of ids.
  { turn: /(?<![-.`'])\brefus(?:e|ed|es|ing|als?)\b(?![-`'])/i, instead: 'rejected' },
  { turn: /\bright key\b|\blets? (?:\w+ )?in\b(?! the)|\bmeanwhile\b|\bfor ?ever\b|\bbeside\b/i, instead: 'the same as in texts' },
];

const PROSE = /[A-Za-z]{2,}[,;:]? [A-Za-z`$]/;

/** The sentences and phrases in a source file: string literals and templates of more than one word, with … for substitutions. */
function proseIn(source: string): readonly string[] {
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
function commentsIn(source: string): readonly string[] {
  return [...source.matchAll(COMMENT)].map(([, block, line]) =>
    (block ?? line ?? '')
      .replaceAll(/\n[ \t]*\*/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

const ROOT = join(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'AGENTS.md',
  'SECURITY.md',
  '.env.example',
  'docs/*.md',
  'docs/internals/*.md',
];
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
const commented = globSync([...SOURCES, 'test/**/*.ts', 'proof/**/*.ts', 'bench/**/*.ts'], { cwd: ROOT }).sort();
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
