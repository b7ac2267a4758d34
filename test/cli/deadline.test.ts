import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { KEY as STOPPING_KEY } from '../../proof/judge-reference.ts';
import { startReference } from '../../proof/server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { stoppingAfter } from '../green/stopping.ts';
import { type Ended, ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-Zx81mPqWv4tKb';
const env = { PETSTORE_API_KEY: KEY };
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function slow(faults: readonly string[] = []): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 8, variants: ['latency-400-ms'], faults });
  closers.push(() => server.close());
  return server.baseUrl;
}

/** Requests that hang keep the run from ending by itself; a busy machine needs a longer deadline until one of them is sent. */
async function passing(args: readonly string[], { cwd, faults = [] }: { readonly cwd: string; readonly faults?: readonly string[] }) {
  const baseUrl = await slow([...faults, 'hangs-every-30th-request']);
  const runUntil = (seconds: number): Promise<Ended> =>
    runProgram(['run', '--base-url', baseUrl, '--timeout', '600000', '--deadline', String(seconds), ...args], { cwd, env });
  let seconds = 8;
  let ended = await runUntil(seconds);
  for (; !ended.stdout.includes(`the deadline of ${seconds} s passed`); ended = await runUntil(seconds)) seconds *= 2;
  return { ...ended, seconds };
}

test('--deadline leaves out what does not fit, and says so', async () => {
  const { stdout } = await runProgram(['run', '--base-url', await slow(), '--deadline', '6'], { cwd: ownFolder(), env });
  expect(stdout).toMatch(/\n\? \d+ situations: the time to send it \(--deadline\) \(/);
});

test('--deadline ends a run with what was judged by then, exit 3, with whole reports', async () => {
  const cwd = ownFolder();
  const { code, stdout, seconds } = await passing([], { cwd });
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    new RegExp(`Could not be judged completely: the deadline of ${seconds} s passed, \\d+ of \\d+ situations judged by then`),
  );
  const { interrupted, conclusion, clauses } = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  expect({ code, interrupted, exitCode: conclusion.exitCode }).toEqual({ code: 3, interrupted: true, exitCode: 3 });
  expect(clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(readFileSync(join(cwd, 'reports', 'junit.xml'), 'utf8')).toMatch(/<error [^>]*type="exit 3"/);
});

test('a clause found broken before the deadline makes the exit code 1', async () => {
  const args = ['--read-only', '--reporter', 'terminal'];
  const { code, stdout, seconds } = await passing(args, { cwd: ownFolder(), faults: ['content-type-html'] });
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    new RegExp(
      `Not conformant: \\d+ requirements? broken(?:, \\d+ warnings?)?; the deadline of ${seconds} s passed, \\d+ of \\d+ situations judged by then`,
    ),
  );
  expect(code).toBe(1);
});

test('--deadline of smoke is in seconds too, and ends it in the same way', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  // A run that does not end would be killed, and have no exit code.
  const { code, stdout } = await runProgram(['smoke', '--base-url', baseUrl, '--deadline', '2'], { env });
  expect(code).toBe(3);
  expect(stdout).toMatch(/Could not be judged/);
});

test('--deadline of smoke says how much was judged by then', async () => {
  const runUntil = async (seconds: number): Promise<Ended> => {
    const service = await stoppingAfter(8, 'is silent');
    closers.push(() => service.close());
    return runProgram(['smoke', '--base-url', service.baseUrl, '--deadline', String(seconds)], { env: { PETSTORE_API_KEY: STOPPING_KEY } });
  };
  // A busy machine needs a longer deadline until anything is known.
  let seconds = 1;
  let ended = await runUntil(seconds);
  for (; ended.stdout.includes('no response'); ended = await runUntil(seconds)) seconds *= 2;
  expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(
    new RegExp(`the deadline of ${seconds} s passed, \\d+ of \\d+ situations judged by then`),
  );
  expect(ended.code).toBe(3);
});
