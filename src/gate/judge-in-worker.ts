import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { TestCase } from 'vitest/node';
import { type Collected, NOTHING_COLLECTED } from './collected.ts';
import type { Job, Listed, Standing, Stop, TestReport } from './messages.ts';
import { startVitest } from './start-vitest.ts';

/** How a run stands, out of all checks and invariants that were selected. */
export type Progress = { readonly done: number; readonly of: number; readonly failed: number; readonly requests: number } & Pick<
  Standing,
  'slowBecause'
>;

/** Milliseconds that an interrupted worker has to sum up. */
const GRACE = 3_000;
/** Milliseconds without a sign of life after which the worker is given up: it says something every second. */
const SILENCE = 60_000;
const CLOSING = 2_000;

function collect(test: TestCase, collected: Collected): void {
  const report = test.meta().conformance as TestReport | undefined;
  switch (report?.kind) {
    case 'record':
      collected.records.push(report.record);
      return;
    case 'internal-error':
      collected.internalErrors.push(report.sentence);
      return;
    case 'unreachable':
      collected.unreachable = report.sentence;
      return;
    case 'mistaken':
      collected.mistaken = report.sentence;
      return;
    case 'summary':
      collected.summary = report.summary;
      collected.recognized = report.recognized;
      collected.evidence = report.evidence;
      collected.kept = report.kept;
      return;
    case 'traffic':
      return;
    case undefined: {
      const { state, errors } = test.result();
      if (state === 'failed') collected.internalErrors.push(...errors.map(({ message }) => `${test.name}: ${message}`));
      return;
    }
    default:
      report satisfies never;
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

/** Both ends of the line to the worker: what it says, and when it is to be given up. */
function createLine(name: string, options: { signal: AbortSignal; heard: (message: Listed | Standing) => void; silent: () => void }) {
  const channel = new BroadcastChannel(name);
  const gaveUp = Promise.withResolvers<void>();
  let heardAt = performance.now();
  let heard = false;
  const stop = (): void => channel.postMessage({ kind: 'stop' } satisfies Stop);
  const interrupt = (): void => {
    stop();
    // A worker that has not said a word yet has nothing to sum up.
    setTimeout(gaveUp.resolve, heard ? GRACE : 0).unref();
  };
  channel.onmessage = (event) => {
    heardAt = performance.now();
    heard = true;
    const message = event.data as Listed | Standing | Stop;
    if (message.kind !== 'stop') options.heard(message);
    // A worker that was not listening yet when the run was interrupted hears it again.
    if (options.signal.aborted) stop();
  };
  const watch = setInterval(() => {
    if (performance.now() - heardAt < SILENCE) return;
    options.silent();
    gaveUp.resolve();
  }, 1_000);
  if (options.signal.aborted) interrupt();
  else options.signal.addEventListener('abort', interrupt, { once: true });
  return {
    gaveUp: gaveUp.promise,
    close() {
      options.signal.removeEventListener('abort', interrupt);
      clearInterval(watch);
      channel.close();
    },
  };
}

/** Runs vitest on the one spec file in a worker thread and gathers what it reports, also when it is interrupted or stuck. */
export async function judgeInWorker(
  job: Omit<Job, 'channel'>,
  options: { signal: AbortSignal; onProgress: (progress: Progress) => void; onStanding: (collected: Collected) => void },
): Promise<Collected> {
  const { signal, onProgress, onStanding } = options;
  const collected: Collected = { records: [], internalErrors: [], ...NOTHING_COLLECTED };
  const channel = `conformance-${randomUUID()}`;
  let failed = 0;
  let of = 0;
  let slowBecause: string | undefined;
  const progress = (): void => {
    onProgress({ done: collected.records.length, of, failed, requests: collected.requests, slowBecause });
    onStanding(collected);
  };
  const line = createLine(channel, {
    signal,
    heard(message) {
      if (message.kind === 'listed') {
        collected.listing = message.listing;
        of = message.listing.selected.reduce((sum, { checks, invariants }) => sum + checks.length + invariants.length, 0);
        return;
      }
      collected.summary = message.summary ?? collected.summary;
      collected.requests = message.requests;
      slowBecause = message.slowBecause;
      progress();
    },
    silent: () => collected.internalErrors.push(`the judging thread stopped responding for ${SILENCE / 1000} s and was terminated`),
  });
  try {
    const vitest = await startVitest(
      { ...job, channel },
      {
        onTestCaseResult(test) {
          collect(test, collected);
          failed = collected.records.filter(({ verdict }) => verdict === 'fail').length;
          progress();
        },
        onTestRunEnd(modules, unhandled) {
          for (const { message } of [...unhandled, ...modules.flatMap((module) => module.errors())]) collected.internalErrors.push(message);
        },
      },
    );
    await Promise.race([vitest.start(), line.gaveUp]);
    await atMost(CLOSING, vitest.close());
  } finally {
    line.close();
  }
  return collected;
}
