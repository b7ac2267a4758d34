import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder, startProgram } from '../support/program.ts';

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** `smoke` of a service that does not respond, ended once it has been asked. */
async function end(signal: NodeJS.Signals, format: string) {
  const cwd = ownFolder();
  const textfile = join(cwd, 'smoke.prom');
  writeFileSync(textfile, 'petstore_probe_check_success{target="smoke",check="smoke"} 1\n');
  const pings: string[] = [];
  const { address: receiver } = await listen((request, response) => {
    pings.push(request.url ?? '');
    request.resume();
    response.end();
  });
  const { server, address } = await listen(() => undefined);
  const args = ['smoke', '--base-url', `${address}/v1`, '--format', format, '--textfile', textfile, '--ping-url', `${receiver}/p`];
  const { child, ended } = startProgram(args, { cwd, env: { PETSTORE_API_KEY: 'k-last-Zx81mPq' } });
  await Promise.race([once(server, 'request'), ended]);
  child.kill(signal);
  return { ...(await ended), metrics: readFileSync(textfile, 'utf8'), pings };
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)(
  'smoke that is ended by %s says so in its output, in its metrics, and to its heartbeat, and accuses no service',
  async (signal, expected) => {
    const { code, stdout, metrics, pings } = await end(signal, 'text');
    expect(code).toBe(expected);
    expect(stdout).toContain(`Interrupted by ${signal}: 0 of `);
    expect(metrics).toMatch(/^petstore_probe_check_success\{.*\} 0$/m);
    expect(metrics).toMatch(/^petstore_probe_check_last_verdict\{.*verdict="unknown"\} 1$/m);
    expect(pings.at(-1)).toBe('/p/fail');
  },
);

test('smoke that is ended by a signal says so as JSON, as JUnit, and as metrics', async () => {
  const json = JSON.parse((await end('SIGTERM', 'json')).stdout) as RunRecord;
  expect(json).toMatchObject({
    interrupted: true,
    conclusion: { exitCode: 143, headline: expect.stringMatching(/^interrupted by SIGTERM/) },
  });
  expect(json.clauses.filter(({ verdict }) => verdict !== 'inconclusive')).toEqual([]);
  const junit = new XMLParser({ ignoreAttributes: false }).parse((await end('SIGTERM', 'junit')).stdout) as {
    readonly testsuites: Readonly<Record<string, string>>;
  };
  expect(Number(junit.testsuites['@_errors'])).toBeGreaterThan(0);
  expect(junit.testsuites['@_failures']).toBe('0');
  expect((await end('SIGTERM', 'prometheus')).stdout).toMatch(/^petstore_probe_check_success\{.*\} 0$/m);
});
