import type { ClauseRecord } from '../../src/clause/clause-record.ts';
import type { PartRecord } from '../../src/clause/part-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { clauseRecords } from '../../src/judge/clause-verdicts.ts';
import type { RunEvidence } from '../../src/judge/conclusion.ts';
import { conclude } from '../../src/judge/conclusion.ts';
import { selectClauses } from '../../src/judge/selection.ts';
import { unwaived, waiveParts } from '../../src/judge/waivers.ts';
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
  readonly records: readonly PartRecord[];
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

/** What a clause was judged by, each with all that was found. */
const partsOf = ({ id, musts, findings, cases = [], failureKinds = [] }: ClauseRecord): readonly PartRecord[] =>
  musts.map((must, place) => ({
    ...{ ...must, id: `${id}/${place}`, clause: id, kind: 'check', observations: [] },
    ...(must.verdict === 'fail' ? { findings, cases, failureKinds } : { findings: [] }),
  }));

/** Judges a service as a smoke run does; undefined if it could not be reached, or the run did not get to its end. */
export async function smokeService(baseUrl: string, deadline: number): Promise<ServiceRun | undefined> {
  const options = { clauses: probeClauses, version: '0', now: () => now };
  const { sample, run } = await createSmoke({ baseUrl, apiKey: () => KEY, deadline }, options).run();
  if (run === undefined) throw new Error(sample.note);
  if (run.unreachable !== undefined || run.late) return undefined;
  return { judged: probeClauses, records: run.record.clauses.flatMap(partsOf), evidence: run.evidence, requests: sample.requests };
}

function conclusionOf(clauses: readonly ClauseRecord[], { evidence }: ServiceRun): RunRecord['conclusion'] {
  const nothing = { interrupted: undefined, internalErrors: [], unreachable: undefined, staleWaivers: [] };
  return conclude({ clauses, evidence, now, strict: false, ...nothing });
}

/** The conclusion of the run, and the one with a waiver for everything that failed. */
export function conclusionsOf(run: ServiceRun): { readonly plain: RunRecord['conclusion']; readonly waived: RunRecord['conclusion'] } {
  const clausesOf = (records: readonly PartRecord[]) => clauseRecords(run.judged, records, { readOnly: true });
  const plain = clausesOf(run.records);
  const waivers = unwaived(plain, [], now).map(({ id, kind }) => ({ id, ...kind, reason: 'known', expires: '2999-12-31' }));
  return { plain: conclusionOf(plain, run), waived: conclusionOf(clausesOf(waiveParts(run.records, waivers, now)), run) };
}
