// Starts `prism proxy` in front of a server and sends a plan of requests through it; exit code 1 if Prism reports a violation of the
// description.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const [program = '', description = '', baseUrl = ''] = process.argv.slice(2);
const authorized = { authorization: `Bearer ${process.env['API_KEY']}` };
const STARTS_WITHIN = 60_000;
const BROKEN_PROXY = 3;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const port = await freePort();
const argv = [program, 'proxy', description, baseUrl, '--errors', '--validate-request', 'false', '-p', String(port), '-v', 'error'];
const prism = spawn(process.execPath, argv, { stdio: 'inherit' });
const proxied = `http://127.0.0.1:${port}`;

async function listens(): Promise<boolean> {
  try {
    await fetch(`${proxied}/no-operation`);
    return true;
  } catch {
    return false;
  }
}

const deadline = performance.now() + STARTS_WITHIN;
while (!(await listens())) {
  if (prism.exitCode !== null || performance.now() > deadline) process.exit(BROKEN_PROXY);
  await pause(50);
}

let violations = 0;

/** Sends one request; returns the response of the proxy as text. */
async function send(
  path: string,
  { body, headers = authorized }: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const request =
    body === undefined
      ? { headers }
      : {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        };
  try {
    const response = await fetch(`${proxied}${path}`, { ...request, redirect: 'manual', signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    // Prism returns its own problem in place of a response that violates the description, or that it could not get.
    if (response.headers.has('sl-violations') || text.includes('stoplight.io/prism/errors#')) {
      violations++;
      console.log(`${path} ${JSON.stringify(body) ?? ''}: ${response.status} ${text.slice(0, 500)}`);
    }
    return text;
  } catch (error) {
    violations++;
    console.log(`${path}: ${error}`);
    return '';
  }
}

const STATUSES = ['available', 'pending', 'sold'];
for (const query of [
  '',
  '?limit=1',
  '?limit=20',
  '?limit=100',
  ...STATUSES.flatMap((status) => [`?status=${status}`, `?status=${status}&limit=2`]),
])
  await send(`/pets${query}`);
for (const more of [{}, ...STATUSES.map((status) => ({ status }))]) {
  const text = await send('/pets', { body: { name: 'Prism', categoryId: 1, ...more } });
  const id = /"id"\s*:\s*(-?\d+)/.exec(text)?.[1];
  if (id !== undefined) await send(`/pets/${id}`);
}
for (const headers of [{}, { authorization: 'Bearer not-the-key' }, { authorization: `Basic ${process.env['API_KEY']}` }]) {
  await send('/pets', { headers });
  await send('/pets/1', { headers });
  await send('/pets', { headers, body: { name: 'Refused', categoryId: 1 } });
}
const rejected = { name: 'Rejected', categoryId: 1 };
for (const body of [
  {},
  { categoryId: 1 },
  { name: 'Rejected' },
  ...[null, 5, true, ['x'], {}].map((name) => ({ ...rejected, name })),
  ...[null, '1', 'dog', 1.5, true].map((categoryId) => ({ ...rejected, categoryId })),
  ...['eaten', 'Sold', '', null, 1].map((status) => ({ ...rejected, status })),
  [rejected],
  'null',
  '"pet"',
])
  await send('/pets', { body });
for (const id of ['987654321', '4611686018427387905', 'abc']) await send(`/pets/${id}`);
for (const query of ['limit=0', 'limit=101', 'limit=abc', 'status=eaten']) await send(`/pets?${query}`);
prism.kill();
process.exit(violations === 0 ? 0 : 1);
