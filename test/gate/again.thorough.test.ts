import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { MustRecord } from '../../src/clause/clause-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { SANITY } from '../../src/judge/selection.ts';
import { type ReferenceOptions, type ReferenceServer, startReference } from '../../src/reference/server.ts';
import { clauses } from '../../suites/index.ts';
import { situationsOf } from '../support/judge-samples.ts';
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

const titlesIn = (cwd: string, isMeant: (must: MustRecord) => boolean): readonly string[] =>
  situationsOf(recordIn(cwd))
    .filter(isMeant)
    .map(({ title }) => title);

const READS = ['--only', 'list-pets', '--read-only'];

test('--failed judges what failed in the last run and a sanity round, until nothing fails', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one'] });
  await judge(faulty, cwd, READS);
  const failed = titlesIn(cwd, ({ verdict }) => verdict === 'fail');
  expect(failed).toContain('No list exceeds its limit');
  const again = await judge(faulty, cwd, ['--failed', '--read-only']);
  expect(again.code).toBe(1);
  const sanity = clauses.flatMap(({ checks }) => checks.flatMap(({ id, title }) => (SANITY.includes(id) ? [title] : [])));
  const judged = titlesIn(cwd, () => true);
  expect(judged.filter((title) => !sanity.includes(title))).toEqual(failed.filter((title) => !sanity.includes(title)));
  expect(judged).toEqual(expect.arrayContaining(sanity));
  expect(titlesIn(cwd, ({ verdict }) => verdict !== 'fail').filter((title) => !sanity.includes(title))).toEqual([]);
});

test('--failed judges what waited for what failed, too', async () => {
  const cwd = ownFolder();
  await judge(await serve({ faults: ['create-not-allowed'] }), cwd, ['--only', 'create-pet', '--depth', 'quick']);
  const sent = new Set(clauses.flatMap(({ checks }) => checks.map(({ title }) => title)));
  const waiting = titlesIn(cwd, ({ verdict, why }) => verdict === 'inconclusive' && why === 'waits').filter((title) => sent.has(title));
  expect(waiting.length).toBeGreaterThan(10);
  await judge(await serve(), cwd, ['--failed', '--depth', 'quick']);
  const judged = new Map(situationsOf(recordIn(cwd)).map(({ title, verdict }) => [title, verdict]));
  expect(waiting.map((title) => judged.get(title)).filter((verdict) => verdict !== 'pass' && verdict !== 'observed')).toEqual([]);
});

test('--failed is green if the failures are repaired, and there is nothing left to judge after that', async () => {
  const cwd = ownFolder();
  await judge(await serve({ faults: ['limit-plus-one'] }), cwd, ['--only', 'list.limit-maximum', '--read-only']);
  const server = await serve({ seedAnimals: 150 });
  const repaired = await judge(server, cwd, ['--failed', '--read-only']);
  expect(repaired.code).toBe(0);
  expect(repaired.stdout.replace(/\s+/g, ' ')).toContain('because of --failed reports/report.json');
  const nothing = await judge(server, cwd, ['--failed']);
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('no clause failed in reports/report.json') });
});

test('--failed and replay judge a service other than that of the report only if the command line names it, and say so', async () => {
  const cwd = ownFolder();
  const faulty = await serve({ faults: ['limit-plus-one'] });
  const other = await serve();
  await judge(faulty, cwd, ['--only', 'list.limit-maximum', '--read-only']);
  const report = 'earlier.json';
  copyFileSync(join(cwd, 'reports', 'report.json'), join(cwd, report));
  const failed = ['run', '--failed', report, '--read-only', '--reporter', 'terminal'];
  const commands = [failed, ['replay', report, '--tries', '1']];
  for (const args of commands) {
    const { code, stdout, stderr } = await runProgram(args, { cwd, env: { ...env, PETSTORE_BASE_URL: other.baseUrl } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const sentence = `${report} is of ${faulty.baseUrl}, but the environment or .env names ${other.baseUrl}; add --base-url ${other.baseUrl} if`;
    expect(stderr).toContain(sentence);
    expect((await runProgram([...args, '--base-url', other.baseUrl], { cwd, env })).code).not.toBe(2);
  }
  const reference = await runProgram(failed, { cwd, env: { ...env, PETSTORE_REFERENCE: 'true' } });
  expect(reference).toMatchObject({ code: 2, stderr: expect.stringContaining('names the built-in reference server; add --reference if') });
});

test('--failed treats the built-in server as the same, whatever its port', async () => {
  const cwd = ownFolder();
  const reference = { ...env, PETSTORE_REFERENCE: 'true' };
  await runProgram(['run', '--only', 'versioning.*', '--reporter', 'json'], { cwd, env: reference });
  const report = join(cwd, 'reports', 'report.json');
  const record = JSON.parse(readFileSync(report, 'utf8')) as RunRecord;
  writeFileSync(report, JSON.stringify({ ...record, clauses: record.clauses.map((clause) => ({ ...clause, verdict: 'fail' })) }));
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
    notices: expect.arrayContaining([expect.stringContaining('because of --failed')]),
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
