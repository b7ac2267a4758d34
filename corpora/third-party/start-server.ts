import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { FOLDER } from './expectations.ts';

/** Milliseconds that the first start of a server may take: it installs packages and compiles. */
export const LONGEST_START = 900_000;
const BETWEEN_TRIES = 200;

/** The server as in its framework's guide, or its repaired twin. */
export type Build = 'ordinary' | 'repaired';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port is free on 127.0.0.1');
  return address.port;
}

async function responds(baseUrl: string): Promise<boolean> {
  try {
    await fetch(`${baseUrl}/pets`);
    return true;
  } catch {
    return false;
  }
}

/** Starts NAME/run.sh and returns its base address once it responds. The server ends with the test. */
export async function startServer(name: string, build: Build, apiKey: string): Promise<string> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const env = { ...process.env, API_KEY: apiKey, PORT: String(port), REPAIRED: build === 'repaired' ? '1' : '' };
  // A separate process group: build tools and development servers start other processes.
  const child = spawn(join(FOLDER, name, 'run.sh'), { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4_000);
    });
  }
  onTestFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  const deadline = performance.now() + LONGEST_START;
  while (!(await responds(baseUrl))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`corpora/third-party/${name} did not start\n${output}`);
    await wait(BETWEEN_TRIES);
  }
  return baseUrl;
}
