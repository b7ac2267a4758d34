import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { type ReferenceServer, startReference } from '../../src/reference/server.ts';
import type { Behavior } from '../../src/report/behavior.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-replay-Zx81mPq';
const env = { PETSTORE_API_KEY: KEY };
const servers: ReferenceServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(fault?: string): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 8, faults: fault === undefined ? [] : [fault] });
  servers.push(server);
  return server.baseUrl;
}

/** The report of a run against a server that ignores the limit. */
async function reportOf(baseUrl: string, cwd: string, args: readonly string[] = []): Promise<string> {
  await runProgram(['run', '--base-url', baseUrl, '--only', 'list.limit-maximum', '--reporter', 'json', ...args], { cwd, env });
  return join(cwd, 'reports', 'report.json');
}

test('replay says whether a defect still fails, with current evidence, or is fixed', async () => {
  const cwd = ownFolder();
  const faulty = await serve('limit-ignored');
  const report = await reportOf(faulty, cwd);
  const failures = (JSON.parse(readFileSync(report, 'utf8')) as RunRecord).clauses.filter(({ verdict }) => verdict === 'fail');
  const again = await runProgram(['replay', report, '--base-url', faulty, '--tries', '2'], { cwd, env });
  expect(again.stdout.match(/^still failing: /gm)).toHaveLength(failures.length);
  expect(again.code).toBe(1);
  const repaired = await runProgram(['replay', report, '--base-url', await serve(), '--tries', '1'], { cwd, env });
  expect(repaired.stdout.match(/^fixed: /gm)).toHaveLength(failures.length);
  expect(repaired.code).toBe(0);
});

test('replay and --failed detect that a repair has broken what worked: here each creation with a status', async () => {
  const cwd = ownFolder();
  const report = await reportOf(await serve('limit-ignored'), cwd);
  const repaired = await serve('create-sold-refused');
  const again = await runProgram(['replay', report, '--base-url', repaired, '--tries', '1'], { cwd, env });
  expect(again.stdout).toMatch(/^newly failing: create\.status-values$/m);
  expect(again.stdout).not.toMatch(/^still failing/m);
  expect(again.code).toBe(1);
  const run = await runProgram(['run', '--failed', report, '--base-url', repaired, '--reporter', 'json'], { cwd, env });
  expect(run.code).toBe(1);
});

test('replay of the id of a check judges its clause only, and writes nothing if the run did not', async () => {
  const cwd = ownFolder();
  const faulty = await serve('limit-ignored');
  const report = await reportOf(faulty, cwd, ['--read-only']);
  const animals = async (): Promise<string> => {
    const response = await fetch(`${faulty}/pets`, { headers: { authorization: `Bearer ${KEY}` } });
    return response.text();
  };
  const before = await animals();
  const named = { ...env, PETSTORE_BASE_URL: faulty };
  const { stdout } = await runProgram(['replay', report, 'list.limit-maximum/every-list-with-limit', '--tries', '1'], { cwd, env: named });
  expect(stdout).toContain('read-only');
  expect(stdout.match(/^(still failing|fixed|flaky|inconclusive)/gm)).toHaveLength(1);
  expect(stdout).toContain('still failing: list.limit-maximum\n');
  expect(await animals()).toBe(before);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('1 still failing');
  const folder = await runProgram(['replay', join(cwd, 'reports'), 'list-pets', '--tries', '1'], { cwd, env: named });
  expect(folder).toMatchObject({ code: 1, stdout: expect.stringMatching(/\n\n\d still failing\n$/) });
  const unknown = await runProgram(['replay', report, 'list.order'], { cwd, env });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no clause that failed matches "list.order"') });
});

test('replay rejects what is not a report, a report of the built-in server, and one without failures', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'x.json');
  writeFileSync(file, '{"a":1}');
  expect(await runProgram(['replay', file], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not the report.json of a run'),
  });
  await runProgram(['run', '--reference', '--only', 'versioning.*'], { cwd });
  const report = join(cwd, 'reports', 'report.json');
  expect(await runProgram(['replay', report], { cwd, env })).toMatchObject({ code: 2, stderr: expect.stringContaining('has no failure') });
  const record = JSON.parse(readFileSync(report, 'utf8')) as RunRecord;
  writeFileSync(report, JSON.stringify({ ...record, clauses: record.clauses.map((clause) => ({ ...clause, verdict: 'fail' })) }));
  expect(await runProgram(['replay', report], { cwd, env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('name a service to send the API key to with --base-url'),
  });
});

test('replay sends nothing of a report with a request that no run sends', async () => {
  const cwd = ownFolder();
  const faulty = await serve('limit-ignored');
  const report = await reportOf(faulty, cwd);
  const text = readFileSync(report, 'utf8');
  const forged = text.replaceAll('"requestHeaders": [', '"requestHeaders": [["x-http-method-override", "DELETE"],');
  expect(forged).not.toBe(text);
  writeFileSync(report, forged);
  const rejected = await runProgram(['replay', report, '--base-url', faulty], { cwd, env });
  expect(rejected).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(
      'a request that no run sends, so nothing of it is sent with your API key: the header x-http-method-override',
    ),
  });
});

test('replay sends the key neither to an address that only the report names nor to the built-in server', async () => {
  const cwd = ownFolder();
  const report = await reportOf(await serve('limit-ignored'), cwd);
  let heard = 0;
  const listener = createServer((_request, response) => {
    heard += 1;
    response.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  const record = JSON.parse(readFileSync(report, 'utf8')) as RunRecord;
  writeFileSync(report, JSON.stringify({ ...record, target: { ...record.target, baseUrl: `http://127.0.0.1:${port}/v1` } }));
  const rejected = await runProgram(['replay', report], { cwd, env });
  const reference = await runProgram(['replay', report], { cwd, env: { ...env, PETSTORE_REFERENCE: 'true' } });
  listener.close();
  for (const { code, stderr } of [rejected, reference]) {
    expect(stderr).toMatch(
      /^error: the report is of http:\/\/127\.0\.0\.1:\d+\/v1; name a service to send the API key to with --base-url URL or/,
    );
    expect(code).toBe(2);
  }
  expect(heard).toBe(0);
});

test.each([
  ['a clause that is null', { clauses: [null] }, '/clauses/0 must be object'],
  ['findings that are a number', { clauses: [{ findings: 7 }] }, '/clauses/0 must have'],
  ['checks of version 1 that are a number', { version: 1, checks: 7 }, 'is not the report.json of a run'],
  ['no target', { target: undefined }, "must have required property 'target'"],
  ['another version', { version: 99 }, 'is of version 99; this release reads version'],
])('replay rejects a report with %s in one sentence', async (_case, changes, words) => {
  const cwd = ownFolder();
  await runProgram(['run', '--reference', '--only', 'versioning.*', '--reporter', 'json'], { cwd });
  const report = join(cwd, 'reports', 'report.json');
  writeFileSync(report, JSON.stringify({ ...(JSON.parse(readFileSync(report, 'utf8')) as RunRecord), ...changes }));
  const { code, stdout, stderr } = await runProgram(['replay', report, '--base-url', 'http://127.0.0.1:1/v1'], { cwd, env });
  expect(stderr).toContain(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test('a baseline fails a run that drifted', async () => {
  const cwd = ownFolder();
  const report = join(cwd, 'reports', 'behavior.json');
  const args = [
    '--only',
    'list.limit-out-of-range',
    '--only',
    'list.limit-maximum',
    '--read-only',
    '--reporter',
    'json',
    '--reporter',
    'terminal',
  ];
  await runProgram(['run', '--base-url', await serve(), ...args], { cwd, env });
  const baseline = join(cwd, 'baseline.json');
  const profile = readFileSync(report, 'utf8');
  writeFileSync(baseline, profile);
  const { observations, ...rest } = JSON.parse(profile) as Behavior;
  const [[clause, questions]] = Object.entries(observations) as [[string, Record<string, string>]];
  const [question = ''] = Object.keys(questions);
  writeFileSync(baseline, JSON.stringify({ ...rest, observations: { [clause]: { ...questions, [question]: 'otherwise' } } }));
  const drifted = await runProgram(['run', '--base-url', await serve(), ...args, '--baseline', baseline], { cwd, env });
  expect(drifted).toMatchObject({ code: 1, stdout: expect.stringMatching(/the baseline has\s+"otherwise"/) });
});
