import { Worker } from 'node:worker_threads';
import type { PoolRunnerInitializer } from 'vitest/node';
import { THREAD_FILE } from './own-package.ts';

/** The pool of vitest with the one thread that judges. */
export type JudgingPool = {
  readonly runner: PoolRunnerInitializer;
  /** Ends a thread that vitest never came to use. */
  close(): Promise<void>;
};

/** What vitest tells its own threads: libraries look at it. */
const VITEST_ENVIRONMENT = { TEST: 'true', VITEST: 'true', VITEST_MODE: 'RUN' } as const;

/** Starts the thread that judges before vitest asks for it: it loads the suites while the main thread loads vitest, which takes as long. */
export function startJudgingPool(): JudgingPool {
  const thread = new Worker(THREAD_FILE, {
    env: { NODE_ENV: 'test', ...process.env, ...VITEST_ENVIRONMENT },
    stdout: true,
    stderr: true,
  });
  let broken: Error | undefined;
  thread.on('error', (error) => {
    broken ??= error instanceof Error ? error : new Error(String(error));
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
      on: (event, callback) => thread.on(event, callback),
      off: (event, callback) => thread.off(event, callback),
      send: (message) => thread.postMessage(message),
      deserialize: (data) => data,
      start: async () => {
        if (broken !== undefined) throw broken;
        thread.ref();
      },
      stop: close,
    }),
  };
  return { runner, close };
}
