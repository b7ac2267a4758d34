import type { MessagePort } from 'node:worker_threads';
import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { versionsOf } from '../../suites/tables/tables.ts';
import type { ClauseId } from '../clause/clause.ts';
import { judgeRun, tellOf } from '../judge/judging.ts';
import type { RunTold } from '../judge/record.ts';
import type { Progress } from '../judge/run.ts';
import { loadOwnClauses } from './load-own-clauses.ts';
import type { FromWorker, Job, Stop } from './messages.ts';
import { planRun } from './plan-run.ts';

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL = 200;
/** Milliseconds between two records of what is known so far, and how many times longer than it takes to make one. */
const [SO_FAR_INTERVAL, LEAST_PAUSE] = [2_000, 10];

type TellSoFar = (soFar: Progress['soFar']) => RunTold;

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
      say({ kind: 'so-far', told: tellSoFar(soFar) });
      const end = performance.now();
      nextRecord = end + Math.max(SO_FAR_INTERVAL, LEAST_PAUSE * (end - now));
    },
  };
}

/** Where in our own code it was thrown says nothing, and vitest would read source files and their maps for it. */
function withoutStack(error: Error): Error {
  error.stack = '';
  return error;
}

function show(id: ClauseId, { told, context }: { readonly told: RunTold | undefined; readonly context: TestContext }): void {
  const nothing = told?.unreachable ?? told?.mistaken;
  if (nothing !== undefined) context.skip(nothing);
  const record = told?.clauses.find((clause) => clause.id === id);
  if (record === undefined) throw withoutStack(new Error(told?.errors[0] ?? `${id} has no verdict`));
  if (record.verdict === 'fail') throw withoutStack(new Error(record.note));
  if (record.verdict === 'inconclusive') context.skip(record.note);
}

/** Registers the selected clauses as vitest tests: all of them await the one run, which begins before the first. */
export async function registerConformance(job: Job, port: MessagePort): Promise<void> {
  const { session, again, asOf, tellsSoFar } = job;
  const { run, listing, selected } = planRun({ ...job, own: await loadOwnClauses(job.ownClauses) });
  const telling = { versionsOf, asOf, again };
  const tellSoFar: TellSoFar = (soFar) => tellOf(soFar(), { ...telling, session, only: run.only });
  const line = openLine(port, { tellSoFar: tellsSoFar ? tellSoFar : undefined });
  line.say({ kind: 'listed', listing });
  let told: RunTold | undefined;

  async function judge(): Promise<void> {
    told = await judgeRun({ ...run, stop: line.stop, onProgress: line.onProgress }, telling);
    line.say({ kind: 'ended', told });
  }

  // The run has bounds of its own.
  beforeAll(judge, 0);
  for (const { id } of selected) test(id, (context) => show(id, { told, context }));
  afterAll(line.close);
}
