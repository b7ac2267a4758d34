import { afterAll, describe, test } from 'vitest';
import { clauses as registry } from '../../suites/index.ts';
import type { Effect } from '../clause/clause.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import { createInvariantJudge } from '../judge/invariant-judge.ts';
import { judgeCheck } from '../judge/judge-check.ts';
import { planOf } from '../judge/run-direct.ts';
import { selectClauses } from '../judge/select.ts';
import { openSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import { type Job, unpackSession } from './job.ts';

// Every request has its own deadline; this only ends a check whose own code does not end.
const CHECK_TIMEOUT = 600_000;
const SUMMARY_INTERVAL = 200;

/** Effects that a session allows. A read-only run still registers writing checks: they say that they need to create. */
export function effectsOf(options: Pick<SessionOptions, 'intrusive'>): readonly Effect[] {
  return options.intrusive ? ['read', 'write', 'intrusive'] : ['read', 'write'];
}

function settle(record: CheckRecord, context: { task: { meta: object }; skip: (note: string) => never }): void {
  Object.assign(context.task.meta, { record });
  if (record.verdict === 'fail') throw new Error(record.note);
  if (record.verdict === 'inconclusive') context.skip(record.note);
}

/** Registers the selected checks and invariants as vitest tests: a sequential suite a step, its checks concurrent. */
export async function registerConformance(job: Job): Promise<void> {
  const options = unpackSession(job.session);
  const open = await openSession(options);
  const clauses = selectClauses(registry, job);
  const invariants = createInvariantJudge(open, clauses);
  const channel = new BroadcastChannel(job.channel);
  let announced = 0;
  const announce = (): void => {
    announced = performance.now();
    channel.postMessage({ ...open.summary(), requests: open.requests() });
  };
  open.recorder.onExchange(() => {
    if (performance.now() - announced > SUMMARY_INTERVAL) announce();
  });

  for (const group of planOf({ clauses, effects: effectsOf(options) })) {
    describe(group[0]?.check.step ?? '', () => {
      for (const { clause, check } of group) {
        test.concurrent(check.id, { timeout: CHECK_TIMEOUT }, async (context) =>
          settle(await judgeCheck(check, { clause, open }), context),
        );
      }
    });
  }
  describe('invariants', () => {
    for (const [index, { id }] of clauses.flatMap((clause) => clause.invariants).entries()) {
      test(id, (context) => {
        const record = invariants.settle()[index];
        if (record === undefined) throw new Error(`${id} was not settled`);
        settle(record, context);
      });
    }
  });
  afterAll(async () => {
    announce();
    channel.close();
    await open.session.close();
  });
}
