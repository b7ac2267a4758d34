import type { Verdict } from '../../clause/outcome.ts';
import type { CheckRecord, OperationStatistics } from '../../clause/run-record.ts';
import { clauseRecords } from '../../judge/conclude.ts';
import type { SessionClause } from '../../judge/judge-check.ts';
import { conclusionOf, type TargetRun, waive } from '../judge-target.ts';
import type { Target } from '../target.ts';
import type { CanaryRun } from './judge-canary.ts';

export type MergeContext = { readonly target: Target; readonly clauses: readonly SessionClause[]; readonly now: Date };

/** Which of two verdicts on one law says more. */
const WEIGHT: Readonly<Record<Verdict, number>> = { 'not-applicable': 0, inconclusive: 1, observed: 2, pass: 3, waived: 4, fail: 5 };

/** One law judged over the exchanges of two sessions. */
function mergeRecord(read: CheckRecord, canary: CheckRecord): CheckRecord {
  const [heavier, lighter] = WEIGHT[canary.verdict] > WEIGHT[read.verdict] ? [canary, read] : [read, canary];
  if (heavier.evidence === undefined || lighter.evidence === undefined) return heavier;
  const judged = heavier.evidence.judged + lighter.evidence.judged;
  const broken = heavier.evidence.broken + lighter.evidence.broken;
  const note = heavier.verdict === 'pass' ? `${judged} exchanges judged, none of which breaks it` : heavier.note;
  return { ...heavier, note, evidence: { judged, broken } };
}

/** Checks of the canary come first: its own row explains a defect better than a law that the same defect breaks. */
function mergeChecks(read: readonly CheckRecord[], canary: readonly CheckRecord[]): CheckRecord[] {
  const known = new Set(read.map(({ id }) => id));
  const others = new Map(canary.map((record) => [record.id, record]));
  const merged = read.map((record) => {
    const other = others.get(record.id);
    return other === undefined ? record : mergeRecord(record, other);
  });
  // Laws that no exchange of the canary was about say nothing, and are not part of what the probe judges.
  const added = canary.filter(({ id, evidence }) => !known.has(id) && evidence?.judged !== 0);
  return [...added, ...merged];
}

function mergeOperations(read: readonly OperationStatistics[], canary: readonly OperationStatistics[]): OperationStatistics[] {
  return read.map((one) => {
    const other = canary.find(({ operation }) => operation === one.operation);
    if (other === undefined) return one;
    const statuses: Record<string, number> = { ...one.statuses };
    for (const [status, count] of Object.entries(other.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    return { ...one, requests: one.requests + other.requests, statuses, durations: [...one.durations, ...other.durations] };
  });
}

/** The reads of a run and what its canary did, as one run. */
export function mergeRuns(run: TargetRun, canary: CanaryRun, { target, clauses, now }: MergeContext): TargetRun {
  const { record } = run;
  const checks = mergeChecks(record.checks, canary.checks);
  const errors = [...run.errors, ...canary.errors];
  const judged = waive({ checks, clauses: clauseRecords(clauses, checks), errors }, target.waivers, now);
  const late = run.late || canary.late;
  const options = { strict: record.options.strict, now };
  const ending = { unreachable: undefined, late, options, deadline: target.deadline, evidence: run.evidence };
  const { headers, members } = canary.traits;
  return {
    ...run,
    late,
    errors,
    record: {
      ...record,
      options: { ...record.options, readOnly: record.options.readOnly && canary.animals.budget === 0 },
      conclusion: conclusionOf(judged, ending),
      clauses: judged.clauses,
      checks: judged.checks,
      animals: canary.animals,
      operations: mergeOperations(record.operations, canary.operations),
      traits: { headers: { ...headers, ...record.traits.headers }, members: { ...members, ...record.traits.members } },
      notices: [...new Set([...record.notices, ...canary.notices])],
    },
  };
}
