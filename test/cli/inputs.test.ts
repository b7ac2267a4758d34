import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Behavior } from '../../src/report/behavior.ts';
import { outputProblems } from '../hostile/outputs.ts';
import { ownFolder, runProgram } from '../support/program.ts';

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
])('%s rejects aliases that expand to gigabytes, or to nothing, with file and line', async (_command, args, last) => {
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

const SIDE = { target: 'http://x/v1', startedAt: '2026-11-22T00:00:00.000Z', toolVersion: '1.0.0' };
const NOTHING = { clauses: {}, observations: {}, statuses: {}, headers: {}, members: {}, run: SIDE };
const BEHAVIOR = { kind: 'behavior', version: 1, ...NOTHING };

test.each([
  ['a clause that is null', { clauses: { 'list.success': null } }, '/clauses/list.success must be object'],
  ['statuses that are a number', { statuses: { listPets: 7 } }, '/statuses/listPets must be array'],
  ['a run of no date', { run: { ...SIDE, startedAt: 'today' } }, '/run/startedAt must match format'],
])('run --baseline rejects a behavior.json with %s in one sentence', async (_case, changes, words) => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'damaged.json'), JSON.stringify({ ...BEHAVIOR, ...changes }));
  const { code, stdout, stderr } = await runProgram(['run', '--reference', '--baseline', 'damaged.json'], { cwd });
  expect(stderr).toContain(`error: could not read damaged.json: it is damaged (${words}`);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('run --baseline shows the texts of a behavior.json, and nothing in them is active', async () => {
  const words = '\n::error::owned\u001b]0;owned\u0007 ##vso[task.complete]\u202e [x](https://evil.example) <evil-element>';
  const cwd = ownFolder();
  const args = ['run', '--reference', '--read-only', '--only', 'list.limit-out-of-range'];
  await runProgram([...args, '--reports', 'before'], { cwd });
  const behavior = JSON.parse(readFileSync(join(cwd, 'before', 'behavior.json'), 'utf8')) as Behavior;
  const hostile = Object.entries(behavior.observations).map(([clause, questions]) => [
    clause,
    Object.fromEntries(Object.keys(questions).map((question) => [question, words])),
  ]);
  writeFileSync(join(cwd, 'hostile.json'), JSON.stringify({ ...behavior, observations: Object.fromEntries(hostile) }));
  const { code, stdout } = await runProgram([...args, '--baseline', 'hostile.json'], { cwd });
  expect({ code, owned: stdout.includes('owned') }).toEqual({ code: 1, owned: true });
  expect(outputProblems('output.txt', stdout)).toEqual([]);
  for (const file of readdirSync(join(cwd, 'reports')))
    expect(outputProblems(file, readFileSync(join(cwd, 'reports', file), 'utf8'))).toEqual([]);
});

test('a monitor may have secrets in variables of any name, in .env too', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), 'PETSTORE_STAGING_KEY=k-inputs-Zx81mPq\n', { mode: 0o600 });
  const target = '{ name: staging, baseUrl: "http://127.0.0.1:1/v1", apiKey: "env:PETSTORE_STAGING_KEY" }';
  writeFileSync(join(cwd, 'monitor.yaml'), `targets: [${target}]\n`);
  const { code, stderr } = await runProgram(['monitor', '--check-config', '--config', 'monitor.yaml'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
