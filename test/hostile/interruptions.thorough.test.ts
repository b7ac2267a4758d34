import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownFolder, startProgram } from '../support/program.ts';
import { DEV_FULL, needs } from '../support/tool.ts';
import { type Attacker, conformingUntil, HOSTILE_KEY } from './attacker.ts';

const QUICK = ['--depth', 'quick', '--consistency-window', '300', '--only', 'list.*', '--only', 'get.*'];

type Run = { readonly code: number | null; readonly signal: string | null; readonly output: string };

let folder = '';
let server: Attacker;
let onRequest: (number: number) => void = () => undefined;

beforeEach(async () => {
  folder = ownFolder();
  onRequest = () => undefined;
  server = await conformingUntil((request, genuine) => {
    onRequest(request.number);
    genuine();
  });
});

afterEach(async () => {
  await server.close();
});

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { PETSTORE_API_KEY: HOSTILE_KEY, ...environment };
  const { child, ended } = startProgram(['run', '--base-url', server.baseUrl, ...args], { cwd: folder, env });
  return { child, ended: ended.then(({ code, signal, stdout, stderr }): Run => ({ code, signal, output: stdout + stderr })) };
}

describe('an interrupted run', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends by %s with exit code %i and with whole reports', async (signal, code) => {
    const { child, ended } = run(['--depth', 'quick']);
    onRequest = (number) => void (number === 60 && child.kill(signal));
    const result = await ended;
    expect(result.code, result.output).toBe(code);
    const record = JSON.parse(readFileSync(join(folder, 'reports', 'report.json'), 'utf8')) as { interrupted: boolean };
    expect(record.interrupted).toBe(true);
    expect(readFileSync(join(folder, 'reports', 'junit.xml'), 'utf8').trimEnd()).toMatch(/<\/testsuites>$/);
    expect(readdirSync(join(folder, 'reports')).filter((name) => /tmp|partial|~$/.test(name))).toEqual([]);
  });
});

describe('reports that cannot be written', () => {
  test('are named when the folder is a file, and the run is not green', async () => {
    writeFileSync(join(folder, 'reports'), 'a file');
    const { code, output } = await run(QUICK).ended;
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/reports/);
    expect(output).not.toMatch(/\n {4}at /);
    expect(readFileSync(join(folder, 'reports'), 'utf8')).toBe('a file');
  });

  test('are named when the disk is full, and no half-written file is left', async (context) => {
    needs(context, DEV_FULL);
    const { code, output } = await run([...QUICK, '--reports', '/dev/full/reports']).ended;
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/\/dev\/full/);
  });
});

describe('the terminal', () => {
  test('may disappear: a closed standard output is not a crash', async () => {
    const { child, ended } = run(QUICK);
    child.stdout?.destroy();
    const { output, signal } = await ended;
    expect(signal).toBeNull();
    expect(output).not.toMatch(/EPIPE|\n {4}at /);
    expect(readdirSync(join(folder, 'reports'))).toContain('junit.xml');
  });

  test('may be 40 columns wide', async () => {
    const { code, output } = await run(QUICK, { COLUMNS: '40' }).ended;
    expect(code, output).toBe(0);
  });
});

test('two runs in one folder do not mix their files', async () => {
  mkdirSync(join(folder, 'reports'));
  const results = await Promise.all([run(QUICK).ended, run(QUICK).ended]);
  expect(results.map(({ code }) => code)).toEqual([0, 0]);
  const { clauses } = JSON.parse(readFileSync(join(folder, 'reports', 'report.json'), 'utf8')) as { clauses: unknown[] };
  expect(clauses.length).toBeGreaterThan(0);
  expect(readFileSync(join(folder, 'reports', 'junit.xml'), 'utf8').trimEnd()).toMatch(/<\/testsuites>$/);
});
