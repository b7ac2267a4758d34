import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWholeProgram } from '../../src/cli/program.ts';
import { SUMMARIES } from '../../src/cli/summaries.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const ROOT = new URL('../../', import.meta.url);
const NOTES = new URL('../support/note-imports.ts', import.meta.url).href;
const URL_OF_NOBODY = ['--base-url', 'http://127.0.0.1:1/v1'];

type Loaded = { readonly own: readonly string[]; readonly packages: readonly string[] };

/** What the main thread of a command loads: files of the project, and packages. */
async function loadedBy(args: readonly string[], code: number): Promise<Loaded> {
  const file = join(ownFolder(), 'imports.json');
  const env = { NODE_OPTIONS: `--import=${NOTES}`, NOTED_IMPORTS: file, PETSTORE_API_KEY: 'k-imports-Rt52' };
  const ended = await runProgram(args, { env });
  expect(ended.code, ended.stderr).toBe(code);
  const urls = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  const ofPackages = urls.filter((url) => url.includes('/node_modules/'));
  const packages = ofPackages.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? url);
  const own = urls.filter((url) => url.startsWith(ROOT.href) && !ofPackages.includes(url)).map((url) => url.slice(ROOT.href.length));
  return { own: own.filter((path) => !NOTES.endsWith(path)), packages: [...new Set(packages)].toSorted() };
}

const AJV = ['ajv', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'];
const CLIENT = [...AJV, 'commander', 'dotenv', 'undici'];
/** For lists and reports that fit the terminal. */
const WRAPPING = ['fast-string-truncated-width', 'fast-string-width', 'fast-wrap-ansi'];

/** What requests are made of. */
const REQUESTS = ['big-list-of-naughty-strings', 'fast-check', 'pure-rand'];

/** Each command with the packages that it may load. */
const COMMANDS: readonly {
  readonly args: readonly string[];
  readonly code?: number;
  readonly packages: readonly string[];
}[] = [
  { args: ['--help'], packages: ['commander'] },
  { args: ['--version'], packages: ['commander'] },
  { args: ['judge'], code: 2, packages: ['commander', 'dotenv'] },
  { args: ['help', 'smoke'], packages: ['commander', 'dotenv'] },
  { args: ['run', '--help'], packages: ['commander', 'dotenv'] },
  { args: ['run'], code: 2, packages: ['commander', 'dotenv'] },
  { args: ['smoke', ...URL_OF_NOBODY, '--format', 'prometheus'], code: 3, packages: [...CLIENT, ...REQUESTS] },
  { args: ['smoke', ...URL_OF_NOBODY], code: 3, packages: [...CLIENT, ...WRAPPING, ...REQUESTS] },
  { args: ['doctor', ...URL_OF_NOBODY], code: 3, packages: [...CLIENT, ...WRAPPING, ...REQUESTS] },
  { args: ['explain', 'faults'], packages: ['commander', 'dotenv', ...WRAPPING] },
];

describe('a command loads nothing but what it needs', () => {
  test.for(COMMANDS)('$args', async ({ args, code = 0, packages }) => {
    const loaded = await loadedBy(args, code);
    expect(loaded.packages.filter((name) => !packages.includes(name))).toEqual([]);
    expect(loaded.own).toContain('src/cli/main.ts');
  });

  test('a run judges in a thread: its main thread loads no suite, no client and no generator', async () => {
    const { own, packages } = await loadedBy(['run', ...URL_OF_NOBODY, '--reporter', 'terminal'], 3);
    expect(own.filter((path) => path.startsWith('suites/') || path.startsWith('src/wire/client'))).toEqual([]);
    expect(packages.filter((name) => [...AJV, 'undici', 'fast-check', 'yaml'].includes(name))).toEqual([]);
    expect(packages).toContain('vitest');
  });
});

test('--help names all commands, with their summaries', async () => {
  const { commands } = await createWholeProgram();
  expect(Object.fromEntries(commands.map((command) => [command.name(), command.description()]))).toEqual(SUMMARIES);
  const { stdout } = await runProgram(['--help']);
  for (const name of Object.keys(SUMMARIES)) expect(stdout).toMatch(new RegExp(`^  ${name} {2,}\\w`, 'm'));
});
