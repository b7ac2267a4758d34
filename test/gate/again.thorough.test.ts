import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import type { ReferenceServer } from '../../src/reference/server.ts';
import { requestsOf } from '../../src/report/tally.ts';
import { type Ended, ownFolder, runProgram, startProgram, timeLeft, withoutProgress } from '../support/program.ts';

const KEY = 'k-again-Qm28xLw';
const env = { PETSTORE_API_KEY: KEY };
const servers: ReferenceServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: Omit<ReferenceOptions, 'apiKey'> = {}): Promise<ReferenceServer> {
  const server = await startReference({ seedAnimals: 8, ...options, apiKey: KEY });
  servers.push(server);
  return server;
}

function judge({ baseUrl }: ReferenceServer, cwd: string, args: readonly string[]): Promise<Ended> {
  return runProgram(['run', '--base-url', baseUrl, '--reporter', 'json', '--reporter', 'terminal', ...args], { cwd, env });
}

function recordIn(cwd: string): RunRecord {
  return JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
}

const READS = ['--only', 'list-pets', '--read-only'];
const ONE = ['--only', 'list.limit-maximum', '--read-only'];
const plain = ({ stdout }: Ended): string => stdout.replace(/\s+/g, ' ');

test('--failed sends a few requests, and says what fails still and what holds now', async () => {
  const cwd = ownFolder();
  await judge(await serve({ faults: ['limit-plus-one', 'create-sold-refused'] }), cwd, ['--only', 'list-pets', '--only', 'create-pet']);
  const failed = recordIn(cwd).clauses.filter(({ verdict }) => verdict === 'fail');
  const half = await judge(await serve({ faults: ['limit-plus-one'] }), cwd, ['--failed']);
  expect(half.code).toBe(1);
  expect(plain(half)).toContain(`; 1 of the ${failed.length} clauses that failed then fails still.`);
  expect(plain(half)).toContain(`Only what had shown that ${failed.length} clauses were broken was sent again (--failed); what else`);
  const { clauses, animals } = recordIn(cwd);
  expect(clauses.map(({ id }) => id)).toEqual(failed.map(({ id }) => id));
  expect(animals.created.length).toBeLessThan(15);
  expect(requestsOf(recordIn(cwd))).toBeLessThan(150);
  // What was not seen to hold is sent the next time, too.
  const whole = await judge(await serve(), cwd, ['--failed']);
  expect({ code: whole.code, verdict: /Conformant where judged: .* now\./.exec(plain(whole))?.[0] }).toEqual({
    code: 0,
    verdict: `Conformant where judged: the ${failed.length} clauses that failed then hold now.`,
  });
  const nothing = await judge(await serve(), cwd, ['--failed']);
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('no clause failed in reports/report.json') });
});

test('--failed takes the seed of that run, and --only and --skip choose among what failed', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one', 'filter-ignored'] });
  await judge(faulty, cwd, [...READS, '--seed', '77']);
  copyFileSync(join(cwd, 'reports', 'report.json'), join(cwd, 'earlier.json'));
  expect((await judge(faulty, cwd, ['--failed', 'earlier.json', '--skip', 'list.limit-maximum', '--read-only'])).code).toBe(1);
  const { clauses, options } = recordIn(cwd);
  expect(options.seed).toBe(77);
  expect(clauses.filter(({ again }) => again !== undefined).map(({ id }) => id)).not.toContain('list.limit-maximum');
  const none = await judge(faulty, cwd, ['--failed', 'earlier.json', '--only', 'get-pet', '--read-only']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing of this selection failed in earlier.json') });
});

test('--failed is undecided, with the reason, if the store is another one or an option leaves out what has to be sent', async () => {
  const cwd = ownFolder();
  await judge(await serve({ faults: ['create-sold-refused'] }), cwd, ['--only', 'create.status-values']);
  const { code, stdout } = await judge(await serve(), cwd, ['--failed', '--read-only']);
  expect(code).toBe(3);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('it is undecided whether the clause that failed then holds now; run the whole suite');
  expect(text).toContain('create.status-values: ');
});

test('--failed detects that a repair has broken what worked: here each creation with a status', async () => {
  const cwd = ownFolder();
  await judge(await serve({ faults: ['limit-ignored'] }), cwd, ['--only', 'list.limit-maximum']);
  const again = await judge(await serve({ faults: ['create-sold-refused'] }), cwd, ['--failed']);
  expect(again.code).toBe(1);
  expect(recordIn(cwd).conclusion.reasons).toEqual(['create.status-values']);
});

test('--failed leaves waivers of what it does not judge alone', async () => {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'waivers.yaml'), 'waivers:\n  - { id: list.unique, reason: known, expires: 2999-12-31 }\n');
  const faulty = await serve({ faults: ['limit-plus-one'] });
  await judge(faulty, cwd, ONE);
  const again = await judge(await serve({ seedAnimals: 150 }), cwd, [
    '--failed',
    '--read-only',
    '--waivers',
    'waivers.yaml',
    '--update-waivers',
  ]);
  expect(again.code).toBe(0);
  expect(readFileSync(join(cwd, 'waivers.yaml'), 'utf8')).toContain('list.unique');
});

test('--failed rejects a report that does not say what to send again', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one'] });
  await judge(faulty, cwd, ONE);
  const { clauses, ...record } = recordIn(cwd);
  const without = clauses.map(({ again: _again, ...clause }) => clause);
  writeFileSync(join(cwd, 'old.json'), JSON.stringify({ ...record, clauses: without }));
  const { code, stderr } = await judge(faulty, cwd, ['--failed', 'old.json']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: --failed: old\.json does not say what to send again, as .* do not: run the whole suite once/m);
});

test('--failed judges a service other than that of the report only if the command line names it, and says so', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one'] });
  const other = await serve();
  await judge(faulty, cwd, ONE);
  const report = 'earlier.json';
  copyFileSync(join(cwd, 'reports', 'report.json'), join(cwd, report));
  const args = ['run', '--failed', report, '--read-only', '--reporter', 'terminal'];
  const { code, stdout, stderr } = await runProgram(args, { cwd, env: { ...env, PETSTORE_BASE_URL: other.baseUrl } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  const sentence = `${report} is of ${faulty.baseUrl}, but the environment or .env names ${other.baseUrl}; add --base-url ${other.baseUrl} if`;
  expect(stderr).toContain(sentence);
  expect((await runProgram([...args, '--base-url', other.baseUrl], { cwd, env })).code).not.toBe(2);
  const reference = await runProgram(args, { cwd, env: { ...env, PETSTORE_REFERENCE: 'true' } });
  expect(reference).toMatchObject({ code: 2, stderr: expect.stringContaining('names the built-in reference server; add --reference if') });
});

test('--failed treats the built-in server as the same, whatever its port', async () => {
  const cwd = ownFolder();
  const reference = { ...env, PETSTORE_REFERENCE: 'true' };
  await runProgram(['run', '--only', 'versioning.*', '--reporter', 'json'], { cwd, env: reference });
  const report = join(cwd, 'reports', 'report.json');
  const record = JSON.parse(readFileSync(report, 'utf8')) as RunRecord;
  const again = { rows: [{ op: 'list' }], musts: ['lists'] };
  writeFileSync(report, JSON.stringify({ ...record, clauses: record.clauses.map((clause) => ({ ...clause, verdict: 'fail', again })) }));
  const { code, stderr } = await runProgram(['run', '--failed', '--reporter', 'terminal'], { cwd, env: reference });
  expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: '' });
});

test('--failed skips a run that could not reach its server, and uses a named report', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one'] });
  const none = await judge(faulty, cwd, ['--failed']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no report of an earlier run in "reports"') });
  await judge(faulty, cwd, READS);
  await runProgram(['run', '--base-url', 'http://127.0.0.1:1/v1', '--reporter', 'json'], { cwd, env });
  expect(recordIn(cwd).clauses).toEqual([]);
  const args = ['--failed', join('reports', 'report.json.previous'), '--only', 'list.limit-maximum', '--read-only'];
  expect((await judge(faulty, cwd, args)).code).toBe(1);
});

test('--min-judged is exit 3 if fewer situations were judged, and says how many', async () => {
  const cwd = ownFolder();
  const server = await serve();
  const enough = await judge(server, cwd, ['--read-only', '--min-judged', '10']);
  expect(enough.code).toBe(0);
  const { code, stdout } = await judge(server, cwd, ['--read-only', '--min-judged', '100']);
  expect(code).toBe(3);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/\d+ of \d+ situations were judged, fewer than the 100% that --min-judged asks for/);
});

test('a run that is killed leaves a report.json that can be read, with the animals that it created', async () => {
  const cwd = ownFolder();
  const { baseUrl } = await serve({ variants: ['latency-400-ms'] });
  const { child, ended } = startProgram(['run', '--base-url', baseUrl], { cwd, env });
  const file = join(cwd, 'reports', 'report.json');
  await expect.poll(() => existsSync(file) && recordIn(cwd).animals.created.length > 0, { timeout: timeLeft(), interval: 200 }).toBe(true);
  child.kill('SIGKILL');
  await ended;
  expect(recordIn(cwd)).toMatchObject({ interrupted: true, conclusion: { exitCode: 3 } });
  expect(recordIn(cwd).conclusion.headline).toMatch(/the run did not finish, \d+ of \d+ situations judged by then/);
});

test('--watch judges what failed once the server is back, and everything when Enter is pressed after that', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one'] });
  const { port } = new URL(faulty.baseUrl);
  const args = ['run', '--base-url', faulty.baseUrl, ...READS, '--watch'];
  const { child, ended } = startProgram(args, { cwd, env, input: true });
  let said = '';
  child.stdout?.on('data', (text: string) => {
    said += text;
  });
  const rounds = (): number => said.match(/^Watching /gm)?.length ?? 0;
  await expect.poll(rounds, { timeout: timeLeft() }).toBe(1);
  expect(said).toMatch(/judges \d+ broken clauses? again after a restart/);
  await faulty.close();
  await expect.poll(() => said, { timeout: timeLeft() }).toContain(' is down');
  await serve({ port: Number(port), seedAnimals: 150 });
  await expect.poll(rounds, { timeout: timeLeft() }).toBe(2);
  expect(recordIn(cwd)).toMatchObject({
    conclusion: { exitCode: 0 },
    notices: expect.arrayContaining([expect.stringContaining('was sent again (--failed)')]),
  });
  expect(said).toContain('judges everything again');
  child.stdin?.write('\n');
  await expect.poll(rounds, { timeout: timeLeft() }).toBe(3);
  expect(recordIn(cwd)).toMatchObject({
    conclusion: { exitCode: 0 },
    notices: expect.arrayContaining([expect.stringContaining('because of --only list-pets')]),
  });
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
});
