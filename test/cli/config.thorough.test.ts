import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-config-Zx81mPq';
const ANIMALS = 7;

async function service(faults: readonly string[] = []) {
  const server = await startReference({ apiKey: KEY, seedAnimals: ANIMALS, faults });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

/** Animals in addition to the initial ones, as the service itself shows them. */
async function created(baseUrl: string): Promise<number> {
  const response = await fetch(`${baseUrl}/pets?limit=100`, { headers: { authorization: `Bearer ${KEY}` } });
  return ((await response.json()) as unknown[]).length - ANIMALS;
}

/** Runs a command in a folder with that configuration; only the given variables name a service or a key. */
async function start(config: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const cwd = ownFolder();
  writeFileSync(join(cwd, 'fleet.yaml'), config);
  const [command = '', ...rest] = args;
  const ended = await runProgram([command, '--config', 'fleet.yaml', ...rest], { cwd, env: { TARGET_KEY: KEY, ...variables } });
  return { ...ended, cwd, record: () => JSON.parse(ended.stdout) as RunRecord };
}

const target = (name: string, baseUrl: string, more = ''): string =>
  `  - { name: ${name}, baseUrl: "${baseUrl}", apiKey: env:TARGET_KEY${more === '' ? '' : `, ${more}`} }\n`;

describe('smoke --config --target', () => {
  test('takes limits from options, then from the target, then from variables', async () => {
    const baseUrl = await service();
    const config = `defaults: { strict: true, only: [list.success] }\ntargets:\n${target('production', baseUrl)}`;
    const variables = { PETSTORE_STRICT: 'false', PETSTORE_BASE_URL: 'http://127.0.0.1:1/v1', PETSTORE_API_KEY: 'of-another-service' };
    const common = ['smoke', '--target', 'production', '--format', 'json'];
    const file = await start(config, common, variables);
    expect(file.record().options).toMatchObject({ strict: true, only: ['list.success'] });
    expect(file.code).toBe(0);
    expect(file.stderr).toContain('warning: PETSTORE_BASE_URL is set but ignored: --target names the service');
    const options = await start(config, [...common, '--only', 'get.not-found'], variables);
    expect(options.record().options).toMatchObject({ strict: true, only: ['get.not-found'] });
  });

  test('sends the key of the target, or that of --api-key-file, and no key of another service', async () => {
    const baseUrl = await service();
    const config = `targets:\n${target('production', baseUrl, 'only: [list.success]')}`;
    const args = ['smoke', '--target', 'production'];
    const wrong = await start(config, args, { TARGET_KEY: 'a-wrong-key-of-the-file', PETSTORE_API_KEY: KEY });
    expect(wrong.code).not.toBe(0);
    const folder = ownFolder();
    writeFileSync(join(folder, 'key'), KEY, { mode: 0o600 });
    const right = await start(config, [...args, '--api-key-file', join(folder, 'key')], { TARGET_KEY: '' });
    expect({ code: right.code, stderr: right.stderr.includes('error') }).toEqual({ code: 0, stderr: false });
  });

  test('waives what the target waives, in the configuration or in a file; --waivers replaces them', async () => {
    const baseUrl = await service(['missing-animal-bad-request']);
    const entry = (id: string): string => `{ id: ${id}, reason: known, expires: 2099-01-31 }`;
    const waivers = (more: string): string => `targets:\n${target('production', baseUrl, `only: [get.not-found], ${more}`)}`;
    const folder = ownFolder();
    for (const [name, id] of [
      ['known.yaml', 'get.not-found'],
      ['others.yaml', 'get.durable'],
    ] as const)
      writeFileSync(join(folder, name), `waivers:\n  - ${entry(id)}\n`);
    const args = ['smoke', '--target', 'production'];
    const list = waivers(`waivers: [${entry('get.not-found')}, ${entry('get.durable')}]`);
    expect((await start(list, args)).stdout).toMatch(/waived/);
    expect((await start(waivers(`waivers: "${join(folder, 'known.yaml')}"`), args)).stdout).toMatch(/waived/);
    expect((await start(list, [...args, '--waivers', join(folder, 'others.yaml')])).code).toBe(1);
  });

  test('judges as the monitor does: the name, the selection, the waivers and the limits of the target', async () => {
    const baseUrl = await service(['missing-animal-bad-request']);
    const waived = 'waivers: [{ id: get.not-found, reason: known, expires: 2099-01-31 }]';
    const config = `targets:\n${target('production', baseUrl, `${waived}, skip: [create-pet, list.unique], strict: true, budget: 5`)}`;
    const json = await start(config, ['smoke', '--target', 'production', '--format', 'json']);
    const { clauses, options } = json.record();
    expect(options).toMatchObject({ strict: true, skip: ['create-pet', 'list.unique'] });
    expect(clauses.find(({ id }) => id === 'get.not-found')?.verdict).toBe('waived');
    expect(clauses.some(({ id }) => id === 'list.unique')).toBe(false);
    expect(json.record().notices.join('\n')).toContain('Up to 5 more requests');
    const metrics = await start(config, ['smoke', '--target', 'production', '--format', 'prometheus', '--name', 'shop']);
    expect(metrics.stdout).toContain('target="shop"');
  });

  test.each([
    ['no target', ['smoke'], /needs the target to judge: name it with --target, one of production, staging/],
    [
      'a target that is nearly there',
      ['doctor', '--target', 'prodution'],
      /fleet\.yaml has no target "prodution"; did you mean production\?/,
    ],
    ['a target that is like none', ['smoke', '--target', 'x'], /has no target "x"; its targets are production, staging/],
    ['another service', ['smoke', '--target', 'production', '--base-url', 'http://x/v1'], /both --base-url and --target name a service/],
    ['another service, in a file', ['smoke', '--base-url', 'http://x/v1'], /both --base-url and --config name a service/],
    ['the reference server', ['doctor', '--target', 'production', '--reference'], /both --reference and --target name a service/],
    [
      'a key that is not there',
      ['smoke', '--target', 'staging'],
      /fleet\.yaml:3: targets\[1\]\.apiKey: the environment variable NO_KEY is not set/,
    ],
  ])('rejects %s in one sentence', async (_case, args, sentence) => {
    const config = `targets:\n${target('production', 'http://x/v1')}  - { name: staging, baseUrl: "http://y/v1", apiKey: env:NO_KEY }\n`;
    const { code, stderr, stdout } = await start(config, args);
    expect(stderr).toMatch(sentence);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test.each(['smoke', 'doctor'])('rejects a target without a file (%s)', async (command) => {
    const { code, stderr } = await runProgram([command, '--target', 'production']);
    expect(stderr).toContain('error: --target needs the file that has it: name it with --config FILE');
    expect(code).toBe(2);
  });
});

test('doctor --config --target examines a target with its key, says where both come from, and names the command to judge it', async () => {
  const baseUrl = await service();
  const config = `targets:\n${target('production', baseUrl, 'timeout: 5s')}${target('staging', 'http://127.0.0.1:1/v1')}`;
  const variables = { PETSTORE_API_KEY: 'of-another-service', PETSTORE_BASE_URL: 'http://127.0.0.1:2/v1' };
  const ready = await start(config, ['doctor', '--target', 'production', '--read-only', '--timeout', '4000'], variables);
  const page = ready.stdout.replaceAll(/\n {2,}/g, ' ');
  expect(page).toContain(`✓ address       ${baseUrl} (target production of fleet.yaml)`);
  expect(page).toContain('✓ API key       16 characters (env:TARGET_KEY)');
  const [, next = ''] = /\n\nThen: node \S+main\.ts (.+)\n/.exec(page) ?? [];
  expect(next).toBe('smoke --config fleet.yaml --target production --timeout 4000');
  expect(ready).toMatchObject({ code: 0, stderr: 'warning: PETSTORE_BASE_URL is set but ignored: --target names the service\n' });
  expect(await created(baseUrl)).toBe(0);
  expect((await runProgram(next.split(' '), { cwd: ready.cwd, env: { TARGET_KEY: KEY } })).code).toBe(0);
  const unreachable = await start(config, ['doctor', '--target', 'staging'], variables);
  expect(unreachable.stdout.replaceAll(/\n {2,}/g, ' ')).toMatch(/✗ verdict .*127\.0\.0\.1 port 1/);
  expect(unreachable.code).toBe(3);
});

describe('a target that variables name', () => {
  const named = { PETSTORE_CONFIG: 'fleet.yaml', PETSTORE_TARGET: 'production' };
  const configOf = (baseUrl: string): string =>
    `targets:\n${target('production', baseUrl)}`.replace('env:TARGET_KEY', 'env:PETSTORE_FLEET_KEY');
  const only = ['--only', 'list.success', '--reporter', 'json'];

  test.each([
    ['the environment', named, ''],
    ['.env', {}, 'PETSTORE_CONFIG=fleet.yaml\nPETSTORE_TARGET=production\n'],
  ])('is judged by smoke; run reads neither the file nor its key (%s)', async (_where, variables, line) => {
    const [baseUrl, other] = [await service(['limit-ignored']), await service(['limit-ignored'])];
    const cwd = ownFolder();
    writeFileSync(join(cwd, 'fleet.yaml'), configOf(other));
    writeFileSync(join(cwd, '.env'), `${line}PETSTORE_FLEET_KEY=${KEY}\nPETSTORE_API_KEY=${KEY}\n`, { mode: 0o600 });
    const smoke = await runProgram(['smoke'], { cwd, env: variables });
    expect(smoke.stdout).toContain(other);
    const run = await runProgram(['run', '--base-url', baseUrl, '--only', 'list.limit-maximum', '--reporter', 'json'], {
      cwd,
      env: variables,
    });
    expect(run.stderr).not.toMatch(/error|warning/);
    expect(run.code).toBe(1);
    const again = await runProgram(['run', '--base-url', baseUrl, '--failed'], { cwd, env: variables });
    expect(again.stdout).toContain(baseUrl);
    expect(again.code).toBe(1);
    const nowhere = await runProgram(['run', ...only], { cwd, env: variables });
    expect(nowhere.stderr).toContain('error: there is no service to judge: name it with --base-url URL');
  });

  test('does not keep run from using .env when the keys of its file are elsewhere', async () => {
    const baseUrl = await service();
    const cwd = ownFolder();
    writeFileSync(join(cwd, 'fleet.yaml'), configOf('http://127.0.0.1:1/v1').replace('env:PETSTORE_FLEET_KEY', 'file:key'));
    writeFileSync(join(cwd, '.env'), `PETSTORE_CONFIG=fleet.yaml\nPETSTORE_BASE_URL=${baseUrl}\nPETSTORE_API_KEY=${KEY}\n`, {
      mode: 0o600,
    });
    expect(await runProgram(['run', ...only], { cwd })).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/error|warning/) });
  });
});
