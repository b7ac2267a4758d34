import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';

const env = { PETSTORE_API_KEY: 'k-inputs-Zx81mPq' };
const URL = ['--base-url', 'http://127.0.0.1:1/v1'];
const BOMB = [
  'a: &a [x, x, x, x, x, x, x, x, x]',
  ...['b', 'c', 'd', 'e', 'f', 'g'].map(
    (name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdef'.charAt(at)}`).join(', ')}]`,
  ),
];

test.each([
  ['run', ['run', ...URL, '--waivers', 'file.yaml'], 'waivers: [*g]'],
  ['monitor', ['monitor', '--check-config', '--config', 'file.yaml'], 'targets: [*g]'],
])('%s refuses aliases that stand for gigabytes, or for nothing, with file and line', async (_command, args, last) => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'file.yaml'), [...BOMB, last].join('\n'));
  const bomb = await runProgram(args, { cwd, env });
  expect(bomb.stderr).toMatch(/file\.yaml:8: its aliases expand to too much/);
  writeFileSync(join(cwd, 'file.yaml'), `# first line\n${last}`);
  const unknown = await runProgram(args, { cwd, env });
  expect(unknown.stderr).toMatch(/file\.yaml:2: the alias \*g is undefined/);
  for (const { code, stdout, stderr } of [bomb, unknown]) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(/\n {4}at /);
  }
});

test.each(['.env', 'key'])('a pipe in the place of %s does not hang the command', async (name) => {
  const cwd = ownFolder();
  execFileSync('mkfifo', [join(cwd, name)]);
  const { code, stderr } = await runProgram(['smoke', ...URL, '--api-key-file', 'key'], { cwd });
  expect(stderr).toMatch(/^error: cannot read .*: it is not a regular file/);
  expect(code).toBe(2);
});

test.each(['.env', 'key'])('a %s of more than 64 KB is not read', async (name) => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, name), '', { mode: 0o600 });
  truncateSync(join(cwd, name), 64 * 1024 + 1);
  const { code, stderr } = await runProgram(['smoke', ...URL, '--api-key-file', 'key'], { cwd });
  expect(stderr).toMatch(/^error: cannot read .*: it is larger than 64 KB/);
  expect(code).toBe(2);
});

test('a monitor may have secrets in variables of any name, in .env too', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), 'PETSTORE_STAGING_KEY=k-inputs-Zx81mPq\n', { mode: 0o600 });
  const target = '{ name: staging, baseUrl: "http://127.0.0.1:1/v1", apiKey: "env:PETSTORE_STAGING_KEY" }';
  writeFileSync(join(cwd, 'monitor.yaml'), `targets: [${target}]\n`);
  const { code, stderr } = await runProgram(['monitor', '--check-config', '--config', 'monitor.yaml'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
