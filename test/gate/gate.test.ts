import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformingUntil, type Deal, message } from '../hostile/attacker.ts';
import { situationsOf } from '../support/judge-samples.ts';
import { ownFolder, runProgram, withoutProgress } from '../support/program.ts';
import { gate, junitIn, KEY, recordIn, serve } from './judged-service.ts';

test('the built-in reference server is conformant: exit 0, a verdict in every situation, all reports', async () => {
  const cwd = ownFolder();
  const { code, stdout, stderr } = await runProgram(['run', '--reference', '--seed', '7'], { cwd });
  expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: '' });
  const record = recordIn(cwd);
  const inapplicable = record.clauses.filter(({ verdict }) => verdict === 'not-applicable').length;
  const judged = `${record.clauses.length - inapplicable} of ${record.clauses.length} clauses judged, ${inapplicable} not applicable`;
  expect(stdout.split('\n')).toContain(`Conformant: ${judged}.`);
  expect(record.conclusion).toMatchObject({ exitCode: 0, headline: `conformant: ${judged}` });
  expect(record.clauses.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(record.options.seed).toBe(7);
  expect(record.animals.created.length).toBeGreaterThan(0);
  // The budget is enough for a store that was empty, with a margin.
  expect(record.animals.created.length).toBeLessThan(0.96 * record.animals.budget);
  expect(situationsOf(record).filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  expect(Number(junitIn(cwd)['@_tests'])).toBe(record.clauses.length);
  expect(readdirSync(join(cwd, 'reports')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a faulty server is exit 1: the clause is named in the terminal, in JUnit and in JSON, with a curl line and without the key', async () => {
  const cwd = ownFolder();
  const { code, stdout, stderr } = await gate(await serve({ faults: ['limit-ignored'] }), ['--only', 'list.*', '--depth', 'quick'], {
    cwd,
  });
  expect(code).toBe(1);
  expect(stdout).toContain('FAIL list.limit-maximum ');
  expect(stdout).toMatch(/curl .*\$PETSTORE_API_KEY/);
  const { conclusion, clauses } = recordIn(cwd);
  expect(conclusion.reasons).toContain('list.limit-maximum');
  expect(clauses.find(({ id }) => id === 'list.limit-maximum')?.verdict).toBe('fail');
  expect(Number(junitIn(cwd)['@_failures'])).toBeGreaterThan(0);
  const written = readdirSync(join(cwd, 'reports')).map((name) => readFileSync(join(cwd, 'reports', name), 'utf8'));
  for (const text of [stdout, stderr, ...written]) expect(text).not.toContain('canary/Key');
});

test.each([
  ['an address without /v1', (baseUrl: string) => baseUrl.replace(/\/v1$/, ''), KEY, /did you mean http:\/\/127\.0\.0\.1:\d+\/v1\?/],
  ['a wrong key', (baseUrl: string) => baseUrl, 'another-key-of-somebody', /Every request with the API key returned 401/],
])('%s ends the run at the first contact: exit 1, one sentence, at most 15 lines, three requests', async (_case, path, key, sentence) => {
  const cwd = ownFolder();
  const { code, stdout } = await gate(path(await serve()), [], { cwd, env: { PETSTORE_API_KEY: key } });
  expect(code).toBe(1);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(sentence);
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
  expect(recordIn(cwd).operations.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  expect(junitIn(cwd)['@_errors']).toBe('1');
});

test('a service that cannot be reached is exit 3, and host, port and cause are named without a word of the test runner', async () => {
  const cwd = ownFolder();
  const { code, stdout, stderr } = await gate('http://127.0.0.1:1/v1', [], { cwd });
  expect(code).toBe(3);
  expect(stdout).toMatch(/127\.0\.0\.1 port 1: .*ECONNREFUSED/);
  expect(stdout + stderr).not.toMatch(/vitest|at \//i);
  expect(recordIn(cwd).conclusion.exitCode).toBe(3);
  expect(Number(junitIn(cwd)['@_errors'])).toBe(1);
});

test('a server that returns the same nonsense for everything is never conformant', async () => {
  const { code } = await gate(await serve({ basePath: '/elsewhere/v1' }).then((url) => url.replace('/elsewhere', '')), ['--read-only']);
  expect([1, 3]).toContain(code);
});

test("vitest settings in the environment, which are meant for the user's tests, change nothing", async () => {
  const { code, stdout } = await gate(await serve(), ['--only', 'list.success'], { env: { VITEST_MAX_WORKERS: '0' } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Conformant: 1 of 1 clause judged') });
});

test('a selection of what judges all responses sends some of each kind', async () => {
  const cwd = ownFolder();
  const { code } = await gate(await serve(), ['--only', 'errors.no-server-error'], { cwd });
  const { clauses, operations } = recordIn(cwd);
  expect(clauses.map(({ id, verdict }) => [id, verdict])).toEqual([['errors.no-server-error', 'pass']]);
  expect(operations.filter(({ requests }) => requests > 0)).toHaveLength(3);
  expect(code).toBe(0);
});

test('the id of a check of version 2 selects its clause, which is judged as a whole, and says so', async () => {
  const cwd = ownFolder();
  const { code } = await gate(await serve(), ['--only', 'record.pets/every-list', '--read-only'], { cwd });
  const { clauses, notices } = recordIn(cwd);
  expect(clauses.map(({ id }) => id)).toEqual(['record.pets']);
  expect(clauses[0]?.evidence?.judged).toBeGreaterThan(20);
  expect(notices).toContainEqual(expect.stringContaining('--only record.pets/every-list names checks of version 2: it judges record.pets'));
  expect(code).toBe(0);
});

test('nothing is written outside of the reports folder', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'vitest.config.ts'), 'throw new Error("the configuration of the user was loaded");');
  writeFileSync(join(cwd, 'vite.config.ts'), 'throw new Error("the configuration of the user was loaded");');
  const { code } = await runProgram(['run', '--reference', '--only', 'versioning.*'], { cwd });
  expect(code).toBe(0);
  expect(readdirSync(cwd).sort()).toEqual(['reports', 'vite.config.ts', 'vitest.config.ts']);
  expect(statSync(join(cwd, 'reports')).isDirectory()).toBe(true);
});

test('a step summary is appended to the file that GitHub names, and annotations are printed', async () => {
  const cwd = ownFolder();
  const summary = join(cwd, 'summary');
  writeFileSync(summary, 'before\n');
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: 'true' };
  const { stdout } = await gate(
    await serve({ faults: ['limit-ignored'] }),
    ['--only', 'list.limit-maximum', '--read-only', '--depth', 'quick'],
    { cwd, env },
  );
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n[\s\S]*list\.limit-maximum/);
  expect(stdout).toMatch(/^::error title=list\.limit-maximum/m);
});

test.each([
  ['a JSON body is required', false],
  ['there is no such category', true],
])('a service that rejects every creation is quoted, with the tried categories: %s', async (said, advises) => {
  const rejection = message('400 Bad Request', JSON.stringify({ code: 'bad_request', message: said, status: 400 }));
  const deal: Deal = ({ socket, method, headers }, genuine) =>
    method === 'POST' && /^bearer +(.+)$/i.exec(String(headers['authorization']))?.[1] === KEY ? void socket.write(rejection) : genuine();
  const server = await conformingUntil(deal, { apiKey: KEY, seedAnimals: 0 });
  const { code, stdout } = await gate(server.baseUrl, ['--depth', 'quick']).finally(() => server.close());
  expect(code, stdout).toBe(3);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toMatch(/the service rejected every plain creation with 400 "[^"]+" \(categories tried: 1, 2, 3 and \d+ more\)/);
  expect(text).toContain(said);
  expect(text.includes('name a category that exists with --category-id')).toBe(advises);
  expect(stdout).not.toContain('found no category');
});
