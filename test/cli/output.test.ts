import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAIN, runProgram, temporaryFolder } from './program.ts';

/** Runs the command line with its standard output going where writing fails. */
function runInto(device: string, args: readonly string[], cwd: string): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', openSync(device, 'w'), 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}

describe.runIf(existsSync('/dev/full'))('standard output on a full disk', () => {
  test.each([
    ['run', ['run', '--reference', '--only', 'versioning.*'], 3],
    ['smoke', ['smoke', '--reference'], 3],
    ['list', ['list', 'clauses'], 3],
  ])('makes %s end without a stack, and not as if all were well or the service broken', async (_command, args, code) => {
    const cwd = temporaryFolder();
    const ended = await runInto('/dev/full', args, cwd);
    expect(ended.stderr).toMatch(/^error: the output could not be written: ENOSPC/m);
    expect(ended.stderr).not.toMatch(/\n {4}at /);
    expect(ended.code).toBe(code);
    if (args[0] === 'run') expect(readFileSync(join(cwd, 'reports', 'junit.xml'), 'utf8')).toContain('</testsuites>');
  });

  test('keeps smoke neither from its textfile nor from its heartbeat', async () => {
    const cwd = temporaryFolder();
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const pingUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uuid`;
    const ended = await runInto('/dev/full', ['smoke', '--reference', '--textfile', 'x.prom', '--ping-url', pingUrl], cwd);
    server.close();
    expect(ended.code).toBe(3);
    expect(readFileSync(join(cwd, 'x.prom'), 'utf8')).toContain('petstore_probe_check_success');
    expect(asked.toSorted()).toEqual(['/uuid', '/uuid/start']);
  });

  test('makes a run that could not append its summary exit 3, which the last line says', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runProgram(['run', '--reference', '--only', 'versioning.*'], {
      cwd,
      env: { GITHUB_STEP_SUMMARY: '/dev/full' },
    });
    expect(stderr).toMatch(/^error: could not append the summary to \/dev\/full: no space left on the device \(ENOSPC\)$/m);
    expect(stdout).toMatch(/\n1 report could not be written: exit code 3\n$/);
    expect(code).toBe(3);
  });
});

test('a closed standard output and a reader that leaves are no failure', async () => {
  const cwd = temporaryFolder();
  const script = `"${process.execPath}" "${MAIN}" run --reference --only 'versioning.*' | head -1; echo "\${PIPESTATUS[0]}"`;
  const child = spawn('bash', ['-c', script], { cwd, env: { PATH: process.env['PATH'] }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(output.trimEnd().split('\n').at(-1)).toBe('0');
});

test('what a service says is no command to a CI system in any format of smoke', async () => {
  const commands = ['::error::x', '##[error]x', '##vso[task.complete]x', "##teamcity[buildStop comment='x']"];
  const name = commands.map((command) => `${command}\n${command}`).join('\n');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-command', commands.join(' '));
    response.end(JSON.stringify([{ id: 'x', name, categoryId: name, status: name }]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  for (const format of ['text', 'json', 'junit', 'prometheus']) {
    const args = ['smoke', '--base-url', baseUrl, '--format', format];
    const { code, stdout, stderr } = await runProgram(args, { env: { PETSTORE_API_KEY: 'k-output-Zx81mPq' } });
    expect(code).toBe(1);
    expect(stdout + stderr).not.toMatch(/^\s*::.*::|##[a-z]*\[/im);
    if (format === 'json') expect(JSON.stringify(JSON.parse(stdout))).toContain('##vso[task.complete]');
  }
  server.close();
  server.closeAllConnections();
});
