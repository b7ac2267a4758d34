import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder } from '../own-folder.ts';

const KEY = 'canary-key-5f3a9c';
const SECRET = 'webhook-secret';
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A service that can be broken and mended, and a receiver of alerts that fails for its first two messages. */
async function world() {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 30 });
  let broken = false;
  const nonsense = '{"oops":"<script>alert(1)</script>"}';
  const service = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    if (broken) {
      socket.once('data', () =>
        socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${nonsense.length}\r\n\r\n${nonsense}`,
        ),
      );
      return;
    }
    const through = connect(reference.port, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('close', () => through.destroy());
    socket.pipe(through).pipe(socket);
  });
  const messages: { headers: IncomingMessage['headers']; body: string }[] = [];
  let refusals = 2;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      messages.push({ headers: request.headers, body });
      response.writeHead(refusals-- > 0 ? 503 : 204).end();
    });
  });
  for (const server of [service, receiver]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
  }
  closers.push(() => reference.close());
  const port = (server: Server): number => (server.address() as AddressInfo).port;
  const folder = ownFolder();
  const file = join(folder, 'monitor.yaml');
  writeFileSync(
    file,
    `server: { port: 0 }\ndata: { folder: data }\nwebhooks:\n  - { name: on-call, url: "http://127.0.0.1:${port(receiver)}/", secret: env:SECRET }\ntargets:\n  - { name: production, baseUrl: "http://127.0.0.1:${port(service)}/v1", apiKey: env:KEY, interval: 2s }\n`,
  );
  return { file, messages, setBroken: (value: boolean) => (broken = value) };
}

async function startMonitor(file: string): Promise<{ child: ChildProcess; url: string; stderr: () => string }> {
  const child = spawn(process.execPath, ['test/probe/command.ts', 'monitor', '--config', file], {
    env: { ...process.env, KEY, SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  closers.push(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk);
  });
  if (child.stdout === null) throw new Error('no stdout');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /status on (\S+)\/$/.exec(line)?.[1];
    if (url !== undefined) return { child, url, stderr: () => stderr };
  }
  throw new Error(`the monitor ended: ${stderr}`);
}

const text = async (url: string): Promise<string> => (await fetch(url)).text();

/** Asks until it is so; the test's own time limit ends a wait that is in vain. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

type Status = { targets: { health: string; day: { runs: number } }[] };
const health = async (url: string): Promise<string | undefined> =>
  ((await (await fetch(`${url}/api/status`)).json()) as Status).targets[0]?.health;

describe('monitor', () => {
  test('A target that breaks and is mended is told of, signed and at least once, and everything shown is clean.', {
    timeout: 150_000,
  }, async () => {
    const { file, messages, setBroken } = await world();
    const { child, url, stderr } = await startMonitor(file);
    await until(async () => (await health(url)) === 'up');
    setBroken(true);
    await until(async () => (await health(url)) === 'down');
    const page = await text(`${url}/`);
    expect(page).not.toContain('<script');
    expect(page).toContain('Down for');
    const shown = await text(`${url}/?public`);
    expect(shown).not.toContain('127.0.0.1');
    expect(shown).not.toContain('oops');
    await until(() => messages.length >= 3);
    setBroken(false);
    await until(() => messages.some(({ body }) => body.includes('"resolved"')));
    const firing = messages.filter(({ body }) => body.includes('"firing"'));
    expect(new Set(firing.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(firing).toHaveLength(3);
    for (const { headers, body } of messages) {
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`);
    }
    const metrics = await text(`${url}/metrics`);
    for (const output of [page, shown, metrics, stderr(), ...messages.map(({ body }) => body)]) {
      expect(output).not.toContain(KEY);
      expect(output).not.toContain(SECRET);
    }
    expect(metrics).toMatch(/petstore_probe_check_failures_total\{target="production",check="smoke",reason="dns"\} 0/);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('--check-config ends with 2 and names line and field.', () => {
    const file = join(ownFolder(), 'monitor.yaml');
    writeFileSync(file, 'targets:\n  - { name: a, baseUrl: "https://x/v1", apiKey: plain }\n');
    const ended = spawnSync(process.execPath, ['test/probe/command.ts', 'monitor', '--check-config', '--config', file], {
      encoding: 'utf8',
    });
    expect(ended.status).not.toBe(0);
    expect(ended.stderr).toContain(':2: targets[0].apiKey');
  });
});
