import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';

const env = { PETSTORE_API_KEY: 'k-transport-Zx81mPq' };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** Both commands say in one sentence why there is no response, without naming a library. */
test.each(['run', 'smoke'])('%s names what is wrong with the connection to the service', async (command) => {
  const silent = await portOf(createServer((socket) => socket.on('error', () => undefined).resume()));
  const plain = await portOf(
    createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    ),
  );
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    [
      `http://127.0.0.1:${silent}/v1`,
      ['--timeout', '500'],
      `no response from 127.0.0.1 port ${silent}: connected, but no response within 500 ms`,
    ],
    [
      `https://127.0.0.1:${plain}/v1`,
      [],
      `no response from 127.0.0.1 port ${plain}: the port speaks plain HTTP, not TLS; did you mean http:// instead of https://?`,
    ],
    [
      'http://127.0.0.1:1/v1',
      ['--proxy', 'http://u:PASSWORD@127.0.0.1:2'],
      'cannot reach 127.0.0.1 port 1: no connection: connect ECONNREFUSED 127.0.0.1:2 (through the proxy 127.0.0.1:2)',
    ],
    ['http://127.0.0.1:1/v1', ['--proxy', 'nowhere.invalid:3128'], '(through the proxy nowhere.invalid:3128)'],
  ];
  for (const [baseUrl, args, words] of cases) {
    const { code, stdout, stderr } = await runProgram([command, '--base-url', baseUrl, ...args], { env });
    expect(stdout.replace(/\s+/g, ' ')).toContain(words);
    expect(stdout + stderr).not.toMatch(/PASSWORD|openssl|\n {4}at /);
    expect(code).toBe(3);
  }
});
