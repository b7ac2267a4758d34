import type { MessagePort } from 'node:worker_threads';
import type { RunRecord } from '../clause/run-record.ts';
import { type Collected, NOTHING_COLLECTED } from '../judge/collected.ts';
import { makeRecord } from '../judge/record.ts';
import type { RecordOptions, StopReason } from '../judge/record-of.ts';
import type { Listing } from '../judge/selection.ts';
import { loadListing } from './load-own-clauses.ts';
import type { FromWorker, Job, Standing, Stop } from './messages.ts';
import { toolVersion } from './package-files.ts';
import { startVitest } from './runner.ts';

export type GateOptions = Omit<RecordOptions, 'version'> & {
  readonly ownClauses?: readonly string[];
  /** Aborted with a StopReason: the run ends early, and its record is complete for what was judged. */
  readonly signal: AbortSignal;
  /** Seconds after which the signal is aborted: where the service allows few requests per second, fewer are sent. */
  readonly timeLimit?: number | undefined;
  /** Why the service could not be started, in lines: nothing is judged then. */
  readonly notStarted?: readonly string[] | undefined;
  readonly onProgress: (progress: Progress) => void;
  /** Selected invariants see the exchanges of all checks. */
  readonly wholeTraffic?: boolean;
  /** Called periodically with the record so far: this is what remains if the process is killed. */
  readonly onCheckpoint?: (record: RunRecord) => void;
};

/** Milliseconds. */
const CHECKPOINTS = 2_000;
const KILLED = { cutShort: 'the run did not finish' } as const;

/** Judges a server once, thoroughly: the run as one value. Throws SelectionError when nothing is selected. */
export async function runGate(options: GateOptions): Promise<RunRecord> {
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  const { session, only, skip, ownClauses = [], wholeTraffic = false } = options;
  const { signal } = options;
  // A selection may be wrong, which is reported before anything is started. Without a selection only the worker loads the suites.
  const selection = { only, skip, exhaustive: session.depth !== 'quick', wholeTraffic };
  const named = only.length + skip.length + ownClauses.length > 0;
  const checked = named ? await loadListing(selection, ownClauses) : undefined;
  const recordOf = (collected: Collected, listing: Listing, stopped: StopReason | undefined): RunRecord =>
    makeRecord({
      options: { ...options, version: toolVersion },
      listing,
      collected,
      stopped,
      startedAt,
      duration: Math.round(performance.now() - begin),
    });

  let written = begin;
  function onStanding(collected: Collected): void {
    const listing = checked ?? collected.listing;
    if (listing === undefined || signal.aborted) return;
    if (options.onCheckpoint === undefined || performance.now() - written < CHECKPOINTS) return;
    written = performance.now();
    options.onCheckpoint(recordOf(collected, listing, KILLED));
  }

  const collected: Collected =
    signal.aborted || options.notStarted !== undefined
      ? { ...NOTHING_COLLECTED, unreachable: options.notStarted?.join('\n') }
      : await judgeInWorker(
          { session, selection, timeLimit: options.timeLimit, ownClauses, asOf: options.asOf },
          { signal, onProgress: options.onProgress, onStanding },
        );
  const listing = checked ?? collected.listing ?? (await loadListing(selection, ownClauses));
  return recordOf(collected, listing, signal.aborted ? (signal.reason as StopReason) : undefined);
}

/** The progress of a run: situations, out of all selected ones. */
export type Progress = { readonly done: number; readonly of: number; readonly failed: number; readonly requests: number } & Pick<
  Standing,
  'slowBecause' | 'allowedRate'
>;

/** Milliseconds that an interrupted worker has to conclude. */
const GRACE = 3_000;
/** Milliseconds without a message after which the worker is given up: it sends one every second. */
const SILENCE = 60_000;
const CLOSING = 2_000;

/** Yarn Plug'n'Play rejects how vitest's threads load packages. */
const PNP =
  "`run` does not work under Yarn Plug'n'Play: set `nodeLinker: node-modules` or `nodeLinker: pnpm` in .yarnrc.yml, and install again";

function noteErrors(collected: Collected, errors: readonly string[]): void {
  collected.internalErrors = [...collected.internalErrors, ...errors];
}

function take(message: FromWorker, collected: Collected): void {
  switch (message.kind) {
    case 'listed':
      collected.listing = message.listing;
      return;
    case 'standing':
      collected.summary = message.summary ?? collected.summary;
      collected.requests = message.requests;
      return;
    case 'judged':
      collected.records = [...collected.records, message.record];
      return;
    case 'ended': {
      const { kind: _kind, internalErrors, ...rest } = message;
      noteErrors(collected, internalErrors);
      Object.assign(collected, rest);
      return;
    }
    default:
      message satisfies never;
  }
}

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

/** Runs vitest on the one spec file in a worker thread and collects its results, even if it is interrupted or stuck. */
async function judgeInWorker(
  job: Job,
  options: { signal: AbortSignal; onProgress: (progress: Progress) => void; onStanding: (collected: Collected) => void },
): Promise<Collected> {
  const { signal, onProgress, onStanding } = options;
  const collected: Collected = { ...NOTHING_COLLECTED };
  let selected: ReadonlySet<string> = new Set();
  let advised: ReadonlySet<string> = new Set();
  let pace: Pick<Standing, 'slowBecause' | 'allowedRate'> = { slowBecause: undefined, allowedRate: undefined };
  const progress = (): void => {
    const records = collected.records.filter(({ id }) => selected.has(id));
    // Advised and newer clauses only warn.
    const failed = records.filter(({ verdict, clause, newer }) => verdict === 'fail' && newer !== true && !advised.has(clause)).length;
    onProgress({ done: records.length, of: selected.size, failed, requests: collected.requests, ...pace });
    onStanding(collected);
  };
  const { vitest, line } = await startVitest(job, {
    onTestRunEnd(modules, unhandled) {
      // vitest's report of a thread error contains less than the error itself.
      const errors = [...unhandled, ...modules.flatMap((module) => module.errors())];
      noteErrors(
        collected,
        errors.map(({ message, cause }) => (cause instanceof Error ? cause.message : message)),
      );
    },
  });
  const worker = attend(line, {
    signal,
    onMessage(message) {
      take(message, collected);
      if (message.kind === 'listed') {
        const clauses = message.listing.selected;
        selected = new Set(clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id)));
        advised = new Set(clauses.filter(({ level }) => level === 'advised').map(({ id }) => id));
      }
      if (message.kind === 'standing') pace = { slowBecause: message.slowBecause, allowedRate: message.allowedRate };
      progress();
    },
    onSilence: () => noteErrors(collected, [`the judging thread stopped responding for ${SILENCE / 1000} s and was terminated`]),
  });
  /** Messages of two ports have no common order: the worker's last message may arrive after vitest reports that it is done. */
  const run = async (): Promise<void> => {
    await vitest.start();
    if (collected.internalErrors.length === 0) await atMost(CLOSING, worker.ended);
  };
  try {
    await Promise.race([run(), worker.gaveUp]);
    await atMost(CLOSING, vitest.close());
  } finally {
    worker.close();
  }
  if (collected.internalErrors.length > 0 && process.versions['pnp'] !== undefined)
    collected.internalErrors = [PNP, ...collected.internalErrors];
  return collected;
}
