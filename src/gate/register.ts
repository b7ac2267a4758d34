import type { MessagePort } from 'node:worker_threads';
import { afterAll, beforeAll, type TestContext, test } from 'vitest';
import { clauses as catalog } from '../../suites/index.ts';
import { EFFECTS } from '../clause/clause.ts';
import { createAskAgain } from '../judge/ask-again.ts';
import { describeInternalError, InternalError } from '../judge/check.ts';
import { clauseRecords } from '../judge/clause-verdicts.ts';
import { planOf } from '../judge/judging.ts';
import { withOwnClauses } from '../judge/own-clause.ts';
import { judgeRun, type RunOutcome } from '../judge/run.ts';
import { listingOf, selectClauses, sendingClauses } from '../judge/selection.ts';
import type { SessionClause } from '../oracle/world.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import { loadOwnClauses } from './load-own-clauses.ts';
import { type FromWorker, HEARTBEAT, type Job, type Stop } from './messages.ts';

const STANDING_INTERVAL = 200;

/** The port to the gate: reports progress while requests are sent and at least every second, and may end the run. */
function openLine(open: OpenSession, port: MessagePort): { readonly stop: AbortSignal; say(message: FromWorker): void; close(): void } {
  const controller = new AbortController();
  let said = performance.now();
  const say = (message: FromWorker): void => port.postMessage(message);
  const stand = (summary: ReturnType<OpenSession['summary']> | undefined): void => {
    said = performance.now();
    const pace = { requests: open.requests(), slowBecause: open.slowBecause(), allowedRate: open.allowedRate() };
    say({ kind: 'standing', summary, ...pace });
  };
  open.recorder.onExchange(() => {
    if (performance.now() - said > STANDING_INTERVAL) stand(undefined);
  });
  const heartbeat = setInterval(() => stand(open.summary()), HEARTBEAT);
  port.on('message', ({ kind }: Stop) => {
    if (kind === 'stop') controller.abort();
  });
  return {
    stop: controller.signal,
    say,
    close() {
      clearInterval(heartbeat);
      port.close();
    },
  };
}

/** Where in our own code it was thrown says nothing, and vitest would read source files and their maps for it. */
function withoutStack(error: Error): Error {
  error.stack = '';
  return error;
}

function show(
  clause: SessionClause,
  { outcome, context }: { readonly outcome: RunOutcome | undefined; readonly context: TestContext },
): void {
  const nothing = outcome?.unreachable ?? outcome?.mistaken;
  if (nothing !== undefined) context.skip(nothing);
  const [record] = clauseRecords([clause], outcome?.records ?? [], { readOnly: false });
  if (record === undefined) throw outcome?.errors[0] ?? new InternalError(`${clause.id} has no verdict`);
  if (record.verdict === 'fail') throw withoutStack(new Error(record.note));
  if (record.verdict === 'inconclusive') context.skip(record.note);
}

/**
 * Registers the selected clauses as vitest tests: all of them await the one run, which begins before the first. If only invariants are
 * selected, or the whole traffic is requested, all checks run to produce the exchanges that invariants judge; those that are not selected
 * are not reported.
 */
export async function registerConformance(job: Job, port: MessagePort): Promise<void> {
  const open = await openSession(job.session);
  const registry = withOwnClauses(catalog, await loadOwnClauses(job.ownClauses));
  const clauses = selectClauses(registry, job.selection);
  const selected = new Set(clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id)));
  const line = openLine(open, port);
  line.say({ kind: 'listed', listing: listingOf(registry, job.selection) });
  let outcome: RunOutcome | undefined;

  async function judge(): Promise<void> {
    const made = await judgeRun(open, {
      clauses,
      registry,
      plan: planOf({ clauses: sendingClauses(clauses, { ...job.selection, registry }), effects: EFFECTS }),
      stop: line.stop,
      again: createAskAgain(open),
      followsUp: true,
      timeLimit: job.timeLimit,
      asOf: job.asOf,
      onRecord: (record) => {
        if (selected.has(record.id)) line.say({ kind: 'judged', record });
      },
    });
    const { errors, ...rest } = made;
    const records = made.records.filter(({ id }) => selected.has(id));
    outcome = { ...made, records };
    line.say({
      ...{ ...rest, records, kind: 'ended', summary: open.summary(), requests: open.requests() },
      internalErrors: errors.map((error) => open.redactText(describeInternalError(error))),
    });
  }

  // Every check has its own deadline, after which it is inconclusive.
  beforeAll(judge, 0);
  for (const clause of clauses) test(clause.id, (context) => show(clause, { outcome, context }));
  afterAll(async () => {
    line.close();
    await open.session.close();
  });
}
