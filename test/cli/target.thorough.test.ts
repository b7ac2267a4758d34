import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMonitor } from '../probe/running-monitor.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-target-Zx81mPq';
/** Nobody listens there, so judging it can't be green. */
const NAMED = 'http://127.0.0.1:1/v1';
const COMMANDS: readonly (readonly [string, ...string[]])[] = [['smoke'], ['run', '--only', 'list.success', '--reporter', 'terminal']];

/** All commands choose the service in the same way. */
describe.each(COMMANDS.map((command) => ({ command, name: command[0] })))('$name', ({ command }) => {
  const start = (args: readonly string[], variables: Readonly<Record<string, string>>, dotenv = '') => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, '.env'), dotenv, { mode: 0o600 });
    return runProgram([...command, ...args], { cwd, env: { PETSTORE_API_KEY: KEY, ...variables } });
  };

  test.each([
    ['the environment', { PETSTORE_REFERENCE: 'true' }, ''],
    ['.env', {}, 'PETSTORE_REFERENCE=true\n'],
  ])('judges the service of --base-url, whatever %s says of the reference server', async (_where, variables, dotenv) => {
    const { code, stdout } = await start(['--base-url', NAMED], variables, dotenv);
    expect(stdout).toContain('127.0.0.1 port 1');
    expect(stdout).not.toContain('reference server');
    expect(code).toBe(3);
  });

  test.each([
    ['on the command line', ['--reference', '--base-url', NAMED], {}],
    ['in the environment', [], { PETSTORE_REFERENCE: 'true', PETSTORE_BASE_URL: NAMED }],
  ])('rejects a service and the reference server named together %s', async (_where, args, variables) => {
    const { code, stdout, stderr } = await start(args, variables);
    expect(stderr).toMatch(/^error: both a base URL and --reference are given; remove one of them/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('judges the reference server of --reference with a warning that PETSTORE_BASE_URL is not judged', async () => {
    const { code, stdout, stderr } = await start(['--reference'], { PETSTORE_BASE_URL: NAMED });
    expect(stderr.match(/^warning: PETSTORE_BASE_URL is set but ignored.*$/gm)).toHaveLength(1);
    expect(stdout).toContain('(reference server)');
    expect(code).toBe(0);
  });
});

describe('--fault', () => {
  test('gives the reference server a defect, and the commands that are printed have it too', async () => {
    const { code, stdout } = await runProgram(['run', '--reference', '--fault', 'limit-plus-one', '--only', 'list.limit-maximum'], {
      cwd: ownFolder(),
    });
    expect(stdout).toMatch(/FAIL list\.limit-maximum/);
    expect(stdout).toMatch(/run --reference --fault limit-plus-one --only list\.limit-maximum --failed/);
    expect(code).toBe(1);
  });

  test('gives it several defects, and each is reported', async () => {
    const faults = ['--fault', 'limit-plus-one', '--fault', 'null-body-crashes'];
    const only = ['--only', 'list.limit-maximum', '--only', 'create.body-object', '--only', 'errors.no-server-error'];
    const { code, stdout } = await runProgram(['run', '--reference', ...faults, ...only], { cwd: ownFolder() });
    expect(stdout).toMatch(/FAIL list\.limit-maximum/);
    expect(stdout).toMatch(/FAIL errors\.no-server-error/);
    expect(code).toBe(1);
  });
});

describe('smoke of the reference server', () => {
  const pings: string[] = [];
  let server: Server;

  beforeEach(async () => {
    pings.length = 0;
    server = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => pings.push(text));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  test('does not count as a success of the service in metrics and heartbeats: both say what was judged', async () => {
    const pingUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uuid`;
    const { code, stdout } = await runProgram(['smoke', '--reference', '--name', 'shop', '--format', 'prometheus', '--ping-url', pingUrl]);
    expect(code).toBe(0);
    expect(stdout).toContain('petstore_probe_check_success{target="shop (reference server)",check="smoke"} 1');
    expect(stdout).not.toContain('target="shop"');
    expect(pings.join('\n')).toMatch(/^shop \(reference server\): pass/);
  });
});

describe('certificates', () => {
  test.each([['smoke'], ['run']])('%s judges nothing while certificate checks are off', async (command) => {
    const env = { PETSTORE_API_KEY: KEY, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const { code, stdout, stderr } = await runProgram([command, '--base-url', 'https://127.0.0.1:1/v1'], { env });
    expect(stderr).toMatch(/error: NODE_TLS_REJECT_UNAUTHORIZED=0 is set, .*unset it.*--ca FILE/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('a monitor neither starts nor accepts a new target while certificate checks are off', async () => {
    const cwd = ownFolder();
    const plain = '{ name: plain, baseUrl: "http://127.0.0.1:1/v1", apiKey: env:KEY }';
    const config = (targets: string): string => `server: { port: 0 }\nschedule: false\ntargets: [${targets}]\n`;
    const env = { KEY, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const secure = config(`${plain}, { name: secure, baseUrl: "https://127.0.0.1:1/v1", apiKey: env:KEY }`);
    writeFileSync(join(cwd, 'monitor.yaml'), secure);
    const { code, stderr } = await runProgram(['monitor', '--check-config', '--config', 'monitor.yaml'], { cwd, env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('error: NODE_TLS_REJECT_UNAUTHORIZED=0 is set') });
    const monitor = await startMonitor(config(plain), cwd, [], { env });
    writeFileSync(join(cwd, 'monitor.yaml'), secure);
    const reload = await fetch(`${monitor.url}/-/reload`, { method: 'POST' });
    expect(reload.status).toBe(400);
    expect(await reload.text()).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 is set');
    expect((await monitor.status()).targets.map(({ name }) => name)).toEqual(['plain']);
  });

  test.each([
    ['a file without one', 'hello', /cannot read certificates from ca\.pem \(--ca\): it contains no PEM certificate/],
    ['a broken one', '-----BEGIN CERTIFICATE-----\nhello\n-----END CERTIFICATE-----\n', /cannot read certificates from ca\.pem \(--ca\): /],
  ])('of --ca are read before smoke asks anything: %s is a mistake', async (_case, text, words) => {
    const cwd = ownFolder();
    writeFileSync(join(cwd, 'ca.pem'), text);
    const args = ['smoke', '--base-url', 'https://127.0.0.1:1/v1', '--ca', 'ca.pem'];
    const { code, stdout, stderr } = await runProgram(args, { cwd, env: { PETSTORE_API_KEY: KEY } });
    expect(stderr).toMatch(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
