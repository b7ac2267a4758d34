import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import { type CliOptions, createVitest, type Reporter, type TestCase, type TestModule, type Vitest } from 'vitest/node';
import { clauses as registry } from '../../suites/index.ts';
import { type CheckRecord, RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { clauseRecords, conclude } from '../judge/conclude.ts';
import { selectClauses } from '../judge/select.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import { UnreachableError } from '../session/reach.ts';
import type { SessionOptions } from '../session/session.ts';
import { type Job, packSession } from './job.ts';

export type GateOptions = {
  readonly session: SessionOptions;
  readonly reference: boolean;
  readonly strict: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Aborted with the signal's name as reason: the run ends early, its record is complete for what was judged. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
};

/** How a run stands. */
export type Progress = { readonly done: number; readonly of: number; readonly failed: number; readonly requests: number };

type Summary = ReturnType<OpenSession['summary']>;

const PACKAGE = JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string };
const SPEC = new URL(`../../suites/conformance.test${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
const EMPTY_SUMMARY: Summary = {
  animals: { created: [], ambiguous: [], budget: 0, prefix: '' },
  operations: [],
  traits: { headers: {}, members: {} },
  notices: [],
};
const CONCURRENT_CHECKS = 24;

/** The package's own package.json: two folders up in the clone, three up in the built package. */
function packageFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? '../../package.json' : '../../../package.json', import.meta.url);
}

/** Version of this tool. */
export const toolVersion: string = PACKAGE.version;

type Collected = { readonly records: CheckRecord[]; readonly internalErrors: string[]; summary: Summary };

function collectTest(test: TestCase, collected: Collected): void {
  const { record } = test.meta() as { record?: CheckRecord };
  if (record !== undefined) {
    collected.records.push(record);
    return;
  }
  const result = test.result();
  if (result.state !== 'failed') return;
  for (const error of result.errors)
    collected.internalErrors.push(`${test.name}: ${error.message}${error.cause instanceof Error ? `: ${error.cause.stack}` : ''}`);
}

function start(job: Job, reporter: Reporter): Promise<Vitest> {
  const root = fileURLToPath(new URL('.', SPEC));
  const options: CliOptions = {
    config: false,
    root,
    include: [fileURLToPath(SPEC)],
    exclude: [],
    watch: false,
    cache: false,
    fsModuleCache: false,
    reporters: [reporter],
    provide: { conformance: job },
    pool: 'threads',
    isolate: false,
    fileParallelism: false,
    maxConcurrency: CONCURRENT_CHECKS,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  };
  const overrides: InlineConfig = { configFile: false, envDir: false, publicDir: false, css: { postcss: {} } };
  return createVitest(options, overrides);
}

/** Runs vitest on the one spec file and gathers what its worker reports. */
async function judgeAll(options: GateOptions, total: number): Promise<Collected> {
  const collected: Collected = { records: [], internalErrors: [], summary: EMPTY_SUMMARY };
  const job: Job = {
    session: packSession(options.session),
    only: options.only,
    skip: options.skip,
    channel: `conformance-${randomUUID()}`,
  };
  const channel = new BroadcastChannel(job.channel);
  let requests = 0;
  const progress = (): void =>
    options.onProgress({
      done: collected.records.length,
      of: total,
      failed: collected.records.filter(({ verdict }) => verdict === 'fail').length,
      requests,
    });
  channel.onmessage = (event: { data: unknown }) => {
    const { requests: count, ...summary } = event.data as Summary & { requests: number };
    collected.summary = summary;
    requests = count;
    progress();
  };
  const ended = Promise.withResolvers<void>();
  const ours = (['SIGINT', 'SIGTERM'] as const).map((name) => [name, process.listeners(name)] as const);
  const vitest = await start(job, {
    onTestCaseResult(test: TestCase) {
      collectTest(test, collected);
      progress();
    },
    onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]) {
      for (const error of [...unhandled, ...modules.flatMap((module) => module.errors())]) collected.internalErrors.push(error.message);
      ended.resolve();
    },
  });
  // vitest would exit at once on a signal, before reports are written; the command line handles signals.
  for (const [name, listeners] of ours) {
    process.removeAllListeners(name);
    for (const listener of listeners) process.on(name, listener);
  }
  const cancel = (): void => void vitest.cancelCurrentRun('keyboard-input');
  options.signal.addEventListener('abort', cancel);
  try {
    await vitest.start();
    await ended.promise;
  } finally {
    options.signal.removeEventListener('abort', cancel);
    await vitest.close();
    channel.close();
  }
  return collected;
}

async function reachFirst(options: SessionOptions): Promise<string | undefined> {
  const open = await openSession(options);
  try {
    await open.start();
    return undefined;
  } catch (error) {
    if (error instanceof UnreachableError) return error.message;
    throw error;
  } finally {
    await open.session.close();
  }
}

/** Judges a server once, thoroughly: the run as one value. Throws SelectionError when nothing is selected. */
export async function runGate(options: GateOptions): Promise<RunRecord> {
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  const clauses = selectClauses(registry, options);
  const total = clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants]).length;
  const unreachable = await reachFirst(options.session);
  const collected =
    unreachable === undefined ? await judgeAll(options, total) : { records: [], internalErrors: [], summary: EMPTY_SUMMARY };
  const order = new Map(clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants]).map(({ id }, index) => [id, index]));
  const checks = collected.records.sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  const records = clauseRecords(clauses, checks);
  const interrupted = options.signal.aborted ? (options.signal.reason as 'SIGINT' | 'SIGTERM') : undefined;
  const { session } = options;
  return {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version: toolVersion },
    target: { baseUrl: session.baseUrl, reference: options.reference },
    startedAt,
    duration: Math.round(performance.now() - begin),
    options: {
      profile: session.profile,
      seed: session.seed,
      readOnly: session.readOnly,
      strict: options.strict,
      only: options.only,
      skip: options.skip,
      now: session.now.toISOString(),
    },
    conclusion: conclude({
      clauses: records,
      checks,
      strict: options.strict,
      interrupted,
      internalErrors: collected.internalErrors,
      unreachable,
      misfits: [],
    }),
    interrupted: interrupted !== undefined,
    clauses: records,
    checks,
    ...collected.summary,
  };
}
