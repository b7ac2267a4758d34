import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { runProgram } from '../support/program.ts';

const KEY = 'k-through-a-proxy-Zx81';
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A proxy for one service, whatever host is named, that asks for a login after this many requests. */
async function startProxy(port: number, most: number): Promise<string> {
  let count = 0;
  const proxy: Server = createServer((incoming, outgoing) => {
    count += 1;
    if (count > most) {
      outgoing.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end('log in');
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path: `${pathname}${search}`, headers }, (response) =>
      response.pipe(outgoing.writeHead(response.statusCode ?? 0, response.headers)),
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((done) => {
    proxy.listen(0, '127.0.0.1', done);
  });
  closing.push(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function judgedThrough(most: number) {
  const service = await startReference({ apiKey: KEY, seedAnimals: 7 });
  closing.push(() => service.close());
  const proxy = await startProxy(service.port, most);
  const args = ['run', '--base-url', 'http://pets.test/v1', '--proxy', proxy, '--depth', 'quick'];
  return runProgram(args, { env: { PETSTORE_API_KEY: KEY } });
}

test('a conforming service is conformant through a proxy, which keeps Proxy-Authorization for itself', async () => {
  const { code, stdout } = await judgedThrough(Number.POSITIVE_INFINITY);
  expect(stdout).toMatch(/^Conformant/m);
  expect(code).toBe(0);
});

test('a proxy that asks for a login in the middle of a run breaks no clause, and is named', async () => {
  const { code, stdout } = await judgedThrough(60);
  const text = stdout.replace(/\s+/g, ' ');
  expect(text).toContain('asks for a login: give it in the address of the proxy');
  expect(text).toContain('The proxy has accepted no connections since');
  expect(text).not.toMatch(/FAIL|the service has stopped responding|the suite itself broke/);
  expect(code).toBe(3);
});
