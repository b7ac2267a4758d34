import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { LISTS } from '../../src/cli/lists.ts';
import { resolveOptions, type Specs } from '../../src/cli/option-spec.ts';
import { outputOptions, runOptions, smokeOptions, targetOptions } from '../../src/cli/options.ts';
import { createProgram } from '../../src/cli/program.ts';
import { selectClauses } from '../../src/judge/selection.ts';
import { parseWaivers } from '../../src/judge/waiver-file.ts';
import type { AlertEvent } from '../../src/probe/alerts/event.ts';
import { FAULTS } from '../../src/reference/faults.ts';
import { renderOneline } from '../../src/report/render-oneline.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { loadText } from '../probe/load-text.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { commandsOf, containerRunOf } from './commands.ts';
import { type CodeBlock, codeBlocks, PAGES, readPage } from './pages.ts';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;

/** Options whose values are read once the command runs. */
const TABLES: Readonly<Record<string, Specs>> = {
  run: { ...runOptions, ...outputOptions },
  smoke: { ...targetOptions, ...smokeOptions },
};
/** Parses one of our command lines as the program does, including values, and looks up the ids in it. */
async function expectOurs(args: readonly string[]): Promise<void> {
  const [name] = args;
  const program = await createProgram(args, (text) => expect.fail(text));
  const command = program.commands.find((one) => one.name() === name);
  expect(command, `the command ${name}`).toBeDefined();
  let parsed: { readonly named: readonly string[]; readonly options: Readonly<Record<string, unknown>> } | undefined;
  command?.action((...given) => {
    parsed = { named: command.args, options: command.opts() };
    expect(given.length).toBeGreaterThan(0);
  });
  await program.parseAsync([...args], { from: 'user' });
  expect(parsed, `${args.join(' ')} is parsed`).toBeDefined();
  const { named = [], options = {} } = parsed ?? {};
  const resolved = resolveOptions(TABLES[name ?? ''] ?? {}, options, {}) as Readonly<Record<string, unknown>>;
  const { only = [], skip = [] } = resolved as { only?: readonly string[]; skip?: readonly string[] };
  expect(() => selectClauses(clauses, { only, skip })).not.toThrow();
  const faultNames = Object.keys(FAULTS);
  const chosen = (options['fault'] ?? []) as readonly string[];
  expect(faultNames).toEqual(expect.arrayContaining([...chosen]));
  if (name === 'explain')
    expect([...LISTS, ...faultNames, ...clauses.map(({ id }) => id as string)]).toEqual(expect.arrayContaining([...named]));
}

/** Checks a command on a page: one of ours is parsed completely, one of npm has an existing script or package, one of vitest has tests, one of Docker mounts where it works. */
async function expectCommand(words: readonly string[]): Promise<void> {
  const [program, first = '', ...rest] = words;
  if (program === 'petstore-conformance') return expectOurs(words.slice(1));
  if (program === 'npx' && first === 'vitest') {
    const tests = rest.filter((word) => word !== 'run' && !word.startsWith('-'));
    expect(tests, words.join(' ')).not.toEqual([]);
    for (const path of tests) expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
    return;
  }
  if (program === 'docker') {
    const { image, mounts, workdir, args } = containerRunOf(words);
    expect(image).toBe(`ghcr.io/OWNER/petstore-conformance:${manifest.version}`);
    expect(mounts).toEqual([`$PWD:${workdir}`]);
    return expectOurs(args);
  }
  if (program === 'npx') {
    expect(first).toBe(manifest.name);
    return expectOurs(rest);
  }
  expect(program, words.join(' ')).toBe('npm');
  if (first === 'ci') return;
  if (first === 'install') {
    const packages = rest.filter((word) => !word.startsWith('-'));
    expect([manifest.name]).toEqual(expect.arrayContaining(packages));
    return;
  }
  const [script = first, ...args] = first === 'run' ? rest.filter((word) => word !== '-s') : [];
  expect(Object.keys(manifest.scripts)).toContain(script);
  if (script === 'cli') await expectOurs(args.slice(1));
}

const ROOT = join(import.meta.dirname, '../..');
const blocks = PAGES.flatMap((page) => codeBlocks(page));

/** How a kind of block is checked. */
type Kind = { readonly applies: (block: CodeBlock) => boolean; readonly check: (block: CodeBlock) => Promise<void> | void };

const within = (page: string, language: string, part: RegExp) => (block: CodeBlock) =>
  block.page === page && block.language === language && part.test(block.text);

const EVENT = {
  ...{ version: 1, dedupId: '', status: 'firing', target: '', clause: '', reason: '', summary: '', condition: '', since: '', at: '' },
  ...{ failures: 0, total: 0, link: '' },
} as const satisfies AlertEvent;

/** The context in which a part of a configuration is checked. */
const TARGET = 'targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n';

const CODE = globSync('{src,suites}/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', 'src/reference/**'] })
  .map((file) => readPage(file))
  .join('\n');

/** Whether the code declares something of that name, has a member of that name, or has it as a literal. */
function isName(word: string): boolean {
  return new RegExp(`\\b(?:type|function|const) ${word}\\b|^ *(?:readonly )?${word}\\??[:(]|'${word}'`, 'm').test(CODE);
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a command line': {
    applies: ({ language }) => language === 'sh',
    check: async ({ text }) => {
      const commands = commandsOf(text);
      expect(commands.length).toBeGreaterThan(0);
      for (const words of commands) await expectCommand(words);
    },
  },
  'a file that tests compile and run': {
    applies: ({ page, language }) => page === 'docs/internals/adding.md' && language === 'ts',
    check: ({ text }) => {
      expect(
        globSync('test/guide/*.{causes,clause,faults,mechanism,metrics,options,report,values,variants}.ts', { cwd: ROOT }).map((file) =>
          readPage(file),
        ),
      ).toContain(text);
    },
  },
  'code of the library, which test/library/api.test.ts compiles': {
    applies: ({ language, text }) => language === 'ts' && text.includes("from '@petstore-conformance/cli'"),
    check: ({ text }) => expect(text).toMatch(/^import /),
  },
  'a program for report.json, which agents.test.ts runs': {
    applies: within('AGENTS.md', 'js', /report\.json/),
    check: ({ text }) => expect(text).toMatch(/^import /),
  },
  'the way of a request, on a page whose words are those of the code': {
    applies: within('docs/internals/how-judging-works.md', 'mermaid', /^flowchart/),
    check: () => {
      const words = [...readPage('docs/internals/how-judging-works.md').matchAll(/`([a-zA-Z]+)`/g)].map(([, word = '']) => word);
      expect(words.length).toBeGreaterThan(10);
      expect(words.filter((word) => !isName(word))).toEqual([]);
    },
  },
  'what a run prints, which docs.test.ts compares': {
    applies: within('README.md', '', /^(?:FAIL|Not conformant)/),
    check: ({ text }) => expect(text).toContain('list.limit-maximum'),
  },
  'what --format oneline prints': {
    applies: within('docs/pipelines.md', 'text', /^not-conformant /),
    check: ({ text }) => {
      const wordsIn = (line: string): string => line.trim().replaceAll(/=\S+/g, '=');
      expect(wordsIn(text)).toBe(wordsIn(renderOneline(sampleRecord())));
    },
  },
  'a file of waivers': {
    applies: ({ language, text }) => language === 'yaml' && text.startsWith('waivers:'),
    check: ({ text }) => expect(parseWaivers(text, 'waivers.yaml').length).toBeGreaterThan(0),
  },
  'a configuration of the monitor': {
    applies: ({ language, text }) =>
      language === 'yaml' && /^(?:targets|defaults|modules|server|webhooks|alertmanagers|heartbeat|data|maintenance):/m.test(text),
    check: ({ text: shown }) => {
      const text = /^targets:/m.test(shown) ? shown : `${shown}${TARGET}`;
      const { config, problems } = loadText(text.replaceAll(/"?(?:file:|env:)[^\s"},]+"?/g, 'env:KEY'), {
        KEY: 'https://hooks.example/key-471100',
      });
      expect(problems).toBe('');
      expect(config?.targets.length).toBeGreaterThan(0);
    },
  },
  'steps of GitHub Actions': {
    applies: ({ language, text }) => language === 'yaml' && /uses: OWNER\/petstore-conformance@/.test(text),
    check: ({ text }) => {
      type Action = { readonly inputs: Readonly<Record<string, unknown>>; readonly outputs: Readonly<Record<string, unknown>> };
      const action = parse(readPage('action.yml')) as Action;
      const steps = parse(text) as readonly { readonly id?: string; readonly with?: Readonly<Record<string, string>> }[];
      for (const step of steps) expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with ?? {})));
      const used = [...text.matchAll(/steps\.(\w+)\.outputs\.([\w-]+)/g)];
      expect(used.length).toBeGreaterThan(0);
      for (const [, id = '', output = ''] of used) {
        expect(steps.map((step) => step.id)).toContain(id);
        expect(Object.keys(action.outputs)).toContain(output);
      }
    },
  },
  'what a webhook gets': {
    applies: ({ language, text }) => language === 'json' && text.includes('dedupId'),
    check: ({ text }) => {
      const shown = JSON.parse(text) as Record<string, unknown>;
      expect(Object.keys(shown)).toEqual(Object.keys(EVENT));
      const typesOf = (event: Readonly<Record<string, unknown>>) => Object.values(event).map((value) => typeof value);
      expect(typesOf(shown)).toEqual(typesOf(EVENT));
    },
  },
};

test('There are many blocks of code.', () => {
  expect(blocks.length).toBeGreaterThan(25);
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').match(/^```/gm)).toHaveLength(2 * codeBlocks('README.md').length);
});

describe.each(blocks)('$page, line $line', (block) => {
  test('is checked', async () => {
    const kind = Object.entries(KINDS).find(([, { applies }]) => applies(block));
    expect(kind?.[0], `a check of this block of ${block.language || 'text'}`).toBeDefined();
    await kind?.[1].check(block);
  });
});
