import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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

test.each([
  ['.env', [], `PETSTORE_API_KEY=${env.PETSTORE_API_KEY}\n`],
  ['key', ['--api-key-file', 'key'], `${env.PETSTORE_API_KEY}\n`],
])('a pipe in the place of %s is read', async (name, args, text) => {
  const cwd = ownFolder();
  execFileSync('mkfifo', [join(cwd, name)]);
  const judged = runProgram(['smoke', ...URL, ...args], { cwd });
  await writeFile(join(cwd, name), text, { flag: 'a' });
  const { code, stdout } = await judged;
  expect(stdout).toContain('127.0.0.1 port 1');
  expect(code).toBe(3);
});

test.each([
  ['.env', []],
  ['key', ['--api-key-file', 'key']],
])('a %s of more than 64 KB is not read', async (name, args) => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, name), '', { mode: 0o600 });
  truncateSync(join(cwd, name), 64 * 1024 + 1);
  const { code, stderr } = await runProgram(['smoke', ...URL, ...args], { cwd });
  expect(stderr).toMatch(/^(?:warning|error): cannot read .*: it is larger than 64 KB/);
  expect(code).toBe(2);
});

test.each([
  ['a folder', (path: string) => mkdirSync(path), 'it is neither a regular file nor a pipe'],
  ['in UTF-16', (path: string) => writeFileSync(path, 'PETSTORE_BASE_URL=x', 'utf16le'), 'it is in UTF-16: save it as UTF-8'],
])('a .env that is %s ends no command whose settings are complete, and is named', async (_case, make, words) => {
  const cwd = ownFolder();
  make(join(cwd, '.env'));
  const smoke = await runProgram(['smoke', ...URL], { cwd, env });
  expect(smoke).toMatchObject({ code: 3, stderr: expect.stringContaining(`warning: cannot read .env: ${words}\n`) });
  expect(await runProgram(['smoke'], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^warning: cannot read .env: .*\nerror: there is no service to judge/),
  });
});

test('explain does not fail for a .env, whatever is wrong with it', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, '.env'), 'PETSTORE_READ_OLNY=true\n');
  expect(await runProgram(['explain', 'list.success'], { cwd })).toMatchObject({
    code: 0,
    stderr: 'warning: the variable PETSTORE_READ_OLNY is unknown; did you mean PETSTORE_READ_ONLY?\n',
  });
});

test.each([
  ['smoke.prom', ''],
  ['smoke.txt', 'warning: node_exporter reads no --textfile whose name does not end in .prom: smoke.txt\n'],
])('a textfile with the name %s is written, with the right warning', async (textfile, warning) => {
  const cwd = ownFolder();
  const { stderr } = await runProgram(['smoke', ...URL, '--textfile', textfile], { cwd, env });
  expect(stderr).toBe(warning);
  expect(existsSync(join(cwd, textfile))).toBe(true);
});

test('a line end after the key does not count in a variable, as in a file', async () => {
  const { code, stderr } = await runProgram(['smoke', ...URL], { env: { PETSTORE_API_KEY: `${env.PETSTORE_API_KEY}\r\n` } });
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
});

test('a "#" that cuts an unquoted value in .env causes a warning, and a comment does not', async () => {
  const cwd = ownFolder();
  const lines = [
    'PETSTORE_API_KEY=abcdefgh#ijklmnop',
    'PETSTORE_SEED=7 # a comment',
    'PETSTORE_NAME="a#b"',
    'OTHER=a#b',
    '# PETSTORE_ONLY=a#b',
  ];
  writeFileSync(join(cwd, '.env'), lines.join('\n'), { mode: 0o600 });
  const { stderr } = await runProgram(['smoke', ...URL], { cwd });
  expect(stderr.match(/^warning: .*$/gm)).toEqual([
    'warning: PETSTORE_API_KEY in .env ends at a "#", as a comment follows one; put the value in quotes if "#" belongs to it',
  ]);
});

test.each([
  ['an option', ['--base-url', 'https://${HOST}/v1'], env, /^error: --base-url: contains \$\{HOST\}, a placeholder that nobody filled in/],
  ['a variable', [], { ...env, PETSTORE_BASE_URL: '$STAGING/v1' }, /^error: PETSTORE_BASE_URL: contains \$STAGING, a placeholder/],
  [
    'the path of a file',
    [...URL, '--waivers', '{{folder}}/waivers.yaml'],
    env,
    /^error: --waivers: contains \{\{folder\}\}, a placeholder/,
  ],
  [
    'the proxy of the environment',
    ['--base-url', 'http://petstore.test/v1'],
    { ...env, HTTP_PROXY: 'http://<proxy>:3128' },
    /the proxy of the environment contains <proxy>/,
  ],
  ['a heartbeat', [...URL, '--ping-url', 'https://undefined/ping'], env, /^error: --ping-url: contains undefined, a placeholder/],
  ['the key', URL, { PETSTORE_API_KEY: '${PETSTORE_KEY}' }, /^error: the API key is a placeholder that nobody filled in/],
] as const)('a placeholder that nobody filled in is exit 2 in %s', async (_case, args, variables, words) => {
  const { code, stdout, stderr } = await runProgram(['smoke', ...args], { env: variables });
  expect(stderr).toMatch(words);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
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
