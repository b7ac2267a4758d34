import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { MAIN, ownFolder, runProgram } from '../support/program.ts';
import { BASH, FISH, needs, SCRIPT, ZSH } from '../support/tool.ts';

async function scriptFor(shell: 'bash' | 'zsh' | 'fish'): Promise<string> {
  const { code, stdout } = await runProgram(['completion', shell]);
  expect(code).toBe(0);
  const file = join(ownFolder(), `completion.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

/** What bash offers for the words of a line, the last of which is being written. */
function completed(file: string, words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `source '${file}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _petstore_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: '/' });
  // Outside of readline there is nothing for compopt to change.
  expect(stderr.replace(/.*compopt.*\n/g, '')).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

test('bash completes commands, options, and the values of options and arguments', async (context) => {
  needs(context, BASH);
  const file = await scriptFor('bash');
  const of = (...words: readonly string[]) => completed(file, ['petstore-conformance', ...words]);
  expect(of('re')).toEqual(['reference', 'report', 'replay']);
  expect(of('run', '--ba')).toEqual(['--base-url', '--bail', '--baseline']);
  expect(of('run', '--depth', '')).toEqual(['quick', 'standard', 'thorough']);
  expect(of('run', '--reference', '--reporter', 'j')).toEqual(['junit', 'json']);
  expect(of('explain', 'f')).toEqual(['faults']);
  expect(of('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  expect(of('run', '--waivers', 'et')).toEqual(['etc']);
  expect(of('run', '--base-url', '')).toEqual([]);
});

test('every command and every option of the help is completed', async (context) => {
  needs(context, BASH);
  const file = await scriptFor('bash');
  const { stdout: help } = await runProgram(['--help']);
  const commands = [...help.matchAll(/^ {2}([a-z]+) +\S/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
  expect(commands.length).toBeGreaterThan(10);
  expect(completed(file, ['petstore-conformance', ''])).toEqual(expect.arrayContaining(commands));
  const { stdout: ofRun } = await runProgram(['run', '--help']);
  const options = [...ofRun.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, name = '']) => name);
  expect(options.length).toBeGreaterThan(30);
  expect(completed(file, ['petstore-conformance', 'run', '--']).toSorted()).toEqual(options.toSorted());
});

test('zsh reads its script and offers the values of an option', async (context) => {
  needs(context, ZSH);
  const file = await scriptFor('zsh');
  expect(spawnSync('zsh', ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('fish completes commands and the values of options', async (context) => {
  needs(context, FISH);
  const file = await scriptFor('fish');
  const of = (line: string): readonly string[] =>
    spawnSync('fish', ['--no-config', '-c', `source '${file}'; complete -C '${line}'`], { encoding: 'utf8' })
      .stdout.split('\n')
      .map((one) => one.split('\t')[0] ?? '')
      .filter((one) => one !== '');
  expect(of('petstore-conformance rep').toSorted()).toEqual(['replay', 'report']);
  expect(of('petstore-conformance run --depth ').toSorted()).toEqual(['quick', 'standard', 'thorough']);
});

const KEY = 'k-terminal-Wd84sNc';

/** What a command prints in a terminal of so many columns. */
async function inTerminal(
  columns: number,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const command = `stty cols ${columns}; '${process.execPath}' '${MAIN}' ${args.map((arg) => `'${arg}'`).join(' ')} 2>/dev/null`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: KEY, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).replaceAll('\r', '').trimEnd().split('\n');
}

test.for([100, 80, 50])('explain keeps to a terminal of %i columns', async (columns, context) => {
  needs(context, SCRIPT);
  for (const args of [
    ['explain', 'list.limit-maximum/small'],
    ['explain', 'clauses'],
    ['explain', 'checks'],
    ['explain', 'faults'],
  ]) {
    const lines = await inTerminal(columns, args);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test.for([80, 50])('run keeps to a terminal of %i columns, except commands to copy', async (columns, context) => {
  needs(context, SCRIPT);
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['limit-plus-one'] });
  onTestFinished(() => server.close());
  const args = [
    'run',
    '--base-url',
    server.baseUrl,
    '--only',
    'list.limit-maximum/small',
    '--only',
    'list.success',
    '--reports',
    ownFolder(),
  ];
  const plain = await inTerminal(columns, args, { NO_COLOR: '1' });
  expect(
    plain.filter(
      (line) => line.length > columns && !/^ *(?:(?:try +)?curl|Only these again:|Sent again:) |reference (?:--fault|--port) /.test(line),
    ),
  ).toEqual([]);
  expect(plain.join('\n')).toContain('FAIL list.limit-maximum');
  expect(
    plain.slice(plain.findIndex((line) => line.startsWith('petstore-conformance'))).some((line) => line !== stripVTControlCharacters(line)),
  ).toBe(false);
  const colored = await inTerminal(columns, args);
  expect(colored.some((line) => line.includes('\u001b[31m'))).toBe(true);
});
