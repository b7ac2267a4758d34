import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const env = { PETSTORE_API_KEY: 'k-reports-Zx81mPq' };
const FILES = ['junit.xml', 'behavior.json', 'report.html', 'report.json', 'summary.md', 'document.html'];
const QUICK = ['run', '--reference', '--only', 'versioning.*'];

/** A folder with the reports of an earlier run, and an unrelated file. */
function folderOfEarlier(folder = 'reports'): string {
  const cwd = ownFolder();
  mkdirSync(join(cwd, folder));
  for (const file of [...FILES, 'notes.txt']) writeFileSync(join(cwd, folder, file), `earlier ${file}`);
  return cwd;
}

function expectSetAside(cwd: string, folder = 'reports'): void {
  const names = readdirSync(join(cwd, folder));
  expect(names).toEqual(expect.arrayContaining(['notes.txt', ...FILES.map((file) => `${file}.previous`)]));
  for (const file of FILES) expect(readFileSync(join(cwd, folder, `${file}.previous`), 'utf8')).toBe(`earlier ${file}`);
}

describe('reports of an earlier run', () => {
  test.each([
    ['this run writes some of them', QUICK, {}, 0],
    ['this run writes none', [...QUICK, '--reporter', 'terminal'], {}, 0],
    ['the service can not be reached', ['run', '--base-url', 'http://127.0.0.1:1/v1'], env, 3],
    ['there is no service', ['run'], env, 2],
    ['an option has a bad value', [...QUICK, '--timeout', 'soon'], {}, 2],
    ['there is no such option', [...QUICK, '--time-out', '1'], {}, 2],
    ['an option was removed', [...QUICK, '--bail'], {}, 2],
    ['a variable is misspelt', QUICK, { PETSTORE_READ_OLNY: 'true' }, 2],
    ['the waivers are not there', [...QUICK, '--waivers', 'nowhere.yaml'], {}, 2],
    ['a pattern matches nothing', ['run', '--reference', '--only', 'nope'], {}, 2],
  ])('are renamed when %s', async (_case, args, variables, code) => {
    const cwd = folderOfEarlier();
    expect(await runProgram(args, { cwd, env: variables })).toMatchObject({ code });
    expectSetAside(cwd);
    const written = readdirSync(join(cwd, 'reports')).filter((name) => FILES.includes(name));
    for (const file of written) expect(readFileSync(join(cwd, 'reports', file), 'utf8')).not.toContain('earlier');
    if (code === 2) expect(written).toEqual([]);
  });

  test.each([
    ['--reports', ['--reports', 'out', '--timeout', 'soon'], {}],
    ['--reports before an option that was removed', ['--reports', 'out', '--bail'], {}],
    ['PETSTORE_REPORTS', ['--timeout', 'soon'], { PETSTORE_REPORTS: 'out' }],
  ])('are renamed in the folder given by %s', async (_where, args, variables) => {
    const cwd = folderOfEarlier('out');
    expect(await runProgram(['run', ...args], { cwd, env: variables })).toMatchObject({ code: 2 });
    expectSetAside(cwd, 'out');
  });

  test('stay if nothing was run, and if the run reads them', async () => {
    const cwd = folderOfEarlier();
    expect(await runProgram(['run', '--help'], { cwd })).toMatchObject({ code: 0 });
    expect(readdirSync(join(cwd, 'reports')).filter((name) => name.endsWith('.previous'))).toEqual([]);
    await runProgram(QUICK, { cwd });
    const own = readFileSync(join(cwd, 'reports', 'behavior.json'), 'utf8');
    const again = await runProgram([...QUICK, '--baseline', 'reports/behavior.json', '--reporter', 'terminal'], { cwd });
    expect(again, again.stderr).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'reports', 'behavior.json'), 'utf8')).toBe(own);
  });
});

test('a run writes nothing into the home directory, which a user of a container may not have', async () => {
  const home = ownFolder();
  const cwd = ownFolder();
  expect(await runProgram(QUICK, { cwd, env: { HOME: home, XDG_DATA_HOME: '', TMPDIR: home } })).toMatchObject({ code: 0 });
  expect(readdirSync(home)).toEqual([]);
});

test('reports and waivers that can no longer be written after the run are reported in a sentence each and a last line, and the verdict stands', async () => {
  const cwd = ownFolder();
  const folders = ['out', 'waivers'].map((name) => join(cwd, name));
  for (const folder of folders) mkdirSync(folder);
  const server = createServer((_request, response) => {
    // Folders that existed before the run are replaced by files at the first request.
    for (const folder of folders) {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    }
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const args = ['run', '--base-url', baseUrl, '--only', 'errors.no-server-error', '--reports', 'out'];
  const { code, stdout, stderr } = await runProgram([...args, '--waivers', 'waivers/w.yaml', '--update-waivers'], { cwd, env });
  server.close();
  server.closeAllConnections();
  expect(stderr.match(/^error: could not write out\/.*$/gm)).toHaveLength(6);
  expect(stderr).toMatch(/^error: could not write the waivers to waivers\/w\.yaml: .*; the failures are not waived$/m);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(stdout).toMatch(/\n6 reports could not be written: exit code 1\n$/);
  expect(code).toBe(1);
});

test('the report states the selection and what it leaves out, also if it comes from the environment', async () => {
  const cwd = ownFolder();
  const { stdout } = await runProgram(['run', '--reference'], { cwd, env: { PETSTORE_ONLY: 'list.success' } });
  const words = /! Only 1 of \d+ clauses was judged, because of --only list\.success; the others were not judged/;
  expect(stdout.replace(/\s+/g, ' ')).toMatch(words);
  const { notices } = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  expect(notices.join('\n')).toMatch(/^Only 1 of \d+ clauses/m);
  const smoke = await runProgram(['smoke', '--reference', '--skip', 'list.*'], { cwd });
  expect(smoke.stdout).toMatch(/! Only \d+ of the \d+ clauses of smoke were judged, because of --skip list\.\*/);
  expect((await runProgram(['smoke', '--reference'], { cwd })).stdout).not.toMatch(/! Only/);
});
