import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { resolveOptions, type Specs } from '../../src/cli/option-spec.ts';
import { outputOptions, replayOptions, runOptions, smokeOptions, targetOptions } from '../../src/cli/options.ts';
import { createProgram } from '../../src/cli/program.ts';
import { selectClauses } from '../../src/judge/selection.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { clauses } from '../../suites/index.ts';

type Manifest = {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;

/** Options whose values are read once the command runs. */
const TABLES: Readonly<Record<string, Specs>> = {
  run: { ...runOptions, ...outputOptions },
  smoke: { ...targetOptions, ...smokeOptions },
  replay: { ...targetOptions, ...replayOptions },
};
const EXAMPLE_URL = 'https://pets.example/v1';

/** The words of a line, split as by a shell: quotes removed, a comment left out, variables of addresses filled in. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:^|(?<=\s))#.*$|(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words
    .filter((word) => !word.startsWith('#'))
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2').replaceAll(/\$\w*URL\b/g, EXAMPLE_URL));
}

/** The commands of a block, each as its words: continued lines joined, chained ones split, assignments before them left out. */
export function commandsOf(block: string): readonly (readonly string[])[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines
    .flatMap((line) => line.split(' && '))
    .map((line) => wordsOf(line))
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter((words) => words.length > 0);
}

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
  expect(selectClauses(clauses, { only, skip, exhaustive: true }).length).toBeGreaterThan(0);
  const faultNames = faults.map((fault) => fault.name as string);
  const chosen = (options['fault'] ?? []) as readonly string[];
  expect(faultNames).toEqual(expect.arrayContaining([...chosen]));
  if (name === 'explain') expect([...faultNames, ...clauses.map(({ id }) => id as string)]).toEqual(expect.arrayContaining([...named]));
}

/** Checks a command on a page: one of ours is parsed completely, one of npm has an existing script or package, one of vitest has tests. */
export async function expectCommand(words: readonly string[]): Promise<void> {
  const [program, first = '', ...rest] = words;
  if (program === 'petstore-conformance') return expectOurs(words.slice(1));
  if (program === 'npx' && first === 'vitest') {
    const tests = rest.filter((word) => word !== 'run' && !word.startsWith('-'));
    expect(tests, words.join(' ')).not.toEqual([]);
    for (const path of tests) expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
    return;
  }
  if (program === 'npx') {
    expect(first).toBe(manifest.name);
    return expectOurs(rest);
  }
  expect(program, words.join(' ')).toBe('npm');
  if (first === 'ci') return;
  if (first === 'install') {
    const packages = rest.filter((word) => !word.startsWith('-'));
    expect([manifest.name, ...Object.keys(manifest.peerDependencies)]).toEqual(expect.arrayContaining(packages));
    return;
  }
  const [script = first, ...args] = first === 'run' ? rest.filter((word) => word !== '-s') : [];
  expect(Object.keys(manifest.scripts)).toContain(script);
  if (script === 'cli') await expectOurs(args.slice(1));
}
