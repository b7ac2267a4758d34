import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EXIT_CODES, SIGNAL_CODES, type StopSignal } from '../clause/run-record.ts';
import { REPORT_FILES } from '../report/formats.ts';
import { count } from '../report/text.ts';
import { lookupFor } from '../wire/connection.ts';
import { portOf, type Route } from '../wire/route.ts';
import { brokenIn } from './earlier-runs.ts';
import { UsageError } from './option-spec.ts';
import { exit, print } from './output.ts';
import { readReport } from './report-file.ts';
import type { RunConfiguration } from './target.ts';

/** Exit codes of a run that somebody ended. */
const ENDED: readonly number[] = Object.values(SIGNAL_CODES);

/** Milliseconds between two attempts to reach a server that is down. */
const LOOKS = 200;
/** Milliseconds that a server has to become ready once its port is open. */
const READY = 10_000;

type Watching = { readonly route: Pick<Route, 'resolve' | 'family' | 'unixSocket'>; readonly signal: AbortSignal };

/** A connection to the server; undefined if nothing listens. */
function tryConnect(address: URL, { route, signal }: Watching) {
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof connect> | undefined>();
  const { unixSocket } = route;
  const host = address.hostname.replace(/^\[|\]$/g, '');
  const socket =
    unixSocket === undefined
      ? connect({ host, port: portOf(address), lookup: lookupFor(route, address), signal })
      : connect({ path: unixSocket, signal });
  socket.once('connect', () => resolve(socket));
  socket.once('error', () => resolve(undefined));
  return promise;
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise.finally(() => clearTimeout(timer));
}

/**
 * Resolves when the server was down and is back. An idle connection shows immediately that it goes down; if one is closed while the port
 * stays open, it was closed for being idle.
 */
async function restarted(address: URL, watching: Watching): Promise<void> {
  const { signal } = watching;
  for (let seenDown = false; !signal.aborted; ) {
    const socket = await tryConnect(address, watching);
    if (socket === undefined) {
      if (!seenDown && !signal.aborted) print(`${address.host} is down`);
      seenDown = true;
      await pause(LOOKS, signal);
      continue;
    }
    if (seenDown) return void socket.destroy();
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once('close', () => resolve()).resume();
    await promise;
    socket.destroy();
  }
}

/** One run as a separate process, with the arguments of this one; resolves to its exit code. */
async function runOnce(
  more: readonly string[],
  { first, signals }: { readonly first: boolean; readonly signals: Signals },
): Promise<number> {
  const [node = process.execPath, main = '', ...args] = process.argv;
  const given = args.filter((one) => one !== '--watch');
  const ready = first || given.some((one) => one.startsWith('--wait-for-ready')) ? [] : ['--wait-for-ready', String(READY)];
  const child = spawn(node, [main, ...given, ...ready, ...more], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PETSTORE_WATCH: 'false' },
  });
  // A terminal sends SIGINT to both processes.
  void signals.arrived.then((name) => name !== 'SIGINT' && child.kill(name));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once('error', reject);
  child.once('close', (code) => resolve(code ?? EXIT_CODES.unjudged));
  return promise;
}

/** The first signal that ends a run. */
type Signals = { readonly arrived: Promise<StopSignal> };

function listen(): Signals {
  const { promise, resolve } = Promise.withResolvers<StopSignal>();
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(name, () => resolve(name));
  return { arrived: promise };
}

/** Lines that the user enters; none after the end of standard input. */
function createEnter(): { pressed(signal: AbortSignal): Promise<void> } {
  const lines = createInterface({ input: process.stdin });
  return {
    pressed(signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      lines.once('line', () => resolve());
      signal.addEventListener('abort', () => lines.removeAllListeners('line'), { once: true });
      return promise;
    },
  };
}

function failuresIn(report: string): number {
  try {
    return brokenIn(readReport(report)).length;
  } catch (error) {
    // Options may be wrong, or the run was stopped before it began: its own message explains that.
    if (error instanceof UsageError) return 0;
    throw error;
  }
}

/**
 * Runs, and runs again whenever the server is back after a restart or Enter is pressed: what failed the last time, or everything if nothing
 * did. Ends with an interrupt, or if the options are wrong.
 */
export async function watch(configuration: RunConfiguration): Promise<void> {
  const { baseUrl, reference, reporter, reports } = configuration;
  const address = reference || baseUrl === undefined ? null : URL.parse(baseUrl);
  if (address === null) throw new UsageError('--watch needs a server that restarts: name it with --base-url URL');
  if (!reporter.includes('json')) throw new UsageError('--watch reads the failures from report.json: add --reporter json');
  const report = join(reports, REPORT_FILES.json[0]);
  const signals = listen();
  const enter = createEnter();
  for (let round = 1, more: readonly string[] = []; ; round += 1) {
    const code = await runOnce(more, { first: round === 1, signals });
    // What failed may be none of the selection: a repair can break something else.
    const isUnknown = code === EXIT_CODES.usage && more.length > 0;
    if ((code === EXIT_CODES.usage && !isUnknown) || ENDED.includes(code)) return exit(code);
    const failures = isUnknown ? 0 : failuresIn(report);
    const again = failures === 0 ? 'everything' : count(failures, 'broken clause');
    print(`\nWatching ${address.host}: judges ${again} again after a restart of the server, or when you press Enter. Ctrl-C ends.`);
    more = failures === 0 ? [] : ['--failed', report];
    const over = new AbortController();
    const next = await Promise.race([
      restarted(address, { route: configuration, signal: over.signal }),
      enter.pressed(over.signal),
      signals.arrived,
    ]);
    over.abort();
    if (next !== undefined) return exit(SIGNAL_CODES[next]);
  }
}
