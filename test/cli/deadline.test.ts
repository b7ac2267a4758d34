import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';

const KEY = 'k-deadline-Zx81mPq';
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

test('--deadline ends a run with what was judged by then, exit 3, with whole reports', async () => {
  const cwd = ownFolder();
  const { code, stdout } = await runProgram(['run', '--base-url', await slow(), '--deadline', '4'], { cwd, env });
  expect(stdout).toMatch(/Could not be judged completely: the deadline of 4 s passed, \d+ of \d+ checks judged\s+by\s+then/);
  const { interrupted, conclusion, checks } = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  expect({ code, interrupted, exitCode: conclusion.exitCode }).toEqual({ code: 3, interrupted: true, exitCode: 3 });
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(readFileSync(join(cwd, 'reports', 'junit.xml'), 'utf8')).toMatch(/<error [^>]*type="exit 3"/);
});

test('what was found broken before the deadline is exit 1', async () => {
  const baseUrl = await slow(['content-type-html']);
  const args = ['run', '--base-url', baseUrl, '--deadline', '8', '--read-only', '--reporter', 'terminal'];
  const { code, stdout } = await runProgram(args, { env });
  expect(stdout).toMatch(
    /Not conformant: \d+ requirements? broken(?:, \d+ warnings?)?; the deadline of 8 s passed, \d+ of \d+ checks judged\s+by\s+then/,
  );
  expect(code).toBe(1);
});

test('--deadline of smoke is in seconds too, and ends it alike', async () => {
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
  const { code, stdout, milliseconds } = await runProgram(['smoke', '--base-url', baseUrl, '--deadline', '2'], { env });
  expect(code).toBe(3);
  expect(stdout).toMatch(/Could not be judged/);
  expect(milliseconds).toBeLessThan(20_000);
  const { code: late, stdout: words } = await runProgram(['smoke', '--base-url', await slow(), '--deadline', '1'], { env });
  expect(words).toMatch(/the deadline of 1 s passed, \d+ of \d+ checks judged\s+by\s+then/);
  expect(late).toBe(3);
});
