import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { PoolRunnerInitializer } from 'vitest/node';
import type { Job, Order } from './messages.ts';
import { THREAD_FILE } from './own-package.ts';

/** The vitest pool with the one thread that judges. */
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
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Error(OUT_OF_MEMORY, { cause: error }) : error;
}

/**
 * Starts the judging thread before vitest asks for it: it loads the suites while the main thread loads vitest, which takes as long. Its job
 * and the environment contain keys and passwords, and both vite and Node print what they are given if DEBUG or NODE_DEBUG is set. So
 * neither gets them: the thread reads them from a port.
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
  const events = new EventEmitter();
  let broken: Error | undefined;
  thread.on('message', (message) => events.emit('message', message));
  thread.on('error', (error) => {
    broken ??= explained(error);
    if (events.listenerCount('error') > 0) events.emit('error', broken);
  });
  // It also follows an error, for which vitest listens once: a second one would end the process with Node's exit code 1, as if the service
  // were wrong.
  thread.on('exit', (code) => {
    if (broken === undefined) events.emit('exit', code);
  });
  thread.stdout.resume();
  thread.stderr.resume();
  // An unused thread does not keep the process alive.
  thread.unref();
  const close = async (): Promise<void> => {
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
