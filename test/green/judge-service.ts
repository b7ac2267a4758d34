import type { CheckRecord, RunRecord } from '../../src/clause/run-record.ts';
import { clauseRecords } from '../../src/judge/clause-verdicts.ts';
import type { RunEvidence } from '../../src/judge/collected.ts';
import { conclude } from '../../src/judge/conclusion.ts';
import { selectClauses } from '../../src/judge/selection.ts';
import { applyWaivers, unwaived } from '../../src/judge/waivers.ts';
import type { SessionClause } from '../../src/oracle/world.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { openSession } from '../../src/session/open-session.ts';
import type { SessionOptions } from '../../src/session/session.ts';

import { clauses } from '../../suites/index.ts';
import { probeClauses } from '../../suites/probe.ts';
import { judgeSession, KEY, sessionOptions } from '../prove/judge-reference.ts';

/** The raw results of one run. */
export type ServiceRun = {
  readonly judged: readonly SessionClause[];
  readonly records: readonly CheckRecord[];
  readonly evidence: RunEvidence;
  readonly requests: number;
};

const now = new Date('2026-11-22');
const quick = selectClauses(clauses, { only: [], skip: [], exhaustive: false });

/** Judges a service as a quick run of the gate does. */
export async function judgeService(baseUrl: string, changes: Partial<SessionOptions>): Promise<ServiceRun> {
  const open = await openSession(sessionOptions(baseUrl, { depth: 'quick', timeBudget: 5_000, now, ...changes }));
  try {
    await open.start();
    const { records, evidence } = await judgeSession(open, { clauses: quick, effects: ['read', 'intrusive', 'write'] });
    return { judged: quick, records, evidence, requests: open.requests() };
  } finally {
    await open.session.close();
  }
}

/** Judges a service as a smoke run does; undefined if it could not be reached, or the run did not get to its end. */
export async function smokeService(baseUrl: string, deadline: number): Promise<ServiceRun | undefined> {
  const options = { clauses: probeClauses, version: '0', now: () => now };
  const { sample, run } = await createSmoke({ baseUrl, apiKey: () => KEY, deadline }, options).run();
  if (run === undefined) throw new Error(sample.note);
  if (run.unreachable !== undefined || run.late) return undefined;
  return { judged: probeClauses, records: run.record.checks, evidence: run.evidence, requests: sample.requests };
}

function conclusionOf({ judged, evidence }: ServiceRun, checks: readonly CheckRecord[]): RunRecord['conclusion'] {
  const nothing = { interrupted: undefined, internalErrors: [], unreachable: undefined, staleWaivers: [] };
  return conclude({ clauses: clauseRecords(judged, checks, { readOnly: true }), checks, evidence, now, strict: false, ...nothing });
}

/** The conclusion of the run, and the one with a waiver for everything that failed. */
export function conclusionsOf(run: ServiceRun): { readonly plain: RunRecord['conclusion']; readonly waived: RunRecord['conclusion'] } {
  const waivers = unwaived(run.records, []).map(({ id, kind }) => ({ id, ...kind, reason: 'known', expires: '2999-12-31' }));
  const { checks } = applyWaivers(run.records, waivers, { registry: run.judged, today: now });
  return { plain: conclusionOf(run, run.records), waived: conclusionOf(run, checks) };
}
