import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { PoolRunnerInitializer } from 'vitest/node';
import type { Job, Order } from './messages.ts';
import { THREAD_FILE } from './own-package.ts';

/** The pool of vitest with the one thread that judges. */
export type JudgingPool = {
  readonly runner: PoolRunnerInitializer;
  /** The line to the thread, which keeps what is said until somebody listens. */
  readonly line: MessagePort;
  /** Ends a thread that vitest never came to use. */
  close(): Promise<void>;
};

/** What Node reads when a thread starts. */
function startEnvironment({ NODE_COMPILE_CACHE, NODE_OPTIONS }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...(NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS }) };
}

/** What vitest tells its own threads: libraries look at it. */
const VITEST_ENVIRONMENT = { TEST: 'true', VITEST: 'true', VITEST_MODE: 'RUN' } as const;

const OUT_OF_MEMORY =
  'the judging thread ran out of memory: give it more with NODE_OPTIONS=--max-old-space-size=1024 (MB), or judge less at a time with --depth quick or --only';

function explained(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Error(OUT_OF_MEMORY, { cause: error }) : error;
}

/**
 * Starts the thread that judges before vitest asks for it: it loads the suites while the main thread loads vitest, which takes as long.
 * What it is to do and the environment hold keys and passwords, and both vite and Node print what they are given where DEBUG or NODE_DEBUG asks
 * for it. So neither is told: the thread finds them in a port.
 */
export function startJudgingPool(job: Job): JudgingPool {
  const { port1: here, port2: there } = new MessageChannel();
  here.postMessage({ job, environment: { NODE_ENV: 'test', ...process.env, ...VITEST_ENVIRONMENT } } satisfies Order);
  const thread = new Worker(THREAD_FILE, {
    env: startEnvironment(process.env),
    workerData: there,
    transferList: [there],
    stdout: true,
    stderr: true,
  });
  const told = new EventEmitter();
  let broken: Error | undefined;
  thread.on('message', (message) => told.emit('message', message));
  thread.on('error', (error) => {
    broken ??= explained(error);
    if (told.listenerCount('error') > 0) told.emit('error', broken);
  });
  // It comes after an error too, for which vitest listens once: the second would end the process with Node's exit code 1, as if the service were wrong.
  thread.on('exit', (code) => {
    if (broken === undefined) told.emit('exit', code);
  });
  thread.stdout.resume();
  thread.stderr.resume();
  // Until it is used it keeps nobody from leaving.
  thread.unref();
  const close = async (): Promise<void> => {
    await thread.terminate();
  };
  const runner: PoolRunnerInitializer = {
    name: 'judging-thread',
    createPoolWorker: () => ({
      name: 'judging-thread',
      on: (event, callback) => told.on(event, callback),
      off: (event, callback) => told.off(event, callback),
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
