import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';
import { BASH, FISH, needs, ZSH } from '../support/tool.ts';

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
  expect(of('list', 'f')).toEqual(['faults']);
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
  expect(of('petstore-conformance comp').toSorted()).toEqual(['compare', 'completion']);
  expect(of('petstore-conformance run --depth ').toSorted()).toEqual(['quick', 'standard', 'thorough']);
});
