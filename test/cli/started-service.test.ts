import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { MAIN, ownFolder, runProgram, startProgram } from '../support/program.ts';

const KEY = 'k-started-Qm82vXz';
const env = { PETSTORE_API_KEY: KEY };

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  await once(socket.close(), 'close');
  return port;
}

const serve = (port: number, more = ''): string => `"${process.execPath}" "${MAIN}" reference --port ${port} ${more}`;

/** The options of a run of few requests, or of many. */
const judge = (port: number, start: string, more: readonly string[] = ['--only', 'versioning']): readonly string[] => [
  ...['run', '--base-url', `http://127.0.0.1:${port}/v1`, '--start', start, '--reporter', 'json', ...more],
];

/** Whether a process runs; one that nobody has reaped has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const pidIn = (file: string): number => Number(readFileSync(file, 'utf8'));
const linesIn = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const recordIn = (cwd: string): RunRecord => JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;

async function until(isTrue: () => boolean, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  while (!isTrue() && !hasEnded) await pause(20);
  expect(isTrue()).toBe(true);
}

describe('--start', () => {
  test('starts the service with the environment of the run, judges it, and ends it', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const { code, stdout } = await runProgram(
      judge(port, `echo $$ > pid; exec ${serve(port)}`, ['--only', 'versioning', '--format', 'json']),
      { cwd, env },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ conclusion: { exitCode: 0 }, target: { baseUrl: `http://127.0.0.1:${port}/v1` } });
    expect(isRunning(pidIn(join(cwd, 'pid')))).toBe(false);
  });

  test('says in every report what a command wrote that never listens, without the key', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const start = 'echo $$ > pid; echo "connecting to the database as $PETSTORE_API_KEY"; exec sleep 1000';
    const more = [
      '--wait-for-ready',
      '300',
      '--reporter',
      'terminal',
      '--reporter',
      'html',
      '--reporter',
      'junit',
      '--reporter',
      'markdown',
    ];
    const { code, stdout, stderr } = await runProgram(judge(port, start, more), { cwd, env });
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('did not respond within 300 ms of the command of --start');
    const files = ['report.json', 'report.html', 'junit.xml', 'summary.md'].map((file) => readFileSync(join(cwd, 'reports', file), 'utf8'));
    for (const text of [stdout, ...files]) expect(text).toContain('connecting to the database as ');
    for (const text of [stdout, stderr, ...files]) expect(text).not.toContain(KEY);
    expect(isRunning(pidIn(join(cwd, 'pid')))).toBe(false);
  });

  test('says how a command ended before the service responded', async () => {
    const cwd = ownFolder();
    const begin = performance.now();
    const { code } = await runProgram(judge(await freePort(), 'echo "cannot find the database" >&2; exit 7'), { cwd, env });
    expect(code).toBe(3);
    expect(recordIn(cwd).conclusion.reasons).toEqual([
      expect.stringMatching(/^the command of --start exited with code 7 before http:\/\/127\.0\.0\.1:\d+\/v1 responded/),
      'cannot find the database',
    ]);
    expect(performance.now() - begin).toBeLessThan(60_000);
  });

  test('ends what ignores SIGTERM, with the processes that it has started', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const start = `trap "" TERM; sleep 1000 & echo $! > child; echo $$ > pid; ${serve(port)} & wait; wait`;
    const { code } = await runProgram(judge(port, start), { cwd, env });
    expect(code).toBe(0);
    expect(['pid', 'child'].map((file) => isRunning(pidIn(join(cwd, file))))).toEqual([false, false]);
  });

  test('judges nothing where something listens already, and starts nothing', async () => {
    const cwd = ownFolder();
    const server = createServer((_request, response) => response.end('[]')).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close().closeAllConnections());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await runProgram(judge(port, 'touch started; exec sleep 1000'), { cwd, env });
    expect({ code, started: existsSync(join(cwd, 'started')) }).toEqual({ code: 2, started: false });
    expect(stderr).toContain(`something listens at http://127.0.0.1:${port}/v1 already`);
  });

  test('ends with a run that fails before it judges', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const start = `echo $$ > pid; exec ${serve(port)}`;
    const { code, stderr } = await runProgram(judge(port, start, ['--only', 'no-such-clause', '--after', 'cat > after']), { cwd, env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"no-such-clause" matches no chapter') });
    expect({ after: readFileSync(join(cwd, 'after'), 'utf8'), runs: isRunning(pidIn(join(cwd, 'pid'))) }).toEqual({
      after: '',
      runs: false,
    });
  });

  test('warns if the service ended during the run', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const front = `const { createServer } = require('node:http'); let seen = 0;
      createServer((q, s) => { if ((seen += 1) > 3) { console.log('out of memory'); process.exit(9); } s.writeHead(401).end(); }).listen(${port}, '127.0.0.1');`;
    writeFileSync(join(cwd, 'front.cjs'), front);
    const { code, stderr } = await runProgram(judge(port, `exec "${process.execPath}" front.cjs`), { cwd, env });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/warning: the command of --start exited with code 9 during the run:\n {2}out of memory/);
  });

  test.each([
    [['--reference'], 'remove --start'],
    [['--watch', '--base-url', 'http://127.0.0.1:9/v1'], 'remove --start'],
  ])('can be combined with no %s', async (more, advice) => {
    const { code, stderr } = await runProgram(['run', ...more, '--start', 'sleep 1000'], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(advice) });
  });

  test.each([
    ['PETSTORE_START', 'counts only on the command line'],
    ['PETSTORE_AFTER', 'counts only on the command line'],
    ['PETSTORE_CREATED', 'set it in the environment, or use --created'],
  ])('%s in .env ends with exit code 2, even if the key is there, too', async (variable, advice) => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, '.env'), `PETSTORE_API_KEY=${KEY}\n${variable}=x\n`);
    const { code, stderr } = await runProgram(['run', '--base-url', 'http://127.0.0.1:9/v1'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(advice) });
    expect(existsSync(join(cwd, 'x'))).toBe(false);
  });

  test('is not taken from the environment either', async () => {
    const { code, stderr } = await runProgram(['run', '--base-url', 'http://127.0.0.1:9/v1'], { env: { ...env, PETSTORE_START: 'x' } });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('PETSTORE_START has no effect') });
  });
});

describe('--created and --after', () => {
  test('get the ids of all animals that the run created, also of one that failed', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const more = ['--only', 'create.success', '--after', 'cat > after; echo "no rights for $PETSTORE_API_KEY"; exit 6'];
    const start = serve(port, '--fault create-answers-200');
    const { code, stderr } = await runProgram(judge(port, start, more), { cwd, env: { ...env, PETSTORE_CREATED: 'ids' } });
    const ids = recordIn(cwd).animals.created.map(({ id }) => id);
    expect({ code, some: ids.length > 0 }).toEqual({ code: 1, some: true });
    expect(linesIn(join(cwd, 'ids'))).toEqual(ids);
    expect(linesIn(join(cwd, 'after'))).toEqual(ids);
    expect(stderr).toContain('warning: the command of --after exited with code 6; the verdict stands\n  no rights for [key]');
  });

  test('get them while the service still runs, and no ids if none was created', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    writeFileSync(join(cwd, 'ids'), '4711\n');
    const ask = `"${process.execPath}" -e "fetch('http://127.0.0.1:${port}/v1/pets').then(({ status }) => console.log(status))" > status; cat > after`;
    const more = ['--only', 'versioning', '--read-only', '--created', 'ids', '--after', ask];
    expect(await runProgram(judge(port, serve(port, '--seed-animals 3'), more), { cwd, env })).toMatchObject({ code: 0 });
    expect(['ids', 'after', 'status'].map((file) => readFileSync(join(cwd, file), 'utf8'))).toEqual(['', '', '401\n']);
  });

  test('an interrupted run has its ids written and removed, and ends what it started', async () => {
    const cwd = ownFolder();
    const port = await freePort();
    const start = `echo $$ > pid; ${serve(port)}`;
    const more = ['--rate', '60', '--created', 'ids', '--after', 'cat > after'];
    const { child, ended } = startProgram(judge(port, start, more), { cwd, env });
    await until(() => existsSync(join(cwd, 'ids')) && linesIn(join(cwd, 'ids')).length > 0, ended);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130 });
    const ids = recordIn(cwd).animals.created.map(({ id }) => id);
    expect(linesIn(join(cwd, 'ids'))).toEqual(ids);
    expect(linesIn(join(cwd, 'after'))).toEqual(ids);
    expect(isRunning(pidIn(join(cwd, 'pid')))).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a second %s ends at once what a run has started', async (signal) => {
    const cwd = ownFolder();
    const start = 'trap "" TERM; echo $$ > pid; sleep 1000 & echo $! > child; wait; wait';
    const { child, ended } = startProgram(judge(await freePort(), start), { cwd, env });
    await until(() => existsSync(join(cwd, 'child')) && linesIn(join(cwd, 'child')).length > 0, ended);
    child.kill(signal);
    child.stderr?.once('data', () => child.kill(signal));
    const { milliseconds } = await ended;
    expect(milliseconds).toBeLessThan(60_000);
    await until(() => !['pid', 'child'].some((file) => isRunning(pidIn(join(cwd, file)))), pause(5_000));
  });

  test('a file that cannot be written is a mistake before anything is sent', async () => {
    const { code, stderr } = await runProgram(['run', '--base-url', 'http://127.0.0.1:9/v1', '--created', 'missing/folder/ids'], { env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('(--created)') });
  });
});
