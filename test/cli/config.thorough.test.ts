import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-config-Zx81mPq';
const ANIMALS = 7;
const ONE_CHECK = ['--only', 'create.success/plain', '--reporter', 'terminal', '--format', 'json'];

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

describe('run --config --target', () => {
  test('only reads a target, whatever variables allow, until the command line allows to write', async () => {
    const baseUrl = await service();
    const config = `targets:\n${target('production', baseUrl)}`;
    const variables = { PETSTORE_ALLOW_PRODUCTION_WRITES: 'true', PETSTORE_READ_ONLY: 'false' };
    const reading = await start(config, ['run', '--target', 'production', ...ONE_CHECK], variables);
    expect(reading.record().options.readOnly).toBe(true);
    expect(reading.stderr).toContain('warning: production is a production service, so `run` only reads it');
    expect(await created(baseUrl)).toBe(0);
    const writing = await start(config, ['run', '--target', 'production', '--allow-production-writes', ...ONE_CHECK]);
    expect(writing.record().options.readOnly).toBe(false);
    expect(await created(baseUrl)).toBeGreaterThan(0);
  });

  test('writes to a target that is not production, unless a production target has the same host', async () => {
    const baseUrl = await service();
    const staging = target('staging', baseUrl, 'production: false');
    const beside = `targets:\n${staging}${target('production', baseUrl.replace('/v1', '/v2'))}`;
    expect((await start(beside, ['run', '--target', 'staging', ...ONE_CHECK])).record().options.readOnly).toBe(true);
    expect(await created(baseUrl)).toBe(0);
    const alone = await start(`targets:\n${staging}`, ['run', '--target', 'staging', ...ONE_CHECK]);
    expect(alone.record()).toMatchObject({ options: { readOnly: false }, target: { baseUrl } });
    expect(alone.code).toBe(0);
    expect(await created(baseUrl)).toBeGreaterThan(0);
  });

  test('takes limits from options, then from the target, then from variables', async () => {
    const baseUrl = await service();
    const config = `defaults: { strict: true, only: [list.success] }\ntargets:\n${target('production', baseUrl, 'depth: quick')}`;
    const variables = { PETSTORE_DEPTH: 'thorough', PETSTORE_BASE_URL: 'http://127.0.0.1:1/v1', PETSTORE_API_KEY: 'of-another-service' };
    const common = ['run', '--target', 'production', '--reporter', 'terminal', '--format', 'json'];
    const file = await start(config, common, variables);
    expect(file.record().options).toMatchObject({ depth: 'quick', strict: true, only: ['list.success'] });
    expect(file.code).toBe(0);
    expect(file.stderr).toContain('warning: PETSTORE_BASE_URL is set but ignored: --target names the service');
    const options = await start(config, [...common, '--depth', 'standard', '--only', 'list.unique'], variables);
    expect(options.record().options).toMatchObject({ depth: 'standard', only: ['list.unique'] });
  });

  test('sends the key of the target, or that of --api-key-file, and no key of another service', async () => {
    const baseUrl = await service();
    const config = `targets:\n${target('production', baseUrl, 'only: [list.success]')}`;
    const args = ['run', '--target', 'production', '--reporter', 'terminal'];
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
    const args = ['run', '--target', 'production', '--reporter', 'terminal'];
    const list = waivers(`waivers: [${entry('get.not-found')}, ${entry('get.durable')}]`);
    expect((await start(list, args)).stdout).toMatch(/waived/);
    expect((await start(waivers(`waivers: "${join(folder, 'known.yaml')}"`), args)).stdout).toMatch(/waived/);
    expect((await start(list, [...args, '--waivers', join(folder, 'others.yaml')])).code).toBe(1);
    const update = await start(list, [...args, '--update-waivers']);
    expect(update.stderr).toContain('--update-waivers writes to a file of waivers only');
    expect(update.code).toBe(2);
  });

  test.each([
    ['no target', ['run'], /needs the target to judge: name it with --target, one of production, staging/],
    ['a target that is nearly there', ['run', '--target', 'prodution'], /fleet\.yaml has no target "prodution"; did you mean production\?/],
    ['a target that is like none', ['smoke', '--target', 'x'], /has no target "x"; its targets are production, staging/],
    ['another service', ['run', '--target', 'production', '--base-url', 'http://x/v1'], /both --base-url and --target name a service/],
    [
      'a target that is nearly there, of doctor',
      ['doctor', '--target', 'stagin'],
      /fleet\.yaml has no target "stagin"; did you mean staging\?/,
    ],
    [
      'a target that is nearly there, of replay',
      ['replay', 'report.json', '--target', 'stagin'],
      /has no target "stagin"; did you mean staging\?/,
    ],
    ['no target, of replay', ['replay', 'report.json'], /needs the target to judge: name it with --target, one of production, staging/],
    ['another service, of doctor', ['doctor', '--target', 'production', '--reference'], /both --reference and --target name a service/],
    ['another service, of replay', ['replay', 'report.json', '--base-url', 'http://x/v1'], /both --base-url and --config name a service/],
    ['the reference server', ['run', '--reference', '--target', 'production'], /both --reference and --target name a service/],
    [
      'a key that is not there',
      ['run', '--target', 'staging'],
      /fleet\.yaml:3: targets\[1\]\.apiKey: the environment variable NO_KEY is not set/,
    ],
  ])('rejects %s in one sentence', async (_case, args, sentence) => {
    const config = `targets:\n${target('production', 'http://x/v1')}  - { name: staging, baseUrl: "http://y/v1", apiKey: env:NO_KEY }\n`;
    const { code, stderr, stdout } = await start(config, args);
    expect(stderr).toMatch(sentence);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test.each([['run'], ['doctor'], ['replay', 'report.json']])('rejects a target without a file (%s)', async (...command) => {
    const { code, stderr } = await runProgram([...command, '--target', 'production']);
    expect(stderr).toContain('error: --target needs the file that has it: name it with --config FILE');
    expect(code).toBe(2);
  });
});

test('smoke --config --target judges as the monitor does: the name, the selection, the waivers and the limits of the target', async () => {
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

describe('doctor --config --target', () => {
  test('examines a target with its key, says where both come from, and names the command to judge it', async () => {
    const baseUrl = await service();
    const config = `targets:\n${target('production', baseUrl, 'timeout: 5s')}${target('staging', 'http://127.0.0.1:1/v1', 'production: false')}`;
    const variables = { PETSTORE_API_KEY: 'of-another-service', PETSTORE_BASE_URL: 'http://127.0.0.1:2/v1' };
    const ready = await start(config, ['doctor', '--target', 'production'], variables);
    const page = ready.stdout.replaceAll(/\n {2,}/g, ' ');
    expect(page).toContain(`✓ address       ${baseUrl} (target production of fleet.yaml)`);
    expect(page).toContain('✓ API key       16 characters (env:TARGET_KEY)');
    expect(page).toMatch(/to be judged read-only\n\nThen: node \S+main\.ts run --config fleet.yaml --target production\n/);
    expect(ready).toMatchObject({ code: 0, stderr: 'warning: PETSTORE_BASE_URL is set but ignored: --target names the service\n' });
    expect(await created(baseUrl)).toBe(0);
    const unreachable = await start(config, ['doctor', '--target', 'staging'], variables);
    expect(unreachable.stdout.replaceAll(/\n {2,}/g, ' ')).toMatch(/✗ verdict .*127\.0\.0\.1 port 1/);
    expect(unreachable.code).toBe(3);
  });
});

describe('replay --config --target', () => {
  /** The report of a run that found a defect, with another address. */
  async function reportNaming(address: string): Promise<string> {
    const args = ['run', '--target', 'faulty', '--only', 'list.limit-maximum', '--reporter', 'json'];
    const { cwd } = await start(`targets:\n${target('faulty', await service(['limit-ignored']), 'production: false')}`, args);
    const report = join(cwd, 'reports', 'report.json');
    const record = JSON.parse(readFileSync(report, 'utf8')) as RunRecord;
    writeFileSync(report, JSON.stringify(record).replaceAll(record.target.baseUrl, address));
    return report;
  }

  test('sends the key of the target to its address, and to no address that the report names', async () => {
    let heard = 0;
    const listener = createServer((_request, response) => {
      heard += 1;
      response.end();
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void listener.close());
    const report = await reportNaming(`http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1`);
    const baseUrl = await service();
    const config = `targets:\n${target('staging', baseUrl, 'production: false')}`;
    const args = ['replay', report, 'list.limit-maximum/each-limit', '--target', 'staging', '--tries', '1'];
    const { code, stdout, stderr } = await start(config, args, { PETSTORE_API_KEY: 'of-another-service', PETSTORE_REFERENCE: 'true' });
    expect(stdout).toContain(`replaying against ${baseUrl}, 1 tries`);
    expect(stdout).toMatch(/\n1 fixed\nFixed: /);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await created(baseUrl)).toBeGreaterThan(0);
    expect(heard).toBe(0);
  });

  test('only reads a production service, until the command line allows to write', async () => {
    const report = await reportNaming('http://127.0.0.1:1/v1');
    const baseUrl = await service();
    const config = `targets:\n${target('production', baseUrl)}`;
    const args = ['replay', report, '--target', 'production', '--tries', '1'];
    const reading = await start(config, args, { PETSTORE_ALLOW_PRODUCTION_WRITES: 'true' });
    expect(reading.stderr).toContain('warning: production is a production service, so `replay` only reads it');
    expect(reading.stdout).toContain(`replaying against ${baseUrl}, read-only, 1 tries`);
    expect(await created(baseUrl)).toBe(0);
    const writing = await start(config, [...args, '--allow-production-writes']);
    expect(writing.stdout).toContain(`replaying against ${baseUrl}, 1 tries`);
    expect(await created(baseUrl)).toBeGreaterThan(0);
  });
});
