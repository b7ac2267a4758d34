import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterEach, expect, test } from 'vitest';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { createStore } from '../../src/reference/core/store.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { conformingUntil, type Deal, message } from '../hostile/attacker.ts';
import { situationsOf } from '../support/judge-samples.ts';
import { type Ended, ownFolder, runProgram, type Start, startProgram, withoutProgress } from '../support/program.ts';

const KEY = 'canary/Key+7&<x>"q"=Zz';
const servers: ReferenceServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: Omit<ReferenceOptions, 'apiKey'> = {}): Promise<string> {
  const server = await startReference({ seedAnimals: 8, ...options, apiKey: KEY });
  servers.push(server);
  return server.baseUrl;
}

function gate(baseUrl: string, args: readonly string[] = [], start: Start = {}): Promise<Ended> {
  return runProgram(['run', '--base-url', baseUrl, ...args], { ...start, env: { PETSTORE_API_KEY: KEY, ...start.env } });
}

function recordIn(cwd: string): RunRecord {
  return JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
}

type Junit = { testsuites: { '@_tests': string; '@_failures': string; '@_errors': string } };

function junitIn(cwd: string): Junit['testsuites'] {
  const parser = new XMLParser({ ignoreAttributes: false });
  return (parser.parse(readFileSync(join(cwd, 'reports', 'junit.xml'), 'utf8')) as Junit).testsuites;
}

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
  const { code, stdout, stderr } = await gate(await serve({ faults: ['limit-ignored'] }), ['--only', 'list.*'], { cwd });
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

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s in the middle of a run is exit %i, with reports that are complete for what was judged', async (signal, expected) => {
  const cwd = ownFolder();
  const baseUrl = await serve({ variants: ['latency-400-ms'] });
  const { child, ended } = startProgram(['run', '--base-url', baseUrl], { cwd, env: { PETSTORE_API_KEY: KEY } });
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  // Without a terminal, a line of progress is printed every five seconds. It counts what was sent: from ten requests on, the first contact
  // has its responses.
  child.stderr?.on('data', (text: string) => / [1-9]\d+ requests/.test(text) && resolve());
  await Promise.race([underWay, ended]);
  child.kill(signal);
  expect(await ended).toMatchObject({ code: expected, signal: null });
  const record = recordIn(cwd);
  expect(record).toMatchObject({ interrupted: true, conclusion: { exitCode: expected } });
  expect(record.operations.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(0);
  expect(record.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(record.clauses.some(({ note }) => note.includes('interrupted'))).toBe(true);
  expect(Number(junitIn(cwd)['@_tests'])).toBeGreaterThanOrEqual(record.clauses.length);
});

test("vitest settings in the environment, which are meant for the user's tests, change nothing", async () => {
  const { code, stdout } = await gate(await serve(), ['--only', 'list.success'], { env: { VITEST_MAX_WORKERS: '0' } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Conformant: 1 of 1 clause judged') });
});

test('a second SIGINT ends the run at once', async () => {
  const baseUrl = await serve({ variants: ['latency-400-ms'] });
  const { child, ended } = startProgram(['run', '--base-url', baseUrl], { env: { PETSTORE_API_KEY: KEY } });
  child.stderr?.once('data', () => {
    child.kill('SIGINT');
    child.kill('SIGINT');
  });
  expect((await ended).code).toBe(130);
});

test('a closed stdout ends neither the run nor the reports', async () => {
  const cwd = ownFolder();
  const { child, ended } = startProgram(['run', '--reference', '--only', 'versioning.*'], { cwd });
  child.stdout?.destroy();
  expect((await ended).code).toBe(0);
  expect(recordIn(cwd).conclusion.exitCode).toBe(0);
});

test('a selection of what judges all responses sends some of each kind', async () => {
  const cwd = ownFolder();
  const { code } = await gate(await serve(), ['--only', 'errors.no-server-error'], { cwd });
  const { clauses, operations } = recordIn(cwd);
  expect(clauses.map(({ id, verdict }) => [id, verdict])).toEqual([['errors.no-server-error', 'pass']]);
  expect(operations.filter(({ requests }) => requests > 0)).toHaveLength(3);
  expect(code).toBe(0);
});

test.each(['20', '120'])(
  'a service that accepts a fraction as categoryId fails with --max-creates %s, and one that conforms does not',
  async (most) => {
    const cwd = ownFolder();
    const broken = await gate(await serve({ faults: ['fraction-category-truncated'] }), ['--max-creates', most], { cwd });
    expect([broken.code, recordIn(cwd).conclusion.reasons]).toEqual([1, ['create.category-type']]);
    expect(recordIn(cwd).animals.created.length).toBeLessThanOrEqual(Number(most));
    const conforming = await gate(await serve(), ['--max-creates', most], { cwd });
    const record = recordIn(cwd);
    expect(conforming.code).toBe(0);
    const dropped = situationsOf(record).filter(({ why }) => why === 'choice');
    expect(dropped.filter(({ clause }) => INVALID_BODY_CLAUSES.some((id) => id === clause))).toEqual([]);
    for (const { id, verdict, note } of record.clauses)
      if (verdict === 'pass' && dropped.some(({ clause }) => clause === id)) expect(note).toContain('situations were not judged');
  },
);

test.each(
  ['refused-status-stored', 'refused-long-name-stored', 'refused-name-stored'].flatMap((fault) => [
    [fault, 20] as const,
    [fault, 60] as const,
  ]),
)('a service that stores what it rejects (%s) ends with no more animals than --max-creates %d', async (fault, most) => {
  const cwd = ownFolder();
  const store = createStore();
  // Which names are sent with a budget of 20 depends on the seed, and one animal without a name may be of anybody.
  const { code } = await gate(await serve({ faults: [fault], store }), ['--max-creates', String(most), '--seed', '20261121'], { cwd });
  const { reasons } = recordIn(cwd).conclusion;
  const isShown = reasons.includes('create.refused-stores-nothing');
  if (most === 60 || fault !== 'refused-long-name-stored') expect(isShown).toBe(true);
  expect(code).toBe(isShown ? 1 : 0);
  expect(store.animals.length).toBeGreaterThan(0);
  expect(store.animals.length).toBeLessThanOrEqual(most);
  const { created, ambiguous } = recordIn(cwd).animals;
  expect(created.length + ambiguous.length).toBeGreaterThanOrEqual(store.animals.length);
});

test('a selection that sends invalid bodies only to a service that stores them ends with no more animals than --max-creates either', async () => {
  const store = createStore();
  const url = await serve({ faults: ['refused-status-stored'], store });
  await gate(url, ['--only', 'create.status-invalid', '--max-creates', '20']);
  expect(store.animals.length).toBeGreaterThan(8);
  expect(store.animals.length).toBeLessThanOrEqual(20);
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

test('a waived failure keeps its evidence and does not fail the run, until it expires or is repaired', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const waive = (expires: string): void =>
    writeFileSync(file, `waivers:\n  - {id: list.limit-maximum, reason: old gateway, expires: ${expires}}\n`);
  const faulty = await serve({ faults: ['limit-ignored'] });
  const args = ['--only', 'list.limit-maximum', '--only', 'list.success', '--read-only', '--waivers', file];
  waive('2999-12-31');
  expect(await gate(faulty, args, { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('warning: the waiver of list.limit-maximum is valid until 2999-12-31, more than a year from today'),
  });
  const waived = recordIn(cwd).clauses.filter(({ verdict }) => verdict === 'waived');
  expect(waived[0]).toMatchObject({ note: 'old gateway (until 2999-12-31)' });
  expect(waived[0]?.findings.length).toBeGreaterThan(0);
  waive('2020-01-01');
  expect(await gate(faulty, args, { cwd })).toMatchObject({ code: 1, stdout: expect.stringContaining('expired on 2020-01-01') });
  waive('2999-12-31');
  const repaired = await gate(await serve({ seedAnimals: 150 }), args, { cwd });
  expect(repaired).toMatchObject({ code: 1, stdout: expect.stringContaining('no longer needed') });
});

/** What --update-waivers has written, with its reasons and days. */
function fillIn(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/"TO BE WRITTEN: why.*"/g, 'known').replace(/"TO BE WRITTEN: the last day.*"/g, '2999-12-31'));
}

test('--update-waivers writes failures without a reason and a day, which the next run requires', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list.limit-maximum', '--read-only', '--waivers', file];
  const faulty = await serve({ faults: ['limit-ignored'] });
  const first = await gate(faulty, [...args, '--update-waivers'], { cwd });
  expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('1 entry added; write a reason and the last day for each') });
  const next = await gate(faulty, args, { cwd });
  expect(next).toMatchObject({ code: 2, stderr: expect.stringContaining('still has no reason') });
  const text = readFileSync(file, 'utf8');
  expect(text.match(/- id: /g)).toHaveLength(1);
  expect(text).toMatch(/\n {2}# .*GET \/pets|\n {2}# .*a list with/);
  // Repaired: the entry is removed, and the run is as green as without it.
  fillIn(file);
  const pruned = await gate(await serve({ seedAnimals: 150 }), [...args, '--only', 'list.success', '--update-waivers'], { cwd });
  expect(pruned).toMatchObject({ code: 0, stderr: expect.stringContaining('1 entry removed, as nothing that they waived fails') });
  expect(readFileSync(file, 'utf8')).not.toContain('- id: ');
});

test('a waiver written for one animal too many does not cover a limit that is ignored, and says what was waived', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list-pets', '--read-only', '--waivers', file];
  const plusOne = await serve({ faults: ['limit-plus-one'], seedAnimals: 150 });
  expect((await gate(plusOne, [...args, '--update-waivers'], { cwd })).code).toBe(1);
  fillIn(file);
  const again = await gate(plusOne, args, { cwd });
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/~ list\.limit-maximum: known \(until 2999-12-31\); entry 1 covers listPets/),
  });
  const ignored = await gate(await serve({ faults: ['limit-ignored'], seedAnimals: 150 }), args, { cwd });
  expect(ignored.code).toBe(1);
  const said = ignored.stdout.replace(/\s+/g, ' ');
  expect(said).toContain(
    'waived was listPets, []: expected at most as many animals as the limit, received one too many (entry 1). This is',
  );
  expect(said).toContain('received more than one too many');
});

test('a waiver without a kind covers every failure of its clause, which every report says, until --update-waivers binds it', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list.limit-maximum', '--only', 'list.success', '--read-only', '--waivers', file, '--reporter', 'markdown'];
  const reporters = ['--reporter', 'terminal', '--reporter', 'html', '--reporter', 'json'];
  const service = await serve({ faults: ['limit-ignored'], seedAnimals: 150 });
  writeFileSync(file, 'waivers:\n  - id: list.limit-maximum # the gateway\n    reason: known\n    ticket: T-1\n    expires: 2999-12-31\n');
  const broad = await gate(service, [...args, ...reporters], { cwd });
  const notice = /1 waiver covers every failure of list\.limit-maximum/;
  expect(broad.code).toBe(0);
  for (const text of [
    broad.stdout,
    ...['summary.md', 'report.html', 'report.json'].map((name) => readFileSync(join(cwd, 'reports', name), 'utf8')),
  ])
    expect(text.replace(/\\|\s+/g, (found) => (found === '\\' ? '' : ' '))).toMatch(notice);
  const updated = await gate(service, [...args, '--update-waivers'], { cwd });
  expect(updated).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 entry bound to the failures that they cover now: list.limit-maximum'),
  });
  expect(readFileSync(file, 'utf8')).toContain(`  - id: list.limit-maximum # the gateway
    must: listPets
    place: "[]"
    expected: at most as many animals as the limit
    received: more than one too many
`);
  const bound = await gate(service, [...args, ...reporters], { cwd });
  expect(bound.code).toBe(0);
  expect(bound.stdout).not.toMatch(notice);
  expect(bound.stdout.replace(/\s+/g, ' ')).toContain('known (T-1, until 2999-12-31); entry 1 covers listPets, []: expected');
});

test('a waiver of an unknown id is rejected before the run, and an expired one causes a warning', async () => {
  const cwd = ownFolder();
  const file = join(cwd, 'waivers.yaml');
  const args = ['--only', 'list.success', '--read-only', '--waivers', file];
  const service = await serve();
  writeFileSync(file, 'waivers:\n  - {id: get.notfound, reason: known, expires: 2999-12-31}\n');
  const unknown = await gate(service, args, { cwd });
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/waivers\.yaml: the waiver of get\.notfound matches no clause \(did you mean get\.not-found/);
  writeFileSync(file, 'waivers:\n  - {id: get.not-found, reason: known, expires: 2020-01-01}\n');
  expect((await gate(service, args, { cwd })).stderr).toContain('warning: the waiver of get.not-found expired on 2020-01-01');
});

test('--update-waivers says which entries hide other situations', async () => {
  const cwd = ownFolder();
  const args = ['--only', 'create.*', '--only', 'errors.shape', '--waivers', join(cwd, 'waivers.yaml'), '--update-waivers'];
  const { stderr } = await gate(await serve({ faults: ['create-not-allowed'] }), args, { cwd });
  expect(stderr).toMatch(/waivers\.yaml: while create\.success is waived, \d+ situations can't be judged because of it/);
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
  const { stdout } = await gate(await serve({ faults: ['limit-ignored'] }), ['--only', 'list.limit-maximum', '--read-only'], { cwd, env });
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
  const { code, stdout } = await gate(server.baseUrl).finally(() => server.close());
  expect(code, stdout).toBe(3);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toMatch(/the service rejected every plain creation with 400 "[^"]+" \(categories tried: 1, 2, 3 and \d+ more\)/);
  expect(text).toContain(said);
  expect(text.includes('name a category that exists with --category-id')).toBe(advises);
  expect(stdout).not.toContain('found no category');
});
