import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { startReference } from '../../proof/server.ts';
import { ownFolder } from '../support/program.ts';
import { runCommand } from './command.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KEY = 'ci-4Rw8zX2tB6vQ9m';
const SPEC = /@petstore-conformance\/cli@[\d.]+/;

async function serve(...faults: readonly string[]): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const valuesOf = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  );

/** As GitHub's runner starts the step of action.yml. */
async function runAction(baseUrl: string, command: string, more: Readonly<Record<string, string>> = {}) {
  const cwd = ownFolder();
  const env = {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: ROOT, GITHUB_OUTPUT: join(cwd, 'output'), GITHUB_STEP_SUMMARY: join(cwd, 'summary') },
    ...{ CONFORMANCE_COMMAND: command, CONFORMANCE_PACKAGE: inject('tarball') },
    ...{
      PETSTORE_BASE_URL: baseUrl,
      PETSTORE_API_KEY: KEY,
      PETSTORE_ONLY: command === 'run' ? 'list.*,create.success' : '',
      PETSTORE_RATE: '',
    },
    ...more,
  };
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as { runs: { steps: readonly { id?: string; run?: string }[] } };
  const script = runs.steps.find(({ id }) => id === 'judge')?.run ?? '';
  const ended = await runCommand(['bash', '-e', '-o', 'pipefail', '-c', script], { cwd, env });
  return { ...ended, cwd, outputs: valuesOf(env.GITHUB_OUTPUT) };
}

/** The commands of a template, with the packed file in place of the published package, and a prefix of their own. */
async function runTemplate(commands: readonly string[], env: Readonly<Record<string, string>>) {
  const cwd = ownFolder();
  const prefix = join(cwd, 'prefix');
  mkdirSync(join(prefix, 'lib'), { recursive: true });
  expect(commands.some((command) => SPEC.test(command))).toBe(true);
  const script = commands.map((command) => command.replace(SPEC, inject('tarball'))).join('\n');
  const PATH = `${join(prefix, 'bin')}:${process.env['PATH']}`;
  const ended = await runCommand(['bash', '-e', '-c', script], {
    cwd,
    env: { ...env, PATH, npm_config_prefix: prefix, PETSTORE_API_KEY: KEY },
  });
  return { ...ended, cwd };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('action.yml', () => {
  test('passes for a conforming server, with outputs, a summary and reports', async () => {
    const { code, stdout, stderr, cwd, outputs } = await runAction(await serve(), 'run');
    expect(code, stdout + stderr).toBe(0);
    expect(outputs).toMatchObject({ verdict: 'conformant', 'exit-code': '0', failed: '0' });
    expect(Number(outputs['passed'])).toBeGreaterThan(10);
    expect(readFileSync(join(cwd, 'summary'), 'utf8')).toContain('Conformant');
    expect(readFileSync(join(cwd, 'reports', 'junit.xml'), 'utf8')).toContain('<testsuites');
  });

  test('fails for a broken one, with annotations', async () => {
    const { code, stdout, outputs } = await runAction(await serve('limit-plus-one'), 'run');
    expect(code).toBe(1);
    expect(outputs).toMatchObject({ verdict: 'not-conformant', 'exit-code': '1', failed: '1' });
    expect(stdout).toMatch(/^::error /m);
  });

  test('counts as failed what the verdict counts, and warnings apart', async () => {
    const baseUrl = await serve('limit-plus-one', 'challenge-missing');
    const { stdout, outputs } = await runAction(baseUrl, 'run', { PETSTORE_ONLY: 'list.limit-maximum,auth.*' });
    expect(stdout).toContain('Not conformant: 1 requirement broken, 1 warning.');
    expect(outputs).toMatchObject({ failed: '1', warnings: '1' });
  });

  test('is not conformant by an exit code alone, without a report of this start', async () => {
    const { code, stderr, outputs } = await runAction(await serve(), 'run', { PETSTORE_REPORTER: 'junit' });
    expect({ code, outputs }).toEqual({ code: 3, outputs: { verdict: 'not-judged', 'exit-code': '3' } });
    expect(stderr).toContain('the run wrote no reports/report.json, which has the verdict');
  });

  test('sends a few requests with smoke', async () => {
    const { code, stderr, outputs } = await runAction(await serve(), 'smoke');
    expect(code, stderr).toBe(0);
    expect(outputs).toEqual({ verdict: 'conformant', 'exit-code': '0' });
  });
});

describe('templates', () => {
  const only = { PETSTORE_ONLY: 'list.*' };

  test.for(['deploy/ci/gitlab-ci.yml', 'templates/conformance.yml'])('%s judges', async (file) => {
    type Job = { readonly before_script?: readonly string[]; readonly script?: readonly string[] };
    const jobs = parseAllDocuments(read(file)).flatMap((document) => Object.values(document.toJS() as Record<string, Job>));
    const job = jobs.find(({ script }) => script !== undefined);
    const commands = [...(job?.before_script ?? []), ...(job?.script ?? [])].map((line) => line.replace('$[[ inputs.arguments ]]', ''));
    const { code, stdout, stderr } = await runTemplate(commands, { PETSTORE_BASE_URL: await serve(), ...only });
    expect(code, stdout + stderr).toBe(0);
  });

  test.for([
    ['deploy/ci/github-actions.yml', only],
    ['deploy/ci/github-smoke.yml', {}],
  ] as const)('%s judges', async ([file, env]) => {
    type Workflow = { readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>> };
    const { jobs } = parse(read(file)) as Workflow;
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => (run === undefined ? [] : [run])));
    const { code, stdout, stderr } = await runTemplate(commands, { PETSTORE_BASE_URL: await serve(), ...env });
    expect(code, stdout + stderr).toBe(0);
  });

  test('deploy/ci/Jenkinsfile judges', async () => {
    const commands = [...read('deploy/ci/Jenkinsfile').matchAll(/sh '([^']+)'/g)].map(([, command = '']) => command);
    const { code, stdout, stderr } = await runTemplate(commands, { PETSTORE_BASE_URL: await serve('limit-plus-one'), ...only });
    expect(code, stdout + stderr).toBe(1);
  });
});
