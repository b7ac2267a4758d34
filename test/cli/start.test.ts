import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import type { ReferenceServer } from '../../src/reference/server.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-start-Vb71nRt';
const servers: ReferenceServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(options: Omit<ReferenceOptions, 'apiKey'> = {}): Promise<string> {
  const server = await startReference({ seedAnimals: 3, ...options, apiKey: KEY });
  servers.push(server);
  return server.baseUrl;
}

describe('init', () => {
  test('writes .env for nobody else to read, waivers and a pipeline, with which a run begins', async () => {
    const cwd = ownFolder();
    const { code, stdout } = await runProgram(['init', '--base-url', await serve()], { cwd });
    expect(code).toBe(0);
    expect(stdout.match(/^wrote /gm)).toHaveLength(3);
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
    const workflow = readFileSync(join(cwd, '.github', 'workflows', 'petstore-conformance.yml'), 'utf8');
    expect(workflow).toBe(readFileSync(new URL('../../deploy/ci/github-actions.yml', import.meta.url), 'utf8'));
    expect(workflow).toMatch(/^ +- uses: actions\/checkout@/m);
    expect(workflow).toMatch(/^ +PETSTORE_WAIVERS: .*waivers\.yaml/m);
    expect(workflow).not.toMatch(/copy to/i);
    const args = ['run', '--only', 'versioning', '--reporter', 'terminal'];
    const settings = join(cwd, '.env');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('PETSTORE_API_KEY=', `PETSTORE_API_KEY=${KEY}`));
    const judged = await runProgram(args, { cwd });
    const said = expect.stringMatching(/^from \.env: PETSTORE_BASE_URL, PETSTORE_API_KEY, PETSTORE_WAIVERS\n/);
    expect(judged).toMatchObject({ code: 0, stderr: said });
    writeFileSync(join(cwd, 'waivers.yaml'), 'waivers: [{ id: no-such-clause, reason: x, expires: 2999-01-01 }]\n');
    expect(await runProgram(args, { cwd })).toMatchObject({ code: 2 });
  });

  test('keeps what is there, and takes the CI system that is used', async () => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, '.env'), 'PETSTORE_API_KEY=mine\n');
    writeFileSync(join(cwd, '.gitlab-ci.yml'), '');
    mkdirSync(join(cwd, '.git'));
    const { code, stdout, stderr } = await runProgram(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('kept .env, which is there already');
    expect(stderr).toContain('add it to .gitignore');
    expect(readFileSync(join(cwd, '.env'), 'utf8')).toBe('PETSTORE_API_KEY=mine\n');
    expect(readdirSync(cwd).sort()).toEqual(['.env', '.git', '.gitlab', '.gitlab-ci.yml', 'waivers.yaml']);
  });
});

test('init writes no .env next to a key in the environment, which would keep it from being used', async () => {
  const cwd = ownFolder();
  const { code, stdout, stderr } = await runProgram(['init', '--ci', 'none'], { cwd, env: { PETSTORE_API_KEY: KEY } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^wrote no \.env: PETSTORE_API_KEY is set in the environment; set PETSTORE_BASE_URL .*\n\nThen: .* doctor --base-url URL$/m,
  );
  expect(stdout).not.toContain(KEY);
  expect(readdirSync(cwd)).toEqual(['waivers.yaml']);
});

describe('doctor', () => {
  const diagnose = (baseUrl: string, key = KEY) => runProgram(['doctor', '--base-url', baseUrl], { env: { PETSTORE_API_KEY: key } });
  const lines = (text: string): number => text.trimEnd().split('\n').length;

  test('says that a run can judge the service, on one page, without the key, and creates nothing', async () => {
    const server = await startReference({ seedAnimals: 3, apiKey: KEY });
    servers.push(server);
    const { code, stdout } = await diagnose(server.baseUrl);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ with the key {2}GET \/pets returned 200, a list of 3/);
    expect(stdout).toMatch(/✓ without it {4}GET \/pets returned 401/);
    expect(stdout).toMatch(/✓ API key {7}15 characters \(PETSTORE_API_KEY\)/);
    expect(stdout).not.toContain(KEY);
    expect(lines(stdout)).toBeLessThanOrEqual(12);
    const after = await fetch(`${server.baseUrl}/pets`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(await after.json()).toHaveLength(3);
  });

  test('ends with the command that judges what it examined, as the program was started, for a shell to read', async () => {
    const baseUrl = await serve();
    const args = ['doctor', '--base-url', baseUrl, '--read-only', '--api-key-file', "it's a key"];
    const cwd = ownFolder();
    writeFileSync(join(cwd, "it's a key"), KEY, { mode: 0o600 });
    const { stdout } = await runProgram(args, {
      cwd,
      env: { npm_config_user_agent: 'npm/11.19.1 node/v26.9.0 linux x64', npm_command: 'run' },
    });
    const command = `npm run -s cli -- run --base-url ${baseUrl} --api-key-file 'it'\\''s a key' --read-only`;
    expect(stdout.split('\n').slice(-2)).toEqual([`Then: ${command}`, '']);
  });

  test.each([
    ['a wrong key', async () => diagnose(await serve(), 'k-start-of-another'), 1, /Every request with the API key returned 401/],
    ['an address without /v1', async () => diagnose((await serve()).replace('/v1', '')), 1, /did you mean \S+\/v1\?/],
    ['nothing there', async () => diagnose('http://127.0.0.1:1/v1'), 3, /✗ verdict .*127\.0\.0\.1 port 1/],
    ['a list without a key', async () => diagnose(await serve({ faults: ['authentication-missing'] })), 1, /✗ without it .*expected 401/],
  ])('names %s', async (_case, started, expected, sentence) => {
    const { code, stdout } = await started();
    expect(code).toBe(expected);
    expect(stdout.replace(/\n {2,}/g, ' ')).toMatch(sentence);
    expect(lines(stdout)).toBeLessThanOrEqual(15);
  });
});
