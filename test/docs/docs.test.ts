import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { faults } from '../../proof/faults/index.ts';
import type { Example } from '../../src/cli/commands/explain.ts';
import { CLAUSES_BY_SHAPE } from '../../src/oracle/contradiction-clauses.ts';
import { FAILURE_REASONS } from '../../src/probe/failure.ts';
import { isShortKey } from '../../src/wire/redact.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { DOCUMENT, renderConfiguration } from './configuration.ts';
import { rejectedBy } from './example-run.ts';
import { codeBlocks, PAGES, readPage } from './pages.ts';
import { makeSamples, SAMPLE_COMMAND, shownSamples, withoutFigures } from './sample-run.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] };

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '');

/** The anchor that GitHub generates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string): readonly string[] =>
  [...withoutCode(read(path)).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

type Link = { readonly page: string; readonly target: string };
const links: readonly Link[] = PAGES.flatMap((page) =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
);
const inside = links.filter(({ target }) => !/^(?:https?|mailto):/.test(target));

describe('links of the documentation', () => {
  test('are many', () => {
    expect(inside.length).toBeGreaterThan(20);
  });

  test.for(inside)('$page: $target', ({ page, target }) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(file)).toContain(anchor);
    // Readers of the page in the installed package can follow it.
    expect(
      files.some((shipped) => file === shipped || file.startsWith(`${shipped}/`)),
      `${file} is packed`,
    ).toBe(true);
  });

  const linkedFrom = (from: string): ReadonlySet<string> => {
    const targets = inside
      .filter(({ page, target }) => page === from && !target.startsWith('#'))
      .map(({ target }) => target.split('#')[0] ?? '');
    return new Set(targets.map((target) => join(dirname(from), target)).filter((page) => page.endsWith('.md')));
  };

  test('lead from the README to at most seven pages', () => {
    expect(linkedFrom('README.md').size).toBeLessThanOrEqual(7);
  });

  test.for([
    { index: 'docs/README.md', pages: /^docs\/(?!README|internals\/)/ },
    { index: 'CONTRIBUTING.md', pages: /^docs\/internals\// },
  ])('lead from the README to $index, and from there to every page of its readers', ({ index, pages }) => {
    expect(linkedFrom('README.md')).toContain(index);
    expect(PAGES.filter((page) => pages.test(page) && !linkedFrom(index).has(page))).toEqual([]);
  });
});

test('CONTRIBUTING.md has a line for each folder at the top of the repository, and for no other', () => {
  const ignored = ['.git', ...read('.gitignore').split('\n')].filter((line) => line !== '').map((line) => line.replace(/\/$/, ''));
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !ignored.some((pattern) => matchesGlob(entry.name, pattern)))
    .map(({ name }) => name);
  const named = [...read('CONTRIBUTING.md').matchAll(/^\| `([^` ]+?)\/` +\|/gm)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(folders.toSorted());
});

test('docs/configuration.md is what the options and schemas say: npm run docs:configuration', () => {
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(renderConfiguration());
});

test('No page shows a key that the program warns of', () => {
  const keys = PAGES.flatMap((page) => [...read(page).matchAll(/(?:--api-key |PETSTORE_API_KEY=)(?!\.\.\.)([^\s`$]+)/g)]);
  expect(keys).not.toEqual([]);
  expect(keys.flatMap(([, key = '']) => (isShortKey(key) ? [key] : []))).toEqual([]);
});

describe('the examples of explain: npm run docs:examples', () => {
  const examples = JSON.parse(read('src/cli/commands/examples.json')) as Readonly<Record<string, Example>>;

  test('exist for every clause that a fault breaks', () => {
    expect(Object.keys(examples)).toEqual(clauses.map(({ id }) => id as string).filter((id) => faults.some(({ clause }) => clause === id)));
  });

  test.for(['list.limit-maximum', 'create.category-required', 'auth.challenge'])(
    'show what the server with a fault sends: %s',
    async (id) => {
      const [first] = faults.filter(({ clause }) => clause === id);
      const rejected = await rejectedBy(id, first?.name ?? '');
      expect(examples[id]?.rejected.found).toBe(rejected?.found);
      expect(examples[id]?.rejected.response).toMatch(
        new RegExp(`^${rejected?.exchange.answer.kind === 'answered' ? rejected.exchange.answer.status : 'no'} `),
      );
    },
  );
});

test('docs/runbook.md has a section for every alert, and for no other', () => {
  const { groups } = parse(read('deploy/prometheus/petstore-probe.rules.yml')) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert?: string }[] }[];
  };
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => (alert === undefined ? [] : [alert])));
  const sections = [...read('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(sections).toEqual(alerts);
});

test('docs/runbook.md names all reasons of failures', () => {
  const [, line = ''] = /names the clause and the reason of each of its last runs\. (.*)/.exec(read('docs/runbook.md')) ?? [];
  const named = [...line.matchAll(/`(\w+)`/g)].map(([, reason = '']) => reason);
  expect([...named, 'internal'].toSorted()).toEqual([...FAILURE_REASONS].toSorted());
});

test('The commands of docs/runbook.md say which service and which key', () => {
  const commands = [...read('docs/runbook.md').matchAll(/`petstore-conformance ((?:run|smoke) [^`]+)`/g)].map(
    ([, command = '']) => command,
  );
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) expect(command).toMatch(/ --config FILE --target NAME\b| --base-url URL --api-key-file FILE\b/);
});

test('docs/internals/how-judging-works.md has a row for each folder of the code, and for no other', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rows = [...read('docs/internals/how-judging-works.md').matchAll(/^\| `((?:src\/)?[a-z]+)\/` +\|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual([...folders.map(({ name }) => `src/${name}`), 'suites'].toSorted());
});

test('The README shows what a run prints: npm run docs:samples.', async () => {
  const shown = shownSamples();
  const made = await makeSamples();
  expect(made.failure).toContain('FAIL list.limit-maximum');
  expect(withoutFigures(shown.failure)).toBe(withoutFigures(made.failure));
  expect(withoutFigures(shown.ending)).toBe(withoutFigures(made.ending));
});

test('The README names the command that its sample is of.', () => {
  expect(readPage('README.md')).toContain(SAMPLE_COMMAND);
  expect(codeBlocks('README.md').filter(({ language }) => language === '')).toHaveLength(2);
});

// The table of docs/internals/how-judging-works.md says what the timelines do.

const SHAPES: Readonly<Record<string, readonly [aspect: keyof typeof CLAUSES_BY_SHAPE, shape: keyof (typeof CLAUSES_BY_SHAPE)['value']]>> =
  {
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
  const done = Object.fromEntries(Object.entries(SHAPES).map(([words, [aspect, shape]]) => [words, CLAUSES_BY_SHAPE[aspect][shape]]));
  expect(said).toEqual(done);
});
