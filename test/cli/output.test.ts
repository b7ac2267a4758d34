import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder, runProgram, startProgram } from '../support/program.ts';
import { DEV_FULL, needs } from '../support/tool.ts';

const KEY = 'a-key-of-its-own-4711';

async function judged(
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string }> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['limit-plus-one'] });
  try {
    const args = ['run', '--base-url', server.baseUrl, '--only', 'list.limit-maximum/small', '--depth', 'quick', '--seed', '1', ...flags];
    return await runProgram(args, { env: { ...env, PETSTORE_API_KEY: KEY } });
  } finally {
    await server.close();
  }
}

test('run prints one block for one defect, and where to begin last', async () => {
  const { code, stdout } = await judged([]);
  expect(code).toBe(1);
  expect(stdout.match(/^FAIL .*/gm)).toEqual([expect.stringMatching(/^FAIL list\.limit-maximum {3}required, /)]);
  expect(stdout).toContain('Not conformant: 1 requirement broken.');
  expect(stdout).toContain('Start with list.limit-maximum.');
});

test('run --quiet prints the last screen, --verbose every exchange', async () => {
  const [quiet, verbose] = [await judged(['--quiet']), await judged(['--verbose'])];
  expect(quiet.stdout).toMatch(/^Not conformant: 1 requirement broken\.\n/);
  expect(verbose.stdout).toContain('    request\n');
  expect(verbose.stdout).toContain('    reproduce\n');
});

test('run --format json prints the run record and nothing else', async () => {
  const { code, stdout } = await judged(['--format', 'json'], { GITHUB_ACTIONS: 'true' });
  expect(code).toBe(1);
  const record: RunRecord = JSON.parse(stdout);
  expect(record.clauses.map(({ id, verdict }) => [id, verdict])).toEqual([['list.limit-maximum', 'fail']]);
});

test('run with a defect of the built-in server prints the command that starts this server again', async () => {
  const env = { PETSTORE_API_KEY: KEY };
  const args = ['run', '--reference', '--fault', 'limit-plus-one', '--only', 'list.limit-maximum/small', '--depth', 'quick', '--seed', '1'];
  const { code, stdout } = await runProgram(args, { env });
  expect(code).toBe(1);
  const [, command = '', port = ''] = /\n\S.* (reference --fault limit-plus-one --port (\d+) --seed-animals \d+)\n/.exec(stdout) ?? [];
  expect(stdout).toMatch(new RegExp(`\\n {2}try .* 'http://127\\.0\\.0\\.1:${port}/v1/pets\\?limit=`));
  const { child, ended } = startProgram(command.split(' '), { env });
  try {
    if (child.stdout === null) throw new Error('its output is a pipe');
    await once(child.stdout, 'data');
    const headers = { authorization: `Bearer ${KEY}` };
    const list = await (await fetch(`http://127.0.0.1:${port}/v1/pets?limit=5`, { headers })).json();
    expect(list).toHaveLength(6);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
});

test("run groups blocks for GitHub's log viewer, after the annotations", async () => {
  const { stdout } = await judged([], { GITHUB_ACTIONS: 'true' });
  expect(stdout).toMatch(/^::error title=list\.limit-maximum \(required\)::/);
  expect(stdout).toMatch(/\n::group::FAIL list\.limit-maximum: .*\nFAIL list\.limit-maximum[\s\S]*\n::endgroup::\n/);
  expect(stdout.trimEnd()).toMatch(/\nOnly these again: .* run --base-url \S+ .*--failed \S*report\.json$/);
});

/** Output goes to a full device. */
const TO_FULL = ['/bin/sh', '-c', 'exec "$@" >/dev/full', 'sh'];

test.for([
  ['smoke', ['smoke', '--reference', '--textfile', 'a.prom'], 'a.prom'],
  ['run', ['run', '--reference', '--only', 'list.success'], join('reports', 'junit.xml')],
] as const)('%s whose output is lost says so in one sentence, writes its files and is exit 3', async ([, args, file], context) => {
  needs(context, DEV_FULL);
  const cwd = ownFolder();
  const { code, stderr } = await runProgram(args, { cwd, under: TO_FULL });
  expect(stderr).toMatch(/^error: the output could not be written: ENOSPC: .*$/m);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(code, stderr).toBe(3);
  expect(existsSync(join(cwd, file)), `${file} is there`).toBe(true);
  expect(readFileSync(join(cwd, file), 'utf8')).not.toBe('');
});

test('--format oneline prints the verdict in one line, as report does, and --reporter badge writes a picture', async () => {
  const cwd = ownFolder();
  const args = [
    'run',
    '--reference',
    '--fault',
    'limit-plus-one',
    '--only',
    'list.limit-maximum',
    '--depth',
    'quick',
    '--name',
    'the blue one',
  ];
  const { code, stdout } = await runProgram([...args, '--format', 'oneline', '--reporter', 'json', '--reporter', 'badge'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toBe('not-conformant clauses=1 passed=0 failed=1 warnings=0 waived=0 inconclusive=0 target=the blue one\n');
  expect(readFileSync(join(cwd, 'reports', 'badge.svg'), 'utf8')).toMatch(/^<svg [\s\S]*not conformant: 1 broken/);
  expect(await runProgram(['report', 'reports', '--format', 'oneline'], { cwd })).toMatchObject({ code: 0, stdout });
});
