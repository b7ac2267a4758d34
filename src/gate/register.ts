import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, describe, type TestContext, test } from 'vitest';
import { clauses as catalog } from '../../suites/index.ts';
import { EFFECTS } from '../clause/clause.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { createAskAgain } from '../judge/ask-again.ts';
import { askClosing } from '../judge/ask-closing.ts';
import { createInvariantJudge, type InvariantJudge } from '../judge/invariant-judge.ts';
import { describeInternalError, InternalError, judgeCheck, type SessionClause } from '../judge/judge-check.ts';
import { keepExchanges } from '../judge/keep-exchanges.ts';
import { withOwnClauses } from '../judge/own-clause.ts';
import { planOf } from '../judge/run-direct.ts';
import { evidenceOf } from '../judge/run-evidence.ts';
import { checksNamed, selectClauses } from '../judge/select.ts';
import { UnreachableError } from '../session/client/wait-until-reachable.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import { listingOf } from './listing.ts';
import { loadOwnClauses } from './load-own-clauses.ts';
import { HEARTBEAT, type Job, type Listed, type Standing, type Stop, type Summary, type TestReport } from './messages.ts';

const STANDING_INTERVAL = 200;

/** Leaves a record for the gate and ends the test as vitest would show it. */
function settle(record: CheckRecord, context: TestContext): void {
  context.task.meta.conformance = { kind: 'record', record };
  if (record.verdict === 'fail') throw new Error(record.note);
  if (record.verdict === 'inconclusive') context.skip(record.note);
}

function settleError(error: unknown, context: TestContext, open: OpenSession): never {
  context.task.meta.conformance = { kind: 'internal-error', sentence: open.redactText(describeInternalError(error)) };
  throw error;
}

/** Says what is judged, then how the run stands, while requests flow and at least every second; and hears that it shall end. */
function keepInTouch(
  open: OpenSession,
  { channel: name, selection }: Job,
  registry: readonly SessionClause[],
): { readonly stop: AbortSignal; close(): void } {
  const channel = new BroadcastChannel(name);
  const controller = new AbortController();
  let said = 0;
  const say = (summary: Summary | undefined): void => {
    said = performance.now();
    channel.postMessage({ kind: 'standing', summary, requests: open.requests(), slowBecause: open.slowBecause() } satisfies Standing);
  };
  open.recorder.onExchange(() => {
    if (performance.now() - said > STANDING_INTERVAL) say(undefined);
  });
  const heartbeat = setInterval(() => say(open.summary()), HEARTBEAT);
  channel.onmessage = (event) => {
    const { kind } = event.data as Listed | Standing | Stop;
    if (kind === 'stop') controller.abort();
  };
  channel.postMessage({ kind: 'listed', listing: listingOf(registry, selection) } satisfies Listed);
  say(undefined);
  return {
    stop: controller.signal,
    close() {
      clearInterval(heartbeat);
      channel.close();
    },
  };
}

/** What the first contact with the service leaves: a test report that ends the run, or one that says nothing. */
type Contact = Extract<TestReport, { readonly kind: 'unreachable' | 'mistaken' | 'traffic' }>;

async function firstContact(open: OpenSession): Promise<Contact> {
  await open.start();
  const sentence = await open.firstContact();
  return sentence === undefined ? { kind: 'traffic' } : { kind: 'mistaken', sentence: open.redactText(sentence) };
}

/** Reaches the service, or says why it can't be reached or judged; an interrupt ends the waiting. */
async function reach(open: OpenSession, stop: AbortSignal): Promise<Contact> {
  const interrupted = new Promise<Contact>((resolve) => {
    stop.addEventListener('abort', () => resolve({ kind: 'traffic' }), { once: true });
  });
  try {
    return await Promise.race([firstContact(open), interrupted]);
  } catch (error) {
    if (error instanceof UnreachableError) return { kind: 'unreachable', sentence: open.redactText(error.message) };
    throw error;
  }
}

/**
 * Registers the selected checks and invariants as vitest tests: a sequential suite a step, its checks concurrent, then the invariants.
 * Where only invariants are selected, or the whole traffic is asked for, all checks run to make the exchanges that invariants judge; those that are
 * not selected are not reported.
 */
export async function registerConformance(job: Job): Promise<void> {
  const open = await openSession(job.session);
  const registry = withOwnClauses(catalog, await loadOwnClauses(job.ownClauses));
  const clauses = selectClauses(registry, job.selection);
  const touch = keepInTouch(open, job, registry);
  const again = createAskAgain(open);
  const keep = keepExchanges(open, checksNamed(registry, job.passing));
  const reported = clauses.some(({ checks }) => checks.length > 0);
  const whole = !reported || job.selection.wholeTraffic === true;
  const selected = new Set(clauses.flatMap(({ checks }) => checks.map(({ id }) => id)));
  // What comes while a service starts is not judged.
  let invariants: InvariantJudge | undefined;

  test('reach the service', async (context) => {
    const made = await reach(open, touch.stop).catch((error) => settleError(error, context, open));
    if (made.kind === 'traffic') invariants = createInvariantJudge(open, clauses, { stop: touch.stop, again });
    context.task.meta.conformance = made;
  });

  for (const group of planOf({ clauses: whole ? registry : clauses, effects: EFFECTS })) {
    describe(group[0]?.check.step ?? '', () => {
      for (const { clause, check } of group) {
        test.concurrent(check.id, async (context) => {
          context.skip(invariants === undefined);
          const judged = await judgeCheck(check, { clause, open, stop: touch.stop, again }).catch((error) =>
            settleError(error, context, open),
          );
          if (selected.has(check.id)) settle(judged, context);
          else context.task.meta.conformance = { kind: 'traffic' };
        });
      }
    });
  }
  // Before the invariants, which judge these exchanges as well.
  let closing: readonly string[] | undefined;
  test('what was asked again has its answer', async (context) => {
    await invariants?.asked().catch((error) => settleError(error, context, open));
    context.task.meta.conformance = { kind: 'traffic' };
  });
  test('ask the service once more', async (context) => {
    context.skip(invariants === undefined || touch.stop.aborted || !open.session.knowledge.credible);
    closing = await askClosing(open).catch((error) => settleError(error, context, open));
    context.task.meta.conformance = { kind: 'traffic' };
  });
  describe('invariants', () => {
    for (const [index, { id }] of clauses.flatMap((clause) => clause.invariants).entries()) {
      test(id, (context) => {
        context.skip(invariants === undefined);
        const settled = invariants?.settleEach()[index] ?? new InternalError(`${id} was not judged`);
        if (settled instanceof InternalError) settleError(settled, context, open);
        settle(settled, context);
      });
    }
  });
  test('conclude the run', ({ task }) => {
    const { credible } = open.session.knowledge;
    const evidence = evidenceOf(open, closing);
    task.meta.conformance = { kind: 'summary', summary: open.summary(), recognized: credible, evidence, kept: keep.kept() };
  });
  afterAll(async () => {
    touch.close();
    await open.session.close();
  });
}
