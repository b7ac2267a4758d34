import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { InlineConfig } from 'vite';
import type { CliOptions, PoolRunnerInitializer, Reporter, Vitest } from 'vitest/node';
import { startJudgingPool } from './judging-pool.ts';
import type { Job } from './messages.ts';
import { SPEC_FILE } from './own-package.ts';

const SIGNALS: readonly (string | symbol)[] = ['SIGINT', 'SIGTERM'];

const VITE: InlineConfig = { configFile: false, envDir: false, publicDir: false, css: { postcss: {} } };

function silence(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

/** Checks at a time: more than requests, as a check waits between its own; one after the other where requests are. */
function checksAtATime(concurrency: number): number {
  return concurrency === 1 ? 1 : Math.max(32, 4 * concurrency);
}

/** As if the user's folder had no vitest, no vite and no configuration: nothing is read from there and nothing is written anywhere. */
function optionsFor(job: Job, { reporter, pool }: { readonly reporter: Reporter; readonly pool: PoolRunnerInitializer }): CliOptions {
  return {
    config: false,
    root: fileURLToPath(new URL('.', SPEC_FILE)),
    // Relative to the root: a path of the machine may hold what means something in a pattern.
    include: [basename(fileURLToPath(SPEC_FILE))],
    exclude: [],
    watch: false,
    cache: false,
    fsModuleCache: false,
    reporters: [reporter],
    provide: { conformance: job },
    pool,
    isolate: false,
    fileParallelism: false,
    maxConcurrency: checksAtATime(job.session.concurrency),
    // Every check has a deadline of its own, after which it is inconclusive.
    testTimeout: 0,
    hookTimeout: 10_000,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  };
}

/** Does the work without letting it listen for signals. */
async function deafly<Value>(work: () => Promise<Value>): Promise<Value> {
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

/** This installation leaves out what `run` runs on, as one that only serves the probe may. */
export class MissingRunnerError extends Error {
  override readonly name = 'MissingRunnerError';
}

async function loadVitest(): Promise<typeof import('vitest/node')> {
  try {
    return await import('vitest/node');
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const advice = 'install petstore-conformance without --omit=optional, or use `smoke`, which needs neither';
    throw new MissingRunnerError(`\`run\` needs the optional dependencies vitest and vite, and they are not installed; ${advice}`, {
      cause,
    });
  }
}

/** vitest on our one spec file. It may not handle signals: it would exit before any report is written. */
export async function startVitest(job: Job, reporter: Reporter): Promise<Vitest> {
  // New isolates only: the worker lives for seconds, in which a heap that may grow as usual would take a quarter more memory.
  setFlagsFromString('--max-semi-space-size=4 --heap-growing-percent=25');
  const { runner: pool, close } = startJudgingPool();
  try {
    // Loaded here, so that what can be refused is refused before half a second goes into loading it.
    const { createVitest } = await loadVitest();
    return await deafly(() => createVitest(optionsFor(job, { reporter, pool }), VITE, { stdout: silence(), stderr: silence() }));
  } catch (error) {
    await close();
    throw error;
  }
}
