// Starts the server by the command of its argument on a free port and judges it with the built gate, or with the program of corpora/peers that PEER names.
// Exit 1, by which a mutant counts as found, only where the gate ends with 1, or with 3 because nothing listens or nothing responds; of another program,
// where it says that the server is wrong, or nothing responds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const gate = fileURLToPath(new URL('../../../dist/src/cli/main.js', import.meta.url));
const command = process.argv[2];
const API_KEY = 'mutant-7Hq2XvR9sLmT4wZa';

const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
await once(free, 'close');

// A separate process group: a server may start other processes.
const env = { ...process.env, API_KEY, PORT: String(port) };
const baseUrl = `http://127.0.0.1:${port}/v1`;
const start = () => spawn(command, { shell: true, detached: true, env, stdio: 'ignore' });

/** Runs a command to its end. */
async function ended([file, ...args], { cwd, env }) {
  const run = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(run, 'close');
  return { code, output, timedOut: false };
}

async function byGate() {
  const options = ['--quiet', '--bail', '1', '--wait-for-ready', '5000', '--timeout', '2000', '--reporter', 'terminal', '--seed', '1'];
  const { code, output } = await ended([process.execPath, gate, 'run', '--base-url', baseUrl, ...options], { env: { PETSTORE_API_KEY: API_KEY } });
  return { code, output, found: code === 1 || (code === 3 && /no response|refused|nothing listens/i.test(output)) };
}

/** Whether the server responds at all, within five seconds. */
async function responds() {
  for (const begin = performance.now(); performance.now() - begin < 5_000; await setTimeout(50)) {
    const response = await fetch(`${baseUrl}/pets`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (response !== undefined) return true;
  }
  return false;
}

async function peerCalled(name) {
  const { peers } = await import('../../peers/index.ts');
  const peer = peers.find((one) => one.name === name);
  if (peer === undefined) throw new Error(`no program is called ${name}; there are ${peers.map((one) => one.name).join(', ')}`);
  return { peer, cache: fileURLToPath(new URL(`../../.peers/${name}`, import.meta.url)) };
}

async function byPeer({ peer, cache }) {
  if (!(await responds())) return { code: null, output: 'nothing responds', found: true };
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    const { argv, env, cwd = folder } = peer.judge({ baseUrl, apiKey: API_KEY, now: undefined, folder, cache });
    const run = await ended(argv, { cwd, env });
    return { ...run, found: peer.verdict(run) === 'failed' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of a program, not of the mutant: what broke here finds none. */
const BROKE = 2;

try {
  const other = process.env.PEER ? await peerCalled(process.env.PEER) : undefined;
  if (command === '--prepare') {
    await other?.peer.prepare?.(other.cache);
    process.exit(0);
  }
  const server = start();
  try {
    const { code, output, found } = await (other === undefined ? byGate() : byPeer(other));
    const last = output.trim().split('\n').slice(-8);
    appendFileSync(process.env.LOG, `${JSON.stringify({ mutant: process.env.__STRYKER_ACTIVE_MUTANT__, code, found, last })}\n`);
    process.exitCode = found ? 1 : 0;
    process.stdout.write(output);
  } finally {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exitCode = BROKE;
}
