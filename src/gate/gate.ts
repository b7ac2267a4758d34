import type { MessagePort } from 'node:worker_threads';
import type { RunRecord } from '../clause/run-record.ts';
import type { Again } from '../judge/again.ts';
import type { RecordOptions, StopReason } from '../judge/conclude-record.ts';
import { emptyRunData, type RunData, runRecordOf } from '../judge/record.ts';
import type { FromWorker, Job, Listing, Progress, Stop } from './messages.ts';
import { toolVersion } from './package-files.ts';
import { startVitest } from './runner.ts';

export type { Progress } from './messages.ts';

export type GateOptions = Omit<RecordOptions, 'version'> & {
  /** Modules. */
  readonly ownClauses?: readonly string[];
  /** What an earlier run found broken: that alone is sent again. */
  readonly again?: readonly Again[] | undefined;
  /** Aborted with a StopReason: the run ends early, and its record is complete for what was judged. */
  readonly signal: AbortSignal;
  /** Seconds after which the signal is aborted: fewer requests are sent if not all fit into that. */
  readonly timeLimit?: number | undefined;
  /** Why the service could not be started, in lines: nothing is judged then. */
  readonly notStarted?: readonly string[] | undefined;
  readonly onProgress: (progress: Progress) => void;
  /** Called every other second with the record so far: this is what remains if the process is killed. */
  readonly onCheckpoint?: (record: RunRecord) => void;
};

const KILLED = { cutShort: 'the run did not finish' } as const;

/** What the run will judge, with the suite loaded for it, which takes a quarter of a second and 30 MB. */
async function listingOf({ ownClauses: modules, ...job }: Job): Promise<Listing> {
  const [{ planRun }, { loadOwnClauses }] = await Promise.all([import('./plan-run.ts'), import('./load-own-clauses.ts')]);
  return planRun({ ...job, own: await loadOwnClauses(modules) }).listing;
}

/**
 * Judges a server once, thoroughly: the run as one value. Throws SelectionError when nothing is selected, and OwnClauseError for clauses from outside
 * that can't be judged.
 */
export async function runGate(options: GateOptions): Promise<RunRecord> {
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  const { session, only, skip, ownClauses = [], again, timeLimit, asOf, signal, onCheckpoint, notStarted } = options;
  // The thread takes a moment to start.
  const endsBy = timeLimit === undefined ? undefined : Date.now() + 1_000 * timeLimit + session.waitForReady;
  const job: Job = { session, only, skip, ownClauses, again, endsBy, asOf, tellsSoFar: onCheckpoint !== undefined };
  // A selection may be wrong, which is reported before anything is started. Without a selection only the thread loads the suite.
  const named = only.length + skip.length + ownClauses.length > 0;
  const checked = named ? await listingOf(job) : undefined;
  const recordOf = (data: RunData, listing: Listing, stopped: StopReason | undefined): RunRecord =>
    runRecordOf({
      options: { ...options, ...listing, version: toolVersion },
      ...{ data, stopped, startedAt, duration: Math.round(performance.now() - begin) },
    });

  if (signal.aborted || notStarted !== undefined) {
    const unreachable = notStarted === undefined ? {} : { unreachable: notStarted.join('\n') };
    return recordOf({ ...emptyRunData(session), ...unreachable }, checked ?? (await listingOf(job)), stopOf(signal));
  }
  const { data, listing } = await judgeInWorker(job, {
    ...{ signal, onProgress: options.onProgress },
    onSoFar(soFar, listed) {
      if (!signal.aborted) onCheckpoint?.(recordOf(soFar, checked ?? listed, KILLED));
    },
  });
  return recordOf(data, checked ?? listing ?? (await listingOf(job)), stopOf(signal));
}

const stopOf = ({ aborted, reason }: AbortSignal): StopReason | undefined => (aborted ? (reason as StopReason) : undefined);

/** Milliseconds that an interrupted worker has to conclude. */
const GRACE = 3_000;
/** Milliseconds without a message after which the worker is given up: it sends one every second. */
const SILENCE = 60_000;
const CLOSING = 2_000;

/** Yarn Plug'n'Play rejects how vitest's threads load packages. */
const PNP =
  "`run` does not work under Yarn Plug'n'Play: set `nodeLinker: node-modules` or `nodeLinker: pnpm` in .yarnrc.yml, and install again";

function pause(milliseconds: number): { readonly over: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return { over: promise, cancel: () => clearTimeout(timer) };
}

async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { over, cancel } = pause(milliseconds);
  await Promise.race([work, over]).finally(cancel);
}

/** Receives the worker's messages, tells it to stop, and detects when to give it up. */
function attend(port: MessagePort, options: { signal: AbortSignal; onMessage: (message: FromWorker) => void; onSilence: () => void }) {
  const gaveUp = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let receivedAt = performance.now();
  let hasReported = false;
  const interrupt = (): void => {
    port.postMessage({ kind: 'stop' } satisfies Stop);
    // A worker that has not sent anything yet has nothing to conclude.
    setTimeout(gaveUp.resolve, hasReported ? GRACE : 0).unref();
  };
  port.on('message', (message: FromWorker) => {
    receivedAt = performance.now();
    hasReported = true;
    options.onMessage(message);
    if (message.kind === 'ended') ended.resolve();
  });
  const watch = setInterval(() => {
    if (performance.now() - receivedAt < SILENCE) return;
    clearInterval(watch);
    options.onSilence();
    gaveUp.resolve();
  }, 1_000);
  if (options.signal.aborted) interrupt();
  else options.signal.addEventListener('abort', interrupt, { once: true });
  return {
    gaveUp: gaveUp.promise,
    ended: ended.promise,
    close() {
      options.signal.removeEventListener('abort', interrupt);
      clearInterval(watch);
      port.close();
    },
  };
}

/** What the thread has said. */
type Collected = { data: RunData; listing?: Listing };

/** Runs vitest on the one spec file in a worker thread and collects its results, even if it is interrupted or stuck. */
async function judgeInWorker(
  job: Job,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
    readonly onSoFar: (data: RunData, listing: Listing) => void;
  },
): Promise<Collected> {
  const collected: Collected = { data: emptyRunData(job.session) };
  let errors: readonly string[] = [];
  const { vitest, line } = await startVitest(job, {
    onTestRunEnd(modules, unhandled) {
      // vitest's report of a thread error contains less than the error itself.
      const thrown = [...unhandled, ...modules.flatMap((module) => module.errors())];
      errors = [...errors, ...thrown.map(({ message, cause }) => (cause instanceof Error ? cause.message : message))];
    },
  });
  const worker = attend(line, {
    signal: options.signal,
    onMessage(message) {
      if (message.kind === 'listed') collected.listing = message.listing;
      else if (message.kind === 'progress') options.onProgress(message.progress);
      else collected.data = message.data;
      if (message.kind === 'so-far' && collected.listing !== undefined) options.onSoFar(message.data, collected.listing);
    },
    onSilence() {
      errors = [...errors, `the judging thread stopped responding for ${SILENCE / 1000} s and was terminated`];
    },
  });
  /** Messages of two ports have no common order: the worker's last message may arrive after vitest reports that it is done. */
  const run = async (): Promise<void> => {
    await vitest.start();
    if (errors.length === 0) await atMost(CLOSING, worker.ended);
  };
  try {
    await Promise.race([run(), worker.gaveUp]);
    await atMost(CLOSING, vitest.close());
  } finally {
    worker.close();
  }
  const { data, ...listed } = collected;
  const all = [...data.errors, ...errors];
  return { ...listed, data: { ...data, errors: all.length > 0 && process.versions['pnp'] !== undefined ? [PNP, ...all] : all } };
}
