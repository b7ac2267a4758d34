import { basename } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { MessagePort } from 'node:worker_threads';
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

/** Runs the work without letting it install signal handlers. */
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

async function loadVitest(): Promise<typeof import('vitest/node')> {
  try {
    return await import('vitest/node');
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const why = 'npm leaves them out on an older Node and with --omit=optional';
    const advice = 'install again with this Node: npm exec -c "npm install"; or use `smoke`, which needs neither';
    throw new MissingRunnerError(`\`run\` needs vitest and vite, which are not installed: ${why}; ${advice}`, { cause });
  }
}

/** vitest on the one spec file, with the port to its thread. It must not handle signals: it would exit before any report is written. */
export async function startVitest(job: Job, reporter: Reporter): Promise<{ readonly vitest: Vitest; readonly line: MessagePort }> {
  forgetSettings();
  // Applies to new isolates only: the worker lives for seconds, and a heap that grows as usual would take a quarter more memory.
  setFlagsFromString('--max-semi-space-size=4 --heap-growing-percent=25');
  const { runner: pool, line, close } = startJudgingPool(job);
  try {
    // Loaded here, so that invalid options are rejected before half a second is spent on loading it.
    const { createVitest } = await loadVitest();
    const vitest = await withoutSignalHandlers(() =>
      createVitest(optionsFor({ reporter, pool }), VITE, { stdout: silence(), stderr: silence() }),
    );
    return { vitest, line };
  } catch (error) {
    await close();
    throw error;
  }
}
