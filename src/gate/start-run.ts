// The run in the judging thread, which tells the gate how it goes.

import type { MessagePort } from 'node:worker_threads';
import { versionsOf } from '../../suites/tables/tables.ts';
import { judgeRun, runDataOf } from '../judge/judging.ts';
import type { RunData } from '../judge/record.ts';
import type { Progress } from '../judge/run.ts';
import type { Clause } from '../oracle/rule.ts';
import { loadOwnClauses } from './load-own-clauses.ts';
import type { FromWorker, Job, Stop } from './messages.ts';
import { planRun } from './plan-run.ts';

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 200;
/** Milliseconds between two records of what is known so far, and how many times longer than it takes to make one. */
const [SO_FAR_INTERVAL, LEAST_PAUSE] = [2_000, 10];

type TellSoFar = (soFar: Progress['soFar']) => RunData;

/** The port to the gate: reports progress, and may end the run. */
function openLine(port: MessagePort, { tellSoFar }: { readonly tellSoFar: TellSoFar | undefined }) {
  const controller = new AbortController();
  let said = Number.NEGATIVE_INFINITY;
  let nextRecord = performance.now() + SO_FAR_INTERVAL;
  const say = (message: FromWorker): void => port.postMessage(message);
  port.on('message', ({ kind }: Stop) => {
    if (kind === 'stop') controller.abort();
  });
  return {
    ...{ stop: controller.signal, say, close: () => port.close() },
    onProgress({ soFar, ...progress }: Progress): void {
      const now = performance.now();
      if (now - said >= PROGRESS_INTERVAL) {
        said = now;
        say({ kind: 'progress', progress });
      }
      if (tellSoFar === undefined || now < nextRecord) return;
      say({ kind: 'so-far', data: tellSoFar(soFar) });
      const end = performance.now();
      nextRecord = end + Math.max(SO_FAR_INTERVAL, LEAST_PAUSE * (end - now));
    },
  };
}

/** A run in this thread, and the clauses that it judges. */
export type StartedRun = {
  readonly selected: readonly Clause[];
  readonly data: Promise<RunData>;
  /** Ends the connection to the gate. */
  readonly close: () => void;
};

/** Starts the run, whether or not vitest is loaded yet. */
export async function startRun(job: Job, port: MessagePort): Promise<StartedRun> {
  const { session, again, asOf, tellsSoFar } = job;
  const { run, listing, selected } = planRun({ ...job, own: await loadOwnClauses(job.ownClauses) });
  const telling = { versionsOf, asOf, again };
  const tellSoFar: TellSoFar = (soFar) => runDataOf(soFar(), { ...telling, session, only: run.only });
  const { close, onProgress, say, stop } = openLine(port, { tellSoFar: tellsSoFar ? tellSoFar : undefined });
  say({ kind: 'listed', listing });

  async function judge(): Promise<RunData> {
    const data = await judgeRun({ ...run, stop, onProgress }, telling);
    say({ kind: 'ended', data });
    return data;
  }
  return { selected, data: judge(), close };
}
