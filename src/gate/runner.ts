// vitest as the runner: started programmatically, with the one thread in which it judges.

import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { InlineConfig } from 'vite';
import type { CliOptions, PoolRunnerInitializer, Reporter, Vitest } from 'vitest/node';
import { SIGNAL_CODES } from '../clause/run-record.ts';
import { codeOf } from '../wire/wording.ts';
import type { Job, Order } from './messages.ts';
import { SPEC_FILE, THREAD_FILE } from './package-files.ts';

const SIGNALS: readonly (string | symbol)[] = Object.keys(SIGNAL_CODES);

const VITE: InlineConfig = { configFile: false, envDir: false, publicDir: false, css: { postcss: {} } };

function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** vitest reads settings from the environment too: VITEST_MAX_WORKERS=0, meant for the user's own tests, would leave no worker to judge. */
function forgetSettings(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('VITEST_')) delete process.env[name];
}

/** As if the user's folder had no vitest, vite, or configuration: nothing is read from it and nothing is written anywhere. */
function optionsFor({ reporter, pool }: { readonly reporter: Reporter; readonly pool: PoolRunnerInitializer }): CliOptions {
  return {
    config: false,
    root: fileURLToPath(new URL('.', SPEC_FILE)),
    // Relative to the root: an absolute path may contain characters that are special in a pattern.
    include: [basename(fileURLToPath(SPEC_FILE))],
    exclude: [],
    watch: false,
    cache: false,
    fsModuleCache: false,
    reporters: [reporter],
    pool,
    isolate: false,
    fileParallelism: false,
    hookTimeout: 10_000,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  };
}

/** The folder of the user's data on Linux and on Windows. */
const DATA_FOLDERS = ['XDG_DATA_HOME', 'LOCALAPPDATA'] as const;

/**
 * vitest stores a token for its pages there, and fails where it cannot: a user of a container may have no home directory. It gets a
 * temporary folder instead, if there is one.
 */
async function withTemporaryData<Value>(work: () => Promise<Value>): Promise<Value> {
  let folder: string;
  try {
    folder = mkdtempSync(join(tmpdir(), 'petstore-conformance-'));
  } catch {
    return await work();
  }
  const before = DATA_FOLDERS.map((name) => [name, process.env[name]] as const);
  for (const name of DATA_FOLDERS) process.env[name] = folder;
  try {
    return await work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withoutSignalHandlers<Value>(work: () => Promise<Value>): Promise<Value> {
  const drop = (name: string | symbol, listener: () => void): void => {
    if (SIGNALS.includes(name)) queueMicrotask(() => process.off(name, listener));
  };
  process.on('newListener', drop);
  try {
    return await work();
  } finally {
    process.off('newListener', drop);
  }
}

/** This installation omits the test runner that `run` needs, as one that only serves the probe may. */
export class MissingRunnerError extends Error {
  override readonly name = 'MissingRunnerError';
}

/** Asked first: the judging thread sends requests before vitest is loaded. */
function requireVitest(): void {
  try {
    import.meta.resolve('vitest/node');
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const why = 'npm leaves them out on an older Node and with --omit=optional';
    const advice = 'install again with this Node: npm exec -c "npm install"; or use `smoke`, which needs neither';
    throw new MissingRunnerError(`\`run\` needs vitest and vite, which are not installed: ${why}; ${advice}`, { cause });
  }
}

/** vitest on the one spec file, with the port to its thread. It must not handle signals: it would exit before any report is written. */
export async function startVitest(job: Job, reporter: Reporter): Promise<{ readonly vitest: Vitest; readonly line: MessagePort }> {
  requireVitest();
  forgetSettings();
  // Applies to new isolates only: with as much room for new objects as usual, a run takes 120 MB more, and no less of the processor.
  setFlagsFromString('--max-semi-space-size=8');
  const { runner: pool, line, close } = startJudgingPool(job);
  try {
    // Loaded here, so that invalid options are rejected before half a second is spent on loading it.
    const { createVitest } = await import('vitest/node');
    const create = () => createVitest(optionsFor({ reporter, pool }), VITE, { stdout: silence(), stderr: silence() });
    const vitest = await withoutSignalHandlers(() => withTemporaryData(create));
    return { vitest, line };
  } catch (error) {
    await close();
    throw error;
  }
}

export type JudgingPool = {
  readonly runner: PoolRunnerInitializer;
  /** The port to the thread, which queues messages until there is a listener. */
  readonly line: MessagePort;
  /** Ends a thread that vitest never used. */
  close(): Promise<void>;
};

/** The variables that Node reads when a thread starts. */
function startEnvironment({ NODE_COMPILE_CACHE, NODE_OPTIONS }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }) };
}

/** The variables that vitest sets for its own threads: libraries look at them. */
const VITEST_ENVIRONMENT = { TEST: 'true', VITEST: 'true', VITEST_MODE: 'RUN' } as const;

const OUT_OF_MEMORY =
  'the judging thread ran out of memory: give it more with NODE_OPTIONS=--max-old-space-size=1024 (MB), or judge less at a time with --depth quick or --only';

function explained(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? new Error(OUT_OF_MEMORY, { cause: error }) : error;
}

/**
 * Starts the judging thread before vitest asks for it: it loads the suites while the main thread loads vitest, which takes as long. Its job
 * and the environment contain keys and passwords, and both vite and Node print what they are given if DEBUG or NODE_DEBUG is set. So
 * neither gets them: the thread reads them from a port.
 */
function startJudgingPool(job: Job): JudgingPool {
  const { port1: here, port2: there } = new MessageChannel();
  here.postMessage({ job, environment: { NODE_ENV: 'test', ...process.env, ...VITEST_ENVIRONMENT } } satisfies Order);
  const thread = new Worker(THREAD_FILE, {
    env: startEnvironment(process.env),
    workerData: there,
    transferList: [there],
    stdout: true,
    stderr: true,
  });
  const events = new EventEmitter();
  let broken: Error | undefined;
  let isClosing = false;
  const fail = (error: Error): void => {
    broken ??= error;
    if (events.listenerCount('error') > 0) events.emit('error', broken);
  };
  thread.on('message', (message) => events.emit('message', message));
  thread.on('error', (error) => fail(explained(error)));
  // It also follows an error, for which vitest listens once: a second one would end the process with Node's exit code 1, as if the service
  // were wrong. vitest waits a minute for a thread that ends by itself.
  thread.on('exit', (code) => {
    if (broken !== undefined) return;
    if (isClosing) events.emit('exit', code);
    else fail(new Error(`the judging thread ended by itself, with exit code ${code}: look at NODE_OPTIONS, which it shares`));
  });
  thread.stdout.resume();
  thread.stderr.resume();
  // An unused thread does not keep the process alive.
  thread.unref();
  const close = async (): Promise<void> => {
    isClosing = true;
    await thread.terminate();
  };
  const runner: PoolRunnerInitializer = {
    name: 'judging-thread',
    createPoolWorker: () => ({
      name: 'judging-thread',
      on: (event, callback) => events.on(event, callback),
      off: (event, callback) => events.off(event, callback),
      send: (message) => thread.postMessage(message),
      deserialize: (data) => data,
      start: async () => {
        if (broken !== undefined) throw broken;
        thread.ref();
      },
      stop: close,
    }),
  };
  return { runner, line: here, close };
}
