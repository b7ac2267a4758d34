// Starts the server by the command of its argument on a free port and judges it with the built gate. Exit 1, by which a mutant counts as found, only
// where the gate ends with 1, or with 3 because nothing listens or nothing responds.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
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
const judged = spawn(command, { shell: true, detached: true, env, stdio: 'ignore' });
const options = ['--quiet', '--bail', '1', '--wait-for-ready', '5000', '--timeout', '2000', '--reporter', 'terminal', '--seed', '1'];
const run = spawn(process.execPath, [gate, 'run', '--base-url', `http://127.0.0.1:${port}/v1`, ...options], {
  env: { ...process.env, PETSTORE_API_KEY: API_KEY },
  stdio: ['ignore', 'pipe', 'pipe'],
});
let said = '';
for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (said += chunk));
const [code] = await once(run, 'exit');
try {
  process.kill(-judged.pid, 'SIGKILL');
} catch {
  // It has ended by itself.
}
const found = code === 1 || (code === 3 && /no response|refused|nothing listens/i.test(said));
appendFileSync(process.env.LOG, `${JSON.stringify({ mutant: process.env.__STRYKER_ACTIVE_MUTANT__, code, found, last: said.trim().split('\n').slice(-8) })}\n`);
process.exitCode = found ? 1 : 0;
process.stdout.write(said);
