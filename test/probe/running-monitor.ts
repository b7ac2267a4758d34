import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { Agent, setGlobalDispatcher } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { startReference } from '../../proof/server.ts';
import { MAIN, timeLeft } from '../support/program.ts';
import { KEY, SECRET } from './samples.ts';

/** Shared by the tests with real processes: a target that can be broken, a receiver of webhooks, programs that end with the test. */

const LOOK_AGAIN = 50;

// A kept-alive connection that a monitor closes while a test is blocked would fail the next request on it.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

/** Repeats until it is true, for as long as the test may take. A timeout names what was awaited, with the test's own details. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  { details = () => '' }: { details?: () => string } = {},
): Promise<void> {
  while (!(await holds())) {
    if (timeLeft() === 0) throw new Error(`in the time of the test it did not come to this: ${what}\n${details()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
  }
}

/** Listens on a free port of this machine until the test is over. */
export async function listening(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export type Program = { readonly child: ChildProcess; readonly pid: number; readonly output: () => string };

/** Starts a program that is killed when the test is over. */
export async function startProcess(
  command: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Program> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], HOME: options.cwd, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  onTestFinished(() => end(child, 'SIGKILL'));
  return { child, pid: child.pid ?? 0, output: () => output };
}

/** Ends a process and waits for its end. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** The part of `/api/status` that tests use. */
export type Status = {
  readonly problems: readonly string[];
  readonly removal?: { readonly operation: string; readonly date: string; readonly days: number; readonly announced: boolean };
  readonly targets: readonly {
    readonly name: string;
    readonly health: string;
    readonly lastRun?: { readonly verdict: string; readonly reason?: string; readonly note?: string; readonly confirms?: true };
  }[];
  readonly alerts: readonly {
    readonly status: string;
    readonly dedupId: string;
    readonly target: string;
    readonly reason: string | null;
  }[];
};

export type RunningMonitor = Program & {
  readonly url: string;
  status(): Promise<Status>;
  /** The health of a target, or of the first. */
  health(name?: string): Promise<string | undefined>;
  metrics(): Promise<string>;
  /** The value of a series, including its labels; undefined if it does not exist. */
  metric(series: string): Promise<number | undefined>;
};

/** Reads the endpoints of a monitor. */
export function readerOf(url: string): Pick<RunningMonitor, 'status' | 'health' | 'metrics' | 'metric'> {
  const status = async (): Promise<Status> => (await (await fetch(`${url}/api/status`)).json()) as Status;
  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  return {
    status,
    metrics,
    health: async (name) => (await status()).targets.find((one) => name === undefined || one.name === name)?.health,
    async metric(series) {
      const line = (await metrics()).split('\n').find((one) => one.startsWith(`${series} `));
      return line === undefined ? undefined : Number(line.slice(series.length + 1));
    },
  };
}

/** How a monitor is started, in addition to its configuration. */
export type MonitorStart = { readonly env?: Readonly<Record<string, string>> };

/** The real command line as a process; `wrap` starts it in another environment. Without a configuration, that of the folder is used. */
export async function startMonitor(
  config: string | undefined,
  folder: string,
  wrap: readonly string[] = [],
  { env = {} }: MonitorStart = {},
): Promise<RunningMonitor> {
  const file = join(folder, 'monitor.yaml');
  if (config !== undefined) writeFileSync(file, config);
  const command = [...wrap, process.execPath, MAIN, 'monitor', '--config', file];
  const program = await startProcess(command, { cwd: folder, env: { KEY, SECRET, ...env } });
  const { stdout } = program.child;
  if (stdout === null) throw new Error('a process without output');
  for await (const line of createInterface({ input: stdout })) {
    const url = /status on (\S+)\/"\}?$/.exec(line)?.[1];
    if (url !== undefined) return { ...program, url, ...readerOf(url) };
  }
  throw new Error(`the monitor ended: ${program.output()}`);
}

const NONSENSE = '{"oops":"</style><script>document.title=\'owned\'</script>"}';
const HEAD = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${NONSENSE.length}\r\n\r\n`;

/** The state of a target: it serves, it returns nonsense, it closes every connection, it accepts requests and never responds. */
export type Mode = 'well' | 'nonsense' | 'gone' | 'silent';
export type Target = {
  readonly baseUrl: string;
  set(mode: Mode): void;
  /** Resolves when a request has arrived while the target is silent. */
  waits(): Promise<void>;
};

/** The reference server behind a switch. */
export async function startTarget(
  options: { now?: () => Date; variants?: readonly string[]; faults?: readonly string[] } = {},
): Promise<Target> {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 12, ...options });
  onTestFinished(() => reference.close());
  let mode: Mode = 'well';
  const open = new Set<Socket>();
  let asked = Promise.withResolvers<void>();
  const treat: Readonly<Record<Mode, (socket: Socket) => void>> = {
    well(socket) {
      const through = connect(reference.port, '127.0.0.1').on('error', () => socket.destroy());
      socket.on('close', () => through.destroy());
      socket.pipe(through).pipe(socket);
    },
    nonsense: (socket) => socket.once('data', () => socket.end(HEAD + NONSENSE)),
    gone: (socket) => socket.destroy(),
    silent: (socket) => socket.once('data', () => asked.resolve()),
  };
  const port = await listening(
    createTcpServer((socket) => {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      treat[mode](socket);
    }),
  );
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    set(next) {
      mode = next;
      asked = Promise.withResolvers();
      for (const socket of open) socket.destroy();
    },
    waits: () => asked.promise,
  };
}

export type Message = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly id: string;
  readonly taken: boolean;
};
export type Receiver = {
  readonly url: string;
  /** Those that got a response. */
  readonly messages: readonly Message[];
  /** How many have arrived, with or without a response. */
  arrived(): number;
};

/** Receives webhooks; `respond` decides for each, by its number from 0 on, the response and its time. */
export async function startReceiver(
  respond: (number: number) => number | Promise<number> = () => 204,
  options: { port?: number } = {},
): Promise<Receiver> {
  const messages: Message[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { headers } = request;
    const status = await respond(count++);
    // A sender that has given up did not get the confirmation.
    const taken = status < 300 && !response.destroyed;
    messages.push({ path: String(request.url), headers, body, id: String(headers['webhook-id']), taken });
    response.writeHead(status).end();
  });
  const port = await listening(server, options.port);
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${port}/`, messages, arrived: () => count };
}

/** Whether a message carries the signature of Standard Webhooks. */
export function isSigned({ headers, body }: Message): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`;
}

/** Shared by the tests of a monitor's files. */

export const FAILURES = 'petstore_probe_history_write_failures_total';

/** A monitor that keeps its files in `data`, and alerts. */
export function storedMonitor(baseUrl: string, webhook: string): string {
  return `server: { port: 0 }
data: { folder: data }
webhooks:
  - { name: on-call, url: "${webhook}", secret: env:SECRET }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 1s, latencyLimit: 10s }
`;
}

/** SQLite's integrity check of a file: `ok` if it is sound. */
export function integrity(file: string): unknown {
  const database = new DatabaseSync(file);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check'];
  } finally {
    database.close();
  }
}

/** The series that counts the runs of a target that say nothing about it. */
export const internal = (target: string): string =>
  `petstore_probe_check_failures_total{target="${target}",check="smoke",reason="internal"}`;

/** Expects that nothing blames the target for a fault of the probe. */
export async function expectNoBlame(monitor: RunningMonitor, target: string): Promise<void> {
  // After that many runs that say nothing about the target, an alert says so: how many there are depends on time.
  const { alerts } = await monitor.status();
  expect(alerts.filter((alert) => alert.target === target && alert.reason !== 'internal')).toEqual([]);
  const metrics = (await monitor.metrics()).split('\n');
  const blames = metrics.filter(
    (line) => line.startsWith(`petstore_probe_check_failures_total{target="${target}"`) && !line.endsWith(' 0'),
  );
  expect(blames.map((line) => line.replace(/ \d+$/, ''))).toEqual([internal(target)]);
}
