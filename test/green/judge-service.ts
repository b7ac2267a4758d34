import { KEY, sessionOptions } from '../../proof/judge-reference.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { judgeRun } from '../../src/judge/judging.ts';
import { type RunData, runRecordOf } from '../../src/judge/record.ts';
import type { Waiver } from '../../src/judge/waiver-file.ts';
import { unwaived } from '../../src/judge/waivers.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import { SUITE } from '../../suites/plan/index.ts';
import { versionsOf } from '../../suites/tables/tables.ts';

const now = new Date('2026-11-22');

/** A waiver for everything that failed. */
export const waiversFor = ({ clauses }: Pick<RunRecord, 'clauses'>): readonly Waiver[] =>
  unwaived(clauses, []).map(({ id, kind }) => ({ id, ...kind, reason: 'known', expires: '2999-12-31' }));

/** A run of the gate, and what it says with a waiver for everything that failed. */
export type ServiceRun = { readonly plain: RunRecord; readonly waived: RunRecord; readonly requests: number };

function recordOf(data: RunData, session: SessionOptions, waivers: readonly Waiver[]): RunRecord {
  return runRecordOf({
    options: {
      ...{ session, reference: false, strict: false, only: [], skip: [], waivers, drift: () => [], today: now },
      ...{ version: '0.0.0', registry: SUITE.clauses, selection: [] },
    },
    ...{ data, stopped: undefined, startedAt: now.toISOString(), duration: 0 },
  });
}

/** Judges a service as a quick run of the gate does, but for when a clause is broken. */
export async function judgeService(baseUrl: string, changes: Partial<SessionOptions>): Promise<ServiceRun> {
  const session = sessionOptions(baseUrl, { depth: 'quick', now, ...changes });
  const told = await judgeRun({ ...SUITE, options: session }, { versionsOf });
  const plain = recordOf(told, session, []);
  return {
    ...{ plain, waived: recordOf(told, session, waiversFor(plain)) },
    requests: plain.operations.reduce((sum, { requests }) => sum + requests, 0),
  };
}

/** Judges a service as a smoke run does; undefined if it could not be reached, or the run did not get to its end. */
export async function smokeService(baseUrl: string, deadline: number, waivers: readonly Waiver[] = []): Promise<RunRecord | undefined> {
  const target = { baseUrl, apiKey: () => KEY, deadline, waivers };
  const { sample, run } = await createSmoke(target, { version: '0', now: () => now }).run();
  if (run === undefined) throw new Error(sample.note);
  return run.unreachable !== undefined || run.late ? undefined : run.record;
}
