import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { type Front, type Passing, startFront } from '../support/front.ts';
import { ownFolder, runProgram } from '../support/program.ts';

let front: Front | undefined;
afterEach(() => front?.close());

const CRASHED = { status: 500, body: '{"code":"deadlock","message":"a deadlock","status":500}' } as const;

/** Judges a server behind that front; returns its exit code and its reports. */
async function judge(change: (passing: Passing) => Partial<Passing>, args: readonly string[]) {
  const cwd = ownFolder();
  await front?.close();
  front = await startFront({ change });
  const only = [
    '--only',
    'list-pets',
    '--only',
    'errors',
    '--read-only',
    '--reporter',
    'json',
    '--reporter',
    'junit',
    '--reporter',
    'terminal',
  ];
  const { code, stdout } = await runProgram(['run', '--base-url', front.baseUrl, ...only, ...args], {
    cwd,
    env: { PETSTORE_API_KEY: KEY },
  });
  const textOf = (name: string): string => readFileSync(join(cwd, 'reports', name), 'utf8');
  return { cwd, code, stdout, junit: textOf('junit.xml'), record: JSON.parse(textOf('report.json')) as RunRecord };
}

/** Crashes on a single list of many. */
function seldom(): (passing: Passing) => Partial<Passing> {
  let lists = 0;
  return ({ url }) => {
    if (!url.includes('status=sold')) return {};
    lists += 1;
    return lists === 5 ? CRASHED : {};
  };
}

test('a failure that does not recur fails the run, marked as flaky in every report', async () => {
  const { cwd, code, stdout, junit, record } = await judge(seldom(), []);
  expect(code).toBe(1);
  const flaky = record.clauses.filter((clause) => clause.flaky === true);
  expect(flaky.map(({ id }) => id)).toContain('errors.no-server-error');
  expect(stdout).toMatch(/^FAIL errors\.no-server-error +\w+, flaky, /m);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /broken clauses? (?:is|are) flaky, (?:it|they) did not come again when asked for once more: /,
  );
  expect(junit).toMatch(/<failure message="flaky: [^"]*" type="flaky">/);
  const again = await runProgram(['report', 'reports', '--format', 'junit'], { cwd });
  expect(again).toMatchObject({ code: 0, stdout: junit });
});

test('a waiver of a failure that comes and goes is written as flaky, and is not stale where the failure is not seen', async () => {
  const { cwd, code } = await judge(seldom(), ['--waivers', 'waivers.yaml', '--update-waivers']);
  expect(code).toBe(1);
  const file = join(cwd, 'waivers.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/- id: errors\.no-server-error\n(?: {4}.*\n)* {4}flaky: true\n/);
  writeFileSync(file, text.replace(/"TO BE WRITTEN: why.*"/g, 'known').replace(/"TO BE WRITTEN: the last day.*"/g, '2999-12-31'));
  const waived = ['--waivers', file];
  const again = await judge(seldom(), waived);
  expect([again.code, again.record.conclusion.headline]).toEqual([0, expect.stringContaining('conformant but for')]);
  expect((await judge(() => ({}), waived)).code).toBe(0);
});

test('--flaky and its variable are gone, and what replaces them is named', async () => {
  for (const [args, env] of [
    [['--flaky', 'warn'], {}],
    [[], { PETSTORE_FLAKY: 'warn' }],
  ] as const) {
    const { code, stderr } = await runProgram(['run', '--reference', ...args], { cwd: ownFolder(), env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('was removed in version 3: `flaky: true` on an entry of --waivers')]);
  }
});

test('a failure that recurs is not flaky', async () => {
  const { code, record } = await judge(({ url }) => (url.includes('status=sold') ? CRASHED : {}), []);
  expect(code).toBe(1);
  expect(record.clauses.filter((clause) => clause.flaky === true)).toEqual([]);
});
