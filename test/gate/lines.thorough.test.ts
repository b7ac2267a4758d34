import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { startReference } from '../../src/reference/server.ts';
import { startFront } from '../support/front.ts';
import { type Ended, runProgram } from '../support/program.ts';

const WIDTH = 100;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Rows of a text at that width: a command stays on one line, so that it can be copied. */
function rows(text: string): number {
  const lines = text.trimEnd().split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / WIDTH)), 0);
}

function judge(command: 'run' | 'smoke', baseUrl: string, apiKey = KEY): Promise<Ended> {
  return runProgram([command, '--base-url', baseUrl], { env: { PETSTORE_API_KEY: apiKey } });
}

/** Writes errors as Fastify does, and converts every number to a double. */
function asCareless({ status, body }: { readonly status: number; readonly body: string }) {
  if (status >= 400) return { body: JSON.stringify({ statusCode: status, error: 'Bad Request', message: 'body/name must be string' }) };
  return { body: JSON.stringify(JSON.parse(body)) };
}

async function careless(): Promise<string> {
  const faults = ['number-name-accepted', 'boolean-name-accepted', 'array-name-accepted', 'limit-ignored'];
  const front = await startFront({ service: { faults }, change: asCareless });
  closers.push(front.close);
  return front.baseUrl;
}

async function startConforming(): Promise<string> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 7 });
  closers.push(() => server.close());
  return server.baseUrl;
}

async function webPage(): Promise<string> {
  const server: Server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
  );
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('a server with several causes takes at most 180 rows, and the last screen says what to do first', async () => {
  const { code, stdout } = await judge('run', await careless());
  expect(code).toBe(1);
  const causes = Number(/^(\d+) likely causes(?:, by what they hold up)?$/m.exec(stdout)?.[1]);
  expect(causes).toBeGreaterThanOrEqual(3);
  expect(rows(stdout)).toBeLessThanOrEqual(180);
  expect(rows(stdout)).toBeGreaterThan(40);
  const lastScreen = stdout.trimEnd().split('\n').slice(-45).join('\n');
  expect(lastScreen).toContain('Not conformant: ');
  expect(lastScreen).toMatch(/^Start with 1: /m);
});

type Limit = [what: string, command: 'run' | 'smoke', start: () => Promise<string>, apiKey: string, exit: number, most: number];

test.each([
  ['a conforming server', 'run', startConforming, KEY, 0, 25],
  ['a wrong key', 'run', startConforming, 'another-key-of-somebody', 1, 15],
  ['an address without /v1', 'run', async () => (await startConforming()).replace(/\/v1$/, ''), KEY, 1, 15],
  ['no pet store', 'run', webPage, KEY, 1, 15],
  ['a dead host', 'run', async () => 'http://127.0.0.1:1/v1', KEY, 3, 15],
  ['a dead host', 'smoke', async () => 'http://127.0.0.1:1/v1', KEY, 3, 8],
] satisfies readonly Limit[])('%s: %s', async (_what, command, start, apiKey, exit, most) => {
  const { code, stdout, stderr } = await judge(command, await start(), apiKey);
  expect(code).toBe(exit);
  expect(rows(stdout) + (command === 'smoke' ? stderr.split('\n').filter(Boolean).length : 0)).toBeLessThanOrEqual(most);
});
